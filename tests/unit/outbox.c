/* Tests of delivery and the outbox: what is sent is noted first, and looked for until it is sure.
 */
#include "state_support.h"

#include "base/when.h"
#include "store/outbox.h"

#include <fcntl.h>

/* Of lock_support.c and file_support.c: other programs between two system calls. */
extern void (*before_mkdir)(int call, const char *name);
extern void (*at_fstat)(int call);

#define INBOX "mail/teams/web/inboxes/bob.json"
#define SLOT "mail/.roo/mailbox/to-tester.md"
#define OTHER "[{\"from\":\"x\",\"text\":\"other\",\"timestamp\":\"t\",\"read\":false}]"

static struct source source;
static struct state *state;
static struct err err;
static struct outbox box;
static struct letter letter;

static void open_mail(const char *format)
{
    char spec[512];

    if (source.path)
        source_close(&source);
    snprintf(spec, sizeof spec, "%s:%s/mail", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
}

static void make(void)
{
    make_home();
    setenv("HOME", tmp.path, 1);
    tmp_write(&tmp, INBOX, span_of("[]"));
    open_mail("claude");
    state = open_state();
}

static void clear(void)
{
    before_mkdir = NULL;
    at_fstat = NULL;
    letter_free(&letter);
    outbox_free(&box);
    state_close(state);
    source_close(&source);
    clear_home();
}

TestSuite(outbox, .init = make, .fini = clear, .timeout = 120);

static struct letter letter_to(const char *agent, const char *body)
{
    bool teams = format_has_teams(source.format);
    struct letter made = {.draft = draft_new(),
                          .to = {.agent = span_of(agent),
                                 .team = teams ? span_of("web") : (struct span){0},
                                 .box = span_of(agent),
                                 .has_box = true}};

    made.draft.from = span_of("lead");
    made.draft.to = span_of(agent);
    made.draft.subject = span_of("Subject");
    made.draft.body = span_of(body);
    return made;
}

static bool deliver_all(struct letter *letters, size_t count, enum verify verify)
{
    const struct delivery how = {.source = &source, .state = state, .verify = verify};

    err = (struct err){0};
    return deliver(&how, letters, count, &err);
}

static bool send(const char *agent, const char *body, enum verify verify)
{
    letter_free(&letter);
    letter = letter_to(agent, body);
    return deliver_all(&letter, 1, verify);
}

static int times_in(const char *path, const char *text)
{
    int times = 0;

    if (!tmp_exists(&tmp, path))
        return 0;
    struct str got = tmp_read(&tmp, path);
    for (const char *at = str_c(&got); (at = strstr(at, text)); at++)
        times++;
    str_free(&got);
    return times;
}

static size_t count_outbox(void)
{
    cr_assert(outbox_list(state, &box, &err), "%s", err.text);
    return box.count;
}

/* The only entry of the outbox is in that state. */
static const struct outbox_entry *expect_entry(enum outbox_state want)
{
    cr_assert_eq(count_outbox(), 1, "%zu entries", box.count);
    cr_assert_eq(box.items[0].state, want, "state %d: %.*s", (int)box.items[0].state,
                 (int)box.items[0].problem.len, box.items[0].problem.at);
    return &box.items[0];
}

/* As whoever runs next, when everything is due. */
static void work(void)
{
    run_outside("UPDATE outbox SET due_us = 0 WHERE state < 3");
    outbox_work(state, NULL);
}

Test(outbox, what_was_delivered_is_in_the_mailbox_and_not_in_the_outbox)
{
    cr_assert(send("bob", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert(letter.delivered && !letter.queued);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    cr_assert_eq(times_in(INBOX, "\"Subject\""), 1);
    cr_assert(span_starts(str_span(&letter.id), span_of("inbox-")), "%s", str_c(&letter.id));
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
}

Test(outbox, a_new_agents_inbox_is_made)
{
    cr_assert(send("new", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(times_in("mail/teams/web/inboxes/new.json", "\"hello\""), 1);
}

static int hooked;

static void expect_noted(int call, const char *name)
{
    struct err problem;

    (void)call;
    if (strcmp(name, "bob.json.lock") != 0)
        return;
    before_mkdir = NULL;
    hooked++;
    struct state *other = state_open_within(false, PATIENCE_MS, &problem);
    cr_assert_not_null(other);
    cr_assert(outbox_list(other, &box, &problem));
    cr_assert_eq(box.count, 1);
    int64_t number = box.items[0].number;
    cr_assert_eq(box.items[0].state, OUTBOX_RECORDED);
    assert_span(box.items[0].format, "claude");
    assert_span(box.items[0].root, source.path);
    assert_span(box.items[0].team, "web");
    assert_span(box.items[0].box, "bob");
    assert_span(box.items[0].from, "lead");
    assert_span(box.items[0].to, "bob");
    assert_span(box.items[0].subject, "Subject");
    assert_span(box.items[0].name, "bob.json");
    cr_assert(outbox_read(other, number, &box, &problem));
    cr_assert_not_null(memmem(box.items[0].bytes.at, box.items[0].bytes.len, "\"hello\"", 7));
    cr_assert_eq(times_in(INBOX, "hello"), 0, "noted first, written then");
    state_close(other);
}

Test(outbox, a_message_is_noted_before_its_mailbox_is_touched)
{
    before_mkdir = expect_noted;
    cr_assert(send("bob", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(hooked, 1);
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox, nothing_is_written_while_the_database_is_locked)
{
    sqlite3 *db = open_outside();

    run_sql(db, "BEGIN EXCLUSIVE");
    cr_assert_not(send("bob", "hello", VERIFY_NONE));
    cr_assert(strstr(err.text, "nothing was sent"), "%s", err.text);
    cr_assert_not(letter.delivered);
    run_sql(db, "ROLLBACK");
    sqlite3_close(db);
    struct str got = tmp_read(&tmp, INBOX);
    assert_span(str_span(&got), "[]");
    str_free(&got);
    cr_assert(send("bob", "hello", VERIFY_NONE), "it goes on afterwards: %s", err.text);
}

Test(outbox, nothing_is_written_when_the_database_is_broken)
{
    run_outside("DROP TABLE outbox");
    cr_assert_not(send("bob", "hello", VERIFY_NONE));
    cr_assert(strstr(err.text, "nothing was sent"), "%s", err.text);
    cr_assert_not(send("new", "hello", VERIFY_NONE));
    struct str got = tmp_read(&tmp, INBOX);
    assert_span(str_span(&got), "[]");
    str_free(&got);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
}

Test(outbox, when_one_letter_cannot_be_written_none_is)
{
    struct letter letters[] = {letter_to("bob", "good"), letter_to("ann", "bad")};

    letters[1].draft.from = span_of("a\"b");
    cr_assert_not(deliver_all(letters, 2, VERIFY_NONE));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert_eq(times_in(INBOX, "good"), 0);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
    letter_free(&letters[0]);
    letter_free(&letters[1]);
}

Test(outbox, those_who_got_nothing_are_named)
{
    struct letter letters[] = {letter_to("bob", "good"), letter_to("ann", "good"),
                               letter_to("cy", "good")};

    cr_assert_eq(mkdirat(tmp.fd, "mail/teams/web/inboxes/ann.json", 0777), 0);
    cr_assert_not(deliver_all(letters, 3, VERIFY_NONE));
    cr_assert_eq(err.scope, ERR_UNCONFIRMED);
    cr_assert(strstr(err.text, "1 of 3, not to ann, cy"), "%s", err.text);
    cr_assert(letters[0].delivered && !letters[1].delivered && !letters[2].delivered);
    cr_assert_eq(count_outbox(), 0, "what failed is said at once, and not sent later");
    for (int i = 0; i < 3; i++)
        letter_free(&letters[i]);
}

Test(outbox, equal_texts_at_one_moment_are_two_messages)
{
    struct str first = {0};

    for (int i = 0; i < 2; i++) {
        letter_free(&letter);
        letter = letter_to("bob", "same");
        letter.draft.created_us = INT64_C(1770478515573000);
        cr_assert(deliver_all(&letter, 1, VERIFY_NONE), "%s", err.text);
        if (!i)
            str_add_span(&first, str_span(&letter.id));
    }
    cr_assert_not(span_eq(str_span(&first), str_span(&letter.id)));
    cr_assert_eq(times_in(INBOX, "2026-02-07T15:35:15.573Z"), 1);
    cr_assert_eq(times_in(INBOX, "2026-02-07T15:35:15.574Z"), 1);
    str_free(&first);
}

Test(outbox, an_entry_that_carries_an_id_is_known_by_it)
{
    tmp_write(&tmp, INBOX, span_of("[{\"from\":\"x\",\"text\":\"y\",\"msgV\":1}]"));
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(letter.id.len, 36, "%s", str_c(&letter.id));
    cr_assert_eq(times_in(INBOX, str_c(&letter.id)), 1);
    assert_span(expect_entry(OUTBOX_WRITTEN)->id, str_c(&letter.id));
}

/* Later looks. */

Test(outbox, what_was_written_is_looked_for_again_two_seconds_later)
{
    int64_t before_us = when_now();

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    const struct outbox_entry *entry = expect_entry(OUTBOX_WRITTEN);
    cr_assert_geq(entry->due_us, before_us + 2000000);
    cr_assert_eq(entry->attempts, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "and not written twice");
}

Test(outbox, nothing_is_done_before_it_is_due)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET due_us = 9000000000000000");
    tmp_write(&tmp, INBOX, span_of(OTHER));
    outbox_work(state, NULL);
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

Test(outbox, what_vanished_is_written_again_twice_and_then_given_up)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    for (int attempt = 1; attempt <= 2; attempt++) {
        tmp_write(&tmp, INBOX, span_of(OTHER));
        work();
        cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "attempt %d", attempt);
        cr_assert_eq(times_in(INBOX, "\"other\""), 1);
        cr_assert_eq(expect_entry(OUTBOX_WRITTEN)->attempts, attempt);
    }
    tmp_write(&tmp, INBOX, span_of(OTHER));
    work();
    assert_span(expect_entry(OUTBOX_LOST)->problem, outbox_vanished);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
    work();
    expect_entry(OUTBOX_LOST);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "what is given up is left to the person");
}

static void overwrite(int call)
{
    (void)call;
    if (times_in(INBOX, "\"hello\"")) {
        hooked++;
        tmp_write(&tmp, INBOX, span_of(OTHER));
    }
}

Test(outbox, what_vanishes_while_it_is_sent_is_written_again_and_then_told)
{
    at_fstat = overwrite;
    cr_assert_not(send("bob", "hello", VERIFY_FIRST));
    at_fstat = NULL;
    cr_assert_eq(err.scope, ERR_UNCONFIRMED);
    cr_assert(strstr(err.text, "outbox"), "%s", err.text);
    cr_assert_eq(hooked, 3, "written once and twice again: %d", hooked);
    const struct outbox_entry *entry = expect_entry(OUTBOX_LOST);
    cr_assert_eq(entry->attempts, 2);
    assert_span(entry->problem, outbox_vanished);
}

Test(outbox, what_its_reader_took_away_is_done)
{
    static const char *const cleared[] = {"[]", "[]\"from\":\"lead\",\"text\":\"he"};

    for (int i = 0; i < 2; i++) {
        cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
        tmp_write(&tmp, INBOX, span_of(cleared[i]));
        work();
        cr_assert_eq(count_outbox(), 0);
        cr_assert_eq(times_in(INBOX, "\"hello\""), 0, "it is not written again");
    }
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    unlinkat(tmp.fd, INBOX, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, INBOX));
}

Test(outbox, a_team_or_mailbox_that_is_gone_needs_no_further_look)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail/teams/web", tmp.fd, "mail/teams/gone"), 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, "mail/teams/web"), "nothing is made by looking");
    cr_assert_eq(renameat(tmp.fd, "mail/teams/gone", tmp.fd, "mail/teams/web"), 0);
    cr_assert(send("bob", "hello again", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail", tmp.fd, "moved"), 0);
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox, an_inbox_that_is_being_written_is_looked_at_later)
{
    struct str whole;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    whole = tmp_read(&tmp, INBOX);
    tmp_write(&tmp, INBOX, span_of(""));
    work();
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
    tmp_write(&tmp, INBOX, str_span(&whole));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    str_free(&whole);
}

Test(outbox, an_inbox_that_is_half_written_is_looked_at_later)
{
    struct str whole;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    whole = tmp_read(&tmp, INBOX);
    tmp_write(&tmp, INBOX, (struct span){whole.at, whole.len / 2});
    work();
    const struct outbox_entry *entry = expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(entry->attempts, 0, "half a file does not say that the message vanished");
    cr_assert_eq(times_in(INBOX, "\"hello\""), 0, "and nothing is written into it");
    tmp_write(&tmp, INBOX, str_span(&whole));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    str_free(&whole);
}

/* Interrupted. */

/* As a process leaves it that died: noted, with the bytes of a letter, and nobody's. */
static void note_and_die(const char *body, bool written)
{
    int64_t number;

    cr_assert(send("bob", body, VERIFY_FIRST), "%s", err.text);
    number = expect_entry(OUTBOX_WRITTEN)->number;
    run_outside("UPDATE outbox SET state = 0, due_us = 0, holder = 0, lease_us = 0");
    if (!written)
        tmp_write(&tmp, INBOX, span_of(OTHER));
    cr_assert_eq(number, expect_entry(OUTBOX_RECORDED)->number);
}

Test(outbox, an_interrupted_message_that_arrived_is_done)
{
    note_and_die("hello", true);
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
}

Test(outbox, an_interrupted_message_that_did_not_arrive_is_kept_and_not_sent)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    cr_assert(expect_entry(OUTBOX_FAILED)->problem.len > 0);
    outbox_work(state, NULL);
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "not behind the person's back");
    cr_assert(outbox_retry(state, box.items[0].number, NULL, &err), "%s", err.text);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "but when the person says so");
    cr_assert_eq(times_in(INBOX, "\"other\""), 1);
    expect_entry(OUTBOX_WRITTEN);
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox, trying_again_what_is_there_writes_nothing)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    int64_t number = expect_entry(OUTBOX_FAILED)->number;
    cr_assert(outbox_read(state, number, &box, &err));
    struct str inbox = {0};
    str_addf(&inbox, "[%.*s]", (int)box.items[0].bytes.len, box.items[0].bytes.at);
    tmp_write(&tmp, INBOX, str_span(&inbox));
    cr_assert(outbox_retry(state, number, NULL, &err), "%s", err.text);
    cr_assert_eq(count_outbox(), 0);
    struct str got = tmp_read(&tmp, INBOX);
    cr_assert(span_eq(str_span(&got), str_span(&inbox)));
    str_free(&got);
    str_free(&inbox);
}

