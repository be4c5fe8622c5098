/* The head of an agent's page: its lines. */
#include "ui/views/agent_head.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "ui/snapshot/names.h"

#include <stdlib.h>

static void end_line(struct head_lines *lines, const char *label, int look)
{
    lines->items = mem_grow(lines->items, &lines->cap, lines->count + 1, sizeof *lines->items);
    lines->items[lines->count++] =
        (struct head_line){label, arena_copy(&lines->arena, str_span(&lines->text)), look};
    str_clear(&lines->text);
}

void head_lines_free(struct head_lines *lines)
{
    arena_free(&lines->arena);
    str_free(&lines->text);
    free(lines->items);
}

static void add_age(struct head_lines *lines, int64_t since_us)
{
    if (since_us == WHEN_NONE)
        str_puts(&lines->text, "unknown");
    else
        when_add_age(&lines->text, ui_now(lines->ui) - since_us);
}

static void add_who(struct head_lines *lines)
{
    const struct agent *agent = lines->agent;
    const struct source *source = ui_source(lines->ui, agent->source);

    names_add(lines->ui, &lines->text, agent, true);
    if (agent->role.len) {
        str_puts(&lines->text, ", ");
        str_add_span(&lines->text, agent->role);
    }
    if (agent->lead)
        str_puts(&lines->text, ", leads the team");
    if (agent->off_roster)
        str_puts(&lines->text, ", on no roster");
    if (agent->since_us != WHEN_NONE) {
        str_puts(&lines->text, ", for ");
        add_age(lines, agent->since_us);
    }
    if (ui_who(lines->ui)->sources)
        str_addf(&lines->text, ", in %s:%s", source->format->name, source->path);
    end_line(lines, agent_state_name(agent->state), who_look(agent->state));
}

static void add_heard(struct head_lines *lines)
{
    const struct agent *agent = lines->agent;

    if (agent->heard_us == WHEN_NONE) {
        str_puts(&lines->text, agent->spoke ? "at an unknown time" : "never");
    } else {
        add_age(lines, agent->heard_us);
        str_puts(&lines->text, " ago");
    }
    if (agent->unread) {
        str_addf(&lines->text, "; %zu unread, the oldest since ", agent->unread);
        add_age(lines, agent->unread_us);
    } else {
        str_puts(&lines->text, "; it has read all its mail");
    }
    end_line(lines, "heard", LOOK_PLAIN);
}

static void add_circle(struct head_lines *lines)
{
    const struct agents *agents = &ui_picture(lines->ui)->sight.agents;

    if (lines->agent->circle == AGENT_NONE)
        return;
    const struct agent_circle *circle = &agents->circles[lines->agent->circle];
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(&lines->text, i ? " waits for " : "");
        str_add_span(&lines->text, agents->items[circle->members[i % circle->count]].name);
    }
    end_line(lines, "circle", LOOK_STUCK);
}

static void add_ask(struct head_lines *lines, const struct message *message, bool by_it)
{
    add_age(lines, message->created_us);
    str_puts(&lines->text, by_it ? " for " : " by ");
    if (by_it && message_for_us(message))
        str_puts(&lines->text, "you");
    else if (!by_it && message->by_us)
        str_puts(&lines->text, "you");
    else
        str_add_span(&lines->text, by_it ? message_recipient(message) : message->from);
    str_addf(&lines->text, ": %s ", kind_word(message->kind));
    str_add_span(&lines->text, span_first_line(message->subject));
    end_line(lines, by_it ? "waits" : "asked",
             by_it && message_for_us(message) ? LOOK_NEEDS : LOOK_PLAIN);
}

/* What it waits for before who waits for it. */
static void add_asks(struct head_lines *lines)
{
    const struct sight *sight = &ui_picture(lines->ui)->sight;
    uint32_t parts[WHO_PARTS];

    for (int by_it = 1; by_it >= 0; by_it--) {
        for (size_t i = 0; i < sight->asks.count; i++) {
            if (!ask_waits(&sight->asks.items[i]))
                continue;
            const struct message *message = sight->model->messages[sight->asks.items[i].message];
            who_of_message(ui_who(lines->ui), message, parts);
            uint32_t to = message->to.len ? parts[WHO_TO] : parts[WHO_BOX];
            if ((by_it ? parts[WHO_FROM] : to) == lines->number)
                add_ask(lines, message, by_it);
        }
    }
}

static bool owns(struct head_lines *lines, const struct agent_task *task)
{
    struct span owner = task->owner, name, list;

    if (span_split_last(owner, '@', &name, &list) && span_eq(list, task->list))
        owner = name;
    uint32_t found = who_find(ui_who(lines->ui), task->source, task->list, owner);
    if (found == AGENT_NONE)
        found = who_find(ui_who(lines->ui), task->source, (struct span){0}, owner);
    return found == lines->number;
}

static void add_tasks(struct head_lines *lines)
{
    const struct agents_world *world = ui_picture(lines->ui)->world;
    size_t completed = 0;

    for (size_t i = 0; world && i < world->work_count; i++) {
        const struct agent_task *task = &world->works[i];
        if (!owns(lines, task))
            continue;
        if (span_is(task->status, "completed")) {
            completed++;
            continue;
        }
        str_add_span(&lines->text, task->id);
        str_putc(&lines->text, ' ');
        str_add_span(&lines->text, task->status.len ? task->status : span_of("without a status"));
        str_puts(&lines->text, ": ");
        str_add_span(&lines->text, task->subject);
        end_line(lines, "task", LOOK_PLAIN);
    }
    if (completed) {
        str_addf(&lines->text, "%zu completed", completed);
        end_line(lines, "tasks", LOOK_DIM);
    }
}

static void add_unsent(struct head_lines *lines)
{
    const struct agents_world *world = ui_picture(lines->ui)->world;

    for (size_t i = 0; world && i < world->unsent_count; i++) {
        const struct agent_unsent *unsent = &world->unsent[i];
        if (who_find(ui_who(lines->ui), unsent->source, unsent->team, unsent->to) != lines->number)
            continue;
        str_puts(&lines->text, "a message of yours, ");
        add_age(lines, unsent->since_us);
        str_puts(&lines->text, unsent->failed
                                   ? ", was not delivered and will not go out by itself; see 4"
                                   : ", is still on its way; see 4");
        end_line(lines, "unsent", unsent->failed ? LOOK_ERROR : LOOK_WARNING);
    }
}

void head_lines_build(struct head_lines *lines)
{
    const struct agents *agents = &ui_picture(lines->ui)->sight.agents;

    if (lines->number == AGENT_NONE) {
        str_puts(&lines->text, ui_picture(lines->ui)->ready
                                   ? "no roster, mailbox or message names this agent any more"
                                   : "looking for agents ...");
        end_line(lines, "", LOOK_DIM);
        return;
    }
    lines->agent = &agents->items[lines->number];
    add_who(lines);
    aging_add(&lines->text, lines->agent->why, &lines->agent->why_ages, ui_now(lines->ui));
    end_line(lines, "why", LOOK_PLAIN);
    add_heard(lines);
    add_circle(lines);
    add_asks(lines);
    add_unsent(lines);
    add_tasks(lines);
}
