/* Searches the same mail in a store with an index and in one without: both must agree with a slow
 * model. */
#include "searching.h"

#include "store/search/search_results.h"

#include <stdio.h>
#include <stdlib.h>

struct store *searching_indexed;
static struct store *bare;

/* --- searching --- */

static bool matches(void *context, const struct message *message)
{
    struct query_context known = {.layout = world.format->name, .words = true};

    return query_match(context, message, &known);
}

static void search(struct store *store, struct query *query, bool ranked, bool informed,
                   size_t limit, struct search_result *result)
{
    struct search search = {.query = query,
                            .ranked = ranked,
                            .limit = limit,
                            .informed = informed,
                            .matches = matches,
                            .context = query};
    struct err err = {0};

    *result = (struct search_result){0};
    cr_assert(store_search(store, &search, result, &err), "%s", err.text);
}

static int newest_first(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(b, a);

    return order ? order : message_cmp_place(a, b);
}

static void name(struct str *out, struct message *const *messages, size_t count)
{
    str_clear(out);
    for (size_t i = 0; i < count; i++) {
        message_add_name(out, messages[i], false);
        str_addf(out, " %.*s%s%s\n", (int)messages[i]->id.len, messages[i]->id.at,
                 messages[i]->place->local ? " copy" : "",
                 messages[i]->flags & MESSAGE_IN_BOTH ? " both" : "");
    }
}

/* Appends the results of the model, by date. */
static void expect(struct str *out, const struct model *model, int wish)
{
    struct message **found = calloc(model->count + 1, sizeof *found);
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++)
        if (!model->messages[i]->damaged && searching_fulfils(model->messages[i], wish))
            found[count++] = model->messages[i];
    model_sort(found, count, newest_first);
    name(out, found, count);
    free(found);
}

void searching_assert_all_agree(const char *when, bool informed)
{
    struct model model = load(true, true);
    struct str text = {0}, wanted = {0}, got = {0}, other = {0};
    size_t used = 0, found = 0;
    int queries = usual_rounds(250);

    for (int i = 0; i < queries; i++) {
        struct search_result with, without, some;
        struct query query;
        struct err err = {0};
        str_clear(&text);
        int wish = searching_wish(&text);
        cr_assert(query_parse(&query, str_span(&text), &err, NULL), "%s: %s", str_c(&text),
                  err.text);
        if (query_needs_words(&query)) {
            used++;
            expect(&wanted, &model, wish);
            search(searching_indexed, &query, false, informed, SIZE_MAX, &with);
            search(bare, &query, false, false, SIZE_MAX, &without);
            model_sort(with.messages, with.count, newest_first);
            model_sort(without.messages, without.count, newest_first);
            found += with.count;
            name(&got, with.messages, with.count);
            name(&other, without.messages, without.count);
            cr_assert_str_eq(str_c(&got), str_c(&wanted), "%s, with the index: %s\n%s\nnot\n%s",
                             when, str_c(&text), str_c(&got), str_c(&wanted));
            cr_assert_str_eq(str_c(&other), str_c(&wanted), "%s, without: %s\n%s\nnot\n%s", when,
                             str_c(&text), str_c(&other), str_c(&wanted));
            search(searching_indexed, &query, false, true, 2, &some);
            cr_assert_eq(some.count, with.count < 2 ? with.count : 2, "%s: %s", when, str_c(&text));
            for (size_t k = 0; k < some.count; k++)
                cr_assert_eq(some.messages[k]->created_us, with.messages[k]->created_us);
            search_result_free(&some);
            search_result_free(&with);
            search_result_free(&without);
            search(searching_indexed, &query, true, true, SIZE_MAX, &with);
            search(bare, &query, true, true, SIZE_MAX, &without);
            name(&got, with.messages, with.count);
            name(&other, without.messages, without.count);
            cr_assert_str_eq(str_c(&got), str_c(&other), "%s, ranked: %s\n%s\nnot\n%s", when,
                             str_c(&text), str_c(&got), str_c(&other));
            search_result_free(&with);
            search_result_free(&without);
        }
        query_free(&query);
    }
    cr_assert(used > (size_t)queries / 4, "%zu", used);
    cr_assert(found > used, "%zu in %zu", found, used); /* they do find something */
    model_free(&model);
    str_free(&text);
    str_free(&wanted);
    str_free(&got);
    str_free(&other);
}

/* --- mail --- */

/* Sends a random letter; returns false if that failed: a recipient with one slot may have a
 * message. */
static bool send_random(struct outgoing_message *letter)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = 0};
    uint32_t from = searching_draw(SEARCHING_NAMES),
             to = (from + 1 + searching_draw(SEARCHING_NAMES - 1)) % SEARCHING_NAMES;
    char *subject = searching_text(1 + searching_draw(3)),
         *body = searching_text(1 + searching_draw(30));
    struct err err = {0};

    *letter = make_letter(searching_names[from], searching_names[to]);
    for (char *c = subject; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (world.format->fields & FIELD_SUBJECT || world.format->storage == STORAGE_ARRAY)
        letter->draft.subject = span_of(subject);
    letter->draft.body = span_of(body);
    bool sent = store_send(world.store, letter, &options, &err);
    cr_assert(sent, "%s", err.text);
    bool delivered = letter->delivered && !letter->queued;
    free(subject);
    free(body);
    return delivered;
}

void searching_archive_some(uint32_t one_in)
{
    struct model model = load(true, false);

    for (size_t i = 0; i < model.count; i++) {
        if (searching_draw(one_in) || model.messages[i]->damaged)
            continue;
        char owner[100];
        struct span to = message_recipient(model.messages[i]);
        snprintf(owner, sizeof owner, "%.*s", (int)to.len, to.at);
        struct store *theirs = open_store(owner, false, NULL);
        change(theirs, model.messages[i], STATUS_ARCHIVED); /* some messages cannot be archived */
        store_close(theirs);
    }
    model_free(&model);
}

void searching_fill(size_t letters)
{
    for (size_t i = 0; i < letters; i++) {
        struct outgoing_message letter;
        bool delivered = send_random(&letter);
        outgoing_message_free(&letter);
        if (!delivered)
            searching_archive_some(1); /* make room */
    }
}

/* --- stores --- */

static void set_cache(const char *dir)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%s", world.tmp.path, dir);
    setenv("XDG_CACHE_HOME", path, 1);
}

void searching_open_both(bool build)
{
    struct index_build building = {.anew = true, .patient = true};
    struct search_result none;
    struct query query;
    struct err err = {0};

    set_cache("cache");
    if (build) {
        cr_assert(store_index_update(world.store, 0, &building, &err), "%s", err.text);
        cr_assert(building.docs > 0);
    }
    cr_assert(query_parse(&query, span_of("zeta"), &err, NULL));
    searching_indexed = open_store(NULL, false, NULL);
    search(searching_indexed, &query, false, false, 1, &none);
    search_result_free(&none);
    set_cache("nothing");
    bare = open_store(NULL, false, NULL);
    search(bare, &query, false, false, 1, &none);
    cr_assert_eq(none.indexed, 0);
    search_result_free(&none);
    set_cache("cache");
    query_free(&query);
}

void searching_close_both(void)
{
    store_close(searching_indexed);
    store_close(bare);
    searching_indexed = bare = NULL;
}

size_t searching_known(void)
{
    struct search_result result;
    struct query query;
    struct err err;

    cr_assert(query_parse(&query, span_of("zeta"), &err, NULL));
    search(searching_indexed, &query, false, false, SIZE_MAX, &result);
    size_t count = result.indexed;
    search_result_free(&result);
    query_free(&query);
    return count;
}
