/* Actions on messages: finding the targets, and performing the action. */
#include "ui/message_actions.h"

#include "base/mem.h"
#include "mail/render/columns.h"
#include "ui/change_status.h"
#include "ui/compose/compose.h"
#include "ui/decide/undo_window.h"
#include "ui/snooze.h"
#include "ui/ui_state.h"
#include "ui/undo_stack.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

bool message_actions_targets(struct ui *ui, struct targets *acting)
{
    struct screen *screen = ui_top(ui);

    *acting = (struct targets){.screen = screen->id};
    if (screen->ops->targets)
        acting->tagged = screen->ops->targets(screen, &acting->keys, &acting->arena);
    if (screen->ops->stamp)
        acting->stamp = screen->ops->stamp(screen);
    if (screen->ops->agent)
        screen->ops->agent(screen, &acting->agent, &acting->agent_source, &acting->arena);
    return acting->keys.count > 0;
}

void message_actions_free(struct targets *acting)
{
    span_list_free(&acting->keys);
    arena_free(&acting->arena);
}

void message_actions_untag(struct ui *ui, const struct targets *acting)
{
    struct screen *screen = ui_screen(ui, acting->screen);

    if (acting->tagged && screen && screen->ops->untag)
        screen->ops->untag(screen, &acting->keys);
}

/* --- who the messages were written to --- */

/* Counts of the targets, to decide who may archive them. */
struct target_counts {
    size_t ours;    /* written to the person */
    size_t others;  /* written to others */
    size_t unread;  /* of `others`: not read by their recipients */
    size_t waiting; /* of `ours`: still waiting for an answer */
    struct span to; /* the recipient of the last of `others` */
};

static bool waits_for_answer(const struct sight *sight, uint32_t number)
{
    uint32_t ask = sight->asks.of[number];

    return ask != REQUEST_NONE && sight->asks.items[ask].open;
}

/* Reduces the targets to our messages, or if there are none to those of others. Leaves out archived
 * ones, unless it is the only one: then the store says why nothing can be done. */
static struct target_counts keep_ours(struct ui *ui, struct targets *acting)
{
    struct span_list *keys = &acting->keys, others = {0};
    struct target_counts meant = {0};

    for (size_t i = 0; i < keys->count; i++) {
        uint32_t number = picture_number(ui->picture, keys->items[i]);
        if (number == UINT32_MAX)
            continue;
        const struct message *message = ui->picture->model.messages[number];
        if (message->place->archived && keys->count > 1)
            continue;
        if (message_for_us(message) || message->place->archived) {
            keys->items[meant.ours++] = keys->items[i];
            meant.waiting += waits_for_answer(&ui->picture->sight, number);
            continue;
        }
        span_list_add(&others, keys->items[i]);
        meant.unread += message->status == STATUS_UNREAD;
        meant.to = message_recipient(message);
    }
    meant.others = others.count;
    for (size_t i = 0; !meant.ours && i < others.count; i++)
        keys->items[i] = others.items[i];
    keys->count = meant.ours ? meant.ours : others.count;
    span_list_free(&others);
    return meant;
}

static void change_messages_to(struct ui *ui, const struct targets *acting, enum status status,
                               size_t left)
{
    change_begin(ui, &acting->keys, status, left);
    message_actions_untag(ui, acting);
}

void message_actions_drop(void *kept)
{
    message_actions_free(kept);
    free(kept);
}

struct targets *message_actions_keep(const struct targets *acting)
{
    struct targets *kept = mem_zero(1, sizeof *kept);

    *kept = *acting;
    return kept;
}

/* --- archiving --- */

struct archiving_task {
    struct targets acting;
    size_t left;
};

static void putting_away_free(void *context)
{
    message_actions_free(&((struct archiving_task *)context)->acting);
    free(context);
}

static void archive_now(struct ui *ui, void *context)
{
    struct archiving_task *away = context;

    change_messages_to(ui, &away->acting, STATUS_ARCHIVED, away->left);
    putting_away_free(away);
}

/* Appends the question to confirm first; nothing if none is needed. */
static void add_question(struct str *out, const struct target_counts *meant)
{
    if (meant->waiting == 1 && meant->ours == 1) {
        str_puts(out, "Archive it, though it still waits for your answer?");
    } else if (meant->waiting) {
        str_addf(out, "Archive %zu messages, of which %zu still wait%s for your answer?",
                 meant->ours, meant->waiting, meant->waiting == 1 ? "s" : "");
    } else if (!meant->ours && meant->others == 1) {
        str_puts(out, "Archive it, though it was written to ");
        str_add_span(out, columns_name(meant->to, COLUMNS_NARROW - 1));
        str_puts(out, meant->unread ? ", who has not read it?" : "?");
    } else if (!meant->ours && meant->others) {
        str_addf(out, "Archive %zu messages that were written to others, %zu of them unread?",
                 meant->others, meant->unread);
    }
}

/* Archives the targets, after a question if needed. Takes ownership of `acting`. */
static void archive(struct ui *ui, struct targets *acting)
{
    struct archiving_task *away = mem_zero(1, sizeof *away);
    struct target_counts meant = keep_ours(ui, acting);
    CLEANUP(str_free) struct str question = {0};

    *away = (struct archiving_task){.acting = *acting, .left = meant.ours ? meant.others : 0};
    add_question(&question, &meant);
    if (question.len) {
        ui_confirm(ui, str_c(&question), archive_now, putting_away_free, away);
    } else if (acting->keys.count) {
        archive_now(ui, away);
    } else {
        ui_info(ui, STYLE_WARNING, "all of it is archived already");
        putting_away_free(away);
    }
}

