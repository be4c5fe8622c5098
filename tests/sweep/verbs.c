/* Sweeps the verbs of the store. */
#include "sweep.h"

#include "mail/handoff/handoff.h"
#include "store/config/config.h"
#include "store/decide/decide.h"
#include "store/doctor/doctor.h"
#include "store/source/agent_directory.h"
#include "store/store_local.h"

#include <unistd.h>

static bool list_all(struct store *store, struct err *err)
{
    struct model model = {0};
    struct batch batch = {0};
    struct str bytes = {0};
    const struct message *head = first_of_alice(store, &model, err);
    bool ok = head && store_fetch(store, head, &batch, err) && store_raw(store, head, &bytes, err);

    batch_free(&batch);
    model_free(&model);
    str_free(&bytes);
    return ok;
}

sweeping(reading_mail)
{
    sweep(*index, &(struct swept){.run = list_all});
}

static bool visit_all(struct store *store, struct err *err)
{
    struct agent_directory agents = {0};
    struct config config = {0};
    struct delivery_notes notes = {0};
    struct doctor doctor = {0};
    struct outbox outbox = {0};
    bool ok = store_agents(store, &config, &agents, err) && store_sent(store, &notes, err) &&
              store_outbox(store, &outbox, err);

    store_doctor(store, time_now(), &doctor);

    agent_directory_free(&agents);
    delivery_notes_free(&notes);
    outbox_free(&outbox);
    doctor_free(&doctor);
    return ok;
}

sweeping(looking_around)
{
    sweep(*index, &(struct swept){.run = visit_all});
}

static bool send_one(struct store *store, struct err *err)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct outgoing_message letter = make_letter("alice", "dave");
    bool ok = store_send(store, &letter, &options, err);

    outgoing_message_free(&letter);
    return ok;
}

sweeping(sending)
{
    sweep(*index, &(struct swept){.run = send_one});
}

sweeping(sending_beside_others)
{
    sweep_beside_others(*index, &(struct swept){.run = send_one});
}

static bool send_to_all(struct store *store, struct err *err)
{
    struct outgoing_message letter = make_letter("alice", "");
    struct span_list nobody = {0};
    struct broadcast result = {0};
    bool ok =
        store_broadcast(store, &letter.draft, (struct span){0}, &nobody, VERIFY_NONE, &result, err);

    broadcast_free(&result);
    outgoing_message_free(&letter);
    return ok;
}

sweeping(sending_to_all)
{
    sweep(*index, &(struct swept){.run = send_to_all});
}

sweeping(sending_to_all_beside_others)
{
    sweep_beside_others(*index, &(struct swept){.run = send_to_all});
}

static bool put_outcome(const struct changed *outcome, struct err *err)
{
    if (!outcome->ok)
        *err = outcome->err;
    return outcome->ok;
}

/* Marks as read, archives, and undoes both. */
static bool change_and_take_back(struct store *store, struct err *err)
{
    static const enum status way[] = {STATUS_READ, STATUS_PROCESSING, STATUS_ARCHIVED};
    struct model model = {0};
    struct message *message = first_of_alice(store, &model, err);
    bool ok = message != NULL;

    for (size_t i = 0; ok && i < sizeof way / sizeof *way; i++) {
        struct change_records records = {0};
        struct changed outcome, back;
        store_change_recorded(store, &message, 1, way[i], (struct span){0}, &outcome, &records);
        ok = put_outcome(&outcome, err);
        if (ok && records.count) {
            store_undo_change(store, &records, &back);
            ok = back.ok || back.err.scope == ERR_REFUSED || put_outcome(&back, err);
        }
        change_records_free(&records);
    }
    model_free(&model);
    return ok;
}

sweeping(changing_and_taking_back)
{
    sweep(*index, &(struct swept){.run = change_and_take_back});
}

sweeping(changing_and_taking_back_beside_others)
{
    sweep_beside_others(*index, &(struct swept){.run = change_and_take_back});
}

void archive_first(void)
{
    struct model model = {0};
    struct err err;
    struct message *message = first_of_alice(world.store, &model, &err);
    struct changed outcome;

    store_change(world.store, &message, 1, STATUS_ARCHIVED, (struct span){0}, &outcome);
    cr_assert(outcome.ok, "%s", outcome.err.text);
    model_free(&model);
}

static bool bring_back(struct store *store, struct err *err)
{
    struct load archive = {.archive = true};
    struct model model = {0};
    struct changed outcome = {.ok = true};
    bool ok = store_load(store, &archive, &model, err);

    if (ok && model.count)
        store_restore(store, model.messages, 1, &outcome);
    ok = ok && (outcome.err.scope == ERR_REFUSED || put_outcome(&outcome, err));
    model_free(&model);
    return ok;
}

