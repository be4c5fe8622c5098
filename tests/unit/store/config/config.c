/* Tests the config: which setting applies where, and the messages about settings that make no
 * sense. */
#include "tests/unit/support.h"

#include "store/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MINUTE_US INT64_C(60000000)

static struct tmp tmp;
static struct config config;
static struct source source;
static struct err err;

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
    tmp_write(&tmp, "project/workspace/mailboxes/a/inbox/.keep", span_of(""));
    setenv("HOME", tmp.path, 1);
    unsetenv("XDG_CONFIG_HOME");
}

static void clear(void)
{
    config_free(&config);
    source_close(&source);
    tmp_remove(&tmp);
}

TestSuite(config, .init = make, .fini = clear);

static void open_source(const char *format)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/project", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
}

static void parse(const char *text)
{
    cr_assert(config_parse(&config, span_of(text), &err), "%s", err.text);
}

static void refuse(const char *text, const char *sentence)
{
    config_free(&config);
    cr_assert(!config_parse(&config, span_of(text), &err), "%s", text);
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert_str_eq(err.text, sentence, "expected\n%s\ngot\n%s", sentence, err.text);
}

/* The arguments are minutes. */
static void assert_limits(int silent, int unread, int processing)
{
    struct agent_limits limits = config_limits(&config, &source);

    cr_assert_eq(limits.silent_us, silent * MINUTE_US);
    cr_assert_eq(limits.unread_us, unread * MINUTE_US);
    cr_assert_eq(limits.processing_us, processing * MINUTE_US);
}

Test(config, without_a_file_everything_is_as_usual)
{
    open_source("adr");
    cr_assert(config_load(&config, &err), "%s", err.text);
    assert_limits(15, 10, 30);
    cr_assert(!config.present && config.path);
    config_free(&config);
    unsetenv("HOME");
    cr_assert(config_load(&config, &err), "%s", err.text);
    assert_limits(15, 10, 30);
}

Test(config, what_is_set_counts_for_every_source)
{
    open_source("adr");
    parse("# a comment\n\n[stuck]\n  silent = 20m ; as long as a build takes\n"
          "\tprocessing=1h30m\r\n");
    assert_limits(20, 10, 90);
}

Test(config, what_is_set_for_a_source_counts_for_it_alone)
{
    char text[1024];

    open_source("adr");
    snprintf(text, sizeof text,
             "[source slow]\npath = %s/project/workspace/mailboxes\nstuck.silent = 2h\n"
             "[stuck]\nsilent = 20m\nunread = 5m\n"
             "[source other]\npath = %s\nstuck.unread = 1m\n",
             tmp.path, tmp.path);
    parse(text);
    assert_limits(120, 5, 30);
}

Test(config, a_source_is_named_by_any_path_that_leads_to_it)
{
    char text[1024], target[512], name[512];

    open_source("adr");
    parse("[source a]\npath = ~/project\nstuck.silent = 1m\n");
    assert_limits(1, 10, 30);
    config_free(&config);
    snprintf(target, sizeof target, "%s/project/workspace/mailboxes", tmp.path);
    snprintf(name, sizeof name, "%s/link", tmp.path);
    cr_assert_eq(symlink(target, name), 0);
    snprintf(text, sizeof text, "[source a]\npath = adr:%s\nstuck.silent = 2m\n", name);
    parse(text);
    assert_limits(2, 10, 30);
}

Test(config, a_layout_that_is_named_must_be_the_sources)
{
    open_source("adr");
    parse("[source a]\npath = claude:~/project\nstuck.silent = 1m\n");
    assert_limits(15, 10, 30);
}

Test(config, a_path_that_is_not_there_concerns_nobody)
{
    open_source("adr");
    parse("[source a]\npath = /nowhere/at/all\nstuck.silent = 1m\n");
    assert_limits(15, 10, 30);
}

Test(config, full_names_stand_above_all_sections_too)
{
    open_source("adr");
    parse("stuck.silent = 1m\nstuck.processing = 2m\n[stuck]\nunread = 3m\n");
    assert_limits(1, 3, 2);
}

