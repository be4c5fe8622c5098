/* Who is named in a source: in its rosters, or by having a box. */
#ifndef STORE_SOURCE_ROSTER_H
#define STORE_SOURCE_ROSTER_H

#include "base/str.h"
#include "store/source/source.h"

struct agent_name {
    struct span team;       /* as its directory spells it; absent without teams */
    struct span team_title; /* as the roster spells it, where that differs; or absent */
    struct span name;       /* of a box: as the directory or file spells it */
    bool on_roster;
    struct member member; /* what the roster says */
};

/* Something that could not be read, so that names are missing. */
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
    struct span_list teams; /* whose directory is there, as source_boxes() has met it */
};

void agent_names_free(struct agent_names *names);
/* Adds the agents of all rosters, in the order of their names. No roster is no error; one that
 * cannot be read is left out and noted. */
bool source_rosters(const struct source *source, struct agent_names *names, struct err *err);
/* False when names of that team, or absent of any, are missing because something could not be read.
 */
bool agent_names_are_all(const struct agent_names *names, struct span team, struct err *err);
/* Adds the boxes that exist, in the order of their names. */
bool source_boxes(const struct source *source, struct agent_names *names, struct err *err);

/* Whether a team has no roster, where nothing else names its members. */
bool roster_is_missing(const struct source *source, const struct agent_names *names,
                       struct span team);
/* Appends where the roster of a team would be, beneath the roster directory. */
void roster_add_path(struct str *out, const struct source *source, struct span team);
/* What follows where it is missing, as the end of a sentence. */
#define ROSTER_MISSING                                                                             \
    ": its members are unknown, and the agents' own program does not load the team"
/* Appends which file is missing, and what follows. */
void roster_add_missing(struct str *out, const struct source *source, struct span team);

/* The colour that a roster gives an agent of that team; absent when it gives none. */
struct span roster_color(const struct agent_names *names, struct span team, struct span agent);

/* True when some roster file beneath the directory is of that layout. */
bool roster_tells(const struct format *format, int root);

#endif
