/* UTF-8 and folding: runs of ASCII directly, everything else through utf8proc. */
#include "base/text/utf8.h"

#include <utf8proc.h>

/* Decoding through utf8proc, and surrogates, which it rejects. */

static bool is_surrogate(const unsigned char *at, size_t len)
{
    return len >= 3 && at[0] == 0xed && at[1] >= 0xa0 && at[1] <= 0xbf && at[2] >= 0x80 &&
           at[2] <= 0xbf;
}

int32_t utf8_next(struct span *rest)
{
    const unsigned char *at = (const unsigned char *)rest->at;
    utf8proc_int32_t code = UTF8_INVALID;
    utf8proc_ssize_t used = 1;

    if (at[0] < 0x80) {
        code = at[0];
    } else if (is_surrogate(at, rest->len)) {
        code = 0xd000 | (at[1] & 0x3f) << 6 | (at[2] & 0x3f);
        used = 3;
    } else {
        used = utf8proc_iterate(at, rest->len > 4 ? 4 : (utf8proc_ssize_t)rest->len, &code);
        if (used < 1) {
            used = 1;
            code = UTF8_INVALID;
        }
    }
    rest->at += used;
    rest->len -= (size_t)used;
    return code;
}

void utf8_add(struct str *out, int32_t code)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t len;

    if (code >= 0xd800 && code <= 0xdfff) {
        bytes[0] = 0xed;
        bytes[1] = (utf8proc_uint8_t)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (utf8proc_uint8_t)(0x80 | (code & 0x3f));
        len = 3;
    } else {
        len = utf8proc_encode_char(code, bytes);
    }
    str_add(out, (const char *)bytes, (size_t)len);
}

/* Returns the length of a start of the text that is all ASCII, found in steps of 32 bytes. */
static size_t ascii_start(struct span text)
{
    size_t i = 0;

    for (uint64_t words[4]; i + sizeof words <= text.len; i += sizeof words) {
        memcpy(words, text.at + i, sizeof words);
        if ((words[0] | words[1] | words[2] | words[3]) & UINT64_C(0x8080808080808080))
            break;
    }
    return i;
}

bool utf8_is_ascii(struct span text)
{
    size_t i = ascii_start(text);

    while (i < text.len && !(text.at[i] & 0x80))
        i++;
    return i == text.len;
}

static bool is_made_of(struct span text, bool surrogates)
{
    while (text.len) {
        size_t ascii = ascii_start(text);
        text.at += ascii;
        text.len -= ascii;
        if (!text.len)
            break;
        int32_t code = utf8_next(&text);
        if (code == UTF8_INVALID || (!surrogates && code >= 0xd800 && code <= 0xdfff))
            return false;
    }
    return true;
}

bool utf8_valid(struct span text)
{
    return is_made_of(text, false);
}

bool utf8_escapable(struct span text)
{
    return is_made_of(text, true);
}

struct span utf8_start(struct span text, size_t count)
{
    struct span rest = text;

    while (rest.len && count--)
        utf8_next(&rest);
    return (struct span){text.at, text.len - rest.len};
}

struct span utf8_without_mark(struct span text)
{
    if (span_starts(text, span_of("\xef\xbb\xbf")))
        text = (struct span){text.at + 3, text.len - 3};
    return text;
}

/* Folds the ASCII at the front, which nearly all text consists of. */
static void add_ascii(struct str *out, struct span *rest)
{
    char *to = str_room(out, rest->len);
    size_t len = 0;

    for (; len < rest->len && (unsigned char)rest->at[len] < 0x80; len++)
        to[len] = fold_char(rest->at[len]);
    to[len] = '\0';
    out->len += len;
    rest->at += len;
    rest->len -= len;
}

static void add_char(struct str *out, struct span *rest)
{
    enum { LONGEST = 8 }; /* no character becomes more than three */
    utf8proc_int32_t codes[LONGEST];
    const char *start = rest->at;
    int32_t code = utf8_next(rest);
    int boundary = 0;
    bool whole = code != UTF8_INVALID && (code < 0xd800 || code > 0xdfff);
    utf8proc_ssize_t count =
        whole ? utf8proc_decompose_char(code, codes, LONGEST, UTF8PROC_CASEFOLD, &boundary) : 0;

    if (count < 1 || count > LONGEST)
        str_add(out, start, (size_t)(rest->at - start));
    for (utf8proc_ssize_t i = 0; count <= LONGEST && i < count; i++)
        utf8_add(out, codes[i]);
}

void fold_add(struct str *out, struct span text)
{
    while (text.len) {
        add_ascii(out, &text);
        if (text.len)
            add_char(out, &text);
    }
}

bool fold_is(struct span text, const char *word)
{
    size_t i = 0;

    while (i < text.len && word[i] && fold_char(text.at[i]) == word[i])
        i++;
    return i == text.len && !word[i];
}
