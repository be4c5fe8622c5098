/* The library: lists of messages, and conversations, the most pressing first. */
#include "base/mem.h"
#include "lib/handle.h"
#include "mail/message/kind.h"
#include "mail/thread/inbox_order.h"
#include "mail/thread/thread.h"
#include "store/sight.h"
#include "store/store_read.h"

#include <stdlib.h>

/* Lists of messages. */

/* A list with everything that its messages borrow from; the caller sees the first member. */
struct lib_list {
    struct swarmutt_list shown;
    struct model model;
    struct batch batch; /* of a message from swarmutt_fetch() */
    struct arena arena;
    struct lib_message *items;
};

void swarmutt_list_free(struct swarmutt_list *shown)
{
    struct lib_list *list = (struct lib_list *)shown;

    if (!list)
        return;
    free(list->items);
    batch_free(&list->batch);
    model_free(&list->model);
    arena_free(&list->arena);
    free(list);
}

static struct lib_list *new_list(void)
{
    return mem_zero(1, sizeof(struct lib_list));
}

/* Fills the list with these messages and returns it. */
static struct swarmutt_list *give_list(struct swarmutt *mail, struct lib_list *list,
                                       struct message *const *messages, size_t count)
{
    const struct swarmutt_message **shown = arena_alloc(&list->arena, (count + 1) * sizeof *shown);

    list->items = mem_zero(count, sizeof *list->items);
    for (size_t i = 0; i < count; i++) {
        struct message *head = messages[i];
        lib_show(&list->items[i], mail, head, model_inbox_copy(&list->model, head), &list->arena);
        shown[i] = &list->items[i].shown;
    }
    list->shown.count = count;
    list->shown.messages = shown;
    return &list->shown;
}

static struct swarmutt_list *give_up(struct lib_list *list, const struct err *err,
                                     struct swarmutt_error *error)
{
    lib_fail(error, err);
    swarmutt_list_free(&list->shown);
    return NULL;
}

static int (*const orders[])(const struct message *, const struct message *) = {
    [SWARMUTT_OLDEST_FIRST] = message_cmp_time,
    [SWARMUTT_NEWEST_FIRST] = message_cmp_newest,
    [SWARMUTT_BY_URGENCY] = message_cmp_urgency,
};

static bool check_wanted(const struct swarmutt_wanted *wanted, struct swarmutt_error *error)
{
    unsigned known = SWARMUTT_IN_INBOX | SWARMUTT_IN_ARCHIVE | SWARMUTT_BODIES | SWARMUTT_AS_AGENT;

    if (!lib_check_flags(wanted->flags, known, error) ||
        !lib_check_text(wanted->query, "query", error) ||
        !lib_check_text(wanted->agent, "name of the agent", error))
        return false;
    if (wanted->order < 0 || wanted->order > SWARMUTT_BY_URGENCY)
        return lib_misused(error, "an order was given that is not known");
    if (wanted->flags & SWARMUTT_AS_AGENT && !wanted->agent)
        return lib_misused(error, "an agent is needed to look as an agent does");
    if (wanted->flags & SWARMUTT_AS_AGENT && wanted->flags & SWARMUTT_IN_ARCHIVE)
        return lib_misused(error, "an agent's own program does not look into archives");
    return true;
}

static struct load load_of(const struct swarmutt_wanted *wanted, const struct checking *checking,
                           const struct querying *querying)
{
    unsigned places = wanted->flags & (SWARMUTT_IN_INBOX | SWARMUTT_IN_ARCHIVE);
    struct load load = {.agent = span_of(wanted->agent),
                        .inbox = places != SWARMUTT_IN_ARCHIVE,
                        .archive = places & SWARMUTT_IN_ARCHIVE || querying_archive(querying)};

    if (wanted->flags & SWARMUTT_AS_AGENT)
        load = checking_load(checking);
    load.want |= WANT_DATA | (wanted->flags & SWARMUTT_BODIES ? WANT_BODY : 0);
    return load;
}

/* Moves the messages that the agent's own program would find to the front; returns their number. */
static size_t keep_pending(struct swarmutt *mail, struct model *model,
                           const struct checking *checking)
{
    size_t kept = 0;

    for (size_t i = 0; i < model->count; i++)
        if (checking_matches(mail->store, model->messages[i], checking))
            model->messages[kept++] = model->messages[i];
    return kept;
}

