/* Folding: runs of ASCII by hand, everything else through utf8proc. */
#include "base/text/fold.h"

#include "base/text/utf8.h"

#include <utf8proc.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Takes the ASCII off the front, which nearly all text is made of. */
static void add_ascii(struct str *out, struct span *rest)
{
    char *to = str_room(out, rest->len);
    size_t len = 0;

    for (; len < rest->len && (unsigned char)rest->at[len] < 0x80; len++)
        to[len] = lower(rest->at[len]);
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

    while (i < text.len && word[i] && lower(text.at[i]) == word[i])
        i++;
    return i == text.len && !word[i];
}
