/* Snoozing: hiding conversations for a while. */
#include "ui/snooze.h"

#include "base/mem.h"
#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* --- snoozed conversations --- */

struct load_task {
    struct ui_task task;
    struct snoozes snoozes;
    int64_t now_us;
};

static void load_work(struct ui_task *task, struct store *store)
{
    struct load_task *load = (struct load_task *)task;
    struct err ignored; /* without state.db nothing was ever snoozed */

    store_snoozes(store, load->now_us, &load->snoozes, &ignored);
}

static void load_done(struct ui_task *task, struct ui *ui)
{
    struct load_task *load = (struct load_task *)task;

    ui->snoozes_asked = false;
    snoozes_free(&ui->snoozes); /* even after an error: a hidden row could be lost */
    ui->snoozes = load->snoozes;
    load->snoozes = (struct snoozes){0};
    ui->stale = true;
}

static void load_free(struct ui_task *task)
{
    snoozes_free(&((struct load_task *)task)->snoozes);
    free(task);
}

void snooze_load(struct ui *ui)
{
    struct load_task *load = mem_zero(1, sizeof *load);

    load->task = (struct ui_task){.work = load_work, .done = load_done, .free = load_free};
    load->now_us = ui_now(ui);
    ui->snoozes_asked = true;
    ui_begin(ui, UI_DRAFTS, &load->task);
}

bool snooze_hides(struct ui *ui, const struct conversation *conversation)
{
    const struct conversations *conversations = &ui->picture->sight.conversations;
    const struct message *last =
        conversation_message(conversations, conversation, conversation->count - 1);

    return ui->snoozes.count &&
           snoozes_hide(&ui->snoozes, ui_source(ui, last->place->source), last, ui_now(ui));
}

int64_t snooze_due_us(struct ui *ui)
{
    int64_t next_us = snoozes_next_us(&ui->snoozes);

    if (next_us == TIME_NONE || ui->snoozes_asked)
        return TIME_NONE;
    return next_us > ui_now(ui) ? next_us - ui_now(ui) : 0;
}

/* --- snoozing and undo --- */

struct snooze_entry {
    struct undo_stack_entry entry;
    struct arena arena;
    struct message *messages;
    size_t count;
    int64_t *before_us; /* end of each one's earlier snooze, or TIME_NONE */
    int64_t until_us;   /* TIME_NONE: the snooze was ended */
};

struct snooze_task {
    struct ui_task task;
    struct snooze_entry *entry; /* the journal's once it succeeded; ours before that */
    struct snooze *snoozes;
    int64_t now_us;
    bool first, back;
};

static void entry_free(struct undo_stack_entry *entry)
{
    struct snooze_entry *snoozed = (struct snooze_entry *)entry;

    arena_free(&snoozed->arena);
    free(snoozed->messages);
    free(snoozed->before_us);
    free(snoozed);
}

static void task_free(struct ui_task *task)
{
    struct snooze_task *snooze = (struct snooze_task *)task;

    if (snooze->first)
        entry_free(&snooze->entry->entry);
    free(snooze->snoozes);
    free(snooze);
}

static void snooze_work(struct ui_task *task, struct store *store)
{
    struct snooze_task *snooze = (struct snooze_task *)task;

    snooze->task.ok = store_snooze(store, snooze->snoozes, snooze->entry->count, snooze->now_us,
                                   &snooze->task.err);
}

static void snooze_done(struct ui_task *task, struct ui *ui)
{
    struct snooze_task *snooze = (struct snooze_task *)task;
    struct snooze_entry *entry = snooze->entry;

    if (!snooze->task.ok) {
        ui_error(ui, &snooze->task.err);
        if (!snooze->first)
            undo_stack_settle(ui, &entry->entry, snooze->back, false);
        return;
    }
    if (snooze->first)
        undo_stack_add(&ui->journal, &entry->entry);
    snooze->first = false;
    undo_stack_settle(ui, &entry->entry, snooze->back, true);
    if (snooze->back)
        ui_info(ui, STYLE_PLAIN, "taken back: %s; ^R does it again", str_c(&entry->entry.label));
    else
        ui_info(ui, STYLE_PLAIN, "%s; u takes it back", str_c(&entry->entry.label));
    snooze_load(ui);
}

