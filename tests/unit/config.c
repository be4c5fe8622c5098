/* Tests of the config: what is set for whom, and what is said about what makes no sense. */
#include "support.h"

#include "store/config.h"

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

/* In minutes. */
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
    refuse("[stuk]\nsilent = 5m\n", "line 2: no section is called \"stuk\"; near: \"stuck\"");
    refuse("silent = 5m\n", "line 1: above all sections no key is called \"silent\"; known: "
                            "stuck.silent, stuck.unread, stuck.processing");
    refuse("stuck.silnt = 5m\n",
           "line 1: above all sections no key is called \"stuck.silnt\"; near: \"stuck.silent\"");
    refuse("[stuck]\nsilent = soon\n", "line 2: stuck.silent is no duration above zero: \"soon\"; "
                                       "write 90s, 15m, 2h or 1h30m");
    refuse("[stuck]\nsilent = 0\n", "line 2: stuck.silent is no duration above zero: \"0\"; "
                                    "write 90s, 15m, 2h or 1h30m");
    refuse("[stuck]\nsilent = 5m\nsilent = 6m\n",
           "line 3: stuck.silent stands here for the second time; remove one");
    refuse("[stuck]\nsilent\n",
           "line 2: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
    refuse("[stuck\nsilent = 5m\n",
           "line 1: it is neither [SECTION] nor KEY = VALUE; a comment starts with #");
}

Test(config, errors_about_sources_say_what_to_do)
{
    refuse("[source]\npath = /x\n",
           "line 2: a section of a source needs a name of your own: [source NAME]");
    refuse("[source a]\nstuck.silent = 5m\n",
           "line 2: which source is meant? add a line path = [FORMAT:]PATH");
    refuse("[source a]\npath = x/y\n", "line 2: the path of a source starts with / or ~/, or with "
                                       "FORMAT: and one of them");
    refuse("[source a]\npath = cloude:/x\n",
           "line 2: no layout is called \"cloude\"; near: \"claude\"");
    refuse("[source a]\npath = /x\npath = /y\n",
           "line 3: path stands here for the second time; remove one");
    refuse("[source a]\npath = /x\nsilent = 5m\n",
           "line 3: a source has no key \"silent\"; known: path, stuck.silent, stuck.unread, "
           "stuck.processing");
}

Test(config, an_error_ends_the_reading)
{
    refuse("[stuck]\nsilnt = 1\nunrd = 2\n[stuk]\n",
           "line 2: no key of that section is called \"silnt\"; near: \"silent\"");
}

Test(config, a_line_that_is_too_long_is_not_cut_in_silence)
{
    char text[2000];

    snprintf(text, sizeof text, "[source a]\npath = /%01000d\n", 0);
    refuse(text, "line 2: the line is too long; for a long path make a symbolic link and name "
                 "that");
    cr_assert(!config_parse(&config, (struct span){"[stuck]\n\0", 9}, &err));
    cr_assert_str_eq(err.text, "it is no text file");
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
    cr_assert_eq(err.scope, ERR_USAGE);
    cr_assert(strstr(err.text, "swarmutt/config: it cannot be read: "), "%s", err.text);
}
