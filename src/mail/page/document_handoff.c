/* Documents: a handoff's context as the form that it was filled in as. */
#include "mail/page/document_sheet.h"

enum { LABELS = 16 };

static const struct sheet_field fields[] = {
    {"work_completed", "Done", SHEET_PROSE, true},
    {"current_state", "State", SHEET_PROSE, true},
    {"next_steps", "Next", SHEET_STEPS, true},
    {"blockers", "Blockers", SHEET_STEPS, true},
    {"files_modified", "Files modified", SHEET_LIST, false},
    {"files_created", "Files created", SHEET_LIST, false},
    {"dependencies", "Depends on", SHEET_LIST, false},
    {"related_escalations", "Escalations", SHEET_LIST, false},
    {"state_file", "State file", SHEET_EXACT, false},
    {"job_id", "Job", SHEET_EXACT, false},
    {"notes", "Notes", SHEET_PROSE, false},
    {NULL, NULL, SHEET_PLAIN, false},
};

void handoff_put(struct writer *w, struct span context)
{
    struct sheet sheet = {w, LABELS};

    sheet_members(&sheet, context, fields);
}
