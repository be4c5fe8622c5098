/* A terminal in a test: reading its screen. */
#include "base/text/utf8.h"
#include "terminal_private.h"

/* The second half of a wide character. */
#define NO_CHAR UINT32_MAX

static VTermScreenCell cell_at(const struct terminal *terminal, int y, int x)
{
    VTermScreenCell cell = {0};

    vterm_screen_get_cell(terminal->screen, (VTermPos){y, x}, &cell);
    return cell;
}

/* Appends the row and, if `starts` is not NULL, notes the byte offset of each cell. */
static void add_row(const struct terminal *terminal, int y, struct str *out, size_t *starts)
{
    size_t trimmed = out->len;

    for (int x = 0; x < terminal->cols; x++) {
        VTermScreenCell cell = cell_at(terminal, y, x);
        if (starts)
            starts[x] = out->len;
        if (cell.chars[0] == NO_CHAR)
            continue;
        for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
            utf8_add(out, (int32_t)cell.chars[i]);
        if (!cell.chars[0])
            str_putc(out, ' ');
        if (cell.chars[0] && cell.chars[0] != ' ')
            trimmed = out->len;
    }
    if (out->at) {
        out->len = trimmed;
        out->at[trimmed] = '\0';
    }
}

void terminal_row(const struct terminal *terminal, int y, struct str *out)
{
    add_row(terminal, y, out, NULL);
}

void terminal_screen(const struct terminal *terminal, struct str *out)
{
    for (int y = 0; y < terminal->rows; y++) {
        terminal_row(terminal, y, out);
        str_putc(out, '\n');
    }
}

bool terminal_find(const struct terminal *terminal, const char *text, int *y, int *x)
{
    struct str row = {0};
    size_t starts[1024];
    const char *found = NULL;

    for (*y = 0; *y < terminal->rows && terminal->cols <= 1024; ++*y) {
        str_clear(&row);
        add_row(terminal, *y, &row, starts);
        found = strstr(str_c(&row), text);
        if (found)
            break;
    }
    for (*x = 0; found && *x + 1 < terminal->cols; ++*x)
        if (starts[*x + 1] > (size_t)(found - str_c(&row)))
            break;
    str_free(&row);
    return found != NULL;
}

bool terminal_has(const struct terminal *terminal, const char *text)
{
    int y, x;

    return terminal_find(terminal, text, &y, &x);
}

static int colour_of(const VTermColor *colour, bool is_default)
{
    if (is_default)
        return COLOUR_DEFAULT;
    if (VTERM_COLOR_IS_INDEXED(colour))
        return colour->indexed.idx;
    return COLOUR_RGB | colour->rgb.red << 16 | colour->rgb.green << 8 | colour->rgb.blue;
}

uint32_t terminal_letter(const struct terminal *terminal, int y, int x)
{
    VTermScreenCell cell;

    vterm_screen_get_cell(terminal->screen, (VTermPos){y, x}, &cell);
    return cell.chars[0] ? cell.chars[0] : ' ';
}

struct terminal_attrs terminal_attrs(const struct terminal *terminal, int y, int x)
{
    VTermScreenCell cell = cell_at(terminal, y, x);

    if (x > 0 && cell.chars[0] == UINT32_MAX) /* the right half is like the left */
        cell = cell_at(terminal, y, x - 1);
    return (struct terminal_attrs){
        .bold = cell.attrs.bold,
        .underline = cell.attrs.underline != VTERM_UNDERLINE_OFF,
        .italic = cell.attrs.italic,
        .blink = cell.attrs.blink,
        .reverse = cell.attrs.reverse,
        .strike = cell.attrs.strike,
        .fg = colour_of(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg)),
        .bg = colour_of(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)),
    };
}

bool terminal_attrs_equal(const struct terminal_attrs *a, const struct terminal_attrs *b)
{
    return a->bold == b->bold && a->underline == b->underline && a->italic == b->italic &&
           a->blink == b->blink && a->reverse == b->reverse && a->strike == b->strike &&
           a->fg == b->fg && a->bg == b->bg;
}

static void add_word(struct str *out, size_t start, const char *word)
{
    if (out->len > start)
        str_putc(out, ' ');
    str_puts(out, word);
}

static void add_colour(struct str *out, size_t start, const char *before, int colour)
{
    static const char *const names[] = {"black", "red",     "green", "yellow",
                                        "blue",  "magenta", "cyan",  "white"};

    if (colour == COLOUR_DEFAULT)
        return;
    add_word(out, start, before);
    if (colour & COLOUR_RGB)
        str_addf(out, "#%06x", (unsigned)(colour & ~COLOUR_RGB));
    else if (colour >= 16)
        str_addf(out, "colour%d", colour);
    else
        str_addf(out, "%s%s", colour >= 8 ? "bright-" : "", names[colour % 8]);
}

void terminal_attrs_describe(const struct terminal_attrs *attrs, struct str *out)
{
    const struct {
        bool on;
        const char *word;
    } flags[] = {
        {attrs->bold, "bold"},   {attrs->underline, "underline"}, {attrs->italic, "italic"},
        {attrs->blink, "blink"}, {attrs->reverse, "reverse"},     {attrs->strike, "strike"},
    };
    size_t start = out->len;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].on)
            add_word(out, start, flags[i].word);
    add_colour(out, start, "", attrs->fg);
    add_colour(out, start, "on ", attrs->bg);
}

int terminal_rows(const struct terminal *terminal)
{
    return terminal->rows;
}

int terminal_cols(const struct terminal *terminal)
{
    return terminal->cols;
}

void terminal_cursor(const struct terminal *terminal, int *y, int *x)
{
    VTermPos at;

    vterm_state_get_cursorpos(vterm_obtain_state(terminal->vterm), &at);
    *y = at.row;
    *x = at.col;
}

bool terminal_cursor_visible(const struct terminal *terminal)
{
    return terminal->cursor_visible;
}

bool terminal_alt_screen(const struct terminal *terminal)
{
    return terminal->alt_screen;
}

bool terminal_mouse(const struct terminal *terminal)
{
    return terminal->mouse;
}

bool terminal_bracketed_paste(const struct terminal *terminal)
{
    return scan_mode(&terminal->scan, 2004);
}

const char *terminal_title(const struct terminal *terminal)
{
    return str_c(&terminal->title);
}

int terminal_bells(const struct terminal *terminal)
{
    return terminal->bells;
}
