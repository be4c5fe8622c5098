/* The contract of all layouts: changes can be undone, to the byte, unless somebody else has changed
 * the message since; flags in arrays stay set. Archived messages can be restored. */
#include "world.h"

#include <stdio.h>
#include <unistd.h>

static struct changed change_recorded(struct message *message, enum status status,
                                      struct change_records *records)
{
    struct changed outcome = {0};

    store_change_recorded(world.store, &message, 1, status, (struct span){0}, &outcome, records);
    cr_assert(outcome.ok, "%s to %s: %s", status_name(message->status), status_name(status),
              outcome.err.text);
    cr_assert_eq(records->count, 1);
    return outcome;
}

static struct changed take_back(const struct change_records *records)
{
    struct changed outcome = {0};

    cr_assert_eq(records->count, 1);
    store_undo_change(world.store, records, &outcome);
    return outcome;
}

static struct changed restore(struct store *store, struct message *message)
{
    struct changed outcome = {0};

    store_restore(store, &message, 1, &outcome);
    return outcome;
}

/* True if the mark stays because it is in a shared file. */
static bool stays_marked(enum status status)
{
    return world.format->storage == STORAGE_ARRAY && status == STATUS_READ && is_held(status);
}

/* Sends one letter from alice to bob, and loads it as bob. */
static struct outgoing_message send_to_bob(struct model *model)
{
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    become("bob");
    *model = load(true, false);
    cr_assert_eq(model->count, 1);
    return letter;
}

/* Asserts that it is only in the inbox, at its place, with those bytes. */
static void assert_as_before(const struct outgoing_message *letter, enum status status,
                             const char *path, const struct str *bytes)
{
    struct model both = load(true, true), archive = load(false, true);
    const struct message *m = find(&both, letter);
    char now[1024];

    path_of(m, now, sizeof now);
    struct str file = tmp_read(&world.tmp, path);
    cr_assert_str_eq(now, path);
    for (size_t i = 0; i < both.count; i++) /* a sender who was notified has got an answer */
        cr_assert(both.messages[i] == m || span_is(both.messages[i]->from, "bob"));
    cr_assert_eq(both.double_count, 0);
    cr_assert_eq(archive.count, 0);
    cr_assert_eq(m->flags, 0);
    cr_assert_eq(m->status, status, "%s, not %s", status_name(m->status), status_name(status));
    cr_assert(span_eq(str_span(&file), str_span(bytes)), "%s became\n%s", str_c(bytes),
              str_c(&file));
    str_free(&file);
    model_free(&both);
    model_free(&archive);
}

static void try_there_and_back(size_t index, enum status from, enum status to)
{
    open_world(index);
    struct change_records records[2] = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    char path[1024];

    if (from != STATUS_UNREAD) {
        assert_changed(model.messages[0], from);
        model_free(&model);
        model = load(true, true);
    }
    struct message *m = find(&model, &letter);
    if (!m->place->archived && status_may_become(m->status, to) && !stays_marked(to)) {
        enum status before = m->status;
        path_of(m, path, sizeof path);
        struct str bytes = tmp_read(&world.tmp, path);
        for (int again = 0; again < 2; again++) { /* again, with the kept bytes */
            change_recorded(again ? &records[0].items[0].message : m, to, &records[again]);
            struct changed outcome = take_back(&records[again]);
            cr_assert(outcome.ok, "%s to %s: %s", status_name(before), status_name(to),
                      outcome.err.text);
            assert_as_before(&letter, before, path, &bytes);
        }
        str_free(&bytes);
    }
    change_records_free(&records[0]);
    change_records_free(&records[1]);
    outgoing_message_free(&letter);
    model_free(&model);
}

contract(every_step_but_a_shared_flag_can_be_taken_back_and_made_again)
{
    for (size_t from = 0; from < STATUS_COUNT; from++) {
        for (size_t to = 0; to < STATUS_COUNT; to++) {
            if (from || to)
                close_world();
            try_there_and_back(*index, statuses[from], statuses[to]);
        }
    }
}

