/* The contract of all layouts: the states of a message, in the mailbox if it can hold them and
 * locally if not; a change touches nothing but the state. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

/* Adds unknown data with unusual layout to the message: a key, or a line of the head. */
static void add_unknown_data(const struct message *message)
{
    static const char key[] =
        "\"x_unknown\" :{ \"b\":1E+02,\r\n\t\"a\":[ 12345678901234567890 ,1.0]},";
    static const char line[] = "\nx_unknown:   'odd  one' # kept";
    struct str bytes = raw(message), odd = {0};
    char path[1024];

    path_of(message, path, sizeof path);
    struct str file = tmp_read(&world.tmp, path);
    const char *start = memmem(file.at, file.len, bytes.at, bytes.len);
    cr_assert_not_null(start, "the message stands in its file");
    bool object = memchr(bytes.at, '{', bytes.len) && bytes.at[0] != '-';
    const char *at = object ? strchr(start, '{') + 1 : strchr(start, '\n');
    str_add(&odd, file.at, (size_t)(at - file.at));
    str_puts(&odd, object ? key : line);
    str_puts(&odd, at);
    tmp_write(&world.tmp, path, str_span(&odd));
    str_free(&bytes);
    str_free(&file);
    str_free(&odd);
}

/* Returns the resulting state: a layout that can report a failure, but has neither a state nor a
 * log to keep it, archives. */
static enum status outcome_of(enum status status)
{
    const struct format *format = world.format;

    return status == STATUS_FAILED && is_held(status) && !format->edit && !format->log_file
               ? STATUS_ARCHIVED
               : status;
}

/* Asserts the status in the next load, and in that of a second store on the same state. */
static void assert_status(const struct outgoing_message *letter, enum status status)
{
    struct store *second = open_store("bob", true, NULL);

    for (int again = 0; again < 2; again++) {
        struct model model = load_in(again ? second : world.store, true, true);
        const struct message *m = find(&model, letter);
        cr_assert_eq(m->status, status, "%s: %s, not %s", world.format->name,
                     status_name(m->status), status_name(status));
        cr_assert(has_text(m->data->body, "Second \xc3\xa9 line."));
        model_free(&model);
    }
    store_close(second);
}

/* Makes one legal step and asserts the limits of its changes. */
static void assert_step(struct message *m, const struct outgoing_message *letter, enum status to)
{
    char path[1024];
    path_of(m, path, sizeof path);
    struct str tree = picture(), before = raw(m), file = tmp_read(&world.tmp, path);
    struct changed outcome = change(world.store, m, to);

    cr_assert(outcome.ok, "%s to %s: %s", status_name(m->status), status_name(to),
              outcome.err.text);
    cr_assert(is_held(to) || outcome.local, "%s is impossible, but is not called local",
              status_name(to));
    cr_assert_eq(outcome.local, is_untouched(&tree), "%s: what is local touches nothing",
                 status_name(to));
    assert_status(letter, outcome_of(to));
    struct model now = load(true, true);
    struct str after = raw(find(&now, letter));
    /* A flag is one value; a state with its times is up to three. */
    size_t most = outcome.local || !world.format->edit ? 0 : world.format->exact_to ? 3 : 1;
    size_t lines = lines_changed(str_span(&before), str_span(&after));
    cr_assert_leq(lines, most, "%s: %s became\n%s", status_name(to), str_c(&before), str_c(&after));
    if (tmp_exists(&world.tmp, path)) { /* and nothing around it has changed */
        struct str rest = tmp_read(&world.tmp, path);
        cr_assert_leq(lines_changed(str_span(&file), str_span(&rest)), most, "%s became\n%s",
                      str_c(&file), str_c(&rest));
        str_free(&rest);
    }
    model_free(&now);
    str_free(&tree);
    str_free(&before);
    str_free(&after);
    str_free(&file);
}

static void try_step(size_t index, enum status from, enum status to)
{
    open_world(index);
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    become("bob");
    struct model fresh = load(true, true);
    add_unknown_data(find(&fresh, &letter));
    model_free(&fresh);
    fresh = load(true, true);
    if (from != STATUS_UNREAD)
        assert_changed(find(&fresh, &letter), from);
    struct model model = load(true, true);
    struct message *m = find(&model, &letter);
    cr_assert_eq(m->status, outcome_of(from));
    if (!m->place->archived && status_may_become(m->status, to)) {
        assert_step(m, &letter, to);
    } else {
        struct str tree = picture();
        struct changed outcome = change(world.store, m, to);
        cr_assert_not(outcome.ok, "%s: %s to %s", world.format->name, status_name(from),
                      status_name(to));
        cr_assert_eq(outcome.err.scope, ERR_REFUSED, "%s", outcome.err.text);
        assert_untouched(&tree, "a refused step");
        assert_status(&letter, outcome_of(from));
    }
    outgoing_message_free(&letter);
    model_free(&fresh);
    model_free(&model);
}

