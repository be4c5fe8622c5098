/* Tests the approval check: nothing is hidden in what is executed. */
#include "approval_check_support.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"

#include <stdio.h>

/* The places of a request where something may be hidden, and how a sentence names them. */
static const struct {
    const char *request, *before, *what;
} places[] = {
    {PERMISSION, "\"tool_name\":\"Ba", "the tool's name"},
    {PERMISSION, "\"command\":\"l", "the tool's input"},
    {PERMISSION, "{\"comm", "the tool's input"}, /* a key */
    {PERMISSION, "{\"type\":\"add", "what the request suggests to allow"},
    {PERMISSION, "[{\"ty", "what the request suggests to allow"}, /* a key */
    {HOST, "{\"host\":\"exam", "the host"},
    {PLAN, "\"planContent\":\"# Pl", "the plan"},
    {PLAN, "\"planFilePath\":\"/tmp/", "the path of the plan"},
};

enum { PLACES = sizeof places / sizeof *places };

/* Puts the text after that part of a request. */
static void expect_behind(const char *request, const char *part, const char *text, const char *want)
{
    struct str by = {0};

    str_puts(&by, part);
    str_puts(&by, text);
    expect_with(request, part, str_c(&by), want);
    str_free(&by);
}

static void expect_hidden(const char *text, const char *shown)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct str why = {0};
        str_addf(&why, "%s holds %s, which nobody would see", places[i].what, shown);
        expect_behind(places[i].request, places[i].before, text, str_c(&why));
        str_free(&why);
    }
}

static void expect_hidden_code(int32_t code)
{
    struct str text = {0};
    char shown[16];

    snprintf(shown, sizeof shown, "<U+%04X>", (unsigned)code);
    utf8_add(&text, code);
    expect_hidden(str_c(&text), shown);
    str_free(&text);
}

Test(approval_hidden, control_characters_are_refused)
{
    expect_hidden("\\u001b", "^[");
    expect_hidden("\\b", "^H");
    expect_hidden("\\u0007", "^G");
    expect_hidden("\\u000b", "^K");
    expect_hidden("\\f", "^L");
    expect_hidden("\x7f", "^?");
    expect_hidden("\\u009b", "<U+009B>");
    expect_hidden("\xc2\x85", "<U+0085>");
}

Test(approval_hidden, a_carriage_return_is_refused)
{
    expect_hidden("\\r", "^M");
    expect_hidden("\\r\\n", "^M");
}

