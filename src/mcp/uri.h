/* The addresses of resources: swarmutt://message/ID and swarmutt://thread/ID. */
#ifndef MCP_URI_H
#define MCP_URI_H

#include "base/str.h"

enum uri_kind { URI_MESSAGE, URI_THREAD };

/* Appends one; what no address may hold is escaped. */
void uri_add(struct str *out, enum uri_kind kind, struct span id);
/* Reads one; the id replaces `id`. False for everything else, also where the id is empty, holds a
 * NUL or is not UTF-8. */
bool uri_read(struct span uri, enum uri_kind *kind, struct str *id);

#endif
