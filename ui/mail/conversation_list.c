/* Lists of conversations: the screen. */
#include "ui/mail/conversation_list.h"

#include "base/mem.h"
#include "mail/render/columns.h"
#include "ui/mail/thread_view.h"
#include "ui/snooze.h"
#include "ui/term/grid.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static void conversation_list_go_to_awaited(struct mailbox *box);

/* --- drawing a row --- */

/* Columns of the screen, and of the list itself, below which a column is left out. The second limit
 * is for a list beside other panes, which is hardly ever that narrow. */
enum { NO_KIND = 60, NO_AGE = 48, PANE_NO_KIND = 40, PANE_NO_AGE = 32 };
enum { MARKS = 2, AGE = 5, SUBJECT_LEAST = 12, GONE_SHORT = 76 };

static const int styles[INBOX_ORDER_GROUPS] = {[INBOX_ORDER_NEEDS] = STYLE_NEEDS,
                                               [INBOX_ORDER_UNREAD] = STYLE_UNREAD,
                                               [INBOX_ORDER_SWARM] = STYLE_SWARM,
                                               [INBOX_ORDER_REST] = STYLE_READ};

static void draw_group(struct mailbox *box, const struct list_row *row, const struct area *line)
{
    struct grid *grid = &box->screen.ui->grid;

    grid_rule(grid, line, 0, STYLE_GROUP);
    grid_putf(grid, line, 0, 2, STYLE_GROUP, " %s (%zu) ", inbox_order_titles[row->item],
              box->order.counts[row->item]);
}

/* Draws the marks at the start: selected or tagged, and the kind of the conversation. */
static void draw_marks(struct mailbox *box, const struct list_row *row, const struct area *line,
                       char mark, int style)
{
    struct grid *grid = &box->screen.ui->grid;
    const struct list_row *here = list_here(&box->list);
    bool tagged = key_set_has(&box->tagged, row->key);
    const char text[] = {row == here ? '>' : tagged ? '*' : ' ', mark, '\0'};

    grid_puts(grid, line, 0, 0, style, text);
    if (tagged)
        grid_over(grid, line, 0, 0, line->columns, STYLE_TAGGED);
}

/* Draws the columns before the subject; returns where the subject starts. */
static int draw_columns(struct mailbox *box, const struct area *line, int style, const char *age,
                        struct span who, int agent_index_style, const char *word)
{
    struct grid *grid = &box->screen.ui->grid;
    int screen = box->panes.whole.columns, x = MARKS;

    if (screen >= NO_AGE && line->columns >= PANE_NO_AGE) {
        grid_putf(grid, line, 0, x, style, "%4s", age);
        x += AGE;
    }
    int width = (int)box->who_width;
    grid_put(grid, line, 0, x, width, agent_index_style, who);
    x += width + 1;
    if (screen >= NO_KIND && line->columns >= PANE_NO_KIND) {
        grid_puts(grid, line, 0, x, style, word);
        x += COLUMNS_KIND + 1;
    }
    return x;
}

/* Draws the subject, followed by a tail that must not be cut. */
static void draw_text(struct mailbox *box, const struct area *line, int x, int style,
                      struct span subject, struct span tail)
{
    struct grid *grid = &box->screen.ui->grid;
    int room = line->columns - x, keep = (int)tail.len;

    if (keep > room / 2 || room - keep < SUBJECT_LEAST)
        keep = 0; /* it would leave too little room for the subject */
    int used = grid_put(grid, line, 0, x, room - keep, style, subject);
    grid_put(grid, line, 0, x + used, room - used, style, tail);
}

