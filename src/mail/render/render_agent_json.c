/* Rendering for programs: an agent as a JSON object. */
#include "base/json/json_print.h"
#include "mail/render/render_watch.h"

static void put_circle(struct str *out, const struct agents *agents, const struct agent *agent)
{
    struct span_list names = {0};

    if (agent->circle == AGENT_NONE) {
        json_member_null(out, "circle");
        return;
    }
    const struct agent_circle *circle = &agents->circles[agent->circle];
    for (size_t i = 0; i < circle->count; i++)
        span_list_add(&names, agents->items[circle->members[i]].name);
    json_member_list(out, "circle", &names);
    span_list_free(&names);
}

void render_agent_json(struct str *out, const struct agents *agents, const struct agent *agent,
                       const struct model *model, const char *format, struct span source,
                       int64_t now_us)
{
    str_puts(out, "{\"v\":1");
    json_member(out, "agent", agent->name);
    json_member(out, "team", agent->team);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "state", span_of(agent_state_name(agent->state)));
    json_member(out, "why", agent->why);
    json_member_time(out, "heard_at", agent->heard_us);
    json_member_count(out, "unread", agent->unread);
    json_member_time(out, "oldest_unread_at", agent->unread_us);
    json_member(out, "waiting_on", agent->waits_on);
    json_member_seconds(out, "waiting_s", agent->waits_us, now_us);
    json_member_flag(out, "on_roster", agent->on_roster);
    json_member_flag(out, "spoke", agent->spoke);
    json_member_list(out, "boxes", &agent->names);
    put_circle(out, agents, agent);
    json_member(out, "evidence",
                agent->evidence != AGENT_NONE ? model->messages[agent->evidence]->id
                                              : (struct span){0});
    str_puts(out, "}\n");
}
