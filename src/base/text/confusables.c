/* Look-alikes: skeletons, and the scripts that letters belong to. */
#include "base/text/confusables.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <utf8proc.h>

/* Characters of other scripts, and the ASCII ones they look like.
 *
 * The letters of Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee, Coptic and Lisu that
 * Unicode's list of confusable characters (UTS 39) maps to ASCII, small capitals, and the small
 * Greek and Cyrillic letters that differ from a Latin one only in height or in a stroke. */

struct lookalike {
    uint16_t code;
    char letters[3];
};

/* Sorted by code, for bsearch(). */
static const struct lookalike twins[] = {
    {0xc6, "ae"},   {0xd0, "d"},    {0xd7, "x"},    {0xd8, "o"},    {0xe6, "ae"},   {0xf8, "o"},
    {0x110, "d"},   {0x111, "d"},   {0x126, "h"},   {0x127, "h"},   {0x131, "i"},   {0x141, "l"},
    {0x142, "l"},   {0x152, "oe"},  {0x153, "oe"},  {0x166, "t"},   {0x167, "t"},   {0x180, "b"},
    {0x181, "b"},   {0x182, "b"},   {0x183, "b"},   {0x184, "b"},   {0x187, "c"},   {0x189, "d"},
    {0x18a, "d"},   {0x18c, "d"},   {0x18d, "g"},   {0x191, "f"},   {0x192, "f"},   {0x193, "g"},
    {0x196, "l"},   {0x197, "l"},   {0x198, "k"},   {0x199, "k"},   {0x19a, "l"},   {0x19d, "n"},
    {0x19e, "n"},   {0x19f, "o"},   {0x1a4, "p"},   {0x1a5, "p"},   {0x1a6, "r"},   {0x1a7, "2"},
    {0x1ac, "t"},   {0x1ad, "t"},   {0x1ae, "t"},   {0x1b3, "y"},   {0x1b4, "y"},   {0x1b5, "z"},
    {0x1b6, "z"},   {0x1b7, "3"},   {0x1bb, "2"},   {0x1bc, "5"},   {0x1bd, "s"},   {0x1c0, "l"},
    {0x1c1, "ll"},  {0x1e4, "g"},   {0x1e5, "g"},   {0x21c, "3"},   {0x222, "8"},   {0x223, "8"},
    {0x224, "z"},   {0x225, "z"},   {0x23c, "c"},   {0x23e, "t"},   {0x244, "u"},   {0x246, "e"},
    {0x247, "e"},   {0x248, "j"},   {0x249, "j"},   {0x24d, "r"},   {0x24e, "y"},   {0x24f, "y"},
    {0x251, "a"},   {0x253, "b"},   {0x256, "d"},   {0x257, "d"},   {0x260, "g"},   {0x261, "g"},
    {0x262, "g"},   {0x263, "y"},   {0x266, "h"},   {0x268, "i"},   {0x269, "i"},   {0x26a, "i"},
    {0x26b, "l"},   {0x26d, "l"},   {0x26f, "w"},   {0x271, "rn"},  {0x273, "n"},   {0x274, "n"},
    {0x275, "o"},   {0x27c, "r"},   {0x27d, "r"},   {0x280, "r"},   {0x282, "s"},   {0x28b, "u"},
    {0x28f, "y"},   {0x290, "z"},   {0x299, "b"},   {0x29c, "h"},   {0x29f, "l"},   {0x2a0, "q"},
    {0x2a3, "dz"},  {0x2a6, "ts"},  {0x2aa, "ls"},  {0x2ab, "lz"},  {0x2d7, "-"},   {0x37f, "j"},
    {0x391, "a"},   {0x392, "b"},   {0x395, "e"},   {0x396, "z"},   {0x397, "h"},   {0x398, "o"},
    {0x399, "l"},   {0x39a, "k"},   {0x39c, "m"},   {0x39d, "n"},   {0x39f, "o"},   {0x3a1, "p"},
    {0x3a4, "t"},   {0x3a5, "y"},   {0x3a7, "x"},   {0x3b1, "a"},   {0x3b2, "b"},   {0x3b3, "y"},
    {0x3b5, "e"},   {0x3b6, "z"},   {0x3b7, "n"},   {0x3b8, "o"},   {0x3b9, "i"},   {0x3ba, "k"},
    {0x3bc, "u"},   {0x3bd, "v"},   {0x3bf, "o"},   {0x3c0, "n"},   {0x3c1, "p"},   {0x3c3, "o"},
    {0x3c4, "t"},   {0x3c5, "u"},   {0x3c7, "x"},   {0x3c9, "w"},   {0x3dc, "f"},   {0x3e8, "2"},
    {0x3f3, "j"},   {0x3fa, "m"},   {0x405, "s"},   {0x406, "l"},   {0x408, "j"},   {0x410, "a"},
    {0x411, "b"},   {0x412, "b"},   {0x415, "e"},   {0x417, "3"},   {0x41a, "k"},   {0x41c, "m"},
    {0x41d, "h"},   {0x41e, "o"},   {0x420, "p"},   {0x421, "c"},   {0x422, "t"},   {0x423, "y"},
    {0x425, "x"},   {0x42b, "bl"},  {0x42c, "b"},   {0x42e, "lo"},  {0x430, "a"},   {0x431, "6"},
    {0x432, "b"},   {0x433, "r"},   {0x435, "e"},   {0x437, "3"},   {0x438, "u"},   {0x43a, "k"},
    {0x43b, "n"},   {0x43c, "m"},   {0x43d, "h"},   {0x43e, "o"},   {0x43f, "n"},   {0x440, "p"},
    {0x441, "c"},   {0x442, "t"},   {0x443, "y"},   {0x445, "x"},   {0x448, "w"},   {0x44c, "b"},
    {0x44d, "e"},   {0x454, "e"},   {0x455, "s"},   {0x456, "i"},   {0x458, "j"},   {0x45b, "h"},
    {0x461, "w"},   {0x462, "b"},   {0x463, "b"},   {0x472, "o"},   {0x473, "o"},   {0x474, "v"},
    {0x475, "v"},   {0x47d, "w"},   {0x48c, "b"},   {0x48d, "b"},   {0x491, "r"},   {0x493, "r"},
    {0x498, "3"},   {0x49a, "k"},   {0x49e, "k"},   {0x4a2, "h"},   {0x4aa, "c"},   {0x4ab, "c"},
    {0x4ac, "t"},   {0x4ae, "y"},   {0x4af, "y"},   {0x4b0, "y"},   {0x4b1, "y"},   {0x4b2, "x"},
    {0x4bb, "h"},   {0x4bd, "e"},   {0x4bf, "e"},   {0x4c0, "l"},   {0x4c7, "h"},   {0x4c9, "h"},
    {0x4cd, "m"},   {0x4cf, "i"},   {0x4d4, "ae"},  {0x4d5, "ae"},  {0x4e0, "3"},   {0x4e8, "o"},
    {0x4e9, "o"},   {0x501, "d"},   {0x50c, "g"},   {0x51b, "q"},   {0x51c, "w"},   {0x51d, "w"},
    {0x54d, "u"},   {0x54f, "s"},   {0x555, "o"},   {0x561, "w"},   {0x563, "q"},   {0x566, "q"},
    {0x570, "h"},   {0x578, "n"},   {0x57c, "n"},   {0x57d, "u"},   {0x581, "g"},   {0x584, "f"},
    {0x585, "o"},   {0x10e7, "y"},  {0x10ff, "o"},  {0x13a0, "d"},  {0x13a1, "r"},  {0x13a2, "t"},
    {0x13a4, "o"},  {0x13a5, "i"},  {0x13a9, "y"},  {0x13aa, "a"},  {0x13ab, "j"},  {0x13ac, "e"},
    {0x13b3, "w"},  {0x13b7, "m"},  {0x13bb, "h"},  {0x13bd, "y"},  {0x13be, "o"},  {0x13c0, "g"},
    {0x13c2, "h"},  {0x13c3, "z"},  {0x13cc, "u"},  {0x13ce, "4"},  {0x13cf, "b"},  {0x13d2, "r"},
    {0x13d4, "w"},  {0x13d5, "s"},  {0x13d9, "v"},  {0x13da, "s"},  {0x13de, "l"},  {0x13df, "c"},
    {0x13e2, "p"},  {0x13e6, "k"},  {0x13e7, "d"},  {0x13eb, "o"},  {0x13ee, "6"},  {0x13f0, "b"},
    {0x13f2, "h"},  {0x13f3, "g"},  {0x13f4, "b"},  {0x1d00, "a"},  {0x1d04, "c"},  {0x1d05, "d"},
    {0x1d07, "e"},  {0x1d0a, "j"},  {0x1d0b, "k"},  {0x1d0d, "m"},  {0x1d0f, "o"},  {0x1d11, "o"},
    {0x1d18, "p"},  {0x1d1b, "t"},  {0x1d1c, "u"},  {0x1d20, "v"},  {0x1d21, "w"},  {0x1d22, "z"},
    {0x1d26, "r"},  {0x1d6b, "ue"}, {0x1d6e, "f"},  {0x1d6f, "rn"}, {0x1d70, "n"},  {0x1d72, "r"},
    {0x1d74, "s"},  {0x1d75, "t"},  {0x1d76, "z"},  {0x1d7b, "i"},  {0x1d7c, "i"},  {0x1d7d, "p"},
    {0x1d7e, "u"},  {0x1d83, "g"},  {0x1d8c, "y"},  {0x1e9d, "f"},  {0x1eff, "y"},  {0x2010, "-"},
    {0x2012, "-"},  {0x2013, "-"},  {0x2014, "-"},  {0x2015, "-"},  {0x2043, "-"},  {0x2212, "-"},
    {0x2223, "l"},  {0x2238, "-"},  {0x2796, "-"},  {0x2a29, "-"},  {0x2a2a, "-"},  {0x2c67, "h"},
    {0x2c69, "k"},  {0x2c85, "r"},  {0x2c8e, "h"},  {0x2c92, "l"},  {0x2c94, "k"},  {0x2c98, "m"},
    {0x2c9a, "n"},  {0x2c9e, "o"},  {0x2c9f, "o"},  {0x2ca2, "p"},  {0x2ca3, "p"},  {0x2ca4, "c"},
    {0x2ca5, "c"},  {0x2ca6, "t"},  {0x2ca8, "y"},  {0x2cac, "x"},  {0x2cba, "-"},  {0x2cca, "9"},
    {0x2ccc, "3"},  {0x2cd0, "l"},  {0x2cd2, "6"},  {0x2e1a, "-"},  {0xa4d0, "b"},  {0xa4d1, "p"},
    {0xa4d2, "d"},  {0xa4d3, "d"},  {0xa4d4, "t"},  {0xa4d6, "g"},  {0xa4d7, "k"},  {0xa4d9, "j"},
    {0xa4da, "c"},  {0xa4dc, "z"},  {0xa4dd, "f"},  {0xa4df, "m"},  {0xa4e0, "n"},  {0xa4e1, "l"},
    {0xa4e2, "s"},  {0xa4e3, "r"},  {0xa4e6, "v"},  {0xa4e7, "h"},  {0xa4ea, "w"},  {0xa4eb, "x"},
    {0xa4ec, "y"},  {0xa4ee, "a"},  {0xa4f0, "e"},  {0xa4f2, "l"},  {0xa4f3, "o"},  {0xa4f4, "u"},
    {0xa4f8, "."},  {0xa4fa, ".."}, {0xa4fe, "-."}, {0xa644, "2"},  {0xa647, "i"},  {0xa695, "h"},
    {0xa698, "oo"}, {0xa699, "oo"}, {0xa728, "t3"}, {0xa730, "f"},  {0xa731, "s"},  {0xa732, "aa"},
    {0xa733, "aa"}, {0xa734, "ao"}, {0xa735, "ao"}, {0xa736, "au"}, {0xa737, "au"}, {0xa738, "av"},
    {0xa739, "av"}, {0xa73a, "av"}, {0xa73b, "av"}, {0xa73c, "ay"}, {0xa73d, "ay"}, {0xa740, "k"},
    {0xa74a, "o"},  {0xa74b, "o"},  {0xa74e, "oo"}, {0xa74f, "oo"}, {0xa75a, "2"},  {0xa761, "w"},
    {0xa76a, "3"},  {0xa76e, "9"},  {0xa777, "tf"}, {0xa798, "f"},  {0xa799, "f"},  {0xa79f, "u"},
    {0xa7ab, "3"},  {0xa7b2, "j"},  {0xa7b3, "x"},  {0xa7b4, "b"},  {0xa7b5, "b"},  {0xab32, "e"},
    {0xab35, "f"},  {0xab3d, "o"},  {0xab3e, "o"},  {0xab47, "r"},  {0xab48, "r"},  {0xab4e, "u"},
    {0xab52, "u"},  {0xab5a, "y"},  {0xab63, "uo"}, {0xab74, "o"},  {0xab75, "i"},  {0xab81, "r"},
    {0xab83, "w"},  {0xab8e, "o"},  {0xab93, "z"},  {0xab9c, "u"},  {0xaba9, "v"},  {0xabaa, "s"},
    {0xabaf, "c"},  {0xabbb, "o"},
};

