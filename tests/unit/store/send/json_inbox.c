/* Tests changing a shared array: whatever other programs do, no message is lost and no file is
 * left. */
#include "inbox_lock_support.h"

#include "store/layouts/claude.h"
#include "store/send/json_inbox.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OURS "{\"from\":\"us\",\"text\":\"ours\",\"timestamp\":\"t\",\"read\":false}"
#define ONE "{\"from\":\"a\",\"text\":\"one\",\"msg_id\":\"m1\",\"read\":false}"
#define TWO "{\"from\":\"b\",\"text\":\"two\",\"msg_id\":\"m2\",\"read\":false}"
#define UUID "0e9f4a52-7a1b-4c3d-8e5f-60718293a4b5"

static const struct source source = {.format = &claude_format, .root = -1};
static struct appended result;

static void make(void)
{
    tmp_make(&tmp);
    umask(022);
}

static void clear(void)
{
    tmp_remove(&tmp);
}

TestSuite(array, .init = make, .fini = clear, .timeout = 120);

static struct json_inbox inbox(void)
{
    return (struct json_inbox){.source = &source, .dir = tmp.fd, .path = "inboxes", .name = INBOX};
}

static bool append(void)
{
    const struct json_inbox array = inbox();

    err = (struct err){0};
    return json_inbox_append(&array, span_of(OURS), span_of(UUID), &result, &err);
}

