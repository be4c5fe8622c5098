/* Tests writing the Roo layout: names, composing, replies, the log, and the roster. */
#include "compose_support.h"
#include "roo_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static struct draft make_draft(void)
{
    struct draft draft = draft_new();

    draft.id = span_of("msg-a4b1c9e0");
    draft.from = span_of("nestjs-developer");
    draft.to = span_of("tester");
    draft.subject = span_of("Integration Test");
    draft.body = span_of("Please run them.");
    draft.created_us = SENT_US + 999999;
    return draft;
}

static void assert_composed(const struct draft *draft, const char *want)
{
    struct str name = {0}, bytes = {0}, id = {0};
    struct err err;

    cr_assert(format_compose(&roo_format, draft, &name, &bytes, &id, &err), "%s", err.text);
    assert_span(str_span(&name), "to-tester.md");
    cr_assert_str_eq(str_c(&bytes), want, "got \"%s\"", str_c(&bytes));
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
}

#define HEAD                                                                                       \
    "---\nfrom: nestjs-developer\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: \"msg-a4b1c9e0\"\n"

Test(roo, a_message_is_written_as_the_protocol_has_it)
{
    struct draft draft = make_draft();

    assert_composed(&draft, HEAD "---\n\n**Integration Test**\n\nPlease run them.\n");
    draft.priority = PRIORITY_HIGH;
    draft.reply_to = span_of("msg-0 \"x\"");
    assert_composed(&draft, HEAD "in_reply_to: \"msg-0 \\\"x\\\"\"\npriority: high\n---\n\n"
                                 "**Integration Test**\n\nPlease run them.\n");
    draft = make_draft();
    draft.priority = PRIORITY_URGENT;
    assert_composed(&draft,
                    HEAD "priority: high\n---\n\n**Integration Test**\n\nPlease run them.\n");
    draft.priority = PRIORITY_LOW;
    draft.created_us = SENT_US;
    assert_composed(&draft, HEAD "---\n\n**Integration Test**\n\nPlease run them.\n");
}

Test(roo, times_are_written_in_whole_seconds_that_have_passed)
{
    struct draft draft = make_draft();

    draft.created_us = -1;
    draft.from = span_of("a");
    draft.subject = span_of("");
    assert_composed(&draft, "---\nfrom: a\ntimestamp: \"1969-12-31T23:59:59Z\"\n"
                            "id: \"msg-a4b1c9e0\"\n---\n\nPlease run them.\n");
}

