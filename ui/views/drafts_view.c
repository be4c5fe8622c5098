/* Drafts and outbox: drafts, messages on their way, and the delivery status of sent messages. */
#include "ui/views/drafts_view.h"

#include "base/mem.h"
#include "mail/sent/delivery_status.h"
#include "store/store_local.h"
#include "ui/compose/form.h"
#include "ui/compose/outgoing.h"
#include "ui/mail/thread_view.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* --- discarding drafts, giving up and retrying messages --- */

enum draft_change_kind { DEED_DISCARD, DEED_GIVE_UP, DEED_RETRY };

/* A change to a draft or a message, in the state in which the person saw it. */
struct outbox_change {
    struct ui_task task;
    enum draft_change_kind what;
    char id[DRAFT_ID_LEN + 1]; /* the draft */
    int64_t version;           /* version of the draft, or number of the message in the outbox */
    bool waits;                /* set by a retry: the slot is still occupied */
};

static bool is_queued(struct store *store, int64_t number)
{
    CLEANUP(outbox_free) struct outbox one = {0};
    struct err ignored;

    return store_outbox_check(store, number, &one, &ignored) && one.items[0].state == OUTBOX_QUEUED;
}

static void outbox_task_work(struct ui_task *task, struct store *store)
{
    struct outbox_change *it = (struct outbox_change *)task;

    switch (it->what) {
    case DEED_DISCARD:
        it->task.ok = store_drop_draft(store, span_of(it->id), it->version, &it->task.err);
        break;
    case DEED_GIVE_UP:
        it->task.ok = store_outbox_drop(store, it->version, &it->task.err);
        break;
    case DEED_RETRY:
        it->task.ok = store_outbox_retry(store, it->version, &it->task.err);
        it->waits = it->task.ok && is_queued(store, it->version);
        break;
    }
}

static void outbox_task_done(struct ui_task *task, struct ui *ui)
{
    static const char *const words[] = {[DEED_DISCARD] = "thrown away",
                                        [DEED_GIVE_UP] = "given up: it is not written any more",
                                        [DEED_RETRY] = "written again"};
    struct outbox_change *it = (struct outbox_change *)task;

    if (it->waits)
        ui_info(ui, STYLE_PLAIN, "it still waits: the message before it was not taken yet");
    else if (it->task.ok)
        ui_info(ui, STYLE_PLAIN, "%s", words[it->what]);
    else
        ui_error(ui, &it->task.err);
    drafts_cache_load(ui);
}

static struct outbox_change *deed_new(enum draft_change_kind what, int64_t version)
{
    struct outbox_change *it = mem_zero(1, sizeof *it);

    it->task = (struct ui_task){.work = outbox_task_work, .done = outbox_task_done};
    it->what = what;
    it->version = version;
    return it;
}

static void begin_outbox_task(struct ui *ui, void *context)
{
    struct outbox_change *it = context;

    ui_begin(ui, it->what == DEED_DISCARD ? UI_DRAFTS : UI_WRITE, &it->task);
}

static void add_to(struct str *out, struct span to, struct span subject)
{
    if (to.len)
        str_addf(out, " to %.*s", (int)to.len, to.at);
    if (subject.len)
        str_addf(out, ", \"%.*s\"", (int)subject.len, subject.at);
}

static void discard_draft(struct ui *ui, const struct saved_draft *draft)
{
    CLEANUP(str_free) struct str question = {0};

    if (draft->pid) {
        ui_info(ui, STYLE_WARNING, "process %lld has it open: it can be thrown away there",
                (long long)draft->pid);
        return;
    }
    if (outgoing_has_draft(ui, draft->id)) {
        ui_info(ui, STYLE_WARNING, "it is being sent");
        return;
    }
    struct outbox_change *it = deed_new(DEED_DISCARD, draft->version);
    memcpy(it->id, draft->id.at, draft->id.len < DRAFT_ID_LEN ? draft->id.len : DRAFT_ID_LEN);
    str_puts(&question, "Throw away the draft");
    add_to(&question, draft->to, draft->subject);
    str_puts(&question, "?");
    ui_confirm(ui, str_c(&question), begin_outbox_task, free, it);
}

