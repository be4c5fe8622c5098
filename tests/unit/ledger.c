/* Tests the ledger: what a line looks like, what comes back, and when nothing is written. */
#include "ledger_support.h"
#include "sync_support.h"

#include "store/ledger_private.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>

TestSuite(ledger, .init = make_home, .fini = clear_ledger, .timeout = 120);

static struct ledger_entry full_entry(void)
{
    struct ledger_entry entry = entry_of("d-1", LEDGER_EFFECT, 20);

    entry.request = (struct ledger_request){.message = span_of("inbox-1"),
                                            .id = span_of("perm-1"),
                                            .file = span_of("teams/dev/inboxes/team-lead.json"),
                                            .sha256 = span_of("aa"),
                                            .asked = span_of("Bash: rm -rf build/"),
                                            .at = 2,
                                            .len = 300};
    entry.answer =
        (struct ledger_answer){span_of("inbox-2"), span_of("teams/dev/inboxes/tester-2.json"),
                               span_of("bb"), span_of("{\"type\":\"permission_response\"}")};
    entry.terms =
        (struct ledger_terms){span_of("default"), span_of("be quick"), span_of("Bash(make *)")};
    entry.note = span_of("it went on");
    entry.seen_in = span_of("inbox-3");
    return entry;
}

Test(ledger, a_line_is_what_the_manual_says)
{
    struct ledger_entry entry = full_entry();
    char expected[2048];

    append(&entry);
    struct str text = tmp_read(&tmp, LEDGER);
    snprintf(expected, sizeof expected,
             "{\"v\":1,\"n\":1,\"prev\":\"" ZEROS "\",\"at\":\"2026-11-16T12:00:20.000Z\","
             "\"event\":\"effect\",\"decision\":\"d-1\",\"verb\":\"grant\",\"kind\":\"permission\","
             "\"by\":\"team-lead\",\"uid\":%ld,\"pid\":%ld,\"format\":\"claude\","
             "\"source\":\"/srv/claude\",\"team\":\"dev\",\"agent\":\"tester-2\","
             "\"request\":{\"message\":\"inbox-1\",\"id\":\"perm-1\","
             "\"file\":\"teams/dev/inboxes/team-lead.json\",\"at\":2,\"len\":300,"
             "\"sha256\":\"aa\",\"asked\":\"Bash: rm -rf build/\"},"
             "\"answer\":{\"message\":\"inbox-2\",\"file\":\"teams/dev/inboxes/tester-2.json\","
             "\"sha256\":\"bb\",\"text\":\"{\\\"type\\\":\\\"permission_response\\\"}\"},"
             "\"terms\":{\"mode\":\"default\",\"feedback\":\"be quick\","
             "\"rules\":\"Bash(make *)\"},"
             "\"note\":\"it went on\",\"seen_in\":\"inbox-3\",\"sum\":\"",
             (long)getuid(), (long)getpid());
    cr_assert(span_starts(str_span(&text), span_of(expected)), "%s\n%s", text.at, expected);
    cr_assert_eq(text.len, strlen(expected) + LEDGER_SUM + strlen("\"}\n"));
    str_free(&text);
}

Test(ledger, what_is_absent_is_left_out)
{
    struct ledger_entry entry = {.event = LEDGER_FAILED, .at_us = 1000};

    append(&entry);
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert(strstr(text.at, "\"event\":\"failed\",\"uid\":") != NULL, "%s", text.at);
    cr_assert_null(strstr(text.at, "request"));
    cr_assert_null(strstr(text.at, "null"));
    str_free(&text);
    read_anew();
    cr_assert_eq(ledger.count, 1);
    cr_assert_null(ledger.entries[0]->decision.at);
    cr_assert_eq(ledger.entries[0]->request.len, 0);
}

