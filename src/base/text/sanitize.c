/* Sanitizing: deciding for each code point whether it may be drawn. */
#include "base/text/sanitize.h"

#include "base/text/utf8.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <utf8proc.h>
#include <wchar.h>

/* ncurses keeps a base character and four marks in a cell and drops the rest. */
enum { MARKS_MAX = 4 };

static locale_t utf8_locale;

static void load_locale(void)
{
    utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* Returns the columns that glibc, and so ncurses, assigns to the character; -1 if it has none. Uses
 * a UTF-8 locale, whatever the user's is: SANITIZE_ASCII covers output that is not UTF-8. */
static int libc_columns(int32_t code)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load_locale);
    if (!utf8_locale)
        return -1;
    locale_t before = uselocale(utf8_locale);
    int columns = wcwidth((wchar_t)code);
    uselocale(before);
    return columns;
}

/* Reports whether it is drawn as nothing although Unicode counts it as a letter, mark or symbol. */
static bool is_blank_glyph(int32_t code)
{
    return code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0 || /* Hangul */
           code == 0x2800 ||                                                       /* Braille */
           code == 0x034f || code == 0x17b4 || code == 0x17b5 ||                   /* marks */
           (code >= 0x180b && code <= 0x180f) || (code >= 0xfe00 && code <= 0xfe0f) ||
           (code >= 0xe0100 && code <= 0xe01ef);
}

bool sanitize_is_hidden(int32_t code)
{
    if (code < 0x7f)
        return code < 0x20;
    if (is_blank_glyph(code))
        return true;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return false;
    }
}

bool sanitize_is_blank(int32_t code)
{
    return code == ' ' || sanitize_is_hidden(code) ||
           utf8proc_category(code) == UTF8PROC_CATEGORY_ZS;
}

static bool is_drawable(int32_t code)
{
    if (code < 0x7f)
        return code >= 0x20;
    return !sanitize_is_hidden(code) && utf8proc_charwidth(code) == libc_columns(code);
}

static bool is_pictograph(int32_t code)
{
    if (code >= 0x1f3fb && code <= 0x1f3ff) /* skin tones continue the previous emoji */
        return true;
    return code >= 0x80 &&
           utf8proc_get_property(code)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/* Reports whether it is a joiner or a selector that belongs to the previous emoji. It has no text
 * of its own and terminals disagree about it, so it is dropped. Anywhere else it would be hidden,
 * and is escaped. */
static bool is_emoji_glue(const struct sanitize_cursor *cursor, int32_t code)
{
    struct span rest = cursor->rest;
    int32_t next = rest.len ? utf8_next(&rest) : UTF8_INVALID;

    if (cursor->key)
        return code == 0xfe0f && next == 0x20e3; /* the enclosing mark that makes a keycap */
    if (!cursor->pictograph)
        return false;
    if (code == 0xfe0e || code == 0xfe0f)
        return !cursor->selected;
    return code == 0x200d && is_pictograph(next);
}

static void escape_piece(struct sanitize_piece *piece, int32_t code)
{
    int len;

    if (code < 0x20)
        len = snprintf(piece->text, sizeof piece->text, "^%c", (int)code + '@');
    else if (code == 0x7f)
        len = snprintf(piece->text, sizeof piece->text, "^?");
    else
        len = snprintf(piece->text, sizeof piece->text, "<U+%04X>", (unsigned)code);
    piece->len = (unsigned char)len;
    piece->columns = (unsigned char)len;
    piece->escaped = true;
    piece->hidden = sanitize_is_hidden(code);
}

static void set_piece(struct sanitize_piece *piece, const char *bytes, size_t len, int columns)
{
    memcpy(piece->text, bytes, len);
    piece->text[len] = '\0';
    piece->len = (unsigned char)len;
    piece->columns = (unsigned char)columns;
    piece->escaped = false;
    piece->hidden = false;
}

bool sanitize_next(struct sanitize_cursor *cursor, struct sanitize_piece *piece)
{
    for (;;) {
        if (!cursor->rest.len)
            return false;
        const char *start = cursor->rest.at;
        int32_t code = utf8_next(&cursor->rest);
        if (is_emoji_glue(cursor, code)) {
            cursor->selected = true;
            continue;
        }

        bool had_base = cursor->has_base;
        cursor->has_base = false;
        cursor->pictograph = false;
        cursor->selected = false;
        cursor->key = false;
        if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff)) {
            if (cursor->mode & SANITIZE_ASCII)
                escape_piece(piece, 0xfffd);
            else
                set_piece(piece, "\xef\xbf\xbd", 3, 1);
            piece->escaped = true;
            piece->hidden = true;
            return true;
        }
        if ((code == '\n' || code == '\t') && (cursor->mode & SANITIZE_LINES)) {
            set_piece(piece, start, 1, 0);
            return true;
        }
        if (!is_drawable(code) || (code >= 0x80 && (cursor->mode & SANITIZE_ASCII))) {
            escape_piece(piece, code);
            return true;
        }
        int columns = code < 0x80 ? 1 : utf8proc_charwidth(code);
        if (columns == 0) {
            if (!had_base || cursor->marks == MARKS_MAX) {
                escape_piece(piece, code);
                return true;
            }
            cursor->marks++;
        } else {
            cursor->marks = 0;
        }
        cursor->has_base = true;
        cursor->pictograph = is_pictograph(code);
        cursor->key = (code >= '0' && code <= '9') || code == '#' || code == '*';
        set_piece(piece, start, (size_t)(cursor->rest.at - start), columns);
        return true;
    }
}

