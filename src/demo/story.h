/* The texts of agents about their work, both in the past and now. */
#ifndef DEMO_STORY_H
#define DEMO_STORY_H

#include "demo/message.h"

#include <stddef.h>

/* The story: the jobs of the agents of each layout, and their words. */

/* A piece of work with all texts about it. */
struct job {
    const char *layout;
    const char *title;
    const char *plan, *narrowed; /* Markdown, below the title */
    const char *command, *why, *result;
    const char *otherwise; /* the alternative when the command is denied */
    const char *host, *host_why;
    const char *question;    /* for the lead */
    const char *asks, *told; /* between two agents: a question and its answer */
    const char *steps[3];
    const char *done;
    const char *files, *state, *next, *blockers; /* for a handoff */
};

/* Returns the job of the agent at that place of its layout in that round. */
const struct job *job_find(const char *layout, unsigned place, unsigned round);
/* Returns a remark to another agent beside the work. */
const char *chatter_find(unsigned number);
/* Returns an agent's answer to that question of a peer. */
const char *job_answer(const char *question);

/* Appends a text in which `$` and a word stand for a text of the job, or for a part of the message
 * that it is about, which may be NULL. */
void story_add(struct text *out, const char *text, const struct job *job,
               const struct message *about);
/* Fills in subject and body: with that text, as story_add() takes it, or, if it is NULL, with what
 * the story has for the act of the message. A plan is the first one, or the narrowed one that
 * answers the reason of the message; with `in_words` its text asks for the answer. */
void word_message(struct message *message, const struct job *job, const char *text, bool in_words);

#endif
