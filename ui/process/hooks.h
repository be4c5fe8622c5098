/* Hooks: commands of the config that are run after an event, each with one line of JSON in the form
 * of the events of watch --json. Each hook runs one command at a time, and nothing waits for it. */
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
    size_t left_out; /* events dropped because the queue was full */
};

/* Zero-initialised has no hooks. */
struct hooks {
    struct hook hooks[CONFIG_HOOK_COUNT];
};

void hooks_open(struct ui *ui);
/* Lets a running command continue by itself. */
void hooks_close(struct ui *ui);

/* For the loops: hooks_poll() fills in HOOKS_FDS descriptors to poll, hooks_work() handles their
 * events. */
void hooks_poll(struct ui *ui, struct pollfd *fds);
void hooks_work(struct ui *ui, const struct pollfd *fds);

/* Reports whether there is such a hook, so that callers can skip making its JSON. */
bool hooks_has(const struct ui *ui, enum config_hook which);

/* Append a message, or an agent, as the JSON object of an event. */
void hooks_add_message(const struct ui *ui, struct str *object, const struct message *message);
void hooks_add_agent(const struct ui *ui, struct str *object, const struct agent *agent);
/* Runs the hook with that object, to which it adds the name of the event. */
void hooks_run(struct ui *ui, enum config_hook which, const struct str *object);

/* To be called on the UI thread after something was sent: a message of the person was delivered
 * there, or with `decided` an answer to a request. `path` is the file it was written to, or
 * absent. */
void hooks_sent(struct ui *ui, uint32_t source, const struct outgoing_message *letter,
                struct span path, bool decided);

#endif
