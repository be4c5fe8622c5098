/* Tests sources: what a path leads to, and who we are there. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "store/source/source.h"

#include <limits.h>
#include <stdlib.h>

static struct tmp tmp;
static struct source source;

static void make(void)
{
    char resolved[PATH_MAX];

    tmp_make(&tmp);
    cr_assert_not_null(realpath(tmp.path, resolved));
    cr_assert_lt(strlen(resolved), sizeof tmp.path);
    memcpy(tmp.path, resolved, strlen(resolved) + 1);
    source = (struct source){.root = -1};
}

static void clear(void)
{
    source_close(&source);
    tmp_remove(&tmp);
}

TestSuite(source, .init = make, .fini = clear);

static bool open_at(const char *format, const char *path, struct err *err)
{
    struct str spec = {0};

    source_close(&source);
    str_addf(&spec, "%s%s%s%s", format, tmp.path, *path ? "/" : "", path);
    bool ok = source_open(&source, str_c(&spec), NULL, NULL, err);
    str_free(&spec);
    return ok;
}

static void expect_root(const char *format, const char *path, const char *root)
{
    struct err err = {0};

    cr_assert(open_at("", path, &err), "%s: %s", path, err.text);
    cr_assert_str_eq(source.format->name, format);
    cr_assert_str_eq(source.path + strlen(tmp.path), root);
}

Test(source, an_empty_tree_is_told_by_its_usual_name)
{
    struct err err = {0};

    tmp_write(&tmp, "p/scheduler/inboxes/.keep", span_of(""));
    expect_root("inbox", "p", "/p/scheduler/inboxes");
    expect_root("inbox", "p/scheduler/inboxes", "/p/scheduler/inboxes");
    tmp_write(&tmp, "q/other/.keep", span_of(""));
    cr_assert_not(open_at("", "q/other", &err));
    cr_assert(strstr(err.text, "no mailbox layout is recognised here"), "%s", err.text);
}

Test(source, a_part_is_taken_for_its_tree_only_when_that_is_one)
{
    struct err err = {0};

    tmp_write(&tmp, "c/teams/dev/inboxes/bob.json", span_of("[]"));
    expect_root("claude", "c/teams", "/c");
    tmp_write(&tmp, "d/teams/readme", span_of(""));
    cr_assert_not(open_at("", "d/teams", &err), "%s", source.path);
}

Test(source, the_directory_of_the_messages_stands_for_its_project)
{
    tmp_write(&tmp, "r/.roo/mailbox/.keep", span_of(""));
    expect_root("roo", "r", "/r");
    expect_root("roo", "r/.roo", "/r");
    expect_root("roo", "r/.roo/mailbox", "/r");
    tmp_write(&tmp, "s/.roo/memory-bank/.keep", span_of(""));
    expect_root("roo", "s/.roo/memory-bank", "/s");
}

/* Without a given layout. */
Test(source, an_empty_tree_is_told_by_a_name_or_place_that_only_its_layout_has)
{
    struct err err = {0};

    tmp_write(&tmp, "p/.roo/.keep", span_of(""));
    expect_root("roo", "p", "/p");
    expect_root("roo", "p/.roo", "/p");
    tmp_write(&tmp, ".claude/teams/.keep", span_of(""));
    tmp_write(&tmp, ".openclaw/teams/.keep", span_of(""));
    cr_assert_not(open_at("", ".claude/teams", &err), "both layouts have teams");
    cr_assert_not(open_at("", ".openclaw/teams", &err), "both layouts have teams");
    setenv("HOME", tmp.path, 1);
    expect_root("claude", ".claude", "/.claude");
    expect_root("claude", ".claude/teams", "/.claude");
    expect_root("openclaw", ".openclaw", "/.openclaw/teams");
    expect_root("openclaw", ".openclaw/teams", "/.openclaw/teams");
}

static void expect_said(const char *format, const char *path, const char *root)
{
    struct err err = {0};

    cr_assert(open_at(format, path, &err), "%s: %s", path, err.text);
    cr_assert_str_eq(source.path + strlen(tmp.path), root);
    cr_assert_str_eq(source.problem, "nothing of this layout is here yet");
}

Test(source, who_says_the_layout_of_an_empty_tree_writes_where_it_is_read_later)
{
    tmp_write(&tmp, "o/teams/.keep", span_of(""));
    expect_said("openclaw:", "o", "/o/teams");
    expect_said("openclaw:", "o/teams", "/o/teams");
    expect_said("claude:", "o", "/o");
    expect_said("claude:", "o/teams", "/o");
    tmp_write(&tmp, "new/.keep", span_of(""));
    expect_said("openclaw:", "new", "/new");
    expect_said("claude:", "new", "/new");
    expect_said("adr:", "new", "/new");
}

Test(source, a_path_with_a_colon_behind_a_slash_names_no_layout)
{
    struct err err = {0};

    cr_assert_not(open_at("", "a:b", &err));
    cr_assert(!strstr(err.text, "is no mailbox layout"), "%s", err.text);
    cr_assert_not(open_at("nothing:", "a", &err));
    cr_assert(strstr(err.text, "\"nothing\" is no mailbox layout"), "%s", err.text);
    tmp_write(&tmp, "a:b/teams/dev/inboxes/bob.json", span_of("[]"));
    expect_root("claude", "a:b", "/a:b");
}

Test(source, what_is_not_there_is_no_tree)
{
    struct str path = {0};

    str_addf(&path, "%s/nowhere", tmp.path);
    for (size_t i = 0; formats[i]; i++) {
        cr_assert_not(source_recognised(formats[i], str_c(&path)));
        cr_assert_not(source_has_mail(formats[i], str_c(&path)));
    }
    str_free(&path);
}

Test(source, a_name_may_have_its_team_behind_it)
{
    static const struct {
        const char *given, *name, *team;
    } names[] = {
        {"bob@dev", "bob", "dev"}, {"bob", "bob", NULL},      {"bob@", "bob@", NULL},
        {"@dev", "@dev", NULL},    {"a@b@dev", "a@b", "dev"},
    };

    tmp_write(&tmp, "c/teams/dev/inboxes/bob.json", span_of("[]"));
    expect_root("claude", "c", "/c");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        source_identify(&source, names[i].given);
        cr_assert_str_eq(source.identity, names[i].name);
        cr_assert(names[i].team ? strcmp(source.team, names[i].team) == 0 : !source.team);
    }
    source_identify(&source, NULL);
    cr_assert_str_eq(source.identity, source.format->identity);
    cr_assert_not(source_is_at_home(&source), "its usual place has no name");
}
