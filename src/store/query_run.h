/* Running a query on the messages of a store, with the data that it needs. */
#ifndef STORE_QUERY_RUN_H
#define STORE_QUERY_RUN_H

#include "mail/live/live.h"
#include "mail/message/message.h"
#include "mail/query/query.h"
#include "mail/thread/conversation.h"
#include "store/store.h"

struct querying {
    struct store *store;
    int64_t now_us;  /* TIME_NONE: use the clock */
    struct str text; /* as typed, for messages to the person */
    struct query query;
    bool words;                 /* match texts as words; see query.h */
    struct message_map waiting; /* the open requests */
    struct message_map threads; /* values are indexes into `called` */
    struct span *called;        /* the names of conversations */
    struct arena names;         /* the bytes of these names */
    bool settled; /* for querying_match_live(): the results are valid for the last update */
};

/* Parses a query; an empty one matches every message. The error and its position are those of
 * query_parse(). The caller closes `querying` in any case. */
bool querying_read(struct querying *querying, struct store *store, struct span text, int64_t now_us,
                   struct err *err, size_t *error_at);
void querying_close(struct querying *querying);

/* Returns the time that ages are relative to. */
int64_t querying_now(const struct querying *querying);

/* True if the query itself names archived messages: then the archives have to be searched too. */
bool querying_archive(const struct querying *querying);

/* Returns what has to be loaded besides what the caller needs: bits of enum message_want. */
unsigned querying_wants(const struct querying *querying);

/* Computes the results for is:waiting and thread:. To be called when the mail of all agents,
 * archives included, is in the model, and again when that has changed. Does nothing if the query
 * does not use them. */
void querying_settle(struct querying *querying, const struct model *model);

/* Calls store_load() with what the query needs, then querying_settle(). If the query uses
 * is:waiting or thread: and the caller loads only a part, everything is read a second time for
 * it. */
bool querying_load(struct querying *querying, const struct load *load, struct model *model,
                   struct err *err);

bool querying_match(const struct querying *querying, const struct message *message);
/* True if at least one message of the conversation matches. */
bool querying_match_conversation(const struct querying *querying,
                                 const struct conversations *conversations,
                                 const struct conversation *conversation);
/* Like querying_match(), for a caller that follows all mail and calls querying_stale() when it has
 * changed: computes the results for is:waiting and thread: when they are needed. */
bool querying_match_live(struct querying *querying, const struct live *live,
                         const struct message *message);
void querying_stale(struct querying *querying);
/* Moves the messages that match to the front, keeping their order, and returns their number. */
size_t querying_filter(const struct querying *querying, struct message **messages, size_t count);

#endif
