/* Shared by the tests of the JSON scanner and of its strings. */
#ifndef TESTS_UNIT_BASE_JSON_JSON_SUPPORT_H
#define TESTS_UNIT_BASE_JSON_JSON_SUPPORT_H

#include "tests/unit/support.h"

#include "base/json/json.h"

static inline struct json scanned(const char *text)
{
    struct json value;
    struct err err;

    cr_assert(json_scan(span_of(text), JSON_PYTHON, &value, &err), "%s: %s", text, err.text);
    return value;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
