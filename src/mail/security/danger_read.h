/* Dangers, inside: reading the words of a text that may be for a shell. */
#ifndef MAIL_SECURITY_DANGER_READ_H
#define MAIL_SECURITY_DANGER_READ_H

#include "base/str.h"

/* A text, and for each of its bytes where it stands in the member; without that, in its place. */
struct danger_layer {
    char *text;
    size_t *from;
    size_t len;
    unsigned depth; /* how often quotes were taken off it */
};

struct danger_reader {
    const struct danger_layer *layer;
    size_t pos;
};

/* What the shell puts something else for. */
struct danger_cut {
    size_t at, end;
};

/* A word while it is read. The owner frees text, from and cuts. */
struct danger_building {
    struct str text;
    size_t *from; /* for each byte of the text */
    size_t cap;
    struct danger_cut *cuts;
    size_t cut_count, cut_cap;
    bool quoted;  /* some of it was */
    bool expands; /* it has cuts, or a substitution follows at once */
};

/* Where a byte of the layer stands in the member. */
size_t danger_origin(const struct danger_layer *layer, size_t pos);
/* The character that many places ahead; a NUL behind the end. */
char danger_peek(const struct danger_reader *reader, size_t ahead);
bool danger_is_blank(char c);
/* Whether something stands here that ends a word unless it is quoted, blanks aside. */
bool danger_at_operator(const struct danger_reader *reader);

/* Reads up to the end of a word, which starts here; at least one character. */
void danger_read_word(struct danger_reader *reader, struct danger_building *word);

#endif
