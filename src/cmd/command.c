/* The table of subcommands. Each is defined as command_NAME in its own file, and has a line here,
 * in the order of help. */
#include "cmd/command.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define COMMANDS(X) \
    X(list) \
    X(pending) \
    X(decide) \
    X(agents) \
    X(messages) \
    X(search) \
    X(check) \
    X(show) \
    X(thread) \
    X(count) \
    X(watch) \
    X(wait) \
    X(mcp) \
    X(send) \
    X(reply) \
    X(handoff) \
    X(broadcast) \
    X(shutdown) \
    X(mode) \
    X(assign) \
    X(rules) \
    X(escalate) \
    X(sent) \
    X(log) \
    X(handoffs) \
    X(flow) \
    X(mark) \
    X(archive) \
    X(restore) \
    X(cleanup) \
    X(outbox) \
    X(demo) \
    X(index) \
    X(doctor) \
    X(sources) \
    X(config) \
    X(protocol) \
    X(formats) \
    X(help) \
    X(version) \
    X(completion) \
    X(complete)
/* clang-format on */

#define DECLARE(name) extern const struct command command_##name;
COMMANDS(DECLARE)

#define ENTRY(name) &command_##name,
const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}
