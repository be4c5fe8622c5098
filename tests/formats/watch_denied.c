/* Watching when the kernel reports too little: no watches, a queue that overflows, a file system
 * without events. The tests call the watch themselves, so that nothing depends on the timing of a
 * thread; in the end the picture is the one of a load. */
#include "world.h"

#include "mail/live/live.h"
#include "store/doctor/doctor.h"
#include "store/follow.h"
#include "store/watch/watch_private.h"
#include "tests/unit/mail/live/live_support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_S = 20 };

/* Replacements for the kernel's calls: 0 makes the real call. */
static int init_errno, add_errno;
static unsigned add_from; /* the first call to refuse, from 0 */
static long silent_type;

int inotify_init1(int flags)
{
    errno = init_errno;
    return init_errno ? -1 : (int)syscall(SYS_inotify_init1, flags);
}

int inotify_add_watch(int fd, const char *path, uint32_t mask)
{
    if (add_errno && add_from-- == 0) {
        add_from = 0;
        errno = add_errno;
        return -1;
    }
    return (int)syscall(SYS_inotify_add_watch, fd, path, mask);
}

int fstatfs(int fd, struct statfs *fs)
{
    int result = (int)syscall(SYS_fstatfs, fd, fs);

    if (silent_type)
        fs->f_type = silent_type;
    return result;
}

static struct watch *watch;
static struct live *live;
static struct str health; /* the last report about the health of the watch */

static void stop(void)
{
    init_errno = add_errno = 0;
    silent_type = 0;
    watch_stop(watch);
    close_world();
    live_free(live);
    str_free(&health);
}

TestSuite(watch_denied, .fini = stop, .timeout = 300);

#define denied(Name) test_every_format(watch_denied, Name)

static void take_news(void *context, const struct news *posted)
{
    struct news news = *posted;

    (void)context;
    if (news.kind == NEWS_UPDATE)
        live_apply(live, &news.update, NULL);
    if (news.kind == NEWS_HEALTH)
        str_puts(&health, news.text);
    news_free(&news);
}

static void start(size_t index, bool poll)
{
    open_world(index);
    live = live_new();
    watch = watch_start(world.store, &(struct watch_options){.poll = poll}, take_news, NULL);
}

static void post(const char *to)
{
    struct outgoing_message letter = make_letter("carol", to);

    send_letter(&letter);
    outgoing_message_free(&letter);
}

static void settle(const char *when)
{
    time_t end = time(NULL) + LIMIT_S;

    for (bool same = false; !same;) {
        struct model view = {0}, fresh = load(true, true);
        watch_work(watch);
        live_view(live, &view);
        same = view.count == fresh.count;
        model_sort(view.messages, view.count, cmp_where);
        model_sort(fresh.messages, fresh.count, cmp_where);
        for (size_t i = 0; same && i < view.count; i++)
            same = !head_difference(view.messages[i], fresh.messages[i]);
        if (!same && time(NULL) >= end)
            assert_same_messages(&view, &fresh, when);
        model_free(&view);
        model_free(&fresh);
    }
}

static bool is_polled(enum tree_kind kind)
{
    for (size_t i = 0; i < watch->tree_count; i++)
        if (watch->trees[i].kind == kind && !watch->trees[i].polled)
            return false;
    return true;
}

/* --- no watches --- */

denied(without_inotify_everything_is_looked_at_every_second_and_why_is_said)
{
    init_errno = EMFILE;
    start(*index, false);
    cr_assert(is_polled(TREE_MAIL) && is_polled(TREE_KNOWN));
    cr_assert_not_null(strstr(str_c(&health), "max_user_instances"), "%s", str_c(&health));
    post("alice");
    watch_poll(watch);
    settle("a message came");
    post("bob");
    watch_poll(watch);
    settle("another came");
}

/* True if the doctor reports something with these words. */
static bool doctor_says(const char *words)
{
    struct doctor doctor = {0};
    bool said = false;

    store_doctor(world.store, time_now(), &doctor);
    for (size_t i = 0; i < doctor.count; i++)
        said |= has_text(doctor.findings[i]->text, words);
    doctor_free(&doctor);
    return said;
}

denied(the_doctor_tells_that_all_watchers_are_taken_and_that_a_file_system_is_silent)
{
    static const char taken[] = "your programs have taken all";
    static const char silent[] = "it is looked at every second instead";

    open_world(*index);
    live = live_new();
    cr_assert_not(doctor_says(taken) || doctor_says(silent));
    init_errno = EMFILE;
    cr_assert(doctor_says(taken));
    init_errno = ENOSYS; /* not the error of any limit */
    cr_assert_not(doctor_says(taken));
    silent_type = NFS_SUPER_MAGIC;
    cr_assert(doctor_says(silent));
}

