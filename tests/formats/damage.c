/* Damage over all layouts: cut and flipped bytes, and things that are not files. Each is listed
 * exactly once, does not affect other messages and is left unchanged. */
#include "world.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The only message in the world's mailbox tree. */
static struct scene {
    struct outgoing_message letter;
    char dir[512], path[1024]; /* of the message's file, relative to the temporary directory */
    char name[256];
    struct str bytes;
} scene;

static void open_scene(size_t index)
{
    open_world(index);
    scene.letter = make_letter("alice", "bob");
    scene.letter.draft.subject = span_of("A \"subject\" \xc3\xa9");
    scene.letter.draft.body = span_of("Body.\nMore.");
    scene.letter.draft.created_us = time_now();
    send_letter(&scene.letter);
    become("bob");
    struct model model = load(true, true);
    cr_assert_eq(model.count, 1);
    snprintf(scene.dir, sizeof scene.dir, "%s/%s", world.inside, model.messages[0]->place->dir.at);
    snprintf(scene.name, sizeof scene.name, "%s", model.messages[0]->file.at);
    snprintf(scene.path, sizeof scene.path, "%s/%s", scene.dir, scene.name);
    scene.bytes = tmp_read(&world.tmp, scene.path);
    model_free(&model);
}

static void close_scene(void)
{
    if (getuid() == 0 && seteuid(0) < 0)
        cr_log_warn("files are left behind");
    outgoing_message_free(&scene.letter);
    str_free(&scene.bytes);
    close_world();
}

TestSuite(damage, .fini = close_scene, .timeout = 600);

#define damage(Name) test_every_format(damage, Name)

/* Writes the file with an old time, so that nobody waits for the rest of it. */
static void write_old(const char *path, struct span bytes)
{
    const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};

    tmp_write(&world.tmp, path, bytes);
    cr_assert(utimensat(world.tmp.fd, path, times, 0) == 0);
}

static void assert_bytes(const char *path, struct span want)
{
    struct str now = tmp_read(&world.tmp, path);

    cr_assert(span_eq(str_span(&now), want), "%s was changed", path);
    str_free(&now);
}

/* Asserts that no verb changes a damaged message, that some layouts can archive it as it is, and
 * that its bytes can be read. */
static void assert_left_alone(struct message *message, struct span bytes)
{
    bool moves =
        world.format->archiving == ARCHIVE_MOVE || world.format->archiving == ARCHIVE_DELETE;
    struct str shown = {0};
    struct err err;

    for (enum status status = STATUS_READ; status < STATUS_ARCHIVED + (moves ? 0u : 1u); status++) {
        struct changed outcome = change(world.store, message, status);
        cr_assert_not(outcome.ok);
        cr_assert_eq(outcome.err.scope, ERR_REFUSED, "%s", outcome.err.text);
    }
    cr_assert(store_raw(world.store, message, &shown, &err), "%s", err.text);
    cr_assert(span_eq(str_span(&shown), bytes));
    str_free(&shown);
}

/* Returns the damaged message, or NULL; every listed message comes from the scene's file. */
static struct message *find_damaged(const struct model *model)
{
    struct message *damaged = NULL;

    for (size_t i = 0; i < model->count; i++) {
        struct message *m = model->messages[i];
        assert_span(m->file, scene.name);
        cr_assert(m->id.len > 0);
        if (m->damaged) {
            cr_assert_str_not_empty(m->damaged);
            cr_assert_null(damaged, "one file is damaged once");
            damaged = m;
        }
    }
    return damaged;
}

damage(a_message_cut_anywhere_is_never_lost_without_a_word)
{
    open_scene(*index);
    enum storage storage = world.format->storage;
    size_t whole = span_trim_end(str_span(&scene.bytes)).len;

    for (size_t len = 0; len < scene.bytes.len; len++) {
        struct span cut = {scene.bytes.at, len};
        write_old(scene.path, cut);
        struct model model = load(true, true);
        struct message *damaged = find_damaged(&model);
        if (storage == STORAGE_FILES)
            cr_assert_eq(model.count, 1, "cut at %zu", len);
        cr_assert_geq(model.count, 1, "cut at %zu", len);
        if (storage != STORAGE_SLOT) /* a cut text looks complete */
            cr_assert_eq(damaged != NULL, len < whole, "cut at %zu", len);
        if (damaged)
            assert_left_alone(damaged, cut);
        assert_bytes(scene.path, cut);
        model_free(&model);
    }
}

