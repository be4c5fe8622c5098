/* The cache of heads, over all layouts: whatever was done to the files and to the cache meanwhile,
 * what is shown is what a scan from nothing finds. */
#include "world.h"

#include "../unit/live_support.h"
#include "mail/live.h"
#include "store/cache_format.h"
#include "store/stamp.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 160, LIMIT_S = 30 };

static struct live *live;
static unsigned chance;

static void stop(void)
{
    close_world();
    live_free(live);
    live = NULL;
}

TestSuite(caching, .fini = stop, .timeout = 300);

#define caching(Name) test_every_format(caching, Name)

static unsigned any(unsigned below)
{
    chance = chance * 1103515245 + 12345;
    return (chance >> 8) % below;
}

static void use_cache(bool use)
{
    char path[512];

    snprintf(path, sizeof path, "%s/cache", world.tmp.path);
    setenv("XDG_CACHE_HOME", use ? path : "/dev/null", 1);
}

/* The cache is written when nobody waits any more; what is asked for next waits for it. */
static void wait_for_cache(void)
{
    struct tasks tasks = {0};
    struct err err;

    cr_assert(store_tasks(world.store, 0, &tasks, &err), "%s", err.text);
    tasks_free(&tasks);
}

/* Heads only: that is what the cache has. */
static struct model scan(bool cached)
{
    struct load heads = {.inbox = true, .archive = true};
    struct model model = {0};
    struct err err;

    use_cache(cached);
    cr_assert(store_load(world.store, &heads, &model, &err), "%s", err.text);
    wait_for_cache();
    model_sort(model.messages, model.count, cmp_where);
    use_cache(true);
    return model;
}

static void assert_same(struct model *view, struct model *fresh, const char *when)
{
    cr_assert_eq(view->count, fresh->count, "%s: %zu of %zu", when, view->count, fresh->count);
    for (size_t i = 0; i < view->count; i++) {
        const char *what = head_difference(view->messages[i], fresh->messages[i]);
        cr_assert_null(what, "%s: %s: %s differs", when, fresh->messages[i]->file.at, what);
    }
}

static void assert_true(const char *when)
{
    struct model view = scan(true), fresh = scan(false);

    assert_same(&view, &fresh, when);
    model_free(&view);
    model_free(&fresh);
}

/* --- a mailbox with many messages --- */

static struct scene {
    char dir[512]; /* of the inbox, from the temporary directory */
    char archive[512];
    struct span name, id;
    struct str bytes;
    char kept[600];
    unsigned next;
} scene;

/* The text with every `old` replaced by something of the same length. */
static struct str replaced(struct span text, struct span old, const char *with)
{
    struct str out = {0};

    for (size_t i = 0; i < text.len;) {
        bool here = text.len - i >= old.len && memcmp(text.at + i, old.at, old.len) == 0;
        if (here)
            str_add(&out, with, old.len);
        else
            str_putc(&out, text.at[i]);
        i += here ? old.len : 1;
    }
    return out;
}

static void put_message(const char *dir, unsigned number)
{
    char id[256], path[900];

    snprintf(id, sizeof id, "%.*s", (int)scene.id.len, scene.id.at);
    snprintf(id + scene.id.len - 4, 5, "%04x", number);
    struct str bytes = replaced(str_span(&scene.bytes), scene.id, id);
    struct str name = replaced(scene.name, scene.id, id);
    if (span_eq(str_span(&name), scene.name)) { /* its name does not tell its id */
        str_clear(&name);
        str_addf(&name, "%u-%.*s", number, (int)scene.name.len, scene.name.at);
    }
    snprintf(path, sizeof path, "%s/%s", dir, str_c(&name));
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
    str_free(&name);
}