static void begin_snooze(struct ui *ui, struct snooze_entry *entry, bool first, bool back)
{
    struct snooze_task *snooze = mem_zero(1, sizeof *snooze);

    *snooze =
        (struct snooze_task){.task = {.work = snooze_work, .done = snooze_done, .free = task_free},
                             .entry = entry,
                             .first = first,
                             .back = back,
                             .now_us = ui_now(ui)};
    snooze->snoozes = mem_zero(entry->count + 1, sizeof *snooze->snoozes);
    for (size_t i = 0; i < entry->count; i++)
        snooze->snoozes[i] =
            snooze_of(ui_source(ui, entry->messages[i].place->source), &entry->messages[i],
                      back ? entry->before_us[i] : entry->until_us);
    ui_begin(ui, UI_DRAFTS, &snooze->task);
}

static void undo_snooze(struct ui *ui, struct undo_stack_entry *entry)
{
    begin_snooze(ui, (struct snooze_entry *)entry, false, true);
}

static void redo_snooze(struct ui *ui, struct undo_stack_entry *entry)
{
    begin_snooze(ui, (struct snooze_entry *)entry, false, false);
}

/* Makes a journal entry for the conversations of the targets; each is represented by its newest
 * message. */
static struct snooze_entry *entry_new(struct ui *ui, const struct targets *acting, int64_t until_us)
{
    const struct conversations *conversations = &ui->picture->sight.conversations;
    struct snooze_entry *entry = mem_zero(1, sizeof *entry);
    const struct conversation *before = NULL;

    *entry = (struct snooze_entry){
        .entry = {.undo = undo_snooze, .redo = redo_snooze, .free = entry_free},
        .until_us = until_us};
    entry->messages = mem_zero(acting->keys.count + 1, sizeof *entry->messages);
    entry->before_us = mem_zero(acting->keys.count + 1, sizeof *entry->before_us);
    for (size_t i = 0; i < acting->keys.count; i++) {
        const struct conversation *conversation =
            picture_conversation(ui->picture, acting->keys.items[i]);
        if (!conversation || conversation == before)
            continue;
        before = conversation;
        const struct message *last =
            conversation_message(conversations, conversation, conversation->count - 1);
        struct snooze now = snooze_of(ui_source(ui, last->place->source), last, TIME_NONE);
        entry->before_us[entry->count] = snoozes_find(&ui->snoozes, &now.key, now.viewer);
        message_keep(&entry->messages[entry->count++], last, &entry->arena);
    }
    return entry;
}

static bool was_any_snoozed(const struct snooze_entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (entry->before_us[i] != TIME_NONE)
            return true;
    return false;
}

static bool snooze_for(struct ui *ui, const struct targets *acting, struct span text)
{
    bool off = span_is(text, "off");
    int64_t for_us = 0;

    if (!off && (!time_duration(text, &for_us) || for_us <= 0)) {
        ui_info(ui, STYLE_ERROR, "that is no duration; write 90s, 30m, 2h, 1d or off");
        return false;
    }
    struct snooze_entry *entry = entry_new(ui, acting, off ? TIME_NONE : ui_now(ui) + for_us);
    if (off && !was_any_snoozed(entry)) {
        ui_info(ui, STYLE_DIM, "it was not put aside");
        entry_free(&entry->entry);
        return true;
    }
    str_addf(&entry->entry.label, off ? "brought back %zu" : "put aside %zu", entry->count);
    str_addf(&entry->entry.label, " conversation%s", entry->count == 1 ? "" : "s");
    if (!off)
        str_addf(&entry->entry.label, " for %.*s, or until something new comes", (int)text.len,
                 text.at);
    begin_snooze(ui, entry, true, false);
    message_actions_untag(ui, acting);
    return true;
}

/* --- prompt for the duration --- */

static bool accept_duration(struct ui *ui, void *context, struct span text)
{
    text = span_trim(text);
    return snooze_for(ui, context, text.len ? text : span_of("1h"));
}

static const struct prompt_spec spec = {.label = "put aside for: ",
                                        .hint = "1h; or 30m, 2h, 1d; off brings it back",
                                        .history = HISTORY_DURATION,
                                        .accept = accept_duration,
                                        .free = message_actions_drop};

void snooze_begin(struct ui *ui, struct targets *acting, struct span argument)
{
    struct targets *kept = message_actions_keep(acting);

    if (!argument.len) {
        ui_prompt(ui, &spec, (struct span){0}, kept);
        return;
    }
    snooze_for(ui, kept, argument);
    message_actions_drop(kept);
}