static void give_up(struct ui *ui, const struct outbox_entry *entry)
{
    CLEANUP(str_free) struct str question = {0};

    str_puts(&question, "Give up the message");
    add_to(&question, entry->to, entry->subject);
    str_puts(&question, "?");
    ui_confirm(ui, str_c(&question), begin_outbox_task, free,
               deed_new(DEED_GIVE_UP, entry->number));
}

/* Asks, and discards the draft or gives the message up. */
static void drafts_discard(struct drafts_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;

    if (!row)
        ui_info(ui, STYLE_WARNING, "there is nothing to throw away");
    else if (row->kind == ROW_DRAFT)
        discard_draft(ui, drafts_draft(view, row));
    else if (row->kind == ROW_OUTBOX)
        give_up(ui, drafts_entry(view, row));
    else if (drafts_delivery(view, row)->state <= DELIVERY_FAILED &&
             !drafts_delivery(view, row)->message)
        ui_info(ui, STYLE_WARNING, "it is not sent yet: it can be given up in the outbox above");
    else
        ui_info(ui, STYLE_WARNING, "it was sent: it is not ours to throw away any more");
}

static void drafts_retry(struct drafts_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;

    if (!row || row->kind != ROW_OUTBOX) {
        ui_info(ui, STYLE_WARNING, "only what is in the outbox can be sent again");
        return;
    }
    ui_info(ui, STYLE_DIM, "writing it again ...");
    begin_outbox_task(ui, deed_new(DEED_RETRY, drafts_entry(view, row)->number));
}

/* --- rows --- */

static const struct outbox *outbox_of(const struct drafts_view *view)
{
    static const struct outbox none;
    const struct agent_directory *world = ui_picture(view->screen.ui)->world;

    return world ? &world->outbox : &none;
}

const struct saved_draft *drafts_draft(const struct drafts_view *view, const struct list_row *row)
{
    return &view->screen.ui->desk.drafts.items[row->item];
}

const struct outbox_entry *drafts_entry(const struct drafts_view *view, const struct list_row *row)
{
    return &outbox_of(view)->items[row->item];
}

const struct delivery_status *drafts_delivery(const struct drafts_view *view,
                                              const struct list_row *row)
{
    return &view->statuses.items[row->item];
}

static void add_row(struct drafts_view *view, enum drafts_row kind, size_t item, struct str *key)
{
    list_add(&view->list, &(struct list_row){
                              .key = str_span(key), .item = (uint32_t)item, .kind = (uint8_t)kind});
    str_clear(key);
}

static void add_heading(struct drafts_view *view, enum drafts_row group, size_t count)
{
    view->counts[group] = count;
    list_add(&view->list, &(struct list_row){.item = group, .kind = ROW_HEADING});
}

static void add_drafts(struct drafts_view *view, struct str *key)
{
    const struct saved_drafts *drafts = &view->screen.ui->desk.drafts;

    add_heading(view, ROW_DRAFT, drafts->count);
    for (size_t i = 0; i < drafts->count; i++) {
        str_puts(key, "draft ");
        str_add_span(key, drafts->items[i].id);
        add_row(view, ROW_DRAFT, i, key);
    }
}

static void add_outbox(struct drafts_view *view, struct str *key)
{
    const struct outbox *outbox = outbox_of(view);

    add_heading(view, ROW_OUTBOX, outbox->count);
    for (size_t i = 0; i < outbox->count; i++) {
        str_addf(key, "outbox %lld", (long long)outbox->items[i].number);
        add_row(view, ROW_OUTBOX, i, key);
    }
}

static void build_delivery_statuses(struct drafts_view *view)
{
    struct ui *ui = view->screen.ui;
    size_t count = ui_source_count(ui);
    CLEANUP(mem_free) struct delivery_source *sources = mem_zero(count + 1, sizeof *sources);

    for (size_t i = 0; i < count; i++)
        sources[i] = store_delivery_source(ui->stores[UI_WATCH], i);
    delivery_statuses_free(&view->statuses);
    delivery_statuses_build(&view->statuses, &ui->picture->model, &view->notes, sources,
                            ui_now(ui));
}

