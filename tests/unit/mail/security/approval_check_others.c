/* Tests the approval check: requests of layouts in which no program enforces the decision. */
#include "approval_check_support.h"

#include "store/layouts/adr.h"
#include "store/layouts/agent_inbox.h"
#include "store/layouts/openclaw.h"
#include "store/layouts/roo.h"

static const struct place anywhere = {.box = {"user", 4}, .dir = {"user", 4}};

#define ADR                                                                                        \
    "{\"id\":\"MSG-0123456789ab\",\"from_agent\":\"w\",\"to_agent\":\"user\",\"type\":"            \
    "\"request\","                                                                                 \
    "\"subject\":\"May I\",\"body\":\"Please\\n\\tlook\",\"payload\":{\"x_protocol\":"             \
    "\"plan_approval\",\"n\":NaN},\"priority\":2,\"created_at\":\"2026-01-04T00:53:21\","          \
    "\"context\":{\"notes\":\"n\"},\"tags\":[\"t\"]}"
#define INBOX                                                                                      \
    "{\"id\":\"pm-1\",\"timestamp\":\"2026-02-12T08:02:18Z\",\"from\":\"pm\",\"to\":\"user\","     \
    "\"type\":\"plan-approval\",\"subject\":\"Plan\",\"content\":{\"plan\":\"Do it\"},"            \
    "\"requiresResponse\":true}"
#define OPENCLAW                                                                                   \
    "{\"messageId\":\"550e8400-e29b-41d4-a716-446655440000\",\"teamId\":\"web\",\"from\":\"w\","   \
    "\"to\":\"lead\",\"message\":\"Handoff: the rest\",\"priority\":\"normal\",\"read\":false,"    \
    "\"createdAt\":1794785051490}"
#define ROO                                                                                        \
    "---\nfrom: w\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: \"msg-a4b1c9e0\"\n---\n\n"             \
    "Work handoff from w to user.\n\n\tDo it\n"

struct sample {
    const struct format *format;
    const char *name, *text;
};

static const struct sample adr = {&adr_format, "MSG-0123456789ab.json", ADR};
static const struct sample inbox = {&inbox_format, "1770882534-pm-x.json", INBOX};
static const struct sample openclaw = {&openclaw_format,
                                       "550e8400-e29b-41d4-a716-446655440000.json", OPENCLAW};
static const struct sample roo = {&roo_format, "to-user.md", ROO};

/* Replaces one part of the sample and lets its layout read it. */
static void expect_named(const struct sample *sample, const char *name, const char *part,
                         const char *by, const char *want)
{
    struct batch batch = {0};
    struct err err = {0};
    struct str text = replaced(sample->text, part, by);
    struct mail_file file = {.place = &anywhere, .name = span_of(name), .bytes = str_span(&text)};

    cr_assert(sample->format->parse(&file, WANT_DATA | WANT_BODY, &batch, &err), "%s: %s",
              str_c(&text), err.text);
    message_classify(&batch.items[0]);
    expect_why(&batch.items[0], str_span(&text), want);
    batch_free(&batch);
    str_free(&text);
}

static void expect(const struct sample *sample, const char *part, const char *by, const char *want)
{
    expect_named(sample, sample->name, part, by, want);
}

Test(approval_others, requests_by_custom_may_be_approved)
{
    expect(&adr, "MSG", "MSG", NULL);
    expect(&inbox, "pm-1", "pm-1", NULL);
    expect(&openclaw, "web", "web", NULL);
    expect(&roo, "from: w", "from: w", NULL);
    expect(&adr, "{\"id\"", "\xef\xbb\xbf{\"id\"", NULL);
    expect(&adr, "\"request\"", "\"escalation\"", NULL);
    expect(&adr, "\"request\"", "\"handoff\"", NULL);
    expect(&adr, "\"x_protocol\":\"plan_approval\",", "", NULL);
}

Test(approval_others, messages_that_ask_for_nothing_are_refused)
{
    static const char why[] = "it asks for nothing that could be approved";

    expect(&adr, "\"request\"", "\"notification\"", why);
    expect(&adr, "\"request\"", "\"response\"", why);
    expect(&inbox, "true", "false", why);
    expect(&openclaw, "Handoff: ", "Hello ", why);
    expect(&roo, "Work handoff ", "Hello ", why);
}

Test(approval_others, kinds_that_are_not_known_are_refused)
{
    static const char why[] = "requests of that kind are not known here";

    expect(&adr, "plan_approval", "plan_approval_v2", why);
    expect(&adr, "\"plan_approval\"", "{\"a\":1}", why);
    expect(&adr, "\"plan_approval\"", "null", why);
    expect(&adr, "plan_approval", "shutdown", NULL);
    expect(&adr, "plan_approval", "sandbox_permission", NULL);
    expect(&adr, "plan_approval", "permission", NULL);
}

Test(approval_others, damaged_messages_are_refused)
{
    expect(&adr, "\"priority\":2", "\"priority\":9",
           "it is damaged: \"priority\" is not a number from 1 to 4");
    expect(&roo, "from: w\n", "", "it is damaged: \"from\" is missing");
}

