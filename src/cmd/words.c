/* The words that options and operands take. */
#include "cmd/words.h"

#include "cmd/command.h"
#include "mail/protocol/decision.h"
#include "mail/protocol/lead_command.h"
#include "mail/protocol/protocol_table.h"
#include "store/format/format.h"

static const char *from_list(const char *const *list, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (!list[i])
            return NULL;
    return list[number];
}

const char *words_behavior(unsigned number)
{
    return from_list(lead_behaviors(), number);
}

const char *words_command(unsigned number)
{
    size_t at = 0;

    while (commands[at] && (commands[at]->hidden || number--))
        at++;
    return commands[at] ? commands[at]->name : NULL;
}

const char *words_config(unsigned number)
{
    static const char *const list[] = {"check", "show", NULL};

    return from_list(list, number);
}

const char *words_count(unsigned number)
{
    static const char *const list[] = {"text", "json", "tmux", NULL};

    return from_list(list, number);
}

const char *words_decision(unsigned number)
{
    return number < DECISION_COUNT ? decisions[number].name : NULL;
}

const char *words_idle_reason(unsigned number)
{
    return from_list(protocol_idle_reasons.list, number);
}

const char *words_index(unsigned number)
{
    static const char *const list[] = {"status", "rebuild", "drop", NULL};

    return from_list(list, number);
}

const char *words_layout(unsigned number)
{
    for (unsigned i = 0; i <= number; i++)
        if (!formats[i])
            return NULL;
    return formats[number]->name;
}

const char *words_level(unsigned number)
{
    return number < ESCALATION_LEVELS ? escalation_routes[number].word : NULL;
}

const char *words_log(unsigned number)
{
    return number ? NULL : "verify";
}

const char *words_mode(unsigned number)
{
    return from_list(lead_modes(), number);
}

const char *words_outbox(unsigned number)
{
    static const char *const list[] = {"retry", "drop", NULL};

    return from_list(list, number);
}

const char *words_output(unsigned number)
{
    static const char *const list[] = {"text", "markdown", "prompt", "xml", "json", NULL};

    return from_list(list, number);
}

const char *words_protocol(unsigned number)
{
    return number ? NULL : "compose";
}

const char *words_protocol_kind(unsigned number)
{
    enum protocol_kind kind = PROTOCOL_UNKNOWN + 1 + number;

    return kind < PROTOCOL_KIND_COUNT ? protocol_kind_name(kind) : NULL;
}

const char *words_scope(unsigned number)
{
    static const char *const list[] = {"mine", "all", NULL};

    return from_list(list, number);
}

const char *words_shell(unsigned number)
{
    static const char *const list[] = {"bash", "zsh", "fish", NULL};

    return from_list(list, number);
}

const char *words_task_status(unsigned number)
{
    return from_list(protocol_task_statuses.list, number);
}

/* The types of ADR-003. Agent Inbox takes any word, the other layouts take none. */
const char *words_type(unsigned number)
{
    static const char *const list[] = {"request", "response",   "notification",
                                       "handoff", "escalation", NULL};

    return from_list(list, number);
}
