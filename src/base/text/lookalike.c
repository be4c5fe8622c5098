/* Look-alikes: skeletons, and the scripts that letters belong to. */
#include "base/text/lookalike.h"

#include "base/text/clean.h"
#include "base/text/utf8.h"

#include <utf8proc.h>

enum { LONGEST = 32 }; /* no character decomposes into more than 18 */

/* Marks that stand on letters of any script; those of one script are letters to its readers. */
static bool is_accent(int32_t code)
{
    return (code >= 0x300 && code <= 0x36f) || (code >= 0x1ab0 && code <= 0x1aff) ||
           (code >= 0x1dc0 && code <= 0x1dff) || (code >= 0x20d0 && code <= 0x20ff) ||
           (code >= 0xfe20 && code <= 0xfe2f);
}

/* What is alike within ASCII itself. */
static char plain_letter(char c)
{
    static const char from[] = "iIL1|!0_. ", to[] = "llllllo---";
    const char *found = strchr(from, c);

    if (found)
        return to[found - from];
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Puts a letter behind the others; two narrow ones may be taken for a wide one. */
static void put_letter(struct str *out, size_t start, char c)
{
    char before = out->len > start ? out->at[out->len - 1] : '\0';

    c = plain_letter(c);
    if ((before == 'r' && c == 'n') || (before == 'v' && c == 'v'))
        out->at[out->len - 1] = c == 'n' ? 'm' : 'w';
    else
        str_putc(out, c);
}

static void put_code(struct str *out, size_t start, int32_t code)
{
    utf8proc_int32_t folded[LONGEST];
    int boundary = 0;
    const char *letters = lookalike_letters(code);
    utf8proc_ssize_t count = 1;

    folded[0] = code;
    if (!letters && code >= 0x80) {
        count = utf8proc_decompose_char(code, folded, LONGEST, UTF8PROC_CASEFOLD, &boundary);
        letters = count == 1 ? lookalike_letters(folded[0]) : NULL;
    }
    for (const char *c = letters; c && *c; c++)
        put_letter(out, start, *c);
    for (utf8proc_ssize_t i = 0; !letters && i < count && i < LONGEST; i++) {
        if (folded[i] < 0x80)
            put_letter(out, start, (char)folded[i]);
        else
            utf8_add(out, folded[i]);
    }
}

void lookalike_skeleton(struct str *out, struct span name)
{
    const utf8proc_option_t options = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE;
    size_t start = out->len;

    while (name.len) {
        utf8proc_int32_t parts[LONGEST];
        int boundary = 0;
        int32_t code = utf8_next(&name);
        utf8proc_ssize_t count = 0;
        if (code == UTF8_INVALID)
            str_putc(out, '?');
        else if (!clean_is_hidden(code))
            count = utf8proc_decompose_char(code, parts, LONGEST, options, &boundary);
        for (utf8proc_ssize_t i = 0; i < count && i < LONGEST; i++)
            if (!is_accent(parts[i]))
                put_code(out, start, parts[i]);
    }
}

bool lookalike_same(struct span a, struct span b)
{
    struct str one = {0}, two = {0};

    if (span_eq(a, b))
        return false;
    lookalike_skeleton(&one, a);
    lookalike_skeleton(&two, b);
    bool same = one.len && span_eq(str_span(&one), str_span(&two));
    str_free(&one);
    str_free(&two);
    return same;
}

/* What no decomposition turns into the sign of ASCII. */
static char plain_sign(int32_t code)
{
    static const int32_t brackets[] = {0x2c2, 0x2039, 0x276e, 0x2770, 0x27e8, 0x3008};
    static const int32_t slashes[] = {0x2044, 0x2215, 0x2571, 0x27cb, 0x29f8};

    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++)
        if (brackets[i] == code)
            return '<';
    for (size_t i = 0; i < sizeof slashes / sizeof *slashes; i++)
        if (slashes[i] == code)
            return '/';
    return '\0';
}

char lookalike_ascii(int32_t code)
{
    const utf8proc_option_t options = UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD;
    utf8proc_int32_t parts[LONGEST];
    int boundary = 0;

    if (code < 0 || is_accent(code))
        return code < 0 ? '\0' : ' ';
    utf8proc_ssize_t count = utf8proc_decompose_char(code, parts, LONGEST, options, &boundary);
    if (count < 1 || count > LONGEST)
        return '\0';
    for (utf8proc_ssize_t i = 1; i < count; i++)
        if (!is_accent(parts[i]))
            return '\0';
    if (parts[0] < 0x80)
        return (char)parts[0];
    const char *letters = lookalike_letters(parts[0]);
    if (letters && letters[0] && !letters[1])
        return (char)(letters[0] >= 'A' && letters[0] <= 'Z' ? letters[0] + 32 : letters[0]);
    return plain_sign(parts[0]);
}