/* Starts from a state that is only in a local mark, or from none. */
static void try_shared_flag(enum status from)
{
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    bool failed = from == STATUS_FAILED;

    if (failed)
        assert_changed(model.messages[0], from);
    struct model then = load(true, false);
    struct str before = raw(find(&then, &letter));
    change_recorded(find(&then, &letter), STATUS_READ, &records);
    struct model now = load(true, false);
    struct str marked = raw(find(&now, &letter));
    cr_assert(!span_eq(str_span(&marked), str_span(&before)));
    struct str tree = picture();
    struct changed outcome = take_back(&records);
    cr_assert_eq(outcome.ok, failed, "%s", outcome.err.text);
    cr_assert_eq(outcome.remains != NULL, failed, "what it was here, it is again, and no more");
    cr_assert(failed || (outcome.err.scope == ERR_REFUSED &&
                         strstr(outcome.err.text, "what is marked as read stays so")),
              "%s", outcome.err.text);
    assert_untouched(&tree, "taking back a flag that others may have seen");
    struct model after = load(true, false);
    cr_assert_eq(find(&after, &letter)->status, failed ? from : STATUS_READ);
    change_records_free(&records);
    outgoing_message_free(&letter);
    str_free(&before);
    str_free(&marked);
    model_free(&model);
    model_free(&then);
    model_free(&now);
    model_free(&after);
}

contract(a_read_flag_in_a_shared_file_is_never_set_back)
{
    open_world(*index);
    if (!stays_marked(STATUS_READ))
        skip_test(close_world, "each message has a file of its own, or no flag");
    try_shared_flag(STATUS_UNREAD);
    close_world();
    open_world(*index);
    try_shared_flag(STATUS_FAILED);
}

contract(what_stays_in_the_world_after_taking_back_is_said)
{
    open_world(*index);
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    bool logged = world.format->log_file != NULL;

    change_recorded(model.messages[0], STATUS_ARCHIVED, &records);
    struct changed outcome = take_back(&records);
    cr_assert(outcome.ok, "%s", outcome.err.text);
    cr_assert_eq(outcome.remains != NULL, logged);
    cr_assert_eq(outcome.local, world.format->archiving == ARCHIVE_LOCAL);
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
}

/* Writes another text of the same length to the message's file. */
static void alter(const char *path)
{
    struct str bytes = tmp_read(&world.tmp, path);
    char *text = memmem(bytes.at, bytes.len, "First line", 10);

    cr_assert_not_null(text);
    memcpy(text, "Other line", 10);
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
}

static bool is_kept_here(enum change_kind deed)
{
    return deed == CHANGE_KIND_NOTED || deed == CHANGE_KIND_HIDDEN || deed == CHANGE_KIND_TAKEN;
}

static void try_after_others(size_t index, enum status status)
{
    open_world(index);
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    char path[1024];

    change_recorded(model.messages[0], status, &records);
    if (!is_kept_here(records.items[0].deed)) {
        struct model now = load(true, true);
        path_of(find(&now, &letter), path, sizeof path);
        alter(path);
        struct str before = tmp_read(&world.tmp, path);
        struct changed outcome = take_back(&records);
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
        cr_assert(stays_marked(status) || strstr(outcome.err.text, "someone"), "%s",
                  outcome.err.text);
        struct str after = tmp_read(&world.tmp, path);
        cr_assert(span_eq(str_span(&before), str_span(&after)), "%s", str_c(&after));
        str_free(&before);
        str_free(&after);
        model_free(&now);
    }
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
}

contract(a_later_change_by_others_is_never_overwritten)
{
    for (size_t i = 1; i < STATUS_COUNT; i++) {
        if (i > 1)
            close_world();
        try_after_others(*index, statuses[i]);
    }
}

