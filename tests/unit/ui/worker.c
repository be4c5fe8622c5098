/* Tests tasks: the task lists of a layout. */
#include "tests/unit/support.h"

#include "store/source/task_list.h"

#include <stdio.h>
#include <unistd.h>

static struct tmp tmp;
static struct source source;
static struct tasks tasks;
static struct err err;

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
    tmp_write(&tmp, "mail/teams/web/inboxes/a.json", span_of("[]"));
}

static void clear(void)
{
    tasks_free(&tasks);
    source_close(&source);
    tmp_remove(&tmp);
}

TestSuite(tasks, .init = make, .fini = clear);

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void read_tasks(const char *format)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/mail", format, tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
    cr_assert(source_tasks(&source, &tasks, &err), "%s", err.text);
}

Test(tasks, lists_are_read_in_the_order_of_names_and_numbers)
{
    static const char *const want[] = {"ops 2", "web 1", "web 2", "web 9", "web 10", "web 100"};
    static const char *const ids[] = {"10", "9", "1", "100", "2"};

    for (size_t i = 0; i < 5; i++) {
        char path[64], text[128];
        snprintf(path, sizeof path, "mail/tasks/web/%s.json", ids[i]);
        snprintf(text, sizeof text, "{\"id\":\"%s\",\"subject\":\"s\",\"status\":\"pending\"}",
                 ids[i]);
        put(path, text);
    }
    put("mail/tasks/ops/2.json", "{\"id\":\"2\",\"subject\":\"x\",\"owner\":\"ann\"}");
    read_tasks("claude");
    cr_assert_eq(tasks.count, 6);
    for (size_t i = 0; i < 6; i++) {
        char got[64];
        snprintf(got, sizeof got, "%s %s", tasks.items[i].list.at, tasks.items[i].id.at);
        cr_assert_str_eq(got, want[i]);
    }
    assert_span(tasks.items[0].owner, "ann");
    assert_span(tasks.items[1].status, "pending");
}

Test(tasks, what_is_no_task_is_left_out)
{
    put("mail/tasks/web/1.json", "{\"id\":\"1\",\"metadata\":{\"_internal\":true}}");
    put("mail/tasks/web/2.json", "{\"id\":\"2\"");
    put("mail/tasks/web/3.json", "");
    put("mail/tasks/web/4.json", "[]");
    put("mail/tasks/web/.lock", "");
    put("mail/tasks/web/.highwatermark", "7");
    put("mail/tasks/web/5.txt", "{\"id\":\"5\"}");
    put("mail/tasks/web/deep/6.json", "{\"id\":\"6\"}");
    put("mail/tasks/7.json", "{\"id\":\"7\"}");
    put("outside.json", "{\"id\":\"8\"}");
    cr_assert_eq(symlinkat("../../../outside.json", tmp.fd, "mail/tasks/web/8.json"), 0);
    put("mail/tasks/web/9.json", "{\"id\":\"9\"}");
    read_tasks("claude");
    cr_assert_eq(tasks.count, 1);
    assert_span(tasks.items[0].id, "9");
}

Test(tasks, no_lists_and_layouts_without_any_have_none)
{
    read_tasks("claude");
    cr_assert_eq(tasks.count, 0);
    source_close(&source);
    put("mail/bob/inbox/.keep", "");
    put("mail/tasks/web/9.json", "{\"id\":\"9\"}");
    read_tasks("adr");
    cr_assert_eq(tasks.count, 0);
}

Test(tasks, reading_changes_nothing)
{
    put("mail/tasks/web/9.json", "{\"id\":\"9\"}");
    read_tasks("claude");
    cr_assert_eq(tmp_count(&tmp, "mail/tasks/web"), 1);
    struct str got = tmp_read(&tmp, "mail/tasks/web/9.json");
    assert_span(str_span(&got), "{\"id\":\"9\"}");
    str_free(&got);
}
