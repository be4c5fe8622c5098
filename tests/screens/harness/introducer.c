/* A terminal without controls. */
#include "introducer.h"

#include "tests/unit/support.h"

#include <limits.h>
#include <stdlib.h>

static const char letter[] = "\xe2\xa6\x80"; /* U+2980, as in no_escape.ti */

void introducer_find(struct str *variable)
{
    char path[PATH_MAX];

    cr_assert_not_null(realpath("tests/terminfo", path), "make check makes tests/terminfo");
    setenv("TERMINFO", path, 1);
    str_addf(variable, "TERMINFO=%s", path);
}

void introducer_free(struct introducer *introducer)
{
    str_free(&introducer->pending);
    str_free(&introducer->last);
}

static void pass(struct introducer *introducer, struct scan *scan, struct str *out)
{
    static const char end[] = "[?1049l"; /* the person's screen is back; a return follows */
    struct span bytes = str_span(&introducer->pending);

    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        bool own = c == '\r' && span_is(str_span(&introducer->last), end);
        if ((c < 0x20 || c == 0x7f) && !own)
            scan_add_problem(scan, "a control of a text", (struct span){bytes.at + i, 1});
        str_putc(out, bytes.at[i]);
        if (introducer->last.len < sizeof end)
            str_putc(&introducer->last, bytes.at[i]);
    }
    str_clear(&introducer->pending);
}

void introducer_feed(struct introducer *introducer, struct span bytes, struct scan *scan,
                     struct str *out)
{
    struct str *pending = &introducer->pending;

    for (size_t i = 0; i < bytes.len; i++) {
        str_putc(pending, bytes.at[i]);
        if (!span_starts(span_of(letter), str_span(pending))) {
            pass(introducer, scan, out);
        } else if (pending->len == strlen(letter)) {
            str_putc(out, '\x1b');
            str_clear(pending);
            str_clear(&introducer->last);
        }
    }
}
