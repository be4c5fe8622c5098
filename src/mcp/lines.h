/* Lines: a stream of bytes cut at its newlines, none longer than may be. */
#ifndef MCP_LINES_H
#define MCP_LINES_H

#include "base/str.h"

enum { LINE_MAX_BYTES = 4 << 20 };

/* Zero-initialised is empty and valid. */
struct lines {
    struct str held; /* the start of a line whose end has not come yet */
    bool skipping;   /* the rest of a line that was too long */
    bool given;      /* what is held was given out, and goes with the next call */
};

enum line_found {
    LINE_NONE, /* all bytes are taken; more are needed */
    LINE_WHOLE,
    LINE_TOO_LONG, /* told once, as soon as it is known; the line is passed over */
};

void lines_free(struct lines *lines);

/* Takes the next line off the bytes, its newline too. The line is borrowed until the next call. */
enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line);
/* What stands behind the last newline when no more bytes come; empty when nothing does. */
struct span lines_rest(const struct lines *lines);

#endif
