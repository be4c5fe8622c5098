/* Drafts and outbox: drafts, messages on their way, and the delivery status of sent messages. */
#include "base/mem.h"
#include "mail/render/columns.h"
#include "mail/render/render_sent.h"
#include "mail/sent/delivery_status.h"
#include "store/state/drafts.h"
#include "store/store_local.h"
#include "ui/compose/form.h"
#include "ui/compose/outgoing.h"
#include "ui/mail/thread_view.h"
#include "ui/ui_state.h"
#include "ui/widget/list.h"
#include "ui/widget/pager.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

/* Kinds of rows. The first three are also groups, in this order. */
enum drafts_row { ROW_DRAFT, ROW_OUTBOX, ROW_SENT, ROW_HEADING };

enum { SENT_MOST = 20 };

struct drafts_view {
    struct screen screen;
    struct list list; /* kind: enum drafts_row; item: index of the draft, entry or delivery status;
                       * of a heading: the group */
    bool stale;       /* true if the rows refer to data that may be freed: the list has to be filled
                       * again */
    bool bare;
    bool has_page, in_page; /* has_page: the page was drawn; in_page: keys move in it, not in the
                             * list */
    size_t counts[3];
    struct delivery_notes notes; /* records of sent messages */
    bool notes_asked, notes_known;
    struct delivery_statuses statuses; /* of this snapshot; borrows from it and the notes */
    struct pager pager;                /* the selected row in full, below the list */
    struct str text;                   /* the text in the pager */
    struct str shown;                  /* the key and version of the row that `text` is about */
    uint64_t reads;                    /* number of reads begun; only the last result is used */
    int who_width;
    struct grid *grid; /* valid while drawing */
};

static struct drafts_view *drafts_of(struct screen *screen)
{
    return (struct drafts_view *)screen;
}

static const struct outbox *outbox_of(const struct drafts_view *view)
{
    static const struct outbox none;
    const struct agent_directory *world = ui_picture(view->screen.ui)->world;

    return world ? &world->outbox : &none;
}

/* Return the data of a row of that kind. Borrowed until the next renewal. */
static const struct saved_draft *drafts_draft(const struct drafts_view *view,
                                              const struct list_row *row)
{
    return &view->screen.ui->desk.drafts.items[row->item];
}

static const struct outbox_entry *drafts_entry(const struct drafts_view *view,
                                               const struct list_row *row)
{
    return &outbox_of(view)->items[row->item];
}

static const struct delivery_status *drafts_delivery(const struct drafts_view *view,
                                                     const struct list_row *row)
{
    return &view->statuses.items[row->item];
}

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

    if (it->what == DEED_DISCARD)
        task->ok = store_drop_draft(store, span_of(it->id), it->version, &task->err);
    else if (it->what == DEED_GIVE_UP)
        task->ok = store_outbox_drop(store, it->version, &task->err);
    else
        task->ok = store_outbox_retry(store, it->version, &task->err);
    it->waits = it->what == DEED_RETRY && task->ok && is_queued(store, it->version);
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

static void ask_to(struct ui *ui, const char *what, struct span to, struct span subject,
                   struct outbox_change *it)
{
    CLEANUP(str_free) struct str question = {0};

    str_puts(&question, what);
    if (to.len)
        str_addf(&question, " to %.*s", (int)to.len, to.at);
    if (subject.len)
        str_addf(&question, ", \"%.*s\"", (int)subject.len, subject.at);
    str_puts(&question, "?");
    ui_confirm(ui, str_c(&question), begin_outbox_task, free, it);
}