sweeping(bringing_back)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = bring_back});
}

/* Reads every message again, starting from its head. */
static bool read_again(struct store *store, struct err *err)
{
    struct load all = {.inbox = true, .archive = true};
    struct model model = {0};
    bool ok = store_load(store, &all, &model, err);

    for (size_t i = 0; ok && i < model.count; i++) {
        struct batch batch = {0};
        struct str bytes = {0};
        ok = !model.messages[i]->damaged || err_set(err, ERR_MESSAGE, "one was damaged");
        ok = ok && store_fetch(store, model.messages[i], &batch, err) &&
             store_raw(store, model.messages[i], &bytes, err);
        cr_assert(!ok || bytes.len, "there are no bytes, and no sentence");
        batch_free(&batch);
        str_free(&bytes);
    }
    model_free(&model);
    return ok;
}

sweeping(reading_what_was_put_away)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = read_again});
}

sweeping(bringing_back_beside_others)
{
    sweep_beside_others(*index, &(struct swept){.prepare = archive_first, .run = bring_back});
}

static bool sanitize_up(struct store *store, struct err *err)
{
    struct cleaning cleaning = {.older_us = 0};
    struct cleaned cleaned;
    bool ok = store_cleanup(store, 0, &cleaning, (struct span){0}, &cleaned, err);

    if (ok && cleaned.failed)
        *err = cleaned.err;
    return ok && !cleaned.failed;
}

sweeping(cleaning_up)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = sanitize_up, .removes = true});
}

/* Removes the roster of the team. */
static void disband(void)
{
    cr_assert_eq(unlinkat(world.tmp.fd, "project/teams/dev/config.json", 0), 0);
}

static bool clear_inbox(struct store *store, struct err *err)
{
    struct cleaning count = {.dry_run = true}, now = {0};
    struct cleaned cleaned;

    return store_cleanup(store, 0, &count, span_of("alice@dev"), &cleaned, err) &&
           store_cleanup(store, 0, &now, span_of("alice@dev"), &cleaned, err);
}

static const struct swept clearing = {.prepare = disband, .run = clear_inbox};

/* Only files that many messages share are emptied. */
sweeping(clearing)
{
    if (formats[*index]->storage == STORAGE_ARRAY)
        sweep(*index, &clearing);
}

sweeping(clearing_beside_others)
{
    if (formats[*index]->storage == STORAGE_ARRAY)
        sweep_beside_others(*index, &clearing);
}

/* --- local copies --- */

static void save_draft(void)
{
    struct saved_draft draft = {.form = span_of("new"),
                                .to = span_of("bob"),
                                .subject = span_of("s"),
                                .fields = span_of("{}"),
                                .updated_us = 1};
    struct draft_saved saved;
    struct err err;

    cr_assert(store_save_draft(world.store, &draft, &saved, &err), "%s", err.text);
    cr_assert(store_release_draft(world.store, span_of(saved.id), &err), "%s", err.text);
}

static bool work_on_drafts(struct store *store, struct err *err)
{
    struct saved_drafts all = {0}, one = {0}, claimed = {0};
    struct draft_saved saved;
    bool ok = store_drafts(store, &all, err) &&
              (all.count || err_set(err, ERR_ABSENT, "it is gone")) &&
              store_draft(store, all.items[0].id, &one, err) &&
              store_claim_draft(store, all.items[0].id, &claimed, err);

    if (ok) {
        claimed.items[0].subject = span_of("another");
        ok = store_save_draft(store, &claimed.items[0], &saved, err) &&
             store_drop_draft(store, span_of(saved.id), saved.version, err);
    }
    saved_drafts_free(&all);
    saved_drafts_free(&one);
    saved_drafts_free(&claimed);
    return ok;
}

sweeping(working_on_drafts)
{
    sweep(*index, &(struct swept){.prepare = save_draft, .run = work_on_drafts});
}

static bool put_aside(struct store *store, struct err *err)
{
    struct model model = {0};
    struct snoozes snoozes = {0};
    struct str kept = {0};
    struct message *message = first_of_alice(store, &model, err);
    bool ok = message != NULL;

    if (ok) {
        struct snooze snooze = snooze_of(store_source(store, 0), message, EXPIRES_US);
        ok = store_snooze(store, &snooze, 1, 0, err) && store_snoozes(store, 0, &snoozes, err) &&
             store_keep(store, span_of("line"), span_of("text"), err) &&
             store_kept(store, span_of("line"), &kept, err) &&
             store_mark_seen(store, &message, 1, err);
    }
    snoozes_free(&snoozes);
    model_free(&model);
    str_free(&kept);
    return ok;
}

sweeping(putting_aside)
{
    sweep(*index, &(struct swept){.run = put_aside});
}
