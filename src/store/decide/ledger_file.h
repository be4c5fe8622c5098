/* Shared by the sources of the ledger: single lines, paths, the lock and the head. */
#ifndef STORE_DECIDE_LEDGER_FILE_H
#define STORE_DECIDE_LEDGER_FILE_H

#include "store/decide/ledger.h"

/* The largest number in a line: the largest that doubles hold exactly. */
#define LEDGER_NUMBER_MAX INT64_C(9007199254740992)

extern const char ledger_no_sum[]; /* sum "of the line" before the first line */

/* Computes the sum of any text. */
void ledger_sum(struct span text, char sum[LEDGER_SUM + 1]);

/* Appends the line of an entry, without its newline, and computes its sum. */
void ledger_add_line(struct str *out, const struct ledger_entry *entry, char sum[LEDGER_SUM + 1]);

/* The kind of a line. */
enum ledger_line {
    LINE_ENTRY,
    LINE_CHANGED, /* an object, but not the one that was written */
    LINE_BROKEN,  /* not an object */
};

/* Parses a line without its newline. The entry borrows from it and from the arena. `sum` becomes
 * the sum of the line, for its successor. */
enum ledger_line ledger_parse_line(struct ledger_entry *entry, struct span line,
                                   char sum[LEDGER_SUM + 1], struct arena *arena);

/* Replaces `path` by the path of the ledger; with `make` creates its directory. */
bool ledger_path(struct str *path, bool make, struct err *err);

/* The end of the ledger when it was last written to; number 0 when that is unknown. */
struct ledger_head {
    int64_t number;
    char sum[LEDGER_SUM + 1];
};

/* False when the head exists and cannot be read. A malformed head is treated as none. */
bool ledger_head_read(struct ledger_head *head, const char *path, struct err *err);
/* Writes the head, unless the existing one is further. The caller has locked the ledger. If the
 * head cannot be written the old one stays: that only makes it harder to notice what is missing. */
void ledger_head_write(const struct ledger_head *head, const char *path);

/* Locks the open ledger, exclusively to write, or shared to read while nobody writes. Gives up
 * after a while: false with errno. */
bool ledger_lock(int fd, bool to_write);

/* Reads a part of the open ledger; false with errno on failure. */
bool ledger_pread(int fd, char *at, size_t len, int64_t from);

#endif
