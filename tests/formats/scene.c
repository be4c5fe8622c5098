/* A mailbox with many messages and a cache of their heads, for the tests of that cache. */
#include "scene.h"

#include "store/scan/file_list.h"
#include "tests/unit/mail/live/live_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct scene scene;

unsigned scene_any(unsigned below)
{
    scene.chance = scene.chance * 1103515245 + 12345;
    return (scene.chance >> 8) % below;
}

static void use_cache(bool use)
{
    char path[512];

    snprintf(path, sizeof path, "%s/cache", world.tmp.path);
    setenv("XDG_CACHE_HOME", use ? path : "/dev/null", 1);
}

struct model scene_scan(bool cached)
{
    struct load heads = {.inbox = true, .archive = true};
    struct model model = {0};
    struct err err;

    use_cache(cached);
    cr_assert(store_load(world.store, &heads, &model, &err), "%s", err.text);
    store_finish_loads(world.store); /* writes the cache */
    model_sort(model.messages, model.count, cmp_where);
    use_cache(true);
    return model;
}

void scene_assert_same(struct model *view, struct model *fresh, const char *when)
{
    cr_assert_eq(view->count, fresh->count, "%s: %zu of %zu", when, view->count, fresh->count);
    for (size_t i = 0; i < view->count; i++) {
        const char *what = head_difference(view->messages[i], fresh->messages[i]);
        cr_assert_null(what, "%s: %s: %s differs", when, fresh->messages[i]->file.at, what);
    }
}

void scene_assert_true(const char *when)
{
    struct model view = scene_scan(true), fresh = scene_scan(false);

    scene_assert_same(&view, &fresh, when);
    model_free(&view);
    model_free(&fresh);
}

/* Returns the text with every `old` replaced by something of the same length. */
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

void scene_put(const char *dir, unsigned number)
{
    char id[256], path[900];

    snprintf(id, sizeof id, "%.*s", (int)scene.id.len, scene.id.at);
    snprintf(id + scene.id.len - 4, 5, "%04x", number);
    struct str bytes = replaced(str_span(&scene.bytes), scene.id, id);
    struct str name = replaced(scene.name, scene.id, id);
    if (span_eq(str_span(&name), scene.name)) { /* the name does not contain the id */
        str_clear(&name);
        str_addf(&name, "%u-%.*s", number, (int)scene.name.len, scene.name.at);
    }
    snprintf(path, sizeof path, "%s/%s", dir, str_c(&name));
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
    str_free(&name);
}

bool scene_open(size_t index)
{
    open_world(index);
    if (world.format->storage != STORAGE_FILES)
        return false;
    struct outgoing_message letter = make_letter("carol", "alice");
    letter.draft.subject = span_of("Xubject");
    send_letter(&letter);
    struct model model = load(true, true);
    const struct message *message = model.messages[0];
    snprintf(scene.dir, sizeof scene.dir, "%s/%s", world.inside, message->place->dir.at);
    struct str archive = {0};
    format_dir(&archive, world.format, true, message->place->team, message->place->box);
    int len =
        snprintf(scene.archive, sizeof scene.archive, "%s%s%s",
                 archive.len ? world.inside : scene.dir, archive.len ? "/" : "", str_c(&archive));
    cr_assert_lt(len, (int)sizeof scene.archive);
    str_free(&archive);
    snprintf(scene.kept, sizeof scene.kept, "%s %s", message->file.at, message->id.at);
    scene.name = (struct span){scene.kept, message->file.len};
    scene.id = (struct span){scene.kept + message->file.len + 1, message->id.len};
    scene.kept[message->file.len] = '\0';
    char path[1024];
    path_of(message, path, sizeof path);
    scene.bytes = tmp_read(&world.tmp, path);
    mkdirat(world.tmp.fd, scene.archive, 0777);
    for (scene.next = 1; scene.next < SCENE_FILES; scene.next++)
        scene_put(scene.next % 3 ? scene.archive : scene.dir, scene.next);
    model_free(&model);
    outgoing_message_free(&letter);
    scene.chance = (unsigned)index + 1;
    return true;
}

void scene_let_settle(void)
{
    struct timespec little = {.tv_nsec = 20000000};
    int64_t end_ns = file_stamp_now_ns() + FILE_STAMP_MARGIN_NS + FILE_STAMP_MARGIN_NS / 10;

    while (file_stamp_now_ns() < end_ns)
        nanosleep(&little, NULL);
}

void scene_make_cache(void)
{
    scene_let_settle();
    struct model model = scene_scan(true);
    model_free(&model);
}

bool scene_find_cache(char *path, size_t size)
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

unsigned scene_known_files(void)
{
    char path[512];
    unsigned known = 0;
    struct err err;

    snprintf(path, sizeof path, "%s/log", world.tmp.path);
    unlink(path);
    struct log *log = log_open(path, &err);
    store_close(world.store);
    world.store = open_store(NULL, false, log);
    struct model model = scene_scan(true);
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
