/* Tests properties of threads on many graphs: they equal what the slow and simple way finds, the
 * order of the messages makes no difference, and long chains only take longer. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "mail/thread/thread.h"

#include <stdio.h>

enum { MESSAGES = 40, ROUNDS = 300, LONG = 100000 };

/* Every way in which a layout can join messages, in several sources and teams. */
static const struct place places[] = {
    {.source = 0},
    {.source = 1},
    {.source = 2, .chained = true},
    {.source = 3, .chained = true},
    {.source = 4, .by_subject = true, .team = {"web", 3}},
    {.source = 4, .by_subject = true, .team = {"ops", 3}},
    {.source = 5, .short_replies = true, .team = {"web", 3}},
};
enum { PLACES = sizeof places / sizeof *places };

static struct span random_id(struct arena *arena, uint32_t pool)
{
    char text[32];

    snprintf(text, sizeof text, "MSG-%04u-long", draw(pool));
    return arena_copy(arena, span_of(text));
}

/* Few ids make cycles, answers to oneself and equal ids; many make dangling parents. */
static void put_random(struct batch *batch, uint32_t pool)
{
    static const char *const names[] = {"ann", "bob", "lead"};
    static const char *const subjects[] = {"x", "y", "Re: x", "Re: y", "[HIGH] Re: x"};
    struct message *message = batch_add(batch);
    struct arena *arena = &batch->arena;

    message->place = &places[draw(PLACES)];
    message->id = random_id(arena, pool);
    message->from = span_of(names[draw(3)]);
    message->to = span_of(names[draw(3)]);
    message->subject = span_of(subjects[draw(5)]);
    message->created_us = draw(20);
    if (draw(4) == 0)
        message->thread = random_id(arena, pool);
    if (draw(2) == 0)
        message->reply_to = random_id(arena, pool);
    if (draw(16) == 0)
        message->reply_to = message->id;
    if (message->place->short_replies && message->reply_to.len)
        message->reply_to.len = 8;
    message->requires_response = draw(8) == 0;
    message->kind = message->requires_response ? KIND_PLAN : KIND_MESSAGE;
}

static struct span spoken(const struct message *message, struct span id)
{
    if (message->place->short_replies && id.len > 8)
        id.len = 8;
    return id;
}

/* True if two messages of one source and team share an id. */
static bool share_an_id(const struct message *a, const struct message *b)
{
    const struct span of_a[] = {spoken(a, a->id), a->thread, spoken(a, a->reply_to)};
    const struct span of_b[] = {spoken(b, b->id), b->thread, spoken(b, b->reply_to)};

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            if (of_a[i].len && span_eq(of_a[i], of_b[k]))
                return true;
    return false;
}

/* Returns the topic of a message, without the prefixes that answering adds. */
static const char *about(const struct message *message)
{
    return strrchr(message->subject.at, ' ') ? strrchr(message->subject.at, ' ') + 1
                                             : message->subject.at;
}

static bool is_answer(const struct message *message)
{
    return strstr(message->subject.at, "Re: ") != NULL;
}

/* True if the two are an answer and a message between the same agents on the same subject. */
static bool share_a_subject(const struct message *a, const struct message *b)
{
    bool same = span_eq(a->from, b->from) && span_eq(a->to, b->to);
    bool back = span_eq(a->from, b->to) && span_eq(a->to, b->from);

    return a->place->by_subject && !a->thread.len && !b->thread.len && (same || back) &&
           strcmp(about(a), about(b)) == 0 && (is_answer(a) || is_answer(b));
}

static bool is_next_plan(const struct requests *asks, uint32_t earlier, uint32_t later)
{
    uint32_t ask = asks->of[later];

    return ask != REQUEST_NONE && asks->items[ask].supersedes != REQUEST_NONE &&
           asks->items[asks->items[ask].supersedes].message == earlier;
}

static bool are_tied(const struct model *model, const struct requests *asks, uint32_t i, uint32_t k)
{
    const struct message *a = model->messages[i], *b = model->messages[k];

    if (a->place->source != b->place->source || !span_eq(a->place->team, b->place->team))
        return false;
    return share_an_id(a, b) || share_a_subject(a, b) || is_next_plan(asks, i, k) ||
           is_next_plan(asks, k, i);
}

