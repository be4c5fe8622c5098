/* Manual pages: blocks, that is headings, paragraphs, lists and displays. */
#include "base/text/mdoc_private.h"

enum {
    SECTION = 5, /* indents */
    SUBSECTION = 2,
    DISPLAY = 6,
    NARROW = 4,      /* of a cell that has a line for itself, ... */
    CELL_LEAST = 20, /* ... because there is less room than that */
    GUTTER = 2,
    DS = 6, /* how wide that is */
};

/* --- lists --- */

static struct mdoc_list *list_of(struct mdoc *page)
{
    return page->depth ? &page->lists[page->depth - 1] : NULL;
}

static void set_indent(struct mdoc *page)
{
    const struct mdoc_list *list = list_of(page);

    page->fill.indent = !list                       ? SECTION
                        : list->kind == LIST_COLUMN ? list->base
                                                    : list->base + list->width;
}

static size_t width_of(struct span word)
{
    return (span_is(word, "Ds") ? DS : word.len) + GUTTER;
}

static void open_list(struct mdoc *page, struct mdoc_args *args)
{
    static const char *const kinds[] = {[LIST_TAG] = "-tag",
                                        [LIST_BULLET] = "-bullet",
                                        [LIST_ENUM] = "-enum",
                                        [LIST_COLUMN] = "-column"};
    struct mdoc_list list = {
        .base = page->fill.indent, .width = 4, .below_heading = page->below_heading};

    if (page->depth == MDOC_DEPTH)
        return;
    for (size_t i = 1; i < args->count; i++) {
        struct span word = args->items[i].text;
        for (enum mdoc_list_kind kind = 0; kind < LIST_KINDS; kind++)
            if (span_is(word, kinds[kind]))
                list.kind = kind;
        if (span_is(word, "-compact"))
            list.compact = true;
        else if (span_is(word, "-width") && i + 1 < args->count)
            list.width = width_of(args->items[++i].text);
        else if (list.kind == LIST_COLUMN && !span_starts(word, span_of("-")) &&
                 list.columns < MDOC_COLUMNS)
            list.starts[list.columns++] = word.len + GUTTER;
    }
    size_t start = list.base;
    for (size_t i = 0; i < list.columns; i++) {
        size_t width = list.starts[i];
        list.starts[i] = start;
        start += width;
    }
    fill_end_line(&page->fill);
    page->lists[page->depth++] = list;
    if (!list.compact && list.kind == LIST_COLUMN && !page->below_heading)
        fill_skip(&page->fill);
}

static void close_list(struct mdoc *page)
{
    fill_end_line(&page->fill);
    if (page->depth)
        page->depth--;
    set_indent(page);
}

/* Behind the head of an item that is not too long for it, the text goes on in the same line. */
static void end_head(struct mdoc *page, const struct mdoc_list *list)
{
    fill_end_word(&page->fill);
    size_t used = page->fill.column;
    set_indent(page);
    if (used + 1 >= list->base + list->width)
        fill_end_line(&page->fill);
    else if (used)
        fill_go(&page->fill, list->base + list->width);
}

static void put_item(struct mdoc *page, struct mdoc_args *args)
{
    struct mdoc_list *list = list_of(page);
    char number[16];

    if (!list)
        return;
    bool first_below = list->below_heading && !list->items;
    if (list->compact || list->kind == LIST_COLUMN || first_below)
        fill_end_line(&page->fill);
    else
        fill_skip(&page->fill);
    page->fill.indent = list->base;
    list->items++;
    list->column = 0;
    if (list->kind == LIST_BULLET) {
        fill_put(&page->fill, span_of(page->ascii ? "*" : "\xe2\x80\xa2"));
    } else if (list->kind == LIST_ENUM) {
        snprintf(number, sizeof number, "%u.", list->items);
        fill_put(&page->fill, span_of(number));
    }
    mdoc_put_args(page, args, 1);
    if (list->kind != LIST_COLUMN)
        end_head(page, list);
}

void mdoc_next_cell(struct mdoc *page)
{
    struct mdoc_list *list = list_of(page);

    if (!list || list->column + 1 >= list->columns)
        return;
    fill_end_word(&page->fill);
    page->fill.indent = list->starts[++list->column];
    if (page->fill.indent + CELL_LEAST > page->fill.columns) {
        page->fill.indent = list->base + NARROW;
        fill_end_line(&page->fill);
    } else {
        fill_go(&page->fill, page->fill.indent);
    }
}

