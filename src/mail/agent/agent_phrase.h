/* Agents, parts of sentences. All append to writing->out; what others wrote goes in raw, on one
 * line and cut on the border of a character. */
#ifndef MAIL_AGENT_AGENT_PHRASE_H
#define MAIL_AGENT_AGENT_PHRASE_H

#include "mail/agent/agent_facts.h"

/* What others wrote is cut to so many characters. */
enum { PHRASE_QUOTE = 48, PHRASE_NAME = 40 };

struct writing {
    const struct gathering *g;
    struct str *out;
    struct aged *ages; /* of the sentence */
    size_t age_count, age_cap;
};

static inline const struct message *message_at(const struct writing *w, uint32_t index)
{
    return fact_message(w->g, index);
}

/* 12s, 2m, 3h, 5d. */
void phrase_age(struct writing *w, int64_t since_us);
/* 2m ago, or now. */
void phrase_ago(struct writing *w, int64_t since_us);
/* The first line of a text, in quotes. */
void phrase_quote(struct writing *w, struct span text);
void phrase_name(struct writing *w, struct span name);
/* Another agent, with its team when that is another one. */
void phrase_agent(struct writing *w, const struct facts *f, uint32_t other);
/* As much of an id as commands need to find the message. */
void phrase_id(struct writing *w, struct span id);
/* perm 7c2e: Bash: rm -rf build/ */
void phrase_ask(struct writing *w, const struct message *message);
/* , and 2 more: for that many in all. */
void phrase_more(struct writing *w, size_t count);
/* 3 unread since 17m */
void phrase_unread(struct writing *w, const struct facts *f, const char *before);
/* ; 5 unread will not be read */
void phrase_lost_mail(struct writing *w, const struct facts *f);
/* task 21: parser.c */
void phrase_task(struct writing *w, const struct facts *f);
/* last: "no disk left", and how long ago; nothing when it never said a thing. */
void phrase_last(struct writing *w, const struct facts *f, const char *before, bool with_age);
/* bob waits for an answer since 18m */
void phrase_asker(struct writing *w, const struct facts *f, const char *before);

#endif