static void add_sent(struct drafts_view *view, struct str *key)
{
    if (!view->notes_known || !view->screen.ui->picture->ready)
        return;
    build_delivery_statuses(view);
    add_heading(view, ROW_SENT,
                view->statuses.thing_count < SENT_MOST ? view->statuses.thing_count : SENT_MOST);
    for (size_t i = 0; i < view->statuses.count && view->statuses.items[i].thing < SENT_MOST; i++) {
        const struct delivery_status *delivery = &view->statuses.items[i];
        if (i && delivery->thing == view->statuses.items[i - 1].thing)
            continue;
        str_addf(key, "sent %u ", delivery->source);
        str_add_span(key, delivery->team);
        str_putc(key, '/');
        str_add_span(key, delivery->box);
        str_putc(key, '/');
        str_add_span(key, delivery->id);
        add_row(view, ROW_SENT, i, key);
    }
}

/* --- what was sent --- */

struct notes_task {
    struct ui_task task;
    struct delivery_notes notes;
};

static void notes_work(struct ui_task *task, struct store *store)
{
    struct notes_task *notes = (struct notes_task *)task;
    struct err ignored; /* messages in the mailboxes are shown without the records */

    store_sent(store, &notes->notes, &ignored);
}

static void notes_done(struct ui_task *task, struct ui *ui)
{
    struct notes_task *notes = (struct notes_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    view->notes_asked = false;
    view->notes_known = true;
    delivery_statuses_free(&view->statuses); /* they borrow from the old notes */
    view->statuses = (struct delivery_statuses){0};
    delivery_notes_free(&view->notes);
    view->notes = notes->notes;
    notes->notes = (struct delivery_notes){0};
    view->stale = true;
}

static void notes_free(struct ui_task *task)
{
    delivery_notes_free(&((struct notes_task *)task)->notes);
    free(task);
}

/* Begins to read the records of sent messages. */
static void drafts_ask_for_sent(struct drafts_view *view)
{
    struct notes_task *notes;

    if (view->notes_asked)
        return;
    notes = mem_zero(1, sizeof *notes);
    notes->task = (struct ui_task){
        .work = notes_work, .done = notes_done, .free = notes_free, .screen = view->screen.id};
    view->notes_asked = true;
    ui_begin(view->screen.ui, UI_READ, &notes->task);
}

/* --- the list --- */

void drafts_settle(struct drafts_view *view)
{
    CLEANUP(str_free) struct str key = {0};

    if (!view->stale)
        return;
    view->stale = false;
    memset(view->counts, 0, sizeof view->counts);
    list_begin(&view->list);
    add_drafts(view, &key);
    add_outbox(view, &key);
    add_sent(view, &key);
    list_end(&view->list, !view->screen.ui->desk.known || !view->notes_known ||
                              !view->screen.ui->picture->ready);
    drafts_reload(view);
}

/* Drops everything that rows refer to, since it may have been freed. Records of sent messages are
 * read again only while the view is shown. */
static void drafts_view_renew(struct screen *screen)
{
    struct drafts_view *view = drafts_of(screen);

    view->stale = true;
    delivery_statuses_free(&view->statuses);
    view->statuses = (struct delivery_statuses){0};
    if (screen->ui->views[screen->ui->view] == screen)
        drafts_ask_for_sent(view);
}

static void drafts_view_status(struct screen *screen, struct str *out)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    str_addf(out, "DRAFTS %zu  outbox %zu  sent %zu", view->counts[ROW_DRAFT],
             view->counts[ROW_OUTBOX], view->counts[ROW_SENT]);
    if (view->in_page)
        str_puts(out, "  in the text (^W)");
}

