/* Lists of conversations: which rows there are. */
#include "base/mem.h"
#include "ui/mail/mailbox_private.h"
#include "ui/snooze.h"

static bool is_shown(const struct mailbox *box, const struct talk *talk)
{
    return talk->archived == (box->kind == MAILBOX_ARCHIVE) || box->kind == MAILBOX_AGENT;
}

static void add_group(struct mailbox *box, enum attention_group group)
{
    list_add(&box->list, &(struct list_row){.kind = ROW_GROUP, .item = group});
}

static void add_messages(struct mailbox *box, uint32_t number)
{
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;
    const struct talk *talk = &talks->items[number];
    struct tree tree = {0};
    struct str key = {0};

    tree_build(&tree, talks, talk);
    for (uint32_t i = 0; i < tree.count; i++) {
        str_clear(&key);
        picture_add_key(&key, talk_message(talks, talk, tree.rows[i].at));
        list_add(&box->list, &(struct list_row){.kind = ROW_MESSAGE,
                                                .item = number,
                                                .of = (uint32_t)box->tree_count,
                                                .part = i,
                                                .key = str_span(&key)});
    }
    box->trees = mem_resize(box->trees, box->tree_count + 1, sizeof *box->trees);
    box->trees[box->tree_count++] = tree;
    str_free(&key);
}

void mailbox_drop_trees(struct mailbox *box)
{
    for (size_t i = 0; i < box->tree_count; i++)
        tree_free(&box->trees[i]);
    box->tree_count = 0;
}

uint32_t mailbox_agent(const struct mailbox *box)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;

    return box->who.len ? who_with_key(agents, str_span(&box->who)) : AGENT_NONE;
}

/* Whose mail is shown. */
struct sharing {
    struct who_index *index;
    uint32_t who, with; /* AGENT_NONE: anybody */
};

static void sharing_build(struct sharing *sharing, const struct mailbox *box)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;

    *sharing = (struct sharing){
        .index = ui_who(box->screen.ui), .who = mailbox_agent(box), .with = AGENT_NONE};
    if (box->with.len)
        sharing->with = who_with_key(agents, str_span(&box->with));
}

static bool is_shared(struct sharing *sharing, const struct talks *talks, const struct talk *talk)
{
    bool is = sharing->who == AGENT_NONE;

    for (size_t i = 0; !is && i < talk->count; i++) {
        const struct message *message = talk_message(talks, talk, i);
        is = who_has_message(sharing->index, message, sharing->who) &&
             (sharing->with == AGENT_NONE ||
              who_has_message(sharing->index, message, sharing->with));
    }
    return is;
}

static void choose(struct mailbox *box)
{
    const struct talks *talks = &ui_picture(box->screen.ui)->sight.talks;
    struct attention *order = &box->order;
    struct sharing sharing;
    size_t kept = 0;

    memset(order->counts, 0, sizeof order->counts);
    box->all = box->asleep = 0;
    sharing_build(&sharing, box);
    for (size_t i = 0; i < order->count; i++) {
        const struct talk *talk = &talks->items[order->talks[i]];
        if (!is_shown(box, talk) || !is_shared(&sharing, talks, talk))
            continue;
        bool asleep = box->kind == MAILBOX_INBOX && snooze_hides(box->screen.ui, talk);
        box->asleep += asleep;
        if (asleep != box->snoozed)
            continue;
        box->all++;
        if (!filter_matches_talk(&box->filter, box->screen.ui, talk))
            continue;
        order->counts[attention_group(talks, talk)]++;
        order->talks[kept++] = order->talks[i];
    }
    order->count = box->shown = kept;
}

void mailbox_fill(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);
    const struct talks *talks = &picture->sight.talks;
    enum attention_group group = ATTENTION_GROUPS;

    attention_free(&box->order);
    box->order = (struct attention){0};
    mailbox_drop_trees(box);
    /* one that is known is told apart better than a name can do it */
    bool by_name = box->agent.len && mailbox_agent(box) == AGENT_NONE;
    box->scope.agent = by_name ? str_span(&box->agent) : (struct span){0};
    if (talks->model) {
        attention_narrow(&box->order, &picture->order, talks, &box->scope);
        choose(box);
        attention_keep(&box->order, picture->seats, &box->kept);
        attention_note(&box->kept, &box->order, picture->seats);
    }
    list_begin(&box->list);
    for (size_t i = 0; i < box->order.count; i++) {
        uint32_t number = box->order.talks[i];
        const struct talk *talk = &talks->items[number];
        if (attention_group(talks, talk) != group)
            add_group(box, group = attention_group(talks, talk));
        struct span key = picture->talk_keys[number];
        list_add(&box->list, &(struct list_row){.kind = ROW_TALK, .item = number, .key = key});
        if (key_set_has(&box->unfolded, key) && talk->count > 1)
            add_messages(box, number);
    }
    list_end(&box->list, !picture->ready);
    box->who_width = 0;
}
