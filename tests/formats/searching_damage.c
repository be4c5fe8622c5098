/* Searching over every format with a damaged index: no answer changes. */
#include "searching.h"

#include "store/search/search_results.h"

#include <fcntl.h>
#include <unistd.h>

TestSuite(searching_damage, .fini = close_world, .timeout = 300);

#define searching_damage(Name) test_every_format(searching_damage, Name)

/* Damages the one file of the index. */
static void damage(void (*how)(int fd, off_t size))
{
    struct str path = {0};
    struct err err;

    cr_assert(index_add_path(&path, store_source(world.store, 0), false, &err));
    str_puts(&path, "/0000000000000001.segment");
    int fd = open(str_c(&path), O_RDWR);
    cr_assert(fd >= 0, "%s", str_c(&path));
    how(fd, lseek(fd, 0, SEEK_END));
    close(fd);
    str_free(&path);
}

static void cut_short(int fd, off_t size)
{
    cr_assert_eq(ftruncate(fd, size * 2 / 3), 0);
}

static void empty_it(int fd, off_t size)
{
    (void)size;
    cr_assert_eq(ftruncate(fd, 0), 0);
}

static void scribble(int fd, off_t size)
{
    for (off_t at = (off_t)sizeof(struct segment_header) + 7; at < size; at += 97)
        cr_assert_eq(pwrite(fd, "\xa5", 1, at), 1);
}

static void scribble_at_the_end(int fd, off_t size)
{
    for (off_t at = size - 400; at < size; at += 3)
        cr_assert_eq(pwrite(fd, "\x5a", 1, at), 1);
}

static void of_the_future(int fd, off_t size)
{
    uint32_t version = SEGMENT_VERSION + 1;

    (void)size;
    cr_assert_eq(pwrite(fd, &version, sizeof version, offsetof(struct segment_header, version)),
                 (ssize_t)sizeof version);
}

searching_damage(a_damaged_index_changes_no_answer_and_is_built_anew)
{
    static void (*const ways[])(int fd, off_t size) = {cut_short, empty_it, scribble,
                                                       scribble_at_the_end, of_the_future};

    open_world(*index);
    searching_fill(SEARCHING_LETTERS / 2);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct index_build build = {.patient = true};
        struct index_status status;
        struct err err = {0};
        searching_open_both(true);
        searching_close_both();
        damage(ways[i]);
        searching_open_both(false);
        searching_assert_all_agree("damaged", false);
        searching_close_both();
        cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
        cr_assert(store_index_status(world.store, 0, &status, &err), "%s", err.text);
        cr_assert(status.damaged == 0 || ways[i] == scribble_at_the_end, "%s", status.problem);
        index_status_free(&status);
        cr_assert(store_index_drop(world.store, 0, &err), "%s", err.text);
    }
}
