/* A request on a page: reads and draws it, and notices when its bytes change. */
#include "ui/decide/request_view.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/security/risk.h"
#include "mail/thread/request.h"
#include "store/decide/decide.h"
#include "store/decide/forged_command.h"
#include "store/decide/ledger.h"
#include "ui/snapshot/picture.h"
#include "ui/ui_state.h"

#include <stdlib.h>
#include <unistd.h>

/* Notes of the queue: reads and judges the requests on the thread of a store. */

void risk_notes_free(struct decide_notes *notes)
{
    map_free(&notes->numbers);
    free(notes->items);
    arena_free(&notes->arena);
    *notes = (struct decide_notes){0};
}

struct notes_task {
    struct ui_task task;
    struct kept_heads heads;
    struct request_snapshots requests;
    struct decide_notes *notes; /* the screen's; only for notes_task_done(), which is not called
                                 * once the screen is closed */
};

static void notes_task_work(struct ui_task *base, struct store *store)
{
    struct notes_task *task = (struct notes_task *)base;
    struct err ignored; /* a request that cannot be read has no note; its page has the reason */

    task->task.ok =
        store_requests(store, task->heads.items, task->heads.count, &task->requests, &ignored);
}

static void keep_note(struct decide_notes *notes, const struct message *head, struct span text)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    picture_add_key(&key, head);
    *map_put_copy(&notes->numbers, &notes->arena, str_span(&key), &fresh) = (uint32_t)notes->count;
    *mem_push(notes->items, notes->count, notes->cap) = (struct decide_note){
        head->print, text.len ? arena_copy(&notes->arena, text) : (struct span){0}};
}

static void notes_task_done(struct ui_task *base, struct ui *ui)
{
    struct notes_task *task = (struct notes_task *)base;
    struct screen *screen = ui_screen(ui, base->screen);
    struct decide_notes *notes = task->notes;

    risk_notes_free(notes);
    for (size_t i = 0; i < task->heads.count; i++)
        keep_note(notes, task->heads.items[i],
                  task->task.ok ? task->requests.items[i].in_short : (struct span){0});
    if (screen->ops->renew)
        screen->ops->renew(screen); /* finds the notes of requests that arrived meanwhile */
}

static void task_free(struct ui_task *base)
{
    struct notes_task *task = (struct notes_task *)base;

    request_snapshots_free(&task->requests);
    kept_heads_free(&task->heads);
    free(task);
}

static const struct decide_note *find_note(const struct decide_notes *notes, struct span key)
{
    const uint32_t *number = map_get(&notes->numbers, key);

    return number ? &notes->items[*number] : NULL;
}

static bool knows_note(const struct decide_notes *notes, const struct message *message,
                       struct str *key)
{
    str_clear(key);
    picture_add_key(key, message);
    const struct decide_note *note = find_note(notes, str_span(key));
    return note && note->print == message->print;
}

void risk_notes_find(struct decide_notes *notes, struct screen *screen, const uint32_t *requests,
                     size_t count)
{
    const struct model *model = &ui_picture(screen->ui)->model;
    CLEANUP(str_free) struct str key = {0};
    bool known = true;

    for (size_t i = 0; i < count && known; i++)
        known = knows_note(notes, model->messages[requests[i]], &key);
    if (known || notes->asked)
        return;
    struct notes_task *task = mem_zero(1, sizeof *task);
    task->task = (struct ui_task){
        .work = notes_task_work, .done = notes_task_done, .free = task_free, .screen = screen->id};
    task->notes = notes;
    for (size_t i = 0; i < count; i++)
        kept_heads_add(&task->heads, model->messages[requests[i]]);
    notes->asked = true;
    ui_begin(screen->ui, UI_READ, &task->task);
}

struct span risk_notes_of(const struct decide_notes *notes, struct span key)
{
    const struct decide_note *note = find_note(notes, key);

    return note ? note->text : (struct span){0};
}

/* Settling: decides when bytes can be approved. */

void settle_restart(struct settle *settle)
{
    *settle = (struct settle){0};
}

/* Restarts: the bytes changed without the person. */
static void settle_change(struct settle *settle, struct ui *ui)
{
    /* an open prompt keeps its input, since it checks by itself what it is for */
    if (settle->frame && settle->frame == ui->frame && !ui->prompt && !ui->options->plain)
        ui->drops_input = true;
    *settle = (struct settle){.changed = settle->frame || settle->changed};
}

/* True if the bytes are in the last frame, or at most `frames` before it, and no other program had
 * the terminal since. With --plain nothing is drawn over printed lines. */
