/* The search through all mail: the screen, and the search in the background. */
#include "ui/views/search_view.h"

#include "base/mem.h"
#include "mail/query/query.h"
#include "mail/render/columns.h"
#include "store/search/search_results.h"
#include "store/sight.h"
#include "ui/mail/thread_view.h"
#include "ui/snapshot/agent_names.h"
#include "ui/ui_state.h"
#include "ui/widget/list.h"
#include "ui/widget/prompt.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FOUND_MOST = 200 };

/* A message that was found, with the texts of its rows. */
struct found_row {
    struct span key; /* key of the message in the snapshot */
    int64_t created_us;
    struct span from, subject, team;
    struct span before, found, after; /* the line with the match, in three parts */
    uint32_t source;
    bool cut, archived;
};

/* The result of a search. Zero-initialised is empty. */
struct found_rows {
    struct found_row *items;
    size_t count, cap;
    struct arena arena;
    bool more;
    bool damaged;       /* true if a part of the index could not be used */
    size_t read, files; /* files that were read since the index does not have them, and all files */
};

struct search_view_task;

struct search_view {
    struct screen screen;
    struct list list; /* item: index into `rows`; a row without a key is the line with the match */
    struct str text;  /* as it was typed */
    struct err mistake; /* in `text`; scope ERR_NONE: none */
    bool empty;         /* true if `text` is blank */
    bool ranked;
    struct found_rows rows;
    bool known; /* true if `rows` are the result for `text` */
    bool other; /* true if `text` or the order has changed: the first result is selected */
    struct search_view_task *task; /* the running search, or NULL */
    bool again;                    /* true if it is out of date: search again when it ends */
    bool stale;                    /* true if mail has changed since the search */
    int64_t ended_us, cost_us;     /* end and duration of the last search, by the steady clock */
    struct grid *grid;             /* valid while drawing */
};

static void search_view_seek(struct search_view *finder);
static void search_view_give_up(struct search_view *finder);
static void found_rows_free(struct found_rows *rows);
static int64_t search_view_due_us(struct screen *screen);

enum { MARK = 2, AGE = 5, NO_AGE = 48, LINE = 4 };

/* Draws the line with the match, the match in another style. */
static void draw_excerpt(struct search_view *finder, const struct found_row *found,
                         const struct area *line)
{
    const struct {
        struct span text;
        int style;
    } parts[] = {
        {found->before, STYLE_DIM}, {found->found, STYLE_FOUND}, {found->after, STYLE_DIM}};
    CLEANUP(str_free) struct str text = {0};
    int x = line->columns >= NO_AGE ? MARK + AGE : LINE;

    if (found->cut)
        x += grid_puts(finder->grid, line, 0, x, STYLE_DIM, "... ");
    for (size_t i = 0; i < sizeof parts / sizeof *parts && x < line->columns; i++) {
        str_clear(&text);
        excerpt_add_part(&text, parts[i].text, finder->grid->clean);
        x += grid_put(finder->grid, line, 0, x, line->columns - x, parts[i].style, str_span(&text));
    }
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct search_view *finder = context;
    struct grid *grid = finder->grid;
    struct ui *ui = finder->screen.ui;
    const struct found_row *found = &finder->rows.items[row->item];
    int x = MARK, width = (int)columns_for_name((size_t)line->columns);
    int style = found->archived ? STYLE_READ : STYLE_PLAIN;
    CLEANUP(str_free) struct str age = {0};

    if (!row->key.at) {
        draw_excerpt(finder, found, line);
        return;
    }
    grid_puts(grid, line, 0, 0, style, row == list_here(&finder->list) ? ">" : " ");
    if (line->columns >= NO_AGE) {
        if (found->created_us != TIME_NONE)
            time_add_age(&age, ui_now(ui) - found->created_us);
        grid_putf(grid, line, 0, x, style, "%4s", str_c(&age));
        x += AGE;
    }
    int who = ui_agent_style(ui, found->source, found->team, found->from, style);
    grid_put(grid, line, 0, x, width, who, columns_name(found->from, (size_t)line->columns));
    x += width + 1;
    grid_put(grid, line, 0, x, line->columns - x, style,
             found->subject.len ? span_first_line(found->subject) : span_of("(no subject)"));
}