static void discard_draft(struct ui *ui, const struct saved_draft *draft)
{
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
    ask_to(ui, "Throw away the draft", draft->to, draft->subject, it);
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
        ask_to(ui, "Give up the message", drafts_entry(view, row)->to,
               drafts_entry(view, row)->subject,
               deed_new(DEED_GIVE_UP, drafts_entry(view, row)->number));
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

/* --- the text about the selected row --- */

/* For each state of a message in the outbox a word, and a sentence that says what happens next. */
static const struct {
    const char *word, *next;
} outbox_states[] = {
    [OUTBOX_RECORDED] = {"sending", "It is being written; should its process have ended, this "
                                    "program finishes it within a minute."},
    [OUTBOX_WRITTEN] = {"written", "It is there. It is looked for once more in a moment and counts "
                                   "as sent then."},
    [OUTBOX_QUEUED] = {"waits", "The message before it was not taken yet. It goes out by itself as "
                                "soon as that is gone; X gives it up."},
    [OUTBOX_LOST] = {"vanished", "It was there, and another program has overwritten it. It is not "
                                 "written again by itself: gr does that, X lets it be."},
    [OUTBOX_TAKEN] = {"taken", "Its recipient has taken it. It counts as sent in a moment."},
    [OUTBOX_UNCONFIRMED] = {"unconfirmed", "Its reader may have it already: gr writes it again all "
                                           "the same, X lets it be."},
    [OUTBOX_FAILED] = {"failed", "It does not go out by itself: gr tries once more, X gives it "
                                 "up."},
};

static void add_draft(struct str *out, const struct saved_draft *draft)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    CLEANUP(arena_free) struct arena arena = {0};
    struct err err;

    str_addf(out, "%.*s, drafts/%.*s, begun ", (int)draft->form.len, draft->form.at,
             (int)draft->id.len, draft->id.at);
    time_add_format(out, draft->created_us, "%Y-%m-%d %H:%M");
    time_add_format(out, draft->updated_us, ", saved %H:%M:%S\n");
    if (!draft_fields_read(&fields, draft->fields, &arena, &err)) {
        str_addf(out, "it cannot be read: %s\n", err.text);
    } else if (form_spec_of(fields.form)) {
        if (fields.sending_us != TIME_NONE)
            str_puts(out, "Sending it was begun, and its end was not seen: look at what was sent "
                          "before you send it again.\n");
        str_putc(out, '\n');
        form_add_fields(out, &fields);
    }
}

/* --- reading --- */

enum drafts_read { READ_DRAFT, READ_ENTRY, READ_SENT };

struct read_task {
    struct ui_task task;
    enum drafts_read what;
    uint64_t number;
    int64_t entry; /* number in the outbox */
    struct str id; /* of the draft */
    struct saved_drafts drafts;
    struct outbox outbox;
    struct delivery_notes notes;
};

static void read_work(struct ui_task *task, struct store *store)
{
    struct read_task *it = (struct read_task *)task;

    if (it->what == READ_DRAFT)
        task->ok = store_draft(store, str_span(&it->id), &it->drafts, &task->err);
    else if (it->what == READ_ENTRY)
        task->ok = store_outbox_check(store, it->entry, &it->outbox, &task->err);
    else /* without records the messages in the mailboxes are shown */
        task->ok = store_sent(store, &it->notes, &task->err);
}

static void take_notes(struct drafts_view *view, struct delivery_notes *notes)
{
    view->notes_asked = false;
    view->notes_known = true;
    delivery_statuses_free(&view->statuses); /* they borrow from the old notes */
    delivery_notes_free(&view->notes);
    view->notes = *notes;
    *notes = (struct delivery_notes){0};
    view->stale = true;
}

