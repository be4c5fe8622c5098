/* Tests rendering handoffs: lines that fit, and complete JSON objects. */
#include "tests/unit/support.h"

#include "mail/message/message.h"
#include "mail/render/render_handoff.h"

#define NOW_US INT64_C(1770480000000000)
#define MINUTE_US INT64_C(60000000)

static const struct place here = {.root = "/m"};
static const struct place team = {.root = "/m", .team = {"web", 3}};
static const struct render_options style = {.now_us = NOW_US};

static struct batch batch;
static struct model model;
static struct threads threads;
static struct handoff_list handoffs;

static struct message *offer(const char *id, const char *from, const char *to, int minutes)
{
    struct message *message = batch_add(&batch);

    message->place = &here;
    message->id = message->file = span_of(id);
    message->from = span_of(from);
    message->to = span_of(to);
    message->subject = span_of("parser");
    message->kind = KIND_HANDOFF;
    message->created_us = NOW_US - minutes * MINUTE_US;
    message->expires_us = TIME_NONE;
    message->priority = PRIORITY_NORMAL;
    return message;
}

static struct str lines(size_t columns)
{
    struct handoffs_input input = {.model = &model, .threads = &threads, .now_us = NOW_US};
    const struct handoff_status *handoff_list[8];
    struct str out = {0};

    model_add(&model, &batch);
    threads_build(&threads, &model, NULL);
    handoffs_build(&handoffs, &input);
    for (size_t i = 0; i < handoffs.count; i++)
        handoff_list[i] = &handoffs.items[i];
    struct render_handoffs list = {.handoffs = &handoffs,
                                   .handoff_list = handoff_list,
                                   .count = handoffs.count,
                                   .columns = columns};
    render_handoffs(&out, &list, &style);
    return out;
}

static void clear(void)
{
    handoffs_free(&handoffs);
    threads_free(&threads);
    model_free(&model);
}

TestSuite(render_handoffs, .fini = clear);

Test(render_handoffs, on_a_screen_lines_are_cut_and_the_id_stays)
{
    offer("h1", "swarm_dev/architect", "swarm_dev/implementer", 190);
    struct str out = lines(60);

    cr_assert_str_eq(str_c(&out), "  3h stalled     architect -> implementer parser (offer~  "
                                  "h1\n");
    str_free(&out);
}

Test(render_handoffs, a_line_of_json_is_ascii_whatever_the_names_are)
{
    struct message *message = offer("h1", "a\xc3\xa9\x1b", "bob", 5);
    struct str out = {0};

    message->place = &team;
    message = offer("h2", "bob", "carol", 4);
    message->place = &team;
    message->created_us = NOW_US;
    struct str text = lines(0);
    render_handoff_status_json(&out, &handoffs, &handoffs.items[1], "adr", span_of("/m"), NOW_US);
    cr_assert_not_null(
        strstr(str_c(&out), "\"lineage\":[{\"agent\":\"a\\u00e9\\u001b\",\"id\":\"h1\"}]}\n"), "%s",
        str_c(&out));
    str_free(&out);
    str_free(&text);
}
