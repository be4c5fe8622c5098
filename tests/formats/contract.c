/* The contract of all layouts: one suite, run through the store's verbs over every format. */
#include "../unit/support.h"

#include "base/json_print.h"
#include "mail/thread.h"
#include "store/store.h"

#include <criterion/parameterized.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whole seconds: every layout can hold them. */
#define SENT_US INT64_C(1767484401000000)
#define EXPIRES_US INT64_C(4102444800000000)

/* A project directory with one empty mailbox tree of the format, opened. */
static struct world {
    struct tmp tmp;
    const struct format *format;
    char root[512], spec[600];
    struct store *store;
} world;

static struct store *open_store(bool readonly, struct log *log)
{
    const char *sources[] = {world.spec};
    struct store_options options = {
        .sources = sources, .source_count = 1, .readonly = readonly, .log = log};
    struct err err;
    struct store *store = store_open(&options, &err);

    cr_assert_not_null(store, "%s", err.text);
    return store;
}

static void open_world(size_t index)
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

static void close_world(void)
{
    store_close(world.store);
    tmp_remove(&world.tmp);
}

TestSuite(contract, .fini = close_world, .timeout = 300);

static struct criterion_test_params every_format(void)
{
    static size_t indexes[32];
    size_t count = 0;

    for (; formats[count]; count++)
        indexes[count] = count;
    return cr_make_param_array(size_t, indexes, count);
}

#define contract(Name)                                                                             \
    ParameterizedTestParameters(contract, Name)                                                    \
    {                                                                                              \
        return every_format();                                                                     \
    }                                                                                              \
    ParameterizedTest(const size_t *index, contract, Name)

/* Everything beneath a path but `except`: names, modes, times and bytes. The caller frees. */
static void take_picture(struct str *out, const char *path, const char *except)
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

static struct str picture(void)
{
    struct str out = {0};

    take_picture(&out, world.tmp.path, "");
    return out;
}

/* Asserts that nothing has changed since the picture was taken, and frees it. */
static void assert_untouched(struct str *before, const char *what)
{
    struct str after = picture();

    cr_assert(span_eq(str_span(before), str_span(&after)), "%s changed something:\n%s\n%s", what,
              str_c(before), str_c(&after));
    str_free(before);
    str_free(&after);
}

static struct letter make_letter(const char *from, const char *to)
{
    return (struct letter){.draft = {.from = span_of(from),
                                     .to = span_of(to),
                                     .subject = span_of("A subject"),
                                     .body = span_of("First line.\n\nSecond \xc3\xa9 line."),
                                     .priority = PRIORITY_HIGH,
                                     .created_us = SENT_US,
                                     .expires_us = WHEN_NONE}};
}

static void send(struct letter *letter)
{
    struct send_options options = {.create = true, .verify = true, .source = STORE_ANY};
    struct err err;

    cr_assert(store_send(world.store, letter, &options, &err), "%s", err.text);
    cr_assert(letter->delivered);
    cr_assert(letter->id.len > 0);
}

static void assert_refused(struct store *store, struct letter *letter, bool create,
                           const char *what)
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

/* All of inbox, archive or both, whole. The caller frees. */
static struct model load(bool inbox, bool archive)
{
    struct load all = {.inbox = inbox, .archive = archive, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    struct err err;

    cr_assert(store_load(world.store, &all, &model, &err), "%s", err.text);
    return model;
}

static struct message *find(const struct model *model, const struct letter *letter)
{
    struct err err;
    struct message *message = model_find(model, str_span(&letter->id), &err);

    cr_assert_not_null(message, "%s", err.text);
    cr_assert_null(message->damaged, "%s", message->damaged);
    return message;
}

static struct str raw(const struct message *message)
{
    struct str bytes = {0};
    struct err err;

