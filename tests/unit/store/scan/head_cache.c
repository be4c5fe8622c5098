/* Tests cache files: the cache of heads, also damaged, the reader pool that uses it, and the files
 * of the first screen. */
#include "tests/unit/mend_support.h"
#include "tests/unit/support.h"

#include "base/log.h"
#include "store/layouts/agent_inbox.h"
#include "store/scan/first_screen.h"
#include "store/scan/head_cache.h"
#include "store/source/our_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 64 }; /* with fewer messages no cache is written */

static struct tmp tmp;
static char root[300], identity[] = "bob";
static struct source source;
static const struct place bob = {.root = root, .box = {"bob", 3}, .dir = {"bob", 3}};
static const struct place deep = {
    .root = root, .box = {"bob", 3}, .dir = {"bob/archive", 11}, .archived = true};
static const struct stamp settled = {
    .size = 1, .mtime_ns = 1, .ctime_ns = 1, .ino = 1, .read_ns = INT64_MAX};

static void start(void)
{
    tmp_make(&tmp);
    snprintf(root, sizeof root, "%s/mail", tmp.path);
    tmp_write(&tmp, "mail/bob/first", span_of("{}"));
    setenv("XDG_CACHE_HOME", tmp.path, 1);
    source = (struct source){.format = &inbox_format,
                             .path = root,
                             .identity = identity,
                             .root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                             .seed = 5};
}

static void finish(void)
{
    close(source.root);
    tmp_remove(&tmp);
}

TestSuite(cache, .init = start, .fini = finish);

static void fill(struct batch *batch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct message *message = batch_add(batch);
        message->id = message->file = span_of("id");
        message->subject = message->from = message->to = message->type = span_of("text");
        message->place = &bob;
        message->expires_us = TIME_NONE;
    }
}

static const struct reader_pool_file files[] = {{.place = &bob, .name = {"first", 5}},
                                                {.place = &bob, .name = {"second", 6}},
                                                {.place = &deep, .name = {"third", 5}}};

/* Writes a cache of three files with so many messages; files that changed recently are not used. */
static void write_cache(const size_t counts[3], const struct stamp *stamps[3], struct log *log)
{
    const struct cache_listed dirs[] = {{{"bob", 3}, *stamps[0]},
                                        {{"bob/archive", 11}, *stamps[2]}};
    struct cache_writer *writer = cache_write_begin(&source, NULL);
    struct cache_part part = {0};

    for (size_t i = 0; i < 3; i++) {
        struct batch batch = {0};
        fill(&batch, counts[i]);
        if (counts[i])
            cache_note_read(writer, &part,
                            &(struct cache_read){.stamp = *stamps[i], .batch = &batch});
        else
            cache_note_nothing(&part);
        batch_free(&batch);
    }
    cache_add_part(writer, &part);
    cache_write_end(writer, files, dirs, 2, log);
}

static void write_usual(void)
{
    write_cache((const size_t[]){MANY, 1, 1},
                (const struct stamp *[]){&settled, &settled, &settled}, NULL);
}

static struct str path_of(const char *kind)
{
    struct str path = {0};

    cr_assert(cache_file_path(&path, kind, &source, true));
    return path;
}

static struct str read_cache(void)
{
    struct str path = path_of(CACHE_KIND);
    struct str bytes = tmp_read(&tmp, str_c(&path) + strlen(tmp.path) + 1);

    str_free(&path);
    return bytes;
}

static void put_cache(struct span bytes)
{
    struct str path = path_of(CACHE_KIND);

    tmp_write(&tmp, str_c(&path) + strlen(tmp.path) + 1, bytes);
    str_free(&path);
}

Test(cache, directories_right_beneath_one_are_known)
{
    struct span_list names = {0};

    write_usual();
    struct cache *cache = cache_open(&source, NULL);
    cr_assert_not_null(cache);
    cache_dirs_beneath(cache, span_of(""), &names);
    cr_assert_eq(names.count, 1);
    assert_span(names.items[0], "bob");
    cache_dirs_beneath(cache, span_of("bob"), &names);
    cr_assert_eq(names.count, 2);
    assert_span(names.items[1], "archive");
    cache_dirs_beneath(cache, span_of("bo"), &names);
    cr_assert_eq(names.count, 2, "another directory's name starts the same");
    span_list_free(&names);
    cache_free(cache);
}

Test(cache, of_a_directory_whose_files_are_not_kept_none_is_known)
{
    write_cache((const size_t[]){MANY, 1, 0},
                (const struct stamp *[]){&settled, &settled, &settled}, NULL);
    struct cache *cache = cache_open(&source, NULL);
    cr_assert_not_null(cache);
    uint32_t dir = cache_dir(cache, span_of("bob/archive"));
    cr_assert_neq(dir, CACHE_NONE);
    cr_assert_null(cache_find(cache, dir, span_of("third")));
    cr_assert_not(cache_dir_holds(cache, dir, &settled), "it has to be listed");
    cache_free(cache);
}