Test(ledger, everything_comes_back)
{
    struct ledger_entry entry = full_entry();

    append(&entry);
    read_anew();
    cr_assert_eq(ledger.count, 1);
    const struct ledger_entry *back = ledger.entries[0];
    const struct {
        struct span said, kept;
    } pairs[] = {
        {entry.decision, back->decision},
        {entry.verb, back->verb},
        {entry.kind, back->kind},
        {entry.by, back->by},
        {entry.format, back->format},
        {entry.root, back->root},
        {entry.team, back->team},
        {entry.agent, back->agent},
        {entry.request.message, back->request.message},
        {entry.request.id, back->request.id},
        {entry.request.file, back->request.file},
        {entry.request.sha256, back->request.sha256},
        {entry.request.asked, back->request.asked},
        {entry.answer.message, back->answer.message},
        {entry.answer.file, back->answer.file},
        {entry.answer.sha256, back->answer.sha256},
        {entry.answer.text, back->answer.text},
        {entry.terms.mode, back->terms.mode},
        {entry.terms.feedback, back->terms.feedback},
        {entry.terms.rules, back->terms.rules},
        {entry.note, back->note},
        {entry.seen_in, back->seen_in},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        cr_assert(span_eq(pairs[i].said, pairs[i].kept), "%zu: \"%.*s\"", i, (int)pairs[i].kept.len,
                  pairs[i].kept.at);
    cr_assert(back->event == LEDGER_EFFECT && back->at_us == entry.at_us);
    cr_assert(back->request.at == 2 && back->request.len == 300);
    cr_assert(back->uid == (int64_t)getuid() && back->pid == (int64_t)getpid());
    cr_assert(back->number == 1 && back->line == 1 && back->version == 1 && !back->torn);
}

Test(ledger, every_event_has_its_word)
{
    for (enum ledger_event event = LEDGER_INTENT; event < LEDGER_OTHER; event++) {
        struct ledger_entry entry = entry_of("d", event, 1);
        append(&entry);
    }
    read_anew();
    cr_assert_eq(ledger.count, LEDGER_OTHER);
    for (enum ledger_event event = LEDGER_INTENT; event < LEDGER_OTHER; event++) {
        cr_assert_eq(ledger.entries[event]->event, event);
        assert_span(ledger.entries[event]->word, ledger_event_word(event));
    }
}

Test(ledger, the_time_is_the_present_one_unless_it_is_given)
{
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 0);
    int64_t before_us = when_now() / 1000 * 1000;

    entry.at_us = 0;
    append(&entry);
    read_anew();
    cr_assert(ledger.entries[0]->at_us >= before_us && ledger.entries[0]->at_us <= when_now());
}

Test(ledger, hostile_texts_stay_on_their_line_and_come_back)
{
    static const struct {
        struct span text, kept;
    } texts[] = {
        {{"two\nlines\r\n", 11}, {"two\nlines\r\n", 11}},
        {{"\"},\"sum\":\"x\"}\n{\"v\":1", 21}, {"\"},\"sum\":\"x\"}\n{\"v\":1", 21}},
        {{"a\0b", 3}, {"a\0b", 3}},
        {{"\x1b[2J\x7f\b\\", 7}, {"\x1b[2J\x7f\b\\", 7}},
        {{"\xe2\x80\xae\xf0\x9f\x98\x80", 7}, {"\xe2\x80\xae\xf0\x9f\x98\x80", 7}},
        {{"\xed\xa0\xbd", 3}, {"\xed\xa0\xbd", 3}}, /* half of a pair, as JSON may have it */
        {{"\xff\xc0\x80|", 4}, {"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|", 10}},
        {{"", 0}, {"", 0}},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };

    for (int i = 0; i < TEXTS; i++) {
        struct ledger_entry entry = entry_of("d", LEDGER_INTENT, i);
        entry.agent = entry.request.asked = entry.answer.text = entry.terms.feedback = entry.note =
            entry.root = texts[i].text;
        append(&entry);
    }
    expect_whole(TEXTS, 0);
    for (int i = 0; i < TEXTS; i++) {
        const struct ledger_entry *back = ledger.entries[i];
        cr_assert(back->note.at && span_eq(back->note, texts[i].kept), "%d", i);
        cr_assert(span_eq(back->agent, texts[i].kept) && span_eq(back->root, texts[i].kept));
        cr_assert(span_eq(back->request.asked, texts[i].kept));
        cr_assert(span_eq(back->answer.text, texts[i].kept));
    }
    struct str text = tmp_read(&tmp, LEDGER);
    for (size_t i = 0; i < text.len; i++)
        cr_assert(text.at[i] == '\n' || (text.at[i] >= 0x20 && text.at[i] < 0x7f));
    str_free(&text);
}

