/* Tests snapshots: after each of many random changes, the snapshot made from the changed parts
 * equals one made of all mail: conversations and their order, requests and their answers, agents,
 * handoffs. Both are written as text and compared. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "base/mem.h"
#include "ui/snapshot/picture.h"

#include <stdio.h>
#include <stdlib.h>

/* Layouts differ in how messages are related, and teams have ids of their own. */
#define PLACE(number, crew, agent, folder, ...)                                                    \
    {                                                                                              \
        .source = (number), .root = (number) ? "/far" : "/near", .team = {crew, 3},                \
        .box = {agent, 3}, .dir = {crew "/" agent "/" folder, 8 + sizeof(folder) - 1}, __VA_ARGS__ \
    }

static const struct place places[] = {
    PLACE(0, "red", "ann", "in", ),
    PLACE(0, "red", "ann", "old", .archived = true),
    PLACE(0, "red", "bob", "in", ),
    PLACE(0, "red", "bob", "old", .archived = true),
    PLACE(0, "sea", "ann", "in", ),
    PLACE(1, "red", "ann", "in", .by_subject = true, .short_replies = true, .chained = true),
    PLACE(1, "red", "ann", "old", .by_subject = true, .short_replies = true, .chained = true,
          .archived = true, .done_archived = true),
    PLACE(1, "red", "bob", "in", .by_subject = true, .short_replies = true, .chained = true),
    PLACE(2, "red", "ann", "in", .chained = true),
    PLACE(2, "red", "ann", "old", .chained = true, .archived = true),
    PLACE(2, "red", "bob", "in", .chained = true)};

enum { PLACES = sizeof places / sizeof *places, FILES = 60, WORDS = 6 };

/* With few ids all messages are related, with many hardly any. */
static uint32_t ids;

static const char *const names[] = {"ann", "bob", "cas", "dan"};
static const char *const subjects[WORDS] = {"", "one", "Re: one", "two", "[HIGH] Re: two", "three"};
static const char *const types[] = {"",
                                    "permission_request",
                                    "plan_approval_request",
                                    "shutdown_request",
                                    "shutdown_approved",
                                    "shutdown_rejected",
                                    "message"};
static const uint8_t kinds[] = {KIND_MESSAGE, KIND_QUESTION, KIND_HANDOFF,  KIND_ESCALATION,
                                KIND_PLAN,    KIND_PLAN,     KIND_SHUTDOWN, KIND_IDLE,
                                KIND_IDLE,    KIND_SHUTDOWN, KIND_HANDOFF,  KIND_PERMISSION};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct span draw_id(struct batch *batch, bool maybe)
{
    char id[24];

    if (maybe && draw(2))
        return (struct span){0};
    snprintf(id, sizeof id, "id%04u-rest", draw(ids));
    return arena_copy(&batch->arena, span_of(id));
}

static const struct notice notices[] = {
    {.reason = {"failed", 6}}, {.summary = {"[to bob] done", 13}}, {.reason = {"available", 9}}};
static const struct work works[] = {
    {.read_us = TIME_NONE, .completed_us = TIME_NONE},
    {.giver = {"cas", 3}, .job = {"T1", 2}, .read_us = 40, .completed_us = TIME_NONE}};

static void draw_message(struct batch *batch, const struct place *place, struct span file,
                         int64_t now_us)
{
    struct message *message = batch_add(batch);

    message->place = place;
    message->file = file;
    message->id = draw_id(batch, false);
    message->thread = draw_id(batch, true);
    message->reply_to = draw_id(batch, true);
    message->from = span_of(names[draw(COUNT(names))]);
    message->to = draw(4) ? span_of(names[draw(COUNT(names))]) : (struct span){0};
    message->subject = span_of(subjects[draw(WORDS)]);
    message->type = span_of(types[draw(COUNT(types))]);
    message->kind = kinds[draw(COUNT(kinds))];
    message->created_us = draw(9) ? now_us - 500 + draw(900) : TIME_NONE;
    message->expires_us = draw(4) ? TIME_NONE : now_us - 100 + draw(300);
    message->print = draw(1u << 30);
    message->content = draw(4) ? 1 : draw(3);
    message->priority = (uint8_t)draw(PRIORITY_URGENT + 1);
    message->status = (uint8_t)draw(STATUS_NONE + 1);
    message->verdict = (uint8_t)draw(3);
    message->said = (uint8_t)draw(5);
    message->requires_response = draw(3) == 0;
    message->mine = span_is(message->to, "ann");
    message->by_us = span_is(message->from, "ann");
    message->seen = draw(5) == 0;
    message->damaged = draw(20) ? NULL : "it is";
    message->notice = message->kind == KIND_IDLE ? &notices[draw(3)] : NULL;
    message->work = message->kind == KIND_HANDOFF && draw(2) ? &works[draw(2)] : NULL;
}

/* --- as text --- */

