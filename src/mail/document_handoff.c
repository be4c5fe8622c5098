/* Documents: a handoff's context as the form that it was filled in as. */
#include "mail/document_form.h"

enum { LABELS = 16 };

static const struct form_field fields[] = {
    {"work_completed", "Done", FORM_PROSE, true},
    {"current_state", "State", FORM_PROSE, true},
    {"next_steps", "Next", FORM_STEPS, true},
    {"blockers", "Blockers", FORM_STEPS, true},
    {"files_modified", "Files modified", FORM_LIST, false},
    {"files_created", "Files created", FORM_LIST, false},
    {"dependencies", "Depends on", FORM_LIST, false},
    {"related_escalations", "Escalations", FORM_LIST, false},
    {"state_file", "State file", FORM_EXACT, false},
    {"job_id", "Job", FORM_EXACT, false},
    {"notes", "Notes", FORM_PROSE, false},
    {NULL, NULL, FORM_PLAIN, false},
};

void handoff_put(struct writer *w, struct span context)
{
    struct form form = {w, LABELS};

    form_members(&form, context, fields);
}
