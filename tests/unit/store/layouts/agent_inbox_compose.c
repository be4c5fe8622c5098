/* Tests writing the Agent Inbox layout: names, composing, answers and broadcasts. */
#include "agent_inbox_support.h"
#include "compose_support.h"

#include <stdlib.h>

static struct draft make_draft(void)
{
    struct draft draft = draft_new();

    draft.id = span_of("pm-1");
    draft.from = span_of("Person Manager");
    draft.to = span_of("coordinator");
    draft.subject = span_of("Say \"hi\" \xc3\xa9");
    draft.body = span_of("L\xc3\xa9/\n\x7f");
    draft.created_us = INT64_C(1770883338999999);
    return draft;
}

#define HEAD                                                                                       \
    "{\n"                                                                                          \
    "  \"id\": \"pm-1\",\n"                                                                        \
    "  \"timestamp\": \"2026-02-12T08:02:18Z\",\n"                                                 \
    "  \"from\": \"Person Manager\",\n"                                                            \
    "  \"to\": \"coordinator\",\n"

static void assert_composed(const struct draft *draft, const char *want_name, const char *want)
{
    struct str name = {0}, bytes = {0}, id = {0};
    struct err err;

    cr_assert(format_compose(&inbox_format, draft, &name, &bytes, &id, &err), "%s", err.text);
    assert_span(str_span(&name), want_name);
    cr_assert_str_eq(str_c(&bytes), want);
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
}

Test(inbox, a_plain_message_has_only_the_fields_it_needs)
{
    struct draft draft = make_draft();

    draft.priority = PRIORITY_LOW;
    assert_composed(&draft, "1770883338-person-manager-say-hi.json",
                    HEAD "  \"subject\": \"Say \\\"hi\\\" \xc3\xa9\",\n"
                         "  \"content\": \"L\xc3\xa9/\\n\x7f\",\n"
                         "  \"conversationId\": \"conv-1770883338999\"\n"
                         "}\n");
}

Test(inbox, a_message_with_everything_has_its_fields_in_their_order)
{
    struct draft draft = make_draft();

    draft.type = span_of("escalation");
    draft.priority = PRIORITY_URGENT;
    draft.requires_response = true;
    draft.reply_to = span_of("x-0");
    draft.thread = span_of("conv-5");
    draft.subject = draft.body = (struct span){0};
    assert_composed(&draft, "1770883338-person-manager-message.json",
                    HEAD "  \"type\": \"escalation\",\n"
                         "  \"subject\": \"\",\n"
                         "  \"content\": \"\",\n"
                         "  \"conversationId\": \"conv-5\",\n"
                         "  \"priority\": \"urgent\",\n"
                         "  \"requiresResponse\": true,\n"
                         "  \"replyTo\": \"x-0\"\n"
                         "}\n");
}

Test(inbox, a_handoff_carries_its_context_as_content)
{
    struct draft draft = make_draft();
    struct handoff handoff = {.work_completed = span_of("D\xc3\xa9sign")};

    span_list_add(&handoff.next_steps, span_of("G\xc3\xb6"));
    draft.handoff = &handoff;
    draft.priority = PRIORITY_HIGH;
    draft.subject = span_of("Over");
    assert_composed(&draft, "1770883338-person-manager-over.json",
                    HEAD "  \"type\": \"handoff\",\n"
                         "  \"subject\": \"Over\",\n"
                         "  \"content\": {\n"
                         "    \"work_completed\": \"D\xc3\xa9sign\",\n"
                         "    \"files_modified\": [],\n"
                         "    \"files_created\": [],\n"
                         "    \"current_state\": \"\",\n"
                         "    \"state_file\": null,\n"
                         "    \"next_steps\": [\n"
                         "      \"G\xc3\xb6\"\n"
                         "    ],\n"
                         "    \"blockers\": [],\n"
                         "    \"dependencies\": [],\n"
                         "    \"related_escalations\": [],\n"
                         "    \"job_id\": null,\n"
                         "    \"notes\": \"\"\n"
                         "  },\n"
                         "  \"conversationId\": \"conv-1770883338999\",\n"
                         "  \"priority\": \"high\"\n"
                         "}\n");
    handoff_free(&handoff);
}

