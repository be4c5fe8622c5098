/* Tests completion: the matches, their order, and how Tab goes through them. */
#include "tests/unit/support.h"

#include "ui/widget/completion.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct completion completion;
static struct tmp tmp;

static void stop(void)
{
    complete_free(&completion);
}

static void start_files(void)
{
    tmp_make(&tmp);
}

static void stop_files(void)
{
    tmp_remove(&tmp);
    stop();
}

TestSuite(complete, .fini = stop);
TestSuite(complete_files, .init = start_files, .fini = stop_files);

static void add(const char *text, int rank)
{
    complete_add(&completion, span_of(text), span_of("note"), rank);
}

/* Compares the matches in order, separated by blanks. */
static void expect_matches(const char *typed, const char *wanted)
{
    struct str got = {0};
    size_t matches = complete_open(&completion, span_of(typed));

    for (size_t i = 0; i < matches; i++)
        str_addf(&got, "%s%s", i ? " " : "", completion.candidates[i].text.at);
    assert_span(str_span(&got), wanted);
    str_free(&got);
}

Test(complete, starts_come_before_parts_before_loose_ones)
{
    add("prebuild", 0);
    add("build", 5);
    add("b-u-i-l-d", 0);
    add("tester", 0);
    add("Builder-1", 0);
    expect_matches("bUi", "Builder-1 build prebuild b-u-i-l-d");
    expect_matches("zzz", "");
    expect_matches("r-1", "Builder-1");
}

Test(complete, without_anything_typed_all_are_offered_by_rank_and_name)
{
    add("b", 1);
    add("A", 1);
    add("a", 1);
    add("z", 0);
    add("", 0);
    expect_matches("", "z A a b");
}

Test(complete, a_name_added_twice_is_offered_once)
{
    add("ann", 3);
    add("bob", 2);
    add("ann", 1);
    add("ann", 9);
    expect_matches("", "ann bob");
}

Test(complete, characters_are_compared_whole)
{
    add("\xc3\x84rger", 0);
    expect_matches("\xc3\xa4", "\xc3\x84rger");
    expect_matches("\xc3\xb6", "");
    expect_matches("\xc3\xa4g", "\xc3\x84rger");
}

Test(complete, first_comes_what_all_have_in_common)
{
    add("builder-1", 0);
    add("builder-2", 0);
    add("rebuild", 0);
    complete_open(&completion, span_of("BU"));
    assert_span(complete_next(&completion), "builder-");
    assert_span(complete_next(&completion), "builder-1");
    assert_span(complete_next(&completion), "builder-2");
    assert_span(complete_next(&completion), "rebuild");
    assert_span(complete_next(&completion), "BU");
    assert_span(complete_next(&completion), "builder-1");
    assert_span(complete_previous(&completion), "BU");
    assert_span(complete_previous(&completion), "rebuild");
}

Test(complete, nothing_in_common_goes_to_the_first_match_at_once)
{
    add("builder", 0);
    add("bob", 0);
    complete_open(&completion, span_of("b"));
    assert_span(complete_next(&completion), "bob");
    assert_span(complete_next(&completion), "builder");
}

Test(complete, parts_have_nothing_in_common_with_what_was_typed)
{
    add("rebuild", 0);
    add("reboot", 0);
    complete_open(&completion, span_of("b"));
    assert_span(complete_next(&completion), "reboot");
}

Test(complete, the_only_match_is_not_offered_twice)
{
    add("builder", 0);
    complete_open(&completion, span_of("bu"));
    assert_span(complete_next(&completion), "builder");
    assert_span(complete_next(&completion), "bu");
    assert_span(complete_next(&completion), "builder");
}

Test(complete, names_that_differ_in_case_have_their_start_in_common)
{
    add("BUILDER", 0);
    add("buildings", 0);
    complete_open(&completion, span_of("b"));
    assert_span(complete_next(&completion), "BUILD");
}

Test(complete, without_matches_what_was_typed_stays)
{
    complete_open(&completion, span_of("x"));
    assert_span(complete_next(&completion), "x");
    assert_span(complete_next(&completion), "x");
    assert_span(complete_previous(&completion), "x");
    complete_open(&completion, (struct span){0});
    assert_span(complete_next(&completion), "");
}

static void expect_files(const char *typed, const char *wanted)
{
    complete_free(&completion);
    complete_add_files(&completion, span_of(typed), tmp.path);
    expect_matches(typed, wanted);
}

Test(complete_files, names_and_directories_are_offered)
{
    tmp_write(&tmp, "src/index.c", span_of(""));
    tmp_write(&tmp, "src/Index.h", span_of(""));
    tmp_write(&tmp, "src/deep/x", span_of(""));
    tmp_write(&tmp, "srm", span_of(""));
    cr_assert(symlinkat("src", tmp.fd, "link") == 0);
    expect_files("", "link/ src/ srm");
    expect_files(NULL, "link/ src/ srm");
    expect_files("sr", "src/ srm");
    expect_files("src/", "src/deep/ src/index.c src/Index.h");
    expect_files("src/in", "src/index.c src/Index.h");
    expect_files("src/ixc", "src/index.c");
    expect_files("link/d", "link/deep/ link/index.c link/Index.h");
    expect_files("no/such", "");
    expect_files("srm/", "");
}

Test(complete_files, hidden_ones_are_offered_when_asked_for)
{
    tmp_write(&tmp, ".config", span_of(""));
    tmp_write(&tmp, "config", span_of(""));
    expect_files("", "config");
    expect_files("conf", "config");
    expect_files(".", ".config");
}

Test(complete_files, names_that_are_not_plain_text_are_left_out)
{
    tmp_write(&tmp, "a\nb", span_of(""));
    tmp_write(&tmp, "a\x1b[31m", span_of(""));
    tmp_write(&tmp, "a\xff", span_of(""));
    tmp_write(&tmp, "a b", span_of(""));
    expect_files("a", "a b");
}

Test(complete_files, a_path_may_start_at_the_root_or_at_home)
{
    struct str typed = {0};

    tmp_write(&tmp, "sub/file", span_of(""));
    str_addf(&typed, "%s/su", tmp.path);
    complete_add_files(&completion, str_span(&typed), "/no/such/place");
    cr_assert_eq(complete_open(&completion, str_span(&typed)), 1);
    str_addf(&typed, "b/");
    assert_span(complete_next(&completion), str_c(&typed));
    str_free(&typed);

    setenv("HOME", tmp.path, 1);
    expect_files("~/sub/f", "~/sub/file");
}

Test(complete_files, a_full_directory_is_not_read_to_its_end)
{
    char name[32];

    for (int i = 0; i < COMPLETE_FILES + 20; i++) {
        snprintf(name, sizeof name, "f%d", i);
        tmp_write(&tmp, name, span_of(""));
    }
    tmp_write(&tmp, "other", span_of(""));
    complete_add_files(&completion, span_of("f"), tmp.path);
    cr_assert_eq(completion.count, COMPLETE_FILES);
    complete_free(&completion);
    complete_add_files(&completion, span_of("oth"), tmp.path);
    cr_assert_eq(completion.count, 1);
}