/* Draws the progress of the index, if that explains why a search takes long. */
static void draw_progress(struct search_view *finder, const struct area *area, int y)
{
    int percent = indexer_percent(finder->screen.ui);

    if (percent >= 0)
        grid_putf(finder->grid, area, y, 2, STYLE_DIM,
                  "The index is %d %% built; until then the files themselves are read.", percent);
    else if (finder->known && finder->rows.read >= 1000)
        grid_putf(finder->grid, area, y, 2, STYLE_DIM,
                  "%zu of %zu files were read, as the index does not know them yet.",
                  finder->rows.read, finder->rows.files);
}

static void draw_help(struct search_view *finder, const struct area *area)
{
    static const char *const lines[] = {
        "Words find all mail that has them, archived or not, while you type:",
        "  disk full            both, anywhere in subject, text or names",
        "  \"disk full\"          in a row, as are the parts of src/base/fold.c",
        "  pars*                words that start so",
        "  subject:plan from:tester-2 is:archived not older:7d",
    };

    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        grid_puts(finder->grid, area, i + 1, 2, STYLE_DIM, lines[i]);
}

static void draw_nothing(struct search_view *finder, const struct area *area)
{
    if (finder->empty) {
        draw_help(finder, area);
        return;
    }
    if (finder->mistake.scope)
        grid_put(finder->grid, area, 1, 2, area->columns - 3, STYLE_DIM,
                 span_of(finder->mistake.text));
    else if (finder->known)
        grid_putf(finder->grid, area, 1, 2, STYLE_PLAIN, "No message has %s", str_c(&finder->text));
    else
        grid_puts(finder->grid, area, 1, 2, STYLE_DIM, "searching ...");
    draw_progress(finder, area, 2);
}

static void search_view_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct search_view *finder = (struct search_view *)screen;

    finder->grid = grid;
    if (list_here(&finder->list))
        list_draw(&finder->list, grid, area, draw_row, finder);
    else
        draw_nothing(finder, area);
}

/* --- the screen --- */

static struct search_view *search_view_of(struct screen *screen)
{
    return (struct search_view *)screen;
}

/* Fills the list with the results. */
static void search_view_fill(struct search_view *finder)
{
    list_begin(&finder->list);
    for (size_t i = 0; i < finder->rows.count; i++) {
        const struct found_row *found = &finder->rows.items[i];
        list_add(&finder->list, &(struct list_row){.key = found->key, .item = (uint32_t)i});
        if (found->before.len || found->found.len)
            list_add(&finder->list, &(struct list_row){.item = (uint32_t)i});
    }
    list_end(&finder->list, false);
    if (finder->other)
        list_act(&finder->list, ACTION_FIRST);
    finder->other = false;
    ui_touch(finder->screen.ui);
}

/* --- the input line --- */

/* Prompt context. A prompt is for the screen that it was opened on. */
struct typing {
    uint64_t screen;
    struct str before; /* the text before, restored by cancelling */
    bool first;        /* true if there was no search yet: cancelling closes the screen */
};

static struct search_view *typed_into(struct ui *ui, void *context)
{
    return (struct search_view *)ui_screen(ui, ((struct typing *)context)->screen);
}

static void set_text(struct search_view *finder, struct span text)
{
    str_set(&finder->text, text);
    finder->other = true;
    finder->known = false; /* keep the rows until there are new ones */
    search_view_seek(finder);
}

static void search_view_changed(struct ui *ui, void *context, struct span text)
{
    struct search_view *finder = typed_into(ui, context);

    if (finder)
        set_text(finder, text);
}

static bool search_view_accept(struct ui *ui, void *context, struct span text)
{
    struct search_view *finder = typed_into(ui, context);

    if (!finder)
        return true;
    if (!span_eq(text, str_span(&finder->text)))
        set_text(finder, text);
    if (finder->mistake.scope) {
        ui_info(ui, STYLE_ERROR, "%s", finder->mistake.text);
        return false;
    }
    if (finder->empty)
        ui_pop(ui, &finder->screen);
    return true;
}

static void search_view_cancel(struct ui *ui, void *context)
{
    struct typing *typing = context;
    struct search_view *finder = typed_into(ui, typing);

    if (finder && typing->first)
        ui_pop(ui, &finder->screen);
    else if (finder)
        set_text(finder, str_span(&typing->before));
}

static void typing_free(void *context)
{
    struct typing *typing = context;

    str_free(&typing->before);
    free(typing);
}

static const struct prompt_spec line_spec = {.label = "search all mail: ",
                                             .hint = "words \"in a row\" start* from:NAME",
                                             .history = HISTORY_SEARCH,
                                             .changed = search_view_changed,
                                             .accept = search_view_accept,
                                             .cancel = search_view_cancel,
                                             .complete = agent_names_complete_query,
                                             .free = typing_free};