Test(cache, a_small_gain_beside_much_mail_is_not_worth_a_new_one)
{
    const struct stamp young = {.size = 1, .mtime_ns = 9, .ctime_ns = 9, .ino = 1, .read_ns = 9};

    write_cache((const size_t[]){30 * MANY, 1, MANY},
                (const struct stamp *[]){&young, &young, &settled}, NULL);
    cr_assert_null(cache_open(&source, NULL));
}

/* --- forged --- */

static struct str bytes;

static struct cache_header *header(void)
{
    return (struct cache_header *)(void *)bytes.at;
}

static struct cache_folder *folder(size_t number)
{
    return (struct cache_folder *)(void *)(bytes.at + sizeof(struct cache_header)) + number;
}

static struct cache_file *file(void)
{
    return (struct cache_file *)(void *)folder(header()->dirs);
}

static struct cache_text *name(void)
{
    return (struct cache_text *)(void *)(file() + header()->files);
}

static char *texts(void)
{
    return (char *)(name() + header()->names);
}

static void it_is_of_something_else(void)
{
    texts()[0] ^= 1;
}

static void there_are_no_texts(void)
{
    header()->heads_len += header()->texts_len;
    header()->texts_len = 0;
}

static void a_text_has_no_end(void)
{
    texts()[file()->name_at + file()->name_len] = 'x';
}

static void heads_start_behind_the_end(void)
{
    file()->heads_at = header()->heads_len + 1;
}

static void heads_are_too_long(void)
{
    file()->heads_len = (uint32_t)header()->heads_len + 1;
}

static void a_directory_has_no_name(void)
{
    folder(0)->dir.at = UINT32_MAX;
}

static void a_directory_has_too_many_files(void)
{
    folder(0)->file_count = header()->files + 1;
}

static void a_directory_stands_twice(void)
{
    folder(1)->dir = folder(0)->dir;
}

static void a_name_is_behind_the_end(void)
{
    name()->len = UINT32_MAX;
}

Test(cache, whatever_leads_nowhere_makes_it_useless_though_its_sum_fits)
{
    static void (*const spoils[])(void) = {
        it_is_of_something_else,        there_are_no_texts,       a_text_has_no_end,
        heads_start_behind_the_end,     heads_are_too_long,       a_directory_has_no_name,
        a_directory_has_too_many_files, a_directory_stands_twice, a_name_is_behind_the_end};

    write_usual();
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct str whole = read_cache();
        bytes = read_cache();
        mend_cache(&bytes);
        cr_assert_eq(memcmp(bytes.at, whole.at, whole.len), 0, "what is whole needs no mending");
        spoils[i]();
        mend_cache(&bytes);
        put_cache(str_span(&bytes));
        cr_assert_null(cache_open(&source, NULL), "case %zu", i);
        put_cache(str_span(&whole));
        str_free(&whole);
        str_free(&bytes);
    }
}

/* The updates that the reader pool reported for each file. */
struct fixture {
    enum update_what what[3];
    size_t messages[3], files;
};

static void note_told(void *context, struct update *update, size_t first)
{
    struct fixture *told = context;

    for (size_t i = 0; i < update->count; i++) {
        told->what[first + i] = update->files[i].what;
        told->messages[first + i] = update->files[i].count;
        told->files++;
    }
    update_free(update);
}

Test(cache, heads_that_make_no_sense_are_read_from_the_file_instead)
{
    struct reader_pool_file first = {.place = &bob, .name = {"first", 5}, .trusted = true};
    struct fixture told = {0};

    write_usual();
    bytes = read_cache();
    file()->head_count += 1;
    mend_cache(&bytes);
    put_cache(str_span(&bytes));
    struct cache *cache = cache_open(&source, NULL);
    cr_assert_not_null(cache);
    first.cached = cache_find(cache, cache_dir(cache, span_of("bob")), span_of("first"));
    reader_pool_read(
        &(struct reader_pool){
            .source = &source, .cache = cache, .done = note_told, .context = &told},
        &first, 1);
    cr_assert_eq(told.files, 1);
    cr_assert_eq(told.messages[0], 1, "the one in the file, not the %d of the cache", MANY);
    cache_free(cache);
    str_free(&bytes);
}

