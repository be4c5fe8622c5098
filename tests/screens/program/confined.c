/* The screens are confined in all their threads, and the programs that they start are not. */
#include "base/file/landlock.h"
#include "tests/screens/harness/stage.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void skip_without(void)
{
    struct err err;

    if (!landlock_version(&err))
        skip_here(NULL, err.text);
}

TestSuite(confined, .init = skip_without, .fini = stage_close, .timeout = 300);

/* Returns the number after a word in a status file; -1 if the file has vanished. */
static int status_number(const char *path, const char *word)
{
    FILE *file = fopen(path, "re");
    char line[256];
    int number = -1;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0)
            number = atoi(line + strlen(word));
    if (file)
        fclose(file);
    return number;
}

/* Counts the threads of the program, and those with no_new_privs. */
static void count_threads(int *all, int *confined)
{
    char path[300];

    *all = *confined = 0;
    snprintf(path, sizeof path, "/proc/%d/task", terminal_pid(stage.terminal));
    DIR *threads = opendir(path);
    cr_assert(threads);
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", terminal_pid(stage.terminal),
                 entry->d_name);
        int number = status_number(path, "NoNewPrivs:");
        *all += number >= 0;
        *confined += number == 1;
    }
    closedir(threads);
}

/* Opens all stores: each has a thread. */
static void use_everything(void)
{
    stage_go("Enter", "100%");
    stage_go("q S", "search all mail:");
    terminal_type(stage.terminal, "queue");
    terminal_wait_text(stage.terminal, "How shall the queue");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "search all mail:");
    stage_go("m", "Subject");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "Subject");
    terminal_wait_idle(stage.terminal);
}

Test(confined, every_thread_of_the_screens_is)
{
    int all, confined;

    stage_open(STAGE_USUAL, NULL);
    use_everything();
    count_threads(&all, &confined);
    cr_expect_geq(all, 6);
    cr_expect_eq(confined, all);
    stage_quit();
}

/* Runs the program with --debug, and expects the line in its log. */
static void check_log(const char *line)
{
    stage_start(&(struct terminal_options){.args = (const char *const[]){"--debug", NULL}});
    stage_quit();
    struct str log = tmp_read(&stage.mailbox.tmp, "home/state/swarmutt/debug.log");
    cr_expect(strstr(str_c(&log), line), "%s", str_c(&log));
    str_free(&log);
}

Test(confined, the_log_says_so)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    check_log("screens: confined by Landlock (ABI ");
}

Test(confined, the_log_says_why_not)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    mailbox_config(&stage.mailbox, "[general]\nconfine = no\n");
    check_log("screens: not confined: the config says confine = no");
}

Test(confined, the_config_switches_it_off)
{
    int all, confined;

    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    mailbox_config(&stage.mailbox, "[general]\nconfine = no\n");
    stage_start(NULL);
    count_threads(&all, &confined);
    cr_expect_geq(all, 3);
    cr_expect_eq(confined, 0);
    stage_quit();
}

static bool is_there(struct terminal *terminal, void *context)
{
    (void)terminal;
    return tmp_exists(&stage.mailbox.tmp, context);
}

/* Writes a program that copies its own status, and first reads a file that only an unconfined one
 * may read. */
static void write_program(const char *name)
{
    char path[512];
    struct str text = {0};

    str_addf(&text,
             "#!/bin/sh\ncat /etc/passwd >/dev/null && grep NoNewPrivs /proc/self/status "
             ">\"%s/%s.part\" && mv \"%s/%s.part\" \"%s/%s.said\"\n",
             stage.mailbox.tmp.path, name, stage.mailbox.tmp.path, name, stage.mailbox.tmp.path,
             name);
    tmp_write(&stage.mailbox.tmp, name, str_span(&text));
    snprintf(path, sizeof path, "%s/%s", stage.mailbox.tmp.path, name);
    cr_assert_eq(chmod(path, 0700), 0);
    str_free(&text);
}

static void check_unconfined(char *said)
{
    terminal_wait_for(stage.terminal, "started it", is_there, said);
    struct str text = tmp_read(&stage.mailbox.tmp, said);
    cr_expect_str_eq(str_c(&text), "NoNewPrivs:\t0\n");
    str_free(&text);
}

static void start_programs(const char *confine)
{
    struct str config = {0};

    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    write_program("editor");
    write_program("hook");
    str_addf(&config, "[general]\nconfine = %s\neditor = %s/editor\n[hooks]\non-new = %s/hook\n",
             confine, stage.mailbox.tmp.path, stage.mailbox.tmp.path);
    mailbox_config(&stage.mailbox, str_c(&config));
    str_free(&config);
    stage_start(NULL);
    stage_go("m", "Subject");
    terminal_key(stage.terminal, "^E");
    check_unconfined((char[]){"editor.said"});
    terminal_wait_text(stage.terminal, "Subject");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "Subject");
    mailbox_tell(&stage.mailbox, &(struct mailbox_said){.box = "team-lead",
                                                        .from = "w7",
                                                        .ago_s = 2,
                                                        .summary = "only news",
                                                        .text = "nothing to decide"});
    check_unconfined((char[]){"hook.said"});
    stage_quit();
}

Test(confined, editors_and_hooks_are_not)
{
    start_programs("yes");
}

Test(confined, editors_and_hooks_are_started_without_it_too)
{
    start_programs("no");
}

/* Returns how many processes that the program has started are confined. */
static int confined_children(void)
{
    char path[300], pid[32];
    int confined = 0;

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", terminal_pid(stage.terminal),
             terminal_pid(stage.terminal));
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%31s", pid) == 1) {
        snprintf(path, sizeof path, "/proc/%s/status", pid);
        confined += status_number(path, "NoNewPrivs:") == 1;
    }
    if (file)
        fclose(file);
    return confined;
}

Test(confined, screens_that_are_opened_again_for_mailboxes_out_of_reach_are_confined_too)
{
    char command[1200];
    static const char make[] = "cd '%s/home' && cp -a .claude kept && rm -r .claude && "
                               "mv kept .claude";

    stage_open(MAILBOX_CLAUDE, NULL);
    snprintf(command, sizeof command, make, stage.mailbox.tmp.path);
    cr_assert_eq(system(command), 0);
    terminal_wait_text(stage.terminal, "opened again: mailboxes have come");
    terminal_wait_text(stage.terminal, "watch ok");
    cr_expect_eq(confined_children(), 1);
    stage_quit();
}

Test(confined, mail_is_seen_that_comes_into_mailboxes_which_were_made_again)
{
    char command[1200];

    stage_open(MAILBOX_ADR, NULL);
    snprintf(command, sizeof command,
             "cd '%s/workspace' && cp -a mailboxes kept && rm -r mailboxes", stage.mailbox.project);
    cr_assert_eq(system(command), 0);
    terminal_wait_text(stage.terminal, "! 1 source gone");
    snprintf(command, sizeof command, "cd '%s/workspace' && mv kept mailboxes",
             stage.mailbox.project);
    cr_assert_eq(system(command), 0);
    terminal_wait_gone(stage.terminal, "! 1 source gone");
    cr_expect_not(terminal_has(stage.terminal, "ermission denied"));
    stage_quit();
}