static void open_line(struct search_view *finder, bool first)
{
    struct typing *typing = mem_zero(1, sizeof *typing);

    typing->screen = finder->screen.id;
    typing->first = first;
    str_add_span(&typing->before, str_span(&finder->text));
    ui_prompt(finder->screen.ui, &line_spec, str_span(&finder->text), typing);
}

/* --- the screen --- */

static void search_view_status(struct screen *screen, struct str *out)
{
    const struct search_view *finder = search_view_of(screen);

    str_addf(out, "SEARCH %zu%s  %s first", finder->rows.count, finder->rows.more ? "+" : "",
             finder->ranked ? "best" : "newest");
    if (finder->task && !finder->empty)
        str_puts(out, "  searching");
    if (!finder->screen.ui->prompt && finder->text.len)
        str_addf(out, "  %s", str_c(&finder->text));
}

static void open_here(struct search_view *finder)
{
    struct ui *ui = finder->screen.ui;
    const struct list_row *row = list_here(&finder->list);
    const struct message *message = row ? picture_find(ui_picture(ui), row->key) : NULL;

    if (message)
        ui_push(ui, thread_new(ui, message));
    else if (row)
        ui_info(ui, STYLE_WARNING,
                ui_picture(ui)->ready ? "that message is not there any more"
                                      : "mail is still being read; a moment");
}

static bool search_view_act(struct screen *screen, enum action action, struct span argument)
{
    struct search_view *finder = search_view_of(screen);

    if (list_act(&finder->list, action))
        return true;
    switch (action) {
    case ACTION_OPEN:
        open_here(finder);
        return true;
    case ACTION_SEARCH:
    case ACTION_SEARCH_ALL:
        if (argument.len)
            set_text(finder, argument);
        else
            open_line(finder, false);
        return true;
    case ACTION_RANK:
        finder->ranked = !finder->ranked;
        finder->other = true;
        search_view_seek(finder);
        ui_info(screen->ui, STYLE_PLAIN, finder->ranked ? "the best first" : "the newest first");
        return true;
    default:
        return false;
    }
}

static bool search_view_targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    const struct list_row *row = list_here(&search_view_of(screen)->list);

    if (row)
        span_list_add(keys, arena_copy(arena, row->key));
    return false;
}

static void search_view_renew(struct screen *screen)
{
    search_view_of(screen)->stale = true;
}

static void search_view_tick(struct screen *screen)
{
    search_view_seek(search_view_of(screen));
}

static bool search_view_click(struct screen *screen, int y, int x, bool twice)
{
    struct search_view *finder = search_view_of(screen);
    const struct list_row *row = list_at(&finder->list, ui_area(screen->ui)->y + y);

    (void)x;
    /* the line below a message belongs to it */
    return row && list_screen_choose(screen, finder->rows.items[row->item].key, twice);
}

static void search_view_free(struct screen *screen)
{
    struct search_view *finder = search_view_of(screen);

    search_view_give_up(finder);
    list_free(&finder->list);
    found_rows_free(&finder->rows);
    str_free(&finder->text);
    free(finder);
}

static const struct screen_ops ops = {.title = "Search",
                                      .where = IN_SEARCH,
                                      .draw = search_view_draw,
                                      .act = search_view_act,
                                      .renew = search_view_renew,
                                      .status = search_view_status,
                                      .targets = search_view_targets,
                                      .choose = list_screen_choose,
                                      .click = search_view_click,
                                      .due_us = search_view_due_us,
                                      .tick = search_view_tick,
                                      .free = search_view_free};

void search_view_open(struct ui *ui, struct span words)
{
    struct search_view *finder = mem_zero(1, sizeof *finder);

    finder->screen = (struct screen){.ops = &ops, .ui = ui, .list = &finder->list};
    finder->empty = true;
    if (!ui_push(ui, &finder->screen))
        return;
    if (words.len)
        set_text(finder, words);
    else
        open_line(finder, true);
}

/* --- searching in the background --- */

/* After a change of mail the search is repeated after a pause this many times as long as the last
 * search took. */
enum { REST = 10 };

struct search_view_task {
    struct ui_task task;
    struct str text;
    bool ranked;
    struct index_changes told;
    int64_t now_us, cost_us;
    _Atomic bool stop;
    struct found_rows rows;
};

