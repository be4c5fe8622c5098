/* Bringing back: the file of one message, as it was before we changed it. */
#ifndef STORE_CHANGE_BRING_H
#define STORE_CHANGE_BRING_H

#include "store/change/change.h"

/* For the deeds that changed a file of its own. Refused, with the reason, when that is not as we
 * left it or another message has taken its place. */
bool bring_back(const struct changing *how, const struct change_record *record, struct err *err);

#endif
