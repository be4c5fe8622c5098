/* Tests the spawner: the programs it starts, whose children they are, and what it refuses. */
#include "ui/process/spawn_helper.h"

#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct spawner spawner;

static const char *const usual[] = {"sh", "-c", "cat; echo $PPID; exit 3", NULL};
static const char *const absent[] = {"no-such-program-at-all", NULL};
static const char *const stopping[] = {"sh", "-c", "kill -STOP $$; exit 4", NULL};
static const char *const privileges[] = {"grep", "^NoNewPrivs:", "/proc/self/status", NULL};
static const char *const masked[] = {"grep", "^SigBlk:", "/proc/self/status", NULL};
static const char *const editor[] = {"test", "-n", NULL};
static const char *const tmux[] = {"true", "--", NULL};

static const struct spawn_form forms[] = {
    {.words = usual},
    {.words = absent},
    {.words = stopping},
    {.words = privileges},
    {.words = masked},
    {editor, SPAWN_FILE, "/home/state/edit-", NULL},
    {tmux, SPAWN_TEXT, "swarmutt: ", NULL},
    {0},
};

static void start(void)
{
    struct err err;

    cr_assert(spawn_helper_start(&spawner, forms, &err), "%s", err.text);
}

static void end(void)
{
    spawn_helper_end(&spawner);
}

TestSuite(spawner, .init = start, .fini = end);

static int ask(const char *const *words, pid_t *child)
{
    return spawn_program(&spawner, child, words,
                         &(struct spawn_files){SPAWN_NOTHING, SPAWN_NOTHING, SPAWN_NOTHING});
}

static int end_of(pid_t child)
{
    int status;

    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Returns the output of the program for that input; its exit code goes to *code. */
static struct str said(const char *const *words, const char *input, int *code)
{
    int in[2], out[2];
    struct str text = {0};
    char bytes[512];
    ssize_t got;
    pid_t child;

    cr_assert_eq(pipe2(in, O_CLOEXEC) + pipe2(out, O_CLOEXEC), 0);
    cr_assert_eq(
        spawn_program(&spawner, &child, words, &(struct spawn_files){in[0], out[1], SPAWN_NOTHING}),
        0);
    close(in[0]);
    close(out[1]);
    cr_assert_eq(write(in[1], input, strlen(input)), (ssize_t)strlen(input));
    close(in[1]);
    while ((got = read(out[0], bytes, sizeof bytes)) > 0)
        str_add(&text, bytes, (size_t)got);
    close(out[0]);
    *code = end_of(child);
    return text;
}

Test(spawner, a_program_is_our_child_with_our_files_and_tells_us_its_end)
{
    char expected[64];
    int code;
    struct str text = said(usual, "{}\n", &code);

    snprintf(expected, sizeof expected, "{}\n%d\n", (int)getpid());
    cr_assert_str_eq(str_c(&text), expected);
    cr_assert_eq(code, 3);
    str_free(&text);
}

Test(spawner, a_program_that_stops_is_seen_to_stop)
{
    int status;
    pid_t child;

    cr_assert_eq(ask(stopping, &child), 0);
    cr_assert_eq(waitpid(child, &status, WUNTRACED), child);
    cr_assert(WIFSTOPPED(status));
    kill(child, SIGCONT);
    cr_assert_eq(end_of(child), 4);
}

Test(spawner, a_program_has_all_signals_and_may_get_rights_though_we_may_not)
{
    int code;

    cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    struct str text = said(privileges, "", &code);
    cr_expect_str_eq(str_c(&text), "NoNewPrivs:\t0\n");
    str_free(&text);
    text = said(masked, "", &code);
    cr_expect_str_eq(str_c(&text), "SigBlk:\t0000000000000000\n");
    str_free(&text);
}

Test(spawner, a_program_that_is_not_there_is_an_error_and_leaves_no_child)
{
    pid_t child;

    cr_assert_eq(ask(absent, &child), ENOENT);
    cr_assert_eq(child, 0);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG), 0); /* the spawner is the only child */
}

Test(spawner, what_it_was_not_told_of_is_not_started)
{
    static const char *const refused[][5] = {
        {"sh"},
        {"sh", "-c", "id"},
        {"sh", "-c", "cat; echo $PPID; exit 3", "more"},
        {"test", "-n"},
        {"test", "-n", "/home/state/edit-1/../../.profile"},
        {"test", "-n", "+!id"},
        {"test", "-n", "/home/state/edit-1", "/home/state/edit-2"},
        {"true", "--"},
        {"true", "--", "swarmutt: #(id)"},
        {"true", "--", "swarmutt: ###(id)"},
        {"true", "--", "swarmutt: 5%"},
        {"true", "--", "#(id)"},
    };
    pid_t child;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(ask(refused[i], &child), EPERM, "%s is number %zu", refused[i][0], i);
        cr_expect_eq(child, 0);
    }
}

Test(spawner, what_fits_a_form_is_started)
{
    static const char *const fit[][4] = {{"test", "-n", "/home/state/edit-a1.md"},
                                         {"true", "--", "swarmutt: ##(id) 5%% of #### it"}};
    pid_t child;

    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        cr_assert_eq(ask(fit[i], &child), 0, "number %zu", i);
        cr_expect_eq(end_of(child), 0);
    }
}

Test(spawner, too_many_words_are_an_error_and_it_goes_on)
{
    enum { LONG = 1 << 20 };
    char *word = malloc(LONG);
    const char *words[] = {"true", "--", word, NULL};
    pid_t child;

    memset(word, 'a', LONG);
    word[LONG - 1] = '\0';
    cr_assert_eq(ask(words, &child), E2BIG);
    cr_assert_eq(ask(absent, &child), ENOENT);
    free(word);
}

Test(spawner, without_it_there_is_an_error_and_nothing_else)
{
    siginfo_t info;
    pid_t child;

    kill(spawner.pid, SIGKILL);
    cr_assert_eq(waitid(P_PID, (id_t)spawner.pid, &info, WEXITED | WNOWAIT), 0);
    cr_assert_eq(ask(usual, &child), EPIPE);
}

Test(spawner, signals_that_are_for_everybody_do_not_end_it)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP};
    int code;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        kill(spawner.pid, numbers[i]);
    struct str text = said(usual, "still\n", &code);
    cr_assert_eq(code, 3);
    str_free(&text);
}
