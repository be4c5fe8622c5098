/* The fields of a form: its beginning and its end, and which message it is about. */
#include "mail/message/draft_fields.h"

static const char *const form_names[FORM_COUNT] = {
    [FORM_COMPOSE] = "compose",   [FORM_REPLY] = "reply",         [FORM_FORWARD] = "forward",
    [FORM_HANDOFF] = "handoff",   [FORM_BROADCAST] = "broadcast", [FORM_NUDGE] = "nudge",
    [FORM_SHUTDOWN] = "shutdown", [FORM_MODE] = "mode",           [FORM_ASSIGN] = "assign",
    [FORM_RULES] = "rules",       [FORM_ESCALATE] = "escalate",
};

const char *form_name(enum form form)
{
    return form_names[form];
}

bool form_parse(struct span word, enum form *form)
{
    for (int i = 0; i < FORM_COUNT; i++) {
        if (!span_is(word, form_names[i]))
            continue;
        *form = (enum form)i;
        return true;
    }
    return false;
}

struct draft_fields draft_fields_new(enum form form)
{
    return (struct draft_fields){
        .form = form, .priority = PRIORITY_NORMAL, .sending_us = WHEN_NONE};
}

void draft_fields_free(struct draft_fields *fields)
{
    span_list_free(&fields->exclude);
    span_list_free(&fields->tags);
    span_list_free(&fields->attachments);
    span_list_free(&fields->order.rules);
    span_list_free(&fields->unknown);
    handoff_free(&fields->handoff);
    *fields = draft_fields_new(FORM_COMPOSE);
}

void draft_fields_set_about(struct draft_fields *fields, const char *format,
                            const struct message *message)
{
    const struct place *place = message->place;

    fields->about.format = span_of(format);
    fields->about.root = span_of(place->root);
    fields->about.team = place->team;
    fields->about.box = place->box;
    fields->about.id = message->id;
}
