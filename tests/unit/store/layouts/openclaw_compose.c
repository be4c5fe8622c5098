/* Tests writing the OpenClaw layout: names, composing, answers, and marking as read. */
#include "compose_support.h"
#include "openclaw_support.h"

static struct draft make_draft(void)
{
    struct draft draft = draft_new();

    draft.id = span_of(ID);
    draft.from = span_of("lead");
    draft.to = span_of("tm1");
    draft.team = span_of("web-dev");
    draft.subject = span_of("Say \"hi\"");
    draft.body = span_of("L\xc3\xa9\xf0\x9f\x98\x80\x7f/\n\x01");
    draft.created_us = INT64_C(1794784925104999);
    return draft;
}

#define HEAD(TO)                                                                                   \
    "{\n"                                                                                          \
    "  \"messageId\": \"" ID "\",\n"                                                               \
    "  \"teamId\": \"web-dev\",\n"                                                                 \
    "  \"from\": \"lead\",\n"                                                                      \
    "  \"to\": \"" TO "\",\n"                                                                      \
    "  \"message\": "
#define TAIL(PRIORITY)                                                                             \
    ",\n"                                                                                          \
    "  \"priority\": \"" PRIORITY "\",\n"                                                          \
    "  \"read\": false,\n"                                                                         \
    "  \"createdAt\": 1794784925104\n"                                                             \
    "}\n"

static void assert_composed(const struct draft *draft, const char *want)
{
    struct str name = {0}, bytes = {0}, id = {0};
    struct err err;

    cr_assert(format_compose(&openclaw_format, draft, &name, &bytes, &id, &err), "%s", err.text);
    assert_span(str_span(&name), ID ".json");
    cr_assert_str_eq(str_c(&bytes), want);
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
}

Test(openclaw, a_message_has_the_bytes_that_node_writes)
{
    struct draft draft = make_draft();

    assert_composed(&draft, HEAD("tm1") "\"Say \\\"hi\\\"\\n\\nL\xc3\xa9\xf0\x9f\x98\x80\x7f/"
                                        "\\n\\u0001\"" TAIL("normal"));
    draft.priority = PRIORITY_HIGH;
    draft.body = span_of("Say \"hi\"\nand go");
    assert_composed(&draft, HEAD("tm1") "\"Say \\\"hi\\\"\\nand go\"" TAIL("normal"));
    draft.priority = PRIORITY_URGENT;
    draft.body = span_of("");
    assert_composed(&draft, HEAD("tm1") "\"Say \\\"hi\\\"\"" TAIL("urgent"));
    draft.subject = (struct span){0};
    draft.body = span_of("only");
    assert_composed(&draft, HEAD("tm1") "\"only\"" TAIL("urgent"));
}

Test(openclaw, a_handoff_is_told_in_the_text)
{
    struct draft draft = make_draft();
    struct handoff handoff = {.work_completed = span_of("Design"),
                              .current_state = span_of("Ready")};

    draft.handoff = &handoff;
    assert_composed(
        &draft, HEAD("tm1") "\"Handoff: Say \\\"hi\\\"\\n\\nWork handoff from lead to tm1.\\n\\n"
                            "**Work Completed:** Design\\n\\n"
                            "**Current State:** Ready\"" TAIL("normal"));
}

Test(openclaw, an_answer_goes_to_the_sender_and_starts_with_the_id)
{
    struct batch batch = {0};
    struct arena arena = {0};
    struct draft draft = make_draft();
    const struct message *m = parse_with(&batch, OPENCLAW_TO, "\"all\"");

    draft.team = draft.to = draft.subject = (struct span){0};
    draft.body = span_of("yes");
    openclaw_format.reply(m, &draft, &arena);
    assert_span(draft.to, "tm1");
    assert_span(draft.team, "web-dev");
    assert_span(draft.reply_to, ID);
    cr_assert_eq(draft.priority, PRIORITY_URGENT);
    assert_composed(&draft, HEAD("tm1") "\"Re 550e8400: yes\"" TAIL("urgent"));
    draft.priority = PRIORITY_NORMAL;
    draft.subject = span_of("About");
    openclaw_format.reply(parse_with(&batch, OPENCLAW_PRIORITY, NULL), &draft, &arena);
    assert_composed(&draft, HEAD("tm1") "\"Re 550e8400: About\\n\\nyes\"" TAIL("normal"));
    batch_free(&batch);
    arena_free(&arena);
}