static void draw_conversation(struct mailbox *box, const struct list_row *row,
                              const struct area *line)
{
    struct ui *ui = box->screen.ui;
    const struct conversations *conversations = &ui_picture(ui)->sight.conversations;
    const struct conversation *conversation = &conversations->items[row->item];
    struct render_options options = ui_render_options(ui);
    struct render_conversations list = {
        .conversations = conversations, .order = &box->order, .columns = (size_t)line->columns};
    const struct message *first = conversation_message(conversations, conversation, 0);

    int64_t gone_us = ui_gone_us(ui, first->place->source);

    conversation_line_fill(&box->line, &list, conversation, &options);
    if (gone_us) {
        str_clear(&box->line.tail);
        str_puts(&box->line.tail, line->columns < GONE_SHORT ? "  gone " : "  source gone since ");
        time_add_format(&box->line.tail, gone_us, "%H:%M");
    }
    int style = styles[box->line.group];
    struct span who = str_span(&box->line.who);
    int agent_index_style =
        ui_agent_style(ui, first->place->source, first->place->team, who, style);
    int x = draw_columns(box, line, style, str_c(&box->line.age), who, agent_index_style,
                         box->line.word);
    draw_text(box, line, x, style, str_span(&box->line.subject), str_span(&box->line.tail));
    draw_marks(box, row, line, box->line.mark, style);
}

static void draw_message(struct mailbox *box, const struct list_row *row, const struct area *line)
{
    struct ui *ui = box->screen.ui;
    const struct conversations *conversations = &ui_picture(ui)->sight.conversations;
    const struct conversation *conversation = &conversations->items[row->item];
    const struct tree_row *branch = &box->trees[row->of].rows[row->part];
    const struct message *message = conversation_message(conversations, conversation, branch->at);
    bool unread = message_for_us(message) && message->status == STATUS_UNREAD && !message->seen;
    int style = unread ? STYLE_UNREAD : STYLE_READ;
    CLEANUP(str_free) struct str age = {0};

    message_add_age(&age, message, ui_now(ui));
    int agent_index_style =
        ui_agent_style(ui, message->place->source, message->place->team, message->from, style);
    int x = draw_columns(box, line, style, str_c(&age),
                         columns_name(message->from, (size_t)line->columns), agent_index_style,
                         message->damaged ? "damaged" : kind_word(message->kind));
    x += grid_put(&ui->grid, line, 0, x, line->columns - x, STYLE_DIM, branch->branch);
    draw_text(box, line, x, style, message->damaged ? span_of(message->damaged) : message->subject,
              span_of(conversation_is_superseded(
                          conversations, conversations->order[conversation->first + branch->at])
                          ? " [superseded]"
                          : ""));
    draw_marks(box, row, line, unread ? 'N' : ' ', style);
}

static void conversation_list_draw_row(void *context, const struct list_row *row,
                                       const struct area *line)
{
    static void (*const draws[])(struct mailbox * box, const struct list_row *row,
                                 const struct area *line) = {[ROW_GROUP] = draw_group,
                                                             [ROW_CONVERSATION] = draw_conversation,
                                                             [ROW_MESSAGE] = draw_message};
    const struct mailbox *box = context;
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;

    draws[row->kind](context, row, line);
    if (row->kind != ROW_GROUP &&
        ui_gone_us(box->screen.ui,
                   conversation_message(conversations, &conversations->items[row->item], 0)
                       ->place->source))
        grid_look(&box->screen.ui->grid, line, 0, STYLE_DIM);
}

/* --- filling the list --- */

static bool is_shown(const struct mailbox *box, const struct conversation *conversation)
{
    return conversation->archived == (box->kind == CONVERSATION_LIST_ARCHIVE) ||
           box->kind == CONVERSATION_LIST_AGENT;
}

static void add_group(struct mailbox *box, enum inbox_order_group group)
{
    list_add(&box->list, &(struct list_row){.kind = ROW_GROUP, .item = group});
}

static void add_messages(struct mailbox *box, uint32_t number)
{
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;
    const struct conversation *conversation = &conversations->items[number];
    struct tree tree = {0};
    CLEANUP(str_free) struct str key = {0};

    tree_build(&tree, conversations, conversation);
    for (uint32_t i = 0; i < tree.count; i++) {
        str_clear(&key);
        picture_add_key(&key, conversation_message(conversations, conversation, tree.rows[i].at));
        list_add(&box->list, &(struct list_row){.kind = ROW_MESSAGE,
                                                .item = number,
                                                .of = (uint32_t)box->tree_count,
                                                .part = i,
                                                .key = str_span(&key)});
    }
    box->trees = mem_resize(box->trees, box->tree_count + 1, sizeof *box->trees);
    box->trees[box->tree_count++] = tree;
}

