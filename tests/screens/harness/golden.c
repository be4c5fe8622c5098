/* Whole screens kept as files. */
#include "golden.h"

#include "base/mem.h"
#include "base/time.h"
#include "tests/screens/terminal/terminal_private.h"
#include "tests/unit/support.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char actual_dir[] = "tests/screens/actual";

static bool is_updating(void)
{
    const char *what = getenv("SWARMUTT_GOLDEN");

    return what && strcmp(what, "update") == 0;
}

static void add_runs(const struct terminal *terminal, int y, struct str *out)
{
    int cols = terminal_cols(terminal);
    struct str words = {0};

    for (int x = 0, next; x < cols; x = next) {
        struct terminal_attrs attrs = terminal_attrs(terminal, y, x);
        for (next = x + 1; next < cols; next++) {
            struct terminal_attrs other = terminal_attrs(terminal, y, next);
            if (!terminal_attrs_equal(&attrs, &other))
                break;
        }
        str_clear(&words);
        terminal_attrs_describe(&attrs, &words);
        if (words.len)
            str_addf(out, "%d: %d-%d %s\n", y, x, next - 1, str_c(&words));
    }
    str_free(&words);
}

/* Texts that differ in each run: `count` letters after `before`, except ids that begin with
 * `unless`. */
static const struct {
    const char *before;
    size_t count;
    const char *unless;
} chances[] = {{"swarmutt-test-", 6, NULL},     {"drafts/", 12, NULL},    {"inbox-", 16, NULL},
               {"\"timestamp\": \"", 24, NULL}, {"MSG-", 12, "00000000"}, {"msg-", 8, NULL},
               {"timestamp: \"", 20, NULL}};

/* True for the characters of ids and times. */
static bool is_chance(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-:.", c));
}

/* True if the text begins with `start`, as far as it is shown: it may be cut. */
static bool is_fixed(const char *text, const char *start)
{
    while (*start && is_chance(*text) && *text == *start)
        text++, start++;
    return !*start || !is_chance(*text);
}

static void hide_names(char *text)
{
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++)
        for (char *at = text; (at = strstr(at, chances[i].before));) {
            at += strlen(chances[i].before);
            if (chances[i].unless && is_fixed(at, chances[i].unless))
                continue;
            for (size_t k = 0; k < chances[i].count && is_chance(at[k]); k++)
                at[k] = '?';
        }
}

/* Replaces the times of sent messages: they come from the real clock; only the screens' clock is
 * frozen. */
static void hide_times(char *text)
{
    int64_t now_us = time_now();
    struct str day = {0};

    for (int days_ago = 0; days_ago <= 1; days_ago++) {
        str_clear(&day);
        time_add_format(&day, now_us - days_ago * INT64_C(86400000000), "%Y-%m-%d");
        for (char *at = text; (at = strstr(at, str_c(&day)));)
            for (; *at && strchr("0123456789-:.T \n", *at); at++)
                if (isdigit((unsigned char)*at))
                    *at = '?';
    }
    str_free(&day);
}

void golden_describe(const struct terminal *terminal, struct str *out)
{
    int y, x;

    terminal_cursor(terminal, &y, &x);
    str_addf(out, "==== %d rows of %d, cursor ", terminal_rows(terminal), terminal_cols(terminal));
    if (terminal_cursor_visible(terminal))
        str_addf(out, "at %d,%d\n", y, x);
    else
        str_puts(out, "hidden\n"); /* at any position */
    size_t from = out->len;
    terminal_screen(terminal, out);
    hide_names(out->at + from);
    hide_times(out->at + from);
    str_puts(out, "==== row: first-last cell\n");
    for (y = 0; y < terminal_rows(terminal); y++)
        add_runs(terminal, y, out);
}

struct lines {
    struct span *items;
    size_t count, cap;
};

static struct lines split(struct span text)
{
    struct lines lines = {0};

    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end ? (size_t)(end - text.at) : text.len;
        lines.items = mem_grow(lines.items, &lines.cap, lines.count + 1, sizeof *lines.items);
        lines.items[lines.count++] = (struct span){text.at, len};
        text = (struct span){text.at + len + (end != NULL), text.len - len - (end != NULL)};
    }
    return lines;
}

static void add_line(struct str *out, const char *mark, struct span line)
{
    str_puts(out, mark);
    str_add_span(out, line);
    str_putc(out, '\n');
}

