/* Replies: an index over what answers say they answer. */
#include "mail/replies.h"

#include "base/mem.h"

#include <stdlib.h>

/* Sources have ids of their own. Borrowed until the next call. */
static struct span key_of(struct replies *replies, uint32_t source, bool short_replies,
                          struct span id)
{
    enum { SHORT_ID = 8 };

    if (short_replies && id.len > SHORT_ID)
        id.len = SHORT_ID;
    str_clear(&replies->scratch);
    str_addf(&replies->scratch, "%u ", source);
    str_add_span(&replies->scratch, id);
    return str_span(&replies->scratch);
}

void replies_build(struct replies *replies, const struct model *model)
{
    *replies = (struct replies){.next = mem_zero(model->count + 1, sizeof(uint32_t))};
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const struct place *place = message->place;
        bool fresh;
        if (!message->reply_to.len || message->damaged)
            continue;
        struct span key = key_of(replies, place->source, place->short_replies, message->reply_to);
        if (!map_get(&replies->firsts, key))
            key = arena_copy(&replies->keys, key);
        uint32_t *first = map_put(&replies->firsts, key, &fresh);
        replies->next[i] = *first;
        *first = (uint32_t)i + 1;
    }
}

void replies_free(struct replies *replies)
{
    map_free(&replies->firsts);
    arena_free(&replies->keys);
    str_free(&replies->scratch);
    free(replies->next);
    *replies = (struct replies){0};
}

uint32_t replies_first(struct replies *replies, const struct replied *what)
{
    const uint32_t *first =
        what->id.len ? map_get(&replies->firsts,
                               key_of(replies, what->source, what->short_replies, what->id))
                     : NULL;

    return first ? *first - 1 : REPLY_NONE;
}

uint32_t replies_next(const struct replies *replies, uint32_t reply)
{
    return replies->next[reply] ? replies->next[reply] - 1 : REPLY_NONE;
}

uint32_t replies_find(struct replies *replies, const struct model *model,
                      const struct replied *what)
{
    uint32_t best = REPLY_NONE;

    for (uint32_t at = replies_first(replies, what); at != REPLY_NONE;
         at = replies_next(replies, at)) {
        const struct message *reply = model->messages[at];
        if (span_eq(reply->from, what->from) || !span_eq(reply->place->team, what->team))
            continue;
        if (best == REPLY_NONE || message_cmp_time(reply, model->messages[best]) < 0)
            best = at;
    }
    return best;
}