    cr_assert(store_raw(world.store, message, &bytes, &err), "%s", err.text);
    return bytes;
}

/* The message's file as a path from the temporary directory. */
static void path_of(const struct message *message, char *path, size_t size)
{
    snprintf(path, size, "%s/%.*s/%s", world.format->home, (int)message->place->dir.len,
             message->place->dir.at, message->file.at);
}

static void assert_same_json(struct span got, struct span want)
{
    struct json a, b;
    struct err err;
    struct str x = {0}, y = {0};

    cr_assert(json_scan(got, JSON_PYTHON, &a, &err) && json_scan(want, JSON_PYTHON, &b, &err));
    json_put_value(&x, a, &json_style_python, 0);
    json_put_value(&y, b, &json_style_python, 0);
    cr_assert_str_eq(str_c(&x), str_c(&y));
    str_free(&x);
    str_free(&y);
}

contract(a_message_is_read_back_as_it_was_sent)
{
    open_world(*index);
    unsigned fields = world.format->fields;
    struct letter letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;
    struct str path = {0};
    struct stat st;

    if (fields & FIELD_TYPE)
        draft->type = span_of("request");
    if (fields & FIELD_TAGS)
        span_list_add(&draft->tags, span_of("t\"1"));
    if (fields & FIELD_ATTACHMENTS)
        span_list_add(&draft->attachments, span_of("a b.c"));
    if (fields & FIELD_PAYLOAD)
        draft->payload = span_of("{\"n\":12345678901234567890,\"f\":1.0,\"s\":\"\\u001b\"}");
    if (fields & FIELD_CONTEXT)
        draft->context = span_of("{\"c\":[]}");
    if (fields & FIELD_EXPIRES)
        draft->expires_us = EXPIRES_US;
    if (fields & FIELD_THREAD)
        draft->thread = span_of("thread-1");
    if (fields & FIELD_REPLY_TO)
        draft->reply_to = span_of("parent-1");
    if (fields & FIELD_SWARM)
        draft->swarm = span_of("dev");
    send(&letter);

    struct model model = load(true, false);
    cr_assert_eq(model.count, 1);
    const struct message *m = find(&model, &letter);
    assert_span(m->from, "alice");
    assert_span(m->to, "bob");
    assert_span(m->subject, "A subject");
    assert_span(m->data->body, "First line.\n\nSecond \xc3\xa9 line.");
    cr_assert_eq(m->priority, PRIORITY_HIGH);
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, SENT_US);
    cr_assert_eq(m->expires_us, draft->expires_us);
    cr_assert_eq(m->flags, 0);
    cr_assert_not(m->place->archived);
    if (draft->type.at)
        assert_span(m->type, "request");
    cr_assert(span_eq(m->thread, draft->thread) && span_eq(m->reply_to, draft->reply_to));
    cr_assert(span_eq(m->data->swarm, draft->swarm));
    if (draft->tags.count)
        assert_same_json(m->data->tags, span_of("[\"t\\\"1\"]"));
    if (draft->attachments.count)
        assert_same_json(m->data->attachments, span_of("[\"a b.c\"]"));
    if (draft->payload.at)
        assert_same_json(m->data->payload, draft->payload);
    if (draft->context.at)
        assert_same_json(m->data->context, draft->context);
    str_addf(&path, "%s/%s/%s", world.root, m->place->dir.at, m->file.at);
    cr_assert(stat(str_c(&path), &st) == 0);
    cr_assert_eq(st.st_mode & 0777, world.format->file_mode & ~022u, "mode %o", st.st_mode);
    str_free(&path);
    letter_free(&letter);
    model_free(&model);
}

contract(an_unknown_recipient_is_refused_and_nothing_is_made)
{
    open_world(*index);
    struct letter stray = make_letter("alice", "bbo"), known = make_letter("alice", "bob");

    assert_refused(world.store, &stray, false, "a send into the empty tree");
    send(&known);
    assert_refused(world.store, &stray, false, "a send to a mistyped name");
    letter_free(&known);
}

contract(whoever_has_a_box_or_wrote_or_is_us_is_known)
{
    open_world(*index);
    struct letter letters[] = {make_letter("alice", "bob"), make_letter("carol", "bob"),
                               make_letter("bob", "alice"),
                               make_letter("bob", world.format->identity)};
    struct send_options options = {.source = STORE_ANY};
    struct err err;

    send(&letters[0]);
    for (size_t i = 1; i < 4; i++)
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
    struct model model = load(true, false);
    cr_assert_eq(model.count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert(span_eq(find(&model, &letters[i])->to, letters[i].draft.to));
        letter_free(&letters[i]);
    }
    model_free(&model);
}