static bool is_still_there(const struct settle *settle, const struct ui *ui, uint64_t frames)
{
    return ui->options->plain ||
           (settle->frame + frames >= ui->frame && settle->resumes == ui->terminal.resumes);
}

void settle_draw(struct settle *settle, const struct ui *ui)
{
    if (!ui_is_seen(ui))
        return;
    if (settle->frame && !settle->since_us)
        settle->since_us = ui->drawn_us;
    if (!is_still_there(settle, ui, 1))
        settle->since_us = 0;
    if (ui->options->plain)
        settle->changed = false; /* the person sees what is printed */
    settle->frame = ui->frame;
    settle->resumes = ui->terminal.resumes;
}

int64_t settle_left_us(const struct settle *settle, const struct ui *ui)
{
    int64_t wanted_us = ui_config(ui)->settle_us;
    int64_t since_us = settle->since_us ? settle->since_us : ui->drawn_us;

    if (!settle->frame || !is_still_there(settle, ui, 0))
        return wanted_us;
    return time_left(since_us + wanted_us);
}

int64_t settle_due_us(const struct settle *settle, const struct ui *ui)
{
    int64_t left_us = settle_left_us(settle, ui);

    return left_us && settle->frame == ui->frame ? left_us : TIME_NONE;
}

bool settle_allows(const struct settle *settle, const struct ui *ui, struct err *err)
{
    if (settle->changed)
        return err_set(err, ERR_REFUSED,
                       "changed since you looked, and not counted: read it again; Enter goes on");
    if (settle_left_us(settle, ui) > 0)
        return err_set(err, ERR_REFUSED,
                       "not counted: it was on the screen for less than %.1fs; press it again",
                       (double)ui_config(ui)->settle_us / 1e6);
    return true;
}

/* --- requests that were drawn --- */

void drawn_requests_free(struct drawn_requests *drawn)
{
    map_free(&drawn->sums);
    free(drawn->items);
    arena_free(&drawn->arena);
    *drawn = (struct drawn_requests){0};
}

/* Returns what identifies a request: its id where an agent's program knows requests by their ids.
 * Elsewhere ids may be used several times, so the file is part of the identity. */
static struct span identity_of(const struct request_snapshot *request, struct str *scratch)
{
    const struct message *message = request->message;
    bool native = request_is_native(request);
    CLEANUP(str_free) struct str path = {0};

    if (!native)
        message_add_path(&path, message, false);
    const struct span parts[] = {message->place->team, message->from,
                                 native ? message->thread : message->id, str_span(&path)};
    return map_key(scratch, message->place->source, parts, sizeof parts / sizeof *parts);
}

void drawn_requests_add(struct drawn_requests *drawn, const struct request_snapshot *request)
{
    CLEANUP(str_free) struct str scratch = {0};
    bool fresh;

    uint32_t *at =
        map_put_copy(&drawn->sums, &drawn->arena, identity_of(request, &scratch), &fresh);
    if (fresh) {
        *at = (uint32_t)drawn->count;
        drawn->items = mem_grow(drawn->items, &drawn->cap, drawn->count + 1, sizeof *drawn->items);
        memcpy(drawn->items[drawn->count++], request->sha256, sizeof request->sha256);
    } else if (strcmp(drawn->items[*at], request->sha256) != 0) {
        drawn->items[*at][0] = '\0'; /* equals no hash: from now on none of them is trusted */
    }
}

bool drawn_requests_differ(const struct drawn_requests *drawn,
                           const struct request_snapshot *request)
{
    CLEANUP(str_free) struct str scratch = {0};
    const uint32_t *at = map_get(&drawn->sums, identity_of(request, &scratch));

    return at && strcmp(drawn->items[*at], request->sha256) != 0;
}

enum { EARLIER_MOST = 3, HEADS = 2 };

void request_view_free(struct request_page *shown)
{
    str_free(&shown->key);
    request_snapshots_free(&shown->requests);
    arena_free(&shown->arena);
    arena_free(&shown->texts);
    span_list_free(&shown->earlier);
    request_view_amend(shown, (struct span){0});
    str_free(&shown->amended);
    str_free(&shown->unfinished);
    str_free(&shown->problem);
    str_free(&shown->gone);
    pager_free(&shown->pager);
    *shown = (struct request_page){0};
}

/* --- reading --- */

