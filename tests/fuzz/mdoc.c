/* Manual pages: any page becomes lines, without a character that the page has not, and ASCII where
 * that is asked for. */
#include "base/text/mdoc.h"

#include "base/text/utf8.h"
#include "fuzz.h"

static void check(struct span page, size_t columns, bool ascii)
{
    struct str out = {0};

    mdoc_add(&out, page, columns, ascii);
    if (utf8_valid(page)) {
        require(!out.len || out.at[out.len - 1] == '\n', "the last line has no end");
        require(utf8_valid(str_span(&out)), "not UTF-8");
    }
    for (size_t i = 0; i < out.len; i++)
        require((unsigned char)out.at[i] < 0x80 || !ascii || memchr(page.at, out.at[i], page.len),
                "byte %02x", (unsigned char)out.at[i]);
    str_free(&out);
}

void fuzz_mdoc(struct span input)
{
    size_t columns = 1 + fuzz_byte(&input) % 100;

    check(input, columns, true);
    check(input, columns, false);
}
