/* Completion: what a person may mean by the start of a word.
 *
 * Add what there is, open it with what was typed, then take one text after the other. Case does not
 * matter. Names that start with what was typed come first, then those that hold it, then those that
 * have its characters in that order; among equals the smaller rank, then the name. */
#ifndef UI_WIDGET_COMPLETION_H
#define UI_WIDGET_COMPLETION_H

#include "base/map.h"
#include "base/mem.h"
#include "mail/query/query.h"

enum {
    COMPLETE_FILES = 1000,    /* names that one look into a directory may add */
    COMPLETE_ENTRIES = 20000, /* that it reads at most */
};

/* How a name matches, best first. */
enum complete_match {
    COMPLETE_START,
    COMPLETE_PART,
    COMPLETE_LOOSE,
    COMPLETE_NOT,
};

/* Both folded, see fold.h. */
enum complete_match complete_match(struct span text, struct span typed);

struct candidate {
    struct span text, note; /* the note is for the person: a state, what a command does */
    struct span folded;
    int rank;
    enum complete_match match; /* once it is open */
};

/* Zero-initialised is empty and valid. */
struct completion {
    struct arena arena;
    struct map known;
    struct candidate *candidates; /* once it is open: those that match first, best first */
    size_t count, cap;
    size_t matches;
    size_t at;          /* the match that is shown; `matches`: none */
    struct span typed;  /* what it was opened with */
    struct span common; /* what all that start with it have in common */
    bool fresh;         /* nothing was taken yet */
    bool later;         /* what there is is still being looked for; to be asked for again then */
};

void complete_free(struct completion *completion);

/* Copies both. A text that is there already keeps its better rank. */
void complete_add(struct completion *completion, struct span text, struct span note, int rank);

/* Adds the files that may be meant, rank 0, directories with a '/' at their end. Relative to the
 * base directory; "~/" is the home. Hidden ones only when the name starts with a dot, none whose
 * name is not plain text. Looks at the disk, but never at more than the numbers above. */
void complete_add_files(struct completion *completion, struct span typed, const char *base);

/* How many match. Nothing is added after this. */
size_t complete_open(struct completion *completion, struct span typed);

/* What is to stand in the place of what was typed. The first next one is as much as all names that
 * start with it have in common, when that is more than was typed, as in shells; then one match
 * after the other, and behind the last what was typed. Lives as long as the completion. */
struct span complete_next(struct completion *completion);
struct span complete_previous(struct completion *completion);

/* Completion of queries: the word at their end is a field, a keyword, or a value of a field. */

/* Adds what the language itself knows; *from is where the part of `before` starts that is to be
 * completed. Returns the field whose value that is, for the values that only mail can tell, or NULL
 * when it is none. */
const struct query_field *complete_query(struct completion *completion, struct span before,
                                         size_t *from);

/* Whether the values of a field are names of agents, or tags. */
bool complete_wants_agents(const struct query_field *field);
bool complete_wants_tags(const struct query_field *field);

#endif