static void expect_text(const char *name, const char *want)
{
    struct str got = tmp_read(&tmp, name);

    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

static bool mark(const char *id)
{
    const struct json_inbox array = inbox();
    struct span item = span_of(id);
    const struct span_list ids = {.items = &item, .count = 1};
    struct str left = {0};

    err = (struct err){0};
    bool ok = json_inbox_mark_read(&array, &ids, &left, &err);
    if (ok)
        expect_text(INBOX, str_c(&left)); /* so the caller need not read it */
    str_free(&left);
    return ok;
}

/* Returns how often a text occurs in the inbox. */
static int times_in_inbox(const char *text)
{
    struct str got = tmp_read(&tmp, INBOX);
    int times = 0;

    for (const char *at = str_c(&got); (at = strstr(at, text)); at++)
        times++;
    str_free(&got);
    return times;
}

static mode_t mode_of(const char *name)
{
    struct stat st;

    cr_assert_eq(fstatat(tmp.fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
    return st.st_mode & 07777;
}

static void expect_nothing_left(void)
{
    cr_assert_eq(tmp_count(&tmp, "."), 1, "only the inbox is there: %d", tmp_count(&tmp, "."));
}

Test(array, the_first_entry_makes_the_inbox)
{
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[\n  {\n    \"from\": \"us\",\n    \"text\": \"ours\",\n"
                       "    \"timestamp\": \"t\",\n    \"read\": false\n  }\n]");
    cr_assert_eq(mode_of(INBOX), 0644, "what the agents' own programs give it");
    cr_assert_eq(result.found, BOX_SOUND);
    expect_nothing_left();
}

Test(array, an_entry_is_added_and_the_mode_is_kept)
{
    write_text(INBOX, "[" ONE "]\n");
    cr_assert_eq(fchmodat(tmp.fd, INBOX, 0620, 0), 0);
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," OURS "]\n");
    cr_assert_eq(mode_of(INBOX), 0620);
    expect_nothing_left();
}

Test(array, entries_with_ids_get_one)
{
    write_text(INBOX, "[{\"msgV\":1}]");
    cr_assert(append(), "%s", err.text);
    cr_assert(result.has_uuid);
    cr_assert_eq(times_in_inbox(UUID), 1);
}

Test(array, a_flag_is_set_and_the_mode_is_kept)
{
    write_text(INBOX, "[" ONE "," TWO "]");
    cr_assert_eq(fchmodat(tmp.fd, INBOX, 0600, 0), 0);
    cr_assert(mark("m2"), "%s", err.text);
    expect_text(INBOX,
                "[" ONE ",{\"from\":\"b\",\"text\":\"two\",\"msg_id\":\"m2\",\"read\":true}]");
    cr_assert_eq(mode_of(INBOX), 0600);
    expect_nothing_left();
}

Test(array, an_inbox_that_is_gone_is_not_brought_back_by_marking)
{
    cr_assert_not(mark("m1"));
    cr_assert(err.scope == ERR_BOX && strstr(err.text, "gone"), "%s", err.text);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(array, clearing_leaves_an_empty_array)
{
    const struct json_inbox array = inbox();
    struct file_id id;

    write_text(INBOX, "[" ONE "]");
    cr_assert_eq(file_stat(tmp.fd, INBOX, &id, &err), FILE_OK);
    cr_assert_eq(json_inbox_clear(&array, &id, &err), FILE_OK, "%s", err.text);
    expect_text(INBOX, "[]");
    expect_nothing_left();
}

Test(array, clearing_what_has_changed_since_it_was_read_changes_nothing)
{
    const struct json_inbox array = inbox();
    struct file_id id;

    write_text(INBOX, "[" ONE "]");
    cr_assert_eq(file_stat(tmp.fd, INBOX, &id, &err), FILE_OK);
    write_text(INBOX, "[" ONE ", " ONE "]");
    cr_assert_eq(json_inbox_clear(&array, &id, &err), FILE_CHANGED);
    expect_text(INBOX, "[" ONE ", " ONE "]");
    expect_nothing_left();
}

Test(array, a_link_or_a_directory_in_the_inboxs_place_is_refused_and_stays)
{
    write_text("elsewhere", "[]");
    make_link("elsewhere", INBOX);
    cr_assert_not(append());
    cr_assert_str_not_empty(err.text);
    expect_text("elsewhere", "[]");
    cr_assert_eq(tmp_count(&tmp, "."), 2);
    unlinkat(tmp.fd, INBOX, 0);
    make_dir(INBOX, 0);
    cr_assert_not(append());
    cr_assert_not(mark("m1"));
    cr_assert_eq(tmp_count(&tmp, "."), 2);
}

/* --- locks of others --- */

static int tell[2];

static bool is_staged(void)
{
    DIR *dir = opendir(tmp.path);
    bool found = false;

    for (struct dirent *entry; (entry = readdir(dir));)
        found |= strstr(entry->d_name, ".tmp") != NULL;
    closedir(dir);
    return found;
}

/* Takes the lock in another process and keeps it until our new file is staged; adds an entry
 * meanwhile, as the lock permits. */
static int hold_and_write(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const char *now = "[" ONE "," TWO "]";
    struct lock held;

    if (!lock_take(&held, tmp.fd, INBOX, NULL, &err) || write(tell[1], "x", 1) != 1)
        return 1;
    for (int i = 0; i < 60000 && !is_staged(); i++)
        nanosleep(&pause, NULL);
    if (times_in_inbox("ours"))
        return 2;
    int fd = openat(tmp.fd, INBOX, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0 || write(fd, now, strlen(now)) != (ssize_t)strlen(now))
        return 3;
    close(fd);
    if (!lock_still_ours(&held))
        return 4;
    lock_release(&held);
    return 0;
}

static pid_t start_holder(void)
{
    char ready;

    cr_assert_eq(pipe(tell), 0);
    pid_t pid = fork();
    cr_assert(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(hold_and_write());
    }
    cr_assert_eq(read(tell[0], &ready, 1), 1);
    return pid;
}

static void expect_holder_content(pid_t pid)
{
    int status;

    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    expect_nothing_left();
}

Test(array, an_entry_waits_for_the_lock_of_another_and_finds_what_it_did)
{
    write_text(INBOX, "[" ONE "]");
    pid_t pid = start_holder();
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," TWO "," OURS "]");
    expect_holder_content(pid);
}

Test(array, a_flag_waits_for_the_lock_of_another_and_finds_what_it_did)
{
    write_text(INBOX, "[" ONE "]");
    pid_t pid = start_holder();
    cr_assert(mark("m1"), "%s", err.text);
    expect_text(INBOX,
                "[{\"from\":\"a\",\"text\":\"one\",\"msg_id\":\"m1\",\"read\":true}," TWO "]");
    expect_holder_content(pid);
}

Test(array, a_lock_that_was_left_behind_is_taken_over)
{
    write_text(INBOX, "[" ONE "]");
    make_dir(LOCK, 12);
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," OURS "]");
    expect_nothing_left();
}

Test(array, a_lock_file_of_a_process_that_ended_is_removed)
{
    char text[64];
    int status;
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    write_pid(text, sizeof text, "%d\n", (int)pid);
    write_text(INBOX, "[" ONE "]");
    write_text(LOCK, text);
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," OURS "]");
    expect_nothing_left();
}

static int styles;

static void drop_lock_file(int call)
{
    styles = call;
    if (call == 3)
        unlinkat(tmp.fd, LOCK, 0);
    if (call < 3)
        cr_assert_eq(times_in_inbox("ours"), 0, "the file is a lock");
}

Test(array, a_lock_file_of_a_bridge_is_waited_for)
{
    char text[64];

    write_pid(text, sizeof text, "%d\n", (int)getpid());
    write_text(INBOX, "[" ONE "]");
    write_text(LOCK, text);
    before_look = drop_lock_file;
    cr_assert(append(), "%s", err.text);
    cr_assert_geq(styles, 3);
    expect_text(INBOX, "[" ONE "," OURS "]");
    expect_nothing_left();
}

/* --- programs that ignore locks --- */

static int changes;

static void change_in_place(int call, const char *name)
{
    struct str now = {0};

    (void)call;
    if (!is_new_lock(name) || changes == 0)
        return;
    changes--;
    struct str before = tmp_read(&tmp, INBOX);
    str_addf(&now, "%.*s," TWO "]", (int)before.len - 1, before.at);
    tmp_write(&tmp, INBOX, str_span(&now));
    str_free(&before);
    str_free(&now);
}

Test(array, a_change_between_preparing_and_swapping_is_kept)
{
    write_text(INBOX, "[" ONE "]");
    changes = 1;
    before_mkdir = change_in_place;
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," TWO "," OURS "]");
    expect_nothing_left();
}

