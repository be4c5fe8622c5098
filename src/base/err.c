/* Errors: setting the sentence and prefixing it. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, enum err_scope scope, const char *format, ...)
{
    va_list args;

    if (!err)
        return false;
    err->scope = scope;
    err->about = NULL;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return false;
}

bool err_about(struct err *err, const char *name)
{
    if (err)
        err->about = name;
    return false;
}

static bool put_before(struct err *err, const char *where, const char *mark)
{
    char rest[sizeof err->text];

    if (!err)
        return false;
    memcpy(rest, err->text, sizeof rest);
    size_t used = (size_t)snprintf(err->text, sizeof err->text, "%s%s", where, mark);
    if (used < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - used, "%s", rest);
    return false;
}

bool err_at(struct err *err, const char *where)
{
    return put_before(err, where, ": ");
}

bool err_beneath(struct err *err, const char *dir)
{
    return dir[0] ? put_before(err, dir, "/") : false;
}