/* --- headings, paragraphs and displays --- */

static void put_heading(struct mdoc *page, struct mdoc_args *args, size_t indent)
{
    page->depth = 0;
    fill_skip(&page->fill);
    page->fill.indent = indent;
    mdoc_put_args(page, args, 1);
    fill_end_line(&page->fill);
    page->synopsis = args->count > 1 && span_is(args->items[1].text, "SYNOPSIS");
    page->fill.indent = SECTION;
    page->heading = true;
}

static void put_section(struct mdoc *page, struct mdoc_args *args)
{
    put_heading(page, args, 0);
}

static void put_subsection(struct mdoc *page, struct mdoc_args *args)
{
    put_heading(page, args, SUBSECTION);
}

static void put_paragraph(struct mdoc *page, struct mdoc_args *args)
{
    (void)args;
    fill_skip(&page->fill);
}

/* A line of its own, such as an example. */
static void put_display(struct mdoc *page, struct mdoc_args *args)
{
    size_t indent = page->fill.indent;

    fill_end_line(&page->fill);
    page->fill.indent += DISPLAY;
    mdoc_put_args(page, args, 1);
    fill_end_line(&page->fill);
    page->fill.indent = indent;
}

static void open_literal(struct mdoc *page, struct mdoc_args *args)
{
    (void)args;
    fill_skip(&page->fill);
    page->fill.indent += DISPLAY;
    page->literal = true;
}

static void close_literal(struct mdoc *page, struct mdoc_args *args)
{
    (void)args;
    if (page->literal && page->fill.indent >= DISPLAY) /* a heading may stand in between */
        page->fill.indent -= DISPLAY;
    page->literal = false;
}

static void put_description(struct mdoc *page, struct mdoc_args *args)
{
    fill_put(&page->fill, span_of(page->ascii ? "-" : "\xe2\x80\x93"));
    mdoc_put_args(page, args, 1);
}

static void end_list(struct mdoc *page, struct mdoc_args *args)
{
    (void)args;
    close_list(page);
}

/* What man puts at the head and the foot of a page. */
static void pass_over(struct mdoc *page, struct mdoc_args *args)
{
    (void)page;
    (void)args;
}

static const struct {
    const char *name;
    void (*run)(struct mdoc *page, struct mdoc_args *args);
} blocks[] = {
    {"Sh", put_section},  {"Ss", put_subsection},  {"Pp", put_paragraph}, {"Dl", put_display},
    {"Bd", open_literal}, {"Ed", close_literal},   {"Bl", open_list},     {"El", end_list},
    {"It", put_item},     {"Nd", put_description}, {"Dd", pass_over},     {"Dt", pass_over},
    {"Os", pass_over},
};

static void put_macro(struct mdoc *page, struct span line)
{
    struct mdoc_args args = {0};

    mdoc_read_args(&args, line);
    if (!args.count)
        return;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (span_is(args.items[0].text, blocks[i].name)) {
            blocks[i].run(page, &args);
            return;
        }
    }
    if (page->synopsis && span_is(args.items[0].text, "Nm"))
        fill_end_line(&page->fill);
    mdoc_put_args(page, &args, 0);
}

static void put_line(struct mdoc *page, struct span line)
{
    struct str text = {0};

    page->below_heading = page->heading;
    page->heading = false;
    if (line.len && line.at[0] == '.') {
        if (!span_starts(line, span_of(".\\\"")))
            put_macro(page, (struct span){line.at + 1, line.len - 1});
        return;
    }
    if (page->literal) {
        mdoc_unescape(&text, line);
        fill_verbatim(&page->fill, str_span(&text));
        str_free(&text);
        return;
    }
    for (struct span word = span_take_word(&line); word.len; word = span_take_word(&line))
        mdoc_put_word(page, word);
}

void mdoc_add(struct str *out, struct span text, size_t columns, bool ascii)
{
    struct mdoc page = {.fill = {.out = out, .columns = columns}, .ascii = ascii};

    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end ? (size_t)(end - text.at) : text.len;
        put_line(&page, (struct span){text.at, len});
        len += end != NULL;
        text = (struct span){text.at + len, text.len - len};
    }
    fill_end_line(&page.fill);
    fill_free(&page.fill);
}
