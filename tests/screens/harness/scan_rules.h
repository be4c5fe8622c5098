/* Which sequences and characters are right on any terminal: see scan.h. */
#ifndef SCREENS_SCAN_RULES_H
#define SCREENS_SCAN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSI_PARAMETERS_MAX = 32 };

/* ESC [ and what follows, taken apart. */
struct csi {
    char leader; /* one of <=>? or 0 */
    char intermediate;
    char final;
    unsigned parameters[CSI_PARAMETERS_MAX]; /* absent ones are 0 */
    size_t count;
};

/* The bytes behind ESC [; false when it is none of this shape. */
bool csi_read(struct csi *csi, const char *bytes, size_t len);

/* Styles, moves, erasing and the few modes that screen programs switch. */
bool csi_is_known(const struct csi *csi);

/* Whether a terminal may be given the character: it is seen, stays in its place and moves no
 * other. */
bool char_is_plain(int32_t code);

#endif
