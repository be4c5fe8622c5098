/* The contract of all layouts: several messages at once, and changes since they were read. */
#include "world.h"

#include <fcntl.h>
#include <unistd.h>

static struct changed record(struct message *message, enum status status,
                             struct change_records *records)
{
    struct changed outcome;

    store_change_recorded(world.store, &message, 1, status, (struct span){0}, &outcome, records);
    return outcome;
}

/* Returns the only message, from carol to alice; opens the store as alice. */
static struct message *get_letter(size_t index, struct model *model, const char *from)
{
    open_world(index);
    struct outgoing_message letter = make_letter(from, "alice");
    send_letter(&letter);
    outgoing_message_free(&letter);
    become("alice");
    *model = load(true, false);
    cr_assert_eq(model->count, 1);
    return model->messages[0];
}

static void assert_not_taken_back(struct change_records *records, const char *why)
{
    struct changed back;

    store_undo_change(world.store, records, &back);
    cr_assert(!back.ok && back.err.scope == ERR_REFUSED, "%s", back.err.text);
    cr_assert(strstr(back.err.text, why), "%s", back.err.text);
}

contract(what_was_marked_otherwise_since_is_not_taken_back)
{
    struct model model;
    struct change_records records = {0};
    struct message *message = get_letter(*index, &model, "carol");
    struct changed outcome = record(message, STATUS_PROCESSING, &records);

    if (outcome.ok && outcome.local) {
        struct store *another = open_store("alice", false, NULL);
        struct model seen = load_in(another, true, false);
        cr_assert(change(another, seen.messages[0], STATUS_COMPLETED).ok);
        model_free(&seen);
        store_close(another);
        assert_not_taken_back(&records, "was marked as completed here since");
    }
    change_records_free(&records);
    model_free(&model);
}

contract(what_was_taken_back_is_not_taken_back_again)
{
    struct model model;
    struct change_records records = {0};
    struct changed back;
    struct message *message = get_letter(*index, &model, "carol");
    struct changed outcome = record(message, STATUS_PROCESSING, &records);

    if (outcome.ok && outcome.local) {
        store_undo_change(world.store, &records, &back);
        cr_assert(back.ok, "%s", back.err.text);
        assert_not_taken_back(&records, "was taken back here since");
    }
    change_records_free(&records);
    model_free(&model);
}

contract(what_was_brought_back_since_is_not_brought_back_again)
{
    struct model model;
    struct changed outcome;
    struct message *message = get_letter(*index, &model, "carol");

    cr_assert(change(world.store, message, STATUS_ARCHIVED).ok);
    struct model archive = load(false, true);
    cr_assert_eq(archive.count, 1);
    store_restore(world.store, archive.messages, 1, &outcome);
    cr_assert(outcome.ok, "%s", outcome.err.text);
    store_restore(world.store, archive.messages, 1, &outcome);
    cr_assert(!outcome.ok && outcome.err.text[0]);
    struct model inbox = load(true, false);
    cr_assert_eq(inbox.count, 1, "and it is there once");
    model_free(&inbox);
    model_free(&archive);
    model_free(&model);
}

contract(what_somebody_else_put_away_is_theirs_to_bring_back)
{
    struct model model;
    struct changed outcome;
    struct message *message = get_letter(*index, &model, "carol");

    cr_assert(change(world.store, message, STATUS_ARCHIVED).ok);
    become("dave");
    struct model archive = load(false, true);
    for (size_t i = 0; i < archive.count; i++) {
        store_restore(world.store, &archive.messages[i], 1, &outcome);
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
        cr_assert(strstr(outcome.err.text, "--as alice"), "%s", outcome.err.text);
    }
    model_free(&archive);
    model_free(&model);
}

/* Returns two messages in one team and one in another, all to alice. */
static struct model get_letters_of_two_teams(void)
{
    const char *const to[] = {"alice@dev", "alice@ops", "alice@dev"};

    enlist("ops", "alice bob carol");
    for (size_t i = 0; i < 3; i++) {
        struct outgoing_message letter = make_letter("carol", to[i]);
        send_letter(&letter);
        outgoing_message_free(&letter);
    }
    become("alice");
    struct model model = load(true, false);
    cr_assert_eq(model.count, 3);
    return model;
}

contract(messages_of_several_files_are_changed_together)
{
    static const enum status way[] = {STATUS_READ, STATUS_ARCHIVED};
    struct changed outcomes[3];

    open_world(*index);
    if (world.teams) {
        struct model model = get_letters_of_two_teams();
        for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
            store_change(world.store, model.messages, 3, way[i], (struct span){0}, outcomes);
            for (size_t k = 0; k < 3; k++)
                cr_assert(outcomes[k].ok, "%s: %s", status_name(way[i]), outcomes[k].err.text);
            model_free(&model);
            model = load(way[i] == STATUS_READ, true);
            cr_assert_eq(model.count, 3);
        }
        model_free(&model);
    }
}

contract(a_file_that_is_gone_fails_alone)
{
    struct changed outcomes[3];
    char path[600];
    size_t gone = 0;

    open_world(*index);
    if (world.teams) {
        struct model model = get_letters_of_two_teams();
        while (!span_is(model.messages[gone]->place->team, "ops"))
            gone++;
        path_of(model.messages[gone], path, sizeof path);
        cr_assert_eq(unlinkat(world.tmp.fd, path, 0), 0);
        store_change(world.store, model.messages, 3, STATUS_READ, (struct span){0}, outcomes);
        for (size_t i = 0; i < 3; i++)
            cr_assert_eq(outcomes[i].ok, i != gone, "%zu: %s", i, outcomes[i].err.text);
        cr_assert_str_not_empty(outcomes[gone].err.text);
        model_free(&model);
    }
}

contract(what_is_done_goes_by_its_age_when_one_is_asked_for)
{
    const struct cleaning young = {.older_us = INT64_C(1000000) * 86400 * 365 * 50};
    const struct cleaning old = {.older_us = INT64_C(1000000) * 86400};
    struct model model;
    struct cleaned cleaned;
    struct err err;

    get_letter(*index, &model, "carol");
    if (world.format->cleaning == CLEANING_DONE) {
        static const enum status way[] = {STATUS_READ, STATUS_PROCESSING, STATUS_COMPLETED};
        for (size_t i = 0; i < 3; i++) {
            struct model now = load(true, false);
            cr_assert(change(world.store, now.messages[0], way[i]).ok);
            model_free(&now);
        }
        cr_assert(store_cleanup(world.store, 0, &young, (struct span){0}, &cleaned, &err));
        cr_assert_eq(cleaned.count + cleaned.failed, 0);
        cr_assert(store_cleanup(world.store, 0, &old, (struct span){0}, &cleaned, &err));
        cr_assert_eq(cleaned.count, 1, "%s", cleaned.err.text);
        struct model left = load(true, false);
        cr_assert_eq(left.count, 0);
        model_free(&left);
    }
    model_free(&model);
}

contract(who_failed_says_why_and_a_sender_without_a_box_cannot_be_told)
{
    struct model model;
    struct changed outcome;
    struct message *message = get_letter(*index, &model, "stranger");

    struct str before = picture();
    store_change(world.store, &message, 1, STATUS_FAILED, span_of("out of paper"), &outcome);
    if (outcome.ok) {
        str_free(&before);
    } else {
        cr_assert(strstr(outcome.err.text, "stranger") || outcome.err.scope == ERR_REFUSED, "%s",
                  outcome.err.text);
        assert_untouched(&before, "failing");
    }
    model_free(&model);
}
