/* The search index while the screens are open: built and updated in the background. The store that
 * searches gets the changes since the last search. */
#ifndef UI_SNAPSHOT_INDEXER_H
#define UI_SNAPSHOT_INDEXER_H

#include "base/mem.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdint.h>

struct store;
struct ui;
struct update;

/* A file to which something happened. */
struct index_changed_file {
    uint32_t source;
    struct span dir, name;
};

/* Changes since the last search. Zero-initialised is empty. */
struct index_changes {
    struct index_changed_file *files;
    size_t count, cap;
    bool all; /* any file may have changed */
    struct arena arena;
};

struct indexing {
    struct index_changes told;
    size_t changed; /* files since the index was brought up to date */
    bool busy;      /* that is being done */
    int64_t due_us; /* when it is to be done, by the steady clock; or TIME_NONE */
    _Atomic bool stop;
    _Atomic size_t done, total; /* files that are read, and of how many */
};

void indexer_open(struct ui *ui);
/* Makes work that goes on end soon; and frees what is left when it has. */
void indexer_stop(struct ui *ui);
void indexer_close(struct ui *ui);

/* Files of a source are as the update says. */
void indexer_news(struct ui *ui, const struct update *update);
/* Everything that was there at the start is known: the index may be built. */
void indexer_ready(struct ui *ui);

/* A part of it cannot be used: it is built anew. */
void indexer_mend(struct ui *ui);

/* In how many microseconds there is something to do, and beginning to do it. */
int64_t indexer_due_us(const struct ui *ui);
void indexer_work(struct ui *ui);

/* How much of it is built, in percent; -1 when that does not go on, or not for long. */
int indexer_percent(const struct ui *ui);

/* Takes the list of changes since the last search; and reports it to the store that searches, on
 * its thread. */
struct index_changes indexer_take_changes(struct ui *ui);
void index_changes_add(const struct index_changes *told, struct store *store);
void index_changes_free(struct index_changes *told);

#endif