Test(approval_others, keys_that_readers_take_for_one_another_are_refused)
{
    expect(&adr, "\"n\":NaN", "\"n\":1,\"n\":2", "the key \"n\" stands twice in the message");
    expect(&adr, "{\"notes\"", "{\"Notes\":\"\",\"notes\"",
           "the keys \"Notes\" and \"notes\" in the message differ only in case");
    expect(&adr, "\"body\"", "\"Body\":\"fine\",\"body\"",
           "the keys \"Body\" and \"body\" in the message differ only in case");
    expect(&inbox, "{\"plan\"", "{\"\\u0070lan\":\"fine\",\"plan\"",
           "the key \"plan\" stands twice in the message");
    expect(&adr, "\"subject\"", "\"body\":\"fine\",\"subject\"", "a field stands twice in it");
    expect(&roo, "from: w\n", "from: w\nfrom: team-lead\n", "a field stands twice in it");
}

Test(approval_others, depth_nul_and_halves_of_characters_are_refused)
{
    struct str deep = {0};

    str_puts(&deep, "\"n\":");
    str_pad(&deep, '[', APPROVAL_DEPTH_MAX - 2);
    str_pad(&deep, ']', APPROVAL_DEPTH_MAX - 2);
    expect(&adr, "\"n\":NaN", str_c(&deep), NULL);
    str_clear(&deep);
    str_puts(&deep, "\"n\":");
    str_pad(&deep, '[', APPROVAL_DEPTH_MAX - 1);
    str_pad(&deep, ']', APPROVAL_DEPTH_MAX - 1);
    expect(&adr, "\"n\":NaN", str_c(&deep), "the message is nested more than 32 levels deep");
    str_free(&deep);
    expect(&adr, "Please", "Please\\u0000", "the message holds a NUL character");
    expect(&inbox, "Do it", "\\ud800", "the message holds half a character, a lone surrogate");
}

Test(approval_others, bytes_that_are_not_utf8_are_refused)
{
    static const char why[] = "it holds bytes that are not UTF-8";

    expect(&adr, "Please", "Please\xff", why);
    expect(&inbox, "Do it", "\xc3", why);
    expect(&openclaw, "the rest", "the rest\xff", why);
    expect(&roo, "Do it", "Do it\xff", why);
}

Test(approval_others, nothing_is_hidden_anywhere_in_the_message)
{
    static const char why[] = "the message holds <U+202E>, which nobody would see";

    expect(&adr, "Please", "Please\\u202e", why);
    expect(&adr, "\"n\":NaN", "\"n\":[{\"\\u202e\":1}]", why);
    expect(&adr, "\"n\"}", "\"n\\u202e\"}", why);
    expect(&adr, "May I", "May I\\u202e", why);
    expect(&adr, "\"w\"", "\"w\\u202e\"", why);
    expect(&adr, "[\"t\"]", "[\"t\\u202e\"]", why);
    expect(&inbox, "Do it", "\xe2\x80\xae", why);
    expect(&openclaw, "the rest", "\xe2\x80\xae", why);
    expect(&roo, "Do it", "\xe2\x80\xae", why);
    expect(&roo, "from: w", "from: w # \xe2\x80\xae", why);
    expect(&roo, "Do it", "\x1b[2J", "the message holds ^[, which nobody would see");
    expect(&adr, "Please", "\\u001b[2J", "the message holds ^[, which nobody would see");
    expect(&adr, "Please", "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9", NULL);
}

Test(approval_others, a_carriage_return_only_ends_lines_of_a_text)
{
    expect(&adr, "\\n", "\\r\\n", "the message holds ^M, which nobody would see");
    expect(&inbox, "\"type\"", "\r\n\"type\"", NULL); /* between the fields */
    expect(&roo, "Do it\n", "Do it\r\n", NULL);
    expect(&roo, "Do it\n", "Do it\rgood\n", "the message holds ^M, which nobody would see");
    expect(&roo, "Do it\n", "Do it\r\r\n", "the message holds ^M, which nobody would see");
    expect(&roo, "Do it\n", "Do it\r", "the message holds ^M, which nobody would see");
}

/* An id may come from the name of the file. */
Test(approval_others, nothing_is_hidden_in_the_id)
{
    expect_named(&inbox, "a\xe2\x80\xae.json", "\"id\":\"pm-1\",", "",
                 "its id holds <U+202E>, which nobody would see");
    expect_named(&inbox, "a\nb.json", "\"id\":\"pm-1\",", "", "its id holds a line break");
}

Test(approval_others, a_head_that_would_be_run_is_refused)
{
    struct message_data data = {0};
    struct message message = {
        .place = &anywhere, .data = &data, .requires_response = true, .flags = MESSAGE_DANGEROUS};

    expect(&roo, "---\nfrom", "---js\nfrom",
           "it is damaged: its front matter is a program in the language \"js\"");
    expect_why(&message, span_of("---js\n"),
               "the agents' own reader would run a part of it as a program");
    message.flags = 0;
    expect_why(&message, span_of("{\"a\":"), "its JSON cannot be read");
}
