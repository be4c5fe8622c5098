/* Shared by the tests of composing. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_COMPOSE_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_COMPOSE_SUPPORT_H

#include "tests/unit/support.h"

#include "store/format/format.h"

/* Asserts that the layout refuses the draft, with a sentence that contains these words. */
static inline void assert_refused(const struct format *format, const struct draft *draft,
                                  const char *reason)
{
    struct str name = {0}, bytes = {0}, id = {0};
    struct err err = {0};

    cr_assert_not(format_compose(format, draft, &name, &bytes, &id, &err), "%s: %s", reason,
                  str_c(&bytes));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_not_null(strstr(err.text, reason), "%s", err.text);
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
}

#endif