Test(inbox, a_handoff_of_anothers_work_says_whose_it_is)
{
    static const struct {
        const char *giver, *notes, *want;
    } cases[] = {{"Person Manager", "Hurry", "\"notes\": \"Hurry\""},
                 {"bob", "Hurry", "\"notes\": \"This is the work of bob.\\n\\nHurry\""},
                 {"bob", "", "\"notes\": \"This is the work of bob.\""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct handoff handoff = {.notes = span_of(cases[i].notes)};
        struct draft draft = make_draft();
        struct str name = {0}, bytes = {0};
        struct err err;
        draft.handoff = &handoff;
        draft.giver = span_of(cases[i].giver);
        cr_assert(inbox_format.compose(&draft, &name, &bytes, &err), "%s", err.text);
        cr_assert_not_null(strstr(str_c(&bytes), cases[i].want), "%s", str_c(&bytes));
        str_free(&name);
        str_free(&bytes);
    }
}

Test(inbox, managers_and_the_coordinator_lead_others)
{
    cr_assert(inbox_format.is_manager(span_of("task-managers")));
    cr_assert(inbox_format.is_manager(span_of("coordinator")));
    cr_assert_not(inbox_format.is_manager(span_of("workers")));
}

Test(inbox, names_of_files_are_short_and_plain)
{
    static const struct {
        const char *from, *subject, *name;
    } cases[] = {
        {"--A__b--", "$(date +%s) x", "1770883338-a-b-date-s-x.json"},
        {"\xc3\xa9", "../../etc", "1770883338-message-etc.json"},
        {"p0", "1234567890123456789012345678901234567890abc",
         "1770883338-p0-1234567890123456789012345678901234567890.json"},
        {"p0", "123456789012345678901234567890123456789 abc",
         "1770883338-p0-123456789012345678901234567890123456789.json"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draft draft = make_draft();
        struct str name = {0}, bytes = {0}, id = {0};
        struct err err;
        draft.from = span_of(cases[i].from);
        draft.subject = span_of(cases[i].subject);
        cr_assert(inbox_format.compose(&draft, &name, &bytes, &err), "%s", err.text);
        cr_assert_str_eq(str_c(&name), cases[i].name);
        str_free(&name);
        str_free(&bytes);
        str_free(&id);
    }
}

Test(inbox, ids_that_grep_cannot_find_are_refused)
{
    static const char *const threads[] = {"", "a\nb", "\xc3\xa9", "a\"b", "a\\b", "\x7f"};
    static const char *const ids[] = {"", ".", "..", "x/y", "../evil", "a\nb", "\xc3\xa9", "a\"b"};

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct draft draft = make_draft();
        draft.thread = span_of(threads[i]);
        assert_refused(&inbox_format, &draft, "the id of a conversation");
    }
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct draft draft = make_draft();
        draft.id = span_of(ids[i]);
        assert_refused(&inbox_format, &draft, "an id must be");
    }
    struct draft draft = make_draft();
    struct str long_id = {0};
    str_pad(&long_id, 'x', 299);
    str_putc(&long_id, '/');
    draft.id = str_span(&long_id);
    assert_refused(&inbox_format, &draft, "xxx\" is not");
    str_free(&long_id);
    draft = make_draft();
    draft.to = span_of("archive");
    assert_refused(&inbox_format, &draft, "\"archive\" cannot be");
    draft = make_draft();
    draft.from = span_of("");
    assert_refused(&inbox_format, &draft, "is empty");
    draft = make_draft();
    draft.payload = span_of("{}");
    assert_refused(&inbox_format, &draft, "cannot hold a payload");
}

Test(inbox, new_ids_tell_sender_and_time)
{
    struct draft draft = make_draft();
    struct str first = {0}, late = {0};

    inbox_format.new_id(&first, &draft);
    cr_assert(span_starts(str_span(&first), span_of("person-manager-1770883338999-")));
    cr_assert_eq(first.len, strlen("person-manager-1770883338999-") + 4);
    cr_assert_eq(strspn(first.at + first.len - 4, "0123456789abcdef"), 4);
    draft.created_us = TIME_NONE;
    int64_t before_ms = time_now() / 1000;
    inbox_format.new_id(&late, &draft);
    int64_t ms = strtoll(str_c(&late) + strlen("person-manager-"), NULL, 10);
    cr_assert(ms >= before_ms && ms <= time_now() / 1000, "%s", str_c(&late));
    str_free(&first);
    str_free(&late);
}

