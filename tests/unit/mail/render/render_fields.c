/* Tests rendering members: requests that a person can read, and lines that nobody can forge. */
#include "render_support.h"

static void assert_fields(const char *object, const char *want)
{
    struct str out = {0};

    render_fields(&out, span_of(object), &style);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(render_fields, texts_are_decoded_and_the_rest_is_as_it_was_written)
{
    assert_fields("{\"tool_name\":\"Bash\",\"input\":{\"command\":\"ls \\\"a\\\"\",\"n\":1.0,"
                  "\"deep\":{\"x\":[1]},\"none\":null},\"list\":[],\"empty\":{},\"no\":\"\"}",
                  "tool_name: Bash\n"
                  "input:\n"
                  "  command: ls \"a\"\n"
                  "  n: 1.0\n"
                  "  deep: {\"x\":[1]}\n"
                  "  none: null\n"
                  "list: []\n"
                  "empty: {}\n"
                  "no:\n");
}

Test(render_fields, lines_of_a_text_cannot_pass_for_members)
{
    assert_fields("{\"plan\":\"# Plan\\n\\n1. a\\nrequestId: forged\\n\",\"requestId\":\"p\"}",
                  "plan:\n"
                  "  # Plan\n"
                  "\n"
                  "  1. a\n"
                  "  requestId: forged\n"
                  "requestId: p\n");
    assert_fields("{\"input\":{\"command\":\"a\\nb: c\"}}", "input:\n"
                                                            "  command:\n"
                                                            "    a\n"
                                                            "    b: c\n");
}

Test(render_fields, equal_keys_are_all_shown)
{
    assert_fields("{\"a\":\"ls\",\"a\":\"rm\"}", "a: ls\na: rm\n");
}

Test(render_fields, nothing_of_others_is_obeyed)
{
    struct str out = {0};

    render_fields(
        &out,
        span_of("{\"k\\u001b[31m\":\"\\u001b]0;x\\u0007\\u202e\",\"t\":\"a\\r\\n\\u001b[2J\"}"),
        &style);
    cr_assert_null(strchr(str_c(&out), '\x1b'));
    cr_assert_null(strchr(str_c(&out), '\r'));
    cr_assert_null(strchr(str_c(&out), '\x07'));
    cr_assert_null(strstr(str_c(&out), "\xe2\x80\xae"));
    str_free(&out);
}

Test(render_fields, a_message_shows_its_request_so)
{
    struct message_data data = make_data();
    struct message message = make(&data);
    struct str out = {0};

    data.body = data.protocol = data.payload =
        span_of("{\"type\":\"plan_approval_request\",\"planContent\":\"# Plan\\n1. a\"}");
    data.body_is_payload = true;
    render_text(&out, &message, &style);
    cr_assert_not_null(strstr(str_c(&out), "\n\ntype: plan_approval_request\n"
                                           "planContent:\n  # Plan\n  1. a\n"));
    str_free(&out);
}
