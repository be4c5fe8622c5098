/* Orders: which form an action opens, and for whom. */
#include "ui/acting.h"
#include "ui/compose/order_form.h"
#include "ui/compose/writing.h"

static void set_home(struct ui *ui, struct draft_fields *fields, uint32_t source)
{
    if (source == STORE_ANY)
        return;
    fields->format = span_of(ui_source(ui, source)->format->name);
    fields->root = span_of(ui_source(ui, source)->path);
}

/* AGENT, or for a mode AGENT MODE, as the command takes them. */
static void take_argument(struct draft_fields *fields, struct span argument)
{
    const char *blank =
        fields->form == FORM_MODE && argument.len ? memchr(argument.at, ' ', argument.len) : NULL;
    size_t len = blank ? (size_t)(blank - argument.at) : argument.len;

    fields->to = (struct span){argument.at, len};
    if (blank)
        fields->order.mode = span_trim((struct span){blank, argument.len - len});
}

/* The agent that is selected, or who wrote what is. */
static void take_selected(struct ui *ui, struct draft_fields *fields, const struct acting *acting)
{
    const struct message *message = writing_choose(ui, acting);

    if (acting->agent.len) {
        fields->to = acting->agent;
        set_home(ui, fields, acting->agent_source);
    } else if (message && !message->by_us) {
        fields->to = message->from;
        fields->team = message->place->team;
        set_home(ui, fields, message->place->source);
    }
}

static void open_form(struct ui *ui, const struct form_spec *spec, struct span argument)
{
    struct draft_fields fields = draft_fields_new(spec->form);
    struct acting acting;

    acting_targets(ui, &acting);
    take_argument(&fields, span_trim(argument));
    if (!fields.to.len && spec != &escalate_spec) /* that goes by its level */
        take_selected(ui, &fields, &acting);
    form_open(ui, spec, &fields);
    draft_fields_free(&fields);
    acting_free(&acting);
}

bool order_act(struct ui *ui, enum action action, struct span argument)
{
    static const struct {
        enum action action;
        const struct form_spec *spec;
    } table[] = {{ACTION_SHUTDOWN, &shutdown_spec},
                 {ACTION_MODE, &mode_spec},
                 {ACTION_ASSIGN, &assign_spec},
                 {ACTION_RULES, &rules_spec},
                 {ACTION_ESCALATE, &escalate_spec}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].action != action)
            continue;
        open_form(ui, table[i].spec, argument);
        return true;
    }
    return false;
}
