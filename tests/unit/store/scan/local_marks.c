/* Tests local marks: what one person has marked and kept, which nobody else sees. */
#include "tests/unit/store/state/state_support.h"

#include "store/layouts/claude.h"
#include "store/scan/load.h"
#include "store/scan/local_marks.h"

TestSuite(overlay, .init = make_home, .fini = clear_home);

static struct source source = {
    .format = &claude_format, .path = (char[]){"/srv/mail"}, .identity = (char[]){"ann"}};
static const struct place web = {.root = "/srv/mail", .team = {"web", 3}, .box = {"bob", 3}};
static const struct place ops = {.root = "/srv/mail", .team = {"ops", 3}, .box = {"bob", 3}};
static const struct place old = {
    .root = "/srv/mail", .team = {"web", 3}, .box = {"bob", 3}, .archived = true};
static const struct place here = {
    .root = "/srv/mail", .team = {"web", 3}, .box = {"bob", 3}, .archived = true, .local = true};

static struct state *state;
static struct local_marks overlay;
static struct batch batch;
static struct err err;

static void put(const struct place *place, const char *id)
{
    struct message *message = batch_add(&batch);

    message->place = place;
    message->id = span_of(id);
    message->status = STATUS_UNREAD;
}

static struct state_key key_of(const struct place *place, const char *id)
{
    struct message message = {.place = place, .id = span_of(id)};

    return local_marks_key(&source, &message);
}

static void set(const struct place *place, const char *id, const char *viewer, enum status status)
{
    struct state_key key = key_of(place, id);

    cr_assert(state_set_status(state, &key, 1, span_of(viewer), status, 5, &err), "%s", err.text);
}

static void check_as(const char *viewer)
{
    local_marks_free(&overlay);
    cr_assert(local_marks_open(&overlay, &source, state, span_of(viewer), &err), "%s", err.text);
}

static void finish(void)
{
    local_marks_free(&overlay);
    batch_free(&batch);
    state_close(state);
}

Test(overlay, marks_count_for_their_viewer_only)
{
    state = open_state();
    set(&web, "m1", "ann", STATUS_PROCESSING);
    struct state_key key = key_of(&web, "m2");
    cr_assert(state_mark_seen(state, &key, 1, span_of("ann"), &err));
    put(&web, "m1");
    put(&web, "m2");
    put(&ops, "m1");
    check_as("zed");
    local_marks_apply(&overlay, &batch, 0);
    for (int i = 0; i < 3; i++)
        cr_assert(batch.items[i].status == STATUS_UNREAD && !batch.items[i].seen);
    check_as("ann");
    local_marks_apply(&overlay, &batch, 0);
    cr_assert_eq(batch.count, 3);
    cr_assert(batch.items[0].status == STATUS_PROCESSING && !batch.items[0].seen);
    cr_assert(batch.items[1].status == STATUS_UNREAD && batch.items[1].seen);
    cr_assert(batch.items[2].status == STATUS_UNREAD && !batch.items[2].seen, "another team");
    finish();
}

Test(overlay, without_a_viewer_it_is_who_we_are_and_a_team_says_nothing_more)
{
    state = open_state();
    set(&web, "m1", "ann", STATUS_FAILED);
    put(&web, "m1");
    check_as(NULL);
    assert_span(overlay.viewer, "ann");
    local_marks_apply(&overlay, &batch, 0);
    cr_assert_eq(batch.items[0].status, STATUS_FAILED);
    batch.items[0].status = STATUS_UNREAD;
    check_as("ann@web");
    local_marks_apply(&overlay, &batch, 0);
    cr_assert_eq(batch.items[0].status, STATUS_FAILED);
    finish();
}

Test(overlay, what_was_put_away_here_is_hidden_where_it_lies)
{
    state = open_state();
    set(&web, "m2", "ann", STATUS_ARCHIVED);
    put(&web, "m1");
    put(&web, "m2");
    put(&old, "m2");
    put(&here, "m2");
    put(&web, "m3");
    check_as("ann");
    local_marks_apply(&overlay, &batch, 0);
    cr_assert_eq(batch.count, 4);
    assert_span(batch.items[0].id, "m1");
    cr_assert_eq(batch.items[1].place, &old);
    cr_assert_eq(batch.items[2].place, &here);
    assert_span(batch.items[3].id, "m3");
    finish();
}

Test(overlay, what_cannot_be_read_keeps_its_state)
{
    state = open_state();
    set(&web, "m1", "ann", STATUS_READ);
    set(&web, "m2", "ann", STATUS_READ);
    set(&old, "m3", "ann", STATUS_READ);
    put(&web, "m1");
    batch.items[0].damaged = "it is";
    batch.items[0].status = STATUS_NONE;
    put(&web, "m2");
    batch.items[1].unread_bytes = true;
    put(&old, "m3");
    batch.items[2].status = STATUS_ARCHIVED;
    check_as("ann");
    local_marks_apply(&overlay, &batch, 0);
    cr_assert_eq(batch.count, 3);
    cr_assert_eq(batch.items[0].status, STATUS_NONE);
    cr_assert_eq(batch.items[1].status, STATUS_UNREAD);
    cr_assert_eq(batch.items[2].status, STATUS_ARCHIVED);
    finish();
}

