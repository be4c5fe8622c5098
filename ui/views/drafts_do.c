/* Drafts and outbox: throwing drafts away, giving messages up, writing them again. */
#include "base/mem.h"
#include "mail/sent/fate.h"
#include "store/store_drafts.h"
#include "ui/compose/outgoing.h"
#include "ui/ui_private.h"
#include "ui/views/drafts_private.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

enum deed_kind { DEED_DISCARD, DEED_GIVE_UP, DEED_RETRY };

/* What is to be done, to what it was when the key was pressed. */
struct outbox_deed {
    struct ui_task task;
    enum deed_kind what;
    char id[DRAFT_ID_LEN + 1]; /* of a draft */
    int64_t version;           /* of it, or the number in the outbox */
    bool waits;                /* it was tried, and its place is still taken */
};

static bool is_queued(struct store *store, int64_t number)
{
    struct outbox one = {0};
    struct err ignored;
    bool is =
        store_outbox_look(store, number, &one, &ignored) && one.items[0].state == OUTBOX_QUEUED;

    outbox_free(&one);
    return is;
}

static void work(struct ui_task *task, struct store *store)
{
    struct outbox_deed *it = (struct outbox_deed *)task;

    switch (it->what) {
    case DEED_DISCARD:
        it->task.ok = store_drop_draft(store, span_of(it->id), it->version, &it->task.err);
        break;
    case DEED_GIVE_UP:
        it->task.ok = store_outbox_drop(store, it->version, &it->task.err);
        break;
    case DEED_RETRY:
        it->task.ok = store_outbox_retry(store, it->version, &it->task.err);
        it->waits = it->task.ok && is_queued(store, it->version);
        break;
    }
}

static void done(struct ui_task *task, struct ui *ui)
{
    static const char *const words[] = {[DEED_DISCARD] = "thrown away",
                                        [DEED_GIVE_UP] = "given up: it is not written any more",
                                        [DEED_RETRY] = "written again"};
    struct outbox_deed *it = (struct outbox_deed *)task;

    if (it->waits)
        ui_say(ui, LOOK_PLAIN, "it still waits: the message before it was not taken yet");
    else if (it->task.ok)
        ui_say(ui, LOOK_PLAIN, "%s", words[it->what]);
    else
        ui_fail(ui, &it->task.err);
    desk_load(ui);
}

static struct outbox_deed *deed_new(enum deed_kind what, int64_t version)
{
    struct outbox_deed *it = mem_zero(1, sizeof *it);

    it->task = (struct ui_task){.work = work, .done = done};
    it->what = what;
    it->version = version;
    return it;
}

static void begin(struct ui *ui, void *context)
{
    struct outbox_deed *it = context;

    ui_begin(ui, it->what == DEED_DISCARD ? UI_DESK : UI_WRITE, &it->task);
}

static void add_to(struct str *out, struct span to, struct span subject)
{
    if (to.len)
        str_addf(out, " to %.*s", (int)to.len, to.at);
    if (subject.len)
        str_addf(out, ", \"%.*s\"", (int)subject.len, subject.at);
}

static void discard_draft(struct ui *ui, const struct saved_draft *draft)
{
    struct str question = {0};

    if (draft->pid) {
        ui_say(ui, LOOK_WARNING, "process %lld has it open: it can be thrown away there",
               (long long)draft->pid);
        return;
    }
    if (outgoing_has_draft(ui, draft->id)) {
        ui_say(ui, LOOK_WARNING, "it is being sent");
        return;
    }
    struct outbox_deed *it = deed_new(DEED_DISCARD, draft->version);
    memcpy(it->id, draft->id.at, draft->id.len < DRAFT_ID_LEN ? draft->id.len : DRAFT_ID_LEN);
    str_puts(&question, "Throw away the draft");
    add_to(&question, draft->to, draft->subject);
    str_puts(&question, "?");
    ui_confirm(ui, str_c(&question), begin, free, it);
    str_free(&question);
}

static void give_up(struct ui *ui, const struct outbox_entry *entry)
{
    struct str question = {0};

    str_puts(&question, "Give up the message");
    add_to(&question, entry->to, entry->subject);
    str_puts(&question, "?");
    ui_confirm(ui, str_c(&question), begin, free, deed_new(DEED_GIVE_UP, entry->number));
    str_free(&question);
}

void drafts_discard(struct drafts_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;

    if (!row)
        ui_say(ui, LOOK_WARNING, "there is nothing to throw away");
    else if (row->kind == ROW_DRAFT)
        discard_draft(ui, drafts_draft(view, row));
    else if (row->kind == ROW_OUTBOX)
        give_up(ui, drafts_entry(view, row));
    else if (drafts_fate(view, row)->state <= FATE_FAILED && !drafts_fate(view, row)->message)
        ui_say(ui, LOOK_WARNING, "it is not sent yet: it can be given up in the outbox above");
    else
        ui_say(ui, LOOK_WARNING, "it was sent: it is not ours to throw away any more");
}

void drafts_retry(struct drafts_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;

    if (!row || row->kind != ROW_OUTBOX) {
        ui_say(ui, LOOK_WARNING, "only what is in the outbox can be sent again");
        return;
    }
    ui_say(ui, LOOK_DIM, "writing it again ...");
    begin(ui, deed_new(DEED_RETRY, drafts_entry(view, row)->number));
}
