/* Tests cleanup: only what the layout permits is removed, and nothing without a copy. */
#include "tests/unit/store/state/state_support.h"

#include "base/time.h"
#include "store/change/cleanup.h"

#include <fcntl.h>
#include <time.h>

/* From inbox_lock_support.c: another program right before a lock is taken. */
extern void (*before_mkdir)(int call, const char *name);

#define DAY_US INT64_C(86400000000)
#define INBOX "mail/teams/web/inboxes/bob.json"
#define ONE "{\"from\":\"a\",\"text\":\"one\",\"msg_id\":\"m1\",\"read\":false}"
#define TWO "{\"from\":\"b\",\"text\":\"two\",\"msg_id\":\"m2\",\"x\":1.0}"

static struct source source;
static struct state *state;
static struct err err;
static struct cleaned cleaned;

static void make(void)
{
    make_home();
    source = (struct source){.root = -1};
    setenv("HOME", tmp.path, 1);
    state = open_state();
}

static void clear(void)
{
    before_mkdir = NULL;
    state_close(state);
    source_close(&source);
    clear_home();
}

TestSuite(cleanup, .init = make, .fini = clear, .timeout = 60);

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void open_mail(const char *format)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/mail", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
}

static void sweep(int64_t older_us, bool dry_run, size_t want)
{
    const struct changing how = {.source = &source, .state = state};
    const struct cleaning cleaning = {.older_us = older_us, .dry_run = dry_run};

    cr_assert(cleanup_source(&how, &cleaning, &cleaned, &err), "%s", err.text);
    cr_assert_eq(cleaned.failed, 0, "%s", cleaned.err.text);
    cr_assert_eq(cleaned.count, want, "%zu", cleaned.count);
}

static bool clear_inbox(const char *address, bool dry_run)
{
    const struct changing how = {.source = &source, .state = state};

    err = (struct err){0};
    return cleanup_clear(&how, span_of(address), dry_run, &cleaned, &err);
}

/* --- messages that are read and old enough --- */

static void put_claw(const char *name, bool read, int64_t age_us)
{
    char path[128], text[512];

    snprintf(path, sizeof path, "mail/web/mailbox/%s.json", name);
    snprintf(text, sizeof text,
             "{\n  \"messageId\": \"%s\",\n  \"teamId\": \"web\",\n  \"from\": \"lead\",\n"
             "  \"to\": \"tm1\",\n  \"message\": \"x\",\n  \"priority\": \"normal\",\n"
             "  \"read\": %s,\n  \"createdAt\": %lld\n}\n",
             name, read ? "true" : "false", (long long)((time_now() - age_us) / 1000));
    put(path, text);
}

#define OLD_READ "11111111-1111-4111-8111-111111111111"
#define OLD_UNREAD "22222222-2222-4222-8222-222222222222"
#define NEW_READ "33333333-3333-4333-8333-333333333333"

static bool has_claw(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "mail/web/mailbox/%s.json", name);
    return tmp_exists(&tmp, path);
}

static void make_claws(void)
{
    put_claw(OLD_READ, true, DAY_US + 60000000);
    put_claw(OLD_UNREAD, false, 30 * DAY_US);
    put_claw(NEW_READ, true, DAY_US - 60000000);
    put_claw("notes", true, 30 * DAY_US);
    put_claw("44444444-4444-4444-8444-44444444444g", true, 30 * DAY_US);
    put("mail/web/mailbox/55555555-5555-4555-8555-555555555555.json", "{");
    open_mail("openclaw");
}

Test(cleanup, read_messages_past_their_time_go_and_all_others_stay)
{
    make_claws();
    sweep(TIME_NONE, true, 1);
    cr_assert(has_claw(OLD_READ), "only counted");
    sweep(TIME_NONE, false, 1);
    cr_assert_not(has_claw(OLD_READ));
    cr_assert(has_claw(OLD_UNREAD) && has_claw(NEW_READ) && has_claw("notes"));
    cr_assert_eq(tmp_count(&tmp, "mail/web/mailbox"), 5);
    sweep(TIME_NONE, false, 0);
}

Test(cleanup, another_age_may_be_asked_for)
{
    make_claws();
    sweep(2 * DAY_US, false, 0);
    sweep(DAY_US / 2, false, 2);
    cr_assert(!has_claw(OLD_READ) && !has_claw(NEW_READ) && has_claw(OLD_UNREAD));
}

/* --- archives, by age --- */

static void put_archived(const char *name, int64_t age_s)
{
    char path[128];
    struct timespec times[2];

    snprintf(path, sizeof path, "mail/bob/archive/%s", name);
    put(path, "{\"from\":\"a\",\"to\":\"bob\",\"timestamp\":\"2020-01-01T00:00:00Z\","
              "\"subject\":\"s\",\"content\":\"c\"}");
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age_s;
    times[1] = times[0];
    cr_assert_eq(utimensat(tmp.fd, path, times, 0), 0);
}

