/* Hosts in requests: a name or an address, with or without a port. */
#ifndef MAIL_SECURITY_HOST_H
#define MAIL_SECURITY_HOST_H

#include "base/str.h"

/* True for an address with colons, in brackets or not. */
bool host_is_address(struct span host);

/* Returns the part before the port; the whole text if there is no port. */
struct span host_without_port(struct span host);

#endif
