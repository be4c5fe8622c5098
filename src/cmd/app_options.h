/* Options, queries and following that several commands share. */
#ifndef CMD_APP_OPTIONS_H
#define CMD_APP_OPTIONS_H

#include "cmd/app.h"
#include "cmd/words.h"
#include "store/follow.h"
#include "store/query_run.h"

/* Options of commands that take a text. */
#define BODY_OPTIONS                                                                               \
    {"body", "TEXT", .help = "the text; or - as the last word to read it"},                        \
    {                                                                                              \
        "body-file", "FILE", .kinds = WORD_FILE, .path = true, .help = "a file with the text"      \
    }

/* Options of commands that write a new message. Their terms are a struct draft. */
#define COMPOSE_OPTIONS                                                                            \
    {"from",                                                                                       \
     "NAME",                                                                                       \
     OPTION_TEXT,                                                                                  \
     offsetof(struct draft, from),                                                                 \
     .kinds = WORD_AGENT,                                                                          \
     .help = "who sends it (default: who I am)"},                                                  \
        {"subject",      "TEXT",                                                                   \
         OPTION_TEXT,    offsetof(struct draft, subject),                                          \
         .needed = true, .help = "what it is about"},                                              \
        BODY_OPTIONS,                                                                              \
        {"type",                                                                                   \
         "TYPE",                                                                                   \
         OPTION_TEXT,                                                                              \
         offsetof(struct draft, type),                                                             \
         .word = words_type,                                                                       \
         .help = "the layout's message type"},                                                     \
    {                                                                                              \
        "priority", "PRIORITY", OPTION_PRIORITY, offsetof(struct draft, priority),                 \
            .word = priority_word, .help = "low, normal, high or urgent"                           \
    }

/* Options of commands that send. */
#define SENDING_OPTIONS                                                                            \
    {"dry-run", .help = "only show where it would go and what would be written"},                  \
        {"verify", .help = "look for it again twice before it counts as sent"},                    \
    {                                                                                              \
        "no-verify", .help = "do not look for it again"                                            \
    }

/* The query that the operands of a command make. */

/* Reads operands, joined by blanks, as one query. On a mistake, prints it with a mark beneath its
 * position and returns false; the command then ends with EXIT_USAGE. The caller closes `querying`
 * in any case. */
bool app_query_read(struct querying *querying, const struct app *app, char *const *operands,
                    int count);

/* Like querying_load(), and prints a remark if the local marks could not be read. */
bool app_query_load(const struct app *app, struct querying *querying, const struct load *load,
                    struct model *model, struct err *err);

/* Following the mailboxes as they change. */

/* Starts following; see watching_begin(). `want` are the parts that each message is reported with.
 * Without a config nothing about agents is reported. */
bool app_watch(struct watching *watching, struct app *app, unsigned want,
               const struct config *config, const struct watching_calls *calls, void *context,
               struct err *err);

/* Handles changes until is_enough() returns true, the steady clock reaches `end_us` (TIME_NONE:
 * never), or nobody reads standard output any more. The messages that exist at the start are always
 * processed first. */
void app_watch_until(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context));

#endif