static bool search_messages(struct swarmutt *mail, const struct swarmutt_wanted *wanted,
                            struct lib_list *list, size_t *count, struct err *err)
{
    struct checking checking = {.agent = span_of(wanted->agent), .now_us = time_now()};
    struct model *model = &list->model;
    CLEANUP(querying_close) struct querying querying = {0};

    if (!lib_query(&querying, mail, wanted->query, err))
        return false;
    struct load load = load_of(wanted, &checking, &querying);
    if (!querying_load(&querying, &load, model, err))
        return false;
    size_t found =
        wanted->flags & SWARMUTT_AS_AGENT ? keep_pending(mail, model, &checking) : model->count;
    found = querying_filter(&querying, model->messages, found);
    model_sort(model->messages, found, orders[wanted->order]);
    *count = wanted->most && wanted->most < found ? wanted->most : found;
    return true;
}

struct swarmutt_list *swarmutt_search(struct swarmutt *mail, const struct swarmutt_wanted *given,
                                      struct swarmutt_error *error)
{
    struct swarmutt_wanted wanted;
    struct err err = {0};
    size_t count;

    lib_begin(error);
    if (!mail) {
        lib_misused(error, "a handle is needed");
        return NULL;
    }
    if (!lib_take(&wanted, sizeof wanted, given, error) || !check_wanted(&wanted, error))
        return NULL;
    struct lib_list *list = new_list();
    if (!search_messages(mail, &wanted, list, &count, &err))
        return give_up(list, &err, error);
    return give_list(mail, list, list->model.messages, count);
}

/* Returns a list whose model has all messages, to find the id in; NULL on failure. */
static struct lib_list *load_for(struct swarmutt *mail, const char *id,
                                 struct swarmutt_error *error)
{
    struct load all = {.inbox = true, .archive = true};
    struct err err = {0};

    lib_begin(error);
    if (!mail || !id) {
        lib_misused(error, "a handle and an id are needed");
        return NULL;
    }
    struct lib_list *list = new_list();
    if (store_load(mail->store, &all, &list->model, &err))
        return list;
    give_up(list, &err, error);
    return NULL;
}

struct swarmutt_list *swarmutt_find(struct swarmutt *mail, const char *id,
                                    struct swarmutt_error *error)
{
    struct lib_list *list = load_for(mail, id, error);
    struct err err = {0};

    if (!list)
        return NULL;
    struct message *found = model_find(&list->model, span_of(id), &err);
    return found ? give_list(mail, list, &found, 1) : give_up(list, &err, error);
}

struct swarmutt_list *swarmutt_thread(struct swarmutt *mail, const char *id,
                                      struct swarmutt_error *error)
{
    struct lib_list *list = load_for(mail, id, error);
    struct err err = {0};
    size_t count;

    if (!list)
        return NULL;
    CLEANUP(mem_free)
    struct message **found = thread_find(&list->model, span_of(id), time_now(), &count, &err);
    return found ? give_list(mail, list, found, count) : give_up(list, &err, error);
}

/* Copies a head so that it outlives the list it is from; NULL stays NULL. */
static struct message *keep_message(const struct message *head, struct arena *arena)
{
    struct message *copy = head ? arena_alloc(arena, sizeof *copy) : NULL;

    if (copy)
        message_keep(copy, head, arena);
    return copy;
}

struct swarmutt_list *swarmutt_fetch(struct swarmutt *mail, const struct swarmutt_message *message,
                                     struct swarmutt_error *error)
{
    struct err err = {0};

    lib_begin(error);
    const struct lib_message *here = lib_message(mail, message, error);
    if (!here)
        return NULL;
    struct lib_list *list = new_list();
    struct message *head = keep_message(here->head, &list->arena);
    struct message *whole = store_fetch(mail->store, head, &list->batch, &err);
    if (!whole)
        return give_up(list, &err, error);
    struct swarmutt_list *given = give_list(mail, list, &whole, 1);
    list->items[0].inbox = keep_message(here->inbox, &list->arena);
    return given;
}

/* Conversations with everything that they borrow from; the caller sees the first member. */
struct lib_conversations {
    struct swarmutt_talks shown;
    struct model model;
    struct agent_directory world;
    struct sight sight;
    struct attention order;
    struct arena arena;
};

void swarmutt_talks_free(struct swarmutt_talks *shown)
{
    struct lib_conversations *conversations = (struct lib_conversations *)shown;

    if (!conversations)
        return;
    inbox_order_free(&conversations->order);
    sight_free(&conversations->sight);
    agent_directory_free(&conversations->world);
    model_free(&conversations->model);
    arena_free(&conversations->arena);
    free(conversations);
}

