/* The contract of all layouts: archiving messages, in the mailbox or locally. */
#include "world.h"

#include <unistd.h>

contract(what_is_put_away_is_found_only_in_the_archive)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob"),
                            other = make_letter("alice", "carol");
    struct batch batch = {0};
    struct err err;

    send_letter(&letter);
    send_letter(&other);
    struct model model = load(true, false);
    struct message *m = find(&model, &letter);
    struct str bytes = raw(m), tree = picture();
    struct changed outcome = change(world.store, m, STATUS_ARCHIVED);
    cr_assert(outcome.ok, "%s", outcome.err.text);
    cr_assert_eq(outcome.local, world.format->archiving == ARCHIVE_LOCAL);
    cr_assert_eq(is_untouched(&tree), !is_held(STATUS_ARCHIVED));
    struct model inbox = load(true, false), archive = load(false, true), both = load(true, true);
    cr_assert_eq(inbox.count, 1);
    cr_assert_eq(archive.count, 1);
    cr_assert_eq(both.count, 2);
    find(&inbox, &other);
    const struct message *away = find(&archive, &letter);
    cr_assert(away->place->archived);
    cr_assert_eq(away->status, STATUS_ARCHIVED);
    const struct message *whole = store_fetch(world.store, away, &batch, &err);
    cr_assert_not_null(whole, "%s", err.text);
    cr_assert(has_text(whole->data->body, "Second \xc3\xa9 line."));
    struct str kept = raw(away);
    size_t most = world.format->archiving == ARCHIVE_COPY ? 3 : 0;
    cr_assert_leq(lines_changed(str_span(&bytes), str_span(&kept)), most, "%s", str_c(&kept));
    batch_free(&batch);
    str_free(&bytes);
    str_free(&kept);
    str_free(&tree);
    outgoing_message_free(&letter);
    outgoing_message_free(&other);
    model_free(&model);
    model_free(&inbox);
    model_free(&archive);
    model_free(&both);
}

contract(what_is_in_the_archive_is_not_changed_any_more)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    become("bob");
    struct model model = load(true, false);
    assert_changed(find(&model, &letter), STATUS_ARCHIVED);
    struct model archive = load(false, true);
    struct str before = picture();
    for (enum status status = STATUS_READ; status <= STATUS_ARCHIVED; status++) {
        struct changed outcome = change(world.store, find(&archive, &letter), status);
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s: %s", status_name(status),
                  outcome.err.text);
    }
    assert_untouched(&before, "a change in the archive");
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&archive);
}

contract(what_one_hides_others_still_see)
{
    open_world(*index);
    if (world.format->archiving != ARCHIVE_LOCAL)
        skip_test(close_world, "the mailbox has an archive of its own, or the message is gone");
    struct outgoing_message letter = make_letter("alice", "bob");

    send_letter(&letter);
    struct model model = load(true, false);
    assert_changed(find(&model, &letter), STATUS_ARCHIVED);
    struct store *again = open_store(NULL, false, NULL);
    struct model hidden = load_in(again, true, false), kept = load_in(again, false, true);
    cr_assert_eq(hidden.count, 0);
    cr_assert_eq(kept.count, 1);
    become("bob");
    struct model seen = load(true, true);
    cr_assert_eq(seen.count, 1);
    cr_assert_not(seen.messages[0]->place->archived);
    cr_assert_eq(seen.messages[0]->status, STATUS_UNREAD);
    store_close(again);
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&hidden);
    model_free(&kept);
    model_free(&seen);
}

contract(what_others_took_away_meanwhile_is_not_put_away_by_us)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");
    char path[1024];

    send_letter(&letter);
    struct model model = load(true, false);
    path_of(model.messages[0], path, sizeof path);
    cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    struct changed outcome = change(world.store, model.messages[0], STATUS_ARCHIVED);
    cr_assert_not(outcome.ok);
    struct model after = load(true, true);
    cr_assert_eq(after.count, 0, "nothing came back");
    outgoing_message_free(&letter);
    model_free(&model);
    model_free(&after);
}

/* Archives the only message, and writes a file of the same name again. */
static struct outgoing_message put_away_and_write_again(const char *start)
{
    struct outgoing_message letter = make_letter("alice", "bob");
    char path[1024];

    send_letter(&letter);
    struct model model = load(true, false);
    struct str bytes = raw(model.messages[0]);
    path_of(model.messages[0], path, sizeof path);
    assert_changed(model.messages[0], STATUS_ARCHIVED);
    cr_assert_not(tmp_exists(&world.tmp, path));
    memcpy(strstr(bytes.at, "First line"), start, strlen("First line"));
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
    model_free(&model);
    return letter;
}

contract(a_message_that_comes_back_is_one_message_and_can_be_archived_again)
{
    open_world(*index);
    if (world.format->archiving != ARCHIVE_COPY)
        skip_test(close_world, "nobody writes an archived message back");
    struct outgoing_message letter = put_away_and_write_again("First line");

    for (int archive = 0; archive < 2; archive++) {
        struct model both = load(true, archive);
        cr_assert_eq(both.count, 1);
        cr_assert_eq(both.messages[0]->status, STATUS_ARCHIVED);
        cr_assert_eq(both.messages[0]->flags, MESSAGE_IN_BOTH);
        if (archive)
            assert_changed(both.messages[0], STATUS_ARCHIVED);
        model_free(&both);
    }
    struct model after = load(true, true), inbox = load(true, false);
    cr_assert_eq(inbox.count, 0);
    cr_assert_eq(after.count, 1);
    cr_assert_eq(after.messages[0]->flags, 0);
    outgoing_message_free(&letter);
    model_free(&after);
    model_free(&inbox);
}

contract(another_message_under_a_taken_name_is_archived_beside_it)
{
    open_world(*index);
    if (world.format->archiving == ARCHIVE_LOCAL)
        skip_test(close_world, "the mailbox keeps its files");
    struct outgoing_message letter = put_away_and_write_again("Later line");
    struct model both = load(true, true);

    for (size_t i = 0; i < both.count; i++) {
        struct message *message = model_inbox_copy(&both, both.messages[i]);
        if (message && (!message->place->archived || message->flags & MESSAGE_IN_BOTH))
            assert_changed(message, STATUS_ARCHIVED);
    }
    struct model archive = load(false, true), inbox = load(true, false);
    size_t firsts = 0, laters = 0;
    for (size_t i = 0; i < archive.count + archive.double_count; i++) {
        const struct message *m =
            i < archive.count ? archive.messages[i] : archive.doubles[i - archive.count];
        firsts += has_text(m->data->body, "First line");
        laters += has_text(m->data->body, "Later line");
    }
    cr_assert_eq(inbox.count, 0);
    cr_assert(firsts == 1 && laters == 1, "%s: %zu and %zu", world.format->name, firsts, laters);
    outgoing_message_free(&letter);
    model_free(&both);
    model_free(&archive);
    model_free(&inbox);
}