struct request_view_task {
    struct ui_task task;
    uint64_t number;
    struct arena arena, texts;
    struct message heads[HEADS];
    size_t count;
    struct request_snapshots requests;
    struct span_list earlier;
    struct request_page *shown; /* the screen's; only for read_done(), which is not called once the
                                 * screen is closed */
};

/* Finds the earlier decisions for the same agent, the latest first. */
static void find_earlier(struct request_view_task *task, const struct source *source)
{
    const struct message *head = &task->heads[0];
    CLEANUP(ledger_free) struct ledger ledger = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err ignored;

    if (ledger_read(&ledger, &ignored))
        for (size_t i = ledger.decision_count; i-- > 0 && task->earlier.count < EARLIER_MOST;) {
            const struct decision_record *record = &ledger.decisions[i];
            const struct ledger_entry *whole = &record->whole;
            bool going_on = record->state == DECISION_UNKNOWN && record->first->pid == getpid();
            if (!span_eq(whole->agent, head->from) || !span_eq(whole->team, head->place->team) ||
                !span_is(whole->root, source->path) || going_on)
                continue;
            str_clear(&text);
            time_add_format(&text, record->first->at_us, "%Y-%m-%d %H:%M you ");
            decision_add_action(&text, record);
            str_puts(&text, ": ");
            str_add_span(&text, span_first_line(whole->request.asked.len ? whole->request.asked
                                                                         : whole->terms.rules));
            str_puts(&text, " (");
            decision_add_state(&text, record);
            str_putc(&text, ')');
            span_list_add(&task->earlier, arena_copy(&task->texts, str_span(&text)));
        }
}

static void read_work(struct ui_task *base, struct store *store)
{
    struct request_view_task *task = (struct request_view_task *)base;
    struct message *heads[HEADS] = {&task->heads[0], &task->heads[1]};

    task->task.ok = store_requests(store, heads, task->count, &task->requests, &task->task.err);
    if (task->task.ok && task->requests.items[0].err) {
        task->task.err = *task->requests.items[0].err;
        task->task.ok = false;
    }
    find_earlier(task, store_source(store, task->heads[0].place->source));
}

static bool spans_equal(const struct span_list *a, const struct span_list *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = span_eq(a->items[i], b->items[i]);
    return same;
}

/* True if the bytes are the same, and everything that was found out about them. */
static bool is_same_request(const struct request_snapshot *a, const struct request_snapshot *b)
{
    return strcmp(a->sha256, b->sha256) == 0 && span_eq(a->refusal, b->refusal) &&
           a->doubtful == b->doubtful && span_eq(a->directory, b->directory) &&
           spans_equal(&a->flags, &b->flags);
}

/* Shows what was read. If it has changed, the person has to read it again to its end. */
static void take_snapshot(struct request_page *shown, struct request_view_task *task, struct ui *ui)
{
    const struct request_snapshot *old = request_view_request(shown);
    bool same = old && is_same_request(old, &task->requests.items[0]);

    request_snapshots_free(&shown->requests);
    arena_free(&shown->arena);
    arena_free(&shown->texts);
    span_list_free(&shown->earlier);
    shown->requests = task->requests;
    shown->arena = task->arena;
    shown->texts = task->texts;
    shown->earlier = task->earlier;
    task->requests = (struct request_snapshots){0};
    task->arena = task->texts = (struct arena){0};
    task->earlier = (struct span_list){0};
    if (!same) {
        shown->stamp++;
        shown->seen_end = false;
        memset(shown->chosen, 0, sizeof shown->chosen);
        request_view_amend(shown, (struct span){0});
        settle_change(&shown->settle, ui);
    }
    pager_stale(&shown->pager);
}

static void read_done(struct ui_task *base, struct ui *ui)
{
    struct request_view_task *task = (struct request_view_task *)base;
    struct request_page *shown = task->shown;

    if (shown->asked != task->number)
        return; /* another request is shown by now */
    shown->asked = 0;
    str_clear(&shown->problem);
    if (task->task.ok) {
        take_snapshot(shown, task, ui);
    } else {
        request_snapshots_free(&shown->requests);
        shown->stamp++;
        settle_change(&shown->settle, ui);
        str_puts(&shown->problem, task->task.err.text);
    }
}

static void read_free(struct ui_task *base)
{
    struct request_view_task *task = (struct request_view_task *)base;

    request_snapshots_free(&task->requests);
    span_list_free(&task->earlier);
    arena_free(&task->arena);
    arena_free(&task->texts);
    free(task);
}