/* False for layouts that do not keep one file a message. */
static bool open_scene(size_t index)
{
    open_world(index);
    if (world.format->keeping != KEEP_FILES)
        return false;
    struct letter letter = make_letter("carol", "alice");
    letter.draft.subject = span_of("Xubject");
    send_letter(&letter);
    struct model model = load(true, true);
    const struct message *message = model.messages[0];
    snprintf(scene.dir, sizeof scene.dir, "%s/%s", world.inside, message->place->dir.at);
    snprintf(scene.archive, sizeof scene.archive, "%s", scene.dir);
    char *last = strrchr(scene.archive, '/');
    if (strcmp(last, "/inbox") == 0)
        snprintf(last, 9, "/archive");
    else if (world.format->archiving == ARCHIVE_MOVE)
        strcat(scene.archive, "/archive");
    snprintf(scene.kept, sizeof scene.kept, "%s %s", message->file.at, message->id.at);
    scene.name = (struct span){scene.kept, message->file.len};
    scene.id = (struct span){scene.kept + message->file.len + 1, message->id.len};
    scene.kept[message->file.len] = '\0';
    char path[1024];
    path_of(message, path, sizeof path);
    scene.bytes = tmp_read(&world.tmp, path);
    mkdirat(world.tmp.fd, scene.archive, 0777);
    for (scene.next = 1; scene.next < FILES; scene.next++)
        put_message(scene.next % 3 ? scene.archive : scene.dir, scene.next);
    model_free(&model);
    letter_free(&letter);
    chance = (unsigned)index + 1;
    return true;
}

/* Until the clock is so far from all that was touched that it can be told from what comes. */
static void let_settle(void)
{
    struct timespec little = {.tv_nsec = 20000000};
    int64_t end_ns = stamp_now_ns() + STAMP_MARGIN_NS + STAMP_MARGIN_NS / 10;

    while (stamp_now_ns() < end_ns)
        nanosleep(&little, NULL);
}

/* A cache of all that is there, which is used. */
static void make_cache(void)
{
    let_settle();
    struct model model = scan(true);
    model_free(&model);
}

static bool find_cache(char *path, size_t size)
{
    char dir[512];

    snprintf(dir, sizeof dir, "%s/cache/swarmutt/heads", world.tmp.path);
    DIR *open = opendir(dir);
    bool found = false;
    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (entry->d_name[0] == '.')
            continue;
        found = true;
        snprintf(path, size, "cache/swarmutt/heads/%s", entry->d_name);
    }
    if (open)
        closedir(open);
    return found;
}

/* How many files the log says that need not be read, the last time. */
static unsigned known_files(void)
{
    char path[512];
    unsigned known = 0;
    struct err err;

    snprintf(path, sizeof path, "%s/log", world.tmp.path);
    unlink(path);
    struct log *log = log_open(path, &err);
    store_close(world.store);
    world.store = open_store(NULL, false, log);
    struct model model = scan(true);
    model_free(&model);
    struct str text = tmp_read(&world.tmp, "log");
    const char *said = strstr(str_c(&text), "cache: ");
    for (const char *at = said; at; at = strstr(at + 1, "cache: "))
        if (sscanf(at, "cache: %u of", &known) == 1)
            said = at;
    str_free(&text);
    store_close(world.store);
    world.store = open_store(NULL, false, NULL);
    log_close(log);
    return known;
}

/* --- what happens to files --- */

static void any_file(char *path, size_t size)
{
    struct model model = scan(false);

    cr_assert_gt(model.count, 0);
    path_of(model.messages[any((unsigned)model.count)], path, size);
    model_free(&model);
}

static struct stat look(const char *path)
{
    struct stat st;

    cr_assert_eq(fstatat(world.tmp.fd, path, &st, AT_SYMLINK_NOFOLLOW), 0);
    return st;
}

static void set_back(const char *path, const struct stat *st)
{
    struct timespec times[2] = {st->st_atim, st->st_mtim};

    cr_assert_eq(utimensat(world.tmp.fd, path, times, AT_SYMLINK_NOFOLLOW), 0);
}