/* Returns how many bytes at the start are plain printable ASCII, which most text consists of. */
static size_t plain_run(struct span text)
{
    size_t i = 0;

    while (i < text.len && text.at[i] >= 0x20 && text.at[i] < 0x7f)
        i++;
    return i;
}

bool sanitize_find_hidden(struct span text, struct sanitize_piece *piece)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = SANITIZE_LINES};

    do {
        size_t plain = plain_run(cursor.rest);
        if (plain > 1) { /* the last one may be the base of something */
            cursor.rest.at += plain - 1;
            cursor.rest.len -= plain - 1;
        }
        if (!sanitize_next(&cursor, piece))
            return false;
    } while (!piece->hidden);
    return true;
}

size_t sanitize_add(struct str *out, struct span text, unsigned mode)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = mode};
    struct sanitize_piece piece;
    size_t columns = 0;

    for (;;) {
        size_t plain = plain_run(cursor.rest);
        if (plain > 1) { /* the last one may be the base of a mark: leave it to sanitize_next() */
            str_add(out, cursor.rest.at, plain - 1);
            cursor.rest.at += plain - 1;
            cursor.rest.len -= plain - 1;
            columns += plain - 1;
        }
        if (!sanitize_next(&cursor, &piece))
            return columns;
        str_add(out, piece.text, piece.len);
        columns += piece.columns;
    }
}

size_t sanitize_add_exact(struct str *out, struct span text, unsigned mode)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = mode & SANITIZE_LINES};
    struct sanitize_piece piece;
    const char *from = text.at; /* start of what is not appended yet */
    size_t hidden = 0;

    while (sanitize_next(&cursor, &piece)) {
        if (!piece.hidden)
            continue;
        struct span passed = {from, (size_t)(cursor.rest.at - from)}, last = passed;
        while (passed.len) { /* up to the hidden one, which is the last */
            last = passed;
            utf8_next(&passed);
        }
        str_add(out, from, (size_t)(last.at - from));
        str_add(out, piece.text, piece.len);
        from = cursor.rest.at;
        hidden++;
    }
    if (text.len)
        str_add(out, from, (size_t)(text.at + text.len - from));
    return hidden;
}

size_t sanitize_cut(struct str *out, struct span text, unsigned mode, size_t columns)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = mode & ~(unsigned)SANITIZE_LINES};
    struct sanitize_piece piece;
    size_t used = 0;
    size_t cut_len = out->len, cut_used = 0; /* the longest start that leaves room for the '~' */

    while (sanitize_next(&cursor, &piece)) {
        if (used + piece.columns > columns) {
            out->len = cut_len;
            if (!columns)
                return 0;
            str_putc(out, '~');
            return cut_used + 1;
        }
        str_add(out, piece.text, piece.len);
        used += piece.columns;
        if (used < columns) {
            cut_len = out->len;
            cut_used = used;
        }
    }
    return used;
}

void sanitize_fit(struct str *out, struct span text, unsigned mode, size_t columns)
{
    size_t used = sanitize_cut(out, text, mode, columns);

    str_pad(out, ' ', columns - used);
}
