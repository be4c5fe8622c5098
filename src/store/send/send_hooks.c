/* A guard: asking it. */
#include "store/send/send_hooks.h"

bool guard_asks(const struct guard *guard)
{
    return guard && guard->confirm;
}

void guard_inspects(const struct guard *guard, struct span box)
{
    if (guard && guard->inspect)
        guard->inspect(guard->context, box);
}

enum guard_answer guard_confirms(const struct guard *guard, struct span box, struct err *err)
{
    return guard_asks(guard) ? guard->confirm(guard->context, box, err) : GUARD_YES;
}