static void forget_snapshot(struct request_page *shown)
{
    request_snapshots_free(&shown->requests);
    shown->stamp++;
    shown->show_raw = shown->seen_end = false;
    memset(shown->chosen, 0, sizeof shown->chosen);
    request_view_amend(shown, (struct span){0});
    str_clear(&shown->unfinished);
    pager_reset(&shown->pager);
}

void request_view_answered(struct request_page *shown, bool answered, bool alarm)
{
    if (shown->answered != answered)
        shown->print = 0; /* no message has 0: it is read again, with or without its answer */
    shown->answered = answered;
    shown->answered_alarm = alarm;
}

void request_view_set_gone(struct request_page *shown, struct screen *screen, const char *why)
{
    if (span_is(str_span(&shown->gone), why))
        return;
    str_set(&shown->gone, span_of(why));
    shown->asked = 0; /* ignore the fetch in progress */
    shown->stamp++;
    settle_change(&shown->settle, screen->ui);
    pager_stale(&shown->pager);
}

bool request_view_acknowledge(struct request_page *shown)
{
    bool changed = shown->settle.changed;

    shown->settle.changed = false;
    return changed;
}

void request_view_show(struct request_page *shown, struct screen *screen,
                       const struct message *message, const struct message *before, bool asked)
{
    bool is_back = shown->gone.len;
    struct str key = {0};

    if (message)
        picture_add_key(&key, message);
    bool same = span_eq(str_span(&key), str_span(&shown->key));
    if (!same && asked)
        settle_restart(&shown->settle);
    else if (!same || is_back)
        settle_change(&shown->settle, screen->ui);
    str_clear(&shown->gone);
    if (same && !is_back &&
        (!message || (shown->print == message->print && shown->decided == screen->ui->decided))) {
        str_free(&key);
        return;
    }
    str_free(&shown->key);
    shown->key = key;
    shown->asked = 0;
    str_clear(&shown->problem);
    if (!same)
        forget_snapshot(shown);
    if (!message)
        return;
    shown->print = message->print;
    shown->decided = screen->ui->decided;
    struct request_view_task *task = mem_zero(1, sizeof *task);
    *task = (struct request_view_task){
        .task = {.work = read_work, .done = read_done, .free = read_free, .screen = screen->id},
        .number = ++shown->fetches,
        .count = before ? 2 : 1,
        .shown = shown};
    message_keep(&task->heads[0], message, &task->arena);
    if (before)
        message_keep(&task->heads[1], before, &task->arena);
    shown->asked = task->number;
    ui_begin(screen->ui, UI_READ, &task->task);
}

/* --- properties --- */

const struct request_snapshot *request_view_request(const struct request_page *shown)
{
    return shown->requests.count && shown->requests.items[0].message ? &shown->requests.items[0]
                                                                     : NULL;
}

static bool parse_protocol(const struct request_snapshot *request, struct protocol *p,
                           struct arena *arena)
{
    const struct message_data *data = request ? request->message->data : NULL;

    return data && data->protocol.len && protocol_parse(p, data->protocol, arena);
}

size_t request_view_suggestions(const struct request_page *shown)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};
    struct json_walk walk;
    struct json none, item;
    size_t count = 0;

    if (parse_protocol(request_view_request(shown), &p, &arena) && p.suggestions.len &&
        json_open(&walk, p.suggestions, JSON_STRICT, NULL))
        while (json_next(&walk, &none, &item))
            count++;
    return count < REQUEST_VIEW_SUGGESTIONS ? count : REQUEST_VIEW_SUGGESTIONS;
}

size_t request_view_chosen(const struct request_page *shown)
{
    size_t count = 0;

    for (size_t i = 0; i < REQUEST_VIEW_SUGGESTIONS; i++)
        count += shown->chosen[i];
    return count;
}

void request_view_amend(struct request_page *shown, struct span input)
{
    CLEANUP(risk_list_free) struct risk_list found = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};

    str_set(&shown->amended, input);
    span_list_free(&shown->amended_flags);
    arena_free(&shown->amended_arena);
    shown->amended_flags = (struct span_list){0};
    shown->amended_arena = (struct arena){0};
    if (input.len && parse_protocol(request_view_request(shown), &p, &arena)) {
        p.input = input;
        unsigned kinds = risk_find(&p, request_view_request(shown)->directory, &found);
        risk_add_phrases(&shown->amended_flags, &found, kinds, &shown->amended_arena);
    }
    pager_stale(&shown->pager);
}

/* --- drawing --- */

