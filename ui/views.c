/* The table of views. */
#include "ui/views.h"

#include "ui/agents.h"
#include "ui/decide.h"
#include "ui/drafts.h"
#include "ui/flow.h"
#include "ui/mailbox.h"
#include "ui/ui_private.h"

static struct screen *inbox_new(struct ui *ui)
{
    return mailbox_new(ui, MAILBOX_INBOX);
}

static struct screen *archive_new(struct ui *ui)
{
    return mailbox_new(ui, MAILBOX_ARCHIVE);
}

static size_t count_waiting(const struct ui *ui)
{
    return ui->picture->counts.waiting;
}

static size_t count_drafts(const struct ui *ui)
{
    return ui->desk.drafts.count;
}

const struct view views[VIEW_COUNT] = {
    [ACTION_INBOX - ACTION_FIRST_VIEW] = {"Inbox", inbox_new, NULL},
    [ACTION_AGENTS - ACTION_FIRST_VIEW] = {"Agents", agents_view_new, NULL},
    [ACTION_DECIDE - ACTION_FIRST_VIEW] = {"Decide", decide_new, count_waiting},
    [ACTION_DRAFTS - ACTION_FIRST_VIEW] = {"Drafts", drafts_new, count_drafts},
    [ACTION_ARCHIVED - ACTION_FIRST_VIEW] = {"Archive", archive_new, NULL},
    [ACTION_FLOW - ACTION_FIRST_VIEW] = {"Flow", flow_view_new, NULL},
};
