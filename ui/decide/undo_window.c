/* The undo window: delays, undoes and sends decisions. */
#include "ui/decide/undo_window.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "store/decide/decide.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* Reactions: decisions that were sent and that the agent has not reacted to yet. */

/* A decision that was sent, until the agent reacts. */
struct unconfirmed {
    struct ui_task task; /* notes the reaction in the ledger */
    struct arena arena;
    char decision[37];
    struct decision_sent sent;
    struct span label, message;
    struct str note; /* evidence that the message gives */
    uint32_t source;
    struct unconfirmed *next;
};

static void note_work(struct ui_task *task, struct store *store)
{
    struct unconfirmed *one = (struct unconfirmed *)task;

    store_note_effect(store, one->decision, one->message, str_c(&one->note));
}

static void unconfirmed_free(struct ui_task *task)
{
    struct unconfirmed *one = (struct unconfirmed *)task;

    str_free(&one->note);
    arena_free(&one->arena);
    free(one);
}

/* Waits for the agent to react to a decision that was sent. `label` is the name of the decision for
 * the person. */
static void reaction_await(struct ui *ui, const struct deciding *it, struct span label)
{
    const struct message *request = it->request;
    struct unconfirmed *one = mem_zero(1, sizeof *one);

    one->task = (struct ui_task){.work = note_work, .free = unconfirmed_free};
    memcpy(one->decision, it->decision_name, sizeof one->decision);
    one->sent = (struct decision_sent){
        .agent = arena_copy(&one->arena, request->from),
        .team = arena_copy(&one->arena, request->place->team),
        .answer = arena_copy(&one->arena, str_span(&it->letter.id)),
        .request = it->native ? arena_copy(&one->arena, request->thread) : (struct span){0},
        .sent_us = it->letter.draft.created_us};
    one->label = arena_copy(&one->arena, label);
    one->source = request->place->source;
    one->next = ui->unconfirmed;
    ui->unconfirmed = one;
}

/* False if the mailbox shows that the answer is still unread. */
static bool is_noticed(const struct ui *ui, const struct unconfirmed *one)
{
    const struct model *model = &ui->picture->model;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source == one->source && span_eq(message->id, one->sent.answer))
            return message->status != STATUS_UNREAD;
    }
    return true;
}

static bool is_reaction(const struct ui *ui, struct unconfirmed *one, const struct message *message)
{
    if (one->source != message->place->source || !span_eq(one->sent.agent, message->from))
        return false;
    one->sent.now_us = time_now();
    one->sent.noticed = is_noticed(ui, one);
    return decision_is_reaction(message, &one->sent);
}

void reaction_seen(struct ui *ui, const struct message *message)
{
    for (struct unconfirmed **link = &ui->unconfirmed, *one; (one = *link);) {
        if (!is_reaction(ui, one, message)) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        one->message = arena_copy(&one->arena, message->id);
        decision_add_reaction(&one->note, message, &one->sent);
        ui_info(ui, STYLE_PLAIN, "confirmed, your %.*s: %s", (int)one->label.len, one->label.at,
                str_c(&one->note));
        ui_begin(ui, UI_WRITE, &one->task);
    }
}

void reactions_free(struct ui *ui)
{
    while (ui->unconfirmed) {
        struct unconfirmed *one = ui->unconfirmed;
        ui->unconfirmed = one->next;
        unconfirmed_free(&one->task);
    }
}

struct delayed_decision {
    struct ui_task task;
    struct ui *ui;
    struct arena arena;
    struct message head;
    struct deciding it;
    struct span key;   /* of the request in the snapshot */
    struct span label; /* for example: grant Bash: rm -rf build/ to tester-2 */
    int64_t due_us;    /* by the steady clock */
    bool sending;
    bool told;                     /* true if the outcome was reported */
    struct delayed_decision *next; /* the decision made before it */
};

