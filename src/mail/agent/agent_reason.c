/* Agents: the sentences that explain a state, for a lead who decides to nudge, hand off or wait. */
#include "mail/agent/agent_reason.h"

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time.h"
#include "mail/agent/agent.h"
#include "mail/thread/request.h"

#include <stdlib.h>

/* Sentences with ages in them that are updated while the sentence is shown. */

void relative_time_add_age(struct str *out, int64_t since_us, bool ago, int64_t now_us)
{
    size_t start = out->len;

    if (since_us == TIME_NONE)
        str_puts(out, "unknown");
    else
        time_add_age(out, now_us - since_us);
    if (ago && strcmp(out->at + start, "now") != 0)
        str_puts(out, " ago");
}

void relative_time_add(struct str *out, struct span sentence, const struct aging *aging,
                       int64_t now_us)
{
    size_t done = 0;

    for (size_t i = 0; aging && i < aging->count; i++) {
        const struct aged *age = &aging->items[i];
        str_add(out, sentence.at + done, age->at - done);
        relative_time_add_age(out, age->since_us, age->ago, now_us);
        done = age->at + age->len;
    }
    if (done < sentence.len)
        str_add(out, sentence.at + done, sentence.len - done);
}

/* Parts of sentences. All append to writing->out. Text of others is appended raw, but on one line
 * and cut at a character boundary. */

/* Maximum number of characters of quoted text and of names. */
enum { PHRASE_QUOTE = 48, PHRASE_NAME = 40 };

struct writing {
    const struct gathering *g;
    struct str *out;
    struct aged *ages; /* the ages in the sentence */
    size_t age_count, age_cap;
};

static inline const struct message *message_at(const struct writing *w, uint32_t index)
{
    return fact_message(w->g, index);
}

/* Parts of sentences: ages, quotes, ids, requests. */

static void add_age(struct writing *w, int64_t since_us, bool ago)
{
    struct aged age = {.at = (uint32_t)w->out->len, .since_us = since_us, .ago = ago};

    relative_time_add_age(w->out, since_us, ago, w->g->in->now_us);
    age.len = (uint32_t)w->out->len - age.at;
    *mem_push(w->ages, w->age_count, w->age_cap) = age;
}

/* 12s, 2m, 3h, 5d. */
static void phrase_age(struct writing *w, int64_t since_us)
{
    add_age(w, since_us, false);
}

/* 2m ago, or now. */
static void phrase_ago(struct writing *w, int64_t since_us)
{
    add_age(w, since_us, true);
}

/* Appends at most that many characters of a text. */
static void put_text(struct writing *w, struct span text, size_t most)
{
    struct span start = utf8_start(text, most);

    if (start.len == text.len) {
        str_add_span(w->out, text);
        return;
    }
    str_add_span(w->out, span_trim_end(utf8_start(text, most - 3)));
    str_puts(w->out, "...");
}

/* Appends the first line of a text, in quotes. */
static void phrase_quote(struct writing *w, struct span text)
{
    str_putc(w->out, '"');
    put_text(w, span_first_line(span_trim(text)), PHRASE_QUOTE);
    str_putc(w->out, '"');
}

static void phrase_name(struct writing *w, struct span name)
{
    put_text(w, name, PHRASE_NAME);
}

/* Appends another agent's name, with its team if that is a different one. */
static void phrase_agent(struct writing *w, const struct facts *f, uint32_t other)
{
    const struct agent *agent = &w->g->items[other].agent;

    phrase_name(w, agent->name);
    if (!agent->team.len || span_eq(agent->team, f->agent.team))
        return;
    str_putc(w->out, '@');
    phrase_name(w, agent->team);
}

/* Appends as much of an id as commands need to find the message, and one more character in case
 * similar ids follow. */
static void phrase_id(struct writing *w, struct span id)
{
    enum { LEAST = 4 };
    size_t need = LEAST;
    bool met = false;

    for (size_t i = 0; i < w->g->share_count; i++) {
        const struct agents_share *share = &w->g->shares[i];
        size_t common = short_ids_common(share->ids, share->model, id, &met) + 2;
        need = common > need ? common : need;
    }
    while (need < id.len && ((unsigned char)id.at[need] & 0xc0) == 0x80)
        need++; /* not inside a character */
    str_add(w->out, id.at, need < id.len ? need : id.len);
}

/* Example: perm 7c2e: Bash: rm -rf build/ */
static void phrase_ask(struct writing *w, const struct message *message)
{
    struct span text = request_subject(message);
    CLEANUP(str_free) struct str asked = {0};

    str_puts(w->out, message->kind == KIND_PERMISSION ? "perm" : kind_name(message->kind));
    str_putc(w->out, ' ');
    phrase_id(w, message->id);
    if (message->data && message->data->protocol.len) {
        request_add_title(&asked, message); /* the protocol is more precise than the subject */
        text = str_span(&asked);
    }
    if (text.len) {
        str_puts(w->out, ": ");
        put_text(w, text, PHRASE_QUOTE);
    }
}

