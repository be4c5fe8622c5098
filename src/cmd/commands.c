/* The table of subcommands: one line each. */
#include "cmd/command.h"

/* clang-format off */
extern const struct command command_agents;
extern const struct command command_archive;
extern const struct command command_assign;
extern const struct command command_broadcast;
extern const struct command command_check;
extern const struct command command_cleanup;
extern const struct command command_complete;
extern const struct command command_completion;
extern const struct command command_config;
extern const struct command command_count;
extern const struct command command_decide;
extern const struct command command_demo;
extern const struct command command_doctor;
extern const struct command command_escalate;
extern const struct command command_flow;
extern const struct command command_formats;
extern const struct command command_handoff;
extern const struct command command_handoffs;
extern const struct command command_help;
extern const struct command command_index;
extern const struct command command_list;
extern const struct command command_log;
extern const struct command command_mark;
extern const struct command command_mcp;
extern const struct command command_messages;
extern const struct command command_mode;
extern const struct command command_outbox;
extern const struct command command_pending;
extern const struct command command_protocol;
extern const struct command command_reply;
extern const struct command command_restore;
extern const struct command command_rules;
extern const struct command command_search;
extern const struct command command_send;
extern const struct command command_sent;
extern const struct command command_show;
extern const struct command command_shutdown;
extern const struct command command_sources;
extern const struct command command_thread;
extern const struct command command_wait;
extern const struct command command_watch;

const struct command *const commands[] = {
    &command_list,
    &command_pending,
    &command_decide,
    &command_agents,
    &command_messages,
    &command_search,
    &command_check,
    &command_show,
    &command_thread,
    &command_count,
    &command_watch,
    &command_wait,
    &command_mcp,
    &command_send,
    &command_reply,
    &command_handoff,
    &command_broadcast,
    &command_shutdown,
    &command_mode,
    &command_assign,
    &command_rules,
    &command_escalate,
    &command_sent,
    &command_log,
    &command_handoffs,
    &command_flow,
    &command_mark,
    &command_archive,
    &command_cleanup,
    &command_outbox,
    &command_demo,
    &command_index,
    &command_doctor,
    &command_sources,
    &command_config,
    &command_protocol,
    &command_formats,
    &command_help,
    &command_completion,
    &command_complete,
    &command_restore,
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
