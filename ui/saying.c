/* What is said at the foot. */
#include "ui/saying.h"

void saying_free(struct saying *saying)
{
    str_free(&saying->said);
    str_free(&saying->failed);
}

void saying_say(struct saying *saying, enum look look, const char *text)
{
    str_set(&saying->said, span_of(text));
    saying->look = look;
}

void saying_fail(struct saying *saying, const char *text)
{
    str_clear(&saying->said); /* "sending ..." is over */
    str_set(&saying->failed, span_of(text));
    saying->shown = false;
}

void saying_show(struct saying *saying, int64_t now_us)
{
    if (!saying->shown)
        saying->shown_us = now_us;
    saying->shown = true;
}

void saying_key(struct saying *saying, int64_t now_us)
{
    str_clear(&saying->said);
    if (saying->shown && now_us - saying->shown_us >= SAYING_MOMENT_US)
        str_clear(&saying->failed);
}