static void held_free(struct delayed_decision *held)
{
    struct delayed_decision **link = &held->ui->held;

    while (*link && *link != held)
        link = &(*link)->next;
    if (*link)
        *link = held->next;
    deciding_free(&held->it);
    arena_free(&held->arena);
    free(held);
}

/* --- sending --- */

static void held_task_work(struct ui_task *task, struct store *store)
{
    struct delayed_decision *held = (struct delayed_decision *)task;

    struct message *head = &held->head;
    struct err ignored; /* the decision counts, even if the request still looks unread */

    held->task.ok = store_decide(store, &held->it, &held->task.err);
    if (held->task.ok)
        store_mark_seen(store, &head, 1, &ignored);
}

/* Returns the start of a failure message: the answer may have been delivered in spite of it. */
static const char *outcome_of(const struct delayed_decision *held)
{
    return held->it.letter.delivered ? "SENT, but" : "NOT DECIDED";
}

static void held_task_done(struct ui_task *task, struct ui *ui)
{
    struct delayed_decision *held = (struct delayed_decision *)task;

    held->told = true;
    ui->decided++;
    ui->stale = true; /* earlier decisions are shown with the next request */
    if (held->task.ok) {
        if (!key_set_has(&ui->answered, held->key))
            key_set_toggle(&ui->answered, held->key);
        ui_info(ui, STYLE_PLAIN, "sent, unconfirmed until the agent reacts: %.*s%s%s",
                (int)held->label.len, held->label.at, held->it.note.len ? "; " : "",
                str_c(&held->it.note));
        undo_stack_end(&ui->journal, held->label);
        hooks_sent(ui, held->head.place->source, &held->it.letter, (struct span){0}, true);
        reaction_await(ui, &held->it, held->label);
    } else {
        ui->leaving_sent = false; /* a person who leaves must see the failure first */
        err_at(&held->task.err, outcome_of(held));
        ui_error(ui, &held->task.err);
    }
    ui_touch(ui);
}

/* Reports a failure on the terminal when the program ends by a signal, since no screen is left. */
static void task_free(struct ui_task *task)
{
    struct delayed_decision *held = (struct delayed_decision *)task;

    if (held->sending && !held->told && !held->task.ok) {
        str_addf(&held->ui->parting, "swarmutt: %s: ", outcome_of(held));
        sanitize_add(&held->ui->parting, held->label, SANITIZE_LINE | held->ui->grid.clean);
        str_addf(&held->ui->parting, ": %s\n",
                 held->task.err.scope ? held->task.err.text : "it could not be sent any more");
    }
    held_free(held);
}

static void send_held(struct ui *ui, struct delayed_decision *held)
{
    held->sending = true;
    ui_begin(ui, UI_WRITE, &held->task);
}

/* --- holding --- */

static struct span keep_decision(struct arena *arena, struct span text)
{
    return text.at ? arena_copy(arena, text) : text;
}

static void keep_terms(struct delayed_decision *held, const struct decision_terms *terms)
{
    struct decision_terms *copy = &held->it.terms;
    unsigned *numbers = arena_alloc(&held->arena, (terms->suggested_count + 1) * sizeof *numbers);

    *copy = *terms;
    copy->reason = keep_decision(&held->arena, terms->reason);
    copy->mode = keep_decision(&held->arena, terms->mode);
    copy->input = keep_decision(&held->arena, terms->input);
    copy->pattern = keep_decision(&held->arena, terms->pattern);
    for (size_t i = 0; i < terms->suggested_count; i++)
        numbers[i] = terms->suggested[i];
    copy->suggested = numbers;
}

static void add_label(struct str *out, const struct undo_window_entry *verdict)
{
    struct decision_terms terms = verdict->terms;
    CLEANUP(str_free) struct str words = {0};

    terms.reason = (struct span){0};
    if (verdict->decision != DECISION_APPROVE || terms.mode.at)
        decision_add_terms(&words, verdict->decision, &terms);
    str_addf(out, "%s ", decisions[verdict->decision].name);
    str_add_span(out, verdict->asked);
    str_puts(out, " of ");
    str_add_span(out, verdict->request->from);
    if (words.len)
        str_addf(out, ", %s", str_c(&words));
}

