/* The maker: news in, pictures out. */
#include "ui/snapshot/maker.h"

#include "base/mem.h"
#include "base/thread.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Between two pictures there is as long as one takes, twice that while all mail loads, and at least
 * a moment in which what belongs together can come. While news comes one upon another the next is
 * waited for, but nobody is kept waiting for long. */
enum { LOADING_REST = 2, OUT_MOST = 2 };
#define TOGETHER_US INT64_C(20000)
#define QUIET_US INT64_C(5000)
#define PATIENCE_US INT64_C(300000)

/* A command for the thread. */
struct lead_command {
    struct queue_item item;
    enum { ORDER_NEWS, ORDER_BACK, ORDER_END } what;
    struct news news;
    struct picture *back; /* that is not shown any more */
};

struct maker {
    struct queue orders, made;
    pthread_t thread;
    int64_t now_us; /* TIME_NONE: the clock's */
    /* the thread's own */
    struct live *live;
    struct sight_parts *parts; /* of the live mail */
    struct agent_directory *world;
    struct agent_directory **old_worlds; /* that pictures which are out may still have */
    size_t old_count, old_cap;
    uint64_t old_before;           /* that were let go */
    struct picture *next;          /* with what has changed since the last one; NULL: nothing has */
    size_t news_cap;               /* of its news */
    struct picture *out[OUT_MOST]; /* that have not come back, the oldest first */
    size_t out_count;
    unsigned number;
    bool ready, told_ready, ending;
    int64_t next_us;           /* when the clock alone changes something, or TIME_NONE */
    int64_t built_us, cost_us; /* when the last was done, by the steady clock; what it took */
    int64_t first_us, last_us; /* when the first and the last news for the next one came */
};

/* --- on the thread --- */

static void free_directory(struct agent_directory *world)
{
    if (world)
        agent_directory_free(world);
    free(world);
}

/* Frees what was replaced before the oldest snapshot in use was made. */
static void let_go(struct maker *maker, uint64_t held, uint64_t worlds)
{
    size_t count = (size_t)(worlds - maker->old_before);

    live_release(maker->live, held);
    for (size_t i = 0; i < count; i++)
        free_directory(maker->old_worlds[i]);
    maker->old_before = worlds;
    maker->old_count -= count;
    if (maker->old_count)
        memmove(maker->old_worlds, maker->old_worlds + count,
                maker->old_count * sizeof *maker->old_worlds);
}

static void take_back(struct maker *maker, struct picture *picture)
{
    picture_free(picture);
    maker->out_count--;
    memmove(maker->out, maker->out + 1, maker->out_count * sizeof *maker->out);
    if (maker->out_count)
        let_go(maker, maker->out[0]->held, maker->out[0]->old_worlds);
}

/* Changes borrow from the news they came with, which then stays with them. */
static void take_update(struct maker *maker, struct news *news)
{
    struct picture *next = maker->next;
    size_t before = next->changes.count;

    live_apply(maker->live, &news->update, maker->ready ? &next->changes : NULL);
    if (next->changes.count == before)
        return;
    next->news = mem_grow(next->news, &maker->news_cap, next->news_count + 1, sizeof *next->news);
    next->news[next->news_count++] = *news;
    *news = (struct news){0};
}

static void take_in(struct maker *maker, struct news *news)
{
    if (!maker->next) {
        maker->next = mem_zero(1, sizeof *maker->next);
        maker->news_cap = 0;
        maker->first_us = time_steady();
    }
    maker->last_us = time_steady();
    switch (news->kind) {
    case NEWS_UPDATE:
        take_update(maker, news);
        break;
    case NEWS_READY:
        maker->ready = true;
        break;
    case NEWS_KNOWN:
        maker->old_worlds = mem_grow(maker->old_worlds, &maker->old_cap, maker->old_count + 1,
                                     sizeof *maker->old_worlds);
        maker->old_worlds[maker->old_count++] = maker->world;
        maker->world = news->world;
        news->world = NULL;
        break;
    default:
        break;
    }
    news_free(news);
}

static void take_order(struct maker *maker, struct lead_command *order)
{
    switch (order->what) {
    case ORDER_NEWS:
        take_in(maker, &order->news);
        break;
    case ORDER_BACK:
        take_back(maker, order->back);
        break;
    case ORDER_END:
        maker->ending = true;
        break;
    }
    free(order);
}

static int64_t now_us(const struct maker *maker)
{
    return maker->now_us == TIME_NONE ? time_now() : maker->now_us;
}

/* When the clock alone changes an agent's state, or lets a handoff stall. */
static int64_t next_change_us(const struct sight *sight)
{
    int64_t next_us = sight->agents.next_change_us;

    time_min(&next_us, sight->handoffs.next_change_us);
    return next_us;
}

static void make_picture(struct maker *maker)
{
    struct picture *picture = maker->next ? maker->next : mem_zero(1, sizeof *picture);
    /* agents are judged by all their mail, or not at all */
    struct agent_directory *world = maker->ready ? maker->world : NULL;
    int64_t begun_us = time_steady(), made_us = now_us(maker);

    maker->next = NULL;
    sight_parts_follow(maker->parts, maker->live, world, made_us);
    picture_build(picture, maker->parts, world, made_us);
    picture->ready = maker->told_ready = maker->ready;
    picture->number = ++maker->number;
    picture->held = live_held(maker->live);
    picture->old_worlds = maker->old_before + maker->old_count;
    maker->next_us = maker->ready && maker->world ? next_change_us(&picture->sight) : TIME_NONE;
    maker->out[maker->out_count++] = picture;
    queue_put(&maker->made, &picture->item);
    maker->built_us = time_steady();
    maker->cost_us = maker->built_us - begun_us;
}

