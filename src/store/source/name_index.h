/* An index of the names of a source, for lookups of the senders of many messages. */
#ifndef STORE_SOURCE_NAME_INDEX_H
#define STORE_SOURCE_NAME_INDEX_H

#include "base/map.h"
#include "store/source/roster.h"

/* The limit of similar names that are kept for each team, and of those outside of it: enough to
 * report the first few that differ. */
enum { NAMES_ALIKE = 8 };

struct names_alike {
    struct span names[2][NAMES_ALIKE]; /* of the team, and of others */
    size_t counts[2];
};

/* Zero-initialised is empty and valid. */
struct name_index {
    const struct agent_names *names;
    struct map map;
    uint32_t *next; /* per name: 1 + another one that looks alike; NULL until name_index_alike() is
                     * called */
    struct names_alike *alike;
    size_t alike_count, alike_cap;
    struct arena keys;
    struct str scratch;
};

/* The names are borrowed; none may be added before name_index_free(). */
void name_index_build(struct name_index *index, const struct agent_names *names);
void name_index_free(struct name_index *index);

/* Returns the entry of that name in the team, or NULL. */
const struct agent_name *name_index_find(const struct name_index *index, struct span team,
                                         struct span name);

/* True if the names have that team, or that agent of it; without a team, any team. */
bool name_index_has_team(const struct name_index *index, struct span team);
bool name_index_is_member(const struct name_index *index, struct span team, struct span agent);
/* Returns the lead of the team; absent if no entry is a lead. */
struct span name_index_lead(const struct name_index *index, struct span team);
/* True if another team has an agent of that name. */
bool name_index_is_elsewhere(const struct name_index *index, struct span team, struct span name);

/* Returns the first names, each once, that look like this one, which may be among them. Borrowed
 * until the next call. */
const struct names_alike *name_index_alike(struct name_index *index, struct span team,
                                           struct span name);

#endif
