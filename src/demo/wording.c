/* What agents say about their work. */
#include "demo/wording.h"

#include <string.h>

/* The plan without a title of its own. */
static const char *below_title(const char *plan)
{
    const char *end = strncmp(plan, "# ", 2) == 0 ? strchr(plan, '\n') : NULL;

    return end ? end + 2 : plan;
}

void word_plan(struct letter *letter, const struct job *job, const char *feedback, bool in_words)
{
    const char *answer = in_words ? "\n\nPlease say approved, or what to change." : "";

    letter_setf(letter, PART_SUBJECT, "Plan: %s%s", job->title, feedback ? ", narrowed" : "");
    if (feedback)
        letter_setf(letter, PART_BODY,
                    "# %s, narrowed\n\nYou said:\n\n> %s\n\nSo this is what is left of the plan, "
                    "and everything else waits for another one.\n\n%s%s",
                    job->title, feedback, job->narrowed, answer);
    else
        letter_setf(letter, PART_BODY, "# %s\n\n%s%s", job->title, below_title(job->plan), answer);
}

void word_permission(struct letter *letter, const struct job *job)
{
    letter_setf(letter, PART_SUBJECT, "Permission: Bash: %s", job->command);
    letter_setf(letter, PART_BODY, "May I run this?\n\n    %s\n\nWhy: %s.", job->command, job->why);
    letter_set(letter, PART_COMMAND, job->command);
    letter_set(letter, PART_REASON, job->why);
}

void word_host(struct letter *letter, const struct job *job)
{
    letter_setf(letter, PART_SUBJECT, "Host: %s", job->host);
    letter_setf(letter, PART_BODY, "May I connect to %s?\n\nWhy: %s.", job->host, job->host_why);
    letter_set(letter, PART_HOST, job->host);
}

void word_question(struct letter *letter, const struct job *job)
{
    letter_setf(letter, PART_SUBJECT, "Question: %s", job->title);
    letter_set(letter, PART_BODY, job->question);
}

void word_handoff(struct letter *letter, const struct job *job)
{
    letter_setf(letter, PART_SUBJECT, "Handoff: %s", job->title);
    letter_set(letter, PART_DONE, job->steps[1]);
    letter_set(letter, PART_STATE, job->state);
    letter_set(letter, PART_NEXT, job->next);
    letter_set(letter, PART_BLOCKERS, job->blockers);
    letter_set(letter, PART_FILES, job->files);
}