damage(a_message_with_any_byte_wrong_is_listed)
{
    static const char wrong[] = {0, '\xff', '"', '{'};

    open_scene(*index);
    struct str bytes = {0};
    str_add_span(&bytes, str_span(&scene.bytes));
    for (size_t i = 0; i < bytes.len; i++) {
        char right = bytes.at[i];
        for (size_t k = 0; k < sizeof wrong; k++) {
            bytes.at[i] = wrong[k];
            write_old(scene.path, str_span(&bytes));
            struct model model = load(true, true);
            find_damaged(&model);
            cr_assert_geq(model.count, 1, "byte %zu as %d", i, wrong[k]);
            if (world.format->storage == STORAGE_FILES)
                cr_assert_eq(model.count, 1, "byte %zu as %d", i, wrong[k]);
            for (size_t n = 0; n < model.count; n++) {
                struct batch batch = {0};
                struct err err;
                const struct message *m = model.messages[n];
                if (!m->damaged)
                    cr_assert_not_null(store_fetch(world.store, m, &batch, &err), "%s", err.text);
                batch_free(&batch);
            }
            assert_bytes(scene.path, str_span(&bytes));
            model_free(&model);
        }
        bytes.at[i] = right;
    }
    str_free(&bytes);
}

/* Appends the missing part of the file, as a slow writer does. */
static void *write_the_rest(void *missing)
{
    const struct span *rest = missing;
    struct timespec slow = {.tv_nsec = 100000000};
    int fd = openat(world.tmp.fd, scene.path, O_WRONLY | O_APPEND | O_CLOEXEC);

    nanosleep(&slow, NULL);
    cr_assert(write(fd, rest->at, rest->len) == (ssize_t)rest->len);
    close(fd);
    return NULL;
}

damage(a_message_that_is_opened_while_it_is_half_written_is_waited_for)
{
    open_scene(*index);
    /* half a text is a valid text */
    size_t half = world.format->storage == STORAGE_SLOT ? 0 : scene.bytes.len / 2;
    struct span rest = {scene.bytes.at + half, scene.bytes.len - half};
    struct model model = load(true, true);
    struct batch batch = {0};
    pthread_t writer;
    struct err err;

    tmp_write(&world.tmp, scene.path, (struct span){scene.bytes.at, half});
    cr_assert(pthread_create(&writer, NULL, write_the_rest, &rest) == 0);
    const struct message *whole = store_fetch(world.store, model.messages[0], &batch, &err);
    cr_assert_not_null(whole, "%s", err.text);
    cr_assert(memmem(whole->data->body.at, whole->data->body.len, "Body.\nMore.", 11));
    pthread_join(writer, NULL);
    batch_free(&batch);
    model_free(&model);
}

/* Makes the name of another file in the directory that the layout accepts as a message. */
static void name_beside(char *path, size_t size, const char *tail)
{
    const char *dot = strrchr(scene.name, '.');

    snprintf(path, size, "%s/%.*s%s%s", scene.dir, (int)(dot - scene.name), scene.name, tail, dot);
}

/* Asserts that one message of that file is listed, damaged, with the word in its reason. */
static void assert_listed(const struct model *model, const char *path, const char *word)
{
    const char *file = strrchr(path, '/') + 1;
    size_t found = 0;

    for (size_t i = 0; i < model->count; i++) {
        struct message *m = model->messages[i];
        struct str shown = {0};
        struct err err;
        if (!span_is(m->file, file))
            continue;
        found++;
        cr_assert_not_null(m->damaged, "%s", file);
        cr_assert_not_null(strstr(m->damaged, word), "%s: %s", file, m->damaged);
        cr_assert_not(change(world.store, m, STATUS_READ).ok);
        cr_assert_not(store_raw(world.store, m, &shown, &err), "%s has no bytes to show", file);
        str_free(&shown);
    }
    cr_assert_eq(found, 1, "%s is listed %zu times", file, found);
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    /* The path may be longer than a socket address holds. */
    cr_assert(fchdir(world.tmp.fd) == 0);
    snprintf(address.sun_path, sizeof address.sun_path, "socket");
    cr_assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    cr_assert(renameat(world.tmp.fd, "socket", world.tmp.fd, path) == 0);
    close(fd);
}