/* Finds in the slow and simple way everything that can be reached over any number of ties. */
static void close_over(const struct model *model, const struct requests *asks,
                       bool reached[MESSAGES][MESSAGES])
{
    for (uint32_t i = 0; i < MESSAGES; i++)
        for (uint32_t k = 0; k < MESSAGES; k++)
            reached[i][k] = i == k || are_tied(model, asks, i, k);
    for (size_t over = 0; over < MESSAGES; over++)
        for (size_t i = 0; i < MESSAGES; i++)
            for (size_t k = 0; k < MESSAGES; k++)
                reached[i][k] |= reached[i][over] && reached[over][k];
}

static void fill_random(struct model *model)
{
    uint32_t pool = 10 + draw(150);
    struct batch batch = {0};

    for (int i = 0; i < MESSAGES; i++)
        put_random(&batch, pool);
    model_add(model, &batch);
}

Test(thread_property, random_graphs_have_the_threads_of_their_closure)
{
    static bool reached[MESSAGES][MESSAGES];

    for (int round = 0; round < ROUNDS; round++) {
        struct model model = {0};
        struct threads threads;
        struct requests asks;
        fill_random(&model);
        requests_build(&asks, &model, 0);
        threads_build(&threads, &model, &asks);
        close_over(&model, &asks, reached);
        for (size_t i = 0; i < MESSAGES; i++) {
            cr_assert_lt(threads.of[i], threads.count);
            for (size_t k = 0; k < i; k++)
                cr_assert_eq(threads.of[i] == threads.of[k], reached[i][k],
                             "round %d: messages %zu and %zu", round, k, i);
        }
        threads_free(&threads);
        requests_free(&asks);
        model_free(&model);
    }
}

static void shuffle(struct message **messages, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = draw(i);
        struct message *one = messages[i - 1];
        messages[i - 1] = messages[other];
        messages[other] = one;
    }
}

/* Labels each message, by its number in the batch, with the lowest number of a message in its
 * thread, and with the name of its chain. */
static void label(struct model *model, size_t *labels, struct span *names)
{
    const struct message *first = model->batches[0].items;
    struct threads threads;
    struct requests asks;
    size_t lowest[MESSAGES];

    chain_name_threads(model);
    requests_build(&asks, model, 0);
    threads_build(&threads, model, &asks);
    memset(lowest, 0xff, sizeof lowest);
    for (size_t i = 0; i < MESSAGES; i++) {
        size_t number = (size_t)(model->messages[i] - first);
        if (number < lowest[threads.of[i]])
            lowest[threads.of[i]] = number;
    }
    for (size_t i = 0; i < MESSAGES; i++) {
        size_t number = (size_t)(model->messages[i] - first);
        labels[number] = lowest[threads.of[i]];
        names[number] = model->messages[i]->thread;
    }
    threads_free(&threads);
    requests_free(&asks);
}

Test(thread_property, the_order_of_the_messages_makes_no_difference)
{

    for (int round = 0; round < ROUNDS; round++) {
        struct model model = {0};
        size_t before[MESSAGES], after[MESSAGES];
        struct span given[MESSAGES], names_before[MESSAGES], names_after[MESSAGES];
        fill_random(&model);
        for (size_t i = 0; i < MESSAGES; i++)
            given[i] = model.messages[i]->thread;
        label(&model, before, names_before);
        for (size_t i = 0; i < MESSAGES; i++)
            model.batches[0].items[i].thread = given[i];
        shuffle(model.messages, MESSAGES);
        label(&model, after, names_after);
        for (size_t i = 0; i < MESSAGES; i++) {
            cr_assert_eq(before[i], after[i], "round %d: message %zu", round, i);
            cr_assert(span_eq(names_before[i], names_after[i]), "round %d: message %zu is %.*s",
                      round, i, (int)names_after[i].len, names_after[i].at);
        }
        model_free(&model);
    }
}

