/* Tests path patterns: the paths that they match, and the names that they capture. */
#include "tests/unit/support.h"

#include "store/format/path_pattern.h"

static const char adr[] = "{box}/inbox/*.json";
static const char teams[] = "teams/{team}/inboxes/{box}.json";
static const char slots[] = "to-{box}.*.md";

Test(place, components_are_counted_from_zero_and_end)
{
    assert_span(place_component(adr, 0), "{box}");
    assert_span(place_component(adr, 1), "inbox");
    assert_span(place_component(adr, 2), "*.json");
    cr_assert_null(place_component(adr, 3).at);
    cr_assert_null(place_component(adr, 100).at);
    assert_span(place_component(teams, 3), "{box}.json");
    assert_span(place_component(slots, 0), slots);
    cr_assert_null(place_component(slots, 1).at);
}

Test(place, only_the_last_component_is_the_last)
{
    cr_assert_not(place_is_last(adr, 0));
    cr_assert_not(place_is_last(adr, 1));
    cr_assert(place_is_last(adr, 2));
    cr_assert_not(place_is_last(teams, 2));
    cr_assert(place_is_last(teams, 3));
    cr_assert(place_is_last(slots, 0));
}

/* Each row: a component, a name, and the captured names; NULL if it must not match. */
static const struct {
    const char *component, *name, *team, *box;
    bool matches;
} cases[] = {{"inbox", "inbox", NULL, NULL, true},
             {"inbox", "Inbox", NULL, NULL, false},
             {"inbox", "inbox2", NULL, NULL, false},
             {"inbox", "inbo", NULL, NULL, false},
             {"inbox", "", NULL, NULL, false},
             {"*", "anything at all", NULL, NULL, true},
             {"*", "", NULL, NULL, true},
             {"*.json", "MSG-1.json", NULL, NULL, true},
             {"*.json", ".json", NULL, NULL, false},
             {"*.json", ".hidden.json", NULL, NULL, false},
             {"*", ".", NULL, NULL, false},
             {"to-*.md", "to-.x.md", NULL, NULL, true},
             {"*.json", "a.json.json", NULL, NULL, true},
             {"*.json", "a.json.tmp", NULL, NULL, false},
             {"*.json", "ajson", NULL, NULL, false},
             {"*.json", "a.JSON", NULL, NULL, false},
             {"a*b*c", "abc", NULL, NULL, true},
             {"a*b*c", "aXbXbYc", NULL, NULL, true},
             {"a*b*c", "aXc", NULL, NULL, false},
             {"{box}", "bob", NULL, "bob", true},
             {"{box}", "$(rm -rf) *{team}", NULL, "$(rm -rf) *{team}", true},
             {"{box}", "", NULL, NULL, false},
             {"{team}", "session-1", "session-1", NULL, true},
             {"{team}", "", NULL, NULL, false},
             {"{box}.json", "bob.json", NULL, "bob", true},
             {"{box}.json", "a.b.json", NULL, "a.b", true},
             {"{box}.json", "bob.json.json", NULL, "bob.json", true},
             {"{box}.json", ".json", NULL, NULL, false},
             {"{box}.json", "bob.jso", NULL, NULL, false},
             {"{box}.json", "bob.json.lock", NULL, NULL, false},
             {"to-{box}.md", "to-code.md", NULL, "code", true},
             {"to-{box}.md", "to-.md", NULL, NULL, false},
             {"to-{box}.md", "for-code.md", NULL, NULL, false},
             {"to-{box}.*.md", "to-code.msg-1.md", NULL, "code", true},
             {"to-{box}.*.md", "to-code.a.b.md", NULL, "code", true},
             {"to-{box}.*.md", "to-code..md", NULL, "code", true},
             {"to-{box}.*.md", "to-code.md", NULL, NULL, false},
             {"to-{box}.*.md", "to-.x.md", NULL, NULL, false},
             {"{team}@{box}", "dev@bob", "dev", "bob", true},
             {"{team}@{box}", "@bob", NULL, NULL, false},
             {"{team}@{box}", "dev@", NULL, NULL, false},
             {"", "", NULL, NULL, true},
             {"", "x", NULL, NULL, false}};

static void assert_captured(struct span got, const char *want)
{
    if (want)
        assert_span(got, want);
    else
        cr_assert_null(got.at);
}

Test(place, names_are_matched_and_captured)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct place_names names = {0};
        bool matches = place_match(span_of(cases[i].component), span_of(cases[i].name), &names);
        cr_assert_eq(matches, cases[i].matches, "%s against %s", cases[i].name, cases[i].component);
        assert_captured(names.team, cases[i].team);
        assert_captured(names.box, cases[i].box);
    }
}

Test(place, names_captured_before_survive_the_next_component)
{
    struct place_names names = {0};

    cr_assert(place_match(place_component(teams, 1), span_of("dev"), &names));
    cr_assert(place_match(place_component(teams, 2), span_of("inboxes"), &names));
    cr_assert_not(place_match(place_component(teams, 3), span_of("config"), &names));
    assert_span(names.team, "dev");
    cr_assert_null(names.box.at);
    cr_assert(place_match(place_component(teams, 3), span_of("bob.json"), &names));
    assert_span(names.team, "dev");
    assert_span(names.box, "bob");
}

Test(place, names_of_the_greatest_length_are_matched)
{
    char name[256];
    struct place_names names = {0};

    memset(name, 'a', 255);
    memcpy(name + 250, ".json", 6);
    cr_assert(place_match(span_of("{box}.json"), span_of(name), &names));
    cr_assert_eq(names.box.len, 250);
    cr_assert_not(place_match(span_of("a*a*a*b"), span_of(name), &names));
}

