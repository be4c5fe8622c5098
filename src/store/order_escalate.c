/* Orders: the id of an escalation that is new. */
#include "store/order.h"

/* The highest number that an escalation of the day has in any message that can be seen. */
static unsigned find_highest(const struct model *model, struct span day)
{
    unsigned highest = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const struct message_data *data = message->data;
        highest = escalation_highest(message->subject, day, highest);
        if (!data)
            continue;
        const struct span texts[] = {data->body, data->payload, data->context, data->tags};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            highest = escalation_highest(texts[k], day, highest);
    }
    return highest;
}

bool store_name_escalation(struct store *store, struct order_terms *terms, struct str *id,
                           struct err *err)
{
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    struct str day = {0};

    if (terms->id.at)
        return true;
    bool ok = store_load(store, &all, &model, err);
    if (ok) {
        escalation_add_day(&day, terms->now_us);
        escalation_add_next(id, str_span(&day), find_highest(&model, str_span(&day)));
        terms->id = str_span(id);
    }
    model_free(&model);
    str_free(&day);
    return ok;
}