Test(ledger, a_text_of_a_megabyte_is_chained_like_any_other)
{
    struct str large = {0};
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 1);

    str_pad(&large, 'x', 1 << 20);
    entry.answer.text = str_span(&large);
    for (int i = 0; i < 3; i++)
        append(&entry);
    entry.answer.text = span_of("small");
    append(&entry);
    expect_whole(4, 0);
    cr_assert(span_eq(ledger.entries[1]->answer.text, str_span(&large)));
    str_free(&large);
}

Test(ledger, only_its_owner_may_look_into_it_whatever_the_umask)
{
    struct stat st;

    umask(0);
    append_many(1);
    cr_assert_eq(fstatat(tmp.fd, LEDGER, &st, 0), 0);
    cr_assert_eq(st.st_mode & 07777, 0600);
    cr_assert_eq(fstatat(tmp.fd, HEAD, &st, 0), 0);
    cr_assert_eq(st.st_mode & 07777, 0600);
    cr_assert_eq(fstatat(tmp.fd, "swarmutt", &st, 0), 0);
    cr_assert_eq(st.st_mode & 07777, 0700);
}

static void expect_refused(const char *reason)
{
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 1);

    err = (struct err){0};
    cr_assert(!ledger_append(&entry, &err));
    cr_assert(err.scope == ERR_SOURCE && strstr(err.text, reason) && strstr(err.text, "/ledger: "),
              "%s", err.text);
}

Test(ledger, a_link_is_not_written_through)
{
    tmp_write(&tmp, "target", span_of(""));
    cr_assert_eq(mkdirat(tmp.fd, "swarmutt", 0700), 0);
    cr_assert_eq(symlinkat("../target", tmp.fd, LEDGER), 0);
    expect_refused("a link");
    struct str text = tmp_read(&tmp, "target");
    cr_assert_eq(text.len, 0);
    str_free(&text);
    cr_assert(!ledger_read(&ledger, &err));
    cr_assert(strstr(err.text, "a link") != NULL, "%s", err.text);
}

Test(ledger, what_is_no_file_is_not_written_to)
{
    cr_assert_eq(mkdirat(tmp.fd, "swarmutt", 0700), 0);
    cr_assert_eq(mkfifoat(tmp.fd, LEDGER, 0600), 0);
    expect_refused("no file");
    cr_assert(!ledger_read(&ledger, &err));
    cr_assert_eq(unlinkat(tmp.fd, LEDGER, 0), 0);
    cr_assert_eq(mkdirat(tmp.fd, LEDGER, 0700), 0);
    expect_refused("cannot be opened");
    cr_assert(!ledger_read(&ledger, &err));
}

Test(ledger, a_file_that_others_can_write_to_is_not_written_to)
{
    static const mode_t modes[] = {0620, 0602, 0666};

    append_many(1);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(fchmodat(tmp.fd, LEDGER, modes[i], 0), 0);
        expect_refused("others can write to the ledger");
        expect_whole(1, 1);
    }
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0640, 0), 0);
    append_many(1);
    expect_whole(2, 0);
}

