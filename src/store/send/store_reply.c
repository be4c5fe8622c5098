/* Answers: whom they go to, what the layout puts into them, and what they end. */
#include "store/source/address_owner.h"
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

bool store_join_thread(struct store *store, struct draft *draft, struct model *model, bool *found,
                       struct err *err)
{
    struct load all = {.inbox = true, .archive = true};

    *found = false;
    if (!draft->reply_to.at)
        return true;
    if (!store_load(store, &all, model, err))
        return false;
    struct message *original = model_find(model, draft->reply_to, err);
    if (!original)
        return err->scope == ERR_ABSENT;
    const struct format *format = store_source(store, original->place->source)->format;
    *found = true;
    draft->reply_to = original->id;
    if (!draft->thread.at && format->fields & FIELD_THREAD)
        draft->thread = original->thread.len ? original->thread : original->id;
    return true;
}

struct send_options store_answer_options(const struct message *original)
{
    /* The sender wrote, so the name is real even where no mailbox of it exists yet. */
    return (struct send_options){
        .create = true, .source = original->place->source, .answers_box = original->place->box};
}

bool store_ends_by_answer(const struct store *store, const struct message *message,
                          struct span self)
{
    const struct source *source = store_source(store, message->place->source);

    return address_ends_by_answer(source, message, self.at ? self : span_of(source->identity));
}

bool store_end_by_answer(struct store *store, struct message *message, struct span self,
                         bool *archived, struct err *err)
{
    struct changed outcome;

    *archived = store_ends_by_answer(store, message, self);
    if (!*archived)
        return true;
    store_change(store, &message, 1, STATUS_ARCHIVED, (struct span){0}, &outcome);
    *archived = outcome.ok;
    if (outcome.ok)
        return true;
    return err_set(err, ERR_UNCONFIRMED,
                   "the answer is sent, but the message it answers was not archived: %s",
                   outcome.err.text);
}