Test(openclaw, a_broadcast_is_one_message_to_all)
{
    struct draft draft = make_draft();
    struct arena arena = {0};

    draft.team = (struct span){0};
    draft.body = draft.subject;
    openclaw_format.broadcast(&draft, span_of("web-dev"), &arena);
    assert_composed(&draft, HEAD("all") "\"Say \\\"hi\\\"\"" TAIL("normal"));
    openclaw_format.broadcast(&draft, span_of("another"), &arena);
    assert_span(draft.team, "web-dev"); /* a given team is kept */
    arena_free(&arena);
}

Test(openclaw, drafts_that_the_gateway_could_not_find_are_refused)
{
    static const char *const ids[] = {"",
                                      "x",
                                      "550E8400-e29b-41d4-a716-446655440000",
                                      "550e8400-e29b-41d4-a716-44665544000",
                                      "550e8400-e29b-41d4-a716-4466554400000",
                                      "550e8400e29b-41d4-a716-4466554400000",
                                      "550e8400-e29b-41d4-a716-44665544000g",
                                      "../../../e29b-41d4-a716-446655440000"};
    static const char *const teams[] = {"", ".", "..", "a/b", ".hidden"};

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct draft draft = make_draft();
        draft.id = span_of(ids[i]);
        assert_refused(&openclaw_format, &draft, "UUID");
    }
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        struct draft draft = make_draft();
        draft.team = span_of(teams[i]);
        assert_refused(&openclaw_format, &draft, "team");
    }
    struct draft draft = make_draft();
    struct str longest = {0};
    str_pad(&longest, 'n', 256);
    draft.team = str_span(&longest);
    assert_refused(&openclaw_format, &draft, "nnn\" cannot be the name of a team");
    draft.team = (struct span){"a\0b", 3};
    assert_refused(&openclaw_format, &draft, "cannot be the name of a team");
    draft = make_draft();
    draft.id = str_span(&longest);
    assert_refused(&openclaw_format, &draft, "nnn\" cannot be the id");
    str_free(&longest);
    draft = make_draft();
    draft.to = span_of("");
    assert_refused(&openclaw_format, &draft, "empty");
    draft = make_draft();
    draft.from = span_of("a/b");
    assert_refused(&openclaw_format, &draft, "\"a/b\" cannot be");
    draft = make_draft();
    draft.type = span_of("x");
    assert_refused(&openclaw_format, &draft, "cannot hold a type");
    draft = make_draft();
    draft.thread = span_of("x");
    assert_refused(&openclaw_format, &draft, "cannot hold a thread");
}

Test(openclaw, new_ids_are_random_and_can_be_sent)
{
    struct str first = {0}, second = {0};
    struct draft draft = make_draft();

    openclaw_format.new_id(&first, &draft);
    openclaw_format.new_id(&second, &draft);
    cr_assert_str_neq(str_c(&first), str_c(&second));
    cr_assert_eq(first.at[14], '4');
    struct str name = {0}, bytes = {0}, id = {0};
    struct err err;
    draft.id = str_span(&first);
    cr_assert(format_compose(&openclaw_format, &draft, &name, &bytes, &id, &err), "%s", err.text);
    str_free(&first);
    str_free(&second);
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
}

