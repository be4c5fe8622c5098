/* Manual pages: what stands in lines, that is words, marks and the macros among them. */
#include "base/text/mdoc_private.h"

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

void mdoc_unescape(struct str *out, struct span text)
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

void mdoc_put_word(struct mdoc *page, struct span word)
{
    struct str text = {0};

    mdoc_unescape(&text, word);
    struct span rest = str_span(&text);
    for (struct span part = span_take_word(&rest); part.len; part = span_take_word(&rest))
        fill_put(&page->fill, part);
    str_free(&text);
}

void mdoc_read_args(struct mdoc_args *args, struct span line)
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
struct course {
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
static void say_due(struct course *course)
{
    if (course->due && course->mode == MODE_FLAG)
        fill_put(&course->page->fill, span_of("-"));
    else if (course->due && course->mode == MODE_NAME)
        fill_put(&course->page->fill, course->page->name);
    course->due = false;
}

static void obey(struct course *course, const struct macro *macro)
{
    struct mdoc *page = course->page;

    say_due(course);
    course->mode = macro->mode;
    course->due = macro->mode == MODE_FLAG || macro->mode == MODE_NAME;
    if (macro->open) {
        put_mark(page, macro->open, macro->open_ascii);
        page->fill.glue = true;
        course->open[course->open_count++] = macro;
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

static void put_arg(struct course *course, struct span word)
{
    struct mdoc *page = course->page;

    switch (is_one_of(word, "|") ? MODE_TEXT : course->mode) {
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
    course->due = false;
    mdoc_put_word(page, word);
    if (course->mode == MODE_PREFIX) {
        page->fill.glue = true;
        course->mode = MODE_TEXT;
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

static void put_closing(struct course *course, struct span mark)
{
    say_due(course);
    course->page->fill.glue = true;
    fill_put(&course->page->fill, mark);
}

void mdoc_put_args(struct mdoc *page, const struct mdoc_args *args, size_t from)
{
    struct course course = {.page = page};
    size_t end = args->count;

    /* marks at the end stand outside of what is opened in the line */
    while (end > from && is_closing(&args->items[end - 1]))
        end--;
    for (size_t i = from; i < end; i++) {
        const struct mdoc_arg *arg = &args->items[i];
        const struct macro *macro = macro_find(arg);
        if (macro) {
            obey(&course, macro);
        } else if (is_closing(arg)) {
            put_closing(&course, arg->text);
        } else if (course.mode == MODE_PAGE && i + 1 < end && !macro_find(arg + 1)) {
            mdoc_put_word(page, arg->text);
            put_section_of(page, args->items[++i].text);
            course.mode = MODE_TEXT;
        } else {
            bool opening = !arg->quoted && is_one_of(arg->text, "([");
            put_arg(&course, arg->text);
            page->fill.glue |= opening;
        }
    }
    say_due(&course);
    while (course.open_count) {
        const struct macro *macro = course.open[--course.open_count];
        page->fill.glue = true;
        put_mark(page, macro->close, macro->close_ascii);
    }
    for (size_t i = end; i < args->count; i++)
        put_closing(&course, args->items[i].text);
}
