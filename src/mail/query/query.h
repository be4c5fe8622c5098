/* Queries: one language for choosing messages, in commands, in the configuration and on the screen.
 *
 *     from:tester kind:plan,permission not is:read      terms side by side must all hold
 *     (prio:high+ or is:waiting) older:2h               or, not and parentheses
 *     "disk full" subject:index* -from:"infra 4"        text, phrases, - for not
 *
 * A term is FIELD:VALUE, or text that stands alone. Several values with commas between them are
 * alternatives. A value, or text, with blanks, parentheses, commas or quotes in it goes in double
 * quotes, where \" is a quote and \\ a backslash. Outside of quotes a * stands for any text. "not"
 * binds most, then terms side by side (or with "and" between them), then "or". Case never matters:
 * not in fields, keywords and words, and not in the text that is sought.
 *
 * A text of only blanks is the empty query, which every message matches.
 *
 * Texts (what stands alone, subject: and body:) are sought in one of two ways, as whoever asks
 * chooses: as characters that stand anywhere, or as words (see words.h): "pars" is then no part of
 * "parser", word* is for words that start so, and several words in one value stand in a row. A
 * value without any word, or with a * before its end, is always sought as characters. */
#ifndef MAIL_QUERY_QUERY_H
#define MAIL_QUERY_QUERY_H

#include "base/err.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "mail/message/message.h"

enum { QUERY_DEPTH_MAX = 100 }; /* parentheses within each other */

#define QUERY_NONE UINT32_MAX

/* What a message does not know about itself. */
struct query_context {
    int64_t now_us;
    const char *layout; /* of its source; NULL where it is not known */
    bool waiting;       /* it is an open ask; see ask.h, and query_asks() */
    struct span thread; /* what its conversation is called; see talk.h, and query_joins() */
    bool words;         /* texts are sought as words */
};

/* The texts of a message, as bits where several are meant. */
enum query_part {
    QUERY_PART_SUBJECT,
    QUERY_PART_FROM,
    QUERY_PART_TO,
    QUERY_PART_BODY,
    QUERY_PART_COUNT
};
enum { QUERY_PARTS_ALL = (1 << QUERY_PART_COUNT) - 1 };

/* Absent where the message has none, or it was not loaded. */
struct span query_part(const struct message *message, enum query_part part);

/* One value of a term that is text. */
struct query_value {
    struct span text;   /* without quotes and escapes */
    struct span folded; /* the same, case aside */
    bool wild;          /* a * in it stands for any text */
    /* The words it is made of; without any where it is only sought as characters. */
    struct phrase phrase;
};

/* A field of the language. Parsing, matching, help, the manual's test and completion all go by the
 * table of them. */
struct query_field {
    const char *name;  /* without the colon; "" for text that stands alone */
    const char *value; /* what stands for the value in the help */
    const char *help;
    /* The words it takes, NULL behind the last one; absent where it takes any text or a time. The
     * second explains them; absent where they explain themselves. */
    const char *(*word)(unsigned number);
    const char *(*word_help)(unsigned number);
    bool at_least;  /* WORD+ means that word and all behind it */
    unsigned wants; /* enum message_want: what of a message it looks at */
    uint32_t asks;  /* a bit for each word that only query_context.waiting can tell */
    bool joins;     /* it goes by query_context.thread */
    unsigned parts; /* of a text that may be sought as words: where, as bits of enum query_part */
    /* Whether a message has it; the one of the three that fits the field is there. */
    bool (*has_word)(const struct message *message, const struct query_context *context,
                     unsigned number);
    bool (*has_text)(const struct message *message, const struct query_context *context,
                     const struct query_value *value);
    bool (*has_time)(const struct message *message, int64_t limit_us);
};

extern const struct query_field query_fields[]; /* a NULL name ends it */
extern const struct query_field query_text;     /* text that stands alone */
extern const char *const query_keywords[];      /* and, or, not; NULL ends it */

enum query_op { QUERY_TERM, QUERY_NOT, QUERY_AND, QUERY_OR };

/* Operators stand behind their operands, so that nothing needs a stack. None is right inside
 * another of its own kind: "a (b c)" is "a b c". */
struct query_node {
    enum query_op op;
    uint32_t children; /* how many operands it has */
    uint32_t first;    /* the first of them; the last stands right before it */
    uint32_t parent;   /* the operator it belongs to, or QUERY_NONE */
    /* Of a term: */
    const struct query_field *field;
    uint32_t words;                   /* a bit for each word */
    const struct query_value *values; /* texts, or the time as it was written */
    size_t value_count;
    int64_t time_us; /* since the epoch or, with is_age, before now */
    bool is_age;
};

struct query {
    struct query_node *nodes;
    size_t count, cap;
    struct arena arena;
};

/* Reads a query. The caller frees it, also after an error. ERR_USAGE names the character, counted
 * from 1; *error_at, which may be NULL, is the byte it starts with, counted from 0 and inside the
 * text. Takes time in proportion to the text. */
bool query_parse(struct query *query, struct span text, struct err *err, size_t *error_at);
void query_free(struct query *query);

/* Appends the query in its plainest form. That form means the same, and is its own plainest form.
 */
void query_add_text(struct str *out, const struct query *query);

/* Whether the message matches. What was not loaded of it counts as absent; see query_wants(). */
bool query_match(const struct query *query, const struct message *message,
                 const struct query_context *context);

/* What has to be loaded of messages: bits of enum message_want. */
unsigned query_wants(const struct query *query);
/* Whether it asks for what can only be told when all mail is known: is:waiting or thread:. */
bool query_asks(const struct query *query);
/* Whether FIELD:WORD is one of its terms, or of the alternatives in one. */
bool query_names(const struct query *query, const char *field, const char *word);
/* Whether it asks for thread:. */
bool query_joins(const struct query *query);

/* Whether a message can match when all that is known of it is which texts it has: for each term
 * that seeks words `has` says whether one of its values may be there, and of all others nothing is
 * known. False is certain. */
bool query_may_match(const struct query *query, bool (*has)(const void *context, uint32_t node),
                     const void *context);
/* Whether that could ever be false: there are words without which nothing matches. */
bool query_needs_words(const struct query *query);
/* Whether the term seeks words, and nothing but words. */
bool query_seeks_words(const struct query_node *term);
/* Whether what the term says is to be there, not to be missing. */
bool query_wishes(const struct query *query, uint32_t node);

/* Where a message has the first of the words that are wished for, in its body if they are there;
 * false when none is. */
bool query_find_words(const struct query *query, const struct message *message,
                      enum query_part *part, struct span *where);

#endif
