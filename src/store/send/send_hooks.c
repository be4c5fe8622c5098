/* Calling send hooks. */
#include "store/send/send_hooks.h"

bool guard_asks(const struct send_hooks *hooks)
{
    return hooks && hooks->confirm;
}

void send_hooks_inspect(const struct send_hooks *hooks, struct span box)
{
    if (hooks && hooks->inspect)
        hooks->inspect(hooks->context, box);
}

enum guard_answer send_hooks_confirm(const struct send_hooks *hooks, struct span box,
                                     struct err *err)
{
    return guard_asks(hooks) ? hooks->confirm(hooks->context, box, err) : SEND_YES;
}