static void conversation_list_drop_trees(struct mailbox *box)
{
    for (size_t i = 0; i < box->tree_count; i++)
        tree_free(&box->trees[i]);
    box->tree_count = 0;
}

uint32_t conversation_list_agent(const struct mailbox *box)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;

    return box->who.len ? agent_index_with_key(agents, str_span(&box->who)) : AGENT_NONE;
}

/* Agents whose mail is shown. */
struct sharing {
    struct who_index *index;
    uint32_t who, with; /* AGENT_NONE: anybody */
};

static void sharing_build(struct sharing *sharing, const struct mailbox *box)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;

    *sharing = (struct sharing){.index = ui_agents(box->screen.ui),
                                .who = conversation_list_agent(box),
                                .with = AGENT_NONE};
    if (box->with.len)
        sharing->with = agent_index_with_key(agents, str_span(&box->with));
}

static bool is_shared(struct sharing *sharing, const struct conversations *conversations,
                      const struct conversation *conversation)
{
    bool is = sharing->who == AGENT_NONE;

    for (size_t i = 0; !is && i < conversation->count; i++) {
        const struct message *message = conversation_message(conversations, conversation, i);
        is = agent_index_has_message(sharing->index, message, sharing->who) &&
             (sharing->with == AGENT_NONE ||
              agent_index_has_message(sharing->index, message, sharing->with));
    }
    return is;
}

static void list_view_choose(struct mailbox *box)
{
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;
    struct attention *order = &box->order;
    struct sharing sharing;
    size_t kept = 0;

    memset(order->counts, 0, sizeof order->counts);
    box->all = box->asleep = 0;
    sharing_build(&sharing, box);
    for (size_t i = 0; i < order->count; i++) {
        const struct conversation *conversation = &conversations->items[order->conversations[i]];
        if (!is_shown(box, conversation) || !is_shared(&sharing, conversations, conversation))
            continue;
        bool asleep =
            box->kind == CONVERSATION_LIST_INBOX && snooze_hides(box->screen.ui, conversation);
        box->asleep += asleep;
        if (asleep != box->snoozed)
            continue;
        box->all++;
        if (!filter_matches_conversation(&box->filter, box->screen.ui, conversation))
            continue;
        order->counts[inbox_order_group(conversations, conversation)]++;
        order->conversations[kept++] = order->conversations[i];
    }
    order->count = box->shown = kept;
}

void conversation_list_fill(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct conversations *conversations = &picture->sight.conversations;
    enum inbox_order_group group = INBOX_ORDER_GROUPS;

    inbox_order_free(&box->order);
    box->order = (struct attention){0};
    conversation_list_drop_trees(box);
    /* a known agent is compared by its key, which is more exact than its name */
    bool by_name = box->agent.len && conversation_list_agent(box) == AGENT_NONE;
    box->scope.agent = by_name ? str_span(&box->agent) : (struct span){0};
    if (conversations->model) {
        inbox_order_narrow(&box->order, &picture->order, conversations, &box->scope);
        list_view_choose(box);
        inbox_order_keep(&box->order, picture->seats, &box->kept);
        inbox_order_note(&box->kept, &box->order, picture->seats);
    }
    list_begin(&box->list);
    for (size_t i = 0; i < box->order.count; i++) {
        uint32_t number = box->order.conversations[i];
        const struct conversation *conversation = &conversations->items[number];
        if (inbox_order_group(conversations, conversation) != group)
            add_group(box, group = inbox_order_group(conversations, conversation));
        struct span key = picture->conversation_keys[number];
        list_add(&box->list,
                 &(struct list_row){.kind = ROW_CONVERSATION, .item = number, .key = key});
        if (key_set_has(&box->unfolded, key) && conversation->count > 1)
            add_messages(box, number);
    }
    list_end(&box->list, !picture->ready);
    box->who_width = 0;
}