/* Example: , and 2 more (`count` is the total). */
static void phrase_more(struct writing *w, size_t count)
{
    if (count > 1)
        str_addf(w->out, ", and %zu more", count - 1);
}

/* Example: 3 unread since 17m */
static void phrase_unread(struct writing *w, const struct facts *f, const char *before)
{
    str_addf(w->out, "%s%zu unread since ", before, f->unread.count);
    phrase_age(w, f->agent.unread_us);
}

/* Example: ; 5 unread will not be read */
static void phrase_lost_mail(struct writing *w, const struct facts *f)
{
    if (f->unread.count)
        str_addf(w->out, "; %zu unread will not be read", f->unread.count);
}

/* Example: task 21: parser.c */
static void phrase_task(struct writing *w, const struct facts *f)
{
    const struct agent_task *task = &w->g->in->tasks[f->task];

    str_puts(w->out, "task ");
    put_text(w, task->id, PHRASE_NAME);
    if (!task->subject.len)
        return;
    str_puts(w->out, ": ");
    put_text(w, span_first_line(span_trim(task->subject)), PHRASE_QUOTE);
}

/* Example: last: "no disk left" 2m ago. Appends nothing if the agent has said nothing. */
static void phrase_last(struct writing *w, const struct facts *f, const char *before, bool with_age)
{
    if (f->last_said == AGENT_NONE)
        return;
    str_addf(w->out, "%slast: ", before);
    phrase_quote(w, message_at(w, f->last_said)->subject);
    if (!with_age)
        return;
    str_putc(w->out, ' ');
    phrase_ago(w, message_at(w, f->last_said)->created_us);
}

/* Example: bob waits for an answer since 18m */
static void phrase_asker(struct writing *w, const struct facts *f, const char *before)
{
    const struct message *ask = message_at(w, f->asks_to.first);

    str_puts(w->out, before);
    if (ask->by_us)
        str_puts(w->out, "you wait");
    else {
        phrase_name(w, ask->from);
        str_puts(w->out, " waits");
    }
    str_puts(w->out, " for an answer since ");
    phrase_age(w, ask->created_us);
}

static void say_ended(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "the roster says ");
    if (f->roster->status.len)
        phrase_name(w, f->roster->status);
    else
        str_puts(w->out, "that it has ended");
    phrase_lost_mail(w, f);
}

static void say_shut_down(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "shut down ");
    phrase_ago(w, f->agent.since_us);
    phrase_lost_mail(w, f);
}

static void say_departed(struct writing *w, const struct facts *f)
{
    str_puts(w->out, f->agent.spoke ? "left the roster" : "on no roster, never heard");
    phrase_lost_mail(w, f);
    phrase_last(w, f, "; ", true);
}

static void say_asked_you(struct writing *w, const struct facts *f)
{
    phrase_ask(w, message_at(w, f->asks_you.first));
    str_puts(w->out, ", ");
    phrase_age(w, f->agent.since_us);
    phrase_more(w, f->asks_you.count);
}

static void say_says(struct writing *w, const struct facts *f)
{
    const struct notice *notice = message_at(w, f->last)->notice;
    bool failed = span_is(notice->reason, "failed");

    if (failed || span_is(notice->reason, "interrupted")) {
        str_puts(w->out, failed ? "says it failed, " : "was interrupted, ");
    } else {
        str_puts(w->out, "says task ");
        phrase_name(w, notice->task.len ? notice->task : span_of("?"));
        str_puts(w->out, span_is(notice->task_status, "failed") ? " failed, " : " is blocked, ");
    }
    phrase_age(w, f->agent.since_us);
    if (notice->failure.len) {
        str_puts(w->out, ": ");
        phrase_quote(w, notice->failure);
    }
    if (f->unread.count)
        phrase_unread(w, f, "; ");
}

static void say_roster(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "the roster says ");
    phrase_name(w, f->roster->status);
    phrase_last(w, f, "; ", true);
}

static void say_circle(struct writing *w, const struct facts *f)
{
    enum { NAMES = 6 };
    const struct agent_circle *circle = &w->g->out->circles[f->agent.circle];
    bool inside = false;

    for (size_t i = 0; i < circle->count; i++)
        inside |= &w->g->items[circle->members[i]] == f;
    str_puts(w->out, inside ? "waits in a circle: " : "waits on a circle: ");
    for (size_t i = 0; i < circle->count && i < NAMES; i++) {
        phrase_agent(w, f, circle->members[i]);
        str_puts(w->out, " -> ");
    }
    if (circle->count > NAMES)
        str_addf(w->out, "%zu more -> ", circle->count - NAMES);
    phrase_agent(w, f, circle->members[0]);
}

