/* Rules: the sequences and characters that are correct on any terminal; see scan.h. */
#ifndef SCREENS_SCAN_RULES_H
#define SCREENS_SCAN_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSI_PARAMETERS_MAX = 32 };

/* The parts of a sequence that begins with ESC [. */
struct csi {
    char leader; /* one of <=>? or 0 */
    char intermediate;
    char final;
    unsigned parameters[CSI_PARAMETERS_MAX]; /* absent ones are 0 */
    size_t count;
};

/* Reads the bytes after ESC [; returns false if they have another form. */
bool csi_read(struct csi *csi, const char *bytes, size_t len);

/* True for styles, moves, erasing and the few modes that screen programs switch. */
bool csi_is_known(const struct csi *csi);

/* True if the character is visible, keeps its position and moves no other. */
bool char_is_plain(int32_t code);

#endif
