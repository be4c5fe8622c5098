/* What became of handoffs: found once, told for each message that is shown. */
#include "cmd/read/handed.h"

bool handed_open(struct handed *handed, struct app *app, const struct model *model, struct err *err)
{
    if (!store_agents(app->store, &app->config, &handed->world, err))
        return false;
    sight_build(&handed->sight, model, &handed->world, app_now(app), true);
    return true;
}

void handed_close(struct handed *handed)
{
    sight_free(&handed->sight);
    agents_world_free(&handed->world);
}

void handed_add(const struct handed *handed, const struct message *message, int64_t now_us,
                struct str *sentence)
{
    const struct courses *handoffs = &handed->sight.handoffs;

    for (size_t i = 0; i < handoffs->count; i++)
        if (handoffs->model->messages[handoffs->items[i].message] == message)
            course_add_sentence(sentence, handoffs, &handoffs->items[i], now_us);
}