contract(every_step_is_made_or_refused_as_the_tables_say)
{
    for (size_t from = 0; from < STATUS_COUNT; from++) {
        for (size_t to = 0; to < STATUS_COUNT; to++) {
            if (from || to)
                close_world();
            try_step(*index, statuses[from], statuses[to]);
        }
    }
}

contract(what_is_kept_here_is_seen_only_by_who_kept_it)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    become("bob");
    struct store *other = open_store("carol", false, NULL);
    for (enum status status = STATUS_READ; status <= STATUS_COMPLETED; status++) {
        if (outcome_of(status) == STATUS_ARCHIVED)
            continue;
        struct model model = load(true, false), theirs = load_in(other, true, false);
        enum status before = find(&theirs, &letter)->status;
        struct changed outcome = change(world.store, find(&model, &letter), status);
        cr_assert(outcome.ok, "%s", outcome.err.text);
        struct model now = load_in(other, true, false);
        bool shared = !outcome.local && world.format->edit;
        cr_assert_eq(find(&now, &letter)->status, shared ? status : before, "%s",
                     status_name(status));
        model_free(&model);
        model_free(&theirs);
        model_free(&now);
    }
    store_close(other);
    outgoing_message_free(&letter);
}

contract(what_one_has_looked_at_is_noted_here_only)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    struct err err;

    send_letter(&letter);
    struct model model = load(true, false);
    struct str before = picture();
    cr_assert_not(model.messages[0]->seen);
    cr_assert(store_mark_seen(world.store, model.messages, 1, &err), "%s", err.text);
    assert_untouched(&before, "looking");
    struct model seen = load(true, false);
    cr_assert(seen.messages[0]->seen);
    cr_assert_eq(seen.messages[0]->status, STATUS_UNREAD);
    become("carol");
    struct model unseen = load(true, false);
    cr_assert_not(unseen.messages[0]->seen);
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&seen);
    model_free(&unseen);
}

contract(mail_of_others_is_not_marked)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    for (int who = 0; who < 3; who++) {
        become((const char *const[]){NULL, "carol", "alice"}[who]);
        struct model model = load(true, true);
        struct str before = picture();
        for (enum status status = STATUS_READ; status <= STATUS_COMPLETED; status++) {
            struct changed outcome = change(world.store, model.messages[0], status);
            cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
            cr_assert_not_null(strstr(outcome.err.text, "bob"), "%s", outcome.err.text);
        }
        assert_untouched(&before, "a mark on another's mail");
        struct model after = load(true, true);
        cr_assert_eq(after.messages[0]->status, STATUS_UNREAD);
        model_free(&model);
        model_free(&after);
    }
    outgoing_message_free(&letter);
}

contract(several_are_changed_in_one_go_and_each_has_its_outcome)
{
    open_world(*index);
    if (world.format->storage == STORAGE_SLOT)
        skip_test(close_world, "nobody has several");
    struct outgoing_message letters[4];
    struct message *messages[4];
    struct changed outcomes[4];

    for (int i = 0; i < 4; i++) {
        letters[i] = make_letter("alice", i == 2 ? "carol" : "bob");
        send_letter(&letters[i]);
    }
    become("bob");
    struct model model = load(true, false);
    for (int i = 0; i < 4; i++)
        messages[i] = find(&model, &letters[i]);
    store_change(world.store, messages, 3, STATUS_READ, (struct span){0}, outcomes);
    struct model after = load(true, false);
    for (int i = 0; i < 4; i++) {
        bool own = i != 2;
        if (i < 3)
            cr_assert_eq(outcomes[i].ok, own, "%d: %s", i, outcomes[i].err.text);
        cr_assert_eq(find(&after, &letters[i])->status, i < 2 ? STATUS_READ : STATUS_UNREAD, "%d",
                     i);
        outgoing_message_free(&letters[i]);
    }
    model_free(&model);
    model_free(&after);
}

/* Returns the bytes of the message with the unknown data in it. */
static struct str odd_message(const struct outgoing_message *letter)
{
    struct model model = load(true, true);
    struct str bytes = raw(find(&model, letter));

    model_free(&model);
    return bytes;
}

static void assert_same_message(const struct outgoing_message *letter, const struct str *bytes,
                                const char *what)
{
    struct str now = odd_message(letter);

    cr_assert(span_eq(str_span(bytes), str_span(&now)), "%s changed\n%s\ninto\n%s", what,
              str_c(bytes), str_c(&now));
    str_free(&now);
}

