/* search: finds messages by their words, newest or best first. */
#include "cmd/app_options.h"
#include "cmd/mail_filter.h"
#include "mail/render/columns.h"
#include "store/search/search_results.h"

/* Limits of the work (see index_work()) for which a search updates the index: less is not worth it,
 * more takes too long unless the user asks for it. */
enum { LITTLE_WORK = 64, MUCH_WORK = 2000 };

static const struct option_spec options[] = {
    {"rank", .help = "the best first, not the newest"},
    {"limit", "N", .help = "at most this many"},
    {"lines", .help = "with the line in which it was found"},
    {"bodies", .help = "with the texts (for --json)"},
    {0},
};

struct searching {
    struct mail_view mail; /* loaded only for queries that need all messages */
    struct search_result found;
    struct message **messages;
    size_t count;
};

/* --- finding --- */

static bool message_matches(void *context, const struct message *message)
{
    return querying_match(context, message);
}

/* Matches all messages against a query that the index cannot answer. */
static bool read_all(struct searching *searching, struct err *err)
{
    struct load load = {.inbox = true, .archive = true, .want = WANT_DATA};
    struct model *model = &searching->mail.model;

    if (!querying_load(&searching->mail.querying, &load, model, err))
        return false;
    searching->mail.places = unreadable_find(searching->mail.app, model, UNREADABLE_ANY);
    model->count = querying_filter(&searching->mail.querying, model->messages, model->count);
    model_sort(model->messages, model->count, message_cmp_newest);
    searching->messages = model->messages;
    searching->count = model->count < searching->mail.limit ? model->count : searching->mail.limit;
    return true;
}

/* Resolves query terms that depend on all messages, such as is:waiting. */
static bool settle_results(struct searching *searching, struct err *err)
{
    CLEANUP(model_free) struct model all = {0};

    if (!query_asks(&searching->mail.querying.query))
        return true;
    bool ok = app_load(searching->mail.app, &load_everything, &all, err);
    if (ok)
        querying_settle(&searching->mail.querying, &all);
    return ok;
}

/* Sets the thread of results whose thread is named after its first message. */
static bool name_threads(struct searching *searching, struct err *err)
{
    struct search_result *found = &searching->found;
    CLEANUP(model_free) struct model all = {0};
    CLEANUP(message_map_free) struct message_map numbers = {0};
    bool nameless = false;

    for (size_t i = 0; i < found->count; i++)
        nameless |= found->messages[i]->place->chained && !found->messages[i]->thread.len;
    bool ok = !nameless || app_load(searching->mail.app, &load_everything, &all, err);
    for (size_t i = 0; ok && i < all.count; i++)
        *message_map_put(&numbers, all.messages[i]) = (uint32_t)i;
    for (size_t i = 0; ok && nameless && i < found->count; i++) {
        const uint32_t *known = message_map_get(&numbers, found->messages[i]);
        if (known)
            found->messages[i]->thread = arena_copy(&found->arena, all.messages[*known]->thread);
    }
    return ok;
}

static bool find_matches(struct searching *searching, struct err *err)
{
    const struct query *query = &searching->mail.querying.query;
    struct search search = {.query = query,
                            .ranked = app_has(searching->mail.app, "rank"),
                            .limit = searching->mail.limit,
                            .matches = message_matches,
                            .context = &searching->mail.querying};

    if (!query_needs_words(query) || query_names(query, "has", "thread"))
        return read_all(searching, err);
    if (!settle_results(searching, err) ||
        !store_search(searching->mail.app->store, &search, &searching->found, err) ||
        !name_threads(searching, err))
        return false;
    if (!search.ranked)
        model_sort(searching->found.messages, searching->found.count, message_cmp_newest);
    searching->messages = searching->found.messages;
    searching->count = searching->found.count < searching->mail.limit ? searching->found.count
                                                                      : searching->mail.limit;
    return true;
}

/* --- showing --- */

/* Prints one message as JSON; with its text only if --bodies asks for it. */
static void put_json(const struct searching *searching, const struct message *message)
{
    if (app_has(searching->mail.app, "bodies"))
        app_put_whole(searching->mail.app, message);
    else
        app_put_head(searching->mail.app, message);
}