/* --- the preview --- */

/* The list keeps room for age, name and kind, and for a few words. */
enum { PARALLEL_FROM = 100, BELOW_FROM = 14, LIST_LEAST = 44 };

/* Returns the selected message; of a conversation the one to start reading with; NULL for none. */
static const struct message *conversation_list_message(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return NULL;
    if (row->kind == ROW_MESSAGE)
        return picture_find(picture, row->key);
    return thread_start(&picture->sight.conversations,
                        &picture->sight.conversations.items[row->item]);
}

/* Takes the area of the preview away from the list. It is beside the list where there is room, and
 * below it only if the person asked for a preview. */
static void conversation_list_place_preview(struct mailbox *box, struct grid *grid,
                                            struct area *list)
{
    struct area *preview = &box->panes.preview;

    *preview = (struct area){0};
    if (box->preview == PREVIEW_NEVER)
        return;
    if (box->panes.whole.columns >= PARALLEL_FROM && !grid->plain) {
        int columns = (list->columns - 1) / 2;
        *preview = *list;
        *list = area_take_left(preview, columns > LIST_LEAST ? columns : LIST_LEAST);
        struct area wall = area_take_left(preview, 1);
        grid_wall(grid, &wall, 0, STYLE_BORDER);
    } else if (box->preview == PREVIEW_ALWAYS && list->rows >= BELOW_FROM) {
        *preview = area_take_bottom(list, list->rows / 2);
        struct area rule = area_take_top(preview, 1);
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
}

static void conversation_list_draw_preview(struct mailbox *box, struct grid *grid)
{
    if (!box->panes.preview.columns)
        return;
    message_view_show(&box->opened, &box->screen, conversation_list_message(box));
    message_view_draw(&box->opened, &box->screen, grid, &box->panes.preview);
}

static bool toggle_fold(struct mailbox *box)
{
    bool shown = box->panes.preview.columns > 0;

    box->preview = shown ? PREVIEW_NEVER : PREVIEW_ALWAYS;
    box->in_preview = false;
    if (shown)
        box->panes.preview.columns = 0; /* for a key that arrives before the next drawing */
    if (!shown && box->panes.whole.columns < PARALLEL_FROM && box->panes.list.rows < BELOW_FROM)
        ui_info(box->screen.ui, STYLE_WARNING, "there is no room for a preview; Enter opens it");
    return true;
}

/* Shows, hides or enters the preview, and scrolls it once it was entered; false for anything
 * else. */
static bool conversation_list_preview_act(struct mailbox *box, enum action action)
{
    bool shown = box->panes.preview.columns > 0;

    switch (action) {
    case ACTION_PREVIEW:
        return toggle_fold(box);
    case ACTION_OTHER_PANE:
        box->in_preview = shown && !box->in_preview;
        if (!shown)
            ui_info(box->screen.ui, STYLE_DIM, "there is no other pane; p shows a preview");
        return true;
    case ACTION_RAW:
        if (shown)
            return message_view_act(&box->opened, &box->screen, action);
        ui_act(box->screen.ui, ACTION_OPEN, (struct span){0});
        if (ui_top(box->screen.ui) != &box->screen)
            ui_act(box->screen.ui, ACTION_RAW, (struct span){0});
        return true;
    default:
        return shown && box->in_preview && pager_act(&box->opened.pager, action);
    }
}

/* --- moving, folding, tagging --- */

static void fold_all(struct mailbox *box, bool fold)
{
    const struct span *keys = ui_picture(box->screen.ui)->conversation_keys;

    for (size_t i = 0; i < box->order.count; i++) {
        struct span key = keys[box->order.conversations[i]];
        if (key_set_has(&box->unfolded, key) == fold)
            key_set_toggle(&box->unfolded, key);
    }
    conversation_list_fill(box);
}

/* Folds or unfolds the conversation under the cursor. On a message the cursor moves to its
 * conversation. */
static void fold_rows(struct mailbox *box)
{
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return;
    struct span key = ui_picture(box->screen.ui)->conversation_keys[row->item];
    key_set_toggle(&box->unfolded, key);
    list_go(&box->list, key);
    conversation_list_fill(box);
}

static bool is_unread(void *context, const struct list_row *row)
{
    struct mailbox *box = context;
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;

    return row->kind == ROW_CONVERSATION && conversations->items[row->item].unread_mine;
}

static bool is_decision(void *context, const struct list_row *row)
{
    struct mailbox *box = context;
    const struct conversations *conversations = &ui_picture(box->screen.ui)->sight.conversations;

    return row->kind == ROW_CONVERSATION && conversations->items[row->item].waits_for_us;
}

static void tag(struct mailbox *box)
{
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return;
    key_set_toggle(&box->tagged, row->key);
    list_act(&box->list, ACTION_NEXT);
}

static void open_here(struct mailbox *box)
{
    const struct message *message = conversation_list_message(box);

    if (message)
        ui_push(box->screen.ui, thread_new(box->screen.ui, message));
    else
        ui_info(box->screen.ui, STYLE_DIM, "there is nothing to open");
}

/* Implements await() of struct screen_ops: notes the message, and goes to it if it is present. */
static void conversation_list_await(struct screen *screen, const struct message *message)
{
    struct mailbox *box = (struct mailbox *)screen;
    struct awaited *awaited = &box->awaited;

    awaited->is = true;
    awaited->source = message->place->source;
    str_set(&awaited->team, message->place->team);
    str_set(&awaited->box, message->place->box);
    str_set(&awaited->id, message->id);
    conversation_list_go_to_awaited(box);
}

static void conversation_list_go_to_awaited(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct awaited *awaited = &box->awaited;
    CLEANUP(str_free) struct str key = {0};

    if (!awaited->is)
        return;
    const struct message *message =
        picture_find_id(picture, awaited->source, str_span(&awaited->team), str_span(&awaited->box),
                        str_span(&awaited->id), 0);
    if (message)
        picture_add_key(&key, message);
    const struct conversation *conversation =
        message ? picture_conversation(picture, str_span(&key)) : NULL;
    bool there = message && list_go(&box->list, str_span(&key));
    if (conversation && !there) /* its conversation is folded */
        there =
            list_go(&box->list,
                    picture->conversation_keys[conversation - picture->sight.conversations.items]);
    box->awaited.is = !there;
}

static bool conversation_list_act(struct screen *screen, enum action action, struct span argument)
{
    struct mailbox *box = (struct mailbox *)screen;

    box->list.touched = true;
    box->awaited.is = false;
    if (box->kind == CONVERSATION_LIST_AGENT && !box->in_preview &&
        agent_head_act(&box->head, action, box->panes.preview.columns > 0))
        return true;
    if (conversation_list_preview_act(box, action) || list_act(&box->list, action))
        return true;
    switch (action) {
    case ACTION_FOLD:
        fold_rows(box);
        return true;
    case ACTION_FOLD_ALL:
    case ACTION_UNFOLD_ALL:
        fold_all(box, action == ACTION_FOLD_ALL);
        return true;
    case ACTION_NEXT_UNREAD:
        list_screen_seek(screen, true, "nothing else is unread", is_unread);
        return true;
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
        list_screen_seek(screen, action == ACTION_NEXT_DECISION, "nothing else waits for you",
                         is_decision);
        return true;
    case ACTION_OPEN:
        open_here(box);
        return true;
    case ACTION_TAG:
        tag(box);
        return true;
    case ACTION_UNTAG_ALL:
        key_set_free(&box->tagged);
        return true;
    default:
        return conversation_list_find_act(box, action, argument);
    }
}

static struct mailbox *conversation_list_of(struct screen *screen)
{
    return (struct mailbox *)screen;
}

static void conversation_list_renew(struct screen *screen)
{
    conversation_list_fill(conversation_list_of(screen));
    conversation_list_go_to_awaited(conversation_list_of(screen));
    conversation_list_filter(conversation_list_of(screen));
}

static const char *why_empty(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);

