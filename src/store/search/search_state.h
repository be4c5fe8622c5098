/* Searching, inside. */
#ifndef STORE_SEARCH_SEARCH_STATE_H
#define STORE_SEARCH_SEARCH_STATE_H

#include "store/scan/local_marks.h"
#include "store/search/search.h"

/* One phrase of the query, and in how many messages it stands. */
struct plan_item {
    uint32_t node;
    const struct phrase *phrase;
    unsigned parts;
    bool wished;
    size_t with;
};

struct search_plan {
    const struct query *query;
    struct plan_item *items;
    size_t count;
};

/* What is known of one item in one message. */
struct plan_hit {
    uint32_t times;
    uint8_t parts;
};

/* The borders of everything that is searched, for ranking. */
struct corpus {
    size_t messages;
    uint64_t words;
};
/* Whether a message with these hits, one an item, can match. */
bool search_plan_may_match(const struct search_plan *plan, const struct plan_hit *hits);
/* Tells of all items whether a message that was read has them. */
void search_plan_glance(const struct search_plan *plan, const struct message *message,
                        struct plan_hit *hits);
/* Finds all items in it, for ranking, and returns how many words it has. */
uint32_t search_plan_look(const struct search_plan *plan, const struct message *message,
                          struct plan_hit *hits);

/* A message that was read because the index does not know its file. */
struct fresh_doc {
    int64_t created_us;
    struct span id;
    uint64_t key;
    uint32_t file; /* in the census */
    uint32_t words;
    bool may;
    struct plan_hit *hits; /* one an item, where it may match */
};

/* A source, as far as it is known. */
struct searched {
    const struct source *source;
    struct census census;
    bool counted; /* the census was taken */
    struct search_index index;
    bool opened;
    uint32_t **files; /* of each segment: the number in the census of each file, where it counts */
    struct overlay overlay;
    bool overlaid;
    /* For the search at hand. */
    struct segment_hits **hits; /* of each segment, one an item */
    struct fresh_doc *fresh;
    size_t fresh_count, fresh_cap;
    struct arena arena;
};

struct searcher {
    struct searched *sources;
    size_t count;
    bool may_write; /* damage may be removed */
    int64_t marks;  /* how often marks and copies had changed */
};

/* A message that may match. */
struct candidate {
    double score;
    int64_t created_us;
    struct span id;
    uint32_t source;
    uint32_t segment; /* FILE_CENSUS_NONE: it was read */
    uint32_t doc;     /* there, or of those that were read */
};

/* A file that holds many messages, as it was read. */
struct held_file {
    uint32_t source;
    const struct place *place;
    struct span name;
    struct batch batch;
    struct map ids; /* to numbers in the batch */
};

/* A search at work. */
struct seeking {
    struct searcher *searcher;
    struct state *state;
    const struct search *search;
    struct search_result *result;
    struct search_plan plan;
    struct corpus corpus;
    struct map shown; /* names of messages */
    struct arena arena;
    struct held_file
        *held; /* files that hold many and had to be read as a whole, kept till the end */
    size_t held_count, held_cap;
};

bool seeking_is_stopped(const struct seeking *seeking);

/* search_known.c */

/* search_read.c: notes in the result what could not be read, by its path beneath the source. */
void seeking_note_unreadable(struct seeking *seeking, const struct searched *searched,
                             struct span path, struct span reason);
/* Reads what the index does not know. */
void seeking_read(struct seeking *seeking, struct searched *searched);

/* search_show.c: reads a candidate again and adds to the result what of it matches. */
void seeking_show(struct seeking *seeking, const struct candidate *candidate);

/* Frees what it has kept. */
void seeking_let_go(struct seeking *seeking);

#endif