Test(array, changes_in_every_round_are_all_kept)
{
    for (int count = 2; count <= 6; count++) {
        write_text(INBOX, "[" ONE "]");
        changes = count;
        mkdir_calls = 0;
        before_mkdir = change_in_place;
        cr_assert(append(), "%d: %s", count, err.text);
        before_mkdir = NULL;
        cr_assert_eq(times_in_inbox("\"ours\""), 1);
        cr_assert_eq(times_in_inbox("\"two\""), count - changes, "%d: %d", count, changes);
        expect_nothing_left();
    }
}

static void replace_by_rename(int call, const char *name)
{
    (void)call;
    if (!is_new_lock(name) || !changes--)
        return;
    write_text("other", "[" TWO "]");
    cr_assert_eq(renameat(tmp.fd, "other", tmp.fd, INBOX), 0);
    before_mkdir = NULL;
}

Test(array, another_file_under_the_same_name_is_noticed)
{
    write_text(INBOX, "[" ONE "]");
    changes = 1;
    before_mkdir = replace_by_rename;
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" TWO "," OURS "]");
    expect_nothing_left();
}

static void remove_inbox(int call, const char *name)
{
    (void)call;
    if (is_new_lock(name))
        unlinkat(tmp.fd, INBOX, 0);
}

Test(array, an_inbox_that_goes_meanwhile_is_not_brought_back)
{
    write_text(INBOX, "[" ONE "]");
    before_mkdir = remove_inbox;
    cr_assert_not(append());
    cr_assert(err.scope == ERR_BOX && strstr(err.text, "gone"), "%s", err.text);
    before_mkdir = NULL;
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

/* --- damage --- */

#define CUT "[" ONE ",{\"from\":\"b\",\"te"

/* Writes an inbox that nobody is writing any more. */
static void put_old(const char *text)
{
    write_text(INBOX, text);
    age(INBOX, 5);
}

/* Finds the name under which the damaged bytes were kept. */
static void find_kept(char *name, size_t size)
{
    DIR *dir = opendir(tmp.path);

    name[0] = '\0';
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strstr(entry->d_name, "damaged"))
            snprintf(name, size, "%s", entry->d_name);
    closedir(dir);
    cr_assert(name[0], "nothing was kept");
}