Test(approval_hidden, what_turns_the_direction_of_text_is_refused)
{
    static const int32_t codes[] = {0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
                                    0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        expect_hidden_code(codes[i]);
    expect_hidden("\\u202e", "<U+202E>");
}

Test(approval_hidden, tag_characters_are_refused)
{
    expect_hidden_code(0xe0001);
    expect_hidden_code(0xe0041);
    expect_hidden_code(0xe007f);
    expect_hidden("\\udb40\\udc41", "<U+E0041>");
}

Test(approval_hidden, characters_without_width_are_refused)
{
    static const int32_t codes[] = {0x200b, 0x200c, 0x200d, 0x2060, 0x2061,
                                    0x2062, 0x2063, 0x2064, 0xfeff, 0x180e};

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        expect_hidden_code(codes[i]);
}

Test(approval_hidden, other_invisible_characters_are_refused)
{
    static const int32_t codes[] = {
        0x00ad, 0x034f,  0x2028, 0x2029, 0x115f,  0x1160,  0x3164,   0xffa0,
        0x2800, 0xfe00,  0xfe0e, 0xfe0f, 0x180b,  0xe0100, 0xfff9,   0xfffb,
        0x206a, 0x1d173, 0xe000, 0xf8ff, 0xf0000, 0x0378,  0x10ffff, 0xffff,
    };

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        expect_hidden_code(codes[i]);
}

Test(approval_hidden, a_plan_is_refused_for_every_hidden_character_and_for_no_other)
{
    for (int32_t code = 0x80; code <= 0x10ffff; code += code < 0x3000 ? 1 : 97) {
        struct message_data data = {.body_is_payload = true};
        struct message message = {.from = span_of("w"), .place = &web, .data = &data};
        struct str character = {0}, entry = {0}, why = {0};
        utf8_add(&character, code);
        struct str text = replaced(PLAN, "# Plan", str_c(&character));
        add_entry(&entry, str_span(&text), "w");
        data.body = data.protocol = str_span(&text);
        cr_expect_eq(approval_refuses(&why, &message, str_span(&entry)), sanitize_is_hidden(code),
                     "U+%04X: %s", (unsigned)code, str_c(&why));
        str_free(&text);
        str_free(&entry);
        str_free(&why);
        str_free(&character);
    }
}

Test(approval_hidden, newline_and_tab_are_text)
{
    expect_behind(PERMISSION, "\"command\":\"l", "\\n\\t", NULL);
    expect_behind(PLAN, "\"planContent\":\"# Pl", "\\n\\t", NULL);
}

/* A name or a path that continues on the next line could look like another field. */
Test(approval_hidden, names_and_paths_are_one_line)
{
    expect_behind(PERMISSION, "\"tool_name\":\"Ba", "\\n", "the tool's name holds a line break");
    expect_behind(PERMISSION, "\"tool_name\":\"Ba", "\\t", "the tool's name holds a tab");
    expect_behind(PLAN, "\"planFilePath\":\"/tmp/", "\\n",
                  "the path of the plan holds a line break");
}

#define MAN_AND_WOMAN "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9"
#define HEART "\xe2\x9d\xa4\xef\xb8\x8f"

Test(approval_hidden, joiners_and_selectors_of_emoji_are_fine)
{
    expect_behind(PLAN, "\"planContent\":\"# Pl", MAN_AND_WOMAN HEART, NULL);
    expect_behind(PLAN, "\"planContent\":\"# Pl", "1\xef\xb8\x8f\xe2\x83\xa3", NULL); /* a keycap */
    expect_behind(PLAN, "\"planContent\":\"# Pl",
                  "\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd\xe2\x80\x8d\xf0\x9f\x92\xbb", NULL);
    expect_behind(PERMISSION, "\"command\":\"l", MAN_AND_WOMAN HEART, NULL);
    expect_hidden(HEART "\xef\xb8\x8f", "<U+FE0F>");
    expect_hidden("\xf0\x9f\x91\xa8\xe2\x80\x8d", "<U+200D>");
    expect_hidden("a\xef\xb8\x8f", "<U+FE0F>");
}

Test(approval_hidden, letters_of_all_scripts_are_fine)
{
    expect_behind(PLAN, "\"planContent\":\"# Pl",
                  "\xc3\xa9 \xd0\xb0 \xe6\x97\xa5 \xe0\xa4\x95\xe0\xa4\xbe e\xcc\x81", NULL);
}

/* It is shown sanitized, and nothing runs it. */
Test(approval_hidden, what_the_agent_only_says_may_hold_anything)
{
    expect_behind(PERMISSION, "\"description\":\"Li", "\\u001b[2J\xe2\x80\xae", NULL);
    expect_behind(SHUTDOWN, "\"reason\":\"Wo", "\\u001b[2J\xe2\x80\xae", NULL);
    expect_behind(PERMISSION, "{\"", "x\":\"\xe2\x80\xae\",\"", NULL);
}

Test(approval_hidden, whatever_is_deep_in_the_input_is_looked_at)
{
    expect_with(PERMISSION, "{\"command\":\"ls\"", "{\"edits\":[{\"new\":[\"a\xe2\x80\xae\"]}]",
                "the tool's input holds <U+202E>, which nobody would see");
    expect_with(PERMISSION, "{\"command\":\"ls\"", "{\"edits\":[{\"n\xe2\x80\xae\":1}]",
                "the tool's input holds <U+202E>, which nobody would see");
    expect_with(HOST, "{\"host\":", "{\"p\":\"\xe2\x80\xae\",\"host\":",
                "the host holds <U+202E>, which nobody would see");
}