Test(openclaw, a_box_is_the_name_itself)
{
    static char longest[257];
    static const char *const bad[] = {"", "a/b", longest};
    struct str out = {0};
    struct err err = {0};

    cr_assert(openclaw_format.box_name(&out, span_of("T m.1"), 0, &err));
    assert_span(str_span(&out), "T m.1");
    memset(longest, 'n', 255);
    cr_assert(openclaw_format.box_name(&out, span_of(longest), 0, &err));
    longest[255] = 'n';
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(openclaw_format.box_name(&out, span_of(bad[i]), 0, &err));
    cr_assert_not(openclaw_format.box_name(&out, (struct span){"a\0b", 3}, 0, &err));
    err.scope = ERR_NONE;
    cr_assert_not(openclaw_format.box_name(&out, span_of("tm1"), 1, &err));
    cr_assert_eq(err.scope, ERR_NONE, "no variant is no error");
    str_free(&out);
}

static void assert_edited(const char *before, const char *after)
{
    struct change change = {.status = STATUS_READ};
    struct str out = {0};
    struct err err;

    cr_assert(openclaw_format.edit(span_of(before), &change, &out, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&out), after);
    str_free(&out);
}

#define REST "\"messageId\":\"a\",\"from\":\"b\",\"message\":\"\\u00e9\",\"createdAt\":1.0e3"

Test(openclaw, marking_as_read_changes_one_word)
{
    assert_edited("{ " REST ",\n \"to\" : \"c\" ,\"read\" :false, \"x\": [1.0,\t{}]}\n\n",
                  "{ " REST ",\n \"to\" : \"c\" ,\"read\" :true, \"x\": [1.0,\t{}]}\n\n");
    assert_edited("{" REST ",\"read\":false,\"to\":\"c\",\"read\":null}",
                  "{" REST ",\"read\":false,\"to\":\"c\",\"read\":true}");
    assert_edited("{" REST ",\"to\":\"c\",\"read\":true}", "{" REST ",\"to\":\"c\",\"read\":true}");
}

Test(openclaw, the_mark_is_added_where_there_is_none)
{
    assert_edited("{\n  " REST ",\n  \"to\": \"c\"\n}\n",
                  "{\n  " REST ",\n  \"to\": \"c\",\n  \"read\": true\n}\n");
}

static void assert_not_edited(const char *text, enum status status, const char *reason)
{
    struct change change = {.status = status};
    struct str out = {0};
    struct err err = {0};

    cr_assert_not(openclaw_format.edit(span_of(text), &change, &out, &err), "%s", text);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    cr_assert_eq(out.len, 0);
    str_free(&out);
}

Test(openclaw, what_others_need_is_never_marked)
{
    assert_not_edited("{" REST ",\"to\":\"c\",\"read\":false,\"to\":\"\\u0061ll\"}", STATUS_READ,
                      "hidden from everybody else");
    for (enum status status = STATUS_UNREAD; status <= STATUS_ARCHIVED; status++)
        if (status != STATUS_READ)
            assert_not_edited("{" REST ",\"to\":\"c\"}", status, "can only become read");
    assert_not_edited("{" REST ",\"to\":7}", STATUS_READ, "damaged");
    assert_not_edited("{" REST ",\"to\":\"c\"", STATUS_READ, "ends too early");
}

Test(openclaw, a_file_cut_anywhere_is_never_taken_for_whole)
{
    struct str text = make_with(OPENCLAW_ID, good[OPENCLAW_ID]);
    struct batch batch = {0};
    struct change change = {.status = STATUS_READ};

    for (size_t len = 0; len < text.len - 1; len++) { /* the last byte is the final newline */
        struct str cut = {0}, out = {0};
        struct err err = {0};
        str_add(&cut, text.at, len);
        struct mail_file file = {.place = &place, .bytes = str_span(&cut)};
        cr_assert_not(openclaw_format.parse(&file, WHOLE, &batch, &err), "%zu bytes", len);
        cr_assert(err.text[0]);
        cr_assert_not(openclaw_format.edit(str_span(&cut), &change, &out, &err));
        str_free(&cut);
        str_free(&out);
    }
    cr_assert_eq(batch.count, 0);
    str_free(&text);
    batch_free(&batch);
}