/* Prints the list with an excerpt below each row. */
static void put_lines(const struct searching *searching)
{
    const struct app *app = searching->mail.app;
    CLEANUP(str_free) struct str list = {0}, out = {0}, line = {0};
    struct span rest;

    app_add_list(app, &list, searching->messages, searching->count, false);
    rest = str_span(&list);
    for (size_t i = 0; i < searching->count && rest.len; i++) {
        struct span row = span_first_line(rest);
        struct excerpt excerpt =
            excerpt_of(&searching->mail.querying.query, searching->messages[i]);
        str_add_span(&out, row);
        str_putc(&out, '\n');
        str_clear(&line);
        str_puts(&line, "    ");
        excerpt_add(&line, &excerpt, app->clean);
        if (line.len > 4)
            columns_put_line(&out, str_span(&line), (struct span){0}, app->clean, app_columns(app));
        rest.at += row.len + 1;
        rest.len -= row.len + 1;
    }
    app_put(app, &out);
}

static void put_results(const struct searching *searching)
{
    for (size_t i = 0; app_json(searching->mail.app) && i < searching->count; i++)
        put_json(searching, searching->messages[i]);
    if (app_json(searching->mail.app))
        return;
    if (app_has(searching->mail.app, "lines"))
        put_lines(searching);
    else
        app_put_list(searching->mail.app, searching->messages, searching->count, false);
}

/* Reports the unreadable places that reading or the index met. Returns the exit code. */
static int say_unreadable(const struct searching *searching)
{
    const struct span_list *paths = &searching->found.unreadable;

    if (!paths->count)
        return unreadable_report(searching->mail.app, &searching->mail.places, searching->count);
    for (size_t i = 0; i < paths->count && i < 2 * UNREADABLE_NAMED; i += 2)
        unreadable_note_path(searching->mail.app, paths->items[i].at, paths->items[i + 1].at);
    unreadable_note_more(searching->mail.app, paths->count / 2);
    return searching->count ? EXIT_DONE : EXIT_FAILED;
}

/* --- the index --- */

/* Updates the index if that is little work. Ignores failures, because only later searches need
 * it. */
static void tend_index(const struct searching *searching)
{
    const struct search_result *found = &searching->found;
    struct err ignored;

    if (found->problem[0])
        app_note(searching->mail.app,
                 "%s; the files were searched instead, and swarmutt index rebuild mends it",
                 found->problem);
    if (found->work > MUCH_WORK)
        app_note(searching->mail.app,
                 "%zu of %zu files are not in the search index and were read; swarmutt index "
                 "rebuild makes the next search quick",
                 found->read, found->files);
    if (found->work < LITTLE_WORK || found->work > MUCH_WORK ||
        app_has(searching->mail.app, "readonly"))
        return;
    for (uint32_t i = 0; i < store_source_count(searching->mail.app->store); i++) {
        struct index_build build = {.least = LITTLE_WORK, .most = MUCH_WORK};
        store_index_update(searching->mail.app->store, i, &build, &ignored);
    }
}

static void searching_free(struct searching *searching)
{
    search_result_free(&searching->found);
    mail_view_free(&searching->mail);
}

static int run_search(struct app *app)
{
    CLEANUP(searching_free) struct searching searching = {.mail.app = app};
    struct err err;
    int code;

    if (!mail_view_query(&searching.mail))
        return EXIT_USAGE;
    searching.mail.querying.words = true;
    if (!find_matches(&searching, &err)) {
        code = app_fail(app, &err);
    } else {
        put_results(&searching);
        code = say_unreadable(&searching);
        if (code == EXIT_NOTHING)
            app_note(app, "no message has: %s", str_c(&searching.mail.querying.text));
    }
    tend_index(&searching);
    return code;
}

const struct command command_search = {.name = "search",
                                       .operands = "QUERY",
                                       .summary = "messages by the words in them",
                                       .options = options,
                                       .takes = {{.kinds = WORD_QUERY, .more = true}},
                                       .least = 1,
                                       .most = -1,
                                       .run = run_search};
