/* Sweeps the time between the delivery of a message and its sender's check. */
#include "sweep.h"

#include "tests/faults/storage.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void take_away(const char *path, struct span bytes, struct span next)
{
    (void)bytes, (void)next;
    unlink(path);
}

static void cut_short(const char *path, struct span bytes, struct span next)
{
    (void)next;
    put_as_others(path, (struct span){bytes.at, bytes.len / 2});
}

static void write_over(const char *path, struct span bytes, struct span next)
{
    (void)bytes, (void)next;
    put_as_others(path, span_of("{\"id\":\"another\"}"));
}

static void mark(const char *path, struct span bytes, struct span next)
{
    struct change change = {.status = STATUS_READ, .now_us = SENT_US};
    struct str edited = {0};
    struct err err;

    (void)next;
    if (world.format->edit(bytes, &change, &edited, &err))
        put_as_others(path, str_span(&edited));
    str_free(&edited);
}

static void put_away(const char *path, struct span bytes, struct span next)
{
    struct str archive = {0};

    (void)bytes, (void)next;
    str_addf(&archive, "%s/", world.root);
    format_dir(&archive, world.format, true, (struct span){0}, span_of("dave"));
    mkdir(str_c(&archive), 0755);
    str_puts(&archive, strrchr(path, '/'));
    if (!strstr(path, "/archive/"))
        cr_assert_eq(rename(path, str_c(&archive)), 0, "%s to %s", path, str_c(&archive));
    str_free(&archive);
}

static void (*delivery)(const char *path, struct span bytes, struct span next);

static void befall(void)
{
    each_mail_file(delivery);
}

/* Sends, and changes the delivered message before each sync, from the first on. */
static void send_to_delivery(size_t format, bool arrives, const char *what)
{
    struct send_options options = {.create = true, .verify = VERIFY_BOTH, .source = STORE_ANY};
    struct fault_order order = {.under = world.project,
                                .kind = SYNC,
                                .at = 1,
                                .error = FAULT_MEANWHILE,
                                .lasting = true,
                                .meanwhile = befall};
    struct err err = {0};

    open_world(format);
    struct outgoing_message letter = make_letter("alice", "dave");
    fault_begin(&order);
    bool ok = store_send(world.store, &letter, &options, &err);
    cr_assert_gt(fault_end(), 0);
    cr_assert_eq(ok, arrives, "%s: %s", what, err.text);
    cr_assert(letter.delivered);
    cr_assert_eq(letter.seen, arrives, "%s", what);
    cr_assert(ok || err.scope == ERR_UNCONFIRMED, "%s: %s", what, err.text);
    cr_assert(ok || strstr(err.text, "is not what was written"), "%s: %s", what, err.text);
    outgoing_message_free(&letter);
}

sweeping(what_vanishes_right_after_it_was_delivered_is_told)
{
    delivery = take_away;
    if (formats[*index]->storage == STORAGE_FILES)
        send_to_delivery(*index, false, "taken away");
}

sweeping(what_is_cut_short_right_after_it_was_delivered_is_told)
{
    delivery = cut_short;
    if (formats[*index]->storage == STORAGE_FILES)
        send_to_delivery(*index, false, "cut short");
}

sweeping(what_is_written_over_right_after_it_was_delivered_is_told)
{
    delivery = write_over;
    if (formats[*index]->storage == STORAGE_FILES)
        send_to_delivery(*index, false, "written over");
}

sweeping(what_was_marked_right_after_it_was_delivered_has_arrived)
{
    delivery = mark;
    if (formats[*index]->storage == STORAGE_FILES && formats[*index]->edit)
        send_to_delivery(*index, true, "marked");
}

sweeping(what_was_put_away_right_after_it_was_delivered_has_arrived)
{
    enum archiving archiving = formats[*index]->archiving;

    delivery = put_away;
    if (archiving == ARCHIVE_COPY || archiving == ARCHIVE_MOVE)
        send_to_delivery(*index, true, "put away");
}
