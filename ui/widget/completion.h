/* Completion: finding what a person may mean by the start of a word.
 *
 * Add the candidates, open the completion with the typed text, then take one text after the other.
 * Case is ignored. Names that start with the typed text come first, then those that contain it,
 * then those that have its characters in that order; among equals the smaller rank, then the name.
 */
#ifndef UI_WIDGET_COMPLETION_H
#define UI_WIDGET_COMPLETION_H

#include "base/map.h"
#include "base/mem.h"
#include "mail/query/query.h"

enum {
    COMPLETE_FILES = 1000,    /* names that one directory may add */
    COMPLETE_ENTRIES = 20000, /* entries of a directory that are read at most */
};

/* Kinds of matches, best first. */
enum complete_match {
    COMPLETE_START,
    COMPLETE_PART,
    COMPLETE_LOOSE,
    COMPLETE_NOT,
};

struct candidate {
    struct span text, note; /* the note explains it: a state, the purpose of a command */
    struct span folded;
    int rank;
    enum complete_match match; /* set by complete_open() */
};

/* Zero-initialised is empty and valid. */
struct completion {
    struct arena arena;
    struct map known;
    struct candidate *candidates; /* after complete_open(): matches first, best first */
    size_t count, cap;
    size_t matches;
    size_t at;          /* index of the shown match; `matches`: none */
    struct span typed;  /* text it was opened with */
    struct span common; /* common start of the names that begin with `typed` */
    bool fresh;         /* nothing was taken yet */
    bool later;         /* candidates are still being collected: ask again when complete */
};

void complete_free(struct completion *completion);

/* Adds a candidate; copies both texts. A text that was added already keeps its better rank. */
void complete_add(struct completion *completion, struct span text, struct span note, int rank);

/* Adds the files that may be meant, with rank 0, directories with a '/' at the end. Paths are
 * relative to the base directory; "~/" is the home directory. Hidden files only if the name starts
 * with a dot, and no names that are not plain text. Reads the disk, but never more than the numbers
 * above. */
void complete_add_files(struct completion *completion, struct span typed, const char *base);

/* Opens the completion and returns the number of matches. Nothing may be added after this. */
size_t complete_open(struct completion *completion, struct span typed);

/* Return the text to show instead of the typed one. The first complete_next() returns the common
 * start of all names that begin with the typed text, if it is longer, as in shells; then come the
 * matches, and after the last one the typed text. Lives as long as the completion. */
struct span complete_next(struct completion *completion);
struct span complete_previous(struct completion *completion);

/* Completion of queries: the last word is a field, a keyword, or a value of a field. */

/* Adds fields, keywords and fixed values of the query language; sets *from to the start of the part
 * of `before` to be completed. Returns the field whose value is completed, for values that depend
 * on the mail, or NULL. */
const struct query_field *complete_query(struct completion *completion, struct span before,
                                         size_t *from);

/* Report whether the values of the field are names of agents, or tags. */
bool complete_wants_agents(const struct query_field *field);
bool complete_wants_tags(const struct query_field *field);

#endif
