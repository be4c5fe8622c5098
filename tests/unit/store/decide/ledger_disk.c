/* Tests the ledger on disk: files that are never written to, when a line is on disk, and disks that
 * fail. */
#include "ledger_support.h"
#include "tests/unit/store/send/sync_support.h"

#include <sys/resource.h>

TestSuite(ledger_disk, .init = make_home, .fini = clear_ledger, .timeout = 120);

Test(ledger_disk, only_its_owner_may_look_into_it_whatever_the_umask)
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

Test(ledger_disk, a_link_is_not_written_through)
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

Test(ledger_disk, what_is_no_file_is_not_written_to)
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

Test(ledger_disk, a_file_that_others_can_write_to_is_not_written_to)
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

Test(ledger_disk, somebody_elses_file_is_not_written_to)
{
    if (getuid() != 0)
        skip_here(clear_ledger, "only root can give a file away");
    append_many(1);
    cr_assert_eq(fchownat(tmp.fd, LEDGER, 65534, 65534, 0), 0);
    expect_refused("somebody else");
    expect_whole(1, 0);
}

Test(ledger_disk, a_directory_that_cannot_be_written_is_an_error_and_nothing_is_left)
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

Test(ledger_disk, a_directory_that_cannot_be_made_is_an_error)
{
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 1);

    tmp_write(&tmp, "swarmutt", span_of("a file"));
    cr_assert(!ledger_append(&entry, &err));
    cr_assert(strstr(err.text, "/swarmutt") != NULL, "%s", err.text);
    read_anew();
    cr_assert(!ledger.there && !ledger.count);
}

static int synced_dirs, synced_files;
static size_t synced_bytes, head_bytes;

/* Checks the order of syncs: the directory, then the line, and only then the head is written. */
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

Test(ledger_disk, a_line_is_on_disk_before_it_is_acknowledged_and_the_name_of_the_file_before_that)
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

Test(ledger_disk, a_disk_that_does_not_take_it_is_an_error)
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

/* Like a full disk: there is room for half of the line only. */
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

Test(ledger_disk, a_full_disk_is_an_error_and_the_next_line_finds_its_place)
{
    append_many(2);
    expect_success(start(append_without_room, 0));
    expect_whole(2, 1);
    append_many(1);
    expect_whole(3, 1);
    cr_assert_eq(ledger.entries[2]->number, 4);
}
