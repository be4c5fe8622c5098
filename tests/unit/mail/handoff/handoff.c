/* Tests the handoff: its body text, its context object, its attachments. */
#include "tests/unit/support.h"

#include "base/json/json_print.h"
#include "mail/handoff/handoff.h"

static void add_all(struct span_list *list, const char *const *texts)
{
    for (; *texts; texts++)
        span_list_add(list, span_of(*texts));
}

/* Returns a handoff with every field set. The caller frees. */
static struct handoff make_full(void)
{
    struct handoff handoff = {.work_completed = span_of("Design complete"),
                              .current_state = span_of("Ready for work"),
                              .state_file = span_of("workspace/STATE.md"),
                              .job_id = span_of("job-123"),
                              .notes = span_of("Mind the lock.")};

    add_all(&handoff.files_modified, (const char *const[]){"a.c", "b.c", NULL});
    add_all(&handoff.files_created, (const char *const[]){"new.c", "a.c", NULL});
    add_all(&handoff.next_steps, (const char *const[]){"Write it", "Test it", NULL});
    add_all(&handoff.blockers, (const char *const[]){"No key", NULL});
    add_all(&handoff.dependencies, (const char *const[]){"libfoo", NULL});
    add_all(&handoff.related_escalations, (const char *const[]){"ESC-1", "ESC-2", NULL});
    return handoff;
}

static void assert_tree(cJSON *tree, const char *want)
{
    struct str text = {0};

    json_put_tree(&text, tree, &json_style_python);
    cr_assert_str_eq(str_c(&text), want);
    str_free(&text);
    cJSON_Delete(tree);
}

static void assert_body(const struct handoff *handoff, const char *want)
{
    struct str body = {0};

    handoff_body(&body, handoff, span_of("architect"), span_of("dev/implementer"), true);
    assert_span(str_span(&body), want);
    str_free(&body);
}

Test(handoff, the_body_with_every_block)
{
    struct handoff handoff = make_full();

    assert_body(&handoff, "Work handoff from architect to dev/implementer.\n"
                          "\n"
                          "**Work Completed:** Design complete\n"
                          "\n"
                          "**Current State:** Ready for work\n"
                          "\n"
                          "**Next Steps:**\n"
                          "- Write it\n"
                          "- Test it\n"
                          "\n"
                          "**Blockers:**\n"
                          "- No key\n"
                          "\n"
                          "**Notes:**\n"
                          "Mind the lock.");
    handoff_free(&handoff);
}

Test(handoff, the_body_with_no_block)
{
    struct handoff handoff = {0};

    assert_body(&handoff, "Work handoff from architect to dev/implementer.\n"
                          "\n"
                          "**Work Completed:** \n"
                          "\n"
                          "**Current State:** ");
}

Test(handoff, each_block_stands_alone)
{
    static const char head[] = "Work handoff from architect to dev/implementer.\n\n"
                               "**Work Completed:** w\n\n**Current State:** s";
    struct handoff handoff = {.work_completed = span_of("w"), .current_state = span_of("s")};
    struct str want = {0};

    assert_body(&handoff, head);
    handoff.notes = span_of("");
    assert_body(&handoff, head);

    span_list_add(&handoff.blockers, span_of("b"));
    str_addf(&want, "%s\n\n**Blockers:**\n- b", head);
    assert_body(&handoff, str_c(&want));
    handoff_free(&handoff);

    handoff.blockers = (struct span_list){0};
    handoff.notes = span_of("n");
    str_clear(&want);
    str_addf(&want, "%s\n\n**Notes:**\nn", head);
    assert_body(&handoff, str_c(&want));
    str_free(&want);
}

Test(handoff, the_body_is_appended)
{
    struct handoff handoff = {0};
    struct str body = {0};

    str_puts(&body, "before|");
    handoff_body(&body, &handoff, span_of("a"), span_of("b"), true);
    cr_assert(span_starts(str_span(&body), span_of("before|Work handoff from a to b.\n")));
    str_free(&body);
}

Test(handoff, the_body_keeps_every_byte)
{
    static const char want[] = "Work handoff from a\0b to c.\n\n**Work Completed:** x\0\"\n\x1b\n\n"
                               "**Current State:** \xed\xa0\x80\xff";
    struct handoff handoff = {.work_completed = {"x\0\"\n\x1b", 5},
                              .current_state = span_of("\xed\xa0\x80\xff")};
    struct str body = {0};

    handoff_body(&body, &handoff, (struct span){"a\0b", 3}, span_of("c"), true);
    cr_assert(span_eq(str_span(&body), (struct span){want, sizeof want - 1}));
    str_free(&body);
}