/* Returns the text of the plan that this one replaces, in the arena; absent if there is none. */
static struct span plan_before(const struct request_page *shown, struct arena *arena)
{
    const struct request_snapshot *before =
        shown->requests.count > 1 ? &shown->requests.items[1] : NULL;
    struct protocol p;

    if (shown->answered || !before || !before->message || !before->message->data)
        return (struct span){0};
    return parse_protocol(before, &p, arena) ? arena_copy(arena, p.plan)
                                             : before->message->data->body;
}

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct request_page *shown = context;
    const struct request_snapshot *request = request_view_request(shown);
    CLEANUP(arena_free) struct arena arena = {0};

    if (request && shown->show_raw) {
        page_raw(document, request->raw, options);
    } else if (request) {
        struct page_request about = {.alarm = shown->forged,
                                     .refusal = request->refusal,
                                     .flags = &request->flags,
                                     .before = plan_before(shown, &arena),
                                     .amended = shown->amended.len ? str_span(&shown->amended)
                                                                   : (struct span){0},
                                     .amended_flags = &shown->amended_flags,
                                     .directory = request->directory,
                                     .chosen = shown->chosen,
                                     .chosen_count = REQUEST_VIEW_SUGGESTIONS,
                                     .earlier = shown->earlier};
        CLEANUP(str_free) struct str answer = {0};
        if (shown->answered && shown->requests.count > 1 && shown->requests.items[1].message) {
            about.answer = shown->requests.items[1].message;
            about.answer_alarm = shown->answered_alarm;
            forged_add_answer(&answer, about.answer);
            about.answer_note = arena_copy(&arena, str_span(&answer));
        }
        if (!shown->answered && !request->decider && message_asks(request->message) &&
            !request_is_native(request))
            about.native_note = span_of(REQUEST_UNENFORCED);
        page_request(document, request->message, &about, options);
    }
}

static void draw_warning(struct grid *grid, struct area *area, const char *text)
{
    struct area line = area_take_top(area, 1);

    grid_puts(grid, &line, 0, 1, STYLE_ERROR, text);
}

/* Draws the warnings above the text, which never scroll. */
static void draw_warnings(const struct request_page *shown, const struct ui *ui, struct grid *grid,
                          struct area *area)
{
    const struct request_snapshot *request = request_view_request(shown);
    CLEANUP(str_free) struct str text = {0};

    int64_t gone_us = request ? ui_gone_us(ui, request->message->place->source) : 0;
    if (gone_us) {
        time_add_format(&text, gone_us, "source gone since %H:%M: nothing can be decided");
        draw_warning(grid, area, str_c(&text));
    } else if (shown->gone.len) {
        str_addf(&text, "GONE: %s", str_c(&shown->gone));
        draw_warning(grid, area, str_c(&text));
    } else {
        if (shown->settle.changed)
            draw_warning(grid, area, "changed since you looked");
        if (request && drawn_requests_differ(&ui->drawn_requests, request))
            draw_warning(grid, area, "REFUSED: " DRAWN_DIFFERENTLY);
    }
}

void request_view_draw(struct request_page *shown, struct screen *screen, struct grid *grid,
                       const struct area *area)
{
    struct page_options options = {.now_us = ui_now(screen->ui), .all_fields = shown->all_fields};
    const struct request_snapshot *request = request_view_request(shown);
    struct area rest = *area;

    if (request && ui_is_seen(screen->ui))
        drawn_requests_add(&screen->ui->drawn_requests, request);
    draw_warnings(shown, screen->ui, grid, &rest);
    if (shown->problem.len) {
        grid_put(grid, &rest, 0, 1, rest.columns - 1, STYLE_ERROR, str_span(&shown->problem));
    } else if (!request) {
        grid_puts(grid, &rest, 0, 1, STYLE_DIM, "reading ...");
    } else {
        pager_draw(&shown->pager, grid, &rest, &options, make_page, shown);
        settle_draw(&shown->settle, screen->ui);
        /* raw bytes do not count as read: the decision is about the request as it is drawn */
        if (!shown->show_raw && ui_is_seen(screen->ui) && pager_was_read(&shown->pager, &rest))
            shown->seen_end = true;
    }
}

bool request_view_act(struct request_page *shown, enum action action)
{
    switch (action) {
    case ACTION_RAW:
        shown->show_raw = !shown->show_raw;
        pager_reset(&shown->pager);
        return true;
    case ACTION_HEADERS:
        shown->all_fields = !shown->all_fields;
        pager_stale(&shown->pager);
        return true;
    default:
        return pager_act(&shown->pager, action);
    }
}
