/* The ADR-003 agent mailbox: one JSON file a message, written by Python programs. */
#ifndef STORE_LAYOUTS_ADR_H
#define STORE_LAYOUTS_ADR_H

#include "store/format/format.h"

extern const struct format adr_format;

#endif
