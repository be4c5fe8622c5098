/* Tests the local state: marks and kept copies, whatever bytes their names contain. */
#include "state_support.h"

#include "base/time.h"

TestSuite(state, .init = make_home, .fini = clear_home, .timeout = 120);

enum { MANY = 10000 };

static const char *const hostile[] = {
    "plain",        "it's \"quoted\"", "'; DROP TABLE mark; --",
    "\xff\xfe\x80", "two\nlines",      "%s%n?1",
    "\x1b[2J",      "caf\xc3\xa9",     "PLAIN",
    " plain",       "plain ",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static struct state *state;
static struct marks marks;
static struct err err;

static struct state_key key_of(const char *team, const char *box, const char *id)
{
    return (struct state_key){.format = "roo",
                              .root = "/srv/mail",
                              .team = span_of(team),
                              .box = span_of(box),
                              .id = span_of(id)};
}

static void set(struct state_key key, const char *viewer, enum status status, int64_t now_us)
{
    cr_assert(state_set_status(state, &key, 1, span_of(viewer), status, now_us, &err), "%s",
              err.text);
}

static void see(struct state_key key, const char *viewer)
{
    cr_assert(state_mark_seen(state, &key, 1, span_of(viewer), &err), "%s", err.text);
}

static void load(const char *viewer)
{
    cr_assert(state_marks(state, "roo", "/srv/mail", span_of(viewer), &marks, &err), "%s",
              err.text);
}

static const struct mark *find(const char *team, const char *box, const char *id)
{
    return marks_find(&marks, span_of(team), span_of(box), span_of(id));
}

static void finish(void)
{
    marks_free(&marks);
    state_close(state);
}

Test(state, a_message_nobody_looked_at_has_no_mark)
{
    state = open_state();
    load("ann");
    cr_assert_null(find("", "bob", "1"));
    see(key_of("", "bob", "1"), "ann");
    load("ann");
    cr_assert_null(find("", "bob", "2"));
    finish();
}

Test(state, seen_and_status_stand_beside_each_other_and_survive_closing)
{
    state = open_state();
    see(key_of("", "bob", "seen"), "ann");
    set(key_of("", "bob", "status"), "ann", STATUS_READ, 70);
    set(key_of("", "bob", "both"), "ann", STATUS_PROCESSING, 71);
    see(key_of("", "bob", "both"), "ann");
    see(key_of("", "bob", "both"), "ann");
    set(key_of("", "bob", "both"), "ann", STATUS_FAILED, 72);
    state_close(state);
    state = open_state();
    load("ann");
    cr_assert_eq(marks.count, 3);
    const struct mark *mark = find("", "bob", "seen");
    cr_assert(mark && mark->seen && !mark->has_status);
    cr_assert_eq(mark->status, STATUS_UNREAD);
    cr_assert_eq(mark->changed_us, TIME_NONE);
    mark = find("", "bob", "status");
    cr_assert(mark && !mark->seen && mark->has_status && mark->status == STATUS_READ);
    cr_assert_eq(mark->changed_us, 70);
    mark = find("", "bob", "both");
    cr_assert(mark && mark->seen && mark->has_status && mark->status == STATUS_FAILED);
    cr_assert_eq(mark->changed_us, 72);
    finish();
}

Test(state, an_answer_stays_noted_until_it_is_lost)
{
    struct state_key key = key_of("", "bob", "1");
    struct outbox_entry answer = {.format = span_of("roo"),
                                  .root = span_of("/srv/mail"),
                                  .team = span_of(""),
                                  .id = span_of("another")};

    state = open_state();
    see(key, "ann");
    cr_assert(state_mark_answered(state, &key, span_of("ann"), 2, span_of("a-1"), &err), "%s",
              err.text);
    set(key, "ann", STATUS_READ, 5);
    set(key, "ann", STATUS_UNREAD, 6);
    cr_assert(state_unmark_answered(state, &answer, &err), "%s", err.text);
    load("ann");
    const struct mark *mark = find("", "bob", "1");
    cr_assert(mark && !mark->seen && !mark->has_status);
    cr_assert_eq(mark->answered, 2);
    answer.id = span_of("a-1");
    cr_assert(state_unmark_answered(state, &answer, &err), "%s", err.text);
    load("ann");
    cr_assert_eq(find("", "bob", "1")->answered, 0);
    finish();
}

Test(state, every_status_comes_back_and_unread_forgets_all)
{
    state = open_state();
    see(key_of("", "bob", "1"), "ann");
    for (enum status status = STATUS_READ; status < STATUS_NONE; status++) {
        set(key_of("", "bob", "1"), "ann", status, 5);
        load("ann");
        const struct mark *mark = find("", "bob", "1");
        cr_assert(mark && mark->seen && mark->has_status);
        cr_assert_eq(mark->status, status);
    }
    set(key_of("", "bob", "1"), "ann", STATUS_UNREAD, 6);
    load("ann");
    cr_assert_eq(marks.count, 0);
    cr_assert_null(find("", "bob", "1"));
    finish();
}

Test(state, each_part_of_the_key_tells_messages_apart)
{
    state = open_state();
    struct state_key keys[] = {
        key_of("a", "bc", "d"), key_of("ab", "c", "d"), key_of("a", "b", "cd"),
        key_of("", "abc", "d"), key_of("abc", "", "d"), key_of("a", "bc", "D"),
    };
    for (int i = 0; i < 6; i++) {
        see(keys[i], "ann");
        load("ann");
        cr_assert_eq(marks.count, (size_t)i + 1);
        for (int k = 0; k < 6; k++)
            cr_assert_eq(marks_find(&marks, keys[k].team, keys[k].box, keys[k].id) != NULL, k <= i);
    }
    finish();
}

Test(state, sources_and_viewers_do_not_see_each_others_marks)
{
    static const struct {
        const char *format, *root, *viewer;
    } others[] = {{"adr", "/srv/mail", "ann"},
                  {"roo", "/srv/mail2", "ann"},
                  {"roo", "/srv/mail", "Ann"},
                  {"roo", "/srv/mail", ""}};

    state = open_state();
    struct state_key key = key_of("t", "bob", "1");
    see(key, "ann");
    for (int i = 0; i < 4; i++) {
        cr_assert(state_marks(state, others[i].format, others[i].root, span_of(others[i].viewer),
                              &marks, &err));
        cr_assert_eq(marks.count, 0);
        key.format = others[i].format;
        key.root = others[i].root;
        cr_assert(
            state_set_status(state, &key, 1, span_of(others[i].viewer), STATUS_UNREAD, 1, &err));
    }
    load("ann");
    cr_assert_eq(marks.count, 1);
    finish();
}

Test(state, an_absent_name_is_an_empty_one)
{
    state = open_state();
    see(key_of(NULL, "bob", "1"), NULL);
    load("");
    cr_assert_not_null(find("", "bob", "1"));
    cr_assert_not_null(find(NULL, "bob", "1"));
    finish();
}

Test(state, names_may_hold_any_byte)
{
    static const struct span nul[] = {{"a\0b", 3}, {"a\0c", 3}, {"a", 1}, {"a\0", 2}, {"\0", 1}};

    state = open_state();
    for (int i = 0; i < HOSTILE; i++) {
        see(key_of(hostile[i], hostile[i], hostile[i]), hostile[0]);
        see(key_of("", "", hostile[i]), hostile[i]);
    }
    load(hostile[0]);
    cr_assert_eq(marks.count, HOSTILE + 1);
    for (int i = 0; i < HOSTILE; i++)
        cr_assert_not_null(find(hostile[i], hostile[i], hostile[i]), "%d", i);
    for (int i = 1; i < HOSTILE; i++) {
        load(hostile[i]);
        cr_assert_eq(marks.count, 1);
        cr_assert_not_null(find("", "", hostile[i]));
    }
    for (int i = 0; i < 5; i++) {
        struct state_key key = {
            .format = "roo", .root = "/srv/mail", .team = nul[i], .box = nul[i], .id = nul[i]};
        cr_assert(state_mark_seen(state, &key, 1, nul[i], &err));
        cr_assert(state_marks(state, "roo", "/srv/mail", nul[i], &marks, &err));
        cr_assert_eq(marks.count, 1, "%d", i);
        cr_assert_not_null(marks_find(&marks, nul[i], nul[i], nul[i]));
    }
    finish();
}

Test(state, ten_thousand_marks_are_all_found)
{
    static struct state_key keys[MANY];
    static char ids[MANY][16];

    state = open_state();
    for (int i = 0; i < MANY; i++) {
        snprintf(ids[i], sizeof ids[i], "msg-%d", i);
        keys[i] = key_of("team", "bob", ids[i]);
    }
    cr_assert(state_mark_seen(state, keys, MANY, span_of("ann"), &err), "%s", err.text);
    cr_assert(state_set_status(state, keys, MANY / 2, span_of("ann"), STATUS_COMPLETED, 9, &err));
    load("ann");
    cr_assert_eq(marks.count, MANY);
    for (int i = 0; i < MANY; i++) {
        const struct mark *mark = find("team", "bob", ids[i]);
        cr_assert(mark && mark->seen && mark->has_status == (i < MANY / 2), "%s", ids[i]);
    }
    cr_assert_null(find("team", "bob", "msg-10000"));
    finish();
}

Test(state, marks_are_set_together_or_not_at_all)
{
    state = open_state();
    struct state_key keys[] = {key_of("", "bob", "1"), key_of("", "bob", "2")};
    run_outside("CREATE TRIGGER no BEFORE INSERT ON mark WHEN NEW.id = CAST('2' AS BLOB)"
                " BEGIN SELECT RAISE(ABORT, 'no such luck'); END");
    cr_assert_not(state_mark_seen(state, keys, 2, span_of("ann"), &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, "no such luck"), "%s", err.text);
    cr_assert_not(state_set_status(state, keys, 2, span_of("ann"), STATUS_READ, 1, &err));
    load("ann");
    cr_assert_eq(marks.count, 0);
    see(keys[0], "ann");
    finish();
}

static int64_t keep(const char *id, struct span bytes, int64_t now_us)
{
    struct state_key key = key_of("t", "bob", id);
    int64_t number = 0;

    cr_assert(state_keep_copy(state, &key, span_of("ann"), span_of("to-bob.md"), bytes,
                              span_of("done"), now_us, &number, &err),
              "%s", err.text);
    return number;
}

static void drop(const char *id)
{
    struct state_undo item = {.key = key_of("t", "bob", id),
                              .viewer = span_of("ann"),
                              .mark = &(struct mark){0},
                              .copies = true};

    cr_assert(state_undo_marks(state, &item, 1, &err), "%s", err.text);
}

Test(state, a_kept_copy_is_archived_and_comes_back_byte_for_byte)
{
    const struct span bytes = {"---\nid: 1\n\0\xff\n", 13};
    struct copies copies = {0};
    struct str got = {0};

    state = open_state();
    int64_t first = keep("1", bytes, 50), second = keep("2", span_of(""), 51);
    state_close(state);
    state = open_state();
    cr_assert(state_copies(state, "roo", "/srv/mail", &copies, &err), "%s", err.text);
    cr_assert_eq(copies.count, 2);
    const struct copy *copy = &copies.items[0];
    cr_assert_eq(copy->number, first);
    assert_span(copy->team, "t");
    assert_span(copy->box, "bob");
    assert_span(copy->id, "1");
    assert_span(copy->viewer, "ann");
    assert_span(copy->name, "to-bob.md");
    cr_assert_eq(copy->kept_us, 50);
    cr_assert_eq(copy->size, 13);
    cr_assert_eq(copies.items[1].number, second);
    cr_assert(state_copy_bytes(state, first, &got, &err), "%s", err.text);
    cr_assert(span_eq(str_span(&got), bytes));
    cr_assert(state_copy_bytes(state, second, &got, &err), "%s", err.text);
    cr_assert_eq(got.len, 0);
    load("ann");
    const struct mark *mark = find("t", "bob", "1");
    cr_assert(mark && mark->has_status && mark->status == STATUS_ARCHIVED);
    cr_assert_eq(mark->changed_us, 50);
    cr_assert(state_copies(state, "roo", "/srv/mail2", &copies, &err));
    cr_assert_eq(copies.count, 0);
    str_free(&got);
    copies_free(&copies);
    finish();
}

Test(state, the_same_bytes_are_kept_once_and_other_bytes_beside_them)
{
    struct copies copies = {0};

    state = open_state();
    int64_t first = keep("1", span_of("one"), 50);
    cr_assert_eq(keep("1", span_of("one"), 51), first);
    cr_assert_neq(keep("1", span_of("another under the same id"), 52), first);
    cr_assert_neq(keep("2", span_of("one"), 53), first);
    cr_assert(state_copies(state, "roo", "/srv/mail", &copies, &err));
    cr_assert_eq(copies.count, 3);
    copies_free(&copies);
    finish();
}

Test(state, a_dropped_copy_is_gone_and_its_number_is_not_given_again)
{
    struct str got = {0};

    state = open_state();
    int64_t first = keep("1", span_of("one"), 50), second = keep("2", span_of("two"), 50);
    drop("2");
    cr_assert_not(state_copy_bytes(state, second, &got, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert(state_copy_bytes(state, first, &got, &err), "%s", err.text);
    cr_assert_gt(keep("3", span_of("three"), 51), second);
    str_free(&got);
    finish();
}

Test(state, a_copy_without_its_mark_is_not_kept)
{
    struct copies copies = {0};
    struct state_key key = key_of("", "bob", "1");

    state = open_state();
    run_outside("CREATE TRIGGER no BEFORE INSERT ON mark BEGIN SELECT RAISE(ABORT, 'no'); END");
    cr_assert_not(state_keep_copy(state, &key, span_of("ann"), span_of("f"), span_of("bytes"),
                                  span_of(""), 1, NULL, &err));
    cr_assert(state_copies(state, "roo", "/srv/mail", &copies, &err));
    cr_assert_eq(copies.count, 0);
    copies_free(&copies);
    finish();
}

Test(state, a_copy_that_is_not_there_is_absent)
{
    struct str bytes = {0};

    state = open_state();
    cr_assert(!state_copy_bytes(state, 12, &bytes, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
    cr_assert(strstr(err.text, "no copy 12"), "%s", err.text);
    finish();
}

Test(state, a_mark_that_said_unread_is_taken_back_to_none)
{
    const struct state_key key = key_of("", "bob", "i");
    const struct mark unread = {.has_status = true, .status = STATUS_UNREAD};
    const struct state_undo undo = {.key = key, .viewer = span_of("me"), .mark = &unread};

    state = open_state();
    set(key, "me", STATUS_COMPLETED, 5);
    cr_assert(state_undo_marks(state, &undo, 1, &err), "%s", err.text);
    load("me");
    cr_assert_eq(marks.count, 0);
    finish();
}
