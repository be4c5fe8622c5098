/* The table of subcommands: one line each. */
#include "cmd/command.h"

extern const struct command command_agents, command_archive, command_broadcast, command_check,
    command_count, command_cleanup, command_formats, command_handoff, command_help, command_mark,
    command_messages, command_outbox, command_protocol, command_reply, command_send, command_show,
    command_sources, command_thread, command_wait, command_watch;

const struct command *const commands[] = {
    &command_check,   &command_messages, &command_show,
    &command_thread,  &command_watch,    &command_wait,
    &command_agents,  &command_count,    &command_send,
    &command_reply,   &command_handoff,  &command_broadcast,
    &command_mark,    &command_archive,  &command_cleanup,
    &command_outbox,  &command_sources,  &command_protocol,
    &command_formats, &command_help,     NULL,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
