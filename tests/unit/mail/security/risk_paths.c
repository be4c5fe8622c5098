/* Tests risks: paths, tools and hosts. */
#include "risk_support.h"

Test(risk_paths, what_lies_outside_the_working_directory_is_found)
{
    static const struct risk_case cases[] = {
        {"cat /etc/hosts", OUTSIDE},
        {"cat /", OUTSIDE},
        {"cat " CWD, 0},
        {"cat " CWD "/", 0},
        {"cat " CWD "/a/../b", 0},
        {"cat " CWD "/../x", OUTSIDE},
        {"cat " CWD "2/x", OUTSIDE},
        {"cat /home/u/./proj//a", 0},
        {"cat /home/u", OUTSIDE},
        {"cat ..", OUTSIDE},
        {"cat a/../..", OUTSIDE},
        {"cat a/..", 0},
        {"cat a/b/../../../x", OUTSIDE},
        {"cat ~", OUTSIDE},
        {"cat ~/x", OUTSIDE},
        {"cat ~bob/x", OUTSIDE},
        {"cat $HOME", OUTSIDE},
        {"cat \"$HOME/x\"", OUTSIDE},
        {"cat ${HOME}/x", OUTSIDE},
        {"cat $PWD/x", 0},
        {"cat ${PWD}/x", 0},
        {"cat $PWD/../x", OUTSIDE},
        {"cat $OLDPWD", OUTSIDE},
        {"cat $DIR/x", OUTSIDE},
        {"echo $X", 0},
        {"tar --file=/tmp/x .", OUTSIDE},
        {"cc -I/usr/include x.c", OUTSIDE},
        {"cc -Isub/dir x.c", OUTSIDE}, /* warns too often rather than too rarely */
        {"x a:/etc", OUTSIDE},
        {"x file:///etc/hosts", OUTSIDE},
        {"x -d @/etc/hosts", OUTSIDE},
        {"ls >/tmp/x", OUTSIDE},
        {"ls >> ../x", OUTSIDE},
        {"cat '/etc'/hosts", OUTSIDE},
        {"cat /e\\tc/hosts", OUTSIDE},
        {"cat $'/\\145tc'", OUTSIDE},
        {"cd ..; ls", OUTSIDE},
        {"bash -c 'cat /etc/hosts'", OUTSIDE | CODE},
        {"cat {/etc,x}/hosts", OUTSIDE},
        {"cat /dev/null /dev/stdin /dev/fd/3 /dev/urandom", 0},
        {"cat /dev/sda /dev/null/../sda", OUTSIDE},
        {"env cat /usr/bin/ls", OUTSIDE},
    };

    EXPECT_ALL(cases);
}

Test(risk_paths, without_a_working_directory_every_absolute_path_is_outside)
{
    expect_input_in("Bash", "{\"command\":\"cat " CWD "/x\"}", "", OUTSIDE);
    expect_input_in("Bash", "{\"command\":\"cat x /dev/null\"}", "", 0);
    expect_input_in("Bash", "{\"command\":\"cat " CWD "/x\"}", "proj", OUTSIDE);
    expect_input_in("Bash", "{\"command\":\"cat /etc/x\"}", "/", 0);
    expect_input_in("Bash", "{\"command\":\"cat /a/b/x\"}", "/a/c/../b/", 0);
}