Test(cache, files_that_are_gone_or_changed_are_not_what_the_cache_knows)
{
    struct reader_pool_file known[3];
    struct fixture told = {0};
    size_t changed[3];

    write_usual();
    struct cache *cache = cache_open(&source, NULL);
    cr_assert_not_null(cache);
    for (size_t i = 0; i < 3; i++) {
        known[i] = files[i];
        known[i].cached = cache_find(cache, cache_dir(cache, files[i].place->dir), files[i].name);
        cr_assert_not_null(known[i].cached);
    }
    reader_pool_read(
        &(struct reader_pool){
            .source = &source, .cache = cache, .done = note_told, .context = &told},
        known, 3);
    cr_assert_eq(told.files, 3);
    cr_assert(told.what[0] == UPDATE_HOLDS && told.messages[0] == 1, "the file differs");
    cr_assert_eq(told.what[1], UPDATE_GONE, "the file is gone");
    cr_assert_eq(told.what[2], UPDATE_GONE, "its directory is gone");
    for (size_t i = 0; i < 3; i++)
        known[i].trusted = true;
    cr_assert_eq(reader_pool_check(&source, known, 3, changed), 3, "none is as it was");
    cache_free(cache);
}

/* --- the files themselves --- */

Test(cache, what_cannot_be_written_leaves_nothing_behind)
{
    struct str path = path_of(CACHE_KIND), temporary = {0};
    char log_path[400];
    struct err err;

    snprintf(log_path, sizeof log_path, "%s/log", tmp.path);
    struct log *log = log_open(log_path, &err);
    cr_assert_eq(mkdir(str_c(&path), 0700), 0); /* at its path */
    cr_assert_not(cache_file_write(str_c(&path), span_of("x")));
    cr_assert(errno == EISDIR || errno == ENOTEMPTY || errno == EEXIST, "%s", strerror(errno));
    write_cache((const size_t[]){MANY, 1, 1},
                (const struct stamp *[]){&settled, &settled, &settled}, log);
    log_close(log);
    struct str said = tmp_read(&tmp, "log");
    cr_assert_not_null(strstr(str_c(&said), "cannot be written"), "%s", str_c(&said));
    str_free(&said);
    str_addf(&temporary, "%s.%ld.tmp", str_c(&path), (long)getpid());
    cr_assert_neq(access(str_c(&temporary), F_OK), 0);
    size_t size = 1;
    cr_assert(cache_file_read(str_c(&path), &size) == NULL && size == 0, "it is no file");
    cr_assert_eq(mkdir(str_c(&temporary), 0700), 0); /* at the path of its temporary file */
    cr_assert_not(cache_file_write(str_c(&path), span_of("x")));
    cr_assert_eq(errno, EEXIST);
    str_free(&path);
    str_free(&temporary);
}

Test(cache, a_full_disk_leaves_the_old_file)
{
    struct str path = path_of(CACHE_KIND);
    size_t size;

    cr_assert(cache_file_write(str_c(&path), span_of("old")));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, none = {0};
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    none.rlim_max = before.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool ok = cache_file_write(str_c(&path), span_of("new"));
    int failed = errno;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    cr_assert_not(ok);
    cr_assert_eq(failed, EFBIG);
    char *old = cache_file_read(str_c(&path), &size);
    cr_assert(size == 3 && memcmp(old, "old", 3) == 0);
    free(old);
    cr_assert_eq(tmp_count(&tmp, "swarmutt/" CACHE_KIND), 1);
    str_free(&path);
}

Test(cache, a_file_of_somebody_else_is_not_read)
{
    if (geteuid() != 0)
        skip_here(finish, "only root can give a file away");
    struct str path = path_of(CACHE_KIND);
    size_t size;

    cr_assert(cache_file_write(str_c(&path), span_of("old")));
    cr_assert_eq(chown(str_c(&path), 65534, 65534), 0);
    cr_assert_null(cache_file_read(str_c(&path), &size));
    str_free(&path);
}

Test(cache, of_very_many_foremost_files_the_first_are_taken)
{
    struct str path = path_of("foremost"), many = {0};
    struct span_list parts = {0};
    char *kept;

    first_screen_read(&source, &parts, &kept);
    cr_assert(parts.count == 0 && !kept, "none are noted yet");
    for (size_t i = 0; i < 2 * FIRST_SCREEN_FILES_MAX + 7; i++)
        str_add(&many, i < 2 ? "first" : "other", sizeof "first"); /* with the NUL */
    cr_assert(cache_file_write(str_c(&path), str_span(&many)));
    first_screen_read(&source, &parts, &kept);
    cr_assert_eq(parts.count, 2 * FIRST_SCREEN_FILES_MAX);
    assert_span(parts.items[1], "first");
    free(kept);
    str_free(&many);
    str_free(&path);
    span_list_free(&parts);
}
