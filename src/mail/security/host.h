/* Hosts, as requests name them: a name or an address, with a port or without. */
#ifndef MAIL_SECURITY_HOST_H
#define MAIL_SECURITY_HOST_H

#include "base/str.h"

/* An address with colons in it, in brackets or not. */
bool host_is_address(struct span host);

/* What stands before the port; all of it where there is none. */
struct span host_without_port(struct span host);

#endif