static void read_done(struct ui_task *task, struct ui *ui)
{
    struct read_task *it = (struct read_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    if (it->what == READ_SENT) {
        take_notes(view, &it->notes);
        return;
    }
    if (it->number != view->reads)
        return;
    if (it->what == READ_DRAFT)
        str_clear(&view->text);
    if (!task->ok) {
        str_puts(&view->text, task->err.text);
    } else if (it->what == READ_ENTRY) {
        str_puts(&view->text, "\n");
        str_add_span(&view->text, it->outbox.items[0].bytes);
    } else {
        add_draft(&view->text, &it->drafts.items[0]);
    }
    pager_stale(&view->pager);
}

static void read_free(struct ui_task *task)
{
    struct read_task *it = (struct read_task *)task;

    str_free(&it->id);
    saved_drafts_free(&it->drafts);
    outbox_free(&it->outbox);
    delivery_notes_free(&it->notes);
    free(it);
}

static void begin_read(struct drafts_view *view, enum drafts_read what, int64_t entry,
                       struct span id)
{
    struct read_task *it = mem_zero(1, sizeof *it);

    it->task = (struct ui_task){
        .work = read_work, .done = read_done, .free = read_free, .screen = view->screen.id};
    it->what = what;
    it->number = view->reads;
    it->entry = entry;
    str_add_span(&it->id, id);
    ui_begin(view->screen.ui, what == READ_SENT ? UI_READ : UI_DRAFTS, &it->task);
}

/* --- the text that needs no reading --- */

static void report_entry(struct str *out, const struct outbox_entry *entry)
{
    str_addf(out, "%s: ", outbox_states[entry->state].word);
    str_add_span(out, entry->subject);
    str_puts(out, entry->subject.len ? ", to " : "to ");
    str_add_span(out, entry->to);
    if (entry->team.len)
        str_addf(out, "@%.*s", (int)entry->team.len, entry->team.at);
    time_add_format(out, entry->created_us, ", since %Y-%m-%d %H:%M:%S");
    str_addf(out, "\nin %.*s, id %.*s", (int)entry->root.len, entry->root.at, (int)entry->id.len,
             entry->id.at);
    if (entry->attempts)
        str_addf(out, ", %d attempt%s", entry->attempts, entry->attempts == 1 ? "" : "s");
    str_putc(out, '\n');
    form_add_field(out, "Why", entry->problem);
    form_add_field(out, "Next", span_of(outbox_states[entry->state].next));
}

static void add_version(struct str *key, const struct drafts_view *view, const struct list_row *row)
{
    str_add_span(key, row->key);
    if (row->kind == ROW_DRAFT)
        str_addf(key, " %lld", (long long)drafts_draft(view, row)->version);
    if (row->kind == ROW_OUTBOX)
        str_addf(key, " %d %d", (int)drafts_entry(view, row)->state,
                 drafts_entry(view, row)->attempts);
}

/* Makes the text about the selected row, or begins to read it. */
static void drafts_reload(struct drafts_view *view)
{
    struct render_options rendering = ui_render_options(view->screen.ui);
    const struct list_row *row = list_here(&view->list);
    struct str key = {0};

    if (row)
        add_version(&key, view, row);
    bool same = span_eq(str_span(&key), str_span(&view->shown));
    bool same_row = row && span_starts(str_span(&view->shown), row->key);
    str_free(&view->shown);
    view->shown = key;
    if (row && row->kind == ROW_SENT) { /* its version does not change with its content */
        str_clear(&view->text);
        render_delivery(&view->text, &view->statuses, drafts_delivery(view, row)->thing,
                        &rendering);
        pager_stale(&view->pager);
    }
    if (same)
        return;
    view->reads++;
    if (!same_row)
        pager_reset(&view->pager);
    if (!row)
        return;
    if (row->kind == ROW_OUTBOX) {
        str_clear(&view->text);
        report_entry(&view->text, drafts_entry(view, row));
        begin_read(view, READ_ENTRY, drafts_entry(view, row)->number, (struct span){0});
    } else if (row->kind == ROW_DRAFT) {
        if (!same_row)
            str_clear(&view->text);
        begin_read(view, READ_DRAFT, 0, drafts_draft(view, row)->id);
    }
}

/* --- the list --- */

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
        sources[i] = store_delivery_source(worker_store(ui->stores[UI_WATCH]), i);
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

/* Fills the list again if it is stale. */
static void drafts_settle(struct drafts_view *view)
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

enum { NO_WORD = 60, NO_AGE = 48, MARK = 2, AGE = 5, WORD = 10, PANE_ROWS = 12 };

/* --- the text of rows, and drawing them --- */

/* The columns of one row. */
struct row_text {
    int64_t time_us;
    struct span word, to, subject;
    struct str tail;
    int style;
};

static void report_draft(const struct drafts_view *view, const struct list_row *row,
                         struct row_text *text)
{
    const struct saved_draft *draft = drafts_draft(view, row);

    text->time_us = draft->updated_us;
    text->word = draft->form;
    text->to = draft->to;
    text->subject = draft->subject;
    text->style = STYLE_UNREAD;
    if (outgoing_has_draft(view->screen.ui, draft->id)) {
        str_puts(&text->tail, "  being sent");
    } else if (draft->pid) {
        str_addf(&text->tail, "  open in process %lld", (long long)draft->pid);
        text->style = STYLE_READ;
    }
}

static void report_outbox(const struct drafts_view *view, const struct list_row *row,
                          struct row_text *text)
{
    const struct outbox_entry *entry = drafts_entry(view, row);

    text->time_us = entry->created_us;
    text->word = span_of(outbox_states[entry->state].word);
    text->to = entry->to;
    text->subject = entry->subject;
    if (entry->problem.len) {
        str_puts(&text->tail, "  ");
        str_add_span(&text->tail, entry->problem);
    }
    text->style = outbox_is_stuck(entry->state)   ? STYLE_ERROR
                  : entry->state == OUTBOX_QUEUED ? STYLE_WARNING
                                                  : STYLE_READ;
}

static void report_sent(const struct drafts_view *view, const struct list_row *row,
                        struct row_text *text)
{
    const struct delivery_status *delivery = drafts_delivery(view, row);
    const struct delivery_statuses *statuses = &view->statuses;
    size_t count = 1;

    while (row->item + count < statuses->count &&
           statuses->items[row->item + count].thing == delivery->thing)
        count++;
    text->time_us = delivery->sent_us;
    text->to = delivery->to;
    text->subject = delivery->subject;
    if (count > 1) {
        text->to = span_of("several");
        text->word = span_of("sent");
        str_puts(&text->tail, "  ");
        render_delivery_state(&text->tail, statuses, row->item);
    } else {
        text->word = span_of(delivery_state_name(delivery->state));
    }
    bool wrong = delivery->state == DELIVERY_FAILED || delivery->state == DELIVERY_VANISHED ||
                 delivery->state == DELIVERY_UNCONFIRMED;
    text->style = wrong                                   ? STYLE_ERROR
                  : delivery->state == DELIVERY_DELIVERED ? STYLE_UNREAD
                                                          : STYLE_READ;
}

static void describe_row(const struct drafts_view *view, const struct list_row *row,
                         struct row_text *text)
{
    if (row->kind == ROW_DRAFT)
        report_draft(view, row, text);
    else if (row->kind == ROW_OUTBOX)
        report_outbox(view, row, text);
    else
        report_sent(view, row, text);
}

static void free_text(struct row_text *text)
{
    str_free(&text->tail);
}

/* Appends the words of a row that searching compares. */
static void drafts_add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct drafts_view *view = context;
    CLEANUP(free_text) struct row_text text = {0};

    if (row->kind == ROW_HEADING)
        return;
    describe_row(view, row, &text);
    str_add_span(out, text.word);
    str_putc(out, '\n');
    str_add_span(out, text.to);
    str_putc(out, '\n');
    str_add_span(out, text.subject);
    str_add_span(out, str_span(&text.tail));
}

