/* Tests errors: one sentence, prefixed at each level, cut to the size of its buffer. */
#include "tests/unit/support.h"

#include "base/err.h"

Test(err, setting_fills_scope_and_sentence_and_returns_false)
{
    struct err err = {0};

    cr_assert_not(err_set(&err, ERR_BOX, "line %d: %s", 12, "\"from\" is not a string"));
    cr_assert_eq(err.scope, ERR_BOX);
    cr_assert_str_eq(err.text, "line 12: \"from\" is not a string");
}

Test(err, setting_replaces_the_error_before)
{
    struct err err = {0};

    err_set(&err, ERR_SOURCE, "a long first sentence");
    err_set(&err, ERR_MESSAGE, "short");
    cr_assert_eq(err.scope, ERR_MESSAGE);
    cr_assert_str_eq(err.text, "short");
}

Test(err, a_place_is_put_before_the_sentence_and_the_scope_kept)
{
    struct err err = {0};

    err_set(&err, ERR_MESSAGE, "it is empty");
    cr_assert_not(err_at(&err, "bob.json"));
    cr_assert_not(err_at(&err, "inboxes"));
    cr_assert_eq(err.scope, ERR_MESSAGE);
    cr_assert_str_eq(err.text, "inboxes: bob.json: it is empty");
}

Test(err, a_place_with_percent_signs_is_taken_as_it_is)
{
    struct err err = {0};

    err_set(&err, ERR_MESSAGE, "%s", "100%s done");
    err_at(&err, "%n%s.json");
    cr_assert_str_eq(err.text, "%n%s.json: 100%s done");
}

Test(err, a_sentence_too_long_for_its_place_is_cut_and_terminated)
{
    struct err err = {0};
    char large[5000];

    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    err_set(&err, ERR_MESSAGE, "%s", large);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    err_at(&err, "where");
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    cr_assert(strncmp(err.text, "where: xxx", 10) == 0);
    err_at(&err, large);
    cr_assert_eq(strlen(err.text), sizeof err.text - 1);
    cr_assert_eq(err.text[0], 'x');
}