Test(overlay, without_a_state_nothing_is_laid_over)
{
    put(&web, "m1");
    cr_assert(local_marks_open(&overlay, &source, NULL, span_of("ann"), &err));
    local_marks_apply(&overlay, &batch, 0);
    cr_assert(local_marks_copies(&overlay, (struct span){0}, (struct span){0}, (struct span){0}, 0,
                                 &batch, &err));
    cr_assert_eq(batch.count, 1);
    finish();
}

/* --- kept copies --- */

static void keep(const struct place *place, const char *id, const char *viewer, const char *bytes)
{
    struct state_key key = key_of(place, id);

    cr_assert(state_keep_copy(state, &key, span_of(viewer), span_of("bob.json"), span_of(bytes),
                              span_of(""), 9, NULL, &err),
              "%s", err.text);
}

#define ENTRY(text) "{\"from\":\"cy\",\"text\":\"" text "\",\"read\":false}"

static size_t copies_of(const char *team, const char *box, const char *id)
{
    batch_free(&batch);
    cr_assert(local_marks_copies(&overlay, span_of(team), span_of(box), span_of(id),
                                 WANT_DATA | WANT_BODY, &batch, &err),
              "%s", err.text);
    return batch.count;
}

Test(overlay, copies_are_the_archive_of_their_viewer)
{
    state = open_state();
    keep(&web, "m1", "ann", ENTRY("one"));
    keep(&ops, "m2", "ann", ENTRY("two"));
    keep(&web, "m3", "zed", ENTRY("three"));
    check_as("ann");
    cr_assert_eq(copies_of(NULL, NULL, NULL), 2);
    const struct message *m = &batch.items[0];
    assert_span(m->id, "m1");
    assert_span(m->from, "cy");
    assert_span(m->to, "bob");
    assert_span(m->file, "bob.json");
    assert_span(m->data->body, "one");
    cr_assert_eq(m->status, STATUS_ARCHIVED);
    cr_assert(m->place->archived && m->place->local && m->place->by_subject);
    assert_span(m->place->team, "web");
    assert_span(m->place->box, "bob");
    assert_span(m->place->dir, "teams/web/inboxes");
    cr_assert_str_eq(m->place->root, "/srv/mail");
    cr_assert_null(m->damaged);
    assert_span(batch.items[1].id, "m2");
    cr_assert_eq(copies_of("web", NULL, NULL), 1);
    cr_assert_eq(copies_of("ops", "bob", "m2"), 1);
    cr_assert_eq(copies_of("ops", "bob", "m1"), 0);
    cr_assert_eq(copies_of(NULL, "zed", NULL), 0);
    cr_assert_eq(copies_of(NULL, NULL, "m1"), 1);
    check_as("zed");
    cr_assert_eq(copies_of(NULL, NULL, NULL), 1);
    assert_span(batch.items[0].id, "m3");
    finish();
}

Test(overlay, a_copy_that_cannot_be_read_is_shown_as_damaged)
{
    state = open_state();
    keep(&web, "m1", "ann", "[" ENTRY("one") ",{\"fr");
    check_as("ann");
    cr_assert_eq(copies_of(NULL, NULL, NULL), 1);
    assert_span(batch.items[0].id, "m1");
    cr_assert_str_not_empty(batch.items[0].damaged);
    cr_assert_eq(batch.items[0].status, STATUS_ARCHIVED);
    finish();
}

__attribute__((noinline)) static void dirty_the_stack(void)
{
    volatile char bytes[32768];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = i % 64 ? 'Z' : '\0';
}

Test(overlay, an_empty_copy_is_damaged_for_a_reason)
{
    state = open_state();
    keep(&web, "m1", "ann", "");
    check_as("ann");
    dirty_the_stack(); /* finds reasons that are uninitialised memory */
    cr_assert_eq(copies_of(NULL, NULL, NULL), 1);
    cr_assert_str_not_empty(batch.items[0].damaged);
    cr_assert_null(strstr(batch.items[0].damaged, "ZZ"), "%s", batch.items[0].damaged);
    cr_assert_not_null(strchr(batch.items[0].damaged, ' '), "%s", batch.items[0].damaged);
    finish();
}

Test(overlay, a_copy_whose_state_cannot_be_had_is_gone_for_a_reason)
{
    struct message copy = {.place = &here, .id = span_of("m1"), .file = span_of("bob.json")};
    struct str bytes = {0};

    memset(&err, 'Z', sizeof err); /* finds reasons that are uninitialised memory */
    cr_assert_not(load_raw(&source, &copy, NULL, &bytes, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
    cr_assert_not_null(strstr(err.text, "is gone"), "%s", err.text);
    cr_assert_eq(bytes.len, 0);
    cr_assert(load_again(&source, &copy, WANT_HEAD, NULL, &batch, &err));
    cr_assert_eq(batch.count, 0);
}

Test(overlay, the_bytes_of_a_copy_come_back)
{
    struct str bytes = {0};

    state = open_state();
    keep(&web, "m1", "ann", ENTRY("one"));
    check_as("ann");
    cr_assert_eq(copies_of(NULL, NULL, NULL), 1);
    cr_assert(local_marks_raw(&overlay, &batch.items[0], &bytes, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&bytes), ENTRY("one"));
    check_as("zed");
    cr_assert_not(local_marks_raw(&overlay, &batch.items[0], &bytes, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    str_free(&bytes);
    finish();
}
