/* What agents say about their work, whether it is part of the past or happens now. */
#ifndef DEMO_STORY_H
#define DEMO_STORY_H

#include "demo/message.h"

#include <stddef.h>

/* The story: what the agents of each layout work on, and the words they have for it. */

/* A piece of work with everything that may be said about it. */
struct job {
    const char *layout;
    const char *title;
    const char *plan, *narrowed; /* Markdown, below the title */
    const char *command, *why, *result;
    const char *otherwise; /* what is done when the command is denied */
    const char *host, *host_why;
    const char *question;    /* for the lead */
    const char *asks, *told; /* between two agents: a question and its answer */
    const char *steps[3];
    const char *done;
    const char *files, *state, *next, *blockers; /* when it is handed over */
};

/* The job of an agent at that place of its layout in that round. */
const struct job *job_find(const char *layout, unsigned place, unsigned round);
/* Something that agents say to each other beside their work. */
const char *chatter_find(unsigned number);
/* What somebody who is asked that by a peer says. */
const char *job_answer(const char *question);

/* A plan; `feedback` NULL for the first one, `in_words` where it must ask for its answer. */
void word_plan(struct message *message, const struct job *job, const char *feedback, bool in_words);
void word_permission(struct message *message, const struct job *job);
void word_host(struct message *message, const struct job *job);
void word_question(struct message *message, const struct job *job);
void word_handoff(struct message *message, const struct job *job);

#endif