Test(handoff, the_context_has_its_eleven_keys_in_order)
{
    struct handoff handoff = make_full();

    assert_tree(handoff_context(&handoff), "{\n"
                                           "  \"work_completed\": \"Design complete\",\n"
                                           "  \"files_modified\": [\n"
                                           "    \"a.c\",\n"
                                           "    \"b.c\"\n"
                                           "  ],\n"
                                           "  \"files_created\": [\n"
                                           "    \"new.c\",\n"
                                           "    \"a.c\"\n"
                                           "  ],\n"
                                           "  \"current_state\": \"Ready for work\",\n"
                                           "  \"state_file\": \"workspace/STATE.md\",\n"
                                           "  \"next_steps\": [\n"
                                           "    \"Write it\",\n"
                                           "    \"Test it\"\n"
                                           "  ],\n"
                                           "  \"blockers\": [\n"
                                           "    \"No key\"\n"
                                           "  ],\n"
                                           "  \"dependencies\": [\n"
                                           "    \"libfoo\"\n"
                                           "  ],\n"
                                           "  \"related_escalations\": [\n"
                                           "    \"ESC-1\",\n"
                                           "    \"ESC-2\"\n"
                                           "  ],\n"
                                           "  \"job_id\": \"job-123\",\n"
                                           "  \"notes\": \"Mind the lock.\"\n"
                                           "}");
    handoff_free(&handoff);
}

Test(handoff, an_empty_context_has_nulls_only_where_the_agents_write_them)
{
    struct handoff handoff = {0};

    assert_tree(handoff_context(&handoff), "{\n"
                                           "  \"work_completed\": \"\",\n"
                                           "  \"files_modified\": [],\n"
                                           "  \"files_created\": [],\n"
                                           "  \"current_state\": \"\",\n"
                                           "  \"state_file\": null,\n"
                                           "  \"next_steps\": [],\n"
                                           "  \"blockers\": [],\n"
                                           "  \"dependencies\": [],\n"
                                           "  \"related_escalations\": [],\n"
                                           "  \"job_id\": null,\n"
                                           "  \"notes\": \"\"\n"
                                           "}");
}

Test(handoff, a_state_file_that_is_empty_is_not_null)
{
    struct handoff handoff = {.state_file = span_of(""), .job_id = span_of("")};
    cJSON *context = handoff_context(&handoff);
    struct str text = {0};

    json_put_tree(&text, context, &json_style_line);
    cr_assert_not_null(strstr(str_c(&text), "\"state_file\":\"\""));
    cr_assert_not_null(strstr(str_c(&text), "\"job_id\":\"\""));
    str_free(&text);
    cJSON_Delete(context);
}

Test(handoff, the_attachments_are_the_files_modified_then_the_files_created)
{
    struct handoff handoff = make_full(), none = {0};

    assert_tree(handoff_attachments(&handoff),
                "[\n  \"a.c\",\n  \"b.c\",\n  \"new.c\",\n  \"a.c\"\n]");
    assert_tree(handoff_attachments(&none), "[]");
    handoff_free(&handoff);
}

Test(handoff, any_text_becomes_valid_ascii_json)
{
    static const struct span texts[] = {
        {"say \"hi\" \\ now", 14}, {"two\nlines\r\n\tthree", 17}, {"a\0b", 3},
        {"\xed\xa0\x80", 3},       {"\xed\xb0\x80 tail", 8},      {"\xc3\xa9\xf0\x9f\x98\x80", 6},
        {"\xff\xc3", 2},           {"\x1b[31m\x7f", 6},           {"", 0},
    };
    static const char want[] = "[\n"
                               "  \"say \\\"hi\\\" \\\\ now\",\n"
                               "  \"two\\nlines\\r\\n\\tthree\",\n"
                               "  \"a\\u0000b\",\n"
                               "  \"\\ud800\",\n"
                               "  \"\\udc00 tail\",\n"
                               "  \"\\u00e9\\ud83d\\ude00\",\n"
                               "  \"\\ufffd\\ufffd\",\n"
                               "  \"\\u001b[31m\\u007f\",\n"
                               "  \"\"\n"
                               "]";
    struct span_list list = {0};
    struct handoff handoff = {.work_completed = texts[2], .notes = texts[3], .job_id = texts[0]};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        span_list_add(&list, texts[i]);
    assert_tree(span_list_json(&list), want);
    span_list_free(&list);
    cr_assert_eq(list.count, 0);

    cJSON *context = handoff_context(&handoff);
    struct str text = {0};
    json_put_tree(&text, context, &json_style_line);
    cr_assert_not_null(strstr(str_c(&text), "\"work_completed\":\"a\\u0000b\""));
    cr_assert_not_null(strstr(str_c(&text), "\"notes\":\"\\ud800\""));
    cr_assert_not_null(strstr(str_c(&text), "\"job_id\":\"say \\\"hi\\\" \\\\ now\""));
    str_free(&text);
    cJSON_Delete(context);
}

Test(handoff, a_list_keeps_its_order_while_it_grows)
{
    struct span_list list = {0};
    static const char digits[] = "0123456789";

    for (size_t i = 0; i < 1000; i++)
        span_list_add(&list, (struct span){digits + i % 10, 1});
    cr_assert_eq(list.count, 1000);
    for (size_t i = 0; i < 1000; i++)
        cr_assert_eq(list.items[i].at, digits + i % 10);
    span_list_free(&list);
}
