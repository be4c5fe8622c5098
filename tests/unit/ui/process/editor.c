/* Tests $EDITOR: how it is run, and the resulting text. */
#include "ui/process/editor.h"
#include "ui/process/spawn_helper.h"

#include "tests/unit/support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct tmp tmp;
static struct str text;
static struct err err;

static void open_home(void)
{
    tmp_make(&tmp);
    setenv("XDG_STATE_HOME", tmp.path, 1);
}

static void close_home(void)
{
    str_free(&text);
    tmp_remove(&tmp);
}

TestSuite(editor, .init = open_home, .fini = close_home);

/* Makes an editor that runs this script on the file $1; returns its path. */
static const char *editor_doing(const char *script)
{
    static char path[PATH_MAX];
    struct str text_of = {0};

    str_addf(&text_of, "#!/bin/sh\n%s\n", script);
    tmp_write(&tmp, "editor", str_span(&text_of));
    str_free(&text_of);
    snprintf(path, sizeof path, "%s/editor", tmp.path);
    cr_assert_eq(chmod(path, 0700), 0);
    return path;
}

static void assert_arguments(const char *command, const char *const *expected)
{
    char **arguments = editor_arguments(command, "/f i");

    for (size_t i = 0; expected[i]; i++)
        cr_assert_str_eq(arguments[i], expected[i]);
    spawn_free_words(arguments);
}

Test(editor, a_command_is_split_at_blanks)
{
    assert_arguments("vim  -n", (const char *const[]){"vim", "-n", "/f i", NULL});
}

Test(editor, a_command_for_a_shell_gets_the_file_as_an_argument_of_its_own)
{
    assert_arguments("TERM=xterm vi",
                     (const char *const[]){"sh", "-c", "TERM=xterm vi \"$1\"", "sh", "/f i", NULL});
}

Test(editor, what_it_leaves_is_the_text)
{
    str_puts(&text, "one\ntwo");
    cr_assert(editor_run(NULL, NULL, editor_doing("echo three >> \"$1\""), &text, &err), "%s",
              err.text);
    cr_assert_str_eq(str_c(&text), "one\ntwo\nthree");
    cr_assert_eq(tmp_count(&tmp, "swarmutt"), 0);
}

Test(editor, a_newline_that_only_the_editor_has_put_there_goes)
{
    str_puts(&text, "one");
    cr_assert(editor_run(NULL, NULL, "true", &text, &err));
    cr_assert_str_eq(str_c(&text), "one");
}

Test(editor, a_newline_at_the_end_that_was_there_stays)
{
    str_puts(&text, "one\n");
    cr_assert(editor_run(NULL, NULL, "true", &text, &err));
    cr_assert_str_eq(str_c(&text), "one\n");
}

Test(editor, the_file_is_for_nobody_else)
{
    cr_assert(editor_run(NULL, NULL,
                         editor_doing("stat -c %a \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\""),
                         &text, &err));
    cr_assert_str_eq(str_c(&text), "600");
}

Test(editor, one_that_fails_leaves_the_text_as_it_was)
{
    str_puts(&text, "mine");
    cr_assert_not(editor_run(NULL, NULL, editor_doing("exit 3"), &text, &err));
    cr_assert_str_eq(str_c(&text), "mine");
    cr_assert(strstr(err.text, "ended with 3"), "%s", err.text);
    cr_assert_eq(tmp_count(&tmp, "swarmutt"), 0);
}

Test(editor, what_a_failing_one_has_written_stays_and_is_named)
{
    str_puts(&text, "mine");
    cr_assert_not(editor_run(NULL, NULL, editor_doing("echo other > \"$1\"; exit 3"), &text, &err));
    cr_assert_str_eq(str_c(&text), "mine");
    cr_assert(strstr(err.text, "ended with 3"), "%s", err.text);
    cr_assert(strstr(err.text, "what was written is in /"), "%s", err.text);
    cr_assert_eq(tmp_count(&tmp, "swarmutt"), 1);
}

Test(editor, one_that_is_killed_leaves_the_text_as_it_was)
{
    str_puts(&text, "mine");
    cr_assert_not(editor_run(NULL, NULL, editor_doing("kill -9 $$"), &text, &err));
    cr_assert_str_eq(str_c(&text), "mine");
    cr_assert(strstr(err.text, "signal 9"), "%s", err.text);
}

Test(editor, one_that_is_not_there_is_told)
{
    str_puts(&text, "mine");
    cr_assert_not(editor_run(NULL, NULL, "/nowhere/editor", &text, &err));
    cr_assert_str_eq(str_c(&text), "mine");
    cr_assert(strstr(err.text, "could not be started"), "%s", err.text);
}

Test(editor, a_file_that_is_gone_leaves_the_text_as_it_was)
{
    str_puts(&text, "mine");
    cr_assert_not(editor_run(NULL, NULL, editor_doing("rm \"$1\""), &text, &err));
    cr_assert_str_eq(str_c(&text), "mine");
    cr_assert(strstr(err.text, "left no file"), "%s", err.text);
}
