/* A guard: asking it. */
#include "store/guard.h"

#include <stddef.h>

bool guard_asks(const struct guard *guard)
{
    return guard && guard->confirm;
}

bool guard_confirms(const struct guard *guard, struct span box, struct err *err)
{
    return !guard_asks(guard) || guard->confirm(guard->context, box, err);
}
