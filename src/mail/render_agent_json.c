/* Rendering for programs: an agent as a JSON object. */
#include "base/json_print.h"
#include "mail/render_watch.h"

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

void render_agent_json(struct str *out, const struct agents *agents, const struct agent *agent,
                       const struct model *model, const char *format, struct span source,
                       int64_t now_us)
{
    str_puts(out, "{\"v\":1");
    render_json_text(out, "agent", agent->name);
    render_json_text(out, "team", agent->team);
    render_json_text(out, "source", source);
    render_json_text(out, "format", span_of(format));
    render_json_text(out, "state", span_of(agent_state_name(agent->state)));
    render_json_text(out, "why", agent->why);
    render_json_time(out, "heard_at", agent->heard_us);
    str_addf(out, ",\"unread\":%zu", agent->unread);
    render_json_time(out, "oldest_unread_at", agent->unread_us);
    render_json_text(out, "waiting_on", agent->waits_on);
    render_json_seconds(out, "waiting_s", agent->waits_us, now_us);
    str_addf(out, ",\"on_roster\":%s,\"spoke\":%s", agent->on_roster ? "true" : "false",
             agent->spoke ? "true" : "false");
    put_names(out, "boxes", &agent->names);
    put_circle(out, agents, agent);
    render_json_text(out, "evidence",
                     agent->evidence != AGENT_NONE ? model->messages[agent->evidence]->id
                                                   : (struct span){0});
    str_puts(out, "}\n");
}
