/* The table of subcommands: one line each. */
#include "cmd/command.h"

extern const struct command command_agents, command_archive, command_broadcast, command_check,
    command_cleanup, command_count, command_doctor, command_flow, command_formats, command_handoff,
    command_help, command_list, command_mark, command_messages, command_outbox, command_pending,
    command_protocol, command_reply, command_send, command_sent, command_show, command_sources,
    command_thread, command_wait, command_watch;

/* clang-format off */
const struct command *const commands[] = {
    &command_list,
    &command_pending,
    &command_agents,
    &command_messages,
    &command_check,
    &command_show,
    &command_thread,
    &command_count,
    &command_watch,
    &command_wait,
    &command_send,
    &command_reply,
    &command_handoff,
    &command_broadcast,
    &command_sent,
    &command_flow,
    &command_mark,
    &command_archive,
    &command_cleanup,
    &command_outbox,
    &command_doctor,
    &command_sources,
    &command_protocol,
    &command_formats,
    &command_help,
    NULL,
};
/* clang-format on */

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
