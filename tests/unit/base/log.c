/* Tests the diagnostic log: one sanitized line for each entry, appended, readable by its owner
 * only. */
#include "tests/unit/support.h"

#include "base/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES = 300 };

static struct tmp tmp;

static void make(void)
{
    tmp_make(&tmp);
}

static void clear(void)
{
    tmp_remove(&tmp);
}

TestSuite(log, .init = make, .fini = clear);

static struct log *open_log(void)
{
    char path[512];
    struct err err;

    snprintf(path, sizeof path, "%s/log", tmp.path);
    struct log *log = log_open(path, &err);
    cr_assert(log != NULL, "%s", err.text);
    return log;
}

static mode_t log_mode(void)
{
    struct stat st;

    cr_assert_eq(fstatat(tmp.fd, "log", &st, 0), 0);
    return st.st_mode & 07777;
}

Test(log, a_line_has_the_time_in_utc_the_process_the_thread_and_the_text)
{
    struct log *log = open_log();
    char expected[64];

    log_add(log, "loaded %d messages", 3);
    log_close(log);
    struct str text = tmp_read(&tmp, "log");
    struct span line = str_span(&text);
    cr_assert(span_ends(line, "\n"));
    cr_assert(line.len > 20 && line.at[4] == '-' && line.at[10] == 'T');
    snprintf(expected, sizeof expected, "Z %ld.%ld loaded 3 messages\n", (long)getpid(),
             (long)gettid());
    cr_assert(span_ends(line, expected), "%s", text.at);
    str_free(&text);
}

Test(log, text_from_agents_is_cleaned_and_stays_on_one_line)
{
    struct log *log = open_log();

    log_add(log, "from %s", "\x1b[2J\nforged\t\xe2\x80\xae\xff");
    log_close(log);
    struct str text = tmp_read(&tmp, "log");
    cr_assert(span_ends(str_span(&text), " from ^[[2J^Jforged^I<U+202E>\xef\xbf\xbd\n"), "%s",
              text.at);
    cr_assert_eq(strchr(text.at, '\n'), text.at + text.len - 1);
    str_free(&text);
}

Test(log, a_very_long_text_is_cut_and_still_one_line)
{
    struct str large = {0};

    str_pad(&large, 'x', 100000);
    struct log *log = open_log();
    log_add(log, "%s", str_c(&large));
    log_add(log, "next");
    log_close(log);
    struct str text = tmp_read(&tmp, "log");
    char *end = strchr(text.at, '\n');
    cr_assert(end && end[-1] == 'x');
    cr_assert(strstr(end, " next\n") != NULL);
    str_free(&text);
    str_free(&large);
}

Test(log, an_existing_file_is_continued)
{
    for (int i = 0; i < 2; i++) {
        struct log *log = open_log();
        log_add(log, "run %d", i);
        log_close(log);
    }
    struct str text = tmp_read(&tmp, "log");
    char *first = strstr(text.at, "run 0\n");
    cr_assert(first && strstr(first, "run 1\n"));
    str_free(&text);
}

Test(log, only_its_owner_may_read_it_whatever_the_umask)
{
    umask(0);
    log_close(open_log());
    cr_assert_eq(log_mode(), 0600);
}

Test(log, only_its_owner_may_read_a_file_that_was_open_to_others_before)
{
    tmp_write(&tmp, "log", span_of("old\n"));
    cr_assert_eq(fchmodat(tmp.fd, "log", 0644, 0), 0);
    log_close(open_log());
    cr_assert_eq(log_mode(), 0600);
}

static void *add_lines(void *log)
{
    for (int i = 0; i < LINES; i++)
        log_add(log, "line %d ends here", i);
    return NULL;
}

Test(log, lines_of_two_threads_do_not_mix)
{
    struct log *log = open_log();
    pthread_t threads[2];
    int lines = 0;

    for (int i = 0; i < 2; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, add_lines, log), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    log_close(log);
    struct str text = tmp_read(&tmp, "log");
    for (struct span rest = str_span(&text); rest.len; lines++) {
        struct span line = span_first_line(rest);
        cr_assert(span_ends(line, " ends here"), "%.*s", (int)line.len, line.at);
        rest.at += line.len + 1;
        rest.len -= line.len + 1;
    }
    cr_assert_eq(lines, 2 * LINES);
    str_free(&text);
}

Test(log, no_log_keeps_nothing)
{
    log_add(NULL, "into the void %d", 1);
    log_close(NULL);
}

Test(log, says_which_file_cannot_be_opened)
{
    struct err err = {0};

    cr_assert_null(log_open("/nonexistent/log", &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strncmp(err.text, "/nonexistent/log: ", 18) == 0, "%s", err.text);
}
