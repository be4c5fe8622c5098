/* Tests progress.md: the line is added in its place, and every other byte stays. */
#include "tests/unit/support.h"

#include "store/layouts/roo.h"

#include <stdint.h>

static void assert_added(const char *log, const char *section, const char *want)
{
    struct str out = {0};

    progress_add(&out, span_of(log), section, span_of("NEW"));
    cr_assert_str_eq(str_c(&out), want, "of \"%s\" became \"%s\"", log, str_c(&out));
    str_free(&out);
}

static const char template[] =
    "# Progress Log\n\n## Completed Tasks\n\n- \n\n## Next Steps\n\n- \n\n"
    "## Blockers\n\n- ";

Test(progress, the_only_and_empty_bullet_is_replaced)
{
    assert_added(template, "Completed Tasks",
                 "# Progress Log\n\n## Completed Tasks\n\n- NEW\n\n## Next Steps\n\n- \n\n"
                 "## Blockers\n\n- ");
    assert_added(template, "Blockers",
                 "# Progress Log\n\n## Completed Tasks\n\n- \n\n## Next Steps\n\n- \n\n"
                 "## Blockers\n\n- NEW");
    assert_added("## Blockers\n*\n", "Blockers", "## Blockers\n* NEW\n");
    assert_added("## Blockers\r\n-  \r\n\r\n", "Blockers", "## Blockers\r\n- NEW\r\n\r\n");
}

Test(progress, an_empty_bullet_that_is_indented_stays_indented)
{
    assert_added("## Blockers\n  -\n", "Blockers", "## Blockers\n  - NEW\n");
}

Test(progress, an_empty_bullet_beside_others_stays)
{
    assert_added("## Blockers\n- a\n- \n", "Blockers", "## Blockers\n- a\n- \n- NEW\n");
    assert_added("## Blockers\n- \n- a\n", "Blockers", "## Blockers\n- \n- a\n- NEW\n");
}

Test(progress, a_line_goes_to_the_end_of_its_section)
{
    assert_added("## Completed Tasks\n\n- a\n- b\n\n## Blockers\n\n- c\n", "Completed Tasks",
                 "## Completed Tasks\n\n- a\n- b\n- NEW\n\n## Blockers\n\n- c\n");
    assert_added("## Completed Tasks\n- a\n  more of it\n\n\n# Other\n", "Completed Tasks",
                 "## Completed Tasks\n- a\n  more of it\n- NEW\n\n\n# Other\n");
    assert_added("## Completed Tasks\n- a\n### Phase 2\n- b\n## Next Steps", "Completed Tasks",
                 "## Completed Tasks\n- a\n### Phase 2\n- b\n- NEW\n## Next Steps");
    assert_added("## Completed Tasks\n- a\n\n---\n\n## Next Steps\n", "Completed Tasks",
                 "## Completed Tasks\n- a\n- NEW\n\n---\n\n## Next Steps\n");
    assert_added("## Completed Tasks\nprose", "Completed Tasks",
                 "## Completed Tasks\nprose\n- NEW");
    assert_added("## Completed Tasks\n\n## Next Steps\n", "Completed Tasks",
                 "## Completed Tasks\n- NEW\n\n## Next Steps\n");
    assert_added("## Completed Tasks", "Completed Tasks", "## Completed Tasks\n- NEW");
}

Test(progress, a_line_across_the_page_is_no_end_that_says_something)
{
    assert_added("## Blockers\n- a\n\n* *\t*\n", "Blockers", "## Blockers\n- a\n- NEW\n\n* *\t*\n");
}

Test(progress, a_byte_that_is_no_text_is_neither_a_rule_nor_a_bullet)
{
    static const char log[] = "## Blockers\n\0\0\0\n-\ta\n";
    struct span whole = {log, sizeof log - 1};
    struct str out = {0};

    progress_add(&out, whole, "Blockers", span_of("NEW"));
    cr_assert_eq(out.len, whole.len + strlen("- NEW\n"));
    cr_assert_eq(memcmp(out.at, log, whole.len), 0);
    cr_assert_str_eq(out.at + whole.len, "- NEW\n");
    str_free(&out);
}

Test(progress, of_two_sections_of_one_name_the_first_gets_the_line)
{
    assert_added("## Blockers\n- a\n## Blockers\n- b\n", "Blockers",
                 "## Blockers\n- a\n- NEW\n## Blockers\n- b\n");
}

Test(progress, the_bullets_of_the_section_are_taken_up)
{
    assert_added("## Completed Tasks\n* a\n    - part\n", "Completed Tasks",
                 "## Completed Tasks\n* a\n    - part\n* NEW\n");
    assert_added("- other\n## Completed Tasks\n* a\n## Blockers\n- c\n", "Completed Tasks",
                 "- other\n## Completed Tasks\n* a\n* NEW\n## Blockers\n- c\n");
    assert_added("## Completed Tasks\n**bold**\n", "Completed Tasks",
                 "## Completed Tasks\n**bold**\n- NEW\n");
}

