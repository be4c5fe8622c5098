/* Agents, parts of sentences: ages, quotes, ids, requests. */
#include "mail/agent/agent_phrase.h"
#include "mail/thread/ask_text.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

static void add_age(struct writing *w, int64_t since_us, bool ago)
{
    struct aged age = {.at = (uint32_t)w->out->len, .since_us = since_us, .ago = ago};

    aging_add_age(w->out, since_us, ago, w->g->in->now_us);
    age.len = (uint32_t)w->out->len - age.at;
    w->ages = mem_grow(w->ages, &w->age_cap, w->age_count + 1, sizeof *w->ages);
    w->ages[w->age_count++] = age;
}

void phrase_age(struct writing *w, int64_t since_us)
{
    add_age(w, since_us, false);
}

void phrase_ago(struct writing *w, int64_t since_us)
{
    add_age(w, since_us, true);
}

/* At most so many characters of a text. */
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

void phrase_quote(struct writing *w, struct span text)
{
    str_putc(w->out, '"');
    put_text(w, span_first_line(span_trim(text)), PHRASE_QUOTE);
    str_putc(w->out, '"');
}

void phrase_name(struct writing *w, struct span name)
{
    put_text(w, name, PHRASE_NAME);
}

void phrase_agent(struct writing *w, const struct facts *f, uint32_t other)
{
    const struct agent *agent = &w->g->items[other].agent;

    phrase_name(w, agent->name);
    if (!agent->team.len || span_eq(agent->team, f->agent.team))
        return;
    str_putc(w->out, '@');
    phrase_name(w, agent->team);
}

/* As much of an id as commands need to find the message, and one character for those to come. */
void phrase_id(struct writing *w, struct span id)
{
    enum { LEAST = 4 };
    size_t need = LEAST;
    bool met = false;

    for (size_t i = 0; i < w->g->share_count; i++) {
        const struct agents_share *share = &w->g->shares[i];
        size_t common = id_order_common(share->ids, share->model, id, &met) + 2;
        need = common > need ? common : need;
    }
    while (need < id.len && ((unsigned char)id.at[need] & 0xc0) == 0x80)
        need++; /* not inside a character */
    str_add(w->out, id.at, need < id.len ? need : id.len);
}

/* perm 7c2e: Bash: rm -rf build/ */
void phrase_ask(struct writing *w, const struct message *message)
{
    struct span text = ask_subject(message);
    struct str asked = {0};

    str_puts(w->out, message->kind == KIND_PERMISSION ? "perm" : kind_name(message->kind));
    str_putc(w->out, ' ');
    phrase_id(w, message->id);
    if (message->data && message->data->protocol.len) {
        ask_add_title(&asked,
                      message); /* what is asked tells more than what the asker says of it */
        text = str_span(&asked);
    }
    if (text.len) {
        str_puts(w->out, ": ");
        put_text(w, text, PHRASE_QUOTE);
    }
    str_free(&asked);
}

void phrase_more(struct writing *w, size_t count)
{
    if (count > 1)
        str_addf(w->out, ", and %zu more", count - 1);
}

void phrase_unread(struct writing *w, const struct facts *f, const char *before)
{
    str_addf(w->out, "%s%zu unread since ", before, f->unread.count);
    phrase_age(w, f->agent.unread_us);
}

void phrase_lost_mail(struct writing *w, const struct facts *f)
{
    if (f->unread.count)
        str_addf(w->out, "; %zu unread will not be read", f->unread.count);
}

void phrase_task(struct writing *w, const struct facts *f)
{
    const struct agent_task *task = &w->g->in->tasks[f->task];

    str_puts(w->out, "task ");
    put_text(w, task->id, PHRASE_NAME);
    if (!task->subject.len)
        return;
    str_puts(w->out, ": ");
    put_text(w, span_first_line(span_trim(task->subject)), PHRASE_QUOTE);
}

/* last: "no disk left" */
void phrase_last(struct writing *w, const struct facts *f, const char *before, bool with_age)
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

/* bob waits for an answer since 18m */
void phrase_asker(struct writing *w, const struct facts *f, const char *before)
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