static void open_here(struct drafts_view *view)
{
    struct ui *ui = view->screen.ui;
    const struct list_row *row = list_here(&view->list);

    if (!row)
        return;
    if (row->kind == ROW_DRAFT)
        form_open_draft(ui, drafts_draft(view, row)->id);
    else if (row->kind == ROW_SENT && drafts_delivery(view, row)->message)
        ui_push(ui, thread_new(ui, drafts_delivery(view, row)->message));
    else
        ui_push(ui, text_screen_new(ui, row->kind == ROW_SENT ? "sent" : "outbox",
                                    str_span(&view->text)));
}

static bool act_on_page(struct drafts_view *view, enum action action)
{
    switch (action) {
    case ACTION_PREVIEW:
        view->bare = !view->bare;
        return true;
    case ACTION_OTHER_PANE:
        view->in_page = view->has_page && !view->in_page;
        if (!view->has_page)
            ui_info(view->screen.ui, STYLE_DIM,
                    view->bare ? "there is no other pane; p shows it" : "there is no other pane");
        return true;
    default:
        return view->in_page && pager_act(&view->pager, action);
    }
}

static bool drafts_view_act(struct screen *screen, enum action action, struct span argument)
{
    struct drafts_view *view = drafts_of(screen);

    (void)argument;
    drafts_settle(view);
    if (act_on_page(view, action))
        return true;
    if (list_act(&view->list, action)) {
        drafts_reload(view);
        return true;
    }
    const struct list_row *row = list_here(&view->list);
    switch (action) {
    case ACTION_OPEN:
        open_here(view);
        return true;
    case ACTION_DISCARD:
        drafts_discard(view, row);
        return true;
    case ACTION_RETRY:
        drafts_retry(view, row);
        return true;
    default:
        return false;
    }
}

/* Adds the sent message of the row, which actions apply to. Other rows are named by their own key,
 * so that a sequence of keys applies to the row that it was begun on. */
static bool drafts_view_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    struct drafts_view *view = drafts_of(screen);
    CLEANUP(str_free) struct str key = {0};

    drafts_settle(view);
    const struct list_row *row = list_here(&view->list);
    if (!row)
        return false;
    if (row->kind == ROW_SENT && drafts_delivery(view, row)->message)
        picture_add_key(&key, drafts_delivery(view, row)->message);
    else
        str_add_span(&key, row->key);
    span_list_add(keys, arena_copy(arena, str_span(&key)));
    return false;
}

static bool drafts_view_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    bool is = list_search(&view->list, text, forward, live, drafts_add_words, view);
    drafts_reload(view);
    return is;
}

static bool drafts_view_choose(struct screen *screen, struct span key, bool open)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    if (!list_go(&view->list, key))
        return false;
    drafts_reload(view);
    if (open)
        open_here(view);
    return true;
}

static bool drafts_view_click(struct screen *screen, int y, int x, bool twice)
{
    (void)x;
    return list_click(&drafts_of(screen)->list, screen, y, twice);
}

static void view_free(struct screen *screen)
{
    struct drafts_view *view = drafts_of(screen);

    list_free(&view->list);
    delivery_statuses_free(&view->statuses);
    delivery_notes_free(&view->notes);
    pager_free(&view->pager);
    str_free(&view->text);
    str_free(&view->shown);
    free(view);
}

static const struct screen_ops ops = {.title = "Drafts",
                                      .where = IN_DRAFTS,
                                      .draw = drafts_draw,
                                      .act = drafts_view_act,
                                      .renew = drafts_view_renew,
                                      .status = drafts_view_status,
                                      .targets = drafts_view_targets,
                                      .search = drafts_view_search,
                                      .choose = drafts_view_choose,
                                      .click = drafts_view_click,
                                      .free = view_free};

static struct screen *drafts_new(struct ui *ui)
{
    struct drafts_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui};
    view->stale = true;
    return &view->screen;
}

static size_t drafts_view_count(const struct ui *ui)
{
    return ui->desk.drafts.count;
}

const struct view view_drafts = {.title = "Drafts", .open = drafts_new, .count = drafts_view_count};
