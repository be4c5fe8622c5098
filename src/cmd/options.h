/* Options of the commands that write a new message. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd/words.h"

#define WRITING_OPTIONS                                                                            \
    {.name = "from",                                                                               \
     .value = "NAME",                                                                              \
     .takes = {.kinds = WORD_AGENT},                                                               \
     .help = "who sends it (default: who I am)"},                                                  \
        {.name = "subject", .value = "TEXT", .help = "what it is about"},                          \
        {.name = "body", .value = "TEXT", .help = "the text; or - as the last word to read it"},   \
        {.name = "body-file",                                                                      \
         .value = "FILE",                                                                          \
         .takes = {.kinds = WORD_FILE},                                                            \
         .path = true,                                                                             \
         .help = "a file with the text"},                                                          \
        {.name = "type",                                                                           \
         .value = "TYPE",                                                                          \
         .takes = {.word = words_type},                                                            \
         .help = "the layout's message type"},                                                     \
    {                                                                                              \
        .name = "priority", .value = "PRIORITY", .takes = {.word = words_priority},                \
        .help = "low, normal, high or urgent"                                                      \
    }

#endif