static int by_code(const void *wanted, const void *entry)
{
    int32_t code = *(const int32_t *)wanted, here = ((const struct lookalike *)entry)->code;

    return code < here ? -1 : code > here;
}

const char *confusable_letters(int32_t code)
{
    const struct lookalike *twin =
        bsearch(&code, twins, sizeof twins / sizeof *twins, sizeof *twins, by_code);

    return twin ? twin->letters : NULL;
}

enum { LONGEST = 32 }; /* no character decomposes into more than 18 */

/* Reports whether it is a mark used with letters of any script; marks of one script are part of its
 * letters. */
static bool is_accent(int32_t code)
{
    return (code >= 0x300 && code <= 0x36f) || (code >= 0x1ab0 && code <= 0x1aff) ||
           (code >= 0x1dc0 && code <= 0x1dff) || (code >= 0x20d0 && code <= 0x20ff) ||
           (code >= 0xfe20 && code <= 0xfe2f);
}

/* Maps ASCII characters that look alike to one of them. */
static char plain_letter(char c)
{
    static const char from[] = "iIL1|!0_. ", to[] = "llllllo---";
    const char *found = strchr(from, c);

    if (found)
        return to[found - from];
    return fold_char(c);
}

/* Appends a letter; two narrow letters that look like a wide one become that one. */
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
    const char *letters = confusable_letters(code);
    utf8proc_ssize_t count = 1;

    folded[0] = code;
    if (!letters && code >= 0x80) {
        count = utf8proc_decompose_char(code, folded, LONGEST, UTF8PROC_CASEFOLD, &boundary);
        letters = count == 1 ? confusable_letters(folded[0]) : NULL;
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

void confusable_skeleton(struct str *out, struct span name)
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
        else if (!sanitize_is_hidden(code))
            count = utf8proc_decompose_char(code, parts, LONGEST, options, &boundary);
        for (utf8proc_ssize_t i = 0; i < count && i < LONGEST; i++)
            if (!is_accent(parts[i]))
                put_code(out, start, parts[i]);
    }
}

bool confusable_same(struct span a, struct span b)
{
    CLEANUP(str_free) struct str one = {0}, two = {0};

    if (span_eq(a, b))
        return false;
    confusable_skeleton(&one, a);
    confusable_skeleton(&two, b);
    return one.len && span_eq(str_span(&one), str_span(&two));
}

/* Maps characters that no decomposition turns into an ASCII sign. */
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

char confusable_ascii(int32_t code)
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
    const char *letters = confusable_letters(parts[0]);
    if (letters && letters[0] && !letters[1])
        return fold_char(letters[0]);
    return plain_sign(parts[0]);
}

/* Scripts whose letters could be mistaken for those of another. SCRIPT_ANY, which mixes with all of
 * them, is for signs, digits, and scripts whose letters look like none of these (Chinese, Japanese
 * and others). */
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

bool confusable_mixes(struct span name)
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

bool confusable_hides(struct span name)
{
    struct sanitize_cursor cursor = {.rest = name, .mode = SANITIZE_LINE};
    struct sanitize_piece piece;

    while (sanitize_next(&cursor, &piece))
        if (piece.escaped)
            return true;
    return false;
}
