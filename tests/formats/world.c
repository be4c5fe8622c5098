/* Shared by the tests over all layouts. */
#include "world.h"

#include "mail/handoff/handoff.h"
#include "mail/thread/request.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct world world;

/* Rosters that are read, by layout: a file with one entry per agent; @ stands for a name or the
 * team. */
static const struct roster {
    const char *format;
    const char *path, *head, *member, *between, *tail;
} rosters[] = {
    {"claude", "teams/@/config.json", "{\"name\":\"@\",\"leadAgentId\":\"x\",\"members\":[",
     "{\"name\":\"@\",\"color\":\"blue\"}", ",", "]}"},
    {"openclaw", "@/config.json",
     "{\"teamId\":\"@\",\"teamName\":\"T\",\"leadSessionKey\":\"k\",\"teammates\":{",
     "\"@\":{\"status\":\"active\"}", ",", "}}"},
    {"roo", ".roomodes", "customModes:\n", "  - slug: @\n    name: N\n", "", ""},
};

struct store *open_store(const char *identity, bool readonly, struct log *log)
{
    const char *sources[] = {world.spec};
    struct store_options options = {.sources = sources,
                                    .source_count = 1,
                                    .identity = identity,
                                    .readonly = readonly,
                                    .log = log};
    struct err err;
    struct store *store = store_open(&options, &err);

    cr_assert_not_null(store, "%s", err.text);
    return store;
}

void become(const char *identity)
{
    store_close(world.store);
    world.store = open_store(identity, false, NULL);
}

void open_world(size_t index)
{
    char keep[512];

    umask(022);
    tmp_make(&world.tmp);
    world.format = formats[index];
    cr_log_info("layout %s", world.format->name);
    world.teams = format_has_teams(world.format);
    snprintf(world.project, sizeof world.project, "%s/project", world.tmp.path);
    snprintf(world.inside, sizeof world.inside, "project/%s", world.format->home);
    snprintf(world.root, sizeof world.root, "%s/%s", world.tmp.path, world.inside);
    snprintf(world.spec, sizeof world.spec, "%s:%s", world.format->name, world.root);
    snprintf(keep, sizeof keep, "%s/.keep", world.inside); /* not a message */
    tmp_write(&world.tmp, keep, span_of(""));
    setenv("HOME", world.tmp.path, 1);
    snprintf(keep, sizeof keep, "%s/state", world.tmp.path);
    setenv("XDG_STATE_HOME", keep, 1);
    snprintf(keep, sizeof keep, "%s/cache", world.tmp.path);
    setenv("XDG_CACHE_HOME", keep, 1);
    enlist("dev", "alice bob carol dave");
    world.store = open_store(NULL, false, NULL);
}

void share_seeds(const struct store *from, const struct store *to)
{
    for (size_t i = 0; i < store_source_count(from); i++)
        ((struct source *)(uintptr_t)store_source(to, i))->seed = store_source(from, i)->seed;
}

void close_world(void)
{
    store_close(world.store);
    world.store = NULL;
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

    take_picture(&out, world.project, "");
    return out;
}

bool is_untouched(const struct str *before)
{
    struct str after = picture();
    bool same = span_eq(str_span(before), str_span(&after));

    str_free(&after);
    return same;
}

void assert_untouched(struct str *before, const char *what)
{
    struct str after = picture();

    cr_assert(span_eq(str_span(before), str_span(&after)), "%s changed something:\n%s\n%s", what,
              str_c(before), str_c(&after));
    str_free(before);
    str_free(&after);
}

struct outgoing_message make_letter(const char *from, const char *to)
{
    static int64_t made;

    return (struct outgoing_message){
        .draft = {.from = span_of(from),
                  .to = span_of(to),
                  .subject = span_of("A subject"),
                  .body = span_of("First line.\n\nSecond \xc3\xa9 line."),
                  .priority = PRIORITY_HIGH,
                  .created_us = SENT_US + made++ * 1000000,
                  .expires_us = TIME_NONE}};
}

void send_letter(struct outgoing_message *letter)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct err err;

    cr_assert(store_send(world.store, letter, &options, &err), "%s", err.text);
    cr_assert(letter->delivered && !letter->queued);
    cr_assert(letter->id.len > 0);
}

void ask_alice(void)
{
    static const char permission[] =
        "{\"type\":\"permission_request\",\"request_id\":\"perm-1\",\"agent_id\":\"bob\","
        "\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_1\",\"description\":\"List files\","
        "\"input\":{\"command\":\"ls\"},\"permission_suggestions\":[]}";
    struct handoff handoff = {.work_completed = span_of("half of it"),
                              .current_state = span_of("12 of 24")};
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct outgoing_message letter = make_letter("bob", "alice");
    struct err err;

    if (world.format->storage == STORAGE_ARRAY)
        letter.draft.protocol = span_of(permission);
    else
        letter.draft.handoff = &handoff;
    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    outgoing_message_free(&letter);
}

struct message *find_asked(const struct model *model)
{
    for (size_t i = 0; i < model->count; i++)
        if (message_asks(model->messages[i]) && span_is(model->messages[i]->from, "bob"))
            return model->messages[i];
    return NULL;
}

