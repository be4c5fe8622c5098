/* Manual pages: blocks, that is headings, paragraphs, lists and displays. */
#include "base/text/mdoc.h"

#include "base/str.h"

#include <stdio.h>

/* Filling: words become lines of a given width, with indents that change on the way.
 *
 * Words are ASCII, or characters of one column each: this is for our own text, never for that of
 * agents. A word that is wider than a line has a line for itself. */

/* Set out and columns; the rest starts as zero. */
struct fill {
    struct str *out;
    size_t columns; /* lines are no wider, if words allow it */
    size_t indent;  /* of lines that are begun from now on */
    size_t column;  /* how far the present line has come; 0: nothing is on it */
    struct str word;
    size_t word_columns;
    size_t go;  /* where the next word begins, if the line goes on; 0: behind a blank */
    bool glue;  /* what comes next belongs to the word */
    bool blank; /* an empty line is due before the next one */
};

/* Manual pages: what their blocks and what stands in lines share. */

enum { MDOC_DEPTH = 8, MDOC_COLUMNS = 8, MDOC_ARGS = 128 };

enum mdoc_list_kind { LIST_TAG, LIST_BULLET, LIST_ENUM, LIST_COLUMN, LIST_KINDS };

struct mdoc_list {
    enum mdoc_list_kind kind;
    size_t base, width; /* where items begin, and how far from there their text does */
    bool compact;
    bool below_heading; /* nothing stands between it and a heading */
    unsigned items;
    size_t starts[MDOC_COLUMNS]; /* of columns */
    size_t columns, column;
};

struct mdoc {
    struct fill fill;
    bool ascii;
    struct span name; /* what Nm alone means */
    struct mdoc_list lists[MDOC_DEPTH];
    size_t depth;
    bool literal;       /* lines stay as they are */
    bool synopsis;      /* Nm begins a line */
    bool heading;       /* the line was one ... */
    bool below_heading; /* ... and the one before it */
};

/* The words of a line with macros, the first one without its dot. */
struct mdoc_arg {
    struct span text;
    bool quoted; /* it is never a macro */
};

struct mdoc_args {
    struct mdoc_arg items[MDOC_ARGS];
    size_t count;
};

static void fill_end_word(struct fill *fill);
static void mdoc_next_cell(struct mdoc *page);

/* Filling: words become lines. */

static void fill_free(struct fill *fill)
{
    str_free(&fill->word);
}

/* Bytes that go on with a character have no column of their own. */
static size_t columns_of(struct span text)
{
    size_t columns = 0;

    for (size_t i = 0; i < text.len; i++)
        columns += ((unsigned char)text.at[i] & 0xc0) != 0x80;
    return columns;
}

static void begin_line(struct fill *fill)
{
    if (fill->blank && fill->out->len)
        str_putc(fill->out, '\n');
    fill->blank = false;
    str_pad(fill->out, ' ', fill->indent);
    fill->column = fill->indent;
}

static void break_line(struct fill *fill)
{
    str_putc(fill->out, '\n');
    fill->column = fill->go = 0;
}

/* Adds to the word when they are glued together, else begins the next one. */
static void fill_put(struct fill *fill, struct span text)
{
    if (!fill->glue)
        fill_end_word(fill);
    fill->glue = false;
    str_add_span(&fill->word, text);
    fill->word_columns += columns_of(text);
}

/* What stands between the word and the one before it. */
static void put_space(struct fill *fill)
{
    size_t space = 1;

    if (fill->go)
        space = fill->column + 2 > fill->go ? 2 : fill->go - fill->column;
    str_pad(fill->out, ' ', space);
    fill->column += space;
    fill->go = 0;
}

/* Takes the word as finished: what follows is another one, whatever was glued. */
static void fill_end_word(struct fill *fill)
{
    fill->glue = false;
    if (!fill->word.len)
        return;
    if (fill->column && !fill->go && fill->column + 1 + fill->word_columns > fill->columns)
        break_line(fill);
    if (fill->column)
        put_space(fill);
    else
        begin_line(fill);
    str_add_span(fill->out, str_span(&fill->word));
    fill->column += fill->word_columns;
    str_clear(&fill->word);
    fill->word_columns = 0;
}

static void fill_end_line(struct fill *fill)
{
    fill_end_word(fill);
    if (fill->column)
        break_line(fill);
}

/* Ends the line; the next one has an empty line before it, unless it is the first. */
static void fill_skip(struct fill *fill)
{
    fill_end_line(fill);
    fill->blank = true;
}

/* The next word begins at that column, counted from 0, or behind two blanks where the line has come
 * farther. */