Test(place, bytes_that_are_no_text_are_captured_as_they_are)
{
    struct place_names names = {0};

    cr_assert(place_match(span_of("{box}"), span_of("\xff\x1b\n'\""), &names));
    assert_span(names.box, "\xff\x1b\n'\"");
}

Test(place, a_directory_is_made_from_the_names)
{
    static const struct {
        const char *pattern, *want;
    } dirs[] = {{adr, "b.b/inbox"},
                {"{box}/archive/*.json", "b.b/archive"},
                {teams, "teams/t t/inboxes"},
                {"x-{team}_{box}.d/*.json", "x-t t_b.b.d"},
                {slots, ""},
                {"*.json", ""}};
    const struct place_names names = {.team = span_of("t t"), .box = span_of("b.b")};

    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        struct str out = {0};
        place_dir(&out, dirs[i].pattern, &names);
        assert_span(str_span(&out), dirs[i].want);
        str_free(&out);
    }
}

Test(place, a_directory_is_appended)
{
    const struct place_names names = {.box = span_of("bob")};
    struct str out = {0};

    str_puts(&out, "root/");
    place_dir(&out, adr, &names);
    assert_span(str_span(&out), "root/bob/inbox");
    str_free(&out);
}

Test(place, what_a_directory_was_made_from_is_matched_in_it_again)
{
    static const char *const boxes[] = {"bob", "a b", "..x", "to-x", "}{", "*", "\n"};

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        const struct place_names names = {.team = span_of("t"), .box = span_of(boxes[i])};
        struct place_names back = {0};
        struct str out = {0};
        place_dir(&out, adr, &names);
        struct span dir = {out.at, out.len - strlen("/inbox")};
        cr_assert(place_match(place_component(adr, 0), dir, &back));
        assert_span(back.box, boxes[i]);
        str_free(&out);
    }
}

Test(place, files_that_are_never_messages_are_ignored)
{
    static const char *const ignored[] = {
        "",          ".",     "..",         ".gitkeep",      ".MSG-1.json.12.ab.tmp",
        ".json",     "x.tmp", "x.json.tmp", "bob.json.lock", "README.md",
        ".x.md.swp", ".tmp",  ".lock",      ".lock.lock"};
    static const char *const kept[] = {"MSG-1.json", "x.tmp.json", "tmp",       "lock",
                                       "x.TMP",      "to-a.md",    "a..json",   "readme.md.json",
                                       " .json",     "x.locked",   "README.md5"};

    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        cr_assert(place_is_ignored(span_of(ignored[i])), "%s", ignored[i]);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        cr_assert_not(place_is_ignored(span_of(kept[i])), "%s", kept[i]);
}

/* --- the rule by which a path is found --- */

static const struct place_rule several[] = {{"{box}/*.json", false},
                                            {"{box}/archive/*.json", true},
                                            {"teams/{team}/inboxes/{box}.json", false},
                                            {"x/.hidden", false},
                                            {"top*", false}};
enum { SEVERAL = sizeof several / sizeof *several };

/* Each row: directory and name, the rule (-1: none), and the captured names. */
static const struct {
    const char *dir, *name;
    int rule;
    const char *team, *box;
    bool leads;
} paths[] = {
    {"bob", "1.json", 0, NULL, "bob", false},
    {"bob", "1.txt", -1, NULL, NULL, false},
    {"bob", ".1.json", -1, NULL, NULL, false},
    {"bob", "1.json.tmp", -1, NULL, NULL, false},
    {"bob", "README.md", -1, NULL, NULL, false},
    {"bob", "archive", -1, NULL, NULL, true},
    {"bob", "archive2", -1, NULL, NULL, false},
    {"bob/archive", "1.json", 1, NULL, "bob", false},
    {"bob/archive/deep", "1.json", -1, NULL, NULL, false},
    {"bob/other", "1.json", -1, NULL, NULL, false},
    {"", "bob", -1, NULL, NULL, true},
    {"", "1.json", -1, NULL, NULL, true},
    {"", ".git", -1, NULL, NULL, true},
    {"", "top", 4, NULL, NULL, true},
    {"", "", -1, NULL, NULL, false},
    {"teams", "1.json", 0, NULL, "teams", true},
    {"teams", "web", -1, NULL, NULL, true},
    {"teams/web", "inboxes", -1, NULL, NULL, true},
    {"teams/web", "config.json", -1, NULL, NULL, false},
    {"teams/web/inboxes", "bob.json", 2, "web", "bob", false},
    {"teams/web/inboxes", "bob.json.lock", -1, NULL, NULL, false},
    {"teams/web/inboxes", ".json", -1, NULL, NULL, false},
    {"x", ".hidden", 3, NULL, NULL, false},
    {"y", ".hidden", -1, NULL, NULL, false},
};

Test(place, a_path_is_found_by_the_first_rule_that_matches_all_of_it)
{
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct place_names names = {.team = span_of("stale"), .box = span_of("stale")};
        const struct place_rule *rule =
            place_find(several, SEVERAL, span_of(paths[i].dir), span_of(paths[i].name), &names);
        cr_assert_eq(rule, paths[i].rule < 0 ? NULL : &several[paths[i].rule], "%s/%s",
                     paths[i].dir, paths[i].name);
        if (!rule)
            continue;
        assert_captured(names.team, paths[i].team);
        assert_captured(names.box, paths[i].box);
    }
}

Test(place, a_path_leads_on_where_some_rule_goes_deeper)
{
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        cr_assert_eq(place_leads(several, SEVERAL, span_of(paths[i].dir), span_of(paths[i].name)),
                     paths[i].leads, "%s/%s", paths[i].dir, paths[i].name);
    cr_assert_not(place_leads(several, 0, span_of(""), span_of("bob")));
}
