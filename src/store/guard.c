/* A guard: asking it. */
#include "store/guard.h"

#include <stddef.h>

bool guard_confirms(const struct guard *guard, struct span box, struct err *err)
{
    return !guard || !guard->confirm || guard->confirm(guard->context, box, err);
}
