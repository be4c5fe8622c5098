/* What the files of the ledger share: single lines, and opening it. */
#ifndef STORE_DECIDE_LEDGER_FILE_H
#define STORE_DECIDE_LEDGER_FILE_H

#include "store/decide/ledger.h"

/* The most that a number of a line may be: doubles hold it. */
#define LEDGER_NUMBER_MAX INT64_C(9007199254740992)

extern const char ledger_no_sum[]; /* of the line before the first one */

/* The sum of any text. */
void ledger_sum(struct span text, char sum[LEDGER_SUM + 1]);

/* Appends the line of an entry, without its newline, and tells its sum. */
void ledger_add_line(struct str *out, const struct ledger_entry *entry, char sum[LEDGER_SUM + 1]);

/* What a line is. */
enum ledger_line {
    LINE_ENTRY,
    LINE_CHANGED, /* it is an object, but not the one that was written */
    LINE_BROKEN,  /* it is no object */
};

/* Reads a line without its newline. The entry borrows from it and from the arena. `sum` becomes
 * that of the line, for its successor. */
enum ledger_line ledger_parse_line(struct ledger_entry *entry, struct span line,
                                   char sum[LEDGER_SUM + 1], struct arena *arena);

/* Replaces `path` by that of the ledger; with `make` its directory is there afterwards. */
bool ledger_path(struct str *path, bool make, struct err *err);

/* How far the ledger had come when it was last written to; number 0 when that is not known. */
struct ledger_head {
    int64_t number;
    char sum[LEDGER_SUM + 1];
};

/* False when it is there and cannot be read. One that makes no sense is as good as none. */
bool ledger_head_read(struct ledger_head *head, const char *path, struct err *err);
/* With the ledger locked; not when it is behind the one that is there. A head that cannot be
 * written leaves the old one: that only makes it harder to notice what is missing. */
void ledger_head_write(const struct ledger_head *head, const char *path);

/* Locks the open ledger, to write to it alone or to read what nobody is writing; gives up after a
 * while, with errno. */
bool ledger_lock(int fd, bool to_write);

/* Reads that part of the open ledger; false and errno on failure. */
bool ledger_pread(int fd, char *at, size_t len, int64_t from);

#endif