contract(unknown_data_survives_what_happens_to_other_messages)
{
    open_world(*index);
    bool slot = world.format->storage == STORAGE_SLOT;
    struct outgoing_message odd = make_letter("alice", "bob"),
                            other = make_letter("carol", slot ? "eve" : "bob");
    char path[1024];

    send_letter(&odd);
    struct model model = load(true, true);
    add_unknown_data(find(&model, &odd));
    path_of(find(&model, &odd), path, sizeof path);
    model_free(&model);
    struct str bytes = odd_message(&odd), file = tmp_read(&world.tmp, path);
    cr_assert(has_text(str_span(&bytes), "x_unknown"));
    send_letter(&other);
    assert_same_message(&odd, &bytes, "a send");
    if (world.format->storage == STORAGE_ARRAY) { /* the file only grows at its end */
        struct str longer = tmp_read(&world.tmp, path);
        size_t kept = span_trim_end(str_span(&file)).len - 1;
        while (kept && strchr(" \r\n\t", file.at[kept - 1]))
            kept--;
        cr_assert(longer.len > kept && memcmp(longer.at, file.at, kept) == 0);
        str_free(&longer);
    }
    become(slot ? "eve" : "bob");
    model = load(true, true);
    assert_changed(find(&model, &other), STATUS_READ);
    assert_same_message(&odd, &bytes, "a mark");
    model_free(&model);
    model = load(true, true);
    assert_changed(find(&model, &other), STATUS_ARCHIVED);
    assert_same_message(&odd, &bytes, "putting another away");
    str_free(&bytes);
    str_free(&file);
    outgoing_message_free(&odd);
    outgoing_message_free(&other);
    model_free(&model);
}

/* Another message of the same id, as a program writes it that reuses ids. */
static void exchange(const char *path, const char *word, const char *other)
{
    struct str file = tmp_read(&world.tmp, path), changed = {0};
    const char *at = strstr(file.at, word);

    cr_assert_not_null(at, "%s", file.at);
    str_add(&changed, file.at, (size_t)(at - file.at));
    str_puts(&changed, other);
    str_puts(&changed, at + strlen(word));
    tmp_write(&world.tmp, path, str_span(&changed));
    str_free(&file);
    str_free(&changed);
}

contract(a_message_of_another_sender_or_time_that_came_in_its_place_is_not_put_away_for_it)
{
    static const char *const changes[][2] = {{"from: alice", "from: carol"},
                                             {"timestamp: \"2026", "timestamp: \"2027"}};

    open_world(*index);
    if (world.format->storage != STORAGE_SLOT)
        skip_test(close_world, "each message has a name of its own");
    become("bob");
    struct outgoing_message letter = make_letter("alice", "bob");
    send_letter(&letter);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct model model = load(true, false);
        struct message *m = find(&model, &letter);
        char path[1024];
        path_of(m, path, sizeof path);
        exchange(path, changes[i][0], changes[i][1]);
        struct str before = tmp_read(&world.tmp, path);
        struct changed outcome = change(world.store, m, STATUS_ARCHIVED);
        cr_assert_not(outcome.ok, "%s", changes[i][1]);
        cr_assert_str_not_empty(outcome.err.text);
        struct str after = tmp_read(&world.tmp, path);
        cr_assert(span_eq(str_span(&before), str_span(&after)));
        str_free(&before);
        str_free(&after);
        model_free(&model);
        exchange(path, changes[i][1], changes[i][0]);
    }
    outgoing_message_free(&letter);
}

contract(without_local_state_a_change_is_made_whole_or_not_at_all)
{
    char state[400];

    open_world(*index);
    struct outgoing_message letter = make_letter("carol", "alice");
    send_letter(&letter);
    become("alice");
    struct model model = load(true, false);
    struct message *message = find(&model, &letter);
    snprintf(state, sizeof state, "%s/taken", world.tmp.path);
    tmp_write(&world.tmp, "taken", span_of(""));
    setenv("XDG_STATE_HOME", state, 1);
    become("alice");
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        struct str before = picture();
        struct changed outcome = change(world.store, message, statuses[i]);
        if (outcome.ok) {
            cr_assert(!is_untouched(&before), "%s is neither here nor there",
                      status_name(statuses[i]));
            str_free(&before);
        } else {
            cr_assert_str_not_empty(outcome.err.text);
            assert_untouched(&before, status_name(statuses[i]));
        }
    }
    model_free(&model);
    outgoing_message_free(&letter);
}