static void remove_all(struct model *model)
{
    char path[1024];

    for (size_t i = 0; i < model->count; i++) {
        path_of(model->messages[i], path, sizeof path);
        if (tmp_exists(&world.tmp, path))
            cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    }
}

contract(what_others_removed_since_is_not_made_again)
{
    for (size_t i = 1; i < STATUS_COUNT; i++) {
        if (i > 1)
            close_world();
        open_world(*index);
        struct change_records records = {0};
        struct model model;
        struct outgoing_message letter = send_to_bob(&model);
        change_recorded(model.messages[0], statuses[i], &records);
        struct model now = load(true, true);
        enum change_kind deed = records.items[0].deed;
        if (deed != CHANGE_KIND_NOTED && deed != CHANGE_KIND_TAKEN) {
            remove_all(&model);
            remove_all(&now);
            struct changed outcome = take_back(&records);
            cr_assert(!outcome.ok, "%s", status_name(statuses[i]));
            struct model after = load(true, true);
            cr_assert_eq(after.count, deed == CHANGE_KIND_HIDDEN,
                         "the only copy that is left stays");
            model_free(&after);
        }
        change_records_free(&records);
        outgoing_message_free(&letter);
        model_free(&model);
        model_free(&now);
    }
}

contract(another_message_in_its_place_stays_and_so_does_the_one_in_the_archive)
{
    open_world(*index);
    if (world.format->archiving == ARCHIVE_LOCAL)
        skip_test(close_world, "it never leaves its place");
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    char path[1024];

    path_of(model.messages[0], path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    change_recorded(model.messages[0], STATUS_ARCHIVED, &records);
    tmp_write(&world.tmp, path, str_span(&bytes));
    alter(path);
    struct str before = picture();
    struct changed outcome = take_back(&records);
    cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
    cr_assert(strstr(outcome.err.text, "another message lies in its place") ||
                  strstr(outcome.err.text, "written it there again"),
              "%s", outcome.err.text);
    assert_untouched(&before, "what was refused");
    struct model both = load(true, true);
    size_t firsts = 0, others = 0;
    for (size_t i = 0; i < both.count + both.double_count; i++) {
        const struct message *m = i < both.count ? both.messages[i] : both.doubles[i - both.count];
        firsts += has_text(m->data->body, "First line");
        others += has_text(m->data->body, "Other line");
    }
    cr_assert(firsts == 1 && others == 1, "%zu and %zu", firsts, others);
    str_free(&bytes);
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&both);
}

contract(what_an_interrupted_try_has_put_back_is_no_obstacle)
{
    open_world(*index);
    if (world.format->archiving != ARCHIVE_COPY && world.format->archiving != ARCHIVE_DELETE)
        skip_test(close_world, "it is one step");
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);
    char path[1024];

    path_of(model.messages[0], path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    change_recorded(model.messages[0], STATUS_ARCHIVED, &records);
    tmp_write(&world.tmp, path, str_span(&bytes));
    struct changed outcome = take_back(&records);
    cr_assert(outcome.ok, "%s", outcome.err.text);
    assert_as_before(&letter, STATUS_UNREAD, path, &bytes);
    str_free(&bytes);
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
}

contract(what_was_marked_since_is_not_taken_back)
{
    open_world(*index);
    struct change_records records = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);

    change_recorded(model.messages[0], STATUS_PROCESSING, &records);
    struct model now = load(true, false);
    assert_changed(now.messages[0], STATUS_COMPLETED);
    struct changed outcome = take_back(&records);
    cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
    struct model after = load(true, false);
    cr_assert_eq(after.messages[0]->status, STATUS_COMPLETED);
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&now);
    model_free(&after);
}