damage(what_is_no_file_is_listed_and_never_waited_for)
{
    open_scene(*index);
    char paths[6][1100];
    int fd = world.tmp.fd;

    for (size_t i = 0; i < 6; i++)
        name_beside(paths[i], sizeof paths[i],
                    (const char *const[]){"1", "2", "3", "4", "5", "6"}[i]);
    write_old("secret", str_span(&scene.bytes));
    cr_assert(mkfifoat(fd, paths[0], 0666) == 0);
    cr_assert(symlinkat("/nowhere", fd, paths[1]) == 0);
    char target[600];
    snprintf(target, sizeof target, "%s/secret", world.tmp.path);
    cr_assert(symlinkat(target, fd, paths[2]) == 0);
    cr_assert(mkdirat(fd, paths[3], 0777) == 0);
    make_socket(paths[4]);
    write_old(paths[5], span_of(""));
    int huge = openat(fd, paths[5], O_WRONLY | O_CLOEXEC);
    cr_assert(ftruncate(huge, (off_t)(64 << 20) + 1) == 0);
    close(huge);

    struct model model = load(true, true);
    cr_assert_eq(model.count, 7);
    assert_listed(&model, paths[0], "FIFO");
    assert_listed(&model, paths[1], "link");
    assert_listed(&model, paths[2], "link");
    assert_listed(&model, paths[3], "directory");
    assert_listed(&model, paths[4], "socket");
    assert_listed(&model, paths[5], "too large");
    struct err err;
    const struct message *good = model_find(&model, str_span(&scene.letter.id), &err);
    cr_assert(good && !good->damaged, "the message beside them is as good as before");
    assert_bytes("secret", str_span(&scene.bytes));
    assert_bytes(scene.path, str_span(&scene.bytes));
    model_free(&model);
}

damage(a_name_of_the_greatest_length_is_listed)
{
    open_scene(*index);
    char tail[256], path[1100];

    memset(tail, 'x', sizeof tail);
    tail[255 - strlen(scene.name)] = '\0';
    name_beside(path, sizeof path, tail);
    write_old(path, span_of("{\"half"));
    struct model model = load(true, true);
    cr_assert_eq(model.count, 2);
    for (size_t i = 0; i < 2; i++) {
        struct message *m = model.messages[i];
        cr_assert_eq(m->damaged != NULL, m->file.len == 255);
        if (m->damaged)
            assert_left_alone(m, span_of("{\"half"));
    }
    model_free(&model);

    write_old(path, str_span(&scene.bytes)); /* a sound message is valid under any such name */
    model = load(true, true);
    cr_assert_eq(model.count, 2);
    for (size_t i = 0; i < 2; i++)
        cr_assert_null(model.messages[i]->damaged, "%s", model.messages[i]->damaged);
    for (size_t i = 0; i < 2; i++)
        if (world.format->storage == STORAGE_FILES || span_is(model.messages[i]->file, scene.name))
            assert_changed(model.messages[i], STATUS_READ);
    model_free(&model);
}

damage(boxes_that_are_links_are_listed_and_not_entered)
{
    static const char *const boxes[] = {"xander", "yara", "zoe"};

    open_scene(*index);
    struct span top = place_component(world.format->rules[0].pattern, 0);
    if (!memchr(top.at, '{', top.len))
        skip_test(close_scene, "the boxes of this layout are no directories at the top");
    char outside[600], target[600], link[600];
    /* Make a whole mailbox elsewhere, and links to it in place of boxes. */
    snprintf(outside, sizeof outside, "elsewhere%s/%s", strrchr(scene.dir, '/'), scene.name);
    write_old(outside, str_span(&scene.bytes));
    snprintf(target, sizeof target, "%s/elsewhere", world.tmp.path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(link, sizeof link, "%s/%s", world.inside, boxes[i]);
        cr_assert(symlinkat(target, world.tmp.fd, link) == 0);
    }
    struct model model = load(true, true);
    cr_assert_eq(model.count, 4);
    for (size_t i = 0; i < model.count; i++) {
        const struct message *m = model.messages[i];
        cr_assert_eq(m->damaged != NULL, !span_is(m->file, scene.name));
        if (m->damaged) {
            cr_assert_not_null(strstr(m->damaged, "link"), "%s", m->damaged);
            struct span where = world.teams ? m->place->team : m->place->box;
            cr_assert(span_eq(where, m->file), "%s is listed in %.*s", m->file.at, (int)where.len,
                      where.at);
        }
    }
    model_free(&model);
}

