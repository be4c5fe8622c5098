/* Hooks: running the commands of the config for events. */
#include "ui/process/hooks.h"

#include "mail/render/render_event.h"
#include "ui/ui_state.h"

/* Limit of the queue: a hook that is too slow must not fill the memory. */
enum { WAITING_MOST = 1000 };

static const char *const events[CONFIG_HOOK_COUNT] = {
    [CONFIG_HOOK_NEW] = "new",   [CONFIG_HOOK_WAITING] = "waiting", [CONFIG_HOOK_STUCK] = "stuck",
    [CONFIG_HOOK_SENT] = "sent", [CONFIG_HOOK_DECIDED] = "decided",
};

static void report_failure(void *context, const char *sentence)
{
    ui_info(context, STYLE_WARNING, "a hook: %s", sentence);
}

void hooks_open(struct ui *ui)
{
    const struct config *config = ui->options->config;
    struct err err;

    for (size_t i = 0; i < CONFIG_HOOK_COUNT; i++) {
        struct running *running = &ui->hooks.hooks[i].running;
        *running = (struct running){.tell = report_failure,
                                    .context = ui,
                                    .spawner = &ui->spawner,
                                    .silent = true,
                                    .limit_us = config->hook_limit_us};
        if (!process_pipe_open(running, config->hooks[i].len ? config->hooks[i].at : NULL, &err))
            ui_info(ui, STYLE_WARNING, "hook on-%s: %s", events[i], err.text);
    }
}

void hooks_close(struct ui *ui)
{
    for (size_t i = 0; i < CONFIG_HOOK_COUNT; i++)
        if (ui->hooks.hooks[i].running.tell)
            process_pipe_close(&ui->hooks.hooks[i].running);
}

void hooks_poll(struct ui *ui, struct pollfd *fds)
{
    for (size_t i = 0; i < CONFIG_HOOK_COUNT; i++)
        process_pipe_poll(&ui->hooks.hooks[i].running, fds + i * PROCESS_PIPE_FDS);
}

void hooks_work(struct ui *ui, const struct pollfd *fds)
{
    for (size_t i = 0; i < CONFIG_HOOK_COUNT; i++)
        process_pipe_work(&ui->hooks.hooks[i].running, fds + i * PROCESS_PIPE_FDS);
}

bool hooks_has(const struct ui *ui, enum config_hook which)
{
    return ui->hooks.hooks[which].running.command != NULL;
}

void hooks_add_message(const struct ui *ui, struct str *object, const struct message *message)
{
    const struct source *source = ui_source(ui, message->place->source);
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, true);
    render_json(object, message, source->format->name, span_of(source->path), str_span(&path));
}

void hooks_add_agent(const struct ui *ui, struct str *object, const struct agent *agent)
{
    const struct source *source = ui_source(ui, agent->source);
    const struct picture *picture = ui->picture;

    render_agent_json(object, &picture->sight.agents, agent, &picture->model, source->format->name,
                      span_of(source->path), ui_now(ui));
}

void hooks_run(struct ui *ui, enum config_hook which, const struct str *object)
{
    struct hook *hook = &ui->hooks.hooks[which];
    struct pollfd nothing[PROCESS_PIPE_FDS] = {{.fd = -1}, {.fd = -1}};
    CLEANUP(str_free) struct str line = {0};

    if (!hooks_has(ui, which))
        return;
    if (hook->running.waiting >= WAITING_MOST) {
        ui_info(ui, STYLE_WARNING, "the hook on-%s does not keep up: %zu events were left out",
                events[which], ++hook->left_out);
        return;
    }
    render_watch_json(&line, events[which], object);
    process_pipe_add(&hook->running, str_span(&line));
    process_pipe_work(&hook->running, nothing); /* starts it if it is not running */
}

void hooks_sent(struct ui *ui, uint32_t source, const struct outgoing_message *letter,
                struct span path, bool decided)
{
    enum config_hook which = decided ? CONFIG_HOOK_DECIDED : CONFIG_HOOK_SENT;
    const struct draft *draft = &letter->draft;
    const struct source *where = ui_source(ui, source);
    struct place place = {.source = source, .root = where->path, .team = draft->team};
    struct message_data data = {.body = draft->body,
                                .payload = draft->payload,
                                .context = draft->context,
                                .protocol = draft->protocol,
                                .read_us = TIME_NONE,
                                .completed_us = TIME_NONE};
    struct message message = {.id = str_span(&letter->id),
                              .from = draft->from.len ? draft->from : span_of(where->identity),
                              .to = draft->to,
                              .subject = draft->subject,
                              .type = draft->type,
                              .thread = draft->thread,
                              .reply_to = draft->reply_to,
                              .place = &place,
                              .data = &data,
                              .created_us = draft->created_us,
                              .expires_us = draft->expires_us,
                              .priority = (uint8_t)draft->priority,
                              .status = STATUS_UNREAD,
                              .requires_response = draft->requires_response};
    CLEANUP(str_free) struct str object = {0};

    if (!hooks_has(ui, which))
        return;
    render_json(&object, &message, where->format->name, span_of(where->path), path);
    hooks_run(ui, which, &object);
}