/* Scripts whose letters could pass for those of another. Signs, digits, and writing that nobody
 * takes for letters of these (Chinese, Japanese and the like) go with all of them. */
enum script {
    SCRIPT_ANY,
    SCRIPT_LATIN,
    SCRIPT_GREEK,
    SCRIPT_CYRILLIC,
    SCRIPT_ARMENIAN,
    SCRIPT_HEBREW,
    SCRIPT_ARABIC,
    SCRIPT_GEORGIAN,
    SCRIPT_CHEROKEE,
    SCRIPT_CANADIAN,
    SCRIPT_COPTIC,
    SCRIPT_LISU,
};

static const struct {
    int32_t first, last;
    enum script script;
} ranges[] = {
    {'A', 'Z', SCRIPT_LATIN},          {'a', 'z', SCRIPT_LATIN},
    {0xc0, 0xd6, SCRIPT_LATIN},        {0xd8, 0xf6, SCRIPT_LATIN},
    {0xf8, 0x2af, SCRIPT_LATIN},       {0x370, 0x373, SCRIPT_GREEK},
    {0x376, 0x37d, SCRIPT_GREEK},      {0x37f, 0x3e1, SCRIPT_GREEK},
    {0x3e2, 0x3ef, SCRIPT_COPTIC},     {0x3f0, 0x3ff, SCRIPT_GREEK},
    {0x400, 0x52f, SCRIPT_CYRILLIC},   {0x531, 0x58f, SCRIPT_ARMENIAN},
    {0x5d0, 0x5f4, SCRIPT_HEBREW},     {0x620, 0x6ff, SCRIPT_ARABIC},
    {0x10a0, 0x10ff, SCRIPT_GEORGIAN}, {0x13a0, 0x13ff, SCRIPT_CHEROKEE},
    {0x1400, 0x167f, SCRIPT_CANADIAN}, {0x1c80, 0x1c8f, SCRIPT_CYRILLIC},
    {0x1c90, 0x1cbf, SCRIPT_GEORGIAN}, {0x1d00, 0x1d25, SCRIPT_LATIN},
    {0x1d26, 0x1d2a, SCRIPT_GREEK},    {0x1d2b, 0x1d2b, SCRIPT_CYRILLIC},
    {0x1d2c, 0x1dbf, SCRIPT_LATIN},    {0x1e00, 0x1eff, SCRIPT_LATIN},
    {0x1f00, 0x1fff, SCRIPT_GREEK},    {0x2c60, 0x2c7f, SCRIPT_LATIN},
    {0x2c80, 0x2cff, SCRIPT_COPTIC},   {0x2d00, 0x2d2f, SCRIPT_GEORGIAN},
    {0x2de0, 0x2dff, SCRIPT_CYRILLIC}, {0xa4d0, 0xa4ff, SCRIPT_LISU},
    {0xa640, 0xa69f, SCRIPT_CYRILLIC}, {0xa722, 0xa7ff, SCRIPT_LATIN},
    {0xab30, 0xab6f, SCRIPT_LATIN},    {0xab70, 0xabbf, SCRIPT_CHEROKEE},
    {0xfb00, 0xfb06, SCRIPT_LATIN},    {0xff21, 0xff3a, SCRIPT_LATIN},
    {0xff41, 0xff5a, SCRIPT_LATIN},
};

static enum script script_of(int32_t code)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return ranges[i].script;
    return SCRIPT_ANY;
}

bool lookalike_mixes(struct span name)
{
    unsigned scripts = 0;

    while (name.len) {
        int32_t code = utf8_next(&name);
        enum script script = script_of(code);
        if (script)
            scripts |= 1U << script;
        if (scripts & (scripts - 1))
            return true;
    }
    return false;
}

bool lookalike_hides(struct span name)
{
    struct clean_cursor cursor = {.rest = name, .mode = CLEAN_LINE};
    struct clean_piece piece;

    while (clean_next(&cursor, &piece))
        if (piece.escaped)
            return true;
    return false;
}
