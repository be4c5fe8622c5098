/* Querying: the query that operands make, for the commands that take one. */
#ifndef CMD_QUERYING_H
#define CMD_QUERYING_H

#include "base/map.h"
#include "cmd/command.h"
#include "mail/query.h"

/* Without operands it is the empty query, which every message matches. */
struct querying {
    const struct app *app;
    struct str text; /* as it was typed, for what is said to the person */
    struct query query;
    struct map waiting;  /* the open asks, by the names of their messages */
    struct map threads;  /* 1 + a number of `called`, by the names of messages */
    struct span *called; /* what conversations are called */
    struct arena names;
};

/* Reads operands, joined by blanks, as one query. False after the mistake was said, with a mark
 * beneath it: the command then ends with EXIT_USAGE. The caller closes it in any case. */
bool querying_open(struct querying *querying, const struct app *app, char *const *operands,
                   int count);
void querying_close(struct querying *querying);

/* Whether the query itself speaks of archived messages: then it looks through the archives too. */
bool querying_archive(const struct querying *querying);

/* What has to be loaded besides what the command itself needs: bits of enum message_want. */
unsigned querying_wants(const struct querying *querying);

/* To be called when all mail of everybody, archives included, is in the model, and again when that
 * has changed: finds what is:waiting and thread: mean. Costs nothing when the query does not ask.
 */
void querying_settle(struct querying *querying, const struct model *model);

/* app_load() with what the query needs, then querying_settle(), for which everything is read once
 * more if the command itself wants less and the query asks. */
bool querying_load(struct querying *querying, const struct load *load, struct model *model,
                   struct err *err);

bool querying_match(const struct querying *querying, const struct message *message);
/* Moves those that match to the front, in their order, and returns how many. */
size_t querying_filter(const struct querying *querying, struct message **messages, size_t count);

#endif
