/* The table of views, and the two that are mailboxes. */
#include "ui/views.h"

#include "ui/mail/mailbox.h"

static struct screen *inbox_new(struct ui *ui)
{
    return mailbox_new(ui, MAILBOX_INBOX);
}

static struct screen *archive_new(struct ui *ui)
{
    return mailbox_new(ui, MAILBOX_ARCHIVE);
}

const struct view view_inbox = {.title = "Inbox", .open = inbox_new};
const struct view view_archived = {.title = "Archive", .open = archive_new};

#define ENTRY(symbol, name, key, help) &view_##name,
const struct view *const views[VIEW_COUNT] = {VIEWS(ENTRY)};
