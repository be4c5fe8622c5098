/* The search through all mail: searching, beside everything else. */
#include "base/mem.h"
#include "mail/render/excerpt.h"
#include "store/search/store_search.h"
#include "store/sight.h"
#include "ui/ui_private.h"
#include "ui/views/finder_private.h"

#include <stdlib.h>

/* After mail has changed the next search waits this many times as long as the last one took. */
enum { REST = 10 };

struct finder_task {
    struct ui_task task;
    struct str text;
    bool ranked;
    struct told told;
    int64_t now_us, cost_us;
    _Atomic bool stop;
    struct found_rows rows;
};

void found_rows_free(struct found_rows *rows)
{
    free(rows->items);
    arena_free(&rows->arena);
    *rows = (struct found_rows){0};
}

/* --- on the thread that searches --- */

/* What a message cannot know about itself, where the query asks for that. */
struct knowing {
    struct store *store;
    const struct query *query;
    struct model model;
    struct sight sight;
    struct map numbers; /* of messages, by their keys */
    struct arena arena;
    bool all; /* of all mail */
    int64_t now_us;
};

static void add_row(struct found_rows *rows, const struct query *query,
                    const struct message *message)
{
    struct excerpt excerpt = excerpt_of(query, message);
    struct arena *arena = &rows->arena;
    struct str key = {0};

    picture_add_key(&key, message);
    rows->items = mem_grow(rows->items, &rows->cap, rows->count + 1, sizeof *rows->items);
    rows->items[rows->count++] = (struct found_row){.key = arena_copy(arena, str_span(&key)),
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
    str_free(&key);
}

static bool matches(const struct knowing *knowing, const struct message *message, uint32_t number)
{
    struct query_context context = {
        .now_us = knowing->now_us,
        .layout = store_source(knowing->store, message->place->source)->format->name,
        .words = true};

    if (number != UINT32_MAX) {
        uint32_t ask = knowing->sight.asks.of[number], talk = knowing->sight.talks.of[number];
        context.waiting = ask != ASK_NONE && ask_waits(&knowing->sight.asks.items[ask]);
        if (talk != TALK_NONE)
            context.thread = knowing->sight.talks.items[talk].id;
    }
    return query_match(knowing->query, message, &context);
}

static bool matches_found(void *context, const struct message *message)
{
    const struct knowing *knowing = context;
    const uint32_t *number = NULL;
    struct str key = {0};

    if (knowing->all) {
        picture_add_key(&key, message);
        number = map_get(&knowing->numbers, str_span(&key));
        str_free(&key);
    }
    return matches(knowing, message, number ? *number : UINT32_MAX);
}

static bool know_all(struct knowing *knowing, unsigned want, struct err *err)
{
    struct load load = {.inbox = true, .archive = true, .want = want};
    struct str key = {0};
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
    str_free(&key);
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

/* A query that nothing can be looked up for is held against everything. */
static bool seek_all(struct finder_task *run, struct knowing *knowing)
{
    struct message **found;
    size_t count = 0;

    if (!know_all(knowing, query_wants(knowing->query), &run->task.err))
        return false;
    found = mem_alloc((knowing->model.count + 1) * sizeof *found);
    for (uint32_t i = 0; i < knowing->model.count && !atomic_load(&run->stop); i++)
        if (matches(knowing, knowing->model.messages[i], i))
            found[count++] = knowing->model.messages[i];
    model_sort(found, count, message_cmp_newest);
    for (size_t i = 0; i < count && i < FOUND_MOST; i++)
        add_row(&run->rows, knowing->query, found[i]);
    run->rows.more = count > FOUND_MOST;
    free(found);
    return true;
}

static bool seek_words(struct finder_task *run, struct knowing *knowing)
{
    struct search search = {.query = knowing->query,
                            .ranked = run->ranked,
                            .limit = FOUND_MOST,
                            .informed = true,
                            .stop = &run->stop,
                            .matches = matches_found,
                            .context = knowing};
    struct search_result result = {0};
    bool ok = (!query_asks(knowing->query) || know_all(knowing, 0, &run->task.err)) &&
              store_search(knowing->store, &search, &result, &run->task.err);

    for (size_t i = 0; ok && i < result.count && i < FOUND_MOST; i++)
        add_row(&run->rows, knowing->query, result.messages[i]);
    run->rows.more = result.more;
    run->rows.damaged = result.problem[0] != '\0';
    run->rows.read = result.read;
    run->rows.files = result.files;
    search_result_free(&result);
    return ok;
}

static void work(struct ui_task *task, struct store *store)
{
    struct finder_task *run = (struct finder_task *)task;
    struct query query;
    int64_t begun_us = when_steady();

    told_tell(&run->told, store); /* also when nobody waits for the answer any more */
    run->task.ok = query_parse(&query, str_span(&run->text), &run->task.err, NULL);
    if (run->task.ok && !atomic_load(&run->stop)) {
        struct knowing knowing = {.store = store, .query = &query, .now_us = run->now_us};
        bool words = query_needs_words(&query) && !query_names(&query, "has", "thread");
        run->task.ok = (words ? seek_words : seek_all)(run, &knowing);
        forget_all(&knowing);
    }
    query_free(&query);
    run->cost_us = when_steady() - begun_us;
}

/* --- on ours --- */

static void done(struct ui_task *task, struct ui *ui)
{
    struct finder_task *run = (struct finder_task *)task;
    struct finder *finder = (struct finder *)ui_screen(ui, task->screen);

    if (task->unbegun)
        ui->indexing.told.all = true; /* nobody was told */
    finder->task = NULL;
    finder->ended_us = when_steady();
    finder->cost_us = run->cost_us;
    if (finder->again) {
        finder_seek(finder);
        return;
    }
    if (atomic_load(&run->stop))
        return; /* it was given up, and what it has is a part at most */
    if (!run->task.ok) {
        ui_fail(ui, &run->task.err);
        return;
    }
    found_rows_free(&finder->rows);
    finder->rows = run->rows;
    run->rows = (struct found_rows){0};
    finder->known = true;
    if (finder->rows.damaged)
        indexing_mend(ui);
    finder_fill(finder);
}

static void task_free(struct ui_task *task)
{
    struct finder_task *run = (struct finder_task *)task;

    told_free(&run->told);
    found_rows_free(&run->rows);
    str_free(&run->text);
    free(run);
}

void finder_give_up(struct finder *finder)
{
    if (finder->task)
        atomic_store(&finder->task->stop, true);
}

static void begin(struct finder *finder)
{
    struct ui *ui = finder->screen.ui;
    struct finder_task *run = mem_zero(1, sizeof *run);

    run->task = (struct ui_task){
        .work = work, .done = done, .free = task_free, .screen = finder->screen.id};
    str_add_span(&run->text, str_span(&finder->text));
    run->ranked = finder->ranked;
    run->now_us = ui_now(ui);
    run->told = indexing_take_told(ui);
    finder->stale = false;
    finder->task = run;
    ui_begin(ui, UI_SEARCH, &run->task);
}

void finder_seek(struct finder *finder)
{
    struct query query;

    finder->again = finder->task != NULL;
    finder_give_up(finder);
    finder->mistake.scope = ERR_NONE;
    finder->empty = !span_trim(str_span(&finder->text)).len;
    if (finder->empty) {
        found_rows_free(&finder->rows);
        finder->known = finder->again = false;
        finder_fill(finder);
        return;
    }
    if (!query_parse(&query, str_span(&finder->text), &finder->mistake, NULL))
        finder->again = false; /* half a query finds nothing else than the part before did */
    else if (!finder->task)
        begin(finder);
    query_free(&query);
}

int64_t finder_due_us(struct screen *screen)
{
    const struct finder *finder = (const struct finder *)screen;

    if (!finder->stale || finder->task || finder->empty || finder->mistake.scope)
        return WHEN_NONE;
    return when_left(finder->ended_us + finder->cost_us * REST);
}
