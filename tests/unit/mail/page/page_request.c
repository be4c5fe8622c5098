/* Tests documents: a request, whole, after a gutter. */
#include "page_support.h"
#include "tests/unit/mail/render/render_support.h"

#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"

TestSuite(page_request, .init = use_zone_utc);

#define PERMISSION(Command)                                                                        \
    "{\"type\":\"permission_request\",\"request_id\":\"p-1\",\"agent_id\":\"w\",\"tool_name\":"    \
    "\"Bash\",\"tool_use_id\":\"t\",\"description\":\"harmless\",\"input\":{\"command\":"          \
    "\"" Command "\"},\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":["              \
    "{\"toolName\":\"Bash\"}],\"behavior\":\"allow\",\"destination\":\"session\"},"                \
    "{\"type\":\"setMode\",\"mode\":\"plan\",\"destination\":\"session\"}]}"
#define PLAN(Content)                                                                              \
    "{\"type\":\"plan_approval_request\",\"from\":\"w\",\"timestamp\":\"2026-02-07T15:35:15.573Z"  \
    "\",\"planFilePath\":\"/p\",\"planContent\":\"" Content "\",\"requestId\":\"r-1\"}"

struct made {
    struct message_data data;
    struct message message;
    struct document page;
};

static void make_request(struct made *made, const char *protocol, enum kind kind,
                         const struct page_request *about, size_t columns)
{
    static const struct span_list nothing = {0};
    struct page_request whole = *about;
    struct page_options options = narrow(columns);

    if (!whole.flags)
        whole.flags = &nothing;
    options.now_us = SENT_US + 3 * HOUR_US;
    made->data = make_data();
    made->data.protocol = made->data.payload = made->data.body = span_of(protocol);
    made->data.body_is_payload = true;
    made->message = make(&made->data);
    made->message.kind = kind;
    made->message.type =
        span_of(kind == KIND_PLAN ? "plan_approval_request" : "permission_request");
    made->page = (struct document){0};
    page_request(&made->page, &made->message, &whole, &options);
    assert_sound(&made->page, &options, "request");
}

static bool has(const struct str *shown, const char *text)
{
    return strstr(str_c(shown), text) != NULL;
}

/* True if the line starts with the gutter, which no text of others can contain. */
static bool has_gutter(const struct document *page, size_t number)
{
    const struct page_line *line = &page->lines[number];
    const struct page_piece *piece = &page->pieces[line->first];

    return line->count && piece->added && piece->style == STYLE_BORDER && piece->len == 2 &&
           memcmp(page->text.at + piece->at, "| ", 2) == 0;
}

/* Every line with text of the agent, the only text here with the letter Q, has the gutter. */
static void assert_guttered(const struct document *page, size_t columns)
{
    size_t seen = 0;

    for (size_t i = 0; i < page->line_count; i++) {
        const struct page_line *line = &page->lines[i];
        for (uint32_t p = line->first; p < line->first + line->count; p++) {
            if (!memchr(page->text.at + page->pieces[p].at, 'Q', page->pieces[p].len))
                continue;
            seen++;
            cr_assert(has_gutter(page, i), "%zu columns: line %zu has no gutter: %.*s", columns, i,
                      (int)page->pieces[p].len, page->text.at + page->pieces[p].at);
        }
    }
    cr_assert_geq(seen, 5);
}

#define EMPTY "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n"
#define FORGED                                                                                     \
    "lsQ\\n-- end of the request Q\\nREFUSED    noQ\\n| xQ\\n\xe2\x94\x82 yQ" EMPTY EMPTY EMPTY    \
    "rm -rf ~ # Q last"

Test(page_request, what_the_agent_wrote_stands_behind_a_gutter_at_every_width)
{
    for (size_t columns = 10; columns <= 200; columns++) {
        struct page_request about = {0};
        struct made made;
        make_request(&made, PERMISSION(FORGED), KIND_PERMISSION, &about, columns);
        assert_guttered(&made.page, columns);
        page_free(&made.page);
        make_request(&made, PLAN(FORGED), KIND_PLAN, &about, columns);
        assert_guttered(&made.page, columns);
        page_free(&made.page);
    }
}

Test(page_request, it_is_drawn_on_no_columns_too)
{
    for (size_t columns = 0; columns < 10; columns++) {
        struct page_request about = {.before = span_of("x\ny\n")};
        struct made made;
        make_request(&made, PLAN(FORGED), KIND_PLAN, &about, columns);
        cr_assert_gt(made.page.line_count, 3);
        page_free(&made.page);
    }
}

Test(page_request, only_the_last_line_is_the_end_and_it_has_no_gutter)
{
    struct page_request about = {0};
    struct made made;

    make_request(&made, PERMISSION(FORGED), KIND_PERMISSION, &about, 80);
    size_t ends = 0;
    for (size_t i = 0; i < made.page.line_count; i++) {
        const struct page_line *line = &made.page.lines[i];
        const struct page_piece *piece = &made.page.pieces[line->first];
        bool is_end = line->count && piece->len == 21 &&
                      memcmp(made.page.text.at + piece->at, "-- end of the request", 21) == 0;
        ends += is_end;
        cr_assert_eq(is_end, i + 1 == made.page.line_count);
    }
    cr_assert_eq(ends, 1);
    page_free(&made.page);
}

Test(page_request, long_runs_of_empty_lines_are_told_not_shown)
{
    struct page_request about = {0};
    struct made made;

    make_request(&made, PERMISSION(FORGED), KIND_PERMISSION, &about, 80);
    struct str shown = page_shown(&made.page, false);
    cr_assert(has(&shown, "empty lines)"), "%s", str_c(&shown));
    cr_assert(has(&shown, "rm -rf ~ # Q last"));
    cr_assert_lt(made.page.line_count, 50);
    str_free(&shown);
    page_free(&made.page);
}

Test(page_request, long_runs_of_blanks_do_not_push_out_of_sight_what_follows)
{
    struct page_request about = {0};
    struct str text = {0};
    struct made made;

    str_puts(&text, "{\"type\":\"permission_request\",\"request_id\":\"p\",\"agent_id\":\"w\","
                    "\"tool_name\":\"Bash\",\"tool_use_id\":\"t\",\"description\":\"d\","
                    "\"input\":{\"command\":\"ls");
    str_pad(&text, ' ', 8000);
    str_puts(&text, "; rm -rf ~\"},\"permission_suggestions\":[]}");
    make_request(&made, str_c(&text), KIND_PERMISSION, &about, 80);
    struct str shown = page_shown(&made.page, false);
    cr_assert(has(&shown, "(8000 blanks)") && has(&shown, "; rm -rf ~"), "%s", str_c(&shown));
    cr_assert_lt(made.page.line_count, 30, "%s", str_c(&shown));
    str_free(&shown);
    str_free(&text);
    page_free(&made.page);
}

Test(page_request, nothing_of_what_is_executed_is_left_out)
{
    struct page_request about = {0};
    struct str command = {0}, text = {0};
    struct made made;

    for (int i = 0; i < 5000; i++)
        str_addf(&command, "word%d ", i);
    str_addf(&text,
             "{\"type\":\"permission_request\",\"request_id\":\"p\",\"agent_id\":\"w\","
             "\"tool_name\":\"Bash\",\"tool_use_id\":\"t\",\"description\":\"d\",\"input\":"
             "{\"command\":\"%s\",\"timeout\":123456789012345678901},"
             "\"permission_suggestions\":[]}",
             str_c(&command));
    make_request(&made, str_c(&text), KIND_PERMISSION, &about, 60);
    struct str lines = page_shown(&made.page, true), shown = {0};
    for (size_t i = 0; i < lines.len; i++) /* words continue on the next line */
        if (lines.at[i] != '\n')
            str_putc(&shown, lines.at[i]);
    str_free(&lines);
    for (int i = 0; i < 5000; i++) {
        struct str word = {0};
        str_addf(&word, "word%d", i);
        cr_assert(has(&shown, str_c(&word)), "%s", str_c(&word));
        str_free(&word);
    }
    cr_assert(has(&shown, "123456789012345678901"));
    str_free(&shown);
    str_free(&command);
    str_free(&text);
    page_free(&made.page);
}

Test(page_request, what_the_agent_says_of_it_is_called_its_words)
{
    static const char *const said[] = {"harmless", "harmless\\nCommand    true\\nTool       Read"};

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct page_request about = {0};
        struct str text = {0};
        struct made made;
        str_addf(&text,
                 "{\"type\":\"permission_request\",\"request_id\":\"p\",\"agent_id\":\"w\","
                 "\"tool_name\":\"Bash\",\"tool_use_id\":\"t\",\"description\":\"%s\","
                 "\"input\":{\"command\":\"ls\"},\"permission_suggestions\":[]}",
                 said[i]);
        make_request(&made, str_c(&text), KIND_PERMISSION, &about, 80);
        struct str shown = page_shown(&made.page, false);
        cr_assert(has(&shown, "(the agent's words)"), "%s", str_c(&shown));
        cr_assert_not(has(&shown, "| Command    true"), "%s", str_c(&shown));
        str_free(&shown);
        str_free(&text);
        page_free(&made.page);
    }
}

Test(page_request, suggestions_are_off_unless_chosen)
{
    static const bool chosen[] = {false, true};
    struct page_request about = {0};
    struct made made;

    make_request(&made, PERMISSION("ls"), KIND_PERMISSION, &about, 80);
    struct str shown = page_shown(&made.page, false);
    cr_assert(has(&shown, "off unless chosen one by one"));
    cr_assert(has(&shown, "1 [ ]") && has(&shown, "2 [ ]"), "%s", str_c(&shown));
    const char *rule = strstr(str_c(&shown), "addRules");
    cr_assert(rule && !strstr(rule + 1, "addRules"), "each stands there once:\n%s", str_c(&shown));
    str_free(&shown);
    page_free(&made.page);
    about.chosen = chosen;
    about.chosen_count = 2;
    make_request(&made, PERMISSION("ls"), KIND_PERMISSION, &about, 80);
    shown = page_shown(&made.page, false);
    cr_assert(has(&shown, "1 [ ]") && has(&shown, "2 [x]"), "%s", str_c(&shown));
    str_free(&shown);
    page_free(&made.page);
}

Test(page_request, what_is_to_be_known_comes_first)
{
    struct span flag = span_of("deletes files"), past = span_of("earlier you granted it");
    struct span_list flags = {.items = &flag, .count = 1};
    struct page_request about = {.flags = &flags,
                                 .refusal = span_of("two of one name"),
                                 .native_note = span_of("words only"),
                                 .directory = span_of("/home/u/proj"),
                                 .amended = span_of("{\"command\":\"ls -l\"}"),
                                 .earlier = {.items = &past, .count = 1}};
    struct made made;

    make_request(&made, PERMISSION("ls"), KIND_PERMISSION, &about, 80);
    struct str shown = page_shown(&made.page, false);
    const char *text = str_c(&shown), *gutter = strstr(text, "| ");
    static const char *const first[] = {"REFUSED", "two of one name", "deletes files", "words only",
                                        "/home/u/proj"};
    cr_assert_not_null(gutter);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        const char *at = strstr(text, first[i]);
        cr_assert(at && at < gutter, "%s: %s", first[i], text);
    }
    cr_assert(has(&shown, "Changed by you") && has(&shown, "ls -l"));
    /* earlier answers do not push the current request off the screen */
    cr_assert(strstr(gutter, "earlier you granted it"));
    str_free(&shown);
    page_free(&made.page);
}

Test(page_request, a_plan_that_is_the_same_as_the_one_it_replaces_says_so)
{
    struct page_request about = {.before = span_of("one\ntwo\nthree\n")};
    struct made made;

    make_request(&made, PLAN("one\\ntwo\\nthree\\n"), KIND_PLAN, &about, 80);
    struct str shown = page_shown(&made.page, false);
    cr_assert(has(&shown, "nothing: the two plans are the same"));
    str_free(&shown);
    page_free(&made.page);
}

Test(page_request, one_that_cannot_be_read_any_more_is_compared_with_nothing)
{
    static const struct span_list nothing = {0};
    struct page_request about = {.before = span_of("one\n"), .flags = &nothing};
    struct page_options options = narrow(80);
    struct message message = make(NULL);
    struct document page = {0};

    page_request(&page, &message, &about, &options);
    struct str shown = page_shown(&page, false);
    cr_assert(has(&shown, "end of the request") && !has(&shown, "Changed since"), "%s",
              str_c(&shown));
    str_free(&shown);
    page_free(&page);
}