Test(config, errors_name_the_line_and_say_what_to_do)
{
    refuse("[stuck]\n\nsilnt = 5m\n",
           "line 3: no key of that section is called \"silnt\"; near: \"silent\"");
    refuse("[stuck]\nxyz = 5m\n",
           "line 2: no key of that section is called \"xyz\"; known: silent, unread, processing");
    refuse("\n[stuk]\n\nsilent = 5m\n", "line 2: no section is called \"stuk\"; near: \"stuck\"");
    refuse("[zzz]\na = 1\n",
           "line 1: no section is called \"zzz\"; known: general, stuck, decide, theme, "
           "notify, hooks, keys, source, template");
    refuse("silent = 5m\n", "line 1: silent belongs in the section [stuck]");
    refuse("[hooks]\nbell = no\n", "line 2: bell belongs in the section [notify]");
    refuse("xyz = 5m\n", "line 1: above all sections no key is called \"xyz\"; write [SECTION] "
                         "above it, or SECTION.KEY");
    refuse("stuck.silnt = 5m\n",
           "line 1: above all sections no key is called \"stuck.silnt\"; near: \"stuck.silent\"");
    refuse("[stuck]\nsilent = soon\n", "line 2: stuck.silent is no duration above zero: \"soon\"; "
                                       "write 90s, 15m, 2h or 1h30m");
    refuse("[stuck]\nsilent = 0\n", "line 2: stuck.silent is no duration above zero: \"0\"; "
                                    "write 90s, 15m, 2h or 1h30m");
    refuse("[stuck]\nsilent = 5m\nsilent = 6m\n",
           "line 3: stuck.silent stands here for the second time; remove one");
    refuse("[keys]\nquit = Q\nquit = q\n",
           "line 3: quit stands here for the second time; remove one");
    refuse("[general]\nmouse = maybe\n", "line 2: general.mouse takes no or yes, not \"maybe\"");
    refuse("[theme]\nbackground = blue\n",
           "line 2: theme.background takes auto, dark or light, not \"blue\"");
    refuse("[general]\nidentity = \xff\n", "line 2: it is not UTF-8");
}