static void say_failed(struct writing *w, const struct facts *f)
{
    const struct message *message = message_at(w, f->failed.first);

    str_puts(w->out, "failed at ");
    phrase_id(w, message->id);
    str_puts(w->out, ": ");
    phrase_quote(w, message->subject);
    phrase_more(w, f->failed.count);
}

static void say_processing(struct writing *w, const struct facts *f)
{
    const struct message *message = message_at(w, f->processing.first);
    bool read = message->data && message->data->read_us != TIME_NONE;

    str_puts(w->out, "at work on ");
    phrase_id(w, message->id);
    str_puts(w->out, " since ");
    phrase_age(w, f->agent.since_us);
    str_puts(w->out, read ? " (when it was read): " : " (when it was sent): ");
    phrase_quote(w, message->subject);
    phrase_more(w, f->processing.count);
}

static void say_unsent(struct writing *w, const struct facts *f)
{
    str_addf(w->out, "%zu message%s for it %s since ", f->unsent, f->unsent == 1 ? "" : "s",
             f->unsent_failed ? "cannot be delivered" : "queued");
    phrase_age(w, f->unsent_us);
    str_puts(w->out, ": see outbox");
}

static void put_idle(struct writing *w, const struct facts *f)
{
    if (f->last != AGENT_NONE && message_at(w, f->last)->notice) {
        str_puts(w->out, "idle since ");
        phrase_age(w, f->agent.heard_us);
    } else {
        str_puts(w->out, "the roster says idle");
    }
}

static void say_unwoken(struct writing *w, const struct facts *f)
{
    put_idle(w, f);
    phrase_unread(w, f, ", ");
    str_puts(w->out, ": nobody woke it");
}

static void say_unheard(struct writing *w, const struct facts *f)
{
    if (f->agent.evidence == f->unread.first)
        phrase_unread(w, f, "never heard, ");
    else
        phrase_asker(w, f, "never heard, ");
}

static void say_blind(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "wrote ");
    phrase_ago(w, f->agent.heard_us);
    phrase_unread(w, f, ", but leaves ");
}

static void say_silent(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "silent ");
    phrase_age(w, f->agent.since_us);
    if (f->task != AGENT_NONE) {
        str_puts(w->out, " on ");
        phrase_task(w, f);
    }
    if (f->unread.count)
        phrase_unread(w, f, ", ");
    else if (f->asks_to.count)
        phrase_asker(w, f, ", ");
    phrase_last(w, f, "; ", false);
}

static void say_unreadable(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "its mailbox cannot be read: ");
    str_puts(w->out, message_at(w, f->unreadable)->damaged);
    phrase_last(w, f, "; ", true);
}

static void say_asked(struct writing *w, const struct facts *f)
{
    const struct facts *other = &w->g->items[f->asked];

    str_puts(w->out, "reply from ");
    phrase_agent(w, f, f->asked);
    str_puts(w->out, ", ");
    phrase_age(w, f->agent.since_us);
    phrase_more(w, f->asks_by.count);
    str_puts(w->out, " (");
    phrase_ask(w, message_at(w, f->asks_by.first));
    str_putc(w->out, ')');
    if (other->agent.state == AGENT_STUCK || other->agent.state == AGENT_GONE ||
        other->agent.state == AGENT_WAITS_YOU) {
        str_puts(w->out, "; ");
        phrase_agent(w, f, f->asked);
        str_addf(w->out, " is %s", agent_state_name(other->agent.state));
    }
}

static void say_wrote(struct writing *w, const struct facts *f)
{
    str_puts(w->out, "wrote to ");
    phrase_agent(w, f, f->wrote_to);
    str_puts(w->out, ", unread there since ");
    phrase_age(w, f->agent.since_us);
    str_puts(w->out, ": ");
    phrase_quote(w, message_at(w, f->wrote)->subject);
}

/* Appends mail or requests that wait for an agent that is at work or idle. */
static void put_waiting(struct writing *w, const struct facts *f)
{
    if (f->unread.count)
        phrase_unread(w, f, "; ");
    else if (f->asks_to.count)
        phrase_asker(w, f, "; ");
}

static void say_at_work(struct writing *w, const struct facts *f)
{
    say_processing(w, f);
    if (f->unread.count)
        phrase_unread(w, f, "; ");
}

