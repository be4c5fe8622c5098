/* Protocol messages, private: the table that reading and writing share. */
#ifndef MAIL_PROTOCOL_PROTOCOL_TABLE_H
#define MAIL_PROTOCOL_PROTOCOL_TABLE_H

#include "mail/protocol/protocol.h"

enum { PROTOCOL_FIELDS_MAX = 8, PROTOCOL_DETAILS_MAX = 3 };

enum field_type {
    FIELD_TEXT,
    FIELD_WORD,    /* a text out of a list */
    FIELD_FIXED,   /* always the first word of the list; not stored */
    FIELD_VERDICT, /* true or false */
    FIELD_NUMBER,  /* a whole number, raw */
    FIELD_OBJECT,  /* raw */
    FIELD_ARRAY,   /* raw; with `inside` the members of each element */
    FIELD_GROUP,   /* an object whose members are fields of the message, always written */
};

struct protocol_words {
    const char *const *list; /* ends with NULL */
    const char *alias;       /* a word that people try, and its correct form */
    const char *meant;
};

struct protocol_field {
    const char *key;
    enum field_type type;
    size_t at;     /* offset in struct protocol */
    bool optional; /* otherwise its absence is a problem */
    bool filled;   /* an empty one is not sent */
    const struct protocol_words *words;
    const struct protocol_field *inside;
};

/* One form of a message. Offsets of 0 mean none. */
struct protocol_form {
    enum protocol_kind kind;
    bool denied; /* the second form of its kind */
    const char *name;
    const struct protocol_field *fields; /* in the order of writing, without `type` */
    bool checked;                        /* the receiver compares every field */
    bool routed;
    enum protocol_kind answer;
    const char *id_start;                     /* of the ids of new requests */
    bool id_random;                           /* ids end in a random part, otherwise in names */
    const char *title, *title_no, *title_yes; /* the latter two by verdict */
    size_t which;                             /* shown after the title */
    bool uses;                                /* the use is shown too */
    size_t details[PROTOCOL_DETAILS_MAX];
};

/* Returns NULL for plain text and unknown kinds. */
const struct protocol_form *protocol_form(enum protocol_kind kind, bool denied);

/* The fields of one element of `rules`: tool_name and rule_content. */
extern const struct protocol_field protocol_rule_fields[];
extern const struct protocol_words protocol_behaviors, protocol_idle_reasons,
    protocol_task_statuses;

/* True if there is something to write for the field. */
bool protocol_has(const struct protocol *p, const struct protocol_field *field);

/* Returns the span of a field that has one. */
static inline struct span *protocol_span(struct protocol *p, size_t at)
{
    return (struct span *)(void *)((char *)p + at);
}

static inline struct span protocol_get(const struct protocol *p, size_t at)
{
    return *(const struct span *)(const void *)((const char *)p + at);
}

#endif