/* Makes a chain of answers, the first message of which answers `end`. */
static void fill_chain(struct model *model, const struct place *place, const char *end)
{
    struct batch batch = {0};
    char text[16];

    for (int i = 0; i < LONG; i++) {
        struct message *message = batch_add(&batch);
        message->place = place;
        message->created_us = i;
        snprintf(text, sizeof text, "MSG-%d", i);
        message->id = arena_copy(&batch.arena, span_of(text));
        snprintf(text, sizeof text, "MSG-%d", i - 1);
        message->reply_to = arena_copy(&batch.arena, span_of(i ? text : end));
    }
    model_add(model, &batch);
}

/* Arranges the messages oldest first, newest first, or in no order. */
static void arrange(struct model *model, int order)
{

    for (size_t i = 0; order == 1 && i < model->count; i++)
        model->messages[i] = &model->batches[0].items[model->count - 1 - i];
    if (order == 2)
        shuffle(model->messages, model->count);
}

Test(thread_property, a_chain_of_a_hundred_thousand_is_one_thread)
{
    for (int order = 0; order < 3; order++) {
        struct model model = {0};
        struct threads threads;
        fill_chain(&model, &places[0], NULL);
        arrange(&model, order);
        threads_build(&threads, &model, NULL);
        cr_assert_eq(threads.count, 1);
        for (size_t i = 0; i < LONG; i++)
            cr_assert(threads.of[i] == 0);
        threads_free(&threads);
        model_free(&model);
    }
}

Test(thread_property, every_message_of_a_long_chain_is_called_after_its_first)
{
    static const struct {
        const char *end, *name;
    } cases[] = {{NULL, "MSG-0"}, {"gone", "gone"}, {"MSG-0", "MSG-0"}, {"MSG-99999", "MSG-0"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int order = 0; order < 3; order++) {
            struct model model = {0};
            fill_chain(&model, &places[2], cases[k].end);
            arrange(&model, order);
            model_settle(&model);
            cr_assert_eq(model.count, LONG);
            for (size_t i = 0; i < LONG; i++)
                assert_span(model.messages[i]->thread, cases[k].name);
            model_free(&model);
        }
    }
}

Test(thread_property, a_chain_takes_the_name_that_a_message_in_it_gives)
{
    struct model model = {0};

    fill_chain(&model, &places[2], "gone");
    model.messages[LONG / 2]->thread = span_of("named");
    model_settle(&model);
    assert_span(model.messages[LONG / 2 - 1]->thread, "gone");
    for (size_t i = LONG / 2; i < LONG; i++)
        assert_span(model.messages[i]->thread, "named");
    model_free(&model);
}

Test(thread_property, what_leads_into_a_circle_is_called_after_its_oldest)
{
    static const char *const texts[][2] = {{"a", "b"}, {"b", "c"}, {"c", "d"},
                                           {"d", "b"}, {"e", "c"}, {"f", "f"}};
    struct model model = {0};
    struct batch batch = {0};

    for (size_t i = 0; i < 6; i++) {
        struct message *message = batch_add(&batch);
        message->place = &places[2];
        message->id = span_of(texts[i][0]);
        message->reply_to = span_of(texts[i][1]);
        message->created_us = i == 2 ? 1 : 10 + (int64_t)i;
    }
    model_add(&model, &batch);
    model_settle(&model);
    for (size_t i = 0; i < 5; i++)
        assert_span(model.messages[i]->thread, "c");
    assert_span(model.messages[5]->thread, "f");
    model_free(&model);
}

Test(thread_property, chains_of_two_sources_do_not_mix)
{
    struct model model = {0};
    struct batch batch = {0};

    for (size_t i = 0; i < 4; i++) {
        struct message *message = batch_add(&batch);
        message->place = &places[2 + i % 2];
        message->id = span_of(i < 2 ? "first" : "second");
        message->reply_to = span_of(i == 0 ? "in the first" : i == 1 ? "in the second" : "first");
    }
    model_add(&model, &batch);
    model_settle(&model);
    for (size_t i = 0; i < 4; i++)
        assert_span(model.messages[i]->thread, i % 2 ? "in the second" : "in the first");
    model_free(&model);
}