static void draw_heading(const struct drafts_view *view, const struct list_row *row,
                         const struct area *line)
{
    static const char *const words[][2] = {
        [ROW_DRAFT] = {"drafts", ": what you write is kept here until it is delivered"},
        [ROW_OUTBOX] = {"outbox", ": nothing waits to be sent"},
        [ROW_SENT] = {"sent, and what became of it", ""}};

    grid_rule(view->grid, line, 0, STYLE_GROUP);
    grid_putf(view->grid, line, 0, 2, STYLE_GROUP, " %s (%zu)%s ", words[row->item][0],
              view->counts[row->item], view->counts[row->item] ? "" : words[row->item][1]);
}

/* Returns the name as other lists show it, or the whole list if there are several recipients. */
static struct span addressee(const struct row_text *text, int columns)
{
    if (!text->to.len)
        return span_of("(nobody)");
    return memchr(text->to.at, ',', text->to.len) ? text->to
                                                  : columns_name(text->to, (size_t)columns);
}

/* Draws the subject, followed by as much of the tail as fits into half of the room. */
static void draw_end(const struct drafts_view *view, const struct area *line, int x,
                     const struct row_text *text)
{
    struct grid *grid = view->grid;
    int room = line->columns - x;
    int tail = (int)text->tail.len < room / 2 ? (int)text->tail.len : room / 2;
    struct span subject = text->subject.len ? text->subject : span_of("(no subject)");

    int used = grid_put(grid, line, 0, x, room - tail, text->subject.len ? text->style : STYLE_DIM,
                        span_first_line(subject));
    grid_put(grid, line, 0, x + used, room - used, text->style, str_span(&text->tail));
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct drafts_view *view = context;
    struct grid *grid = view->grid;
    CLEANUP(free_text) struct row_text text = {0};
    CLEANUP(str_free) struct str age = {0};
    int x = MARK;

    if (row->kind == ROW_HEADING) {
        draw_heading(view, row, line);
        return;
    }
    describe_row(view, row, &text);
    grid_puts(grid, line, 0, 0, text.style, row == list_here(&view->list) ? ">" : " ");
    if (line->columns >= NO_AGE) {
        if (text.time_us != TIME_NONE)
            time_add_age(&age, ui_now(view->screen.ui) - text.time_us);
        grid_putf(grid, line, 0, x, text.style, "%4s", str_c(&age));
        x += AGE;
    }
    if (line->columns >= NO_WORD || row->kind != ROW_DRAFT) {
        int used = grid_put(grid, line, 0, x, WORD + 1, text.style, text.word);
        x += (used > WORD ? used : WORD) + 1; /* "unconfirmed" is rare: only its row shifts */
    }
    grid_put(grid, line, 0, x, view->who_width, text.style, addressee(&text, line->columns));
    x += view->who_width + 1;
    draw_end(view, line, x, &text);
}

