/* Tests kinds: one word for the purpose of a message, however its layout says it. */
#include "tests/unit/support.h"

#include "mail/message/kind.h"

Test(kind, every_kind_has_a_word_that_is_read_again)
{
    for (unsigned i = 0; i < KIND_COUNT; i++) {
        enum kind kind = KIND_COUNT;
        cr_assert(kind_parse(span_of(kind_name(i)), &kind), "%u", i);
        cr_assert_eq(kind, i);
        for (unsigned k = 0; k < i; k++)
            cr_assert_str_neq(kind_name(i), kind_name(k));
    }
}

Test(kind, other_words_are_none_and_set_nothing)
{
    static const char *const others[] = {"", "Message", "messages", "plan ", "idle\n", "hand"};
    enum kind kind = KIND_HOST;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(kind_parse(span_of(others[i]), &kind), "%s", others[i]);
    cr_assert_not(kind_parse((struct span){0}, &kind));
    cr_assert_eq(kind, KIND_HOST);
}

/* Each row: type, subject, if a response is wanted, and the kind. */
static const struct {
    const char *type, *subject;
    bool requires_response;
    enum kind kind;
} rows[] = {
    {NULL, NULL, false, KIND_MESSAGE},
    {"message", "hello", false, KIND_MESSAGE},
    {"request", "hello", false, KIND_MESSAGE},
    {"request", "hello", true, KIND_QUESTION},
    {NULL, "hello", true, KIND_QUESTION},
    {"handoff", "x", true, KIND_HANDOFF},
    {"handoff", NULL, false, KIND_HANDOFF},
    {"Handoff", "x", false, KIND_MESSAGE},
    {"escalation", "x", true, KIND_ESCALATION},
    {"plan-approval", "x", true, KIND_PLAN},
    {"plan_approval", "x", false, KIND_PLAN},
    {"plan_approval_request", "x", true, KIND_PLAN},
    {"plan_approval_response", "x", false, KIND_PLAN},
    {"permission", "x", false, KIND_PERMISSION},
    {"permission_request", "x", true, KIND_PERMISSION},
    {"permission_response", "x", false, KIND_PERMISSION},
    {"sandbox_permission_request", "x", true, KIND_HOST},
    {"sandbox_permission_response", "x", false, KIND_HOST},
    {"shutdown", "x", false, KIND_SHUTDOWN},
    {"shutdown_request", "x", true, KIND_SHUTDOWN},
    {"shutdown_approved", "x", false, KIND_SHUTDOWN},
    {"shutdown_rejected", "x", false, KIND_SHUTDOWN},
    {"task_assignment", "x", false, KIND_TASK},
    {"mode_set_request", "x", false, KIND_MODE},
    {"team_permission_update", "x", false, KIND_RULES},
    {"idle_notification", "x", false, KIND_IDLE},
    {"idle_notification", "Handoff: x", true, KIND_IDLE},
    {NULL, "Handoff: the parser", false, KIND_HANDOFF},
    {NULL, "Handoff: the parser", true, KIND_HANDOFF},
    {"message", "Work handoff from ann", false, KIND_HANDOFF},
    {NULL, "[URGENT] Handoff: the parser", false, KIND_HANDOFF},
    {NULL, "[HIGH] Re: Handoff: the parser", false, KIND_MESSAGE},
    {NULL, "handoff: the parser", false, KIND_MESSAGE},
    {NULL, "Re: Handoff: the parser", false, KIND_MESSAGE},
    {NULL, "Handoff:", false, KIND_MESSAGE},
    {NULL, "Shutdown requested", false, KIND_SHUTDOWN},
    {"message", "Shutdown requested: enough", true, KIND_SHUTDOWN},
    {NULL, "Re: Shutdown requested", false, KIND_MESSAGE},
    {NULL, "shutdown requested", false, KIND_MESSAGE},
    {"idle_notification", "Shutdown requested", false, KIND_IDLE},
    {"no such type", "x", false, KIND_MESSAGE},
};

Test(kind, types_and_words_tell_what_a_message_is_about)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct message message = {.type = span_of(rows[i].type),
                                  .subject = span_of(rows[i].subject),
                                  .requires_response = rows[i].requires_response};
        message_classify(&message);
        cr_assert_eq(message.kind, rows[i].kind, "%s, %s: %s",
                     rows[i].type ? rows[i].type : "no type",
                     rows[i].subject ? rows[i].subject : "no subject", kind_name(message.kind));
    }
}

Test(kind, what_the_layout_has_set_stays)
{
    struct message message = {.type = span_of("handoff"), .kind = KIND_TASK};

    message_classify(&message);
    cr_assert_eq(message.kind, KIND_TASK);
}

Test(kind, what_is_damaged_is_about_nothing)
{
    struct message message = {.type = span_of("handoff"), .damaged = "it is"};

    message_classify(&message);
    cr_assert_eq(message.kind, KIND_MESSAGE);
}
