/* Sweeping: one failure after the other, and the checks after each. */
#include "sweep.h"

#include "tests/faults/storage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MEMORY_DIR "/dev/shm"

/* The errors of each kind of call. Locks do not fail: SQLite would take the error for another
 * process's lock and wait. */
static const struct way {
    enum kind kind;
    int error; /* 0: it comes short */
} ways[] = {
    {OPEN, EIO},     {OPEN, EACCES},  {OPEN, ENOENT}, {READ, EIO},     {READ, 0},
    {WRITE, ENOSPC}, {WRITE, 0},      {SYNC, EIO},    {RENAME, EIO},   {LINK, EIO},
    {LINK, EEXIST},  {MKDIR, EACCES}, {UNLINK, EIO},  {UNLINK, EPERM}, {CLOSE, EIO},
    {MAP, ENOMEM},   {ATTR, EPERM},   {LIST, EIO},    {LOOK, ENOENT},  {LOOK, EIO},
};

/* True if the error may last: a short call is tried again, and ENOENT means a change by others. */
static bool can_last(const struct way *way)
{
    return way->error && way->error != ENOENT;
}

static void start(void)
{
    if (access(MEMORY_DIR, W_OK) == 0)
        setenv("TMPDIR", MEMORY_DIR, 1);
}

TestSuite(sweeping, .init = start, .fini = close_world, .timeout = 3600);

/* Returns the distance of the failing calls: 1 in make soak; here more, and always the same. */
static unsigned step(void)
{
    return getenv("SWARMUTT_SOAK") ? 1 : 23 * 4 / (unsigned)usual_rounds(4);
}

/* Returns how many of the concurrent changes there are for one that is tried. */
static unsigned rarity(void)
{
    return getenv("SWARMUTT_SOAK") ? 1 : 5 * 4 / (unsigned)usual_rounds(4);
}

/* Sends a message; in a box with one slot it may have to wait. */
static void send_from(const char *from, const char *to)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct outgoing_message letter = make_letter(from, to);
    struct err err;

    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    outgoing_message_free(&letter);
}

static size_t count_sound(void)
{
    struct model model = load(true, true);
    size_t sound = 0;

    for (size_t i = 0; i < model.count; i++)
        sound += !model.messages[i]->damaged;
    model_free(&model);
    return sound;
}

/* Returns the number of messages. Sets the clock an hour ahead: the program would read files that
 * were just written again and again for two seconds when that fails, and no index would trust
 * them. */
static size_t open_swept_world(size_t format, const struct swept *deed)
{
    fault_clock(0);
    open_world(format);
    become("alice");
    send_from("carol", "alice");
    send_from("bob", "alice");
    send_from("carol", "alice");
    send_from("alice", "bob");
    fault_clock(3600);
    if (deed->prepare)
        deed->prepare();
    size_t count = count_sound();
    store_close(world.store);
    world.store = NULL;
    return count;
}

struct message *first_of_alice(struct store *store, struct model *model, struct err *err)
{
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA | WANT_BODY};

    if (!store_load(store, &all, model, err))
        return NULL;
    for (size_t i = 0; i < model->count; i++)
        if (span_is(model->messages[i]->from, "carol") && !model->messages[i]->damaged)
            return model->messages[i];
    err_set(err, ERR_ABSENT, "nothing came");
    return NULL;
}

static bool run(const struct swept *deed, struct err *err)
{
    const char *sources[] = {world.spec};
    struct store_options options = {.sources = sources, .source_count = 1, .identity = "alice"};
    struct store *store = store_open(&options, err);
    bool ok = store && deed->run(store, err);

    if (store)
        store_close(store);
    return ok;
}

static void assert_all_there(const struct swept *deed, size_t count, const char *when)
{
    world.store = open_store("alice", false, NULL);
    size_t left = count_sound();
    cr_assert(deed->removes || left >= count, "%s: of %zu messages %zu are left", when, count,
              left);
}

/* Returns true if there was such a call. */
static bool fail_at(size_t format, const struct swept *deed, const struct fault_order *fault)
{
    struct fault_order order = *fault;
    struct err err = {0};
    char when[100];

    snprintf(when, sizeof when, "kind %d, call %u, errno %d%s", (int)order.kind, order.at,
             order.error, order.lasting ? ", and all after it" : "");
    size_t count = open_swept_world(format, deed);
    order.under = order.meanwhile ? world.project : world.tmp.path;
    fault_begin(&order);
    bool ok = run(deed, &err);
    unsigned hits = fault_end();
    cr_assert(ok || err.text[0], "%s: it fails without a sentence", when);
    assert_all_there(deed, count, when);
    close_world();
    return hits;
}

void sweep(size_t format, const struct swept *deed)
{
    struct err err = {0};
    unsigned offset = 0;

    size_t count = open_swept_world(format, deed);
    cr_assert(run(deed, &err), "nothing failed: %s", err.text);
    assert_all_there(deed, count, "when nothing failed");
    close_world();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int lasting = 0; lasting < 2; lasting++) {
            struct fault_order fault = {.kind = ways[i].kind,
                                        .error = ways[i].error,
                                        .lasting = lasting,
                                        .at = 1 + offset++ % step()};
            while ((!lasting || can_last(&ways[i])) && fail_at(format, deed, &fault))
                fault.at += step();
        }
    }
    open_world(format); /* for the end of the test */
}

/* The calls before which the mailbox may change. */
static const enum kind moments[] = {OPEN, READ, SYNC, RENAME, LINK, MKDIR, UNLINK, LOCK, LOOK};

void sweep_beside_others(size_t format, const struct swept *deed)
{
    unsigned offset = 0;

    for (const struct others *one = others; one->what; one++) {
        struct swept beside = *deed;
        beside.removes |= one->takes;
        for (size_t i = 0; i < 2 * sizeof moments / sizeof *moments; i++) {
            struct fault_order fault = {.kind = moments[i / 2],
                                        .error = FAULT_MEANWHILE,
                                        .lasting = i % 2,
                                        .at = 1 + offset++ % step(),
                                        .meanwhile = one->work};
            if ((offset + format) % rarity()) /* others in each layout */
                continue;
            while (!(one->once && fault.lasting) && fail_at(format, &beside, &fault))
                fault.at += step();
        }
    }
    open_world(format); /* for the end of the test */
}
