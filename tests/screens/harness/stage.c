/* Shared by the tests of the terminal interface. */
#include "stage.h"

#include "golden.h"

#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

struct stage stage;

void stage_start(const struct terminal_options *options)
{
    stage.terminal = mailbox_start(&stage.mailbox, options);
    terminal_wait_text(stage.terminal, "watch ok");
    terminal_wait_idle(stage.terminal); /* the rosters come last */
}

void stage_open(unsigned parts, const struct terminal_options *options)
{
    mailbox_make(&stage.mailbox, parts);
    stage_start(options);
}

void stage_close(void)
{
    terminal_free(stage.terminal);
    stage.terminal = NULL;
    terminal_free(stage.other);
    stage.other = NULL;
    mailbox_remove(&stage.mailbox);
}

const char *const *stage_editor(const char *script)
{
    static char variable[sizeof stage.mailbox.tmp.path + 16];
    static const char *const env[] = {variable, NULL};
    struct str text = {0};

    str_addf(&text, "#!/bin/sh\n%s\n", script);
    tmp_write(&stage.mailbox.tmp, "editor", str_span(&text));
    str_free(&text);
    cr_assert_eq(fchmodat(stage.mailbox.tmp.fd, "editor", 0700, 0), 0);
    snprintf(variable, sizeof variable, "EDITOR=%s/editor", stage.mailbox.tmp.path);
    return env;
}

void stage_put_tagged(const char *id, const char *tags)
{
    struct str path = {0}, text = {0};

    str_addf(&path, "project/workspace/mailboxes/user/inbox/%s.json", id);
    str_addf(&text,
             "{\"id\": \"%s\", \"from_agent\": \"swarm_dev/architect\", \"to_agent\": \"user\", "
             "\"type\": \"request\", \"subject\": \"Tagged %s\", \"body\": \"\", \"priority\": 3, "
             "\"created_at\": \"2026-02-12T14:02:00\", \"status\": \"unread\", \"tags\": %s}",
             id, id, tags);
    mailbox_put(&stage.mailbox, str_c(&path), 60, str_span(&text));
    str_free(&path);
    str_free(&text);
}

void stage_quit(void)
{
    terminal_wait_idle(stage.terminal); /* keys right before a change would be dropped */
    terminal_key(stage.terminal, "Q");
    cr_assert_eq(terminal_end(stage.terminal), 0);
    terminal_free(stage.terminal);
    stage.terminal = NULL;
}

void stage_run(const char *const *args)
{
    struct terminal *terminal =
        mailbox_start(&stage.mailbox, &(struct terminal_options){.args = args});

    if (terminal_end(terminal) != 0)
        terminal_fail(terminal, "%s failed", args[0]);
    terminal_free(terminal);
}

void stage_go(const char *keys, const char *text)
{
    terminal_wait_gone(stage.terminal, "settling"); /* an approval would not count */
    terminal_keys(stage.terminal, keys);
    terminal_wait_idle(stage.terminal); /* the screen before the keys must not match */
    terminal_wait_text(stage.terminal, text);
}

void stage_command(const char *line, const char *text)
{
    terminal_key(stage.terminal, ":");
    terminal_type(stage.terminal, line);
    stage_go("Enter", text);
}

/* Finds the mark at the left of the screen, or right of a border. */
static const char *find_mark(const char *row)
{
    static const char *const walls[] = {"\xe2\x94\x82>", "|>"};

    for (size_t i = 0; i < sizeof walls / sizeof *walls; i++) {
        const char *wall = strstr(row, walls[i]);
        if (wall)
            return strchr(wall, '>');
    }
    return *row == '>' ? row : NULL;
}

/* The list of the sidebar has a mark too: a mark after a border wins. */
bool stage_selected(struct terminal *terminal, struct str *row)
{
    struct str all = {0}, best = {0};
    bool found = false, behind = false;

    for (int y = 0; y < terminal_rows(terminal) && !behind; y++) {
        str_clear(&all);
        terminal_row(terminal, y, &all);
        const char *mark = find_mark(str_c(&all));
        if (!mark || (found && mark == str_c(&all)))
            continue;
        found = true;
        behind = mark != str_c(&all);
        str_clear(&best);
        str_puts(&best, mark);
    }
    str_add_span(row, str_span(&best));
    str_free(&all);
    str_free(&best);
    return found;
}

