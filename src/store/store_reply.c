/* Preparing an answer: whom it goes to, and what the layout puts into it. */
#include "store/store_private.h"

/* Whom a message went to that the answer's own author wrote; absent when another one did, and when
 * it went to its author or to everybody. */
static struct span other_end(const struct source *source, const struct message *message,
                             const struct draft *answer)
{
    const struct format *format = source->format;
    bool in_box = place_tells_box(format->rules[0].pattern) && !format->exact_to;
    struct span to = in_box ? message->place->box : message->to;

    struct span author = answer->from.at ? answer->from : span_of(source->identity);

    if (!span_eq(message->from, author) || span_eq(to, author) || !to.len ||
        format_is_everybody(format, to))
        return (struct span){0};
    return to;
}

bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err)
{
    const struct source *source = &store->sources[original->place->source];
    struct span other = other_end(source, original, draft);

    if (source->format->verbs[VERB_REPLY].ability == ABILITY_NONE)
        return err_set(err, ERR_REFUSED, "the layout %s has no way to reply",
                       source->format->title);
    if (!original->from.len)
        return err_set(err, ERR_REFUSED, "%s: it does not say who sent it", original->file.at);
    source->format->reply(original, draft, arena);
    if (other.at) /* going on with what we said ourselves is for who was told */
        draft->to = arena_copy(arena, other);
    return true;
}
