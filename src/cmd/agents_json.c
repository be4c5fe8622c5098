/* An agent as JSON. */
#include "base/json_print.h"
#include "cmd/agents.h"

static void put_text(struct str *out, const char *key, struct span text)
{
    str_addf(out, ",\"%s\":", key);
    if (text.at)
        json_put_text(out, text, &json_style_line);
    else
        str_puts(out, "null");
}

static void put_time(struct str *out, const char *key, int64_t when_us)
{
    struct str time = {0};

    if (when_us != WHEN_NONE)
        when_add_utc(&time, when_us);
    put_text(out, key, when_us == WHEN_NONE ? (struct span){0} : str_span(&time));
    str_free(&time);
}

static void put_names(struct str *out, const char *key, const struct span_list *names)
{
    str_addf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < names->count; i++) {
        str_puts(out, i ? "," : "");
        json_put_text(out, names->items[i], &json_style_line);
    }
    str_putc(out, ']');
}

static void put_circle(struct str *out, const struct agents *agents, const struct agent *agent)
{
    struct span_list names = {0};

    if (agent->circle == AGENT_NONE) {
        str_puts(out, ",\"circle\":null");
        return;
    }
    const struct agent_circle *circle = &agents->circles[agent->circle];
    for (size_t i = 0; i < circle->count; i++)
        span_list_add(&names, agents->items[circle->members[i]].name);
    put_names(out, "circle", &names);
    span_list_free(&names);
}

void agents_add_json(struct str *out, const struct app *app, const struct agents *agents,
                     const struct agent *agent, const struct model *model)
{
    const struct source *source = store_source(app->store, agent->source);

    str_puts(out, "{\"v\":1");
    put_text(out, "agent", agent->name);
    put_text(out, "team", agent->team);
    put_text(out, "source", span_of(source->path));
    put_text(out, "format", span_of(source->format->name));
    put_text(out, "state", span_of(agent_state_name(agent->state)));
    put_text(out, "why", agent->why);
    put_time(out, "heard_at", agent->heard_us);
    str_addf(out, ",\"unread\":%zu", agent->unread);
    put_time(out, "oldest_unread_at", agent->unread_us);
    put_text(out, "waiting_on", agent->waits_on);
    if (agent->waits_us == WHEN_NONE)
        str_puts(out, ",\"waiting_s\":null");
    else
        str_addf(out, ",\"waiting_s\":%lld",
                 (long long)((app_now(app) - agent->waits_us) / 1000000));
    str_addf(out, ",\"on_roster\":%s,\"spoke\":%s", agent->on_roster ? "true" : "false",
             agent->spoke ? "true" : "false");
    put_names(out, "boxes", &agent->names);
    put_circle(out, agents, agent);
    put_text(out, "evidence",
             agent->evidence == AGENT_NONE ? (struct span){0}
                                           : model->messages[agent->evidence]->id);
    str_puts(out, "}\n");
}