static void found_rows_free(struct found_rows *rows)
{
    free(rows->items);
    arena_free(&rows->arena);
    *rows = (struct found_rows){0};
}

/* --- on the thread of the store --- */

/* Facts about messages that need all mail: they are loaded only if the query asks for them. */
struct knowing {
    struct store *store;
    const struct query *query;
    struct model model;
    struct sight sight;
    struct map numbers; /* of messages in the model, by their keys */
    struct arena arena;
    bool all; /* true if all mail is loaded */
    int64_t now_us;
};

static void add_row(struct found_rows *rows, const struct query *query,
                    const struct message *message)
{
    struct excerpt excerpt = excerpt_of(query, message);
    struct arena *arena = &rows->arena;
    CLEANUP(str_free) struct str key = {0};

    picture_add_key(&key, message);
    *mem_push(rows->items, rows->count, rows->cap) =
        (struct found_row){.key = arena_copy(arena, str_span(&key)),
                           .created_us = message->created_us,
                           .from = arena_copy(arena, message->from),
                           .subject = arena_copy(arena, message->subject),
                           .team = arena_copy(arena, message->place->team),
                           .before = arena_copy(arena, excerpt.before),
                           .found = arena_copy(arena, excerpt.found),
                           .after = arena_copy(arena, excerpt.after),
                           .source = message->place->source,
                           .cut = excerpt.cut,
                           .archived = message->place->archived};
}

static bool message_matches(const struct knowing *knowing, const struct message *message,
                            uint32_t number)
{
    struct query_context context = {
        .now_us = knowing->now_us,
        .layout = store_source(knowing->store, message->place->source)->format->name,
        .words = true};

    if (number != UINT32_MAX) {
        uint32_t ask = knowing->sight.asks.of[number],
                 conversation = knowing->sight.conversations.of[number];
        context.waiting = ask != REQUEST_NONE && request_waits(&knowing->sight.asks.items[ask]);
        if (conversation != CONVERSATION_NONE)
            context.thread = knowing->sight.conversations.items[conversation].id;
    }
    return query_match(knowing->query, message, &context);
}

static bool matches_found(void *context, const struct message *message)
{
    const struct knowing *knowing = context;
    const uint32_t *number = NULL;
    CLEANUP(str_free) struct str key = {0};

    if (knowing->all) {
        picture_add_key(&key, message);
        number = map_get(&knowing->numbers, str_span(&key));
    }
    return message_matches(knowing, message, number ? *number : UINT32_MAX);
}

static bool know_all(struct knowing *knowing, unsigned want, struct err *err)
{
    struct load load = {.inbox = true, .archive = true, .want = want};
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (!store_load(knowing->store, &load, &knowing->model, err))
        return false;
    sight_build(&knowing->sight, &knowing->model, NULL, knowing->now_us, true);
    knowing->all = true;
    for (uint32_t i = 0; i < knowing->model.count; i++) {
        str_clear(&key);
        picture_add_key(&key, knowing->model.messages[i]);
        *map_put_copy(&knowing->numbers, &knowing->arena, str_span(&key), &fresh) = i;
    }
    return true;
}

static void forget_all(struct knowing *knowing)
{
    if (knowing->all)
        sight_free(&knowing->sight);
    model_free(&knowing->model);
    map_free(&knowing->numbers);
    arena_free(&knowing->arena);
}

/* Matches all mail against a query that has no words for the index. */
static bool seek_all(struct search_view_task *run, struct knowing *knowing)
{
    struct message **found;
    size_t count = 0;

    if (!know_all(knowing, query_wants(knowing->query), &run->task.err))
        return false;
    found = mem_alloc((knowing->model.count + 1) * sizeof *found);
    for (uint32_t i = 0; i < knowing->model.count && !atomic_load(&run->stop); i++)
        if (message_matches(knowing, knowing->model.messages[i], i))
            found[count++] = knowing->model.messages[i];
    model_sort(found, count, message_cmp_newest);
    for (size_t i = 0; i < count && i < FOUND_MOST; i++)
        add_row(&run->rows, knowing->query, found[i]);
    run->rows.more = count > FOUND_MOST;
    free(found);
    return true;
}

