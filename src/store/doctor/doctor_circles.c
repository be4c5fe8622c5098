/* The doctor: agents that wait for each other, and a config that makes no sense. */
#include "store/doctor/doctor_private.h"
#include "store/source/agents.h"

/* The request that an agent of the circle got from the one before it: it says by which of its names
 * the agent gets mail. NULL when that one is shown with something more pressing. */
static const struct message *find_request(const struct exam *exam, const struct agents *agents,
                                          const struct agent_circle *circle)
{
    const struct agent *first = &agents->items[circle->members[0]];
    const struct agent *last = &agents->items[circle->members[circle->count - 1]];
    const struct message *message =
        last->evidence == AGENT_NONE ? NULL : exam->model.messages[last->evidence];

    for (size_t i = 0; message && i < first->names.count; i++)
        if (span_eq(first->names.items[i], message_recipient(message)))
            return message;
    return NULL;
}

static void tell_circle(struct exam *exam, const struct agents *agents,
                        const struct agent_circle *circle)
{
    const struct agent *first = &agents->items[circle->members[0]];
    const struct message *request = find_request(exam, agents, circle);
    struct str text = {0}, advice = {0};

    str_puts(&text, "agents wait for each other: ");
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(&text, i ? " -> " : "");
        str_add_span(&text, agents->items[circle->members[i % circle->count]].name);
    }
    str_puts(&advice, "answer one of them in place of the one who is asked, or tell it to go on: "
                      "swarmutt send --to ");
    doctor_add_word(&advice, request ? message_recipient(request) : first->name);
    doctor_find(exam, true, request ? request->place->dir : first->name, &text, &advice);
}

void look_circles(struct exam *exam)
{
    struct config config = {0};
    struct agents_world world = {0};
    struct agents agents = {0};
    struct asks asks = {0};
    struct err ignored;

    config_load(&config, &ignored); /* limits have no part in it */
    if (agents_world_fill(exam->store, &config, &world, &ignored)) {
        int64_t now_us = when_now();
        asks_build(&asks, &exam->model, now_us);
        agents_world_build(&world, &exam->model, &asks, now_us, &agents);
        for (size_t i = 0; i < agents.circle_count; i++)
            tell_circle(exam, &agents, &agents.circles[i]);
        agents_free(&agents);
        asks_free(&asks);
    }
    agents_world_free(&world);
    config_free(&config);
}

void look_config(struct exam *exam)
{
    struct config config = {0};
    struct err ignored;

    config_load(&config, &ignored);
    for (size_t i = 0; i < config.mistake_count; i++) {
        const struct config_mistake *mistake = &config.mistakes[i];
        struct str text = {0}, advice = {0};
        str_addf(&text, "%s: ", config.path);
        if (mistake->line)
            str_addf(&text, "line %u: ", mistake->line);
        str_add_span(&text, mistake->text);
        str_puts(&advice, "correct it; until then every other command that opens mailboxes fails");
        doctor_find(exam, true, (struct span){0}, &text, &advice);
    }
    config_free(&config);
}