static void fill_go(struct fill *fill, size_t column)
{
    fill_end_word(fill);
    fill->go = column;
}

/* A line as it is, however wide. */
static void fill_verbatim(struct fill *fill, struct span line)
{
    fill_end_line(fill);
    if (line.len) {
        begin_line(fill);
        str_add_span(fill->out, line);
    }
    break_line(fill);
}

/* Manual pages: what stands in lines, that is words, marks and the macros among them. */

/* What the words behind a macro are. */
enum mode { MODE_TEXT, MODE_FLAG, MODE_PAGE, MODE_PREFIX, MODE_NAME };

/* What a macro does. */
struct macro {
    const char *name;
    enum mode mode;
    const char *open, *close;             /* around all that follows in the line */
    const char *open_ascii, *close_ascii; /* NULL: the same */
    const char *at_once;                  /* is put right here, glued to what follows or ... */
    bool ends;                            /* ... to what stands before */
};

static const struct macro macros[] = {
    {.name = "Ar"},
    {.name = "Cm"},
    {.name = "Em"},
    {.name = "Ev"},
    {.name = "Ic"},
    {.name = "Li"},
    {.name = "No"},
    {.name = "Pa"},
    {.name = "Sx"},
    {.name = "Ns"},
    {.name = "Ta"},
    {.name = "Fl", .mode = MODE_FLAG},
    {.name = "Xr", .mode = MODE_PAGE},
    {.name = "Pf", .mode = MODE_PREFIX},
    {.name = "Nm", .mode = MODE_NAME},
    {.name = "Op", .open = "[", .close = "]"},
    {.name = "Bq", .open = "[", .close = "]"},
    {.name = "Pq", .open = "(", .close = ")"},
    {.name = "Qq", .open = "\"", .close = "\""},
    {.name = "Dq",
     .open = "\xe2\x80\x9c",
     .close = "\xe2\x80\x9d",
     .open_ascii = "\"",
     .close_ascii = "\""},
    {.name = "Sq",
     .open = "\xe2\x80\x98",
     .close = "\xe2\x80\x99",
     .open_ascii = "'",
     .close_ascii = "'"},
    {.name = "Oo", .at_once = "["},
    {.name = "Oc", .at_once = "]", .ends = true},
};

static const struct macro *macro_find(const struct mdoc_arg *arg)
{
    for (size_t i = 0; !arg->quoted && i < sizeof macros / sizeof *macros; i++)
        if (span_is(arg->text, macros[i].name))
            return &macros[i];
    return NULL;
}

static bool is_one_of(struct span word, const char *marks)
{
    return word.len == 1 && strchr(marks, word.at[0]);
}

static bool is_closing(const struct mdoc_arg *arg)
{
    return !arg->quoted && is_one_of(arg->text, ".,:;)]?!");
}

static void mdoc_unescape(struct str *out, struct span text)
{
    static const struct {
        const char *escape, *text;
    } known[] = {{"\\&", ""},    {"\\e", "\\"},   {"\\-", "-"},  {"\\(ha", "^"},
                 {"\\(ti", "~"}, {"\\(dq", "\""}, {"\\(aq", "'"}};

    while (text.len) {
        struct span escape = {text.at, 1}, meant = escape;
        for (size_t i = 0; *text.at == '\\' && i < sizeof known / sizeof *known; i++) {
            if (span_starts(text, span_of(known[i].escape))) {
                escape = span_of(known[i].escape);
                meant = span_of(known[i].text);
            }
        }
        str_add_span(out, meant);
        text = (struct span){text.at + escape.len, text.len - escape.len};
    }
}

static void mdoc_put_word(struct mdoc *page, struct span word)
{
    struct str text = {0};

    mdoc_unescape(&text, word);
    struct span rest = str_span(&text);
    for (struct span part = span_take_word(&rest); part.len; part = span_take_word(&rest))
        fill_put(&page->fill, part);
    str_free(&text);
}

static void mdoc_read_args(struct mdoc_args *args, struct span line)
{
    while (line.len && args->count < MDOC_ARGS) {
        struct mdoc_arg *arg = &args->items[args->count];
        while (line.len && line.at[0] == ' ')
            line = (struct span){line.at + 1, line.len - 1};
        if (!line.len)
            return;
        arg->quoted = line.at[0] == '"';
        size_t skip = arg->quoted, len = 0;
        while (skip + len < line.len && line.at[skip + len] != (arg->quoted ? '"' : ' '))
            len++;
        arg->text = (struct span){line.at + skip, len};
        skip = skip + len < line.len ? skip + len + 1 : line.len;
        line = (struct span){line.at + skip, line.len - skip};
        args->count++;
    }
}

