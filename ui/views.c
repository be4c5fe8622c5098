/* The six views. */
#include "ui/agents.h"
#include "ui/decide.h"
#include "ui/drafts.h"
#include "ui/flow.h"
#include "ui/mailbox.h"
#include "ui/ui_private.h"

struct screen *view_new(struct ui *ui, size_t number)
{
    switch (ACTION_INBOX + (enum action)number) {
    case ACTION_DECIDE:
        return decide_new(ui);
    case ACTION_AGENTS:
        return agents_view_new(ui);
    case ACTION_DRAFTS:
        return drafts_new(ui);
    case ACTION_ARCHIVED:
        return mailbox_new(ui, MAILBOX_ARCHIVE, (struct span){0});
    case ACTION_FLOW:
        return flow_view_new(ui);
    default:
        return mailbox_new(ui, MAILBOX_INBOX, (struct span){0});
    }
}