Test(cleanup, archived_files_of_eight_full_days_go)
{
    enum { DAY = 86400 };

    put_archived("1-old.json", 8 * DAY + 60);
    put_archived("2-almost.json", 8 * DAY - 60);
    put_archived("3-new.json", 60);
    put("mail/bob/9-pending.json", "{\"from\":\"a\",\"timestamp\":\"2020-01-01T00:00:00Z\"}");
    open_mail("inbox");
    sweep(TIME_NONE, true, 1);
    cr_assert_eq(tmp_count(&tmp, "mail/bob/archive"), 3);
    sweep(TIME_NONE, false, 1);
    cr_assert_not(tmp_exists(&tmp, "mail/bob/archive/1-old.json"));
    cr_assert_eq(tmp_count(&tmp, "mail/bob/archive"), 2);
    sweep(DAY_US, false, 1);
    cr_assert(tmp_exists(&tmp, "mail/bob/archive/3-new.json"));
    cr_assert(tmp_exists(&tmp, "mail/bob/9-pending.json"), "what is pending is never swept");
}

/* --- done messages go to the archive --- */

static void put_adr(const char *id, const char *status, const char *expires)
{
    char path[128], text[512];

    snprintf(path, sizeof path, "mail/user/inbox/%s.json", id);
    snprintf(text, sizeof text,
             "{\"id\": \"%s\", \"from_agent\": \"a\", \"to_agent\": \"user\", \"type\": "
             "\"request\", \"subject\": \"s\", \"body\": \"b\", \"priority\": 2, \"created_at\": "
             "\"2020-01-01T00:00:00\", \"expires_at\": %s, \"status\": \"%s\"}",
             id, expires, status);
    put(path, text);
}

Test(cleanup, what_is_completed_or_expired_goes_to_the_archive)
{
    put_adr("MSG-done", "completed", "null");
    put_adr("MSG-late", "unread", "\"2020-01-02T00:00:00\"");
    put_adr("MSG-open", "unread", "null");
    put_adr("MSG-soon", "read", "\"2999-01-02T00:00:00\"");
    open_mail("adr");
    sweep(TIME_NONE, true, 2);
    cr_assert_eq(tmp_count(&tmp, "mail/user/inbox"), 4);
    sweep(TIME_NONE, false, 2);
    cr_assert(tmp_exists(&tmp, "mail/user/archive/MSG-done.json"));
    cr_assert(tmp_exists(&tmp, "mail/user/archive/MSG-late.json"));
    cr_assert(tmp_exists(&tmp, "mail/user/inbox/MSG-open.json"));
    cr_assert(tmp_exists(&tmp, "mail/user/inbox/MSG-soon.json"));
    cr_assert_eq(tmp_count(&tmp, "mail/user/inbox"), 2);
    sweep(TIME_NONE, false, 0);
}

Test(cleanup, an_inbox_that_agents_share_is_never_swept)
{
    put(INBOX, "[{\"from\":\"a\",\"text\":\"x\",\"timestamp\":\"2020-01-01T00:00:00.000Z\","
               "\"read\":true}]");
    open_mail("claude");
    sweep(TIME_NONE, false, 0);
    sweep(0, false, 0);
    struct str got = tmp_read(&tmp, INBOX);
    cr_assert_not_null(strstr(str_c(&got), "2020"));
    str_free(&got);
}

/* --- emptying an orphaned inbox --- */