static void put_name(struct str *out, const struct message *message)
{
    if (message)
        message_add_name(out, message, true);
    else
        str_putc(out, '-');
    str_putc(out, ' ');
}

static const struct message *message_or_none(const struct model *model, uint32_t number)
{
    return number == UINT32_MAX ? NULL : model->messages[number];
}

static void put_asks(struct str *out, const struct requests *asks, const struct model *model,
                     uint32_t number)
{
    const struct request *ask =
        asks->of[number] == REQUEST_NONE ? NULL : &asks->items[asks->of[number]];
    uint32_t answered = asks->answers[number];

    if (answered != REQUEST_NONE) {
        str_puts(out, "answers ");
        put_name(out, model->messages[asks->items[answered].message]);
    }
    if (!ask)
        return;
    str_addf(out, "open %d refusal %d by ", ask->open, ask->refusal);
    put_name(out, message_or_none(model, ask->answer));
    put_name(out, ask->supersedes == REQUEST_NONE
                      ? NULL
                      : model->messages[asks->items[ask->supersedes].message]);
}

static void put_handoff_status(struct str *out, const struct handoff_list *all, uint32_t number)
{
    const struct handoff_status *handoff_status = handoffs_of(all, number);

    if (!handoff_status)
        return;
    str_addf(out, "%s %d stalled %d since %lld heard %lld ",
             handoff_state_name(handoff_status->state), handoff_status->proof,
             handoff_status->stalled, (long long)handoff_status->since_us,
             (long long)handoff_status->heard_us);
    put_name(out, message_or_none(all->model, handoff_status->evidence));
    put_name(out, handoff_status->previous == HANDOFF_STATUS_NONE
                      ? NULL
                      : all->model->messages[all->items[handoff_status->previous].message]);
    put_name(out, handoff_status->next == HANDOFF_STATUS_NONE
                      ? NULL
                      : all->model->messages[all->items[handoff_status->next].message]);
}

static void put_conversation(struct str *out, const struct sight *sight,
                             const struct conversation *conversation)
{
    const struct conversations *conversations = &sight->conversations;

    str_puts(out, "talk ");
    conversation_add_key(out, conversations, conversation);
    str_addf(out, ": %.*s group %d unread %u %u waits %.*s %lld stuck %.*s %lld kind %d prio %d ",
             (int)conversation->id.len, conversation->id.at,
             inbox_order_group(conversations, conversation), conversation->unread,
             conversation->unread_mine, (int)conversation->waits_on.len, conversation->waits_on.at,
             (long long)conversation->waits_us, (int)conversation->stuck_why.len,
             conversation->stuck_why.at, (long long)conversation->stuck_us, conversation->kind,
             conversation->priority);
    put_name(out, conversations->model->messages[conversation->named_by]);
    str_addf(out, "last %lld %d%d%d%d\n", (long long)conversation->last_us,
             conversation->waits_for_us, conversation->ours, conversation->archived,
             conversation->failed);
    for (uint32_t i = 0; i < conversation->count; i++) {
        uint32_t number = conversations->order[conversation->first + i];
        str_puts(out, "  ");
        put_name(out, conversations->model->messages[number]);
        str_addf(out, "flags %x thread %.*s ", conversations->model->messages[number]->flags,
                 (int)conversations->model->messages[number]->thread.len,
                 conversations->model->messages[number]->thread.at);
        put_asks(out, &sight->asks, conversations->model, number);
        put_handoff_status(out, &sight->handoffs, number);
        str_putc(out, '\n');
    }
}

static void put_sight(struct str *out, const struct sight *sight, const struct attention *order,
                      const struct sight_counts *counts)
{
    str_addf(out, "%zu waiting, %zu unread, %zu stuck; %zu messages, %zu doubles\n",
             counts->waiting, counts->unread, counts->stuck, sight->model->count,
             sight->model->double_count);
    for (size_t i = 0; i < order->count; i++)
        put_conversation(out, sight, &sight->conversations.items[order->conversations[i]]);
    for (size_t i = 0; i < sight->agents.count; i++) {
        const struct agent *agent = &sight->agents.items[i];
        str_addf(out, "%s %.*s %u: %.*s unread %zu asks %zu %zu %zu ",
                 agent_state_name(agent->state), (int)agent->name.len, agent->name.at,
                 agent->source, (int)agent->why.len, agent->why.at, agent->unread, agent->asks_you,
                 agent->asks_by, agent->asks_to);
        put_name(out, message_or_none(sight->model, agent->evidence));
        str_putc(out, '\n');
    }
}

/* --- what is compared --- */

static struct agent_names nobody;
static struct agent_keys keys[3];
static struct agent_limits limits[3] = {{100, 80, 60}, {200, 50, 90}, {150, 70, 40}};
static struct agent_directory world = {.keys = keys,
                                       .limits = limits,
                                       .source_count = 3,
                                       .naming = 1,
                                       .asked = PTHREAD_MUTEX_INITIALIZER};

