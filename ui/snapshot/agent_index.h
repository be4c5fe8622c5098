/* Agents of a snapshot, found by their names; keys that identify them over all snapshots; and their
 * mail. No curses. */
#ifndef UI_SNAPSHOT_AGENT_INDEX_H
#define UI_SNAPSHOT_AGENT_INDEX_H

#include "base/map.h"
#include "mail/agent/agent.h"

/* Finds agents by any of their names. Borrows from the agents; zero-initialised is empty. */
struct who_index {
    struct map places; /* source, team and name: 1 + the agent's number */
    struct map shared; /* of each name: how many agents have it */
    struct arena arena;
    struct str scratch;
    bool teams, sources; /* there are several */
};

/* Replaces what was in the index before. */
void agent_index_build(struct who_index *index, const struct agents *agents);
void agent_index_free(struct who_index *index);

/* Returns the index of the agent with that name in a source and team, or AGENT_NONE. Where mail is
 * not kept by team the team is absent. */
uint32_t agent_index_find(struct who_index *index, uint32_t source, struct span team,
                          struct span name);
/* Finds the author of a message, its recipient, and the owner of its box: AGENT_NONE for each that
 * is no agent. */
enum { AGENT_FROM, AGENT_TO, AGENT_BOX, AGENT_PARTS };
void agent_index_of_message(struct who_index *index, const struct message *message,
                            uint32_t agents[AGENT_PARTS]);
bool agent_index_has_message(struct who_index *index, const struct message *message,
                             uint32_t agent);

/* True if that is one of its names. NAME@TEAM is one where mail is kept by team in its source,
 * which `apart` says; else it is TEAM/NAME. */
bool agent_index_is_called(const struct agent *agent, struct span name, bool apart);

/* Appends a key that identifies the agent; and finds the agent with that key, or AGENT_NONE. */
void agent_index_add_key(struct str *key, const struct agent *agent);
uint32_t agent_index_with_key(const struct agents *agents, struct span key);

/* Appends its name as commands take it; with its team where that is wanted, or where another one
 * has the same name. `apart` says whether mail is kept by team in its source. */
void agent_index_add_label(struct str *out, const struct who_index *index,
                           const struct agent *agent, bool with_team, bool apart);

/* True if each of the words is a part of its name, its team, its role or its state. */
bool agent_index_matches(const struct agent *agent, struct span words);

/* True if the person should see it: it may be stuck, or waits for them. */
bool agent_index_needs_you(const struct agent *agent);
/* Returns the style of a state. */
int agent_index_style(enum agent_state state);

#endif