Test(array, damaged_content_is_kept_beside_and_what_can_be_read_stays)
{
    char name[300];
    int64_t before_s = time(NULL);

    put_old(CUT);
    cr_assert_eq(fchmodat(tmp.fd, INBOX, 0640, 0), 0);
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(result.found, BOX_DAMAGED);
    expect_text(INBOX, "[\n  " ONE ",\n  {\n    \"from\": \"us\",\n    \"text\": \"ours\",\n"
                       "    \"timestamp\": \"t\",\n    \"read\": false\n  }\n]");
    find_kept(name, sizeof name);
    cr_assert_eq(strncmp(name, INBOX ".damaged-", strlen(INBOX ".damaged-")), 0, "%s", name);
    const char *epoch = name + strlen(INBOX ".damaged-");
    for (const char *c = epoch; *c; c++)
        cr_assert(isdigit((unsigned char)*c), "%s", name);
    long long kept_s = atoll(epoch);
    cr_assert(kept_s >= before_s && kept_s <= time(NULL), "%s", name);
    expect_text(name, CUT);
    cr_assert_eq(mode_of(name), 0640);
    cr_assert_eq(mode_of(INBOX), 0640);
    cr_assert_eq(tmp_count(&tmp, "."), 2);
}

Test(array, what_was_kept_before_is_not_replaced)
{
    char name[300];
    time_t now = time(NULL);

    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, INBOX ".damaged-%lld", (long long)now + i);
        write_text(name, "older");
    }
    put_old(CUT);
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(tmp_count(&tmp, "."), 62);
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, INBOX ".damaged-%lld", (long long)now + i);
        expect_text(name, "older");
    }
}

static void finish_writing(int call)
{
    if (call < 3)
        return;
    at_fstat = NULL;
    write_text(INBOX, "[" ONE "," TWO "]");
}

Test(array, a_file_that_is_half_written_for_a_moment_is_not_damaged)
{
    write_text(INBOX, CUT);
    at_fstat = finish_writing;
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(result.found, BOX_SOUND);
    expect_text(INBOX, "[" ONE "," TWO "," OURS "]");
    expect_nothing_left();
}

Test(array, an_empty_file_counts_only_when_nobody_is_writing_it)
{
    write_text(INBOX, "");
    at_fstat = finish_writing;
    cr_assert(append(), "%s", err.text);
    expect_text(INBOX, "[" ONE "," TWO "," OURS "]");
    put_old("");
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(result.found, BOX_SOUND);
    cr_assert_eq(times_in_inbox("\"ours\""), 1);
    expect_nothing_left();
}

Test(array, a_cleared_inbox_needs_no_copy)
{
    write_text(INBOX, "[]\"from\":\"old\"}]");
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(result.found, BOX_CLEARED);
    cr_assert_eq(times_in_inbox("old"), 0);
    expect_nothing_left();
}

Test(array, nothing_is_marked_in_a_damaged_inbox_and_it_stays_as_it_is)
{
    put_old(CUT);
    cr_assert_not(mark("m1"));
    cr_assert(strstr(err.text, INBOX), "%s", err.text);
    expect_text(INBOX, CUT);
    expect_nothing_left();
}

static void damage_once(int call, const char *name)
{
    (void)call;
    if (!is_new_lock(name) || !changes--)
        return;
    before_mkdir = NULL;
    put_old(CUT " and more");
}

Test(array, damage_is_kept_once_though_the_change_starts_again)
{
    put_old(CUT);
    changes = 1;
    before_mkdir = damage_once;
    cr_assert(append(), "%s", err.text);
    cr_assert_eq(times_in_inbox("\"ours\""), 1);
    cr_assert_leq(tmp_count(&tmp, "."), 3, "the inbox, and the two texts that were damaged");
}