void assert_refused(struct store *store, struct outgoing_message *letter, bool create,
                    const char *what)
{
    struct send_options options = {.create = create, .verify = VERIFY_NONE, .source = 0};
    struct str before = picture();

    for (int any = 0; any < 2; any++) {
        struct err err = {0};
        cr_assert_not(store_send(store, letter, &options, &err), "%s", what);
        cr_assert_eq(err.scope, ERR_REFUSED, "%s: %s", what, err.text);
        cr_assert_str_not_empty(err.text);
        cr_assert_not(letter->delivered || letter->queued, "%s", what);
        options.source = STORE_ANY;
    }
    assert_untouched(&before, what);
    outgoing_message_free(letter);
}

struct model load_in(struct store *store, bool inbox, bool archive)
{
    struct load all = {.inbox = inbox, .archive = archive, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    struct err err;

    cr_assert(store_load(store, &all, &model, &err), "%s", err.text);
    cr_assert_null(store_state_problem(store), "%s", store_state_problem(store));
    return model;
}

struct model load(bool inbox, bool archive)
{
    return load_in(world.store, inbox, archive);
}

struct message *find(const struct model *model, const struct outgoing_message *letter)
{
    struct err err;
    struct message *message = model_find(model, str_span(&letter->id), &err);

    cr_assert_not_null(message, "%s", err.text);
    cr_assert_null(message->damaged, "%s", message->damaged);
    return message;
}

struct changed change(struct store *store, struct message *message, enum status status)
{
    struct changed outcome = {0};

    store_change(store, &message, 1, status, (struct span){0}, &outcome);
    return outcome;
}

void assert_changed(struct message *message, enum status status)
{
    struct changed outcome = change(world.store, message, status);

    cr_assert(outcome.ok, "%s", outcome.err.text);
}

static void fill_in(struct str *out, const char *text, struct span name)
{
    for (; *text; text++) {
        if (*text == '@')
            str_add_span(out, name);
        else
            str_putc(out, *text);
    }
}

static void enlist_in_file(const struct roster *roster, const char *team, const char *names)
{
    struct str path = {0}, text = {0};

    str_addf(&path, "%s/", world.inside);
    fill_in(&path, roster->path, span_of(team));
    fill_in(&text, roster->head, span_of(team));
    for (const char *name = names; *name; name += *name == ' ') {
        struct span one = {name, strcspn(name, " ")};
        str_puts(&text, name == names ? "" : roster->between);
        fill_in(&text, roster->member, one);
        name += one.len;
    }
    str_puts(&text, roster->tail);
    tmp_write(&world.tmp, str_c(&path), str_span(&text));
    str_free(&path);
    str_free(&text);
}

/* Makes a file for each agent on the roster or, in a layout without a roster, a box. */
static void enlist_by_file(const char *team, struct span name)
{
    const struct format *format = world.format;
    struct place_names names = {.team = span_of(team), .box = name};
    struct str path = {0}, pattern = {0};

    str_addf(&path, "%s/", world.inside);
    if (format->roster_pattern) {
        str_addf(&path, "%s/", format->roster_home);
        str_addf(&pattern, "%s/x", format->roster_pattern); /* to expand all of it */
        place_dir(&path, str_c(&pattern), &names);
    } else {
        format_dir(&path, format, false, names.team, names.box);
        str_puts(&path, "/.keep");
    }
    tmp_write(&world.tmp, str_c(&path), span_of("An agent.\n"));
    str_free(&path);
    str_free(&pattern);
}

void enlist(const char *team, const char *names)
{
    for (size_t i = 0; i < sizeof rosters / sizeof *rosters; i++) {
        if (strcmp(rosters[i].format, world.format->name) == 0) {
            enlist_in_file(&rosters[i], team, names);
            return;
        }
    }
    cr_assert_null(world.format->parse_roster, "how is a roster of this layout written?");
    while (*names) {
        struct span name = {names, strcspn(names, " ")};
        enlist_by_file(team, name);
        names += name.len + (names[name.len] == ' ');
    }
}

struct str raw(const struct message *message)
{
    struct str bytes = {0};
    struct err err;

    cr_assert(store_raw(world.store, message, &bytes, &err), "%s", err.text);
    return bytes;
}

void path_of(const struct message *message, char *path, size_t size)
{
    snprintf(path, size, "%s/%.*s/%s", world.inside, (int)message->place->dir.len,
             message->place->dir.at, message->file.at);
}

bool has_text(struct span text, const char *word)
{
    return text.at && memmem(text.at, text.len, word, strlen(word));
}

size_t lines_changed(struct span before, struct span after)
{
    size_t changed = 0;

    while (before.len && after.len) {
        const char *a = memchr(before.at, '\n', before.len), *b = memchr(after.at, '\n', after.len);
        struct span x = {before.at, a ? (size_t)(a + 1 - before.at) : before.len};
        struct span y = {after.at, b ? (size_t)(b + 1 - after.at) : after.len};
        changed += !span_eq(x, y);
        before = (struct span){before.at + x.len, before.len - x.len};
        after = (struct span){after.at + y.len, after.len - y.len};
    }
    return before.len || after.len ? SIZE_MAX : changed;
}

const enum status statuses[STATUS_COUNT] = {STATUS_UNREAD, STATUS_READ,      STATUS_PROCESSING,
                                            STATUS_FAILED, STATUS_COMPLETED, STATUS_ARCHIVED};

bool is_held(enum status status)
{
    return status != STATUS_UNREAD &&
           world.format->verbs[verb_for_status(status)].ability != ABILITY_NONE;
}
