/* An index of the names of a source, for who asks about the senders of many messages. */
#ifndef STORE_SOURCE_NAME_INDEX_H
#define STORE_SOURCE_NAME_INDEX_H

#include "base/map.h"
#include "store/source/roster.h"

/* So many names that look like one are known of each team, and so many of all others: enough for
 * who tells of the first few that differ. */
enum { NAMES_ALIKE = 8 };

struct names_alike {
    struct span names[2][NAMES_ALIKE]; /* of the team, and of others */
    size_t counts[2];
};

/* Zero-initialised knows nobody. */
struct name_index {
    const struct agent_names *names;
    struct map map;
    uint32_t *next; /* of a name: 1 + another one that looks alike; NULL: nobody has asked */
    struct names_alike *alike;
    size_t alike_count, alike_cap;
    struct arena keys;
    struct str scratch;
};

/* The names are borrowed, and none is added before name_index_free(). */
void name_index_build(struct name_index *index, const struct agent_names *names);
void name_index_free(struct name_index *index);

/* The entry of that name in the team, or NULL. */
const struct agent_name *name_index_find(const struct name_index *index, struct span team,
                                         struct span name);

/* What is known of a team; without one, of all. */
bool name_index_has_team(const struct name_index *index, struct span team);
bool name_index_is_member(const struct name_index *index, struct span team, struct span agent);
/* Absent when no entry is a lead. */
struct span name_index_lead(const struct name_index *index, struct span team);
/* Whether another team has somebody of that name. */
bool name_index_is_elsewhere(const struct name_index *index, struct span team, struct span name);

/* The first names, each once, that look like this one, which may be among them. Borrowed until the
 * next call. */
const struct names_alike *name_index_alike(struct name_index *index, struct span team,
                                           struct span name);

#endif
