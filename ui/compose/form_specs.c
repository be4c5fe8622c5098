/* The kinds of forms. */
#include "ui/compose/broadcast_form.h"
#include "ui/compose/form.h"
#include "ui/compose/handoff_form.h"
#include "ui/compose/order_form.h"
#include "ui/compose/writing.h"

const struct form_spec *form_spec_of(enum form form)
{
    static const struct form_spec *const specs[FORM_COUNT] = {
        [FORM_COMPOSE] = &compose_spec,   [FORM_REPLY] = &reply_spec,
        [FORM_FORWARD] = &forward_spec,   [FORM_BROADCAST] = &broadcast_spec,
        [FORM_HANDOFF] = &handoff_spec,   [FORM_NUDGE] = &nudge_spec,
        [FORM_SHUTDOWN] = &shutdown_spec, [FORM_MODE] = &mode_spec,
        [FORM_ASSIGN] = &assign_spec,     [FORM_RULES] = &rules_spec,
        [FORM_ESCALATE] = &escalate_spec,
    };

    return specs[form];
}
