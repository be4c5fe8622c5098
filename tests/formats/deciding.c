/* Deciding in every layout: the notes, the reasons that stop an answer, and the effects. */
#include "world.h"

#include "mail/handoff/handoff.h"
#include "mail/protocol/decision.h"
#include "store/decide/decide.h"
#include "store/decide/ledger.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LEDGER "state/swarmutt/ledger"
#define HOUR_US (INT64_C(3600) * 1000000)

/* bob's request to alice, as the person saw it. */
static struct asked {
    struct model model;
    struct message *head;
    struct request_snapshots requests;
} asked;

static struct ledger ledger;

static void forget(void)
{
    request_snapshots_free(&asked.requests);
    model_free(&asked.model);
    ledger_free(&ledger);
    asked = (struct asked){0};
    close_world();
}

TestSuite(deciding, .fini = forget, .timeout = 300);

#define deciding(Name) test_every_format(deciding, Name)

static void show(void)
{
    struct err err;

    asked.model = load(true, false);
    asked.head = find_asked(&asked.model);
    cr_assert_not_null(asked.head, "a handoff is not recognised as one; see parse in format.h");
    cr_assert(store_requests(world.store, &asked.head, 1, &asked.requests, &err), "%s", err.text);
    cr_assert_null(asked.requests.items[0].err, "%s", asked.requests.items[0].err->text);
}

static void ask_and_show(size_t format)
{
    open_world(format);
    become("alice");
    ask_alice();
    show();
}

static bool decide_in(struct store *store, bool yes, const char *reason, struct deciding *it,
                      struct err *err)
{
    *it = (struct deciding){.request = asked.head,
                            .sha256 = asked.requests.items[0].sha256,
                            .terms = {.reason = span_of(reason)},
                            .verify = VERIFY_NONE};
    cr_assert(decision_of(asked.head->kind, yes, &it->decision));
    return store_decide(store, it, err);
}

static void expect_sent(bool yes, char name[LEDGER_DECISION + 1])
{
    struct deciding it;
    struct err err;

    cr_assert(decide_in(world.store, yes, "because", &it, &err), "%s", err.text);
    if (name)
        memcpy(name, it.decision_name, LEDGER_DECISION + 1);
    deciding_free(&it);
}

static size_t count_mail(void)
{
    struct model model = load(true, true);
    size_t count = model.count;

    model_free(&model);
    return count;
}

