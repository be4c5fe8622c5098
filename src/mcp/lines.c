/* Lines: cut out of what was read, and held only while they are not whole. */
#include "mcp/lines.h"

void lines_free(struct lines *lines)
{
    str_free(&lines->held);
}

static struct span take(struct span *bytes, size_t len, size_t mark)
{
    struct span piece = {bytes->at, len};

    bytes->at += len + mark;
    bytes->len -= len + mark;
    return piece;
}

static enum line_found end_line(struct lines *lines, struct span piece, struct span *line)
{
    if (lines->skipping) {
        lines->skipping = false;
        return LINE_NONE;
    }
    if (lines->held.len + piece.len > LINE_MAX_BYTES) {
        lines->given = true;
        return LINE_TOO_LONG;
    }
    if (!lines->held.len) {
        *line = piece;
        return LINE_WHOLE;
    }
    str_add_span(&lines->held, piece);
    lines->given = true;
    *line = str_span(&lines->held);
    return LINE_WHOLE;
}

enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line)
{
    if (lines->given)
        str_free(&lines->held);
    lines->given = false;
    while (bytes->len) {
        const char *end = memchr(bytes->at, '\n', bytes->len);
        struct span piece = take(bytes, end ? (size_t)(end - bytes->at) : bytes->len, end != NULL);
        if (end) {
            enum line_found found = end_line(lines, piece, line);
            if (found != LINE_NONE)
                return found;
        } else if (!lines->skipping) {
            str_add_span(&lines->held, piece);
            if (lines->held.len <= LINE_MAX_BYTES)
                continue;
            str_free(&lines->held);
            lines->skipping = true;
            return LINE_TOO_LONG;
        }
    }
    return LINE_NONE;
}

struct span lines_rest(const struct lines *lines)
{
    return lines->given || lines->skipping ? (struct span){"", 0} : str_span(&lines->held);
}