contract(several_are_taken_back_in_one_go_and_each_has_its_outcome)
{
    open_world(*index);
    if (world.format->storage == STORAGE_SLOT)
        skip_test(close_world, "nobody has several");
    for (int away = 0; away < 2; away++) {
        enum status status = away ? STATUS_ARCHIVED : STATUS_READ;
        struct outgoing_message letters[3];
        struct message *messages[3];
        struct changed outcomes[3];
        struct change_records records = {0};

        if (away) {
            close_world();
            open_world(*index);
        }
        for (int i = 0; i < 3; i++) {
            letters[i] = make_letter("alice", "bob");
            send_letter(&letters[i]);
        }
        become("bob");
        struct model model = load(true, false);
        for (int i = 0; i < 3; i++)
            messages[i] = find(&model, &letters[i]);
        store_change_recorded(world.store, messages, 3, status, (struct span){0}, outcomes,
                              &records);
        cr_assert_eq(records.count, 3);
        store_undo_change(world.store, &records, outcomes);
        struct model after = load(true, false);
        cr_assert_eq(after.count, 3);
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(outcomes[i].ok, !stays_marked(status), "%s", outcomes[i].err.text);
            cr_assert_eq(find(&after, &letters[i])->status,
                         stays_marked(status) ? status : STATUS_UNREAD);
            outgoing_message_free(&letters[i]);
        }
        change_records_free(&records);
        model_free(&model);
        model_free(&after);
    }
}

contract(what_is_in_the_archive_comes_back_without_a_record)
{
    static const enum status before[] = {STATUS_UNREAD, STATUS_READ};

    for (size_t i = 0; i < 2; i++) {
        if (i)
            close_world();
        open_world(*index);
        struct model model;
        struct outgoing_message letter = send_to_bob(&model);
        char path[1024];
        if (before[i] == STATUS_READ)
            assert_changed(model.messages[0], STATUS_READ);
        path_of(model.messages[0], path, sizeof path);
        struct str bytes = tmp_read(&world.tmp, path);
        struct model now = load(true, false);
        assert_changed(now.messages[0], STATUS_ARCHIVED);
        struct model archive = load(false, true);
        struct changed outcome = restore(world.store, find(&archive, &letter));
        cr_assert(outcome.ok, "%s", outcome.err.text);
        /* a state that was only in a replaced mark is lost */
        bool told = i == 0 || is_held(STATUS_READ) || world.format->archiving == ARCHIVE_MOVE;
        assert_as_before(&letter, told ? before[i] : STATUS_UNREAD, path, &bytes);
        outcome = restore(world.store, find(&now, &letter));
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "it is not in the archive");
        str_free(&bytes);
        outgoing_message_free(&letter);
        model_free(&model);
        model_free(&now);
        model_free(&archive);
    }
}

contract(mail_that_others_may_have_put_away_is_brought_back_only_in_their_name)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    become("bob");
    struct model model = load(true, false);
    assert_changed(model.messages[0], STATUS_ARCHIVED);
    struct model archive = load(false, true);
    become("carol");
    struct model theirs = load(false, true);
    struct str before = picture();
    if (world.format->archiving == ARCHIVE_LOCAL) {
        cr_assert_eq(theirs.count, 0);
    } else {
        struct changed outcome = restore(world.store, find(&theirs, &letter));
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
        cr_assert_not_null(strstr(outcome.err.text, "bob"), "%s", outcome.err.text);
    }
    assert_untouched(&before, "what was refused");
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&archive);
    model_free(&theirs);
}

contract(a_store_for_reading_takes_nothing_back)
{
    open_world(*index);
    struct change_records records = {0};
    struct changed outcome = {0};
    struct model model;
    struct outgoing_message letter = send_to_bob(&model);

    change_recorded(model.messages[0], STATUS_ARCHIVED, &records);
    struct model archive = load(false, true);
    struct store *reading = open_store("bob", true, NULL);
    struct str before = picture();
    store_undo_change(reading, &records, &outcome);
    cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED);
    outcome = restore(reading, archive.messages[0]);
    cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED);
    assert_untouched(&before, "a store for reading");
    store_close(reading);
    change_records_free(&records);
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&archive);
}