/* As many bytes, in the same file, with the times that it had. */
static void change_in_place(const char *path, bool hide)
{
    struct stat before = look(path);
    if (!S_ISREG(before.st_mode))
        return;
    struct str bytes = tmp_read(&world.tmp, path);
    const char *at = strstr(str_c(&bytes), "ubject");
    int fd = openat(world.tmp.fd, path, O_WRONLY | O_CLOEXEC);
    char letter = (char)('A' + any(26));

    cr_assert(fd >= 0);
    if (at) /* else it was broken before */
        cr_assert(pwrite(fd, &letter, 1, at - bytes.at - 1) == 1);
    close(fd);
    if (hide)
        set_back(path, &before);
    str_free(&bytes);
}

static void replace(const char *path)
{
    struct stat before = look(path);
    if (!S_ISREG(before.st_mode))
        return;
    struct str bytes = tmp_read(&world.tmp, path);
    char other[1100];

    snprintf(other, sizeof other, "%s.new", path);
    char *at = strstr(bytes.at, "ubject");
    if (at)
        at[-1] = (char)('A' + any(26));
    tmp_write(&world.tmp, other, str_span(&bytes));
    set_back(other, &before);
    cr_assert_eq(renameat(world.tmp.fd, other, world.tmp.fd, path), 0);
    str_free(&bytes);
}

static void touch_back(const char *path)
{
    struct stat long_ago = {.st_mtim.tv_sec = 1000000000};

    set_back(path, &long_ago);
}

static void move_away(const char *path)
{
    char other[1100];

    snprintf(other, sizeof other, "%s/%s", scene.archive, strrchr(path, '/') + 1);
    renameat(world.tmp.fd, path, world.tmp.fd, other);
}

static void hide_dir(const char *dir, const struct stat *st)
{
    set_back(dir, st); /* as if nothing had come or gone */
}

static void do_something(void)
{
    char path[1024];
    struct stat inbox = look(scene.dir), archive = look(scene.archive);

    any_file(path, sizeof path);
    switch (any(10)) {
    case 0:
        change_in_place(path, false);
        break;
    case 1:
        change_in_place(path, true);
        break;
    case 2:
        replace(path);
        break;
    case 3:
        unlinkat(world.tmp.fd, path, 0);
        break;
    case 4:
        move_away(path);
        break;
    case 5:
        put_message(any(2) ? scene.dir : scene.archive, scene.next++);
        break;
    case 6:
        touch_back(path);
        break;
    case 7:
        if (!S_ISREG(look(path).st_mode))
            break;
        tmp_write(&world.tmp, path, span_of("{ this is no message"));
        touch_back(path); /* or one would wait for the rest of it */
        break;
    case 8: /* no file at all, in the place of a message */
        unlinkat(world.tmp.fd, path, 0);
        cr_assert_eq(symlinkat("nowhere", world.tmp.fd, path), 0);
        break;
    case 9:
        unlinkat(world.tmp.fd, path, 0);
        cr_assert_eq(mkfifoat(world.tmp.fd, path, 0666), 0);
        break;
    }
    if (any(2)) {
        hide_dir(scene.dir, &inbox);
        hide_dir(scene.archive, &archive);
    }
}

caching(who_is_in_haste_looks_at_new_files_only)
{
    struct load heads = {.inbox = true, .archive = true, .hasty = true};
    struct model known = {0};
    char path[1024];
    struct err err;

    if (!open_scene(*index))
        return;
    make_cache();
    struct model before = scan(true);
    path_of(before.messages[0], path, sizeof path);
    change_in_place(path, false);
    put_message(scene.dir, scene.next++);
    cr_assert(store_load(world.store, &heads, &known, &err), "%s", err.text);
    model_sort(known.messages, known.count, cmp_where);
    cr_assert_eq(known.count, before.count + 1);
    for (size_t i = 0; i < known.count; i++) {
        char here[1024];
        path_of(known.messages[i], here, sizeof here);
        if (strcmp(here, path) == 0)
            assert_span(known.messages[i]->subject, before.messages[0]->subject.at);
    }
    model_free(&known);
    model_free(&before);
    assert_true("who takes the time sees what has changed");
}