    if (filter_is_running(&box->filter))
        return "searching ...";
    if (!picture->ready)
        return "looking for mail ...";
    if (filter_is_on(&box->filter))
        return "nothing matches the filter; q clears it";
    if (box->kind == CONVERSATION_LIST_ARCHIVE)
        return "nothing is archived as a whole";
    if (box->kind == CONVERSATION_LIST_AGENT)
        return "no mail from or to this agent";
    if (box->agent.len)
        return "nothing from or to this agent; q shows everybody's mail again";
    if (box->snoozed)
        return "nothing is put aside; o shows the rest again";
    if (box->scope.mine)
        return "nothing from or to you; o shows everybody's mail";
    return picture->model.count ? "everything is archived or has expired; 5 shows the archive"
                                : "there is no mail yet; it will appear here by itself";
}

/* Places the sidebar left of everything else, and the head of an agent's page above the list. */
static void lay_out(struct mailbox *box, struct grid *grid, const struct area *area)
{
    struct conversation_list_panes *panes = &box->panes;
    struct ui *ui = box->screen.ui;

    *panes = (struct conversation_list_panes){.whole = *area, .list = *area};
    if (area->columns >= SIDEBAR_FROM && !grid->plain) {
        panes->side =
            area_take_left(&panes->list, sidebar_width(&box->side, ui, area->columns, grid->clean));
        struct area wall = area_take_left(&panes->list, 1);
        sidebar_draw(&box->side, ui, grid, &panes->side, conversation_list_agent(box));
        grid_wall(grid, &wall, 0, STYLE_BORDER);
    }
    conversation_list_place_preview(box, grid, &panes->list);
    box->in_preview &= panes->preview.columns > 0;
    if (box->kind == CONVERSATION_LIST_AGENT)
        agent_head_draw(&box->head, ui, grid, &panes->list, conversation_list_agent(box));
}