Test(progress, line_ends_and_a_missing_last_one_stay)
{
    assert_added("# P\r\n## Completed Tasks\r\n- a\r\n## B\r\n", "Completed Tasks",
                 "# P\r\n## Completed Tasks\r\n- a\r\n- NEW\r\n## B\r\n");
    assert_added("# P\r\n## Completed Tasks\r\n- a", "Completed Tasks",
                 "# P\r\n## Completed Tasks\r\n- a\r\n- NEW");
    assert_added("# P\n## Completed Tasks\n- a \t", "Completed Tasks",
                 "# P\n## Completed Tasks\n- a \t\n- NEW");
    assert_added("# P\r\n## Blockers\n- a\n- b", "Blockers",
                 "# P\r\n## Blockers\n- a\n- b\r\n- NEW");
    assert_added("\xef\xbb\xbf# P\n\xff\n## Blockers \n- \x01\n", "Blockers",
                 "\xef\xbb\xbf# P\n\xff\n## Blockers \n- \x01\n- NEW\n");
}

Test(progress, a_heading_inside_code_is_none)
{
    assert_added("```\n## Blockers\n- \n```\n## Blockers\n- a\n", "Blockers",
                 "```\n## Blockers\n- \n```\n## Blockers\n- a\n- NEW\n");
    assert_added("## Blockers\n- a\n~~~\n# x\n- \n~~~\n## B\n", "Blockers",
                 "## Blockers\n- a\n~~~\n# x\n- \n~~~\n- NEW\n## B\n");
}

Test(progress, a_missing_section_is_added_at_the_end)
{
    assert_added("# Progress\n\n* a\n", "Completed Tasks",
                 "# Progress\n\n* a\n\n\n## Completed Tasks\n- NEW\n");
    assert_added("# Progress", "Blockers", "# Progress\n\n## Blockers\n- NEW\n");
    assert_added("# Progress\r\n", "Blockers", "# Progress\r\n\r\n\r\n## Blockers\r\n- NEW\r\n");
    assert_added("## Completed Tasks of old\n### Completed Tasks\n#Completed Tasks\n",
                 "Completed Tasks",
                 "## Completed Tasks of old\n### Completed Tasks\n#Completed Tasks\n\n\n"
                 "## Completed Tasks\n- NEW\n");
}

Test(progress, a_log_that_does_not_exist_starts_as_the_memory_bank_has_it)
{
    const char *want = "# Progress Log\n\n## Completed Tasks\n\n- NEW\n\n## Next Steps\n\n- \n\n"
                       "## Blockers\n\n- ";
    struct str out = {0};

    progress_add(&out, (struct span){0}, "Completed Tasks", span_of("NEW"));
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
    assert_added("", "Completed Tasks", want);
}

Test(progress, text_of_others_stays_in_one_line)
{
    static const struct {
        struct span text;
        size_t most;
        const char *want;
    } cases[] = {
        {{" a b ", 5}, SIZE_MAX, "a b"},
        {{"a\r\nb\tc\xe2\x80\xa8"
          "d\xc2\x85"
          "e",
          13},
         SIZE_MAX,
         "a  b c d e"},
        {{"a\x1b[2J\x7f\0", 7}, SIZE_MAX, "a\xef\xbf\xbd[2J\xef\xbf\xbd\xef\xbf\xbd"},
        {{"a\xe2\x80\xa9"
          "b\xc2\xa0"
          "c\xed\xa0\x80\xee\x80\x80",
          14},
         SIZE_MAX,
         "a b\xc2\xa0"
         "c\xef\xbf\xbd\xee\x80\x80"},
        {{"\xe2\x80\xaf\xe2\x81\xa6x\xe2\x81\xa9\xe2\x81\xaa\xe2\x80\xa7", 16},
         SIZE_MAX,
         "\xe2\x80\xaf\xef\xbf\xbdx\xef\xbf\xbd\xe2\x81\xaa\xe2\x80\xa7"},
        {{"\xe2\x80\xaex\xff", 5}, SIZE_MAX, "\xef\xbf\xbdx\xef\xbf\xbd"},
        {{"\xc3\xa9\xc3\xa9\xc3\xa9", 6}, 3, "\xc3\xa9\xc3\xa9\xc3\xa9"},
        {{"\xc3\xa9\xc3\xa9\xc3\xa9", 6}, 2, "\xc3\xa9\xc3\xa9..."},
        {{NULL, 0}, SIZE_MAX, ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        progress_add_text(&out, cases[i].text, cases[i].most);
        cr_assert_str_eq(str_c(&out), cases[i].want, "case %zu: %s", i, str_c(&out));
        str_free(&out);
    }
}
