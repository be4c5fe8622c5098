/* Lists of conversations: moving, folding, tagging. */
#include "ui/mail/mailbox_private.h"
#include "ui/mail/thread.h"

static void fold_all(struct mailbox *box, bool fold)
{
    const struct span *keys = ui_picture(box->screen.ui)->talk_keys;

    for (size_t i = 0; i < box->order.count; i++) {
        struct span key = keys[box->order.talks[i]];
        if (key_set_has(&box->unfolded, key) == fold)
            key_set_toggle(&box->unfolded, key);
    }
    mailbox_fill(box);
}

/* On a message the conversation it is in is folded, and the cursor goes to that. */
static void fold(struct mailbox *box)
{
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return;
    struct span key = ui_picture(box->screen.ui)->talk_keys[row->item];
    key_set_toggle(&box->unfolded, key);
    list_go(&box->list, key);
    mailbox_fill(box);
}

static bool is_unread(void *context, const struct list_row *row)
{
    struct mailbox *box = context;
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;

    return row->kind == ROW_TALK && talks->items[row->item].unread_mine;
}

static bool is_decision(void *context, const struct list_row *row)
{
    struct mailbox *box = context;
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;

    return row->kind == ROW_TALK && talks->items[row->item].waits_for_us;
}

static void seek(struct mailbox *box, bool forward, const char *nothing,
                 bool (*takes)(void *context, const struct list_row *row))
{
    if (!list_seek(&box->list, forward, takes, box))
        ui_say(box->screen.ui, LOOK_DIM, "%s", nothing);
}

static void tag(struct mailbox *box)
{
    const struct list_row *row = list_here(&box->list);

    if (!row)
        return;
    key_set_toggle(&box->tagged, row->key);
    list_act(&box->list, ACTION_NEXT);
}

static void untag_all(struct mailbox *box)
{
    key_set_free(&box->tagged);
}

static void open_here(struct mailbox *box)
{
    const struct message *message = mailbox_message(box);

    if (message)
        ui_push(box->screen.ui, thread_new(box->screen.ui, message));
    else
        ui_say(box->screen.ui, LOOK_DIM, "there is nothing to open");
}

void mailbox_await(struct screen *screen, const struct message *message)
{
    struct mailbox *box = (struct mailbox *)screen;
    struct awaited *awaited = &box->awaited;

    awaited->is = true;
    awaited->source = message->place->source;
    str_clear(&awaited->team);
    str_clear(&awaited->box);
    str_clear(&awaited->id);
    str_add_span(&awaited->team, message->place->team);
    str_add_span(&awaited->box, message->place->box);
    str_add_span(&awaited->id, message->id);
    mailbox_go_to_awaited(box);
}

void mailbox_go_to_awaited(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct awaited *awaited = &box->awaited;
    struct str key = {0};

    if (!awaited->is)
        return;
    const struct message *message =
        picture_find_id(picture, awaited->source, str_span(&awaited->team), str_span(&awaited->box),
                        str_span(&awaited->id), 0);
    if (message)
        picture_add_key(&key, message);
    const struct talk *talk = message ? picture_talk(picture, str_span(&key)) : NULL;
    bool there = message && list_go(&box->list, str_span(&key));
    if (talk && !there) /* its conversation is folded */
        there = list_go(&box->list, picture->talk_keys[talk - picture->sight.talks.items]);
    box->awaited.is = !there;
    str_free(&key);
}

bool mailbox_act(struct screen *screen, enum action action, struct span argument)
{
    struct mailbox *box = (struct mailbox *)screen;

    box->list.touched = true;
    box->awaited.is = false;
    if (box->kind == MAILBOX_AGENT && !box->in_preview &&
        agent_head_act(&box->head, action, box->panes.preview.columns > 0))
        return true;
    if (mailbox_preview_act(box, action) || list_act(&box->list, action))
        return true;
    switch (action) {
    case ACTION_FOLD:
        fold(box);
        return true;
    case ACTION_FOLD_ALL:
    case ACTION_UNFOLD_ALL:
        fold_all(box, action == ACTION_FOLD_ALL);
        return true;
    case ACTION_NEXT_UNREAD:
        seek(box, true, "nothing else is unread", is_unread);
        return true;
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
        seek(box, action == ACTION_NEXT_DECISION, "nothing else waits for you", is_decision);
        return true;
    case ACTION_OPEN:
        open_here(box);
        return true;
    case ACTION_TAG:
        tag(box);
        return true;
    case ACTION_UNTAG_ALL:
        untag_all(box);
        return true;
    default:
        return mailbox_find_act(box, action, argument);
    }
}
