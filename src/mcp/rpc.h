/* Lines: splits a stream of bytes at newlines, with a limit on the length of a line. */
#ifndef MCP_RPC_H
#define MCP_RPC_H

#include "base/json/json.h"
#include "base/str.h"

enum { LINE_MAX_BYTES = 4 << 20 };

/* The state of the splitter; zero-initialised is empty and valid. */
struct lines {
    struct str held; /* the start of a line whose end has not arrived yet */
    bool skipping;   /* the rest of a line that was too long is being skipped */
    bool given;      /* `held` was returned, and is freed by the next call */
};

enum line_found {
    LINE_NONE, /* all bytes are consumed; more are needed */
    LINE_WHOLE,
    LINE_TOO_LONG, /* reported once, as soon as it is known; the line is skipped */
};

void lines_free(struct lines *lines);

/* Removes the next line and its newline from the bytes. The line is borrowed until the next
 * call. */
enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line);
/* Returns the bytes after the last newline, at the end of the stream; empty if there are none. */
struct span lines_rest(const struct lines *lines);

/* JSON-RPC 2.0: parsing a line, and writing the lines that answer it.
 *
 * Parsing is a pure function of the bytes. Ids are not interpreted, only returned byte for byte. */

enum rpc_code {
    RPC_NOT_JSON = -32700,
    RPC_BAD_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_BAD_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_ABSENT = -32002, /* the protocol's code for a resource that does not exist */
};

enum rpc_kind {
    RPC_BROKEN, /* to be answered with its code and sentence */
    RPC_CALL,
    RPC_NOTICE, /* never answered */
    RPC_ANSWER, /* to a call from this side */
};

struct rpc_message {
    enum rpc_kind kind;
    struct span id; /* raw JSON; absent if there is none that can be returned */
    struct span method;
    struct json params; /* an object, or JSON_ABSENT */
    int code;           /* of RPC_BROKEN */
    struct err err;     /* of RPC_BROKEN, as a sentence */
};

/* The messages of a line. Texts are in the line and the arena. */
struct rpc_line {
    bool batch;
    struct rpc_message *items;
    size_t count; /* 0: a blank line */
};

/* Parses any bytes. A repeated key makes a message RPC_BROKEN (a notification is ignored): a reader
 * that uses the first one and a reader that uses the last one would not see the same call. */
void rpc_read(struct rpc_line *out, struct span line, struct arena *arena);

/* Reports whether two ids, as raw JSON, are equal: the same number, or strings with the same
 * text. */
bool rpc_same_id(struct span a, struct span b);

/* Returns the member of an object that was scanned and has no equal keys; JSON_ABSENT if it has no
 * such member. */
struct json rpc_member(struct json object, const char *key);

/* Append an answer or a notification without its newline. `result` is JSON; an absent id is left
 * out. */
void rpc_add_result(struct str *out, struct span id, struct span result);
void rpc_add_error(struct str *out, struct span id, int code, const char *sentence);
void rpc_add_notice(struct str *out, const char *method, struct span params);

#endif