struct watching {
    struct live *live;
    struct sight_parts *parts;
    int64_t now_us;
};

static void say_whole(struct str *out, const struct watching *w)
{
    struct scope everybody = {0};
    struct model model = {0};
    struct attention order;
    struct sight sight;

    live_view(w->live, &model);
    sight_build(&sight, &model, &world, w->now_us, false);
    inbox_order_build(&order, &sight.conversations, &everybody);
    const struct sight_counts counts = sight_count(&sight);
    put_sight(out, &sight, &order, &counts);
    inbox_order_free(&order);
    sight_free(&sight);
    model_free(&model);
}

/* Asserts that each message is found by its key. */
static void assert_found(const struct picture *picture)
{
    struct str key = {0};

    for (uint32_t i = 0; i < picture->model.count; i++) {
        str_clear(&key);
        picture_add_key(&key, picture->model.messages[i]);
        uint32_t found = picture_number(picture, str_span(&key));
        cr_assert(found != UINT32_MAX, "%s", str_c(&key));
        str_clear(&key);
        picture_add_key(&key, picture->model.messages[i]);
        cr_assert(found == i || picture->model.messages[found]->file.len, "%s", str_c(&key));
    }
    cr_assert(picture_number(picture, span_of("/near/red/ann/in/none")) == UINT32_MAX);
    str_free(&key);
}

static struct picture *assert_same(const struct watching *w, unsigned step)
{
    struct picture *picture = mem_zero(1, sizeof *picture);
    struct str whole = {0}, joined = {0};

    sight_parts_follow(w->parts, w->live, &world, w->now_us);
    picture_build(picture, w->parts, &world, w->now_us);
    say_whole(&whole, w);
    put_sight(&joined, &picture->sight, &picture->order, &picture->counts);
    cr_assert(span_eq(str_span(&whole), str_span(&joined)),
              "step %u\n=== of all mail\n%s\n=== of the parts\n%s\n", step, str_c(&whole),
              str_c(&joined));
    assert_found(picture);
    str_free(&whole);
    str_free(&joined);
    return picture;
}

static void draw_update(struct update *update, int64_t now_us)
{
    update->source = draw(3);
    for (uint32_t i = 1 + draw(draw(6) ? 3 : 40); i; i--) {
        uint32_t place = draw(PLACES);
        char name[16];
        if (places[place].source != update->source)
            continue;
        snprintf(name, sizeof name, "f%u.json", draw(FILES));
        struct span file = arena_copy(&update->batch.arena, span_of(name));
        size_t first = update->batch.count;
        bool gone = draw(4) == 0;
        if (!gone)
            draw_message(&update->batch, &places[place], file, now_us);
        update_add(update, &places[place], file, gone ? UPDATE_GONE : UPDATE_HOLDS, first);
    }
}

/* Advances the clock, in leaps that let things expire, and rarely sets it back. */
static void pass_time(struct watching *w)
{
    if (draw(3) == 0)
        w->now_us += draw(120);
    if (draw(40) == 0)
        w->now_us -= draw(60);
}

/* Changes `naming`, as when names begin to mean other agents: all results that depend on names must
 * be made again. */
static void rename_some(void)
{
    if (draw(30) == 0)
        world.naming++;
}

static void follow(uint64_t seed, size_t part_size, unsigned steps)
{
    struct watching w = {.live = live_new(), .now_us = 100000};
    struct picture *shown = NULL;
    uint64_t held = 0;

    draw_state = seed;
    ids = seed % 2 ? 60 : 3000;
    for (size_t i = 0; i < COUNT(keys); i++)
        agent_keys_build(&keys[i], format_find(span_of("adr")), &nobody);
    live_hold(w.live);
    w.parts = sight_parts_new(w.live, part_size);
    for (unsigned step = 0; step < steps; step++) {
        struct update update = {0};
        draw_update(&update, w.now_us);
        batch_finish(&update.batch);
        live_apply(w.live, &update, NULL);
        pass_time(&w);
        rename_some();
        update_free(&update);
        if (draw(4) == 0)
            continue; /* several updates become one snapshot */
        struct picture *next = assert_same(&w, step);
        if (shown)
            picture_free(shown);
        shown = next;
        live_release(w.live, held);
        held = live_held(w.live);
    }
    if (shown)
        picture_free(shown);
    sight_parts_free(w.parts);
    live_free(w.live);
    for (size_t i = 0; i < COUNT(keys); i++)
        agent_keys_free(&keys[i]);
}

Test(picture_property, of_many_small_parts_says_what_all_mail_says)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
        follow(seed, 3, 200);
}

Test(picture_property, of_a_few_parts_says_what_all_mail_says)
{
    for (uint64_t seed = 100; seed <= 103; seed++)
        follow(seed, 40, 200);
}