/* Loads as a user for whom modes apply; returns false where that is not possible. */
static bool load_as_nobody(struct model *model)
{
    bool root = geteuid() == 0;

    if (root && seteuid(65534) < 0)
        return false;
    *model = load(true, true);
    return !root || seteuid(0) == 0;
}

damage(what_may_not_be_read_is_listed)
{
    open_scene(*index);
    char path[1100], closed[1100];
    struct model model;

    cr_assert(chmod(world.tmp.path, 0755) == 0);
    cr_assert(fchmodat(world.tmp.fd, scene.dir, 0755, 0) == 0);
    cr_assert(fchmodat(world.tmp.fd, scene.path, 0644, 0) == 0);
    name_beside(path, sizeof path, "1");
    write_old(path, str_span(&scene.bytes));
    cr_assert(fchmodat(world.tmp.fd, path, 0, 0) == 0);
    if (!load_as_nobody(&model))
        skip_here(close_scene, "no other user can be played here");
    cr_assert_eq(model.count, 2);
    size_t damaged = 0;
    for (size_t i = 0; i < model.count; i++)
        damaged += model.messages[i]->damaged && strstr(model.messages[i]->damaged, "denied");
    cr_assert_eq(damaged, 1);
    model_free(&model);

    snprintf(closed, sizeof closed, "%s", scene.dir); /* now close the directory itself */
    cr_assert(fchmodat(world.tmp.fd, closed, 0, 0) == 0);
    cr_assert(load_as_nobody(&model));
    cr_assert_eq(model.count, 1);
    cr_assert_not_null(model.messages[0]->damaged);
    cr_assert_not_null(strstr(model.messages[0]->damaged, "denied"));
    model_free(&model);
    cr_assert(fchmodat(world.tmp.fd, closed, 0755, 0) == 0);
}

damage(what_is_no_message_by_its_name_is_not_listed)
{
    static const char *const names[] = {".gitkeep", "x.tmp", "x.json.tmp", ".x.json.1.tmp",
                                        "x.lock",   "notes", "README.md"};

    open_scene(*index);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1100];
        snprintf(path, sizeof path, "%s/%s", scene.dir, names[i]);
        write_old(path, span_of("no message"));
    }
    char lock[1100];
    snprintf(lock, sizeof lock, "%s.lock", scene.path);
    cr_assert(mkdirat(world.tmp.fd, lock, 0777) == 0);
    struct model model = load(true, true);
    cr_assert_eq(model.count, 1);
    cr_assert_null(model.messages[0]->damaged);
    model_free(&model);
}

damage(a_send_beside_damage_loses_no_byte_of_it)
{
    open_scene(*index);
    const size_t cuts[] = {1, scene.bytes.len / 2, scene.bytes.len - 2};

    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        struct span cut = {scene.bytes.at, cuts[i]};
        struct outgoing_message letter = make_letter("carol", "bob");
        struct send_options options = {.verify = VERIFY_NONE, .source = STORE_ANY};
        struct err err;
        write_old(scene.path, cut);
        cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
        cr_assert(letter.delivered != letter.queued);
        struct str now = picture();
        cr_assert_not_null(memmem(now.at, now.len, cut.at, cut.len), "cut at %zu", cut.len);
        struct model model = load(true, true);
        if (letter.delivered)
            assert_span(find(&model, &letter)->from, "carol");
        else
            assert_bytes(scene.path, cut);
        str_free(&now);
        model_free(&model);
        outgoing_message_free(&letter);
    }
}
