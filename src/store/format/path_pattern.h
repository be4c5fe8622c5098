/* Places: how the paths of a layout are written down and recognised.
 *
 * A rule is a path pattern relative to the source's root. In each component `*` matches any text
 * (but not a dot at the start), {team} and {box} match text that is kept:
 * "{box}/inbox/<star>.json". */
#ifndef STORE_FORMAT_PATH_PATTERN_H
#define STORE_FORMAT_PATH_PATTERN_H

#include "base/str.h"

struct place_rule {
    const char *pattern;
    bool archived;
};

/* The texts that the braces of a pattern matched. Absent until matched. */
struct place_names {
    struct span team, box;
};

/* Returns the n-th component of a pattern; absent if it has fewer. */
struct span place_component(const char *pattern, unsigned n);
/* True if the n-th component is the last one. */
bool place_is_last(const char *pattern, unsigned n);

/* Matches one name against one component and stores the texts that the braces match. */
bool place_match(struct span component, struct span name, struct place_names *names);

/* Returns the first rule that a file's path matches; NULL if none does. */
const struct place_rule *place_find(const struct place_rule *rules, size_t count, struct span dir,
                                    struct span name, struct place_names *names);
/* True if some rule leads through a path: it may be a directory with mail below. */
bool place_leads(const struct place_rule *rules, size_t count, struct span dir, struct span name);

/* True if the last component of a pattern names the box: then each file is one. */
bool place_names_box(const char *pattern);
/* True if the path contains the box at all; otherwise each message names its own. */
bool place_has_box(const char *pattern);

/* Appends the directory part of a pattern with the names filled in. */
void place_dir(struct str *out, const char *pattern, const struct place_names *names);

/* Appends its last component with the box filled in. */
void place_file(struct str *out, const char *pattern, struct span box);

/* True for files that are never messages in any layout: dot files, temporary files, locks. */
bool place_is_ignored(struct span name);

#endif
