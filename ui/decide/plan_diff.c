/* The file that a plan names: compares it with the plan that was sent. */
#include "ui/decide/plan_diff.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/diff.h"
#include "mail/protocol/protocol.h"
#include "ui/widget/text_screen.h"

#include <stdlib.h>
#include <unistd.h>

struct compare_task {
    struct ui_task task;
    struct arena arena;
    struct span root, below, path, plan;
    struct str file;
};

static void compare_task_work(struct ui_task *task, struct store *store)
{
    struct compare_task *it = (struct compare_task *)task;
    struct file_id id;
    int root;

    (void)store;
    if (!file_open_root(it->root.at, &root, &it->task.err))
        return;
    switch (file_read(root, it->below.at, FILE_SIZE_MAX, &it->file, &id, &it->task.err)) {
    case FILE_OK:
        it->task.ok = true;
        break;
    case FILE_GONE:
        err_set(&it->task.err, ERR_ABSENT, "%s: there is no such file", it->path.at);
        break;
    default:
        err_at(&it->task.err, it->path.at);
        break;
    }
    close(root);
}

static void add_difference(struct str *out, const struct compare_task *it)
{
    static const char marks[] = {' ', '-', '+'};
    CLEANUP(diff_free) struct difference difference = {0};

    diff_find(&difference, str_span(&it->file), it->plan);
    str_addf(out,
             "%s is not the plan that was sent. - is only in the file, + only in the plan:\n\n",
             it->path.at);
    for (size_t i = 0; i < difference.count; i++) {
        str_addf(out, "%c ", marks[difference.lines[i].kind]);
        str_add_span(out, difference.lines[i].text);
        str_putc(out, '\n');
    }
}

static void compare_task_done(struct ui_task *task, struct ui *ui)
{
    struct compare_task *it = (struct compare_task *)task;
    CLEANUP(str_free) struct str text = {0};

    if (!it->task.ok) {
        ui_fail(ui, &it->task.err);
    } else if (span_eq(span_trim(str_span(&it->file)), span_trim(it->plan))) {
        ui_say(ui, STYLE_PLAIN, "%s is the plan that was sent", it->path.at);
    } else {
        add_difference(&text, it);
        ui_push(ui, text_screen_new(ui, "PLAN FILE", str_span(&text)));
    }
}

static void task_free(struct ui_task *task)
{
    struct compare_task *it = (struct compare_task *)task;

    str_free(&it->file);
    arena_free(&it->arena);
    free(it);
}

/* True if the name is below the root; sets `below`. Only compares names, without any system
 * call. */
static bool is_beneath(struct span path, struct span root, struct span *below)
{
    if (!span_starts(path, root) || path.len <= root.len + 1 || path.at[root.len] != '/')
        return false;
    *below = (struct span){path.at + root.len + 1, path.len - root.len - 1};
    for (size_t i = 0; i + 1 < below->len; i++)
        if (below->at[i] == '.' && below->at[i + 1] == '.')
            return false;
    return true;
}

void plan_diff_compare(struct ui *ui, const struct request_page *shown)
{
    const struct request *request = request_view_request(shown);
    const struct span_list *roots = &ui_config(ui)->plan_roots;
    struct compare_task *it = mem_zero(1, sizeof *it);
    struct protocol p = {0};
    bool found = false;

    it->task =
        (struct ui_task){.work = compare_task_work, .done = compare_task_done, .free = task_free};
    if (request && request->message->data)
        protocol_parse(&p, request->message->data->protocol, &it->arena);
    it->path = arena_copy(&it->arena, p.plan_path);
    it->plan = arena_copy(&it->arena, p.plan);
    for (size_t i = 0; !found && i < roots->count; i++) {
        it->root = roots->items[i];
        found = is_beneath(it->path, it->root, &it->below);
    }
    if (!p.plan_path.len)
        ui_say(ui, STYLE_DIM, "it names no file of a plan");
    else if (!found)
        ui_say(ui, STYLE_WARNING,
               "the file was not opened: it does not lie beneath a decide.plan-root of the config");
    if (p.plan_path.len && found)
        ui_begin(ui, UI_READ, &it->task);
    else
        task_free(&it->task);
}