static void expect_inbox(const char *want)
{
    struct str got = tmp_read(&tmp, INBOX);

    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

/* Returns all kept bytes, joined. */
static struct str kept_bytes(size_t *count)
{
    struct copies copies = {0};
    struct str all = {0}, one = {0};

    cr_assert(state_copies(state, "claude", source.path, &copies, &err), "%s", err.text);
    for (size_t i = 0; i < copies.count; i++) {
        cr_assert(state_copy_bytes(state, copies.items[i].number, &one, &err));
        str_add_span(&all, str_span(&one));
        str_putc(&all, '\n');
    }
    *count = copies.count;
    copies_free(&copies);
    str_free(&one);
    return all;
}

Test(cleanup, an_orphaned_inbox_is_emptied_after_every_entry_was_kept)
{
    size_t count;

    put(INBOX, "[" ONE ", " TWO "]\n");
    open_mail("claude");
    cr_assert(clear_inbox("bob@web", true), "%s", err.text);
    cr_assert_eq(cleaned.count, 2);
    expect_inbox("[" ONE ", " TWO "]\n");
    cr_assert(clear_inbox("bob@web", false), "%s", err.text);
    cr_assert_eq(cleaned.count, 2);
    expect_inbox("[]");
    struct str kept = kept_bytes(&count);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(str_c(&kept), ONE "\n" TWO "\n");
    str_free(&kept);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
}

Test(cleanup, the_inbox_of_a_team_that_has_a_roster_is_not_emptied)
{
    put(INBOX, "[" ONE "]");
    put("mail/teams/web/config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"bob\"}]}");
    open_mail("claude");
    cr_assert_not(clear_inbox("bob@web", false));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    expect_inbox("[" ONE "]");
}

Test(cleanup, a_team_with_an_unreadable_roster_may_be_running)
{
    put(INBOX, "[" ONE "]");
    put("mail/teams/web/config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"bob\"}");
    open_mail("claude");
    cr_assert_not(clear_inbox("bob@web", false), "its roster is being written, or damaged");
    expect_inbox("[" ONE "]");
}

Test(cleanup, a_team_whose_roster_names_nobody_may_be_running)
{
    put(INBOX, "[" ONE "]");
    put("mail/teams/web/config.json", "{\"leadAgentId\":\"\",\"members\":[]}");
    open_mail("claude");
    cr_assert_not(clear_inbox("bob@web", false), "it has a roster");
    expect_inbox("[" ONE "]");
}

Test(cleanup, what_is_not_there_or_cannot_be_emptied_is_told)
{
    put(INBOX, "[]");
    open_mail("claude");
    cr_assert_not(clear_inbox("nobody@web", false));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    source_close(&source);
    put("mail/bob/inbox/.keep", "");
    open_mail("adr");
    cr_assert_not(clear_inbox("bob", false));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
}

Test(cleanup, nothing_is_emptied_when_the_copies_cannot_be_kept)
{
    put(INBOX, "[" ONE "]");
    open_mail("claude");
    run_outside("CREATE TRIGGER no BEFORE INSERT ON copy BEGIN SELECT RAISE(ABORT, 'no'); END");
    cr_assert_not(clear_inbox("bob@web", false));
    expect_inbox("[" ONE "]");
}

static void add_entry(int call, const char *name)
{
    (void)call;
    if (strncmp(name, ".lock.", 6) != 0)
        return;
    before_mkdir = NULL;
    put(INBOX, "[" ONE "," TWO "]");
}

Test(cleanup, an_entry_that_arrives_meanwhile_is_not_lost)
{
    size_t count;

    put(INBOX, "[" ONE "]");
    open_mail("claude");
    before_mkdir = add_entry;
    bool ok = clear_inbox("bob@web", false);
    struct str kept = kept_bytes(&count), inbox = tmp_read(&tmp, INBOX);
    cr_assert(strstr(str_c(&kept), TWO) || strstr(str_c(&inbox), TWO),
              "cleared: %d, and the new entry is neither kept nor in the inbox", ok);
    str_free(&kept);
    str_free(&inbox);
}

Test(cleanup, the_bytes_of_a_damaged_inbox_are_kept_before_it_is_emptied)
{
    static const char cut[] = "[" ONE ",{\"from\":\"b\",\"text\":\"lost half";
    size_t count;

    put(INBOX, cut);
    open_mail("claude");
    bool ok = clear_inbox("bob@web", false);
    struct str kept = kept_bytes(&count), inbox = tmp_read(&tmp, INBOX);
    cr_assert(strstr(str_c(&kept), "lost half") || strstr(str_c(&inbox), "lost half"),
              "cleared: %d", ok);
    str_free(&kept);
    str_free(&inbox);
}

static void expect_not_cleared(const struct changing *how, const char *address, const char *says)
{
    cr_assert_not(cleanup_clear(how, span_of(address), false, &cleaned, &err));
    cr_assert(strstr(err.text, says), "%s: %s", address, err.text);
    cr_assert_eq(cleaned.count, 0);
}

Test(cleanup, what_cannot_be_cleared_says_why)
{
    const struct changing how = {.source = &source, .state = state};
    const struct changing lost = {.source = &source,
                                  .state_problem = {.scope = ERR_SOURCE, .text = "no state"}};

    put(INBOX, "[" ONE "]");
    put("mail/teams/ops/inboxes/bob.json", "[]");
    open_mail("claude");
    expect_not_cleared(&how, "bob", "bob@web");
    expect_not_cleared(&how, "cy@web", "there is no inbox of");
    expect_not_cleared(&lost, "bob@web", "no state");
    cr_assert_eq(symlinkat("elsewhere", tmp.fd, "mail/teams/web/config.json"), 0);
    expect_not_cleared(&how, "bob@web", "still has a roster");
    source_close(&source);
    put("mail/.roo/mailbox/to-tester.md", "x");
    open_mail("roo");
    expect_not_cleared(&how, "tester", "has no inbox that could be cleared");
}