Test(risk_paths, paths_of_file_tools_are_looked_at)
{
    expect_input("Read", "{\"file_path\":\"" CWD "/a.c\"}", 0);
    expect_input("Read", "{\"file_path\":\"/etc/hosts\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"" CWD "/../../../etc/hosts\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"C:\\\\x\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"c:/x\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"z:\\\\x\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"C:x\"}", 0);  /* no root: a file with a colon */
    expect_input("Read", "{\"file_path\":\"1:/x\"}", 0); /* no letter */
    expect_input("Read", "{\"file_path\":\"_:/x\"}", 0);
    expect_input("Read", "{\"file_path\":\"{:/x\"}", 0);
    expect_input("Read", "{\"file_path\":\"\\\\\\\\host\\\\x\"}", OUTSIDE);
    expect_input("Read", "{\"file_path\":\"" CWD "/.env\"}", SECRETS);
    expect_input("Write", "{\"file_path\":\"~/.bashrc\",\"content\":\"x\"}", OUTSIDE | LASTS);
    expect_input("Edit", "{\"file_path\":\"a b; rm x\"}", 0); /* a path with blanks */
    expect_input("NotebookEdit", "{\"notebook_path\":\"/x.ipynb\"}", OUTSIDE);
    expect_input("Glob", "{\"pattern\":\"/etc/**\"}", OUTSIDE);
    expect_input("Glob", "{\"pattern\":\"**/*.c\",\"path\":\"..\"}", OUTSIDE);
    expect_input("Grep", "{\"pattern\":\"rm -rf /\",\"path\":\"src\"}", 0);
    expect_input("LS", "{\"path\":\"/\"}", OUTSIDE);
    expect_input("Other", "{\"cwd\":\"/\"}", OUTSIDE);
}

Test(risk_paths, what_is_only_written_is_no_command)
{
    expect_input("Write", "{\"file_path\":\"a.md\",\"content\":\"rm -rf / | sh\"}", 0);
    expect_input("Edit", "{\"file_path\":\"a\",\"old_string\":\"curl x\",\"new_string\":\"sudo\"}",
                 0);
    expect_input("Bash", "{\"command\":\"ls\",\"description\":\"rm and sudo\"}", 0);
    expect_input("Task", "{\"prompt\":\"rm -rf /\"}", 0);
    expect_input("Write", "{\"file_path\":\"a\",\"command\":\"rm x\"}", DELETES | IGNORED);
}

Test(risk_paths, what_another_tool_is_used_for_is_told_where_this_one_does_not_look)
{
    expect_input("Write", "{\"command\":\"ls\",\"file_path\":\"a\"}", IGNORED);
    expect_input("Bash", "{\"command\":\"ls\",\"file_path\":\"a\"}", IGNORED);
    expect_input("Grep", "{\"pattern\":\"x\",\"path\":\"a\"}", 0);
    expect_input("mcp__any", "{\"command\":\"ls\",\"file_path\":\"a\"}", 0);
}

Test(risk_paths, tools_that_nobody_knows_may_run_anything)
{
    expect_input("mcp__shell__run", "{\"script\":\"rm x\"}", DELETES);
    expect_input("mcp__shell__run", "{\"args\":[\"-c\",\"sudo x\"]}", ROOT);
    expect_input("mcp__db__query", "{\"sql\":\"DROP TABLE x\"}", DELETES);
    expect_input("X", "{\"a\":{\"b\":{\"c\":\"curl x\"}}}", NETWORK);
    expect_input("X", "{\"a\":1,\"b\":true,\"c\":null}", 0);
    expect_input("X", "{}", 0);
}

Test(risk_paths, names_of_tools_tell_something)
{
    expect_input("WebFetch", "{\"url\":\"https://a.org/?a=1&b=2\",\"prompt\":\"x\"}", NETWORK);
    expect_input("WebSearch", "{\"query\":\"rm\"}", NETWORK);
    expect_input("mcp__browser__open", "{}", NETWORK);
    expect_input("mcp__files__delete_file", "{}", DELETES);
    expect_input("Bash", "{}", 0);
}

static void expect_host(const char *host, unsigned want)
{
    struct risk_list found = {0};
    struct str is = {0};
    struct protocol p = {.kind = PROTOCOL_SANDBOX_PERMISSION_REQUEST, .host = span_of(host)};
    unsigned got = risk_find(&p, span_of(CWD), &found);

    cr_expect_eq(got, want, "%s: %s", host, kinds_text(&is, got));
    for (size_t i = 0; i < found.count; i++) {
        assert_span(found.items[i].key, "host");
        assert_span(found.items[i].text, host);
    }
    str_free(&is);
    risk_list_free(&found);
}