Test(outbox, trying_again_what_is_not_in_the_outbox_is_told)
{
    cr_assert_not(outbox_retry(state, 77, NULL, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
}

Test(outbox, trying_again_in_vain_is_told)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    int64_t number = expect_entry(OUTBOX_FAILED)->number;
    unlinkat(tmp.fd, INBOX, 0);
    cr_assert_eq(mkdirat(tmp.fd, INBOX, 0777), 0);
    err = (struct err){0};
    cr_assert_not(outbox_retry(state, number, NULL, &err), "nothing was written");
    cr_assert_str_not_empty(err.text);
    cr_assert_eq(count_outbox(), 1, "it is still there");
    cr_assert_neq(box.items[0].state, OUTBOX_WRITTEN);
}

/* One file a message. */

Test(outbox, one_file_a_message_is_delivered_and_forgotten)
{
    tmp_write(&tmp, "mail/bob/inbox/.keep", span_of(""));
    open_mail("adr");
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert(letter.delivered);
    cr_assert_eq(count_outbox(), 0, "nobody overwrites it: no second look");
    char path[128];
    snprintf(path, sizeof path, "mail/bob/inbox/%s.json", str_c(&letter.id));
    cr_assert_eq(times_in(path, "\"hello\""), 1);
    cr_assert_eq(tmp_count(&tmp, "mail/bob/inbox"), 2);
}

Test(outbox, an_interrupted_file_is_looked_for_and_kept_when_it_is_not_there)
{
    struct outbox_entry entry = {.format = span_of("adr"),
                                 .box = span_of("bob"),
                                 .id = span_of("MSG-1"),
                                 .name = span_of("MSG-1.json"),
                                 .bytes = span_of("{\"id\": \"MSG-1\"}"),
                                 .created_us = when_now()};

    tmp_write(&tmp, "mail/bob/inbox/.keep", span_of(""));
    open_mail("adr");
    entry.root = span_of(source.path);
    cr_assert(outbox_record(state, &entry, 1, when_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    tmp_write(&tmp, "mail/bob/inbox/MSG-1.json", span_of("{\"id\": \"MSG-1\"}"));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert(outbox_record(state, &entry, 1, when_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    unlinkat(tmp.fd, "mail/bob/inbox/MSG-1.json", 0);
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_not(tmp_exists(&tmp, "mail/bob/inbox/MSG-1.json"));
    cr_assert(outbox_retry(state, entry.number, NULL, &err), "%s", err.text);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in("mail/bob/inbox/MSG-1.json", "MSG-1"), 1);
}

/* One file a recipient. */

static void open_slots(void)
{
    tmp_write(&tmp, SLOT, span_of("---\nid: \"first\"\n---\n\nfirst\n"));
    open_mail("roo");
}

Test(outbox, a_message_for_a_taken_slot_is_queued_and_goes_out_when_it_is_free)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_FIRST), "%s", err.text);
    cr_assert(letter.queued && !letter.delivered);
    expect_entry(OUTBOX_QUEUED);
    work();
    expect_entry(OUTBOX_QUEUED);
    cr_assert_eq(times_in(SLOT, "first"), 2, "what is there is not touched");
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(times_in(SLOT, "second"), 1);
    expect_entry(OUTBOX_WRITTEN);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/.roo/mailbox"), 1);
}

Test(outbox, queued_messages_go_out_in_their_order)
{
    static const char *const texts[] = {"text-a", "text-b", "text-c"};

    open_slots();
    for (int i = 0; i < 3; i++)
        cr_assert(send("tester", texts[i], VERIFY_NONE), "%s", err.text);
    cr_assert_eq(count_outbox(), 3);
    for (int i = 0; i < 3; i++) {
        unlinkat(tmp.fd, SLOT, 0);
        work();
        for (int k = 0; k < 3; k++)
            cr_assert_eq(times_in(SLOT, texts[k]) > 0, k == i, "%s in place %d", texts[k], i);
    }
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, SLOT));
}

