/* Shared by the tests of risks: a request for a tool, and what is found in it. */
#ifndef TESTS_UNIT_MAIL_SECURITY_RISK_SUPPORT_H
#define TESTS_UNIT_MAIL_SECURITY_RISK_SUPPORT_H

#include "tests/unit/support.h"

#include "base/json/json_print.h"
#include "mail/security/risk.h"

#define CWD "/home/u/proj"

enum {
    DELETES = 1 << RISK_DELETES,
    NETWORK = 1 << RISK_NETWORK,
    ROOT = 1 << RISK_ROOT,
    OUTSIDE = 1 << RISK_OUTSIDE,
    CODE = 1 << RISK_CODE,
    ENDS = 1 << RISK_ENDS,
    LASTS = 1 << RISK_LASTS,
    SECRETS = 1 << RISK_SECRETS,
    RIGHTS = 1 << RISK_RIGHTS,
    ALIKE = 1 << RISK_ALIKE,
    IGNORED = 1 << RISK_IGNORED,
    WIDE = 1 << RISK_WIDE,
    NEAR = 1 << RISK_NEAR,
    ADDRESS = 1 << RISK_ADDRESS,
    LONG_LINE = 1 << RISK_LONG,
};

/* Returns the kinds as words, for messages. */
static inline const char *kinds_text(struct str *out, unsigned kinds)
{
    for (unsigned i = 0; i < RISK_COUNT; i++)
        if (kinds & 1U << i)
            str_addf(out, "%s%s", out->len ? "; " : "", risk_phrase(i));
    return str_c(out);
}

/* Returns the kinds found in a JSON input of that tool. The caller frees the list. */
static inline unsigned find_in(const char *tool, const char *input, const char *cwd,
                               struct risk_list *found)
{
    struct protocol p = {
        .kind = PROTOCOL_PERMISSION_REQUEST, .tool_name = span_of(tool), .input = span_of(input)};

    return risk_find(&p, span_of(cwd), found);
}

static inline void expect_input_in(const char *tool, const char *input, const char *cwd,
                                   unsigned want)
{
    struct risk_list found = {0};
    struct str is = {0}, should = {0};
    unsigned got = find_in(tool, input, cwd, &found), listed = 0;

    for (size_t i = 0; i < found.count; i++)
        listed |= 1U << found.items[i].kind;
    cr_expect_eq(got, want, "%s %s: \"%s\", not \"%s\"", tool, input, kinds_text(&is, got),
                 kinds_text(&should, want));
    cr_expect_eq(got, listed);
    str_free(&is);
    str_free(&should);
    risk_list_free(&found);
}

static inline void expect_input(const char *tool, const char *input, unsigned want)
{
    expect_input_in(tool, input, CWD, want);
}

/* Like expect_input(), but for a command of Bash. */
static inline void expect_command(const char *command, unsigned want)
{
    struct str input = {0};

    str_puts(&input, "{\"command\":");
    json_put_text(&input, span_of(command), &json_style_node_line);
    str_puts(&input, "}");
    expect_input("Bash", str_c(&input), want);
    str_free(&input);
}

struct risk_case {
    const char *command;
    unsigned want;
};

static inline void expect_all(const struct risk_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_command(cases[i].command, cases[i].want);
}

#define EXPECT_ALL(cases) expect_all(cases, sizeof(cases) / sizeof *(cases))

#endif