/* Until nothing more is to be expected at once. */
static int64_t quiet_us_left(const struct maker *maker)
{
    int64_t quiet_us = maker->last_us + QUIET_US, end_us = maker->first_us + PATIENCE_US;

    return (quiet_us < end_us ? quiet_us : end_us) - time_steady();
}

/* In how many microseconds the next is to be made, 0 for now; TIME_NONE: there is no reason. The
 * first messages, and that everything is there, are not kept from anybody. */
static int64_t due_us(const struct maker *maker)
{
    int64_t rest_us = maker->cost_us * (maker->ready ? 1 : LOADING_REST);
    int64_t left_us =
        maker->built_us + (rest_us > TOGETHER_US ? rest_us : TOGETHER_US) - time_steady();

    if (maker->out_count == OUT_MOST)
        return TIME_NONE;
    if ((maker->ready && !maker->told_ready) || (!maker->number && live_count(maker->live)))
        return 0;
    if (!maker->next) {
        if (maker->next_us == TIME_NONE)
            return TIME_NONE;
        int64_t change_us = maker->next_us - now_us(maker);
        left_us = change_us > left_us ? change_us : left_us;
    } else {
        int64_t quiet_us = quiet_us_left(maker);
        left_us = quiet_us > left_us ? quiet_us : left_us;
    }
    return left_us > 0 ? left_us : 0;
}

static void *make_pictures(void *context)
{
    struct maker *maker = context;
    struct queue_item *item;

    for (;;) {
        while ((item = queue_take(&maker->orders)))
            take_order(maker, (struct lead_command *)item);
        if (maker->ending)
            return NULL;
        int64_t wait_us = due_us(maker);
        struct pollfd orders = {.fd = maker->orders.ready, .events = POLLIN};
        if (wait_us == 0)
            make_picture(maker);
        else
            poll(&orders, 1, wait_us == TIME_NONE ? -1 : time_poll_ms(wait_us));
    }
}

/* --- for the others --- */

static bool start_thread(struct maker *maker, struct err *err)
{
    int failed = parallel_start(&maker->thread, make_pictures, maker);

    return !failed || err_set(err, ERR_SOURCE,
                              "the thread that makes pictures of the mail cannot "
                              "be started: %s",
                              strerror(failed));
}

static void free_all(struct maker *maker)
{
    struct queue_item *item;

    while ((item = queue_take(&maker->orders)))
        take_order(maker, (struct lead_command *)item);
    while ((item = queue_take(&maker->made)))
        picture_free((struct picture *)item);
    if (maker->next)
        picture_free(maker->next);
    let_go(maker, live_held(maker->live), maker->old_before + maker->old_count);
    free(maker->old_worlds);
    free_directory(maker->world);
    sight_parts_free(maker->parts);
    live_free(maker->live);
    queue_close(&maker->orders);
    queue_close(&maker->made);
    free(maker);
}

struct maker *maker_start(int64_t now_us, struct picture **picture, struct err *err)
{
    struct maker *maker = mem_zero(1, sizeof *maker);

    *maker = (struct maker){.now_us = now_us, .next_us = TIME_NONE, .built_us = time_steady()};
    if (!queue_open(&maker->orders, err)) {
        free(maker);
        return NULL;
    }
    if (!queue_open(&maker->made, err)) {
        queue_close(&maker->orders);
        free(maker);
        return NULL;
    }
    maker->live = live_new();
    live_hold(maker->live);
    maker->parts = sight_parts_new(maker->live, SIGHT_PART_SIZE);
    *picture = maker->out[maker->out_count++] = mem_zero(1, sizeof **picture);
    if (!start_thread(maker, err)) {
        picture_free(*picture);
        free_all(maker);
        return NULL;
    }
    return maker;
}

static void hand_over(struct maker *maker, const struct lead_command *what)
{
    struct lead_command *order = mem_alloc(sizeof *order);

    *order = *what;
    queue_put(&maker->orders, &order->item);
}

void maker_end(struct maker *maker, struct picture *picture)
{
    if (!maker)
        return;
    hand_over(maker, &(struct lead_command){.what = ORDER_END});
    pthread_join(maker->thread, NULL);
    picture_free(picture);
    free_all(maker);
}

void maker_add(struct maker *maker, struct news *news)
{
    hand_over(maker, &(struct lead_command){.what = ORDER_NEWS, .news = *news});
    *news = (struct news){0};
}

int maker_fd(const struct maker *maker)
{
    return maker->made.ready;
}

bool maker_take(struct maker *maker, struct picture **picture)
{
    struct picture *made = (struct picture *)queue_take(&maker->made);

    if (!made)
        return false;
    hand_over(maker, &(struct lead_command){.what = ORDER_BACK, .back = *picture});
    *picture = made;
    return true;
}
