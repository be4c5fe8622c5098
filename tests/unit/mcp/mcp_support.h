/* A host of sessions with one message to read. */
#ifndef TESTS_UNIT_MCP_MCP_SUPPORT_H
#define TESTS_UNIT_MCP_MCP_SUPPORT_H

#include "mcp/session.h"

static inline bool list_nothing(void *context, struct str *out, struct err *err)
{
    (void)context;
    (void)err;
    str_puts(out, "[]");
    return true;
}

static inline bool read_the_one(void *context, struct span uri, struct str *out, struct err *err)
{
    (void)context;
    if (!span_is(uri, "swarmutt://message/1"))
        return err_set(err, ERR_ABSENT, "no such resource");
    str_puts(out, "{\"v\":1}");
    return true;
}

#endif
