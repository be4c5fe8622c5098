/* Places: how the paths of a layout are written down and recognised.
 *
 * A rule is a path pattern beneath the source's root. In each component `*` stands for any text
 * (but not for a dot at its start), {team} and {box} for text that is kept:
 * "{box}/inbox/<star>.json". */
#ifndef STORE_FORMAT_PATH_PATTERN_H
#define STORE_FORMAT_PATH_PATTERN_H

#include "base/str.h"

struct place_rule {
    const char *pattern;
    bool archived;
};

/* What the braces of a pattern stood for. Absent until matched. */
struct place_names {
    struct span team, box;
};

/* The n-th component of a pattern; absent when it has fewer. */
struct span place_component(const char *pattern, unsigned n);
/* True when it is the last one. */
bool place_is_last(const char *pattern, unsigned n);

/* Matches one name against one component and keeps what the braces stand for. */
bool place_match(struct span component, struct span name, struct place_names *names);

/* The first rule that a file's path matches, NULL when none does. */
const struct place_rule *place_find(const struct place_rule *rules, size_t count, struct span dir,
                                    struct span name, struct place_names *names);
/* Whether some rule leads through a path: it may be a directory with mail beneath. */
bool place_leads(const struct place_rule *rules, size_t count, struct span dir, struct span name);

/* Whether the last component of a pattern names the box: then each file is one. */
bool place_names_box(const char *pattern);
/* Whether the path tells the box at all; otherwise each message does. */
bool place_tells_box(const char *pattern);

/* Appends the directory part of a pattern with the names put in. */
void place_dir(struct str *out, const char *pattern, const struct place_names *names);

/* Appends its last component with the box put in. */
void place_file(struct str *out, const char *pattern, struct span box);

/* Files that are never messages in any layout: dot files, temporary files, locks. */
bool place_is_ignored(struct span name);

#endif