denied(a_kernel_without_inotify_is_named)
{
    init_errno = ENOSYS;
    start(*index, false);
    cr_assert_not_null(strstr(str_c(&health), strerror(ENOSYS)), "%s", str_c(&health));
}

denied(time_watches_run_out_the_tree_is_looked_at_every_second)
{
    static const struct {
        int error;
        const char *why;
    } cases[] = {{ENOSPC, "max_user_watches"}, {EACCES, "Permission denied"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        add_errno = cases[i].error;
        add_from = 0;
        start(*index, false);
        cr_assert(is_polled(TREE_MAIL));
        cr_assert_not_null(strstr(str_c(&health), cases[i].why), "%s", str_c(&health));
        post("alice");
        watch_poll(watch);
        settle("a message came");
        stop();
        watch = NULL;
        live = NULL;
    }
    open_world(*index); /* for the end of the test */
}

/* The root became a file since it was opened: there is nothing to watch or report. */
denied(a_directory_that_is_none_any_more_makes_nobody_look_every_second)
{
    add_errno = ENOTDIR;
    start(*index, false);
    cr_assert_not(is_polled(TREE_MAIL));
    cr_assert_eq(health.len, 0, "%s", str_c(&health));
}

denied(a_silent_file_system_is_looked_at_every_second_but_not_for_our_own_state)
{
    silent_type = NFS_SUPER_MAGIC;
    start(*index, false);
    cr_assert(is_polled(TREE_MAIL));
    cr_assert_not(is_polled(TREE_STATE));
    cr_assert_gt(health.len, 0);
    post("alice");
    watch_poll(watch);
    settle("a message came");
}

denied(who_asked_to_look_every_second_is_not_told_of_a_silent_file_system_twice)
{
    silent_type = NFS_SUPER_MAGIC;
    start(*index, true);
    cr_assert(is_polled(TREE_MAIL) && is_polled(TREE_STATE));
    cr_assert_eq(health.len, 0, "%s", str_c(&health));
}

denied(what_only_looks_the_same_is_read_again_where_it_is_looked_for)
{
    struct stat st;
    char path[600], whole[900], beside[920];

    start(*index, true);
    post("alice");
    watch_poll(watch);
    settle("a message came");
    struct model model = load(true, false);
    path_of(model.messages[0], path, sizeof path);
    model_free(&model);
    snprintf(whole, sizeof whole, "%s/%s", world.tmp.path, path);
    snprintf(beside, sizeof beside, "%s.beside", whole);
    cr_assert_eq(stat(whole, &st), 0);
    /* replace the file by one with the same bytes, size and time */
    struct str bytes = tmp_read(&world.tmp, path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode);
    cr_assert_eq(write(fd, bytes.at, bytes.len), (ssize_t)bytes.len);
    cr_assert_eq(futimens(fd, (struct timespec[]){st.st_atim, st.st_mtim}), 0);
    close(fd);
    cr_assert_eq(rename(beside, whole), 0);
    watch_poll(watch);
    cr_assert_geq(watch->dirty_live, 1, "it is another file");
    settle("it was replaced");
    /* change the file so that only the kernel knows it */
    cr_assert_eq(chmod(whole, 0640), 0);
    watch_poll(watch);
    cr_assert_geq(watch->dirty_live, 1, "it was touched");
    settle("it was touched");
    str_free(&bytes);
}

/* --- a queue that runs over --- */

/* Makes more events than the kernel queues: alternating, since it merges equal ones in a row. */
static bool overflow_queue(void)
{
    FILE *limit = fopen("/proc/sys/fs/inotify/max_queued_events", "re");
    char names[2][700];
    long most = 0;

    if (!limit || fscanf(limit, "%ld", &most) != 1 || most > 200000)
        most = 0;
    if (limit)
        fclose(limit);
    for (size_t i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%s/overflow-%zu", world.root, i);
        close(open(names[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    }
    for (long i = 0; most && i < most + 100; i++)
        cr_assert_eq(chmod(names[i % 2], 0600), 0);
    return most;
}

denied(time_the_queue_runs_over_everything_is_looked_at_again)
{
    start(*index, false);
    if (!overflow_queue())
        skip_here(stop, "the kernel's queue is too long, or unknown");
    post("alice"); /* without an event */
    post("bob");
    settle("the queue ran over");
    cr_assert_gt(live_count(live), 0);
}

denied(a_directory_that_was_moved_meanwhile_is_followed)
{
    char from[700], to[700];

    start(*index, false);
    post("alice");
    settle("a message came");
    if (!place_has_box(world.format->rules[0].pattern) || world.teams ||
        strncmp(world.format->rules[0].pattern, "{box}/", 6) != 0)
        skip_test(stop, "a box is no directory here");
    snprintf(from, sizeof from, "%s/alice", world.root);
    snprintf(to, sizeof to, "%s/alicia", world.root);
    cr_assert_eq(rename(from, to), 0);
    watch->overflow = true; /* without an event */
    settle("the box has another name");
    size_t dirs = 0;
    for (size_t i = 0; i < watch->dir_count; i++) {
        const char *dir = watch->dirs[i].dir;
        cr_assert_not(dir && strcmp(dir, "alice") == 0, "it goes by its old name");
        dirs += dir && strcmp(dir, "alicia") == 0;
    }
    cr_assert_eq(dirs, 1);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
    (void)st;
    (void)kind;
    (void)place;
    return remove(path);
}

denied(time_all_that_the_tree_lies_in_is_removed_its_mail_is_gone)
{
    start(*index, false);
    post("alice");
    settle("a message came");
    cr_assert_eq(nftw(world.project, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    for (int i = 0; i < 3; i++)
        watch_work(watch);
    cr_assert_eq(live_count(live), 0);
}

/* --- files that are read again --- */

/* Notes the i-th of many files that do not exist. */
static void note(const struct message *like, size_t i, int64_t due_us)
{
    struct str name = {0};

    str_add_span(&name, span_without_end(like->file, ".json"));
    str_addf(&name, "-%zu.json", i);
    watch_dirty(watch, 0, like->place->dir, str_span(&name), due_us);
    str_free(&name);
}

denied(many_files_that_were_read_take_no_memory_though_one_still_waits)
{
    enum { MANY = 1100 };
    int64_t now = time_steady(), later = now + INT64_C(3600) * 1000000;

    start(*index, false);
    post("alice");
    settle("a message came");
    if (world.format->storage != STORAGE_FILES)
        skip_test(stop, "a box is one file here");
    struct model model = load(true, false);
    const struct message *message = model.messages[0];
    note(message, MANY, later);
    for (size_t i = 0; i < MANY; i++) {
        note(message, i, now);
        note(message, i, later); /* noted once, it stays due */
    }
    cr_assert_eq(watch->dirty_live, MANY + 1);
    watch_read_dirty(watch);
    size_t left = watch->dirty_live;
    cr_assert_lt(left, MANY);
    note(message, 0, later); /* it was read, and changed again */
    cr_assert_eq(watch->dirty_live, left + 1);
    while (watch->dirty_live > 2)
        watch_read_dirty(watch);
    cr_assert_lt(watch->dirty_count, 100, "of %d that were noted", MANY);
    note(message, 0, now);
    note(message, MANY, now);
    watch_read_dirty(watch);
    cr_assert_eq(watch->dirty_count, 0);
    model_free(&model);
    settle("nothing of it is there");
}

/* --- partial subscriptions --- */

static void hear(void *context, const char *sentence)
{
    str_puts(context, sentence);
}

denied(who_follows_may_listen_to_as_little_as_they_like)
{
    static const struct watching_calls nothing = {0};
    struct watching following;
    struct str heard = {0};

    open_world(*index);
    post("alice");
    cr_assert(
        watching_begin(&following, world.store, &(struct watch_options){0}, &nothing, NULL, NULL));
    time_t end = time(NULL) + LIMIT_S;
    while (!following.ready && time(NULL) < end)
        watching_take(&following);
    cr_assert(following.ready);
    for (int i = 0; i < 40; i++) {
        worker_post(following.worker, &(struct news){.kind = NEWS_KEPT});
        worker_post(following.worker, &(struct news){.kind = NEWS_DONE});
        worker_post(following.worker, &(struct news){.kind = NEWS_KNOWN});
        worker_post(following.worker,
                    &(struct news){.kind = NEWS_HEALTH, .text = strdup("unheard")});
    }
    for (int i = 0; i < 20; i++)
        watching_take(&following);
    following.tell = hear;
    following.report_context = &heard;
    worker_post(following.worker, &(struct news){.kind = NEWS_HEALTH, .text = strdup("heard")});
    for (int i = 0; i < 20; i++)
        watching_take(&following);
    cr_assert_str_eq(str_c(&heard), "heard");
    cr_assert_eq(live_count(following.live), 1);
    watching_stop(&following);
    str_free(&heard);
}