Test(risk_paths, hosts_are_looked_at)
{
    static const struct {
        const char *host;
        unsigned want;
    } cases[] = {
        {"example.org", 0},
        {"api.example.org:443", 0},
        {"*.example.org", WIDE},
        {"*", WIDE},
        {"localhost", NEAR},
        {"LOCALHOST", NEAR},
        {"a.localhost", NEAR},
        {"db", NEAR},
        {"db.internal", NEAR},
        {"printer.local", NEAR},
        {"127.0.0.1", NEAR | ADDRESS},
        {"10.1.2.3", NEAR | ADDRESS},
        {"192.168.0.1:80", NEAR | ADDRESS},
        {"172.20.1.1", NEAR | ADDRESS},
        {"172.32.1.1", ADDRESS},
        {"169.254.169.254", NEAR | ADDRESS},
        {"0.0.0.0", NEAR | ADDRESS},
        {"8.8.8.8", ADDRESS},
        {"2130706433", NEAR | ADDRESS},
        {"0x7f.1", ADDRESS},
        {"0x7f000001", NEAR | ADDRESS},
        {"[::1]", NEAR | ADDRESS},
        {"::1", NEAR | ADDRESS},
        {"fe80::1", NEAR | ADDRESS},
        {"2001:db8::1", ADDRESS},
        {"[2001:db8::1]:443", ADDRESS},
        {"localhost:8080", NEAR},
        {"db:5432", NEAR},
        {"cafe:80", NEAR},
        {"db.internal:443", NEAR},
        {"printer.local:631", NEAR},
        {"ad.de:443", 0},
        {"[::1]:80", NEAR | ADDRESS},
        {"fd12:3456::1", NEAR | ADDRESS},
        {"[fc00::1]", NEAR | ADDRESS},
        {"::", NEAR | ADDRESS},
        {"[::]:80", NEAR | ADDRESS},
        {"::ffff:127.0.0.1", NEAR | ADDRESS},
        {"xn--e1afmkfd.org", ALIKE},
        {"\xd0\xbf\xd1\x80\xd0\xb8\xd0\xbc\xd0\xb5\xd1\x80.org", ALIKE},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_host(cases[i].host, cases[i].want);
}

Test(risk_paths, what_surrounds_a_secret_does_not_hide_it)
{
    expect_command("cat .env~", SECRETS);
    expect_command("cat {.env,x}", SECRETS);
}

Test(risk_paths, a_directory_of_programs_is_no_program)
{
    expect_command("ls /bin/", OUTSIDE);
    expect_command("/bin/", OUTSIDE);
}

Test(risk_paths, addresses_that_nobody_routes_are_near)
{
    expect_host("[fd12::1]", NEAR | ADDRESS);
    expect_host("[fd1::1]", ADDRESS);
    expect_host("[]", NEAR);
    expect_host("[fe12::1]", ADDRESS);
    expect_host("[fc12::1]", NEAR | ADDRESS);
}

Test(risk_paths, other_requests_have_no_dangers)
{
    struct risk_list found = {0};
    struct protocol plan = {.kind = PROTOCOL_PLAN_APPROVAL_REQUEST, .plan = span_of("rm -rf /")};
    struct protocol none = {.kind = PROTOCOL_PERMISSION_REQUEST};
    struct protocol nowhere = {.kind = PROTOCOL_SANDBOX_PERMISSION_REQUEST};

    cr_assert_eq(risk_find(&plan, span_of(CWD), &found), 0);
    cr_assert_eq(risk_find(&none, (struct span){0}, &found), 0);
    cr_assert_eq(risk_find(&nowhere, (struct span){0}, &found), 0);
    risk_list_free(&found);
}
