/* Tests risks: commands that are disguised. */
#include "risk_support.h"

static void expect_in_command(const char *command, unsigned risk)
{
    struct risk_list found = {0};
    struct str input = {0};

    str_puts(&input, "{\"command\":");
    json_put_text(&input, span_of(command), &json_style_node_line);
    str_puts(&input, "}");
    cr_expect(find_in("Bash", str_c(&input), CWD, &found) & risk, "%s", command);
    str_free(&input);
    risk_list_free(&found);
}

/* However it is written, a shell runs rm. */
Test(risk_tricks, quotes_and_backslashes_hide_nothing)
{
    static const char *const commands[] = {
        "r\\m x",
        "\\rm x",
        "'rm' x",
        "\"r\"\"m\" x",
        "r''m x",
        "r\"\"m x",
        "r\\\nm x",
        "ls; \\\n  rm x",
        "$'rm' x",
        "$'\\x72\\x6d' x",
        "$'\\162\\155' x",
        "$'r\\u006d' x",
        "$'\\U00000072m' x",
        "$\"rm\" x",
        "/bin/rm x",
        "/usr/bin/'r'm x",
        "/bin/../bin/rm x",
        "../../bin/rm x",
        "env rm x",
        "command rm x",
        "builtin command rm x",
        "exec rm x",
        "FOO=1 rm x",
        "FOO=1 BAR='a b' rm x",
        "env -i FOO=1 rm x",
        "timeout 5 /opt/x/rm x",
        "nice -n 5 rm x",
        "time rm x",
        "! rm x",
        "ls;rm x",
        "ls\nrm x",
        "ls&&rm x",
        "ls||rm x",
        "ls|rm x",
        "(rm x)",
        "{ rm x; }",
        "if true; then rm x; fi",
        "while :; do rm x; done",
        "f() { rm x; }; f",
        "case a in a) rm x;; esac",
        ">out rm x",
        "2>&1 rm x",
        "<in rm x",
        "{rm,-rf,x}",
        "rm${IFS}-rf${IFS}x",
        "rm$IFS-rf",
        "r${x}m x",
        "r$@m x",
        "r\"$x\"m x",
        "c=rm; $c x",
        "alias ls=rm",
        "alias ls='rm -rf'",
        "trap 'rm x' EXIT",
        "echo x | tee >(rm x)",
        "echo \"`rm x`\"",
        "echo ${x:-$(rm x)}",
        "echo $(echo $(echo `rm x`))",
        "$(echo rm) x",
        "`echo rm` x",
        "\"$(echo rm)\" x",
        "eval rm\\ x",
        "eval 'r''m x'",
        "bash -c 'rm x'",
        "bash -c \"rm x\"",
        "bash -c \"bash -c 'rm x'\"",
        "sh -c 'eval \"r\\\\m x\"'",
        "ssh host 'rm x'",
        "su -c 'rm x'",
        "echo 'rm x' | sh",
        "bash <<< 'rm x'",
        "bash <<'EOF'\nrm x\nEOF",
        "cat <<EOF > x.sh\ndon't\nrm x\nEOF",
        "# it's fine\nrm x",
        "# it's\nr''m x",
        "# it's\n\"r\"m x",
        "echo it's; rm x",
        "echo \"unfinished; rm x",
        "echo 'unfinished; rm x",
        "echo $'unfinished; rm x",
        "printf '%s' x | xargs -I{} rm {}",
        "parallel rm ::: x",
        "find . -exec rm {} \\;",
        "python3 -c \"import os; os.system('rm x')\"",
        "perl -e 'system(\"rm x\")'",
        "awk 'BEGIN{system(\"rm x\")}'",
        "ls \\; rm x",
        "busybox rm x",
        "x=1;rm x",
        "RM x",
        "rm.exe x",
        "\trm x",
        "ls\r\nrm x",
    };

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_in_command(commands[i], DELETES);
}

/* Nobody can see which command runs; this is reported. */
Test(risk_tricks, commands_that_are_put_together_are_told)
{
    static const char *const commands[] = {
        "a=r;b=m;$a$b x",
        "\"$a\"\"$b\" x",
        "r${x:-m} x",
        "$(printf '\\162m') x",
        "`printf r``printf m` x",
        "/?\?\?/r? x",
        "echo cm0geA== | base64 -d | sh",
        "x=$(tr a-z b-za <<< ql); $x y",
        "/bin/[r]m x",
        "IFS=_; c=r_m; $c",
    };

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_in_command(commands[i], CODE);
}

Test(risk_tricks, what_is_quoted_too_often_is_told)
{
    struct str command = {0};

    str_puts(&command, "x y");
    for (unsigned level = 0; level < 8; level++) {
        struct str deeper = {0};
        str_puts(&deeper, "echo \"");
        for (size_t i = 0; i < command.len; i++) {
            if (strchr("\"\\", command.at[i]))
                str_putc(&deeper, '\\');
            str_putc(&deeper, command.at[i]);
        }
        str_putc(&deeper, '"');
        str_free(&command);
        command = deeper;
        expect_command(str_c(&command), level < 5 ? 0 : CODE);
    }
    str_free(&command);
}

/* The first risk of that kind is exactly these bytes of that member. */
static void expect_found(const char *tool, const char *input, enum risk_kind kind, const char *key,
                         size_t at, const char *text)
{
    struct risk_list found = {0};
    size_t i = 0;

    find_in(tool, input, CWD, &found);
    while (i < found.count && found.items[i].kind != kind)
        i++;
    cr_assert_lt(i, found.count, "%s: not \"%s\"", input, risk_phrase(kind));
    assert_span(found.items[i].key, key);
    cr_expect_eq(found.items[i].at, at, "%s: at %zu", input, found.items[i].at);
    cr_expect_eq(found.items[i].len, strlen(text), "%s", input);
    assert_span(found.items[i].text, text);
    risk_list_free(&found);
}

