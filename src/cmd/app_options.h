/* Options that several commands have. */
#ifndef CMD_APP_OPTIONS_H
#define CMD_APP_OPTIONS_H

#include "cmd/app.h"
#include "cmd/words.h"
#include "store/follow.h"
#include "store/query_run.h"

/* Of those that take a text. */
#define BODY_OPTIONS                                                                               \
    {.name = "body", .value = "TEXT", .help = "the text; or - as the last word to read it"},       \
    {                                                                                              \
        .name = "body-file", .value = "FILE", .takes = {.kinds = WORD_FILE}, .path = true,         \
        .help = "a file with the text"                                                             \
    }

#define PRIORITY_OPTION                                                                            \
    {                                                                                              \
        .name = "priority", .value = "PRIORITY", .takes = {.word = priority_word},                 \
        .help = "low, normal, high or urgent"                                                      \
    }

/* Of those that write a new message. */
#define COMPOSE_OPTIONS                                                                            \
    {.name = "from",                                                                               \
     .value = "NAME",                                                                              \
     .takes = {.kinds = WORD_AGENT},                                                               \
     .help = "who sends it (default: who I am)"},                                                  \
        {.name = "subject", .value = "TEXT", .help = "what it is about"}, BODY_OPTIONS,            \
        {.name = "type",                                                                           \
         .value = "TYPE",                                                                          \
         .takes = {.word = words_type},                                                            \
         .help = "the layout's message type"},                                                     \
        PRIORITY_OPTION

/* Of those that send. */
#define SENDING_OPTIONS                                                                            \
    {.name = "dry-run", .help = "only show where it would go and what would be written"},          \
        {.name = "verify", .help = "look for it again twice before it counts as sent"},            \
    {                                                                                              \
        .name = "no-verify", .help = "do not look for it again"                                    \
    }

/* Queries of the command line: the query that operands make, for the commands that take one. */

/* Reads operands, joined by blanks, as one query. False after the mistake was said, with a mark
 * beneath it: the command then ends with EXIT_USAGE. The caller closes it in any case. */
bool app_query_read(struct querying *querying, const struct app *app, char *const *operands,
                    int count);

/* querying_load(), and says when marks that are kept here could not be read. */
bool app_query_load(const struct app *app, struct querying *querying, const struct load *load,
                    struct model *model, struct err *err);

/* Following the mailboxes as they change, for the commands that do. */

/* Starts to follow; `want` are the parts that messages are told with. Without a config nothing is
 * told about agents. */
void app_watch(struct watching *watching, const struct app *app, unsigned want,
               const struct config *config, const struct watching_calls *calls, void *context);

/* Takes news until that is enough, or that time of the steady clock has come (TIME_NONE: never), or
 * nobody reads standard output any more. What is there at the start is looked at in any case. */
void app_watch_until(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context));

#endif