static const struct swarmutt_message *const *show_messages(struct swarmutt *mail,
                                                           struct lib_conversations *conversations,
                                                           const struct conversation *conversation)
{
    const struct swarmutt_message **shown =
        arena_alloc(&conversations->arena, (conversation->count + 1) * sizeof *shown);

    for (size_t i = 0; i < conversation->count; i++) {
        struct message *head =
            conversations->model
                .messages[conversations->sight.conversations.order[conversation->first + i]];
        struct lib_message *message = arena_alloc(&conversations->arena, sizeof *message);
        lib_show(message, mail, head, model_inbox_copy(&conversations->model, head),
                 &conversations->arena);
        shown[i] = &message->shown;
    }
    return shown;
}

static const struct swarmutt_talk *show_conversation(struct swarmutt *mail,
                                                     struct lib_conversations *conversations,
                                                     const struct conversation *conversation)
{
    struct swarmutt_talk *shown = arena_alloc(&conversations->arena, sizeof *shown);

    shown->id = lib_text(&conversations->arena, conversation->id);
    shown->subject =
        lib_text(&conversations->arena,
                 conversation_subject(&conversations->sight.conversations, conversation));
    shown->kind =
        conversation->form == CONVERSATION_DAMAGED ? "damaged" : kind_name(conversation->kind);
    shown->priority = conversation->priority;
    shown->unread = conversation->unread;
    shown->last_us = conversation->last_us;
    shown->waits_on = lib_text(&conversations->arena, conversation->waits_on);
    shown->waits_us = conversation->waits_us;
    shown->waits_for_us = conversation->waits_for_us;
    shown->archived = conversation->archived;
    shown->stuck = lib_text(&conversations->arena, conversation->stuck);
    shown->stuck_why = lib_text(&conversations->arena, conversation->stuck_why);
    shown->count = conversation->count;
    shown->messages = show_messages(mail, conversations, conversation);
    return shown;
}

static bool build_conversations(struct swarmutt *mail, struct lib_conversations *conversations,
                                struct querying *querying, struct err *err)
{
    /* WANT_DATA: how long a message is being worked on depends on when it was read */
    struct load everything = {.inbox = true, .archive = true, .want = WANT_DATA};
    struct scope everybody = {0};

    if (!querying_load(querying, &everything, &conversations->model, err) ||
        !store_agents(mail->store, &mail->config, &conversations->world, err))
        return false;
    sight_build(&conversations->sight, &conversations->model, &conversations->world, time_now(),
                query_names(&querying->query, "is", "expired"));
    inbox_order_build(&conversations->order, &conversations->sight.conversations, &everybody);
    return true;
}

static void give_conversation(struct swarmutt *mail, struct lib_conversations *conversations,
                              unsigned flags, const struct querying *querying)
{
    const struct swarmutt_talk **shown =
        arena_alloc(&conversations->arena, (conversations->order.count + 1) * sizeof *shown);
    bool archived = flags & SWARMUTT_IN_ARCHIVE || querying_archive(querying);
    bool other = flags & SWARMUTT_IN_INBOX || !(flags & SWARMUTT_IN_ARCHIVE);

    for (size_t i = 0; i < conversations->order.count; i++) {
        const struct conversation *conversation =
            &conversations->sight.conversations.items[conversations->order.conversations[i]];
        if ((conversation->archived ? archived : other) &&
            querying_match_conversation(querying, &conversations->sight.conversations,
                                        conversation))
            shown[conversations->shown.count++] =
                show_conversation(mail, conversations, conversation);
    }
    conversations->shown.talks = shown;
}

struct swarmutt_talks *swarmutt_talks(struct swarmutt *mail, const char *query, unsigned flags,
                                      struct swarmutt_error *error)
{
    CLEANUP(querying_close) struct querying querying = {0};
    struct err err = {0};

    lib_begin(error);
    if (!mail) {
        lib_misused(error, "a handle is needed");
        return NULL;
    }
    if (!lib_check_flags(flags, SWARMUTT_IN_INBOX | SWARMUTT_IN_ARCHIVE, error) ||
        !lib_check_text(query, "query", error))
        return NULL;
    struct lib_conversations *conversations = mem_zero(1, sizeof *conversations);
    if (lib_query(&querying, mail, query, &err) &&
        build_conversations(mail, conversations, &querying, &err)) {
        give_conversation(mail, conversations, flags, &querying);
        return &conversations->shown;
    }
    lib_fail(error, &err);
    swarmutt_talks_free(&conversations->shown);
    return NULL;
}