static struct draft reply_to(struct batch *batch, const char *text, struct arena *arena)
{
    struct draft draft = draft_new();

    inbox_format.reply(parse(batch, text), &draft, arena);
    return draft;
}

Test(inbox, an_answer_names_what_it_answers_and_keeps_the_conversation)
{
    struct batch batch = {0};
    struct arena arena = {0};
    struct draft draft = reply_to(&batch, full, &arena);

    assert_span(draft.to, "person-manager");
    assert_span(draft.subject, "Re: Sub\xc3\xa9");
    assert_span(draft.reply_to, "pm-1");
    assert_span(draft.thread, "conv-1");
    assert_span(draft.type, "escalation");
    draft = reply_to(&batch, "{\"from\":\"a\",\"subject\":\"RE: x\",\"replyTo\":\"y\"}", &arena);
    assert_span(draft.subject, "RE: x");
    assert_span(draft.reply_to, "file:1770882534-pm-x.json");
    assert_span(draft.thread, "file:1770882534-pm-x.json");
    cr_assert_null(draft.type.at, "a type that was not given is not kept");
    draft = reply_to(&batch, "{\"from\":\"a\",\"id\":\"\xc3\xa9\",\"subject\":\"Re\"}", &arena);
    assert_span(draft.subject, "Re: Re");
    assert_span(draft.reply_to, "\xc3\xa9");
    cr_assert_null(draft.thread.at, "grep could not find it");
    cr_assert_null(draft.type.at);
    batch_free(&batch);
    arena_free(&arena);
}

Test(inbox, the_copies_of_a_broadcast_share_a_conversation)
{
    struct draft first = make_draft(), second = make_draft(), given = make_draft();
    struct arena arena = {0};

    given.thread = span_of("conv-5");
    inbox_format.broadcast(&first, span_of("all"), &arena);
    inbox_format.broadcast(&second, span_of("all"), &arena);
    inbox_format.broadcast(&given, span_of("all"), &arena);
    assert_span(first.thread, "conv-1770883338999");
    assert_span(second.thread, "conv-1770883338999");
    assert_span(given.thread, "conv-5");
    assert_span(first.to, "coordinator");
    arena_free(&arena);
}

/* Returns NULL if there is no such variant. The caller frees `out`. */
static const char *box(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    str_clear(out);
    *err = (struct err){0};
    return inbox_format.box_name(out, agent, variant, err) ? str_c(out) : NULL;
}

Test(inbox, boxes_are_found_under_other_names)
{
    static const struct {
        const char *name;
        unsigned variant;
        const char *box;
    } cases[] = {{"two words", 0, "two words"},
                 {"task-manager", 1, "task-managers"},
                 {"pm", 2, "person-manager"},
                 {"coord", 2, "coordinator"},
                 {"tm", 2, "task-managers"},
                 {"val", 2, "validator"},
                 {"task-manager", 2, NULL},
                 {"pm", 3, NULL},
                 {"", 1, NULL},
                 {"../x", 1, NULL}};
    struct str out = {0};
    struct err err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = box(&out, span_of(cases[i].name), cases[i].variant, &err);
        cr_assert_eq(got == NULL, cases[i].box == NULL, "%s %u", cases[i].name, cases[i].variant);
        if (got)
            cr_assert_str_eq(got, cases[i].box);
        cr_assert_eq(err.scope, ERR_NONE, "no variant is no error");
    }
    str_free(&out);
}

Test(inbox, names_that_lead_elsewhere_are_no_boxes)
{
    static char longest[257];
    static const char *const bad[] = {"", ".", "..", ".hidden", "a/b", "../x", "archive", longest};
    struct str out = {0};
    struct err err;

    memset(longest, 'n', 255);
    cr_assert_not_null(box(&out, span_of(longest), 0, &err));
    cr_assert_null(box(&out, span_of(longest), 1, &err), "the plural would be too long");
    longest[255] = 'n';
    cr_assert_null(box(&out, span_of(longest), 1, &err));
    cr_assert_eq(err.scope, ERR_NONE, "no variant is no error");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_null(box(&out, span_of(bad[i]), 0, &err), "%s", bad[i]);
        cr_assert_eq(err.scope, ERR_REFUSED);
    }
    cr_assert_null(box(&out, (struct span){"a\0b", 3}, 0, &err));
    str_free(&out);
}
