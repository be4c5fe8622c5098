/* The doctor: agents that wait for each other, and a config that makes no sense. */
#include "store/agents.h"
#include "store/doctor_exam.h"

static void tell_circle(struct exam *exam, const struct agents *agents,
                        const struct agent_circle *circle)
{
    const struct agent *first = &agents->items[circle->members[0]];
    struct str text = {0}, advice = {0};

    str_puts(&text, "agents wait for each other: ");
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(&text, i ? " -> " : "");
        str_add_span(&text, agents->items[circle->members[i % circle->count]].name);
    }
    str_puts(&advice, "answer one of them in place of the one who is asked, or tell it to go on: "
                      "swarmutt send --to ");
    doctor_add_word(&advice, first->name);
    doctor_find(exam, true, first->name, &text, &advice);
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
        struct agents_input input = agents_world_input(&world);
        asks_build(&asks, &exam->model, when_now());
        input.model = &exam->model;
        input.asks = &asks;
        input.now_us = when_now();
        agents_build(&agents, &input);
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
    struct str text = {0}, advice = {0};
    struct err err;

    if (!config_load(&config, &err)) {
        str_puts(&text, err.text);
        str_puts(&advice, "correct that line; until then commands that need the config fail");
        doctor_find(exam, true, (struct span){0}, &text, &advice);
    }
    config_free(&config);
}