contract(a_taken_id_is_refused_and_nothing_is_replaced)
{
    open_world(*index);
    struct letter first = make_letter("alice", "bob"), second = make_letter("eve", "bob");

    send(&first);
    second.draft.id = str_span(&first.id);
    second.draft.body = span_of("Something else.");
    struct send_options options = {.create = true};
    struct err err = {0};
    struct model before = load(true, true);
    struct str bytes = raw(before.messages[0]);
    cr_assert_not(store_send(world.store, &second, &options, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    struct model after = load(true, true);
    cr_assert_eq(after.count, 1);
    struct str again = raw(after.messages[0]);
    cr_assert(span_eq(str_span(&bytes), str_span(&again)));
    str_free(&bytes);
    str_free(&again);
    letter_free(&first);
    letter_free(&second);
    model_free(&before);
    model_free(&after);
}

contract(an_id_that_is_a_path_leads_nowhere)
{
    static const char *const ids[] = {"./../../evil", "../evil", "x/y", "..", ".", ""};

    open_world(*index);
    struct letter known = make_letter("alice", "bob");
    send(&known);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct letter letter = make_letter("alice", "bob");
        letter.draft.id = span_of(ids[i]);
        assert_refused(world.store, &letter, true, ids[i]);
    }
    letter_free(&known);
}

contract(a_reply_lands_with_the_sender_and_shares_the_thread)
{
    open_world(*index);
    struct letter letters[3] = {make_letter("alice", "bob")};
    struct send_options options = {.source = STORE_ANY};
    struct arena arena = {0};
    struct err err;

    send(&letters[0]);
    for (size_t i = 1; i < 3; i++) {
        struct model model = load(true, false);
        struct message *original = find(&model, &letters[i - 1]);
        letters[i] = make_letter(i == 1 ? "bob" : "alice", "nobody");
        cr_assert(store_prepare_reply(world.store, original, &letters[i].draft, &arena, &err), "%s",
                  err.text);
        cr_assert(span_eq(letters[i].draft.to, original->from));
        cr_assert(store_send(world.store, &letters[i], &options, &err), "%s", err.text);
        model_free(&model);
    }
    struct model model = load(true, false);
    cr_assert_eq(model.count, 3);
    assert_span(find(&model, &letters[1])->to, "alice");
    assert_span(find(&model, &letters[2])->to, "bob");
    cr_assert(span_eq(find(&model, &letters[1])->place->box, span_of("alice")));
    if (world.format->fields & (FIELD_THREAD | FIELD_REPLY_TO)) {
        struct threads threads;
        threads_build(&threads, &model);
        cr_assert_eq(threads.count, 1);
        threads_free(&threads);
    }
    for (size_t i = 0; i < 3; i++)
        letter_free(&letters[i]);
    model_free(&model);
    arena_free(&arena);
}

contract(a_handoff_carries_all_the_next_one_has_to_know)
{
    open_world(*index);
    struct letter letter = make_letter("alice", "bob");
    struct handoff handoff = {.work_completed = span_of("work-done"),
                              .current_state = span_of("state-now"),
                              .notes = span_of("note-well")};
    static const char *const texts[] = {"work-done", "state-now", "note-well", "step-one", "stop"};

    span_list_add(&handoff.next_steps, span_of("step-one"));
    span_list_add(&handoff.blockers, span_of("stop"));
    letter.draft.handoff = &handoff;
    send(&letter);
    struct model model = load(true, false);
    const struct message *m = find(&model, &letter);
    struct str bytes = raw(m);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_assert_not_null(strstr(str_c(&bytes), texts[i]), "%s", texts[i]);
    if (world.format->fields & FIELD_CONTEXT) {
        struct json_walk walk;
        struct json key, value;
        struct err err;
        size_t keys = 0;
        cr_assert(json_open(&walk, m->data->context, JSON_PYTHON, &err));
        while (json_next(&walk, &key, &value))
            keys++;
        cr_assert_eq(keys, 11);
    }
    str_free(&bytes);
    letter_free(&letter);
    handoff_free(&handoff);
    model_free(&model);
}

/* Puts an agent on the roster as the format keeps it. */
static void enlist(const char *team, const char *name)
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

contract(a_broadcast_reaches_every_member_but_the_sender_and_the_excluded)
{
    open_world(*index);
    if (!world.format->roster_pattern)
        cr_skip_test("no roster");
    static const char *const members[] = {"alice", "bob", "carol", "dave"};
    struct letter letter = make_letter("alice", "");
    struct span_list exclude = {0};
    struct broadcast result = {0};
    struct err err;

    for (size_t i = 0; i < 4; i++)
        enlist("dev", members[i]);
    enlist("ops", "olga");
    store_close(world.store);
    world.store = open_store(false, NULL);
    span_list_add(&exclude, span_of("dev/dave"));
    cr_assert(
        store_broadcast(world.store, &letter.draft, span_of("dev"), &exclude, true, &result, &err),
        "%s", err.text);
    cr_assert_eq(result.count, 2);
    struct model model = load(true, false);
    cr_assert_eq(model.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct message *m = find(&model, &result.letters[i]);
        cr_assert(result.letters[i].delivered);
        assert_span(m->to, i ? "carol" : "bob");
        assert_span(m->from, "alice");
        assert_span(m->subject, "A subject");
    }
    broadcast_free(&result);

    struct str before = picture();
    result = (struct broadcast){0};
    cr_assert_not(
        store_broadcast(world.store, &letter.draft, span_of("dve"), &exclude, true, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    span_list_add(&exclude, span_of("olga"));
    result = (struct broadcast){0};
    cr_assert_not(
        store_broadcast(world.store, &letter.draft, span_of("ops"), &exclude, true, &result, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
    broadcast_free(&result);
    assert_untouched(&before, "a broadcast to nobody");
    span_list_free(&exclude);
    model_free(&model);
}

static const enum status statuses[] = {STATUS_UNREAD, STATUS_READ,      STATUS_PROCESSING,
                                       STATUS_FAILED, STATUS_COMPLETED, STATUS_ARCHIVED};
enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

static bool can(enum status status)
{
    return status != STATUS_UNREAD &&
           world.format->verbs[verb_for_status(status)].ability != ABILITY_NONE;
}

/* Puts a line of unknown data, oddly laid out, into the message's file. */
static void add_unknown_data(const struct message *message)
{
    struct str bytes = raw(message), odd = {0};
    const char *brace = strchr(str_c(&bytes), '{');
    char path[1024];

    if (brace) {
        str_add(&odd, bytes.at, (size_t)(brace + 1 - bytes.at));
        str_puts(&odd, "\"x_unknown\" :{ \"b\":1E+02,\r\n\t\"a\":[ 12345678901234567890 ,1.0]},");
        str_puts(&odd, brace + 1);
        path_of(message, path, sizeof path);
        tmp_write(&world.tmp, path, str_span(&odd));
    }
    str_free(&bytes);
    str_free(&odd);
}

/* The bytes are those that the edit for this status makes of the ones before. */
static void assert_only_state_changed(const struct str *before, const struct message *after)
{
    const int64_t times[] = {after->data->read_us, after->data->completed_us, 0};
    struct str now = raw(after);
    bool same = false;

    for (size_t i = 0; i < 3 && !same; i++) {
        struct change change = {.status = after->status, .now_us = times[i]};
        struct str edited = {0};
        struct err err;
        if (times[i] != WHEN_NONE && world.format->edit(str_span(before), &change, &edited, &err))
            same = span_eq(str_span(&edited), str_span(&now));
        str_free(&edited);
    }
    cr_assert(same, "%s became\n%s", str_c(before), str_c(&now));
    str_free(&now);
}

contract(every_step_is_made_or_refused_as_the_tables_say)
{
    open_world(*index);
    for (size_t from = 0; from < STATUS_COUNT; from++) {
        for (size_t to = 0; to < STATUS_COUNT; to++) {
            struct letter letter = make_letter("alice", "bob");
            struct err err = {0};
            if (from && !can(statuses[from]))
                continue;
            send(&letter);
            struct model fresh = load(true, true);
            add_unknown_data(find(&fresh, &letter));
            if (from)
                cr_assert(store_change(world.store, find(&fresh, &letter), statuses[from], &err),
                          "%s", err.text);
            struct model model = load(true, true);
            const struct message *m = find(&model, &letter);
            cr_assert_eq(m->status, statuses[from]);
            struct str before = raw(m), tree = picture();
            bool legal = can(statuses[to]) && status_may_become(statuses[from], statuses[to]) &&
                         !m->place->archived;
            cr_assert_eq(store_change(world.store, m, statuses[to], &err), legal, "%s to %s: %s",
                         status_name(statuses[from]), status_name(statuses[to]), err.text);
            if (legal) {
                struct model changed = load(true, true);
                const struct message *now = find(&changed, &letter);
                cr_assert_eq(now->status, statuses[to]);
                assert_only_state_changed(&before, now);
                model_free(&changed);
                str_free(&tree);
            } else {
                cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
                assert_untouched(&tree, "a refused step");
            }
            str_free(&before);
            letter_free(&letter);
            model_free(&fresh);
            model_free(&model);
        }
    }
}

contract(what_is_archived_is_found_only_in_the_archive)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob"), other = make_letter("alice", "bob");
    struct err err;

    send(&letter);
    send(&other);
    struct model model = load(true, false);
    cr_assert(store_change(world.store, find(&model, &letter), STATUS_ARCHIVED, &err), "%s",
              err.text);
    struct model inbox = load(true, false), archive = load(false, true), both = load(true, true);
    cr_assert_eq(inbox.count, 1);
    cr_assert_eq(archive.count, 1);
    cr_assert_eq(both.count, 2);
    find(&inbox, &other);
    cr_assert(find(&archive, &letter)->place->archived);
    cr_assert_eq(find(&archive, &letter)->status, STATUS_ARCHIVED);
    cr_assert_not(store_change(world.store, find(&model, &letter), STATUS_READ, &err),
                  "what was listed is no longer there");
    letter_free(&letter);
    letter_free(&other);
    model_free(&model);
    model_free(&inbox);
    model_free(&archive);
    model_free(&both);
}

contract(a_message_that_comes_back_is_one_message_and_can_be_archived_again)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob");
    char path[1024];
    struct err err;

    send(&letter);
    struct model model = load(true, false);
    struct str bytes = raw(model.messages[0]);
    path_of(model.messages[0], path, sizeof path);
    cr_assert(store_change(world.store, model.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    tmp_write(&world.tmp, path, str_span(&bytes));
    for (int archive = 0; archive < 2; archive++) {
        struct model both = load(true, archive);
        cr_assert_eq(both.count, 1);
        cr_assert_eq(both.messages[0]->status, STATUS_ARCHIVED);
        cr_assert_eq(both.messages[0]->flags, MESSAGE_IN_BOTH);
        if (archive)
            cr_assert(store_change(world.store, both.messages[0], STATUS_ARCHIVED, &err), "%s",
                      err.text);
        model_free(&both);
    }
    cr_assert_not(tmp_exists(&world.tmp, path));
    struct model after = load(true, true);
    cr_assert_eq(after.count, 1);
    cr_assert_eq(after.messages[0]->flags, 0);
    str_free(&bytes);
    letter_free(&letter);
    model_free(&model);
    model_free(&after);
}

contract(another_message_under_a_taken_name_is_archived_beside_it)
{
    open_world(*index);
    if (!can(STATUS_ARCHIVED))
        cr_skip_test("nothing can be archived");
    struct letter letter = make_letter("alice", "bob");
    char path[1024];
    struct err err;

    send(&letter);
    struct model model = load(true, false);
    struct str bytes = raw(model.messages[0]);
    path_of(model.messages[0], path, sizeof path);
    cr_assert(store_change(world.store, model.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    memcpy(strstr(bytes.at, "First line"), "Later line", strlen("Later line"));
    tmp_write(&world.tmp, path, str_span(&bytes));
    struct model both = load(true, true);
    cr_assert(store_change(world.store, both.messages[0], STATUS_ARCHIVED, &err), "%s", err.text);
    cr_assert_not(tmp_exists(&world.tmp, path));
    struct model archive = load(false, true);
    size_t firsts = 0, laters = 0;
    for (size_t i = 0; i < archive.count; i++) {
        firsts += span_starts(archive.messages[i]->data->body, span_of("First line"));
        laters += span_starts(archive.messages[i]->data->body, span_of("Later line"));
    }
    cr_assert(firsts == 1 && laters == 1, "%zu and %zu", firsts, laters);
    str_free(&bytes);
    letter_free(&letter);
    model_free(&model);
    model_free(&both);
    model_free(&archive);
}

contract(a_store_for_reading_refuses_every_verb_that_writes)
{
    open_world(*index);
    struct letter known = make_letter("alice", "bob"), letter = make_letter("alice", "bob");
    struct span_list nobody = {0};
    struct broadcast result = {0};
    struct err err = {0};

    if (world.format->roster_pattern)
        enlist("dev", "bob");
    send(&known);
    struct model model = load(true, true);
    struct store *readonly = open_store(true, NULL);
    struct str before = picture();
    assert_refused(readonly, &letter, false, "a send");
    assert_refused(readonly, &letter, true, "a send with create");
    cr_assert_not(
        store_broadcast(readonly, &letter.draft, (struct span){0}, &nobody, false, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        err.scope = ERR_NONE;
        cr_assert_not(store_change(readonly, model.messages[0], statuses[i], &err));
        cr_assert_eq(err.scope, ERR_REFUSED);
    }
    struct load all = {.inbox = true, .archive = true};
    struct model seen = {0};
    cr_assert(store_load(readonly, &all, &seen, &err), "%s", err.text);
    cr_assert_eq(seen.count, 1);
    assert_untouched(&before, "a store for reading");
    store_close(readonly);
    letter_free(&known);
    model_free(&model);
    model_free(&seen);
}

contract(only_the_box_that_was_asked_for_is_loaded)
{
    open_world(*index);
    struct letter bob = make_letter("alice", "bob"), eve = make_letter("alice", "eve");
    struct load one = {.inbox = true, .agent = span_of("bob")};
    struct model model = {0};
    struct err err;

    send(&bob);
    send(&eve);
    cr_assert(symlinkat("/nowhere", world.tmp.fd, "link") == 0);
    cr_assert(store_load(world.store, &one, &model, &err), "%s", err.text);
    cr_assert_eq(model.count, 1);
    find(&model, &bob);
    model_free(&model);

    char link[600];
    snprintf(link, sizeof link, "%s/carol", world.root);
    cr_assert(symlink(world.tmp.path, link) == 0);
    cr_assert(store_load(world.store, &one, &model, &err), "%s", err.text);
    cr_assert_eq(model.count, 1, "another box is not listed, however odd it is");
    letter_free(&bob);
    letter_free(&eve);
    model_free(&model);
}

contract(hostile_names_can_be_written_to_and_never_lead_out)
{
    static char longest[256];
    static const char *const names[] = {
        "two words", "$(touch x)", "`x`;&|<>", "a'b\"c",       "new\nline", "\x1b[31mred\x07",
        "../x",      "../../x",    "/etc/x",   "a/../../b",    "..\\x",     "-rf",
        "*",         "{box}",      "%s%n%d",   "\xe2\x80\xae", ".hidden",   "x.tmp",
        "x.lock",    "README.md",  "~",        "...",          longest};
    struct str outside = {0}, now = {0};

    open_world(*index);
    memset(longest, 'n', 255);
    take_picture(&outside, world.tmp.path, world.root);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct letter there = make_letter(names[i], names[i]), back = make_letter("bob", "");
        struct arena arena = {0};
        struct err err;
        send(&there);
        struct model model = load(true, false);
        const struct message *m = find(&model, &there);
        assert_span(m->from, names[i]);
        assert_span(m->to, names[i]);
        cr_assert(store_prepare_reply(world.store, m, &back.draft, &arena, &err));
        struct send_options options = {.source = STORE_ANY};
        cr_assert(store_send(world.store, &back, &options, &err), "%s", err.text);
        cr_assert(store_change(world.store, m, STATUS_ARCHIVED, &err) == can(STATUS_ARCHIVED), "%s",
                  err.text);
        letter_free(&there);
        letter_free(&back);
        model_free(&model);
        arena_free(&arena);
    }
    take_picture(&now, world.tmp.path, world.root);
    cr_assert(span_eq(str_span(&outside), str_span(&now)), "%s", str_c(&now));
    struct model all = load(true, true);
    cr_assert_eq(all.count, 2 * sizeof names / sizeof *names);
    str_free(&outside);
    str_free(&now);
    model_free(&all);
}

contract(names_that_cannot_be_anybody_are_refused)
{
    open_world(*index);
    static char longest[257];
    struct letter letters[] = {make_letter("alice", ""),   make_letter("alice", "."),
                               make_letter("alice", ".."), make_letter("alice", longest),
                               make_letter("alice", "x"),  make_letter("", "bob")};

    memset(longest, 'n', 256);
    letters[3].draft.to = span_of(longest);
    letters[4].draft.to = (struct span){"a\0b", 3};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        assert_refused(world.store, &letters[i], true, "a name that cannot be anybody");
}

contract(a_name_that_is_not_utf8_is_refused_or_comes_back_as_it_is)
{
    open_world(*index);
    static const char *const names[][2] = {{"alice", "\xff\xfe"}, {"\xff\xfe", "bob"}};
    struct send_options options = {.create = true};
    struct err err = {0};

    for (size_t i = 0; i < 2; i++) {
        struct letter letter = make_letter(names[i][0], names[i][1]);
        if (store_send(world.store, &letter, &options, &err)) {
            struct model model = load(true, false);
            assert_span(find(&model, &letter)->from, names[i][0]);
            assert_span(find(&model, &letter)->to, names[i][1]);
            model_free(&model);
        } else {
            cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
        }
        letter_free(&letter);
    }
}

/* A draft that uses exactly one field; what is not there stays absent. */
static struct letter letter_with(unsigned field)
{
    struct letter letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;

    draft->type = span_of(field == FIELD_TYPE ? "request" : NULL);
    draft->thread = span_of(field == FIELD_THREAD ? "t" : NULL);
    draft->reply_to = span_of(field == FIELD_REPLY_TO ? "r" : NULL);
    draft->swarm = span_of(field == FIELD_SWARM ? "s" : NULL);
    draft->payload = span_of(field == FIELD_PAYLOAD ? "{}" : NULL);
    draft->context = span_of(field == FIELD_CONTEXT ? "{}" : NULL);
    draft->requires_response = field == FIELD_RESPONSE;
    draft->expires_us = field == FIELD_EXPIRES ? EXPIRES_US : WHEN_NONE;
    if (field == FIELD_TAGS)
        span_list_add(&draft->tags, span_of("t"));
    if (field == FIELD_ATTACHMENTS)
        span_list_add(&draft->attachments, span_of("a"));
    return letter;
}

contract(a_field_that_the_layout_cannot_hold_is_refused)
{
    open_world(*index);
    struct format bare = *world.format;
    struct letter plain = letter_with(0);
    struct err err;

    bare.fields = 0;
    cr_assert(format_can_hold(&bare, &plain.draft, &err));
    for (unsigned field = FIELD_TYPE; field <= FIELD_RESPONSE; field <<= 1) {
        struct letter letter = letter_with(field);
        bool holds = world.format->fields & field;
        cr_assert_eq(format_can_hold(world.format, &letter.draft, &err), holds, "%x", field);
        err.scope = ERR_NONE;
        cr_assert_not(format_can_hold(&bare, &letter.draft, &err), "%x", field);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_not_null(strstr(err.text, bare.title), "%s", err.text);
        if (!holds)
            assert_refused(world.store, &letter, true, "a field it cannot hold");
        letter_free(&letter);
    }
}

contract(the_log_names_the_recipient_and_nothing_behind_it)
{
    open_world(*index);
    char path[512];
    struct err err;
    struct letter letter = make_letter("alice", "");

    snprintf(path, sizeof path, "%s/log", world.tmp.path);
    struct log *log = log_open(path, &err);
    store_close(world.store);
    world.store = open_store(false, log);
    letter.draft.to = (struct span){"bobSECRET", 3};
    send(&letter);
    struct str text = tmp_read(&world.tmp, "log");
    cr_assert_not_null(strstr(str_c(&text), "bob"));
    cr_assert_null(strstr(str_c(&text), "SECRET"), "%s", str_c(&text));
    str_free(&text);
    letter_free(&letter);
    store_close(world.store);
    world.store = NULL;
    log_close(log);
}
