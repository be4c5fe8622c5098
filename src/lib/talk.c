/* The library: conversations, the most pressing first. */
#include "base/mem.h"
#include "lib/handle.h"
#include "mail/message/kind.h"
#include "mail/thread/attention.h"
#include "store/sight.h"

#include <stdlib.h>

/* Conversations with all that they live in; the caller sees the first member. */
struct lib_talks {
    struct swarmutt_talks shown;
    struct model model;
    struct agents_world world;
    struct sight sight;
    struct attention order;
    struct arena arena;
};

void swarmutt_talks_free(struct swarmutt_talks *shown)
{
    struct lib_talks *talks = (struct lib_talks *)shown;

    if (!talks)
        return;
    attention_free(&talks->order);
    sight_free(&talks->sight);
    agents_world_free(&talks->world);
    model_free(&talks->model);
    arena_free(&talks->arena);
    free(talks);
}

static const struct swarmutt_message *const *show_messages(struct swarmutt *mail,
                                                           struct lib_talks *talks,
                                                           const struct talk *talk)
{
    const struct swarmutt_message **shown =
        arena_alloc(&talks->arena, (talk->count + 1) * sizeof *shown);

    for (size_t i = 0; i < talk->count; i++) {
        struct message *head = talks->model.messages[talks->sight.talks.order[talk->first + i]];
        struct lib_message *message = arena_alloc(&talks->arena, sizeof *message);
        lib_show(message, mail, head, model_inbox_copy(&talks->model, head), &talks->arena);
        shown[i] = &message->shown;
    }
    return shown;
}

static const struct swarmutt_talk *show(struct swarmutt *mail, struct lib_talks *talks,
                                        const struct talk *talk)
{
    struct swarmutt_talk *shown = arena_alloc(&talks->arena, sizeof *shown);

    shown->id = lib_text(&talks->arena, talk->id);
    shown->subject = lib_text(&talks->arena, talk_subject(&talks->sight.talks, talk));
    shown->kind = talk->form == TALK_DAMAGED ? "damaged" : kind_name(talk->kind);
    shown->priority = talk->priority;
    shown->unread = talk->unread;
    shown->last_us = talk->last_us;
    shown->waits_on = lib_text(&talks->arena, talk->waits_on);
    shown->waits_us = talk->waits_us;
    shown->waits_for_us = talk->waits_for_us;
    shown->archived = talk->archived;
    shown->stuck = lib_text(&talks->arena, talk->stuck);
    shown->stuck_why = lib_text(&talks->arena, talk->stuck_why);
    shown->count = talk->count;
    shown->messages = show_messages(mail, talks, talk);
    return shown;
}

static bool build(struct swarmutt *mail, struct lib_talks *talks, struct querying *querying,
                  struct err *err)
{
    /* data: when a message was read tells how long it is worked on */
    struct load everything = {.inbox = true, .archive = true, .want = WANT_DATA};
    struct scope everybody = {0};

    if (!querying_load(querying, &everything, &talks->model, err) ||
        !store_agents(mail->store, &mail->config, &talks->world, err))
        return false;
    sight_build(&talks->sight, &talks->model, &talks->world, when_now(),
                query_names(&querying->query, "is", "expired"));
    attention_build(&talks->order, &talks->sight.talks, &everybody);
    return true;
}

static void give(struct swarmutt *mail, struct lib_talks *talks, unsigned flags,
                 const struct querying *querying)
{
    const struct swarmutt_talk **shown =
        arena_alloc(&talks->arena, (talks->order.count + 1) * sizeof *shown);
    bool archived = flags & SWARMUTT_IN_ARCHIVE || querying_archive(querying);
    bool other = flags & SWARMUTT_IN_INBOX || !(flags & SWARMUTT_IN_ARCHIVE);

    for (size_t i = 0; i < talks->order.count; i++) {
        const struct talk *talk = &talks->sight.talks.items[talks->order.talks[i]];
        if ((talk->archived ? archived : other) &&
            querying_match_talk(querying, &talks->sight.talks, talk))
            shown[talks->shown.count++] = show(mail, talks, talk);
    }
    talks->shown.talks = shown;
}

struct swarmutt_talks *swarmutt_talks(struct swarmutt *mail, const char *query, unsigned flags,
                                      struct swarmutt_error *error)
{
    struct querying querying;
    struct err err = {0};

    lib_begin(error);
    if (!mail) {
        lib_misused(error, "a handle is needed");
        return NULL;
    }
    if (!lib_check_flags(flags, SWARMUTT_IN_INBOX | SWARMUTT_IN_ARCHIVE, error) ||
        !lib_check_text(query, "query", error))
        return NULL;
    struct lib_talks *talks = mem_zero(1, sizeof *talks);
    bool ok = lib_query(&querying, mail, query, &err) && build(mail, talks, &querying, &err);
    if (ok)
        give(mail, talks, flags, &querying);
    querying_close(&querying);
    if (ok)
        return &talks->shown;
    lib_fail(error, &err);
    swarmutt_talks_free(&talks->shown);
    return NULL;
}