Test(ledger, somebody_elses_file_is_not_written_to)
{
    if (getuid() != 0)
        return;
    append_many(1);
    cr_assert_eq(fchownat(tmp.fd, LEDGER, 65534, 65534, 0), 0);
    expect_refused("somebody else");
    expect_whole(1, 0);
}

Test(ledger, a_directory_that_cannot_be_written_is_an_error_and_nothing_is_left)
{
    cr_assert_eq(mkdirat(tmp.fd, "swarmutt", 0700), 0);
    cr_assert_eq(fchmodat(tmp.fd, "swarmutt", 0500, 0), 0);
    if (getuid() == 0) {
        cr_assert_eq(fchown(tmp.fd, 65534, 65534), 0);
        cr_assert_eq(fchownat(tmp.fd, "swarmutt", 65534, 65534, 0), 0);
        cr_assert_eq(seteuid(65534), 0);
    }
    expect_refused("cannot be opened");
    cr_assert_eq(tmp_count(&tmp, "swarmutt"), 0);
}

Test(ledger, a_directory_that_cannot_be_made_is_an_error)
{
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 1);

    tmp_write(&tmp, "swarmutt", span_of("a file"));
    cr_assert(!ledger_append(&entry, &err));
    cr_assert(strstr(err.text, "/swarmutt") != NULL, "%s", err.text);
    read_anew();
    cr_assert(!ledger.there && !ledger.count);
}

Test(ledger, one_that_is_not_there_is_empty)
{
    read_anew();
    cr_assert(!ledger.there && !ledger.count && !ledger.finding_count);
    cr_assert(strcmp(ledger.head, ZEROS) == 0);
    cr_assert(!tmp_exists(&tmp, "swarmutt"));
}

Test(ledger, reading_again_takes_in_what_was_added)
{
    append_many(3);
    read_anew();
    const struct ledger_entry *first = ledger.entries[0];
    append_many(2);
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 5 && ledger.lines == 5 && !ledger.finding_count);
    cr_assert_eq(ledger.entries[0], first);
    cr_assert_eq(ledger.entries[4]->number, 5);
    cr_assert_eq(ledger.decision_count, 3); /* of the same names */
    cr_assert(ledger_read(&ledger, &err));
    cr_assert_eq(ledger.count, 5);
}

Test(ledger, reading_again_notices_another_file_in_its_place)
{
    append_many(3);
    read_anew();
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert_eq(renameat(tmp.fd, LEDGER, tmp.fd, "old"), 0);
    forget_head();
    append_many(5);
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 5 && !ledger.damage);
    rewrite(str_span(&text));
    forget_head();
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 3 && !ledger.damage);
    str_free(&text);
}

static void *append_some(void *failed)
{
    for (int i = 0; i < 100; i++) {
        struct ledger_entry entry = entry_of("thread", LEDGER_INTENT, i);
        struct err mine;
        *(bool *)failed |= !ledger_append(&entry, &mine);
    }
    return NULL;
}

Test(ledger, threads_append_to_one_chain)
{
    pthread_t threads[3];
    bool failed[3] = {false};

    for (int i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, append_some, &failed[i]), 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        cr_assert(!failed[i]);
    }
    expect_whole(300, 0);
}

static int synced_dirs, synced_files;
static size_t synced_bytes, head_bytes;

/* The name of the file goes first, then the line, and only then is the head told. */
static void note_sync(int fd)
{
    struct stat st, head = {0};

    cr_assert_eq(fstatat(fd, "", &st, AT_EMPTY_PATH), 0);
    if (S_ISDIR(st.st_mode)) {
        struct stat there;
        cr_assert_eq(fstatat(fd, "ledger", &there, 0), 0);
        cr_assert(there.st_size == 0 && !synced_files);
        synced_dirs++;
        return;
    }
    synced_files++;
    synced_bytes = (size_t)st.st_size;
    if (fstatat(tmp.fd, HEAD, &head, 0) == 0)
        head_bytes = (size_t)head.st_size;
}