static void conversation_list_draw(struct screen *screen, struct grid *grid,
                                   const struct area *whole)
{
    struct mailbox *box = conversation_list_of(screen);
    const struct area *area = &box->panes.list;
    struct render_options options = ui_render_options(screen->ui);

    lay_out(box, grid, whole);
    struct render_conversations list = {.conversations =
                                            &ui_picture(screen->ui)->sight.conversations,
                                        .order = &box->order,
                                        .most = 200, /* more than fit on one screen */
                                        .columns = (size_t)area->columns};
    if (!box->list.count) {
        wrap_put(grid, area, area->rows > 1, 2, area->rows, STYLE_DIM, span_of(why_empty(box)));
        return;
    }
    box->who_width = conversation_who_width(&list, &options);
    list_draw(&box->list, grid, area, conversation_list_draw_row, box);
    conversation_list_draw_preview(box, grid);
}

static void conversation_list_status(struct screen *screen, struct str *out)
{
    static const char *const words[] = {[CONVERSATION_LIST_INBOX] = "INBOX",
                                        [CONVERSATION_LIST_ARCHIVE] = "ARCHIVE",
                                        [CONVERSATION_LIST_AGENT] = "AGENT"};
    struct mailbox *box = conversation_list_of(screen);

    str_addf(out, "%s %zu/%zu", words[box->kind], box->shown, box->all);
    if (box->agent.len)
        str_addf(out, "  agent:%s", str_c(&box->agent));
    str_addf(out, "  filter:%s%s", filter_is_on(&box->filter) ? str_c(&box->filter.text) : "none",
             filter_is_running(&box->filter) ? " ..." : "");
    str_addf(out, "  tagged:%zu", key_set_count(&box->tagged));
    str_puts(out, box->snoozed ? "  snoozed" : box->scope.mine ? "  mine" : "  all");
    if (box->asleep && !box->snoozed)
        str_addf(out, "  snoozed:%zu", box->asleep);
    if (box->in_preview)
        str_puts(out, "  in the preview (^W)");
}

