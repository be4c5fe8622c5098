/* What the tests over all layouts share. */
#include "world.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct world world;

struct store *open_store(bool readonly, struct log *log)
{
    const char *sources[] = {world.spec};
    struct store_options options = {
        .sources = sources, .source_count = 1, .readonly = readonly, .log = log};
    struct err err;
    struct store *store = store_open(&options, &err);

    cr_assert_not_null(store, "%s", err.text);
    return store;
}

void open_world(size_t index)
{
    umask(022);
    tmp_make(&world.tmp);
    world.format = formats[index];
    snprintf(world.root, sizeof world.root, "%s/%s", world.tmp.path, world.format->home);
    snprintf(world.spec, sizeof world.spec, "%s:%s", world.format->name, world.root);
    for (char *slash = world.root + strlen(world.tmp.path) + 1;; slash++) {
        slash = strchr(slash, '/');
        if (slash)
            *slash = '\0';
        cr_assert(mkdir(world.root, 0777) == 0);
        if (!slash)
            break;
        *slash = '/';
    }
    world.store = open_store(false, NULL);
}

void close_world(void)
{
    store_close(world.store);
    tmp_remove(&world.tmp);
}

TestSuite(contract, .fini = close_world, .timeout = 300);

struct criterion_test_params every_format(void)
{
    static size_t indexes[32];
    size_t count = 0;

    for (; formats[count]; count++)
        indexes[count] = count;
    return cr_make_param_array(size_t, indexes, count);
}

void take_picture(struct str *out, const char *path, const char *except)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char name[4096];
        struct stat st;
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0 &&
            strcmp(name, except) != 0 && lstat(name, &st) == 0) {
            str_addf(out, "%s %o %jd %jd.%09ld\n", name, st.st_mode, (intmax_t)st.st_size,
                     (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
            if (S_ISDIR(st.st_mode))
                take_picture(out, name, except);
            int fd = S_ISREG(st.st_mode) ? open(name, O_RDONLY) : -1;
            if (fd >= 0) {
                out->len += (size_t)read(fd, str_room(out, (size_t)st.st_size), (size_t)st.st_size);
                close(fd);
            }
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

struct str picture(void)
{
    struct str out = {0};

    take_picture(&out, world.tmp.path, "");
    return out;
}

void assert_untouched(struct str *before, const char *what)
{
    struct str after = picture();

    cr_assert(span_eq(str_span(before), str_span(&after)), "%s changed something:\n%s\n%s", what,
              str_c(before), str_c(&after));
    str_free(before);
    str_free(&after);
}

struct letter make_letter(const char *from, const char *to)
{
    return (struct letter){.draft = {.from = span_of(from),
                                     .to = span_of(to),
                                     .subject = span_of("A subject"),
                                     .body = span_of("First line.\n\nSecond \xc3\xa9 line."),
                                     .priority = PRIORITY_HIGH,
                                     .created_us = SENT_US,
                                     .expires_us = WHEN_NONE}};
}

void send_letter(struct letter *letter)
{
    struct send_options options = {.create = true, .verify = true, .source = STORE_ANY};
    struct err err;

    cr_assert(store_send(world.store, letter, &options, &err), "%s", err.text);
    cr_assert(letter->delivered);
    cr_assert(letter->id.len > 0);
}

void assert_refused(struct store *store, struct letter *letter, bool create, const char *what)
{
    struct send_options options = {.create = create, .source = 0};
    struct str before = picture();

    for (int any = 0; any < 2; any++) {
        struct err err = {0};
        cr_assert_not(store_send(store, letter, &options, &err), "%s", what);
        cr_assert_eq(err.scope, ERR_REFUSED, "%s: %s", what, err.text);
        cr_assert_str_not_empty(err.text);
        cr_assert_not(letter->delivered);
        options.source = STORE_ANY;
    }
    assert_untouched(&before, what);
    letter_free(letter);
}

struct model load(bool inbox, bool archive)
{
    struct load all = {.inbox = inbox, .archive = archive, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    struct err err;

    cr_assert(store_load(world.store, &all, &model, &err), "%s", err.text);
    return model;
}

struct message *find(const struct model *model, const struct letter *letter)
{
    struct err err;
    struct message *message = model_find(model, str_span(&letter->id), &err);

    cr_assert_not_null(message, "%s", err.text);
    cr_assert_null(message->damaged, "%s", message->damaged);
    return message;
}

void enlist(const char *team, const char *name)
{
    struct place_names names = {.team = span_of(team), .box = span_of(name)};
    struct str path = {0}, pattern = {0};

    str_addf(&path, "%s/%s/", world.format->home, world.format->roster_home);
    str_addf(&pattern, "%s/x", world.format->roster_pattern); /* so that all of it is filled in */
    place_dir(&path, str_c(&pattern), &names);
    tmp_write(&world.tmp, str_c(&path), span_of("An agent.\n"));
    str_free(&path);
    str_free(&pattern);
}

const enum status statuses[STATUS_COUNT] = {STATUS_UNREAD, STATUS_READ,      STATUS_PROCESSING,
                                            STATUS_FAILED, STATUS_COMPLETED, STATUS_ARCHIVED};

bool can(enum status status)
{
    return status != STATUS_UNREAD &&
           world.format->verbs[verb_for_status(status)].ability != ABILITY_NONE;
}
