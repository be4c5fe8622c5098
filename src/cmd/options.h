/* Options that several commands have. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd/app.h"
#include "cmd/words.h"

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
#define WRITING_OPTIONS                                                                            \
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

#endif