void golden_add_difference(struct str *out, struct span expected, struct span actual)
{
    struct lines a = split(expected), b = split(actual);
    size_t width = b.count + 1;
    /* The number of common lines of the rests from each pair of positions. */
    unsigned *common = mem_zero((a.count + 1) * width, sizeof *common);

    for (size_t i = a.count; i-- > 0;)
        for (size_t j = b.count; j-- > 0;) {
            unsigned down = common[(i + 1) * width + j], right = common[i * width + j + 1];
            common[i * width + j] = span_eq(a.items[i], b.items[j])
                                        ? common[(i + 1) * width + j + 1] + 1
                                    : down > right ? down
                                                   : right;
        }
    for (size_t i = 0, j = 0; i < a.count || j < b.count;) {
        if (i < a.count && j < b.count && span_eq(a.items[i], b.items[j])) {
            i++;
            j++;
        } else if (j == b.count ||
                   (i < a.count && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            add_line(out, "- ", a.items[i++]);
        } else {
            add_line(out, "+ ", b.items[j++]);
        }
    }
    free(common);
    free(a.items);
    free(b.items);
}

static void golden_path(struct str *path, const char *name)
{
    const char *sources = getenv("SWARMUTT_SRC");

    str_addf(path, "%s/tests/screens/golden/%s.txt", sources ? sources : SOURCE_DIR, name);
}

static bool read_whole(const char *path, struct str *out)
{
    FILE *file = fopen(path, "re");

    if (!file)
        return false;
    for (size_t got; (got = fread(str_room(out, 4096), 1, 4096, file)) > 0;) {
        out->len += got;
        out->at[out->len] = '\0';
    }
    fclose(file);
    return true;
}

static void write_whole(const char *path, struct span text)
{
    FILE *file = fopen(path, "we");

    cr_assert_not_null(file, "%s: %s", path, strerror(errno));
    cr_assert_eq(fwrite(text.at, 1, text.len, file), text.len);
    cr_assert_eq(fclose(file), 0);
}

bool golden_is_equal(const struct terminal *terminal, const char *name, struct str *difference)
{
    struct str path = {0}, expected = {0}, actual = {0};

    golden_path(&path, name);
    golden_describe(terminal, &actual);
    bool equal = read_whole(str_c(&path), &expected);
    if (!equal)
        str_addf(difference, "%s: %s\n", str_c(&path), strerror(errno));
    equal = equal && span_eq(str_span(&expected), str_span(&actual));
    if (!equal)
        golden_add_difference(difference, str_span(&expected), str_span(&actual));
    str_free(&path);
    str_free(&expected);
    str_free(&actual);
    return equal;
}

static bool is_golden(struct terminal *terminal, void *context)
{
    struct str difference = {0};
    bool equal = golden_is_equal(terminal, context, &difference);

    str_free(&difference);
    return equal;
}

static void update(struct terminal *terminal, const char *name)
{
    struct str path = {0}, actual = {0};

    terminal_wait_idle(terminal);
    golden_path(&path, name);
    golden_describe(terminal, &actual);
    write_whole(str_c(&path), str_span(&actual));
    str_free(&path);
    str_free(&actual);
}

static void keep_actual(const struct terminal *terminal, const char *name, struct str *path)
{
    struct str actual = {0};

    for (const char *slash = strchr(actual_dir, '/'); slash; slash = strchr(slash + 1, '/')) {
        str_clear(path);
        str_add(path, actual_dir, (size_t)(slash - actual_dir));
        mkdir(str_c(path), 0777);
    }
    mkdir(actual_dir, 0777);
    str_clear(path);
    str_addf(path, "%s/%s.txt", actual_dir, name);
    golden_describe(terminal, &actual);
    write_whole(str_c(path), str_span(&actual));
    str_free(&actual);
}

void golden_check(struct terminal *terminal, const char *name)
{
    char copy[256];

    if (is_updating()) {
        terminal_wait_gone(terminal, "settling");
        update(terminal, name);
        return;
    }
    snprintf(copy, sizeof copy, "%s", name);
    if (terminal_try(terminal, terminal_patience_s() / 3, is_golden, copy))
        return;
    struct str difference = {0}, path = {0};
    golden_is_equal(terminal, name, &difference);
    keep_actual(terminal, name, &path);
    terminal_fail(terminal, "%s, kept in %s, is not the golden one (-):\n%s", name, str_c(&path),
                  str_c(&difference));
}