static void conversation_list_free(struct screen *screen)
{
    struct mailbox *box = conversation_list_of(screen);

    conversation_list_drop_trees(box);
    free(box->trees);
    list_free(&box->list);
    inbox_order_free(&box->order);
    inbox_order_keys_free(&box->kept);
    str_free(&box->agent);
    str_free(&box->who);
    str_free(&box->with);
    sidebar_free(&box->side);
    key_set_free(&box->tagged);
    key_set_free(&box->unfolded);
    conversation_line_free(&box->line);
    filter_free(&box->filter);
    filter_free(&box->tagging);
    message_view_free(&box->opened);
    str_free(&box->awaited.team);
    str_free(&box->awaited.box);
    str_free(&box->awaited.id);
    free(box);
}

static bool click_side(struct mailbox *box, int y)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;
    uint32_t agent;

    if (!sidebar_at(&box->side, y, &agent) || (agent != AGENT_NONE && agent >= agents->count))
        return false;
    if (agent != AGENT_NONE || box->kind != CONVERSATION_LIST_AGENT)
        conversation_list_show_agent(&box->screen,
                                     agent == AGENT_NONE ? NULL : &agents->items[agent], NULL);
    return true;
}

static bool is_in(const struct area *area, int y, int x)
{
    return y >= area->y && y < area->y + area->rows && x >= area->x && x < area->x + area->columns;
}

static bool conversation_list_click(struct screen *screen, int y, int x, bool twice)
{
    struct mailbox *box = conversation_list_of(screen);
    const struct conversation_list_panes *panes = &box->panes;

    if (x < panes->side.columns)
        return click_side(box, y);
    box->in_preview = is_in(&panes->preview, panes->whole.y + y, panes->whole.x + x);
    if (box->in_preview)
        return true;
    return list_screen_click(screen, y, x, twice);
}

static int64_t conversation_list_due_us(struct screen *screen)
{
    return screen->stale ? TIME_NONE
                         : filter_due_us(&conversation_list_of(screen)->filter, screen->ui);
}

static void conversation_list_tick(struct screen *screen)
{
    conversation_list_filter(conversation_list_of(screen));
}

static const struct screen_ops ops = {.draw = conversation_list_draw,
                                      .act = conversation_list_act,
                                      .renew = conversation_list_renew,
                                      .status = conversation_list_status,
                                      .targets = conversation_list_targets,
                                      .untag = conversation_list_untag,
                                      .await = conversation_list_await,
                                      .agent = conversation_list_selected_agent,
                                      .search = conversation_list_search,
                                      .choose = list_screen_choose,
                                      .click = conversation_list_click,
                                      .due_us = conversation_list_due_us,
                                      .tick = conversation_list_tick,
                                      .free = conversation_list_free};

struct screen *conversation_list_new(struct ui *ui, enum conversation_list_kind kind)
{
    static const struct {
        const char *title;
        unsigned where;
    } kinds[] = {[CONVERSATION_LIST_INBOX] = {"Inbox", IN_INBOX},
                 [CONVERSATION_LIST_ARCHIVE] = {"Archive", IN_ARCHIVE},
                 [CONVERSATION_LIST_AGENT] = {"Agent", IN_AGENT}};
    struct mailbox *box = mem_zero(1, sizeof *box);

    *box = (struct mailbox){.screen = {.ops = &ops,
                                       .ui = ui,
                                       .title = kinds[kind].title,
                                       .where = kinds[kind].where,
                                       .list = &box->list},
                            .kind = kind};
    if (!ui_config(ui)->preview)
        box->preview = PREVIEW_NEVER;
    box->scope.mine = kind == CONVERSATION_LIST_INBOX && ui_config(ui)->scope == CONFIG_SCOPE_MINE;
    return &box->screen;
}