Test(ledger, a_line_is_on_disk_before_it_is_acknowledged_and_the_name_of_the_file_before_that)
{
    at_fsync = note_sync;
    append_many(1);
    cr_assert(synced_dirs == 1 && synced_files == 1 && head_bytes == 0);
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert_eq(synced_bytes, text.len);
    append_many(1);
    cr_assert(synced_dirs == 1 && synced_files == 2);
    cr_assert_eq(synced_bytes, 2 * text.len);
    str_free(&text);
}

Test(ledger, a_disk_that_does_not_take_it_is_an_error)
{
    append_many(1);
    struct str head = tmp_read(&tmp, HEAD);
    fsync_errno = EIO;
    expect_refused("perhaps not on disk");
    struct str same = tmp_read(&tmp, HEAD);
    cr_assert(span_eq(str_span(&head), str_span(&same)));
    fsync_errno = 0;
    append_many(1);
    expect_whole(3, 0);
    str_free(&head);
    str_free(&same);
}

/* As on a full disk: there is room for half of the line. */
static bool append_without_room(int unused)
{
    struct rlimit limit = {0};
    struct stat st;
    struct err mine;
    struct ledger_entry entry = entry_of("half", LEDGER_INTENT, 1);

    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    if (fstatat(tmp.fd, LEDGER, &st, 0) < 0)
        return false;
    limit.rlim_cur = limit.rlim_max = (rlim_t)st.st_size + 100;
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && !ledger_append(&entry, &mine) &&
           strstr(mine.text, "cannot be written");
}

Test(ledger, a_full_disk_is_an_error_and_the_next_line_finds_its_place)
{
    append_many(2);
    expect_success(start(append_without_room, 0));
    expect_whole(2, 1);
    append_many(1);
    expect_whole(3, 1);
    cr_assert_eq(ledger.entries[2]->number, 4);
}

static bool append_one(int unused)
{
    struct err mine;
    struct ledger_entry entry = entry_of("late", LEDGER_INTENT, 1);

    (void)unused;
    return ledger_append(&entry, &mine);
}

static bool has_open(pid_t pid, const char *end)
{
    char path[64], target[512];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof target);
        found |= len > 0 && span_ends((struct span){target, (size_t)len}, end);
    }
    if (dir)
        closedir(dir);
    return found;
}

Test(ledger, a_ledger_that_is_moved_away_while_its_lock_is_waited_for_is_not_written_to)
{
    append_many(1);
    cr_assert_eq(linkat(tmp.fd, LEDGER, tmp.fd, "other", 0), 0);
    int fd = openat(tmp.fd, "other", O_RDONLY | O_CLOEXEC); /* which the child gets, too */
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    pid_t child = start(append_one, 0);
    while (!has_open(child, "/" LEDGER))
        sched_yield();
    cr_assert_eq(renameat(tmp.fd, LEDGER, tmp.fd, "swarmutt/old"), 0);
    tmp_write(&tmp, LEDGER, span_of(""));
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0600, 0), 0);
    cr_assert_eq(flock(fd, LOCK_UN), 0);
    close(fd);
    expect_success(child);
    struct str old = tmp_read(&tmp, "swarmutt/old"), text = tmp_read(&tmp, LEDGER);
    cr_assert_null(strstr(old.at, "late"));
    cr_assert(strstr(text.at, "late") != NULL);
    str_free(&old);
    str_free(&text);
}

enum { PROCESSES = 2, EACH = 200 };

static bool append_each(int number)
{
    for (int i = 0; i < EACH; i++) {
        char name[32];
        struct err mine;
        snprintf(name, sizeof name, "p%d-%d", number, i);
        struct ledger_entry entry = entry_of(name, LEDGER_INTENT, i);
        if (!ledger_append(&entry, &mine))
            return false;
    }
    return true;
}

