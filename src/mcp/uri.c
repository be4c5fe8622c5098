/* URIs of resources, with percent-encoding. */
#include "mcp/uri.h"

#include "base/text/utf8.h"

#include <ctype.h>

static const char *const starts[] = {
    [URI_MESSAGE] = "swarmutt://message/", [URI_THREAD] = "swarmutt://thread/"};

void uri_add(struct str *out, enum uri_kind kind, struct span id)
{
    str_puts(out, starts[kind]);
    for (size_t i = 0; i < id.len; i++) {
        unsigned char c = (unsigned char)id.at[i];
        if (c < 0x80 && (isalnum(c) || strchr("-._~", c)) && c)
            str_putc(out, (char)c);
        else
            str_addf(out, "%%%02X", c);
    }
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(struct span text, struct str *out)
{
    str_clear(out);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != '%') {
            str_putc(out, text.at[i]);
            continue;
        }
        if (text.len - i < 3 || digit(text.at[i + 1]) < 0 || digit(text.at[i + 2]) < 0)
            return false;
        str_putc(out, (char)(digit(text.at[i + 1]) * 16 + digit(text.at[i + 2])));
        i += 2;
    }
    return out->len && !memchr(out->at, '\0', out->len) && utf8_valid(str_span(out));
}

bool uri_read(struct span uri, enum uri_kind *kind, struct str *id)
{
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct span start = span_of(starts[i]);
        if (!span_starts(uri, start))
            continue;
        *kind = i;
        return decode((struct span){uri.at + start.len, uri.len - start.len}, id);
    }
    return false;
}
