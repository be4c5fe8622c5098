/* What agents say about their work, whether it is part of the past or happens now. */
#ifndef DEMO_WORDING_H
#define DEMO_WORDING_H

#include "demo/letter.h"
#include "demo/story.h"

/* A plan; `feedback` NULL for the first one, `in_words` where it must ask for its answer. */
void word_plan(struct letter *letter, const struct job *job, const char *feedback, bool in_words);
void word_permission(struct letter *letter, const struct job *job);
void word_host(struct letter *letter, const struct job *job);
void word_question(struct letter *letter, const struct job *job);
void word_handoff(struct letter *letter, const struct job *job);

#endif