Test(ledger, processes_append_to_one_chain_while_another_reads_and_none_is_lost)
{
    pid_t children[PROCESSES];
    size_t seen = 0;

    for (int i = 0; i < PROCESSES; i++)
        children[i] = start(append_each, i);
    while (seen < PROCESSES * EACH) {
        cr_assert(ledger_read(&ledger, &err), "%s", err.text);
        cr_assert(!ledger.finding_count && ledger.count >= seen, "%zu after %zu: %s", ledger.count,
                  seen, ledger.finding_count ? ledger.findings[0].text.at : "");
        seen = ledger.count;
    }
    for (int i = 0; i < PROCESSES; i++)
        expect_success(children[i]);
    expect_whole(PROCESSES * EACH, 0);
    cr_assert_eq(ledger.decision_count, PROCESSES * EACH);
    for (size_t i = 0; i < ledger.count; i++)
        cr_assert_eq(ledger.entries[i]->number, (int64_t)i + 1);
}

/* Appends until it is killed, and says so each time it is told that a line is on disk. */
static bool append_for_ever(int to)
{
    char byte = '.';

    for (int i = 0;; i++) {
        struct err mine;
        struct ledger_entry entry = entry_of("killed", LEDGER_INTENT, i);
        if (!ledger_append(&entry, &mine) || write(to, &byte, 1) != 1)
            return false;
    }
}

Test(ledger, a_kill_at_any_moment_loses_nothing_that_was_acknowledged)
{
    size_t known = 0;

    for (int round = 0; round < 30; round++) {
        char acknowledged[64];
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        pid_t child = start(append_for_ever, ends[1]);
        close(ends[1]);
        for (int i = 0; i <= round % 3; i++) {
            cr_assert_eq(read(ends[0], acknowledged, 1), 1);
            known++;
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (ssize_t got; (got = read(ends[0], acknowledged, sizeof acknowledged)) > 0;)
            known += (size_t)got;
        close(ends[0]);
        cr_assert(is_whole(), "%s", ledger.findings[0].text.at);
        cr_assert(ledger.count >= known && ledger.count <= known + (size_t)round + 1,
                  "%zu entries, %zu acknowledged", ledger.count, known);
    }
}

Test(ledger, a_hundred_thousand_entries_are_one_chain_and_found_by_their_ids)
{
    enum { EVENTS = 4 };
    size_t many = (size_t)usual_rounds(100000);
    char name[32], message[32], prev[LEDGER_SUM + 1] = ZEROS, sum[LEDGER_SUM + 1];
    struct str text = {0};

    for (size_t i = 0; i < many; i++) {
        struct ledger_entry entry = full_entry();
        entry.event = i % EVENTS;
        snprintf(name, sizeof name, "decision-%zu", i / EVENTS);
        snprintf(message, sizeof message, "message-%zu", i / EVENTS);
        entry.decision = entry.request.id = span_of(name);
        entry.answer.message = span_of(message);
        entry.number = (int64_t)i + 1;
        entry.prev = span_of(prev);
        ledger_add_line(&text, &entry, sum);
        str_putc(&text, '\n');
        memcpy(prev, sum, sizeof sum);
    }
    tmp_write(&tmp, LEDGER, str_span(&text));
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0600, 0), 0);
    str_free(&text);
    expect_whole((int64_t)many, 0);
    cr_assert_eq(ledger.decision_count, many / EVENTS);
    cr_assert_eq(ledger.decisions[many / EVENTS - 1].state, DECISION_EFFECT);
    for (size_t i = 0; i < many / EVENTS; i++) {
        struct ledger_sought sought = {.format = span_of("claude"),
                                       .root = span_of("/srv/claude"),
                                       .team = span_of("dev"),
                                       .agent = span_of("tester-2")};
        snprintf(message, sizeof message, "message-%zu", i);
        sought.message = span_of(message);
        cr_assert(ledger_has_answer(&ledger, &sought), "%s", message);
    }
}
