/* The ADR-003 agent mailbox: one JSON file a message, written by Python programs. */
#ifndef STORE_ADR_H
#define STORE_ADR_H

#include "store/format.h"

extern const struct format adr_format;

#endif
