/* Hooks: commands of the config that are run after what happens, each with one line of JSON in the
 * form of the events of watch --json. One at a time for each hook, and nothing waits for them. */
#ifndef UI_PROCESS_HOOKS_H
#define UI_PROCESS_HOOKS_H

#include "mail/agent/agent.h"
#include "store/config/config.h"
#include "store/send/deliver.h"
#include "ui/process/process_pipe.h"

struct ui;

enum { HOOKS_FDS = CONFIG_HOOK_COUNT * PROCESS_PIPE_FDS };

struct hook {
    struct running running;
    size_t left_out; /* events for which there was no room */
};

/* Zero-initialised runs nothing. */
struct hooks {
    struct hook hooks[CONFIG_HOOK_COUNT];
};

void hooks_open(struct ui *ui);
/* What is still at work is left to itself. */
void hooks_close(struct ui *ui);

/* For the loops: fills in HOOKS_FDS to wait for, and goes on with what came of it. */
void hooks_poll(struct ui *ui, struct pollfd *fds);
void hooks_work(struct ui *ui, const struct pollfd *fds);

/* Whether there is such a hook, for who would have to make its JSON. */
bool hooks_has(const struct ui *ui, enum config_hook which);

/* Appends a message, or an agent, as the line that an event is made of. */
void hooks_add_message(const struct ui *ui, struct str *object, const struct message *message);
void hooks_add_agent(const struct ui *ui, struct str *object, const struct agent *agent);
/* Runs the hook with its event: such a line, with the event's name put in. */
void hooks_run(struct ui *ui, enum config_hook which, const struct str *object);

/* To be called by who has sent something, on the thread of the screens: a message of the person's
 * was delivered there, or with `decided` one that answers a request. `path` is the file it went to,
 * or absent. */
void hooks_sent(struct ui *ui, uint32_t source, const struct outgoing_message *letter,
                struct span path, bool decided);

#endif