caching(what_is_known_need_not_be_read_and_is_the_same)
{
    char path[512];

    if (!open_scene(*index))
        return;
    cr_assert_not(find_cache(path, sizeof path));
    make_cache();
    cr_assert(find_cache(path, sizeof path));
    struct stat st = look(path);
    cr_assert_eq(st.st_mode & 0777, 0600);
    cr_assert_eq(known_files(), FILES);
    assert_true("unchanged");
}

caching(whatever_is_done_to_files_shows)
{
    if (!open_scene(*index))
        return;
    make_cache();
    for (int round = 0; round < usual_rounds(60); round++) {
        char when[64];
        unsigned seed = chance;
        do_something();
        snprintf(when, sizeof when, "round %d, chance %u", round, seed);
        assert_true(when);
    }
    unsigned known = known_files();
    cr_assert_gt(known, FILES / 3, "%u", known);
    make_cache();
    assert_true("a cache of what is there now");
}

caching(a_message_that_came_in_the_moment_of_reading_is_not_believed)
{
    char path[1024];

    if (!open_scene(*index))
        return;
    make_cache();
    any_file(path, sizeof path);
    for (int round = 0; round < 20; round++) { /* each within one tick of the clock, mostly */
        change_in_place(path, true);
        assert_true("changed right after it was read");
    }
}

static void take_news(bool *ready)
{
    struct news news;

    while (store_next(world.store, &news)) {
        if (news.kind == NEWS_UPDATE)
            live_apply(live, &news.update, NULL);
        *ready |= news.kind == NEWS_READY;
        news_free(&news);
    }
}

/* A live picture of a mailbox that changed while nobody looked becomes true. */
static void assert_becomes_true(const char *when)
{
    struct watch_options heads = {0};
    time_t end = time(NULL) + LIMIT_S;
    bool ready = false, same = false;

    live = live_new();
    store_watch(world.store, &heads);
    while (!ready || !same) {
        struct pollfd fd = {.fd = store_fd(world.store), .events = POLLIN};
        poll(&fd, 1, 50);
        take_news(&ready);
        if (!ready)
            continue;
        struct model view = {0}, fresh = scan(false);
        take_news(&ready);
        live_view(live, &view);
        model_sort(view.messages, view.count, cmp_where);
        same = view.count == fresh.count;
        for (size_t i = 0; same && i < view.count; i++)
            same = !head_difference(view.messages[i], fresh.messages[i]);
        if (!same && time(NULL) > end)
            assert_same(&view, &fresh, when);
        model_free(&view);
        model_free(&fresh);
    }
    store_unwatch(world.store);
    live_free(live);
    live = NULL;
}

/* --- files that hold many --- */

/* An inbox with many entries, as its own program writes it. */
static void fill_array(char *path, size_t size)
{
    struct letter letter = make_letter("carol", "alice");
    struct str bytes = {0};

    send_letter(&letter);
    struct model model = load(true, true);
    path_of(model.messages[0], path, size);
    str_puts(&bytes, "[");
    for (int i = 0; i < FILES; i++)
        str_addf(&bytes,
                 "%s\n  {\n    \"from\": \"carol\",\n    \"text\": \"Xubject %d\",\n"
                 "    \"timestamp\": \"2026-02-07T15:35:15.%03dZ\",\n    \"read\": false\n  }",
                 i ? "," : "", i, i);
    str_puts(&bytes, "\n]");
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
    model_free(&model);
    letter_free(&letter);
}

caching(a_file_that_holds_many_is_known_as_a_whole_or_read)
{
    char path[1024];

    open_world(*index);
    if (world.format->keeping != KEEP_ARRAY)
        return;
    fill_array(path, sizeof path);
    make_cache();
    cr_assert_eq(known_files(), 1);
    assert_true("unchanged");
    struct letter letter = make_letter("carol", "alice");
    send_letter(&letter);
    letter_free(&letter);
    assert_true("one more");
    change_in_place(path, true);
    assert_true("changed in place");
    make_cache();
    cr_assert_eq(known_files(), 1);
    assert_becomes_true("a picture from what is known");
    change_in_place(path, true);
    assert_becomes_true("and when that has changed");
}

