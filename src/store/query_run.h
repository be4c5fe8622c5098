/* Querying: a query at work on the messages of a store, with all that it needs to know. */
#ifndef STORE_QUERY_RUN_H
#define STORE_QUERY_RUN_H

#include "mail/live/live.h"
#include "mail/message/message.h"
#include "mail/query/query.h"
#include "mail/thread/conversation.h"
#include "store/store.h"

struct querying {
    struct store *store;
    int64_t now_us;  /* TIME_NONE: the clock's */
    struct str text; /* as it was typed, for what is said to the person */
    struct query query;
    bool words;                 /* texts are sought as words; see query.h */
    struct message_map waiting; /* the open asks */
    struct message_map threads; /* a number of `called` */
    struct span *called;        /* what conversations are called */
    struct arena names;         /* of those */
    bool settled; /* of querying_match_live(): it knows what waits as of the last update */
};

/* Reads a query; an empty one is matched by every message. The error and its place are those of
 * query_parse(). The caller closes it in any case. */
bool querying_read(struct querying *querying, struct store *store, struct span text, int64_t now_us,
                   struct err *err, size_t *error_at);
void querying_close(struct querying *querying);

/* The present time, for ages. */
int64_t querying_now(const struct querying *querying);

/* Whether the query itself speaks of archived messages: then it looks through the archives too. */
bool querying_archive(const struct querying *querying);

/* What has to be loaded besides what the caller needs: bits of enum message_want. */
unsigned querying_wants(const struct querying *querying);

/* To be called when all mail of everybody, archives included, is in the model, and again when that
 * has changed: finds what is:waiting and thread: mean. Costs nothing when the query does not ask.
 */
void querying_settle(struct querying *querying, const struct model *model);

/* store_load() with what the query needs, then querying_settle(), for which everything is read once
 * more if the caller wants less and the query asks. */
bool querying_load(struct querying *querying, const struct load *load, struct model *model,
                   struct err *err);

bool querying_match(const struct querying *querying, const struct message *message);
/* Whether some message of a conversation matches. */
bool querying_match_conversation(const struct querying *querying,
                                 const struct conversations *conversations,
                                 const struct conversation *conversation);
/* querying_match() for who follows all mail, of which querying_stale() tells that it has changed:
 * what the query asks of the others is found when it is needed. */
bool querying_match_live(struct querying *querying, const struct live *live,
                         const struct message *message);
void querying_stale(struct querying *querying);
/* Moves those that match to the front, in their order, and returns how many. */
size_t querying_filter(const struct querying *querying, struct message **messages, size_t count);

#endif