static bool seek_words(struct search_view_task *run, struct knowing *knowing)
{
    struct search search = {.query = knowing->query,
                            .ranked = run->ranked,
                            .limit = FOUND_MOST,
                            .informed = true,
                            .stop = &run->stop,
                            .matches = matches_found,
                            .context = knowing};
    CLEANUP(search_result_free) struct search_result result = {0};
    bool ok = (!query_asks(knowing->query) || know_all(knowing, 0, &run->task.err)) &&
              store_search(knowing->store, &search, &result, &run->task.err);

    for (size_t i = 0; ok && i < result.count && i < FOUND_MOST; i++)
        add_row(&run->rows, knowing->query, result.messages[i]);
    run->rows.more = result.more;
    run->rows.damaged = result.problem[0] != '\0';
    run->rows.read = result.read;
    run->rows.files = result.files;
    return ok;
}

static void search_task_work(struct ui_task *task, struct store *store)
{
    struct search_view_task *run = (struct search_view_task *)task;
    struct query query;
    int64_t begun_us = time_steady();

    index_changes_add(&run->told, store); /* even if stopped: the store must learn of each change */
    run->task.ok = query_parse(&query, str_span(&run->text), &run->task.err, NULL);
    if (run->task.ok && !atomic_load(&run->stop)) {
        struct knowing knowing = {.store = store, .query = &query, .now_us = run->now_us};
        bool words = query_needs_words(&query) && !query_names(&query, "has", "thread");
        run->task.ok = (words ? seek_words : seek_all)(run, &knowing);
        forget_all(&knowing);
    }
    query_free(&query);
    run->cost_us = time_steady() - begun_us;
}

/* --- on the UI thread --- */

static void search_task_done(struct ui_task *task, struct ui *ui)
{
    struct search_view_task *run = (struct search_view_task *)task;
    struct search_view *finder = (struct search_view *)ui_screen(ui, task->screen);

    if (task->unbegun)
        ui->indexing.told.all = true; /* the store did not learn what has changed */
    finder->task = NULL;
    finder->ended_us = time_steady();
    finder->cost_us = run->cost_us;
    if (finder->again) {
        search_view_seek(finder);
        return;
    }
    if (atomic_load(&run->stop))
        return; /* the search was stopped, its result is incomplete */
    if (!run->task.ok) {
        ui_error(ui, &run->task.err);
        return;
    }
    found_rows_free(&finder->rows);
    finder->rows = run->rows;
    run->rows = (struct found_rows){0};
    finder->known = true;
    if (finder->rows.damaged)
        indexer_mend(ui);
    search_view_fill(finder);
}

static void task_free(struct ui_task *task)
{
    struct search_view_task *run = (struct search_view_task *)task;

    index_changes_free(&run->told);
    found_rows_free(&run->rows);
    str_free(&run->text);
    free(run);
}

/* Stops the running search. */
static void search_view_give_up(struct search_view *finder)
{
    if (finder->task)
        atomic_store(&finder->task->stop, true);
}

static void begin_search(struct search_view *finder)
{
    struct ui *ui = finder->screen.ui;
    struct search_view_task *run = mem_zero(1, sizeof *run);

    run->task = (struct ui_task){.work = search_task_work,
                                 .done = search_task_done,
                                 .free = task_free,
                                 .screen = finder->screen.id};
    str_add_span(&run->text, str_span(&finder->text));
    run->ranked = finder->ranked;
    run->now_us = ui_now(ui);
    run->told = indexer_take_changes(ui);
    finder->stale = false;
    finder->task = run;
    ui_begin(ui, UI_SEARCH, &run->task);
}

/* Begins to search for the text or, if it is blank, drops the results. */
static void search_view_seek(struct search_view *finder)
{
    struct query query;

    finder->again = finder->task != NULL;
    search_view_give_up(finder);
    finder->mistake.scope = ERR_NONE;
    finder->empty = !span_trim(str_span(&finder->text)).len;
    if (finder->empty) {
        found_rows_free(&finder->rows);
        finder->known = finder->again = false;
        search_view_fill(finder);
        return;
    }
    if (!query_parse(&query, str_span(&finder->text), &finder->mistake, NULL))
        finder->again = false; /* a query with a mistake finds nothing new: keep the last result */
    else if (!finder->task)
        begin_search(finder);
    query_free(&query);
}

/* Returns the microseconds until changed mail is searched again; TIME_NONE: never. */
static int64_t search_view_due_us(struct screen *screen)
{
    const struct search_view *finder = (const struct search_view *)screen;

    if (!finder->stale || finder->task || finder->empty || finder->mistake.scope)
        return TIME_NONE;
    return time_left(finder->ended_us + finder->cost_us * REST);
}