caching(a_picture_that_starts_from_what_is_known_becomes_true)
{
    if (!open_scene(*index))
        return;
    make_cache();
    assert_becomes_true("unchanged");
    for (int round = 0; round < usual_rounds(12); round++) {
        char when[64];
        unsigned seed = chance;
        for (unsigned i = any(4); i--;)
            do_something();
        snprintf(when, sizeof when, "round %d, chance %u", round, seed);
        assert_becomes_true(when);
    }
    let_settle();
    assert_becomes_true("with a cache that a picture has made");
    assert_becomes_true("and from that");
    unsigned known = known_files();
    cr_assert_gt(known, FILES / 3, "%u", known);
}

caching(a_cache_that_is_damaged_is_not_there)
{
    char path[512];

    if (!open_scene(*index))
        return;
    make_cache();
    cr_assert(find_cache(path, sizeof path));
    struct str good = tmp_read(&world.tmp, path);
    for (size_t at = 0; at < sizeof(struct cache_header); at++) {
        good.at[at] ^= 1;
        tmp_write(&world.tmp, path, str_span(&good));
        good.at[at] ^= 1;
        assert_true("a bit of its header");
    }
    for (int round = 0; round < usual_rounds(60); round++) {
        struct str bad = {0};
        str_add_span(&bad, str_span(&good));
        size_t at = any((unsigned)bad.len);
        if (round % 3 == 0)
            bad.len = at;
        else if (round % 3 == 1)
            bad.at[at] ^= (char)(1u << any(8));
        else
            memset(bad.at + at, (int)any(256), bad.len - at < 64 ? bad.len - at : 64);
        tmp_write(&world.tmp, path, str_span(&bad));
        assert_true("damaged");
        str_free(&bad);
    }
    tmp_write(&world.tmp, path, span_of("something else"));
    cr_assert_lt(known_files(), FILES);
    assert_true("something else");
    cr_assert_eq(known_files(), FILES); /* it was made anew */
    str_free(&good);
}

/* Loads all the time, and so writes caches. */
static void load_for_ever(void)
{
    store_close(world.store);
    world.store = open_store(NULL, false, NULL);
    for (;;) {
        char path[512];
        struct model model = scan(true);
        model_free(&model);
        if (find_cache(path, sizeof path))
            unlinkat(world.tmp.fd, path, 0);
    }
}

caching(writers_that_are_killed_leave_a_cache_that_is_right_or_none)
{
    if (!open_scene(*index))
        return;
    make_cache();
    store_close(world.store); /* no thread of it goes on in a child */
    world.store = NULL;
    for (int round = 0; round < usual_rounds(12); round++) {
        struct timespec pause = {.tv_nsec = 1000000L * any(30)};
        pid_t children[2];
        for (int i = 0; i < 2; i++) {
            children[i] = fork();
            cr_assert_geq(children[i], 0);
            if (!children[i])
                load_for_ever();
        }
        nanosleep(&pause, NULL);
        for (int i = 0; i < 2; i++) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
        world.store = open_store(NULL, false, NULL);
        assert_true("after a kill");
        store_close(world.store);
        world.store = NULL;
    }
    world.store = open_store(NULL, false, NULL);
}

caching(a_place_that_cannot_be_written_to_changes_nothing)
{
    if (!open_scene(*index))
        return;
    make_cache();
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
    struct model view = scan(false), fresh;
    setenv("HOME", "/proc/none", 1);
    unsetenv("XDG_CACHE_HOME");
    fresh = scan(false);
    assert_same(&view, &fresh, "nowhere");
    model_free(&view);
    model_free(&fresh);
}