Test(config, a_line_that_is_no_pair_is_an_error)
{
    refuse("[stuck]\nsilent\n",
           "line 2: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    refuse("[stuck\nsilent = 5m\n",
           "line 1: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    refuse("[stuck ; ]\nsilent = 5m\n",
           "line 1: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    cr_assert_eq(config.mistake_count, 1, "what follows is no mistake of its own");
    refuse("[source 23456789012345678901234567890123456789012345]\npath = /x\n",
           "line 1: the name of a section has at most 49 bytes");
    refuse("[keys]\ntagged = ;\n", "line 2: tagged has no value; remove the line, or write one (a "
                                   "; behind a blank starts a comment)");
}

Test(config, errors_about_sources_say_what_to_do)
{
    refuse("[source]\npath = /x\nopen = no\n",
           "line 1: a section of a source needs a name of your own: [source NAME]");
    cr_assert_eq(config.mistake_count, 1);
    refuse("[source a]\nstuck.silent = 5m\n",
           "line 1: which source is meant? add a line path = [FORMAT:]PATH");
    refuse("[source a]\npath = x/y\n", "line 2: the path of a source starts with / or ~/, or with "
                                       "FORMAT: and one of them");
    cr_assert_eq(config.mistake_count, 1);
    refuse("[source a]\npath = cloude:/x\n",
           "line 2: no layout is called \"cloude\"; near: \"claude\"");
    refuse("[source a]\npath = /x\npath = /y\n",
           "line 3: path stands here for the second time; remove one");
    refuse("[source a]\npath = /x\nsilent = 5m\n", "line 3: a source has no key \"silent\"; known: "
                                                   "path, identity, timezone, open, stuck.silent, "
                                                   "stuck.unread, stuck.processing");
}

Test(config, all_mistakes_are_kept_by_their_lines)
{
    static const unsigned lines[] = {1, 3, 4, 5, 6, 9, 10};

    refuse("[source a]\nstuck.silent = 1m\nopen = perhaps\nnonsense\n[stuk]\nnonsense\nsilent = 1\n"
           "[stuck]\nunrd = 2\nsilent = soon\n",
           "line 1: which source is meant? add a line path = [FORMAT:]PATH");
    cr_assert_eq(config.mistake_count, 7);
    for (size_t i = 0; i < config.mistake_count; i++)
        cr_assert_eq(config.mistakes[i].line, lines[i], "%zu: %u", i, config.mistakes[i].line);
    assert_span(config.mistakes[5].text,
                "no key of that section is called \"unrd\"; near: \"unread\"");
    config_mistake(&config, 2, "%s", "between");
    assert_span(config.mistakes[1].text, "between");
}

Test(config, what_makes_sense_is_there_beside_mistakes)
{
    refuse("[general]\nmouse = yes\nscope = x\n[keys]\nquit = Q\n",
           "line 3: general.scope takes all or mine, not \"x\"");
    cr_assert(config.mouse);
    cr_assert_eq(config.keys.count, 1);
}

Test(config, a_line_of_any_length_is_read_whole)
{
    char text[4000], path[1002], name[601];

    snprintf(path, sizeof path, "/%01000d", 0);
    snprintf(name, sizeof name, "%0600d", 7);
    snprintf(text, sizeof text,
             "# %s\n[source a] ; %s\npath = %s ; %s\nidentity=%s;x\n[stuck]\nsilent = 1m\n", name,
             name, path, name, name);
    parse(text);
    cr_assert_str_eq(config.sources[0].path, path);
    cr_assert(span_starts(config.sources[0].identity, span_of(name)));
    cr_assert(span_ends(config.sources[0].identity, "7;x"));
    cr_assert_eq(config.limits.silent_us, MINUTE_US);
    snprintf(text, sizeof text, "[stuck]\n%s\n", name);
    refuse(text, "line 2: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    snprintf(text, sizeof text, "[%s]\nsilent = 1m\n", name);
    refuse(text, "line 1: the name of a section has at most 49 bytes");
}

Test(config, other_files_are_no_text)
{
    config_free(&config);
    cr_assert(!config_parse(&config, (struct span){"[stuck]\n\0", 9}, &err));
    cr_assert_str_eq(err.text, "it is no text file");
}

Test(config, a_byte_order_mark_is_no_part_of_it)
{
    parse("\xEF\xBB\xBF[stuck]\nsilent = 1m\n");
    cr_assert_eq(config.limits.silent_us, MINUTE_US);
}

Test(config, usual_values_are_those_of_the_table)
{
    parse("");
    cr_assert(config.discover && config.preview && config.wrap && config.notify_stuck);
    cr_assert(!config.mouse && !config.identity.at && !config.editor.at);
    cr_assert_eq(config.scope, CONFIG_SCOPE_ALL);
    cr_assert_eq(config.view, 0);
    cr_assert_eq(config.colours, CONFIG_COLOURS_16);
    cr_assert_eq(config.background, CONFIG_BACKGROUND_AUTO);
    cr_assert(config.notices[CONFIG_BELL].on);
    cr_assert(query_names(&config.notices[CONFIG_BELL].query, "is", "waiting"));
    cr_assert(!config.notices[CONFIG_TERMINAL].on && !config.notices[CONFIG_TMUX].on);
    cr_assert_eq(config.limits.silent_us, agent_limits_default.silent_us);
    cr_assert_eq(config.limits.unread_us, agent_limits_default.unread_us);
    cr_assert_eq(config.limits.processing_us, agent_limits_default.processing_us);
}

Test(config, settings_reach_their_fields)
{
    parse("[general]\nidentity = boss@dev\neditor = ~/bin/ed -x\ndiscover = no\nmouse = yes\n"
          "preview = no\nwrap = no\nscope = mine\nview = flow\n"
          "[theme]\nbackground = light\ncolours = none\nselected = reverse\n"
          "[notify]\nbell = no\nterminal = prio:high+ or kind:plan\ntmux = *\nstuck = no\n"
          "[hooks]\non-new = a b\non-waiting = c\non-stuck = f\non-sent = d\non-decided = e\nlimit "
          "= 3s\n"
          "[keys]\ntagged =; T\nquit = Q q\n");
    char editor[512];
    snprintf(editor, sizeof editor, "%s/bin/ed -x", tmp.path);
    assert_span(config.identity, "boss@dev");
    assert_span(config.editor, editor);
    cr_assert(!config.discover && config.mouse && !config.preview && !config.wrap);
    cr_assert_eq(config.scope, CONFIG_SCOPE_MINE);
    cr_assert_eq(config.view, 5);
    cr_assert_eq(config.background, CONFIG_BACKGROUND_LIGHT);
    cr_assert_eq(config.colours, CONFIG_COLOURS_NONE);
    cr_assert_eq(config.theme.count, 1);
    assert_span(config.theme.items[0].key, "selected");
    cr_assert_eq(config.theme.items[0].line, 13);
    cr_assert(!config.notices[CONFIG_BELL].on && !config.notify_stuck);
    cr_assert(query_names(&config.notices[CONFIG_TERMINAL].query, "kind", "plan"));
    cr_assert(config.notices[CONFIG_TMUX].on);
    assert_span(config.hooks[CONFIG_HOOK_NEW], "a b");
    assert_span(config.hooks[CONFIG_HOOK_WAITING], "c");
    assert_span(config.hooks[CONFIG_HOOK_STUCK], "f");
    cr_assert_eq(config.hook_limit_us, 3000000);
    assert_span(config.hooks[CONFIG_HOOK_SENT], "d");
    assert_span(config.hooks[CONFIG_HOOK_DECIDED], "e");
    assert_span(config.keys.items[0].value, "; T");
    cr_assert_eq(config_given(&config.given, "general.mouse")->line, 5);
    cr_assert_null(config_given(&config.given, "stuck.silent"));
}

Test(config, a_query_that_makes_no_sense_is_told_with_its_character)
{
    refuse("[notify]\nbell = prio:high is:red\n",
           "line 2: notify.bell: query: character 14: \"is:\" takes unread, read, waiting, mine, "
           "sent, handoff, archived, expired, flagged or damaged, not \"red\"; near: \"read\"");
}

Test(config, the_editor_is_the_one_that_was_set_or_the_environments)
{
    const char *from;

    unsetenv("VISUAL");
    unsetenv("EDITOR");
    parse("");
    cr_assert_str_eq(config_editor(&config, &from), "vi");
    cr_assert_null(from);
    setenv("EDITOR", "ed", 1);
    cr_assert_str_eq(config_editor(&config, &from), "ed");
    cr_assert_str_eq(from, "EDITOR");
    setenv("VISUAL", "emacs", 1);
    cr_assert_str_eq(config_editor(&config, NULL), "emacs");
    config_free(&config);
    parse("[general]\neditor = nano -w\n");
    cr_assert_str_eq(config_editor(&config, &from), "nano -w");
    cr_assert_null(from);
}

Test(config, who_i_am_somewhere_goes_before_who_i_am)
{
    open_source("adr");
    parse("");
    cr_assert_null(config_identity(&config, &source, NULL).at);
    config_free(&config);
    parse("[general]\nidentity = boss\n[source b]\npath = /nowhere\nidentity = nobody\n");
    assert_span(config_identity(&config, &source, NULL), "boss");
    config_free(&config);
    parse("[general]\nidentity = boss\n[source a]\npath = ~/project\nidentity = ann\n");
    assert_span(config_identity(&config, &source, NULL), "ann");
}

Test(config, any_part_of_the_way_to_the_mailboxes_names_a_source)
{
    static const char *const paths[] = {"~/project", "~/project/workspace",
                                        "~/project/workspace/mailboxes"};
    char text[256];

    open_source("adr");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        config_free(&config);
        snprintf(text, sizeof text, "[source a]\npath = %s\nidentity = ann\n", paths[i]);
        parse(text);
        assert_span(config_identity(&config, &source, NULL), "ann");
    }
    config_free(&config);
    parse("[source a]\npath = ~/\nidentity = ann\n[source b]\npath = /\nidentity = bob\n");
    cr_assert_null(config_identity(&config, &source, NULL).at);
}

Test(config, the_part_that_tells_a_tree_names_it_too)
{
    char spec[512];

    tmp_write(&tmp, "home/teams/dev/inboxes/a.json", span_of("[]"));
    snprintf(spec, sizeof spec, "claude:%s/home", tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
    parse("[source a]\npath = ~/home/teams\nidentity = ann\n");
    assert_span(config_identity(&config, &source, NULL), "ann");
    config_free(&config);
    parse("[source a]\npath = ~/home/teams/dev\nidentity = ann\n");
    cr_assert_null(config_identity(&config, &source, NULL).at);
}

Test(config, the_file_is_found_where_it_belongs_and_named_in_errors)
{
    char want[1024], elsewhere[512];

    open_source("adr");
    tmp_write(&tmp, ".config/swarmutt/config", span_of("[stuck]\nsilent = 1m\n"));
    tmp_write(&tmp, "xdg/swarmutt/config", span_of("[stuck]\nsilent = never\n"));
    cr_assert(config_load(&config, &err), "%s", err.text);
    assert_limits(1, 10, 30);
    config_free(&config);
    snprintf(elsewhere, sizeof elsewhere, "%s/xdg", tmp.path);
    setenv("XDG_CONFIG_HOME", elsewhere, 1);
    cr_assert(!config_load(&config, &err));
    snprintf(want, sizeof want, "%s/swarmutt/config: line 2: stuck.silent is no", elsewhere);
    cr_assert(span_starts(span_of(err.text), span_of(want)), "%s", err.text);
    config_free(&config);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    cr_assert(config_load(&config, &err), "%s", err.text);
    assert_limits(1, 10, 30);
}

Test(config, a_file_that_cannot_be_read_is_an_error)
{
    tmp_write(&tmp, ".config/swarmutt/config/file", span_of("a directory"));
    cr_assert(!config_load(&config, &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, "swarmutt/config: it cannot be read: "), "%s", err.text);
}

Test(config, a_section_with_nothing_in_it_is_looked_at_too)
{
    refuse("[stuk]\n", "line 1: no section is called \"stuk\"; near: \"stuck\"");
    refuse("\n [ stuk ] ; for later\n# silent = 5m\n[stuck]\n",
           "line 2: no section is called \"stuk\"; near: \"stuck\"");
    refuse("[template]\n", "line 1: a section of a template needs a name of your own: "
                           "[template NAME]");
    refuse("[stuck.silent]\n",
           "line 1: no section is called \"stuck.silent\"; known: general, stuck, decide, theme, "
           "notify, hooks, keys, source, template");
    cr_assert(config_parse(&config, span_of("[stuck]\n[keys]\n[theme]\n[ general ]\n"), &err), "%s",
              err.text);
}

Test(config, the_error_of_a_file_says_how_many_more_there_are)
{
    tmp_write(&tmp, ".config/swarmutt/config", span_of("[stuk]\na = 1\n[stuck]\nsilnt = 1m\nx\n"));
    cr_assert(!config_load(&config, &err));
    cr_assert(strstr(err.text, "config: line 1: no section is called \"stuk\"; near: \"stuck\" (2 "
                               "more: swarmutt config check)"),
              "%s", err.text);
    cr_assert(config.present);
}

Test(config, without_a_home_nothing_starts_there)
{
    unsetenv("HOME");
    refuse("[general]\neditor = ~/bin/ed\n",
           "line 2: general.editor starts with ~/, and HOME is not set");
    refuse("[source a]\npath = ~/project\n",
           "line 2: the path starts with ~/, and HOME is not set");
    refuse("[decide]\nplan-root = ~/plans\n",
           "line 2: decide.plan-root takes an absolute path, or one that starts with ~/, not "
           "\"~/plans\"");
}

Test(config, the_directory_of_plans_is_an_absolute_path)
{
    refuse("[decide]\nplan-root = plans\n",
           "line 2: decide.plan-root takes an absolute path, or one that starts with ~/, not "
           "\"plans\"");
    parse("[decide]\nplan-root = ~/plans\nplan-root = /srv/plans\n");
    cr_assert_eq(config.plan_roots.count, 2);
    cr_assert(span_ends(config.plan_roots.items[0], "/plans"));
    assert_span(config.plan_roots.items[1], "/srv/plans");
}

Test(config, a_file_that_is_too_large_is_an_error_and_nothing_of_it_counts)
{
    struct str text = {0};

    str_puts(&text, "[general]\nidentity = boss\n");
    while (text.len <= 2 << 20)
        str_puts(&text,
                 "# a comment that takes some room, and says nothing at all, again and again\n");
    tmp_write(&tmp, ".config/swarmutt/config", str_span(&text));
    str_free(&text);
    cr_assert_not(config_load(&config, &err));
    cr_assert(strstr(err.text, "it is larger than a config can be"), "%s", err.text);
    cr_assert_null(config.identity.at);
}

Test(config, a_path_whose_end_only_looks_like_the_usual_way_names_no_source)
{
    open_source("adr");
    tmp_write(&tmp, "project/workspace/mail/.keep", span_of(""));
    parse("[source a]\npath = ~/project/workspace/mail\nidentity = ann\n");
    cr_assert_null(config_identity(&config, &source, NULL).at);
    char nowhere[] = "/nowhere/at/all";
    struct source gone = {.format = source.format, .path = nowhere};
    config_free(&config);
    parse("[source a]\npath = ~/project\nidentity = ann\n");
    cr_assert_null(config_identity(&config, &gone, NULL).at);
    assert_span(config_identity(&config, &source, NULL), "ann");
}

Test(config, a_tree_in_an_unusual_place_is_named_by_its_own_path_and_by_nothing_above_it)
{
    static const char *const trees[] = {"boxes", "mail"}; /* one ends like the default name */
    char spec[512], text[256];

    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        snprintf(spec, sizeof spec, "%s/a/inbox/.keep", trees[i]);
        tmp_write(&tmp, spec, span_of(""));
        snprintf(spec, sizeof spec, "adr:%s/%s", tmp.path, trees[i]);
        cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
        parse("[source a]\npath = ~/\nidentity = ann\n");
        cr_assert_null(config_identity(&config, &source, NULL).at, "%s", trees[i]);
        config_free(&config);
        snprintf(text, sizeof text, "[source a]\npath = ~/%s\nidentity = ann\n", trees[i]);
        parse(text);
        assert_span(config_identity(&config, &source, NULL), "ann");
        config_free(&config);
        source_close(&source);
    }
    open_source("adr");
}

Test(config, a_path_beside_a_directory_of_teams_names_it_as_little_as_one_that_only_starts_alike)
{
    char spec[512];

    tmp_write(&tmp, "home/teams/dev/inboxes/a.json", span_of("[]"));
    tmp_write(&tmp, "home2/teams/.keep", span_of(""));
    tmp_write(&tmp, "other/teams/.keep", span_of(""));
    snprintf(spec, sizeof spec, "claude:%s/home", tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
    parse("[source a]\npath = ~/home2/teams\nidentity = ann\n"
          "[source b]\npath = ~/other/teams\nidentity = bob\n");
    cr_assert_null(config_identity(&config, &source, NULL).at);
}

Test(config, a_comment_may_stand_behind_a_tab)
{
    struct str text = {0};

    str_puts(&text, "[general]\nidentity = boss\t; ");
    for (int i = 0; i < 300; i++)
        str_putc(&text, 'x');
    str_puts(&text, "\n");
    parse(str_c(&text));
    assert_span(config.identity, "boss");
    str_free(&text);
}
