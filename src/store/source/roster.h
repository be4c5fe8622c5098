/* The names in a source: agents on its rosters, and those that have a box. */
#ifndef STORE_SOURCE_ROSTER_H
#define STORE_SOURCE_ROSTER_H

#include "base/str.h"
#include "store/source/source.h"

struct agent_name {
    struct span team;       /* as its directory spells it; absent without teams */
    struct span team_title; /* as the roster spells it, if that differs; or absent */
    struct span name;       /* of a box: as the directory or file spells it */
    bool on_roster;
    struct member member; /* the roster's entry */
};

/* A file or directory that could not be read, so that names are missing. */
struct unread_names {
    struct span team;
    struct span why;
};

struct agent_names {
    struct arena arena;
    struct agent_name *items;
    size_t count, cap;
    struct unread_names *unread;
    size_t unread_count, unread_cap;
    struct span_list teams; /* directories of teams that source_boxes() has found */
};

void agent_names_free(struct agent_names *names);
/* Adds the agents of all rosters, ordered by team and name. A missing roster is not an error; one
 * that cannot be read is left out and noted. */
bool source_rosters(const struct source *source, struct agent_names *names, struct err *err);
/* False, with the reason, if names of that team (absent: of any) are missing because a file could
 * not be read. */
bool agent_names_are_all(const struct agent_names *names, struct span team, struct err *err);
/* Adds the boxes that exist, ordered by team and name. */
bool source_boxes(const struct source *source, struct agent_names *names, struct err *err);

/* True if a team has no roster and nothing else names its members. */
bool roster_is_missing(const struct source *source, const struct agent_names *names,
                       struct span team);
/* Appends the path that the roster of a team would have, relative to the roster directory. */
void roster_add_path(struct str *out, const struct source *source, struct span team);
/* The consequence of a missing roster, as the end of a sentence. */
#define ROSTER_MISSING                                                                             \
    ": its members are unknown, and the agents' own program does not load the team"
/* Appends the path of the missing roster, and the consequence. */
void roster_add_missing(struct str *out, const struct source *source, struct span team);

/* Returns the colour that a roster gives an agent of that team; absent if it gives none. */
struct span roster_color(const struct agent_names *names, struct span team, struct span agent);

/* True if some roster file below the directory is of that layout. */
bool roster_knows(const struct format *format, int root);

#endif