void undo_window_add(struct ui *ui, const struct undo_window_entry *verdict)
{
    struct delayed_decision *held = mem_zero(1, sizeof *held);
    CLEANUP(str_free) struct str text = {0};

    held->task =
        (struct ui_task){.work = held_task_work, .done = held_task_done, .free = task_free};
    held->ui = ui;
    message_keep(&held->head, verdict->request, &held->arena);
    held->it = (struct deciding){.request = &held->head,
                                 .decision = verdict->decision,
                                 .sha256 = arena_strdup(&held->arena, verdict->sha256),
                                 .verify = VERIFY_FIRST,
                                 .letter = {.draft = draft_new()}};
    keep_terms(held, &verdict->terms);
    picture_add_key(&text, verdict->request);
    held->key = arena_copy(&held->arena, str_span(&text));
    str_clear(&text);
    add_label(&text, verdict);
    held->label = arena_copy(&held->arena, str_span(&text));
    held->due_us = time_steady() + ui_config(ui)->hold_us;
    held->next = ui->held;
    ui->held = held;
    ui->deaf_us = time_steady() + UNDO_WINDOW_DEAF_US;
    ui_info(ui, STYLE_WARNING, "held: %.*s; u takes it back", (int)held->label.len, held->label.at);
    ui_touch(ui);
}

bool undo_window_undo(struct ui *ui)
{
    struct delayed_decision *held = ui->held;

    while (held && held->sending)
        held = held->next;
    if (!held)
        return false;
    ui_info(ui, STYLE_PLAIN, "taken back, nothing was sent: %.*s", (int)held->label.len,
            held->label.at);
    held_free(held);
    return true;
}

size_t undo_window_count(const struct ui *ui)
{
    size_t count = 0;

    for (const struct delayed_decision *held = ui->held; held; held = held->next)
        count++;
    return count;
}

bool undo_window_has(const struct ui *ui, struct span key)
{
    for (const struct delayed_decision *held = ui->held; held; held = held->next)
        if (span_eq(held->key, key))
            return true;
    return false;
}

static const struct delayed_decision *next_held(const struct ui *ui)
{
    const struct delayed_decision *next = NULL;

    for (const struct delayed_decision *held = ui->held; held; held = held->next)
        if (!held->sending && (!next || held->due_us < next->due_us))
            next = held;
    return next;
}

int64_t undo_window_next(const struct ui *ui, struct str *label)
{
    const struct delayed_decision *next = next_held(ui);

    if (!next)
        return -1;
    str_add_span(label, next->label);
    return (time_left(next->due_us) + 999999) / 1000000;
}

int64_t undo_window_due_us(const struct ui *ui)
{
    enum { TICK_US = 1000000 };
    const struct delayed_decision *next = next_held(ui);

    if (!next)
        return TIME_NONE;
    int64_t left_us = time_left(next->due_us);
    return left_us < TICK_US ? left_us : TICK_US; /* for the countdown */
}

void undo_window_work(struct ui *ui)
{
    int64_t now_us = time_steady();
    struct delayed_decision *held = ui->held;

    while (held) {
        struct delayed_decision *next = held->next;
        if (!held->sending && held->due_us <= now_us)
            send_held(ui, held);
        held = next;
    }
}

void undo_window_send_all(struct ui *ui)
{
    for (struct delayed_decision *held = ui->held; held; held = held->next)
        held->due_us = 0;
    undo_window_work(ui);
}

void undo_window_free(struct ui *ui)
{
    struct delayed_decision *held = ui->held;

    while (held) {
        struct delayed_decision *next = held->next;
        if (!held->sending) /* the others are freed as tasks */
            held_free(held);
        held = next;
    }
}