static void say_task(struct writing *w, const struct facts *f)
{
    phrase_task(w, f);
    put_waiting(w, f);
}

static void say_woken(struct writing *w, const struct facts *f)
{
    const struct message *message = message_at(w, f->woken_by);

    str_puts(w->out, "has read ");
    phrase_quote(w, message->subject);
    str_puts(w->out, message->by_us ? " from you, " : " from ");
    if (!message->by_us) {
        phrase_name(w, message->from);
        str_puts(w->out, ", ");
    }
    phrase_age(w, message->created_us);
    str_puts(w->out, " old");
    put_waiting(w, f);
}

static void say_heard(struct writing *w, const struct facts *f)
{
    phrase_last(w, f, "", true);
    put_waiting(w, f);
}

static void say_rests(struct writing *w, const struct facts *f)
{
    const struct notice *notice = f->last == AGENT_NONE ? NULL : message_at(w, f->last)->notice;

    put_idle(w, f);
    if (f->task != AGENT_NONE) {
        str_puts(w->out, " with ");
        phrase_task(w, f);
    }
    put_waiting(w, f);
    if (notice && f->wrote_to != AGENT_NONE) {
        struct span summary = notice->summary;
        const char *end = memchr(summary.at, ']', summary.len);
        summary.len -= (size_t)(end + 1 - summary.at);
        summary.at = end + 1;
        str_puts(w->out, "; wrote to ");
        if (w->g->items[f->wrote_to].person)
            str_puts(w->out, "you");
        else
            phrase_agent(w, f, f->wrote_to);
        str_puts(w->out, ": ");
        phrase_quote(w, summary);
    } else if (notice && notice->task.len) {
        str_puts(w->out, "; task ");
        phrase_name(w, notice->task);
        str_putc(w->out, ' ');
        phrase_name(w, notice->task_status.len ? notice->task_status : span_of("ended"));
    } else {
        phrase_last(w, f, "; ", true);
    }
}

static void say_quiet(struct writing *w, const struct facts *f)
{
    if (!f->agent.spoke)
        str_puts(w->out, "never heard");
    else if (f->unread.count || f->asks_to.count) {
        str_puts(w->out, "silent ");
        phrase_age(w, f->agent.heard_us);
    }
    if (f->unread.count)
        phrase_unread(w, f, ", ");
    else if (f->asks_to.count)
        phrase_asker(w, f, ", ");
    else
        str_puts(w->out, f->agent.spoke ? "nothing waits" : ", nothing waits");
    phrase_last(w, f, "; ", true);
}

static void (*const sentences[])(struct writing *, const struct facts *) = {
    [REASON_ENDED] = say_ended,
    [REASON_SHUT_DOWN] = say_shut_down,
    [REASON_DEPARTED] = say_departed,
    [REASON_ASKED_YOU] = say_asked_you,
    [REASON_SAYS] = say_says,
    [REASON_ROSTER] = say_roster,
    [REASON_CIRCLE] = say_circle,
    [REASON_FAILED] = say_failed,
    [REASON_PROCESSING] = say_processing,
    [REASON_UNSENT] = say_unsent,
    [REASON_UNWOKEN] = say_unwoken,
    [REASON_UNHEARD] = say_unheard,
    [REASON_BLIND] = say_blind,
    [REASON_SILENT] = say_silent,
    [REASON_UNREADABLE] = say_unreadable,
    [REASON_ASKED] = say_asked,
    [REASON_WROTE] = say_wrote,
    [REASON_AT_WORK] = say_at_work,
    [REASON_TASK] = say_task,
    [REASON_WOKEN] = say_woken,
    [REASON_HEARD] = say_heard,
    [REASON_RESTS] = say_rests,
    [REASON_QUIET] = say_quiet,
};

static struct aging keep_ages(const struct writing *w)
{
    struct aged *ages = NULL;

    if (w->age_count) {
        ages = arena_alloc(&w->g->out->arena, w->age_count * sizeof *ages);
        memcpy(ages, w->ages, w->age_count * sizeof *ages);
    }
    return (struct aging){ages, w->age_count};
}

void agent_explain(struct gathering *g)
{
    CLEANUP(str_free) struct str line = {0};
    struct writing w = {.g = g, .out = &line};

    for (size_t i = 0; i < g->count; i++) {
        struct facts *f = &g->items[i];
        if (f->person)
            continue;
        str_clear(&line);
        w.age_count = 0;
        sentences[f->reason](&w, f);
        if (f->agent.off_roster && f->agent.state != AGENT_GONE)
            str_puts(&line, "; on no roster");
        f->agent.why = arena_copy(&g->out->arena, str_span(&line));
        f->agent.why_ages = keep_ages(&w);
    }
    free(w.ages);
}
