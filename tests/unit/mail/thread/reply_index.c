/* Tests the reply index: several answers to one id are in order, and a lookup finds the same as
 * going through all messages. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "mail/message/message.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/reply_index.h"

enum { ANSWERS = 200, ASKED = 300, ROUNDS = 30 };

static const struct place places[] = {
    {.root = "/m", .team = {"red", 3}, .box = {"ann", 3}, .by_subject = true},
    {.root = "/m", .team = {"red", 3}, .box = {"a-b", 3}, .by_subject = true},
    {.root = "/m", .team = {"red", 3}, .by_subject = true},
    {.root = "/m", .team = {"blue", 4}, .box = {"ann", 3}, .by_subject = true},
};
static const char *const names[] = {"ann", "a.b", "a-b", "bob", "carol"};
static const char *const types[] = {"message", "shutdown_approved", "shutdown_rejected",
                                    "permission_response"};

#define ANY(list) (list)[draw(sizeof(list) / sizeof *(list))]

static void add(struct batch *batch, const char *id, bool answer)
{
    struct message *message = batch_add(batch);

    message->place = &places[draw(sizeof places / sizeof *places)];
    message->id = span_of(id);
    message->from = span_of(ANY(names));
    message->to = span_of(ANY(names));
    message->type = span_of(ANY(types));
    message->subject = span_of("Re: the same");
    message->reply_to = answer ? span_of("asked") : (struct span){0};
    message->verdict = (uint8_t)draw(3);
    message->content = draw(4);
    message->created_us = 1000000 * (int64_t)draw(1000) + (int64_t)batch->count; /* all different */
}

static bool answers(const struct model *model, const struct message *reply,
                    const struct replied *what)
{
    struct span box = reply->place->box;
    enum protocol_kind kind = protocol_kind_find(reply->type);
    const struct message *meant =
        what->asking ? duplicate_ids_meant(&model->same, reply, reply->reply_to, NULL) : NULL;

    if (span_eq(reply->from, what->from) || !span_eq(reply->place->team, what->team))
        return false;
    if (what->decided &&
        (reply->verdict == VERDICT_UNSAID ||
         !(box.len ? message_name_fits(what->from, box) : span_eq(reply->to, what->from))))
        return false;
    if (what->stops.at &&
        ((kind != PROTOCOL_SHUTDOWN_APPROVED && kind != PROTOCOL_SHUTDOWN_REJECTED) ||
         !message_name_fits(reply->from, what->stops)))
        return false;
    return !meant || meant->content == what->asking->content;
}

static uint32_t by_going_through_all(const struct model *model, const struct replied *what)
{
    uint32_t best = REPLY_NONE;

    for (uint32_t i = 0; i < model->count; i++)
        if (model->messages[i]->reply_to.len && answers(model, model->messages[i], what) &&
            (best == REPLY_NONE || message_cmp_time(model->messages[i], model->messages[best]) < 0))
            best = i;
    return best;
}

static void ask(struct replies *replies, const struct model *model, bool several)
{
    const struct message *asking = model->messages[draw((uint32_t)model->count)];
    struct replied what = {.team = ANY(places).team,
                           .from = span_of(ANY(names)),
                           .id = span_of("asked"),
                           .asking = several && draw(2) ? asking : NULL,
                           .decided = draw(2),
                           .stops = draw(2) ? span_of(ANY(names)) : (struct span){0}};

    cr_assert_eq(replies_find(replies, model, &what), by_going_through_all(model, &what));
}

static void check_answers(size_t count, size_t asked)
{
    struct batch batch = {0};
    struct model model = {0};
    struct replies replies;

    for (size_t i = 0; i < asked; i++)
        add(&batch, "asked", false);
    for (size_t i = 0; i < count; i++)
        add(&batch, "answer", true);
    model_add(&model, &batch);
    model_settle(&model);
    replies_build(&replies, &model);
    for (size_t i = 0; i < ASKED; i++)
        ask(&replies, &model, asked);
    replies_free(&replies);
    model_free(&model);
}

Test(replies, of_many_answers_to_one_id_the_earliest_that_counts_is_found)
{
    for (size_t i = 0; i < ROUNDS; i++) {
        check_answers(ANSWERS, 0);
        check_answers(ANSWERS, 3);
        check_answers(draw(40), 2);
    }
}

Test(replies, of_many_answers_by_subject_the_earliest_after_the_message_is_found)
{
    const struct replied what = {
        .team = places[0].team, .from = span_of("ann"), .id = span_of("asked")};
    const struct span by = span_of("bob"), subject = span_of("the same");

    for (size_t round = 0; round < ROUNDS; round++) {
        struct batch batch = {0};
        struct model model = {0};
        struct replies replies;
        for (size_t i = 0; i < ANSWERS * 10; i++)
            add(&batch, "answer", false);
        model_add(&model, &batch);
        model_settle(&model);
        replies_build(&replies, &model);
        for (int i = 0; i < 100; i++) {
            int64_t sent_us = draw(20) ? 1000000 * (int64_t)draw(1000) : TIME_NONE;
            uint32_t best = REPLY_NONE;
            for (uint32_t k = 0; k < model.count; k++) {
                const struct message *m = model.messages[k];
                if (span_eq(m->from, by) && span_eq(m->to, what.from) &&
                    span_eq(m->place->team, what.team) && reply_is_in_time(m, sent_us) &&
                    (best == REPLY_NONE || message_cmp_time(m, model.messages[best]) < 0))
                    best = k;
            }
            cr_assert_eq(replies_by_subject(&replies, &model, &what, by, subject, sent_us), best);
        }
        replies_free(&replies);
        model_free(&model);
    }
}