/* --- the page below --- */

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct drafts_view *view = context;

    page_text(document, str_span(&view->text), options);
}

static void draw_pane(struct drafts_view *view, struct area *area)
{
    struct render_options rendering = ui_render_options(view->screen.ui);
    struct page_options options = {.now_us = rendering.now_us, .clean = rendering.clean};
    struct area pane = area_take_bottom(area, area->rows / 2);
    struct area rule = area_take_top(&pane, 1);

    grid_rule(view->grid, &rule, 0, STYLE_BORDER);
    pager_draw(&view->pager, view->grid, &pane, &options, make_page, view);
}

static void draw_nothing(struct drafts_view *view, const struct area *area)
{
    struct ui *ui = view->screen.ui;
    const char *const lines[] = {"Nothing is being written and nothing waits to be sent.",
                                 "m writes a message, H hands work over, B writes to a team:",
                                 "what you write is kept here until it has been delivered."};

    if (ui->desk.problem.len) {
        grid_put(view->grid, area, 0, 1, area->columns - 2, STYLE_ERROR,
                 str_span(&ui->desk.problem));
        return;
    }
    if (!ui->desk.known) {
        grid_puts(view->grid, area, 0, 1, STYLE_DIM, "looking ...");
        return;
    }
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        grid_puts(view->grid, area, i + 1, 2, STYLE_DIM, lines[i]);
}

static void drafts_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct drafts_view *view = drafts_of(screen);
    struct area rest = *area;

    drafts_settle(view);
    view->grid = grid;
    view->who_width = (int)columns_for_name((size_t)area->columns);
    view->has_page =
        list_here(&view->list) && rest.rows >= PANE_ROWS && !view->bare && !grid->plain;
    view->in_page &= view->has_page;
    if (!list_here(&view->list)) {
        draw_nothing(view, &rest);
        return;
    }
    if (view->has_page)
        draw_pane(view, &rest);
    list_draw(&view->list, grid, &rest, draw_row, view);
}

/* --- the screen --- */

/* Drops everything that rows refer to, since it may have been freed. Records of sent messages are
 * read again only while the view is shown. */
static void drafts_view_renew(struct screen *screen)
{
    struct drafts_view *view = drafts_of(screen);

    view->stale = true;
    delivery_statuses_free(&view->statuses);
    if (screen->ui->views[screen->ui->view] != screen || view->notes_asked)
        return;
    view->notes_asked = true;
    begin_read(view, READ_SENT, 0, (struct span){0});
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