Test(roo, subject_and_text_become_one_body)
{
    static const struct {
        const char *subject, *body, *want;
    } cases[] = {
        {"S", "", "\n**S**\n"},
        {"S", "b\n\n\n", "\n**S**\n\nb\n"},
        {"S", "b\r\nc\r\n", "\n**S**\n\nb\r\nc\n"},
        {NULL, "b", "\nb\n"},
        {"", "b", "\nb\n"},
        {"S", "# S\n\nb", "\n# S\n\nb\n"},
        {"Request: S", "**Request: S**\n\nb", "\n**Request: S**\n\nb\n"},
        {"S", "\n\n**S**", "\n\n\n**S**\n"},
        {"S", "Some\nS", "\n**S**\n\nSome\nS\n"},
        {" two\nlines ", "b", "\n**two lines**\n\nb\n"},
        {"S", "---\nrule\n---\nfrom: b\n---", "\n**S**\n\n---\nrule\n---\nfrom: b\n---\n"},
        {NULL, NULL, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct draft draft = make_draft();
        struct str want = {0};
        draft.subject = span_of(cases[i].subject);
        draft.body = span_of(cases[i].body);
        str_addf(&want, "%s---\n%s", HEAD, cases[i].want);
        assert_composed(&draft, str_c(&want));
        str_free(&want);
    }
}

Test(roo, a_handoff_is_the_handoff_text)
{
    struct draft draft = make_draft();
    struct handoff handoff = {.work_completed = span_of("Design"),
                              .current_state = span_of("Ready")};

    draft.handoff = &handoff;
    assert_composed(
        &draft, HEAD
        "---\n\n**Handoff: Integration Test**\n\nWork handoff from nestjs-developer to tester.\n\n"
        "**Work Completed:** Design\n\n**Current State:** Ready\n");
}

/* Composes with these names and reads the result. */
static void assert_names(struct span from, const char *from_line, struct span id,
                         const char *id_line)
{
    struct draft draft = make_draft();
    struct str name = {0}, bytes = {0}, made = {0}, lines = {0};
    struct batch batch = {0};
    struct err err;

    draft.from = from;
    draft.id = draft.reply_to = id;
    cr_assert(format_compose(&roo_format, &draft, &name, &bytes, &made, &err), "%s", err.text);
    str_addf(&lines,
             "---\nfrom: %s\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: %s\nin_reply_to: %s\n",
             from_line, id_line, id_line);
    cr_assert(span_starts(str_span(&bytes), str_span(&lines)), "%s", str_c(&bytes));
    cr_assert(try_parse(&batch, str_span(&bytes), WHOLE));
    const struct message *m = &batch.items[0];
    cr_assert_null(m->damaged, "%s: %s", str_c(&bytes), m->damaged);
    cr_assert_eq(m->flags, 0);
    cr_assert(span_eq(m->from, from) && span_eq(m->id, id) && span_eq(m->reply_to, id), "%s",
              str_c(&bytes));
    cr_assert_eq(m->created_us, SENT_US);
    assert_span(m->subject, "Integration Test");
    assert_span(m->data->body, "\n**Integration Test**\n\nPlease run them.\n");
    str_free(&name);
    str_free(&bytes);
    str_free(&made);
    str_free(&lines);
    batch_free(&batch);
}

Test(roo, names_and_ids_are_quoted_so_that_they_stay_text)
{
    static const struct {
        struct span text;
        const char *from, *id;
    } cases[] = {
        {{"12345", 5}, "\"12345\"", "\"12345\""},
        {{"1e3", 3}, "\"1e3\"", "\"1e3\""},
        {{"0x1F", 4}, "\"0x1F\"", "\"0x1F\""},
        {{"0123", 4}, "\"0123\"", "\"0123\""},
        {{"12:30:45", 8}, "\"12:30:45\"", "\"12:30:45\""},
        {{"true", 4}, "\"true\"", "\"true\""},
        {{"False", 5}, "\"False\"", "\"False\""},
        {{"null", 4}, "\"null\"", "\"null\""},
        {{"no", 2}, "\"no\"", "\"no\""},
        {{"@x", 2}, "\"@x\"", "\"@x\""},
        {{"-x", 2}, "\"-x\"", "\"-x\""},
        {{"a: b", 4}, "\"a: b\"", "\"a: b\""},
        {{"a #b", 4}, "\"a #b\"", "\"a #b\""},
        {{"~", 1}, "\"~\"", "\"~\""},
        {{"a_B-9", 5}, "a_B-9", "\"a_B-9\""},
        {{"nulls", 5}, "nulls", "\"nulls\""},
        {{"\"\\", 2}, "\"\\\"\\\\\"", "\"\\\"\\\\\""},
        {{"a\nb\tc\rd", 7}, "\"a\\nb\\tc\\rd\"", "\"a\\nb\\tc\\rd\""},
        {{"\x1b\x7f\xc2\x85", 4}, "\"\\x1b\\x7f\\x85\"", "\"\\x1b\\x7f\\x85\""},
        {{"\xe2\x80\xa8\xef\xbb\xbf", 6}, "\"\\u2028\\ufeff\"", "\"\\u2028\\ufeff\""},
        {{"\xe2\x80\xa9", 3}, "\"\\u2029\"", "\"\\u2029\""},
        {{"\xef\xbf\xbe\xef\xbf\xbf", 6}, "\"\\ufffe\\uffff\"", "\"\\ufffe\\uffff\""},
        {{"\xc3\xa9\xf0\x9f\x98\x80", 6},
         "\"\xc3\xa9\xf0\x9f\x98\x80\"",
         "\"\xc3\xa9\xf0\x9f\x98\x80\""},
        {{"a\n---\nb", 7}, "\"a\\n---\\nb\"", "\"a\\n---\\nb\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_names(cases[i].text, cases[i].from, cases[i].text, cases[i].id);
}

Test(roo, drafts_that_the_layout_cannot_hold_are_refused)
{
    static const char split[] = "x\n---\nid: 1\nfrom: a\ntimestamp: b\n---\ny";
    struct draft draft = make_draft();

    draft.to = span_of("a.b");
    assert_refused(&roo_format, &draft, "slug");
    draft = make_draft();
    draft.from = (struct span){0};
    assert_refused(&roo_format, &draft, "sender");
    draft = make_draft();
    draft.id = span_of("");
    assert_refused(&roo_format, &draft, "id");
    draft = make_draft();
    draft.body = (struct span){"a\0b", 3};
    assert_refused(&roo_format, &draft, "NUL");
    draft = make_draft();
    draft.from = (struct span){"a\0b", 3};
    assert_refused(&roo_format, &draft, "NUL");
    draft = make_draft();
    draft.id = (struct span){"a\0b", 3};
    assert_refused(&roo_format, &draft, "NUL");
    draft = make_draft();
    draft.reply_to = (struct span){"a\0b", 3};
    assert_refused(&roo_format, &draft, "NUL");
    draft = make_draft();
    draft.body = span_of("\xed\xa0\x80");
    assert_refused(&roo_format, &draft, "UTF-8");
    draft = make_draft();
    draft.tags.count = 1;
    assert_refused(&roo_format, &draft, "tags");
    draft = make_draft();
    draft.body = span_of(split);
    assert_refused(&roo_format, &draft, "second message");
    draft.body = span_of(split + 2);
    draft.subject = span_of("");
    assert_refused(&roo_format, &draft, "second message");
}

Test(roo, boxes_are_slugs)
{
    static const char *const bad[] = {"", ".", "a.b", "a/b", "a_b", "a b", "\xc3\xa9", "a\n"};
    char longest[202];
    struct str box = {0};
    struct err err = {0};

    cr_assert(roo_format.box_name(&box, span_of("Ab-9"), 0, &err));
    assert_span(str_span(&box), "Ab-9");
    cr_assert_not(roo_format.box_name(&box, span_of("a"), 1, &err));
    cr_assert_str_empty(err.text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct err){0};
        cr_assert_not(roo_format.box_name(&box, span_of(bad[i]), 0, &err), "%s", bad[i]);
        cr_assert(err.scope == ERR_REFUSED && err.text[0]);
    }
    memset(longest, 'a', sizeof longest);
    cr_assert(roo_format.box_name(&box, (struct span){longest, 200}, 0, &err));
    cr_assert_not(roo_format.box_name(&box, (struct span){longest, 201}, 0, &err));
    str_free(&box);
}

Test(roo, new_ids_have_the_protocols_form_and_differ)
{
    struct str one = {0}, two = {0};

    roo_format.new_id(&one, NULL);
    roo_format.new_id(&two, NULL);
    cr_assert(span_starts(str_span(&one), span_of("msg-")) && one.len == 12, "%s", str_c(&one));
    cr_assert_eq(strspn(one.at + 4, "0123456789abcdef"), 8);
    cr_assert_str_neq(str_c(&one), str_c(&two));
    str_free(&one);
    str_free(&two);
}

Test(roo, a_reply_goes_back_and_says_what_it_answers)
{
    struct message original = {.id = span_of("m1"),
                               .from = span_of("a"),
                               .to = span_of("b"),
                               .subject = span_of("Test"),
                               .priority = PRIORITY_HIGH};
    struct draft draft = draft_new();
    struct arena arena = {0};

    roo_format.reply(&original, &draft, &arena);
    assert_span(draft.to, "a");
    assert_span(draft.subject, "Re: Test");
    assert_span(draft.reply_to, "m1");
    cr_assert_eq(draft.priority, PRIORITY_HIGH);
    cr_assert_null(draft.type.at);
    original.subject = span_of("RE: Test");
    roo_format.reply(&original, &draft, &arena);
    assert_span(draft.subject, "RE: Test");
    arena_free(&arena);
}

Test(roo, a_file_holds_a_message_whose_id_sender_and_time_are_there)
{
    static const char wanted[] = HEAD "---\n\nx\n";
    static const struct {
        const char *bytes;
        bool holds;
    } cases[] = {
        {wanted, true},
        {HEAD "priority: high\n---\nother text", true},
        {"---\nfrom: nestjs-developer\ntimestamp: 2025-07-07T11:15:00.000Z\nid: "
         "'msg-a4b1c9e0'\n---",
         true},
        {"---\nfrom: a\ntimestamp: 2025-07-08\nid: m\n---\ny\n" HEAD "---\nx", true},
        {"---\nfrom: other\ntimestamp: 2025-07-07T11:15:00Z\nid: msg-a4b1c9e0\n---", false},
        {"---\nfrom: nestjs-developer\ntimestamp: 2025-07-07T11:15:01Z\nid: msg-a4b1c9e0\n---",
         false},
        {"---\nfrom: nestjs-developer\ntimestamp: 2025-07-07T11:15:00Z\nid: msg-a4b1c9e1\n---",
         false},
        {HEAD "x: @\n---\nbroken further down", true},
        {"---\nfrom: nestjs-developer\nid: msg-a4b1c9e0\n---", false},
        {HEAD, false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(roo_format.holds(span_of(cases[i].bytes), span_of(wanted)), cases[i].holds,
                     "%s", cases[i].bytes);
    cr_assert_not(roo_format.holds(span_of("x"), span_of("x")), "two files without a head");
    cr_assert_not(roo_format.holds(span_of(wanted), span_of("---")), "what is sought is cut off");
}

Test(roo, what_was_done_is_logged_in_one_line)
{
    const struct message message = {.id = span_of("msg-a4b1c9e0"),
                                    .from = span_of("nestjs-developer"),
                                    .subject = span_of("Integration\x1b Test")};
    const struct message bare = {.id = span_of("to-tester")};
    static const char log[] = "## Completed Tasks\n* \n## Blockers\n- a";
    struct str out = {0};
    struct err err;

    cr_assert(roo_format.log_line(span_of(log), &message, SENT_US, (struct span){0}, false,
                                  SENT_US + INT64_C(300500000), &out, &err));
    cr_assert_str_eq(str_c(&out), "## Completed Tasks\n* [2025-07-07T11:20:00Z] Processed mailbox "
                                  "message id:msg-a4b1c9e0 from nestjs-developer: "
                                  "Integration\xef\xbf\xbd Test\n## Blockers\n- a");
    str_clear(&out);
    cr_assert(roo_format.log_line(span_of(log), &message, SENT_US, span_of("no\nnetwork\n"), true,
                                  SENT_US, &out, &err));
    cr_assert_str_eq(str_c(&out), "## Completed Tasks\n* \n## Blockers\n- a\n"
                                  "- [2025-07-07T11:15:00Z] Failed mailbox message "
                                  "id:msg-a4b1c9e0 from nestjs-developer: "
                                  "Integration\xef\xbf\xbd Test - no network");
    str_clear(&out);
    cr_assert(roo_format.log_line((struct span){0}, &bare, SENT_US, span_of(""), false, SENT_US,
                                  &out, &err));
    cr_assert_str_eq(str_c(&out), "# Progress Log\n\n## Completed Tasks\n\n"
                                  "- [2025-07-07T11:15:00Z] Processed mailbox message "
                                  "id:to-tester\n\n## Next Steps\n\n- \n\n## Blockers\n\n- ");
    str_free(&out);
}

Test(roo, what_was_logged_since_its_file_was_written_is_not_logged_again)
{
    const struct message message = {
        .id = span_of("msg-1"), .from = span_of("code"), .subject = span_of("Tests")};
    static const struct {
        const char *log;
        int64_t written_us;
        bool again;
    } cases[] = {
        {"- [2025-07-07T11:15:00Z] Processed mailbox message id:msg-1 from code: Tests\n",
         SENT_US + 900000, false},
        {"- [2025-07-07T11:15:00Z] Processed mailbox message id:msg-1 from code: Tests - a note\n",
         SENT_US, false},
        {"- [2025-07-07T11:15:00Z] Processed mailbox message id:msg-1 from code: Tests\n",
         SENT_US + 1000000, true}, /* from an earlier file */
        {"- [2025-07-07T11:15:00Z] Processed mailbox message id:msg-1 from code: Tests too\n",
         SENT_US, true},
        {"Processed mailbox message id:msg-1 from code: Tests\n", SENT_US, true},
        {"- [2025-07-07T11:15:00Z] Failed mailbox message id:msg-1 from code: Tests\n", SENT_US,
         true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        struct err err;
        cr_assert(roo_format.log_line(span_of(cases[i].log), &message, cases[i].written_us,
                                      (struct span){0}, false, SENT_US, &out, &err));
        cr_expect_eq(!span_eq(span_of(cases[i].log), str_span(&out)), cases[i].again, "%s",
                     cases[i].log);
        str_free(&out);
    }
}

/* Returns the names of a roster, each followed by a blank; the role after a slash. */
static struct str roster(struct span text, bool ok)
{
    struct members members = {0};
    struct arena arena = {0};
    struct str names = {0};
    struct err err = {0};

    cr_assert_eq(roo_format.parse_roster(text, &members, &arena, &err), ok, "%s", err.text);
    cr_assert_eq(err.text[0] != '\0', !ok);
    for (size_t i = 0; i < members.count; i++) {
        str_add_span(&names, members.items[i].name);
        if (members.items[i].role.at)
            str_putc(&names, '/');
        str_add_span(&names, members.items[i].role);
        str_putc(&names, ' ');
    }
    free(members.items);
    arena_free(&arena);
    return names;
}

Test(roo, the_modes_of_a_project_are_its_agents)
{
    static const struct {
        const char *text, *names;
        bool ok;
    } cases[] = {
        {"customModes:\n  - slug: tester\n    name: Tests\n    groups:\n      - read\n"
         "      - - edit\n        - slug: x\n  - name: b\n    slug: b\n",
         "tester/Tests b ", true},
        {"\xef\xbb\xbf{\n\t\"customModes\": [{\"slug\": \"a\", \"n\": [1, {}]},\n\t{\"slug\": "
         "\"b\"}]}",
         "a b ", true},
        {"other:\n  customModes:\n  - slug: x\nslug: y\ncustomModes:\n- slug: a\n", "a ", true},
        {"customModes:\n- slug: a\n- slug: a\n- slug: ../b\n- slug:\n- slug: [c]\n- d\n- slug: e\n",
         "a e ", true},
        {"x: &x {slug: a}\ncustomModes: [*x, {slug: b}]", "b ", true},
        {"customModes:\n  slug: a", "", true},
        {"customModes: *x\n", "", true},
        {"", "", true},
        {"- a", "", true},
        {"customModes:\n- slug: a\n- slug: @b", "a ", false},
        {"customModes: [{slug: a}", "a ", false},
        {"@", "", false},
        {"--- @", "", false},
        {"? [a, @]\n: b", "", false},
        {"a: b\nc: @", "", false},
        {"customModes:\n- ? [a, @]\n  : b", "", false},
        {"customModes:\n- slug: @", "", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str names = roster(span_of(cases[i].text), cases[i].ok);
        cr_assert_str_eq(str_c(&names), cases[i].names, "%s: %s", cases[i].text, str_c(&names));
        str_free(&names);
    }
}

Test(roo, a_roster_of_hostile_size_or_depth_is_refused)
{
    struct str text = {0}, names;

    str_puts(&text, "x: ");
    str_pad(&text, '[', 100000);
    names = roster(str_span(&text), false);
    str_free(&names);
    str_clear(&text);
    str_puts(&text, "customModes: []\n#");
    str_pad(&text, '#', 1 << 20);
    names = roster(str_span(&text), false);
    str_free(&names);
    str_free(&text);
}

Test(roo, the_sample_roster_is_read)
{
    char path[1024];

    if (!shared_path(path, sizeof path, "samples/roo"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct str text = tmp_read(&dir, ".roomodes"), names = roster(str_span(&text), true);
    cr_assert_str_eq(str_c(&names), "orchestrator architect nestjs-developer nuxt-developer "
                                    "convai-integrator tester memory-curator ");
    str_free(&text);
    str_free(&names);
    close(dir.fd);
}
