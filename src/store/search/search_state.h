/* Private to the search: a search in progress. */
#ifndef STORE_SEARCH_SEARCH_STATE_H
#define STORE_SEARCH_SEARCH_STATE_H

#include "store/scan/local_marks.h"
#include "store/search/search.h"

/* One phrase of the query, and the number of messages that have it. */
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

/* The hits of one item in one message. */
struct plan_hit {
    uint32_t times;
    uint8_t parts;
};

/* The size of everything that is searched, for ranking. */
struct corpus {
    size_t messages;
    uint64_t words;
};
/* True if a message with these hits, one per item, can match. */
bool search_plan_may_match(const struct search_plan *plan, const struct plan_hit *hits);
/* Reports for each item if a message that was read has it. */
void search_plan_glance(const struct search_plan *plan, const struct message *message,
                        struct plan_hit *hits);
/* Counts all items in the message, for ranking. Returns its number of words. */
uint32_t search_plan_prepare(const struct search_plan *plan, const struct message *message,
                             struct plan_hit *hits);

/* A message that was read because the index does not know its file. */
struct fresh_doc {
    int64_t created_us;
    struct span id;
    uint64_t key;
    uint32_t file; /* number in the census */
    uint32_t words;
    bool may;
    struct plan_hit *hits; /* one per item, if it may match */
};

/* The known state of a source. */
struct searched {
    const struct source *source;
    struct file_census census;
    bool counted; /* the census was taken */
    struct search_index index;
    bool opened;
    uint32_t **files; /* by segment and its file: the number in the census, where it counts */
    struct local_marks overlay;
    bool overlaid;
    /* For the current search. */
    struct segment_hits **hits; /* by segment, one per item */
    struct fresh_doc *fresh;
    size_t fresh_count, fresh_cap;
    struct arena arena;
};

struct searcher {
    struct searched *sources;
    size_t count;
    bool may_write; /* may delete damaged segments */
    int64_t marks;  /* the count of changes of marks and copies at the last search */
};

/* A message that may match. */
struct candidate {
    double score;
    int64_t created_us;
    struct span id;
    uint32_t source;
    uint32_t segment; /* FILE_CENSUS_NONE: its file was read */
    uint32_t doc;     /* in that segment, or in `fresh` */
};

/* A file with many messages that was read. */
struct held_file {
    uint32_t source;
    const struct place *place;
    struct span name;
    struct batch batch;
    struct map ids; /* id to index in the batch */
};

/* A search in progress. */
struct seeking {
    struct searcher *searcher;
    struct state *state;
    const struct search *search;
    struct search_result *result;
    struct search_plan plan;
    struct corpus corpus;
    struct map shown; /* names of messages */
    struct arena arena;
    struct held_file *held; /* files with many messages that were read completely */
    size_t held_count, held_cap;
};

bool seeking_is_stopped(const struct seeking *seeking);

/* Notes in the result what could not be read, by its path below the source. */
void seeking_note_unreadable(struct seeking *seeking, const struct searched *searched,
                             struct span path, struct span reason);
/* Reads the files that the index does not know. */
void seeking_read(struct seeking *seeking, struct searched *searched);

/* Reads a candidate again, and adds the message to the result if it matches. */
void seeking_show(struct seeking *seeking, const struct candidate *candidate);

/* Frees the held files. */
void seeking_release(struct seeking *seeking);

#endif