static void expect_stopped(bool yes, const char *says)
{
    size_t before = count_mail();
    struct deciding it;
    struct err err = {0};

    cr_assert_not(decide_in(world.store, yes, "because", &it, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert(strstr(err.text, says), "%s, not: %s", says, err.text);
    cr_assert_not(it.letter.delivered || it.letter.queued);
    deciding_free(&it);
    cr_assert_eq(count_mail(), before);
}

static void read_ledger(void)
{
    struct err err;

    ledger_free(&ledger);
    cr_assert(ledger_read(&ledger, &err), "%s", err.text);
}

static const struct decision_record *record_of(const char *name)
{
    read_ledger();
    for (size_t i = 0; i < ledger.decision_count; i++)
        if (span_is(ledger.decisions[i].whole.decision, name))
            return &ledger.decisions[i];
    return NULL;
}

static void expect_state(const char *name, enum decision_state state, const char *note)
{
    const struct decision_record *record = record_of(name);

    cr_assert_not_null(record, "%s", name);
    cr_assert_eq(record->state, state, "%s: %s", name, decision_state_word(record->state));
    cr_assert(!note || has_text(record->last->note, note), "%s", name);
}

/* Returns a ledger line about this request, as another process would write it. */
static struct ledger_entry line_of(const char *name, enum ledger_event event)
{
    return (struct ledger_entry){
        .event = event,
        .decision = span_of(name),
        .verb = span_of("accept"),
        .kind = span_of("handoff"),
        .format = span_of(world.format->name),
        .root = span_of(store_source(world.store, 0)->path),
        .team = asked.head->place->team,
        .agent = span_of("bob"),
        .request = {.message = asked.head->id, .sha256 = span_of(asked.requests.items[0].sha256)},
        .at_us = time_now() - HOUR_US};
}

static void note(const struct ledger_entry *line)
{
    struct err err;

    cr_assert(ledger_append(line, &err), "%s", err.text);
}

/* --- one answer --- */

deciding(an_answer_is_given_once_and_noted_before_and_after)
{
    char name[LEDGER_DECISION + 1];

    ask_and_show(*index);
    expect_sent(true, name);
    const struct decision_record *record = record_of(name);
    cr_assert_not_null(record);
    cr_assert_eq(record->first->event, LEDGER_INTENT);
    cr_assert_eq(record->first->next->event, LEDGER_DELIVERED);
    assert_span(record->whole.agent, "bob");
    cr_assert(span_eq(record->whole.request.message, asked.head->id));
    size_t before = count_mail();
    struct deciding again;
    struct err err = {0};
    cr_assert_not(decide_in(world.store, false, "no", &again, &err));
    /* an answer that ends the message removes it */
    cr_assert(err.scope == ERR_REFUSED || err.scope == ERR_ABSENT, "%s", err.text);
    cr_assert_not(again.letter.delivered || again.letter.queued, "%s", err.text);
    deciding_free(&again);
    cr_assert_eq(count_mail(), before);
}

deciding(a_store_for_reading_notes_nothing)
{
    char name[LEDGER_DECISION + 1];

    ask_and_show(*index);
    expect_sent(true, name);
    struct str before = tmp_read(&world.tmp, LEDGER);
    struct store *readonly = open_store("alice", true, NULL);
    store_note_effect(readonly, name, span_of("m-1"), "it went on");
    store_settle_decisions(readonly, &asked.model);
    store_close(readonly);
    struct str after = tmp_read(&world.tmp, LEDGER);
    cr_assert(span_eq(str_span(&before), str_span(&after)));
    str_free(&before);
    str_free(&after);
}

deciding(an_effect_is_noted_once_and_for_its_decision_alone)
{
    char name[LEDGER_DECISION + 1];

    ask_and_show(*index);
    expect_sent(true, name);
    struct ledger_entry other = line_of("another", LEDGER_DELIVERED);
    note(&other);
    store_note_effect(world.store, name, span_of("m-1"), "it went on");
    expect_state(name, DECISION_EFFECT, "it went on");
    expect_state("another", DECISION_DELIVERED, NULL);
    store_note_effect(world.store, name, span_of("m-2"), "once more");
    expect_state(name, DECISION_EFFECT, "it went on");
    assert_span(record_of(name)->effect->seen_in, "m-1");
}

/* Makes a handoff with notes of that many two-byte characters; returns its text in the ledger. */
static struct span asked_at_length(size_t format, size_t characters)
{
    struct handoff handoff = {.work_completed = span_of("half of it")};
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    char name[LEDGER_DECISION + 1];
    struct str notes = {0};
    struct err err;

    open_world(format);
    if (world.format->storage == STORAGE_ARRAY)
        skip_test(forget, "a program's request is told in a line");
    become("alice");
    struct outgoing_message letter = make_letter("bob", "alice");
    for (size_t i = 0; i < characters; i++)
        str_puts(&notes, "\xc3\xa9");
    handoff.current_state = str_span(&notes);
    letter.draft.handoff = &handoff;
    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    outgoing_message_free(&letter);
    str_free(&notes);
    show();
    expect_sent(true, name);
    return record_of(name)->whole.request.asked;
}

#define CUT "\n[cut here; the sum is of all of it]"

deciding(the_ledger_keeps_the_start_of_what_is_too_long_to_be_read)
{
    struct span kept = asked_at_length(*index, 17000);

    cr_assert(span_ends(kept, "\xc3\xa9" CUT), "%zu bytes", kept.len);
}

deciding(the_ledger_does_not_say_cut_of_what_is_whole)
{
    struct span kept = asked_at_length(*index, 10000);

    cr_assert_gt(kept.len, 20000);
    cr_assert_not(span_ends(kept, CUT));
}

/* --- earlier decisions --- */

deciding(only_a_decision_on_this_very_request_that_was_sent_stands_in_the_way)
{
    ask_and_show(*index);
    if (world.format->storage == STORAGE_ARRAY)
        skip_test(forget, "the agent's inbox tells what was answered");
    struct ledger_entry intent = line_of("intent", LEDGER_INTENT),
                        lost = line_of("lost", LEDGER_DELIVERED),
                        message = line_of("message", LEDGER_DELIVERED),
                        bytes = line_of("bytes", LEDGER_DELIVERED),
                        root = line_of("root", LEDGER_DELIVERED),
                        team = line_of("team", LEDGER_DELIVERED);
    message.request.message = span_of("another");
    bytes.request.sha256 = span_of("0");
    root.root = span_of("/elsewhere");
    team.team = span_of("elsewhere");
    note(&intent);
    note(&lost);
    lost.event = LEDGER_LOST;
    note(&lost);
    note(&message);
    note(&bytes);
    note(&root);
    note(&team);
    expect_sent(false, NULL);
}

deciding(a_decision_of_which_only_the_second_look_was_noted_stands_in_the_way)
{
    ask_and_show(*index);
    if (world.format->storage == STORAGE_ARRAY)
        skip_test(forget, "the agent's inbox tells what was answered");
    struct ledger_entry line = line_of("ours", LEDGER_INTENT);
    note(&line);
    line.event = LEDGER_VERIFIED; /* the disk was full in between */
    note(&line);
    expect_stopped(false, "it was answered already, from here: accept; nothing was sent");
}

/* --- interrupted --- */

deciding(an_interrupted_decision_was_sent_if_its_answer_was)
{
    ask_and_show(*index);
    struct outgoing_message letter = make_letter("alice", "carol");
    send_letter(&letter);
    struct ledger_entry sent = line_of("sent", LEDGER_INTENT),
                        elsewhere = line_of("elsewhere", LEDGER_INTENT),
                        never = line_of("never", LEDGER_INTENT),
                        running = line_of("running", LEDGER_INTENT);
    sent.answer.message = elsewhere.answer.message = str_span(&letter.id);
    elsewhere.root = span_of("/elsewhere");
    never.answer.message = span_of("never");
    running.answer.message = span_of("running");
    running.at_us = 0; /* by this process, just now */
    note(&sent);
    note(&elsewhere);
    note(&never);
    note(&running);
    store_settle_decisions(world.store, NULL);
    expect_state("sent", DECISION_DELIVERED, "found to be sent after an interruption");
    expect_state("elsewhere", DECISION_FAILED, "interrupted before anything was written");
    expect_state("never", DECISION_FAILED, "interrupted before anything was written");
    expect_state("running", DECISION_UNKNOWN, NULL);
    outgoing_message_free(&letter);
}

/* Writes a line of a later version, which may leave out members that this one needs. */
static void note_newer(const char *line)
{
    int fd = openat(world.tmp.fd, LEDGER, O_WRONLY | O_APPEND | O_CLOEXEC);

    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
    close(fd);
}

deciding(a_decision_without_a_time_is_neither_over_nor_confirmed)
{
    ask_and_show(*index);
    struct ledger_entry first = line_of("first", LEDGER_INTENT);
    struct str line = {0};
    note(&first);
    str_puts(&line, "{\"v\":2,\"event\":\"intent\",\"decision\":\"newer\"}\n");
    str_addf(&line,
             "{\"v\":2,\"event\":\"delivered\",\"decision\":\"timeless\",\"format\":\"%s\","
             "\"source\":\"%s\",\"team\":\"%.*s\",\"agent\":\"bob\"}\n",
             world.format->name, store_source(world.store, 0)->path,
             (int)asked.head->place->team.len, asked.head->place->team.at);
    note_newer(str_c(&line));
    str_free(&line);
    store_settle_decisions(world.store, &asked.model);
    expect_state("first", DECISION_FAILED, NULL);
    expect_state("newer", DECISION_UNKNOWN, NULL);
    expect_state("timeless", DECISION_DELIVERED, NULL);
}

/* --- effects --- */

/* Writes a message from bob to alice that is `ago_us` old. */
static void write_ago(int64_t ago_us)
{
    struct outgoing_message letter = make_letter("bob", "alice");
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct err err;

    letter.draft.created_us = (time_now() - ago_us) / 1000000 * 1000000;
    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    outgoing_message_free(&letter);
}

deciding(what_an_agent_writes_first_confirms_what_was_sent_before)
{
    open_world(*index);
    if (world.format->storage == STORAGE_SLOT)
        skip_test(forget, "a box holds one message");
    become("alice");
    ask_alice();
    write_ago(HOUR_US / 4);
    write_ago(HOUR_US / 2);
    write_ago(HOUR_US / 3);
    show();
    struct ledger_entry sent = line_of("sent", LEDGER_DELIVERED),
                        lost = line_of("lost", LEDGER_DELIVERED),
                        old = line_of("old", LEDGER_DELIVERED),
                        elsewhere = line_of("elsewhere", LEDGER_DELIVERED);
    note(&sent);
    note(&lost);
    lost.event = LEDGER_LOST;
    note(&lost);
    old.at_us -= 8 * 24 * HOUR_US;
    note(&old);
    elsewhere.root = span_of("/elsewhere");
    note(&elsewhere);
    store_settle_decisions(world.store, &asked.model);
    expect_state("sent", DECISION_EFFECT, "the agent has written since");
    expect_state("lost", DECISION_LOST, NULL);
    expect_state("old", DECISION_DELIVERED, NULL);
    expect_state("elsewhere", DECISION_DELIVERED, NULL);
    const struct message *first = NULL;
    for (size_t i = 0; i < asked.model.count; i++) {
        const struct message *message = asked.model.messages[i];
        if (message->created_us >= sent.at_us &&
            (!first || message->created_us < first->created_us))
            first = message;
    }
    cr_assert(span_eq(record_of("sent")->effect->seen_in, first->id));
    struct str before = tmp_read(&world.tmp, LEDGER);
    store_settle_decisions(world.store, &asked.model);
    struct str after = tmp_read(&world.tmp, LEDGER);
    cr_assert(span_eq(str_span(&before), str_span(&after)), "it is noted once");
    str_free(&before);
    str_free(&after);
}

/* --- the same bytes --- */

deciding(a_file_is_untouched_while_nothing_about_it_differs)
{
    ask_and_show(*index);
    const struct source *source = store_source(world.store, 0);
    struct request_snapshot request = asked.requests.items[0], other;

    request.settled = false;
    cr_assert_not(request_is_untouched(source, &request), "another change would not show");
    request.settled = true;
    cr_assert(request_is_untouched(source, &request));
    other = request;
    other.file.dev++;
    cr_assert_not(request_is_untouched(source, &other));
    other = request;
    other.file.ino++;
    cr_assert_not(request_is_untouched(source, &other));
    other = request;
    other.file.size++;
    cr_assert_not(request_is_untouched(source, &other));
    other = request;
    other.file.ctime_ns++;
    cr_assert_not(request_is_untouched(source, &other));
}

deciding(what_was_put_away_is_decided_on_where_its_file_is_still_there)
{
    ask_and_show(*index);
    struct changed outcome = change(world.store, asked.head, STATUS_ARCHIVED);
    struct request_snapshots again = {0};
    struct err err;

    cr_assert(outcome.ok, "%s", outcome.err.text);
    struct model archive = load(false, true);
    struct message *head = find_asked(&archive);
    cr_assert_not_null(head);
    struct message *twice[] = {head, head};
    cr_assert(store_requests(world.store, twice, 2, &again, &err), "%s", err.text);
    for (size_t i = 0; i < 2; i++) {
        if (head->place->local)
            cr_assert(strstr(again.items[i].err->text, "it is not there any more"));
        else
            cr_assert_str_eq(again.items[i].sha256, asked.requests.items[0].sha256);
    }
    request_snapshots_free(&again);
    model_free(&archive);
}

#define ENTRY(Command)                                                                             \
    "{\"from\":\"bob\",\"text\":\"{\\\"type\\\":\\\"permission_request\\\",\\\"request_id\\\":"    \
    "\\\"perm-1\\\",\\\"agent_id\\\":\\\"bob\\\",\\\"tool_name\\\":\\\"Bash\\\","                  \
    "\\\"tool_use_id\\\":\\\"t\\\",\\\"description\\\":\\\"d\\\",\\\"input\\\":{\\\"command\\\":"  \
    "\\\"" Command "\\\"},\\\"permission_suggestions\\\":[]}\",\"timestamp\":\"2026-02-12T14:00:"  \
    "00.000Z\",\"read\":false}"

deciding(the_same_request_twice_is_one_and_another_of_its_name_is_not)
{
    open_world(*index);
    if (world.format->storage != STORAGE_ARRAY)
        skip_test(forget, "requests of programs lie in one file");
    become("alice");
    char path[300];
    snprintf(path, sizeof path, "%s/teams/dev/inboxes/alice.json", world.inside);
    tmp_write(&world.tmp, path, span_of("[" ENTRY("ls") "," ENTRY("ls") "]"));
    show();
    cr_assert_null(asked.requests.items[0].refusal.at, "%s", asked.requests.items[0].refusal.at);
    request_snapshots_free(&asked.requests);
    model_free(&asked.model);
    asked = (struct asked){0};
    tmp_write(&world.tmp, path, span_of("[" ENTRY("ls") "," ENTRY("rm x") "]"));
    show();
    cr_assert(has_text(asked.requests.items[0].refusal, "stands for another request"));
}