Test(risk_tricks, what_is_found_is_pointed_at)
{
    expect_found("Bash", "{\"command\":\"ls; rm -rf x\"}", RISK_DELETES, "command", 4, "rm");
    expect_found("Bash", "{\"command\":\"ls; r\\\\m x\"}", RISK_DELETES, "command", 4, "r\\m");
    expect_found("Bash", "{\"command\":\"a\\n\\\"r\\\"'m'\"}", RISK_DELETES, "command", 2,
                 "\"r\"'m'");
    expect_found("Bash", "{\"command\":\"git -C x push y\"}", RISK_NETWORK, "command", 0,
                 "git -C x push");
    expect_found("Bash", "{\"command\":\"bash -c 'ls; sudo x'\"}", RISK_ROOT, "command", 13,
                 "sudo");
    expect_found("Bash", "{\"command\":\"bash -c \\\"bash -c 'ls; s\\\\\\\\udo x'\\\"\"}",
                 RISK_ROOT, "command", 22, "s\\\\udo");
    expect_found("Bash", "{\"command\":\"bash -c x\"}", RISK_CODE, "command", 0, "bash -c");
    expect_found("Bash", "{\"command\":\"cat \xc3\xa9 ../../x\"}", RISK_OUTSIDE, "command", 7,
                 "../../x");
    expect_found("Bash", "{\"command\":\"cat a/.env.local\"}", RISK_SECRETS, "command", 6, ".env");
    expect_found("Bash", "{\"command\":\"sleep 1 &\"}", RISK_LASTS, "command", 8, "&");
    expect_found("Write", "{\"content\":\"\",\"file_path\":\"/etc/x\"}", RISK_OUTSIDE, "file_path",
                 0, "/etc/x");
    expect_found("WebFetch", "{}", RISK_NETWORK, "tool_name", 0, "WebFetch");
}

Test(risk_tricks, switches_and_nested_strings_are_pointed_at)
{
    struct risk_list found = {0};

    find_in("X", "{\"a\":[{\"b\":\"ls\"},\"rm x\",\"rm y; unlink y\"],\"run_in_background\":true}",
            CWD, &found);
    cr_assert_eq(found.count, 3);
    cr_assert(found.items[0].nested && found.items[1].nested);
    assert_span(found.items[0].key, "a");
    cr_assert_eq(found.items[0].string, 1);
    cr_assert_eq(found.items[1].string, 2);
    assert_span(found.items[2].key, "run_in_background");
    assert_span(found.items[2].text, "run_in_background: true");
    cr_assert_eq(found.items[2].len, 0);
    risk_list_free(&found);
}

Test(risk_tricks, masses_do_not_hide_another_kind)
{
    struct risk_list found = {0};
    struct str input = {0};

    str_puts(&input, "{\"command\":\"");
    for (unsigned i = 0; i < 2000; i++)
        str_puts(&input, "rm x;");
    str_puts(&input, " sudo y\"}");
    cr_assert_eq(find_in("Bash", str_c(&input), CWD, &found),
                 (unsigned)(DELETES | ROOT | LONG_LINE));
    cr_assert_leq(found.count, 300);
    cr_assert_eq(found.items[found.count - 1].kind, RISK_ROOT);
    str_free(&input);
    risk_list_free(&found);
}

/* Finds the risks in `count` commands, each with a different path, and one more. */
static unsigned find_many(unsigned count, struct risk_list *found)
{
    struct str input = {0};

    str_puts(&input, "{\"command\":\"");
    for (unsigned i = 0; i < count; i++)
        str_addf(&input, "cat /etc/%u;", i);
    str_puts(&input, " sudo y\"}");
    unsigned kinds = find_in("Bash", str_c(&input), CWD, found);
    str_free(&input);
    return kinds;
}

Test(risk_tricks, masses_of_different_words_do_not_hide_another_kind)
{
    struct risk_list found = {0};

    cr_assert_eq(find_many(1000, &found), (unsigned)(OUTSIDE | ROOT | LONG_LINE));
    cr_assert_leq(found.count, 300);
    cr_assert_eq(found.items[found.count - 1].kind, RISK_ROOT);
    risk_list_free(&found);
}

Test(risk_tricks, the_first_words_are_told_and_how_many_more_there_are)
{
    struct risk_list found = {0};
    struct span_list phrases = {0};
    struct arena arena = {0};

    unsigned kinds = find_many(15, &found);
    risk_add_phrases(&phrases, &found, kinds, &arena);
    cr_assert_eq(phrases.count, 2);
    for (size_t i = 0; i < phrases.count; i++)
        if (!span_starts(phrases.items[i], span_of("takes root")))
            cr_assert(span_ends(phrases.items[i], ", \"/etc/11\" and 3 more"), "%s",
                      phrases.items[i].at);
    span_list_free(&phrases);
    risk_list_free(&found);
    arena_free(&arena);
}

Test(risk_tricks, an_input_that_is_no_object_holds_nothing)
{
    expect_input("Bash", "", 0);
    expect_input("Bash", "\"rm x\"", 0);
}

Test(risk_tricks, a_test_and_a_nul_are_no_code)
{
    expect_command("[[ -f x ]]", 0);
    expect_input("Bash", "{\"command\":\"python -\\u0000 x\"}", 0);
    expect_command("python -c x", CODE);
}
