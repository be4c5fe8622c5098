/* Queries: one language for choosing messages, in commands, in the configuration and on the screen.
 *
 *     from:tester kind:plan,permission not is:read      terms side by side must all hold
 *     (prio:high+ or is:waiting) older:2h               or, not and parentheses
 *     "disk full" subject:index* -from:"infra 4"        text, phrases, - for not
 *
 * A term is FIELD:VALUE, or bare text. Several values separated by commas are alternatives. A value
 * or text with blanks, parentheses, commas or quotes in it must be in double quotes, where \" is a
 * quote and \\ a backslash. Outside of quotes a * matches any text. "not" has the highest
 * precedence, then terms side by side (or with "and" between them), then "or". Case never matters:
 * neither in fields, keywords and words, nor in the text that is searched for.
 *
 * A text of only blanks is the empty query, which every message matches.
 *
 * Texts (bare text, subject: and body:) are searched for in one of two ways, as the caller chooses:
 * as characters anywhere, or as words (see base/text/words.h): then "pars" does not match "parser",
 * word* matches words that start so, and several words in one value must be adjacent. A value
 * without any word, or with a * before its end, is always searched for as characters. */
#ifndef MAIL_QUERY_QUERY_H
#define MAIL_QUERY_QUERY_H

#include "base/err.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "mail/message/message.h"

enum { QUERY_DEPTH_MAX = 100 }; /* nested parentheses */

#define QUERY_NONE UINT32_MAX

/* Facts about a message that the message itself does not hold. */
struct query_context {
    int64_t now_us;
    const char *layout; /* of its source; NULL if it is not known */
    bool waiting;       /* it is an open request; see mail/thread/request.h, and query_asks() */
    struct span thread; /* id of its conversation; see mail/thread/conversation.h, query_joins() */
    bool words;         /* search for texts as words */
};

/* The texts of a message; as bits in sets. */
enum query_part {
    QUERY_PART_SUBJECT,
    QUERY_PART_FROM,
    QUERY_PART_TO,
    QUERY_PART_BODY,
    QUERY_PART_COUNT
};
enum { QUERY_PARTS_ALL = (1 << QUERY_PART_COUNT) - 1 };

/* Returns an absent span if the message has no such text, or it was not loaded. */
struct span query_part(const struct message *message, enum query_part part);

/* One value of a term that is text. */
struct query_value {
    struct span text;   /* without quotes and escapes */
    struct span folded; /* case-folded text */
    bool wild;          /* contains a * that matches any text */
    /* Its words; none if it is only searched for as characters. */
    struct phrase phrase;
};

/* A field of the language. Parsing, matching, help, the manual's test and completion all use the
 * table of fields. */
struct query_field {
    const char *name;  /* without the colon; "" for bare text */
    const char *value; /* placeholder for the value in the help */
    const char *help;
    /* Return the words of the field, NULL after the last one, and their explanations. `word` is
     * NULL if the field takes any text or a time; `word_help` is NULL if the words explain
     * themselves. */
    const char *(*word)(unsigned number);
    const char *(*word_help)(unsigned number);
    bool at_least;  /* WORD+ means that word and all after it */
    unsigned wants; /* enum message_want: the parts of a message that it needs */
    uint32_t asks;  /* a bit for each word that needs query_context.waiting */
    bool joins;     /* it needs query_context.thread */
    unsigned parts; /* for a text that may be searched for as words: the texts, as bits of enum
                       query_part */
    /* Report whether a message has it; only the one that fits the field is set. */
    bool (*has_word)(const struct message *message, const struct query_context *context,
                     unsigned number);
    bool (*has_text)(const struct message *message, const struct query_context *context,
                     const struct query_value *value);
    bool (*has_time)(const struct message *message, int64_t limit_us);
};

extern const struct query_field query_fields[]; /* ends with a NULL name */
extern const struct query_field query_text;     /* bare text */
extern const char *const query_keywords[];      /* and, or, not; ends with NULL */

enum query_op { QUERY_TERM, QUERY_NOT, QUERY_AND, QUERY_OR };

/* Operators come after their operands, so that matching needs no stack. No operator is directly
 * inside another of its own kind: "a (b c)" is "a b c". */
struct query_node {
    enum query_op op;
    uint32_t children; /* number of operands */
    uint32_t first;    /* the first of them; the last is right before the operator */
    uint32_t parent;   /* the operator that it is an operand of, or QUERY_NONE */
    /* Only in terms: */
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

/* Parses a query. The caller frees it, also after an error. ERR_USAGE names the character, counted
 * from 1; *error_at is set to the offset of its first byte, from 0 and inside the text; error_at
 * may be NULL. Takes linear time. */
bool query_parse(struct query *query, struct span text, struct err *err, size_t *error_at);
void query_free(struct query *query);

/* Appends the query in its canonical form, which has the same meaning and is its own canonical
 * form. */
void query_add_text(struct str *out, const struct query *query);

/* Reports whether the message matches. Parts of it that were not loaded count as absent; see
 * query_wants(). */
bool query_match(const struct query *query, const struct message *message,
                 const struct query_context *context);

/* Returns the parts of messages that must be loaded: bits of enum message_want. */
unsigned query_wants(const struct query *query);
/* True if it has terms that need all mail to be known: is:waiting or thread:. */
bool query_asks(const struct query *query);
/* True if FIELD:WORD is one of its terms, or an alternative in one. */
bool query_names(const struct query *query, const char *field, const char *word);
/* True if it has a thread: term. */
bool query_joins(const struct query *query);

/* Reports whether a message can match if only its words are known: for each term that searches for
 * words `has` reports whether one of its values may be in the message; any other term may or may
 * not hold. False is certain. */
bool query_may_match(const struct query *query, bool (*has)(const void *context, uint32_t node),
                     const void *context);
/* True if query_may_match() can ever return false: without some words nothing matches. */
bool query_needs_words(const struct query *query);
/* True if the term searches only for words. */
bool query_seeks_words(const struct query_node *term);
/* True if the term requires its text to be present, not absent. */
bool query_wishes(const struct query *query, uint32_t node);

/* Finds the first of the required words in a message, in its body if they are there; returns false
 * if none is found. */
bool query_find_words(const struct query *query, const struct message *message,
                      enum query_part *part, struct span *where);

#endif
