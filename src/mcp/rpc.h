/* Lines: a stream of bytes cut at its newlines, none longer than may be. */
#ifndef MCP_RPC_H
#define MCP_RPC_H

#include "base/json/json.h"
#include "base/str.h"

enum { LINE_MAX_BYTES = 4 << 20 };

/* Zero-initialised is empty and valid. */
struct lines {
    struct str held; /* the start of a line whose end has not come yet */
    bool skipping;   /* the rest of a line that was too long */
    bool given;      /* what is held was given out, and goes with the next call */
};

enum line_found {
    LINE_NONE, /* all bytes are taken; more are needed */
    LINE_WHOLE,
    LINE_TOO_LONG, /* told once, as soon as it is known; the line is passed over */
};

void lines_free(struct lines *lines);

/* Takes the next line off the bytes, its newline too. The line is borrowed until the next call. */
enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line);
/* What stands behind the last newline when no more bytes come; empty when nothing does. */
struct span lines_rest(const struct lines *lines);

/* JSON-RPC 2.0: what a line says, and the lines that answer it.
 *
 * Reading is a pure function of the bytes. Ids are never understood, only given back byte for byte.
 */

enum rpc_code {
    RPC_NOT_JSON = -32700,
    RPC_BAD_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_BAD_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_ABSENT = -32002, /* what the protocol has for a resource that is not there */
};

enum rpc_kind {
    RPC_BROKEN, /* to be answered with its code and sentence */
    RPC_CALL,
    RPC_NOTICE, /* never answered */
    RPC_ANSWER, /* to something that was asked from here */
};

struct rpc_message {
    enum rpc_kind kind;
    struct span id; /* raw JSON; absent where there is none that can be given back */
    struct span method;
    struct json params; /* an object, or JSON_ABSENT */
    int code;           /* of a broken one */
    struct err err;     /* the same in words */
};

/* Texts live in the line and the arena. */
struct rpc_line {
    bool batch;
    struct rpc_message *items;
    size_t count; /* 0: a blank line */
};

/* Takes any bytes. Keys that stand twice make a message broken: who reads the first of them and who
 * reads the last would not see the same call. */
void rpc_read(struct rpc_line *out, struct span line, struct arena *arena);

/* Whether two ids, as raw JSON, are one: the same number, or strings of the same text. */
bool rpc_same_id(struct span a, struct span b);

/* The member of an object that was scanned, without equal keys; JSON_ABSENT where it has none. */
struct json rpc_member(struct json object, const char *key);

/* Appends an answer without its newline. `result` is JSON; an absent id is left out. */
void rpc_add_result(struct str *out, struct span id, struct span result);
void rpc_add_error(struct str *out, struct span id, int code, const char *sentence);
void rpc_add_notice(struct str *out, const char *method, struct span params);

#endif