/* Restores the targets. Of a conversation only the messages to the person are restored. A single
 * message is always tried: the store says why it cannot be. */
static void restore(struct ui *ui, struct targets *acting)
{
    struct span_list *keys = &acting->keys;
    size_t kept = 0, count = keys->count;

    for (size_t i = 0; count > 1 && i < count; i++) {
        const struct message *message = picture_find(ui->picture, keys->items[i]);
        if (message && message_for_us(message) && message->place->archived)
            keys->items[kept++] = keys->items[i];
    }
    if (count > 1)
        keys->count = kept;
    if (!acting->keys.count) {
        ui_info(ui, STYLE_WARNING, "nothing in it was written to you and is in the archive");
        return;
    }
    change_restore(ui, &acting->keys);
    message_actions_untag(ui, acting);
}

/* --- marking asks for a status --- */

static bool mark_accept(struct ui *ui, void *context, struct span text)
{
    struct targets *acting = context;
    enum status status;

    if (!status_parse(span_trim(text), &status)) {
        ui_info(ui, STYLE_ERROR,
                "that is no status; write read, unread, processing, completed or "
                "failed");
        return false;
    }
    struct target_counts meant = keep_ours(ui, acting);
    if (meant.ours || acting->keys.count == 1) /* the store says why a single one cannot */
        change_messages_to(ui, acting, status, meant.ours ? meant.others : 0);
    else
        ui_info(ui, STYLE_WARNING, "nothing in it was written to you; agents mark their own mail");
    return true;
}

static void mark_complete(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    (void)ui;
    (void)context;
    (void)before;
    *from = 0;
    for (enum status status = STATUS_UNREAD; status < STATUS_ARCHIVED; status++)
        complete_add(completion, span_of(status_name(status)), (struct span){0}, (int)status);
}

static const struct prompt_spec mark_spec = {.label = "mark as: ",
                                             .hint =
                                                 "read, unread, processing, completed or failed",
                                             .history = -1,
                                             .accept = mark_accept,
                                             .complete = mark_complete,
                                             .free = message_actions_drop};

static void mark_messages(struct ui *ui, struct targets *acting, struct span argument)
{
    if (argument.len) {
        mark_accept(ui, acting, argument);
        message_actions_free(acting);
        return;
    }
    ui_prompt(ui, &mark_spec, (struct span){0}, message_actions_keep(acting));
}

static void say_tagged(struct ui *ui, const struct targets *acting)
{
    if (acting->tagged)
        ui_info(ui, STYLE_PLAIN, "the next action is for all %zu messages that are tagged",
                acting->keys.count);
    else
        ui_info(ui, STYLE_DIM, "nothing is tagged; t tags, T tags by a query");
}

/* Shows the decision queue at the selected request; decides nothing. */
static void go_decide(struct ui *ui)
{
    struct targets acting;
    bool found = false;

    message_actions_targets(ui, &acting);
    CLEANUP(str_free) struct str key = {0};
    for (size_t i = 0; !found && i < acting.keys.count; i++) {
        uint32_t number = picture_number(ui->picture, acting.keys.items[i]);
        found = number != UINT32_MAX && waits_for_answer(&ui->picture->sight, number);
        if (found)
            str_add_span(&key, acting.keys.items[i]);
    }
    message_actions_free(&acting);
    ui_view(ui, VIEW_DECIDE);
    struct screen *screen = ui_top(ui);
    if (!found || !screen->ops->choose || !screen->ops->choose(screen, str_span(&key), false))
        ui_info(ui, STYLE_DIM, "it does not wait for a decision of yours; this does");
}

bool message_actions_act(struct ui *ui, enum action action, struct span argument)
{
    struct targets acting;

    switch (action) {
    case ACTION_UNDO: /* a held decision is undone before any other change */
        if (!undo_window_undo(ui))
            undo_stack_undo(ui);
        return true;
    case ACTION_GO_DECIDE:
        go_decide(ui);
        return true;
    case ACTION_REDO:
        undo_stack_redo(ui);
        return true;
    case ACTION_ARCHIVE:
    case ACTION_RESTORE:
    case ACTION_MARK:
    case ACTION_SNOOZE:
    case ACTION_TAGGED:
        break;
    default:
        return compose_act(ui, action, argument);
    }
    if (!message_actions_targets(ui, &acting)) {
        ui_info(ui, STYLE_WARNING, "there is no message to do that to");
        message_actions_free(&acting);
        return true;
    }
    if (action == ACTION_MARK) {
        mark_messages(ui, &acting, argument);
        return true;
    }
    if (action == ACTION_SNOOZE) {
        snooze_begin(ui, &acting, argument);
        return true;
    }
    if (action == ACTION_ARCHIVE) {
        archive(ui, &acting);
        return true;
    }
    if (action == ACTION_RESTORE)
        restore(ui, &acting);
    else
        say_tagged(ui, &acting);
    message_actions_free(&acting);
    return true;
}
