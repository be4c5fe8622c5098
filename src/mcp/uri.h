/* URIs of resources: swarmutt://message/ID and swarmutt://thread/ID. */
#ifndef MCP_URI_H
#define MCP_URI_H

#include "base/str.h"

enum uri_kind { URI_MESSAGE, URI_THREAD };

/* Appends the URI; characters that it may not hold are percent-encoded. */
void uri_add(struct str *out, enum uri_kind kind, struct span id);
/* Parses a URI; the id replaces `id`. Returns false for any other URI, and if the id is empty,
 * holds a NUL or is not UTF-8. */
bool uri_read(struct span uri, enum uri_kind *kind, struct str *id);

#endif