static bool is_selected(struct terminal *terminal, void *context)
{
    struct str row = {0};
    bool is = stage_selected(terminal, &row) && strstr(str_c(&row), context);

    str_free(&row);
    return is;
}

void stage_wait_selected(const char *text)
{
    char copy[256], what[300];

    snprintf(copy, sizeof copy, "%s", text);
    snprintf(what, sizeof what, "selects the row with \"%s\"", copy);
    terminal_wait(stage.terminal, what, is_selected, copy);
}

void stage_check_drawn(void)
{
    struct terminal *terminal = stage.terminal;
    struct str before = {0}, after = {0}, difference = {0};
    int y, x;

    terminal_wait_idle(terminal);
    terminal_wait_gone(terminal, "settling"); /* vanishes by itself */
    terminal_wait_idle(terminal);
    golden_describe(terminal, &before);
    terminal_cursor(terminal, &y, &x);
    cr_assert(y >= 0 && y < terminal_rows(terminal) && x >= 0 && x < terminal_cols(terminal));
    terminal_key(terminal, "^L");
    terminal_wait_idle(terminal);
    golden_describe(terminal, &after);
    if (!span_eq(str_span(&before), str_span(&after))) {
        golden_add_difference(&difference, str_span(&before), str_span(&after));
        terminal_fail(terminal, "drawing everything again changes the screen:\n%s",
                      str_c(&difference));
    }
    terminal_check_clean(terminal);
    str_free(&before);
    str_free(&after);
    str_free(&difference);
}

void stage_check_colourless(void)
{
    for (int y = 0; y < terminal_rows(stage.terminal); y++)
        for (int x = 0; x < terminal_cols(stage.terminal); x++) {
            struct terminal_attrs attrs = terminal_attrs(stage.terminal, y, x);
            if (attrs.fg != COLOUR_DEFAULT || attrs.bg != COLOUR_DEFAULT)
                terminal_fail(stage.terminal, "the cell at %d,%d has a colour", y, x);
        }
}

void stage_check_ascii(void)
{
    struct str screen = {0};

    terminal_screen(stage.terminal, &screen);
    for (size_t i = 0; i < screen.len; i++)
        if ((unsigned char)screen.at[i] > '~')
            terminal_fail(stage.terminal, "there is more than ASCII: %.20s", screen.at + i);
    str_free(&screen);
}

size_t stage_times_in(const char *path, const char *text)
{
    struct str bytes = tmp_read(&stage.mailbox.tmp, path);
    size_t count = 0;

    for (const char *at = str_c(&bytes); (at = strstr(at, text)); at++)
        count++;
    str_free(&bytes);
    return count;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_file(struct str *out, const char *path)
{
    FILE *file = fopen(path, "re");

    if (!file)
        return;
    for (size_t got; (got = fread(str_room(out, 4096), 1, 4096, file)) > 0;) {
        out->len += got;
        out->at[out->len] = '\0';
    }
    fclose(file);
    str_putc(out, '\n');
}

void stage_send(const char *shown, const char *said)
{
    stage_go("^X", "REVIEW");
    terminal_wait_text(stage.terminal, shown);
    terminal_key(stage.terminal, "^X");
    terminal_wait_gone(stage.terminal, "REVIEW");
    terminal_wait_text(stage.terminal, said);
    terminal_wait_gone(stage.terminal, "drafts:");
}

void stage_snapshot(struct str *out)
{
    stage_snapshot_of("", out);
}

void stage_snapshot_of(const char *dir, struct str *out)
{
    char root[sizeof stage.mailbox.tmp.path + 64];
    char *const roots[] = {root, NULL};

    snprintf(root, sizeof root, "%s/%s", stage.mailbox.tmp.path, dir);
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    cr_assert_not_null(walk);
    for (FTSENT *entry; (entry = fts_read(walk));) {
        if (entry->fts_info == FTS_DP)
            continue;
        const struct stat *st = entry->fts_statp;
        str_addf(out, "%s %o %jd.%09ld\n", entry->fts_path + strlen(root), st->st_mode,
                 (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
        if (entry->fts_info == FTS_F)
            add_file(out, entry->fts_path);
    }
    fts_close(walk);
}

void stage_expect_unchanged(struct str *before, struct str *after)
{
    struct str difference = {0};

    golden_add_difference(&difference, str_span(before), str_span(after));
    cr_expect(span_eq(str_span(before), str_span(after)), "something was written:\n%s",
              str_c(&difference));
    str_free(before);
    str_free(after);
    str_free(&difference);
}
