/* Answering: what belongs to an answer besides its words. */
#include "store/address_owner.h"
#include "store/store.h"

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
    return outcome.ok ||
           err_set(err, ERR_UNCONFIRMED,
                   "the answer is sent, but the message it answers was not archived: %s",
                   outcome.err.text);
}