/* Where a line of macros has come to. */
struct handoff_status {
    struct mdoc *page;
    enum mode mode;
    bool due;                            /* the mode has something to say without a word */
    const struct macro *open[MDOC_ARGS]; /* what is to be closed at its end */
    size_t open_count;
};

static void put_mark(struct mdoc *page, const char *mark, const char *ascii)
{
    fill_put(&page->fill, span_of(page->ascii && ascii ? ascii : mark));
}

/* A dash alone, or the name of the page. */
static void say_due(struct handoff_status *handoff_status)
{
    if (handoff_status->due && handoff_status->mode == MODE_FLAG)
        fill_put(&handoff_status->page->fill, span_of("-"));
    else if (handoff_status->due && handoff_status->mode == MODE_NAME)
        fill_put(&handoff_status->page->fill, handoff_status->page->name);
    handoff_status->due = false;
}

static void obey(struct handoff_status *handoff_status, const struct macro *macro)
{
    struct mdoc *page = handoff_status->page;

    say_due(handoff_status);
    handoff_status->mode = macro->mode;
    handoff_status->due = macro->mode == MODE_FLAG || macro->mode == MODE_NAME;
    if (macro->open) {
        put_mark(page, macro->open, macro->open_ascii);
        page->fill.glue = true;
        handoff_status->open[handoff_status->open_count++] = macro;
    } else if (macro->at_once) {
        page->fill.glue |= macro->ends;
        put_mark(page, macro->at_once, NULL);
        page->fill.glue = !macro->ends;
    } else if (strcmp(macro->name, "Ns") == 0) {
        page->fill.glue = true;
    } else if (strcmp(macro->name, "Ta") == 0) {
        mdoc_next_cell(page);
    }
}

static void put_arg(struct handoff_status *handoff_status, struct span word)
{
    struct mdoc *page = handoff_status->page;

    switch (is_one_of(word, "|") ? MODE_TEXT : handoff_status->mode) {
    case MODE_FLAG:
        fill_put(&page->fill, span_of("-"));
        page->fill.glue = true;
        break;
    case MODE_NAME:
        if (!page->name.len)
            page->name = word;
        break;
    case MODE_TEXT:
    case MODE_PAGE:
    case MODE_PREFIX:
        break;
    }
    handoff_status->due = false;
    mdoc_put_word(page, word);
    if (handoff_status->mode == MODE_PREFIX) {
        page->fill.glue = true;
        handoff_status->mode = MODE_TEXT;
    }
}

/* PAGE SECTION becomes PAGE(SECTION). */
static void put_section_of(struct mdoc *page, struct span section)
{
    page->fill.glue = true;
    fill_put(&page->fill, span_of("("));
    page->fill.glue = true;
    mdoc_put_word(page, section);
    page->fill.glue = true;
    fill_put(&page->fill, span_of(")"));
}

static void put_closing(struct handoff_status *handoff_status, struct span mark)
{
    say_due(handoff_status);
    handoff_status->page->fill.glue = true;
    fill_put(&handoff_status->page->fill, mark);
}

/* Puts what the words from that one on mean; the macros among them are obeyed. */
static void mdoc_put_args(struct mdoc *page, const struct mdoc_args *args, size_t from)
{
    struct handoff_status handoff_status = {.page = page};
    size_t end = args->count;

    /* marks at the end stand outside of what is opened in the line */
    while (end > from && is_closing(&args->items[end - 1]))
        end--;
    for (size_t i = from; i < end; i++) {
        const struct mdoc_arg *arg = &args->items[i];
        const struct macro *macro = macro_find(arg);
        if (macro) {
            obey(&handoff_status, macro);
        } else if (is_closing(arg)) {
            put_closing(&handoff_status, arg->text);
        } else if (handoff_status.mode == MODE_PAGE && i + 1 < end && !macro_find(arg + 1)) {
            mdoc_put_word(page, arg->text);
            put_section_of(page, args->items[++i].text);
            handoff_status.mode = MODE_TEXT;
        } else {
            bool opening = !arg->quoted && is_one_of(arg->text, "([");
            put_arg(&handoff_status, arg->text);
            page->fill.glue |= opening;
        }
    }
    say_due(&handoff_status);
    while (handoff_status.open_count) {
        const struct macro *macro = handoff_status.open[--handoff_status.open_count];
        page->fill.glue = true;
        put_mark(page, macro->close, macro->close_ascii);
    }
    for (size_t i = end; i < args->count; i++)
        put_closing(&handoff_status, args->items[i].text);
}

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

/* Goes to the next cell of a row. */
static void mdoc_next_cell(struct mdoc *page)
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