Test(outbox, a_slot_that_another_took_meanwhile_queues_the_message_again)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    expect_entry(OUTBOX_WRITTEN);
    tmp_write(&tmp, SLOT, span_of("---\nid: \"theirs\"\n---\n\ntheirs\n"));
    work();
    expect_entry(OUTBOX_QUEUED);
    cr_assert_eq(times_in(SLOT, "theirs"), 2);
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(times_in(SLOT, "ours"), 1);
}

Test(outbox, a_queued_message_whose_mailbox_is_gone_is_kept_for_the_person)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail", tmp.fd, "moved"), 0);
    work();
    cr_assert(expect_entry(OUTBOX_FAILED)->problem.len > 0);
}

static bool hold_entry(int number)
{
    struct err problem;
    struct outbox mine = {0};
    struct state *own = state_open_within(false, PATIENCE_MS, &problem);

    return own && outbox_claim(own, number, when_now(), &mine, &problem) && raise(SIGSTOP) == 0;
}

Test(outbox, what_another_process_is_at_work_on_is_left_to_it)
{
    int status;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    int number = (int)expect_entry(OUTBOX_WRITTEN)->number;
    pid_t pid = start(hold_entry, number);
    cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
    cr_assert(WIFSTOPPED(status), "status %x", (unsigned)status);
    tmp_write(&tmp, INBOX, span_of(OTHER));
    work();
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
    kill(pid, SIGKILL);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
}
