/* Tests the checks of the doctor that read no disk. */
#include "tests/unit/support.h"

#include "base/thread.h"
#include "store/doctor/doctor_private.h"

#include <sys/wait.h>
#include <unistd.h>

Test(doctor, a_name_of_two_scripts_or_with_hidden_characters_is_a_trick)
{
    cr_assert_null(doctor_name_trick(span_of("team-lead")));
    cr_assert_null(doctor_name_trick(span_of("M\xc3\xbcller 2")));
    cr_assert_null(doctor_name_trick(span_of("\xd0\xb8\xd0\xb2\xd0\xb0\xd0\xbd-1"))); /* Cyrillic */
    cr_assert_null(doctor_name_trick(span_of("\xe5\xb7\xa5\xe4\xba\xba")));
    cr_assert_not_null(doctor_name_trick(span_of("te\xd0\xb0m-lead")));
    cr_assert_not_null(doctor_name_trick(span_of("bob\xe2\x80\x8b"))); /* a zero-width space */
    cr_assert_not_null(doctor_name_trick(span_of("bob\x1b[2J")));
}

static void expect_word(const char *word, const char *expected)
{
    struct str out = {0};

    doctor_add_word(&out, span_of(word));
    assert_span(str_span(&out), expected);
    str_free(&out);
}

Test(doctor, what_an_advice_tells_to_type_means_itself_to_a_shell)
{
    expect_word("MSG-0001", "MSG-0001");
    expect_word("coordinator/17-pm-x.json", "coordinator/17-pm-x.json");
    expect_word("$(date +%s)-x.json", "'$(date +%s)-x.json'");
    expect_word("it's", "'it'\\''s'");
    expect_word("", "''");
}

Test(doctor, a_process_has_ended_only_when_nobody_has_its_number)
{
    int child = fork();

    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
    cr_assert(process_has_ended(child));
    cr_assert_not(process_has_ended(getpid()));
    cr_assert_not(process_has_ended(1)); /* whoever owns it */
}

static void expect_staged(const char *name, int pid, const char *target)
{
    struct span found;
    pid_t owner;

    cr_assert(file_is_staged_name(span_of(name), &owner, &found), "%s", name);
    cr_assert_eq(owner, pid);
    assert_span(found, target);
}

Test(doctor, names_of_staged_files_tell_their_process)
{
    const char *others[] = {"bob.json.12.0123abcd.tmp",
                            ".bob.json.12.0123abcd",
                            ".bob.json.tmp",
                            ".bob.json.12.0123-abc.tmp",
                            ".bob.json.x.0123abcd.tmp",
                            ".bob.json.12.012.tmp",
                            ".12.0123abcd.tmp",
                            "..0123abcd.tmp",
                            ".bob.json.0.0123abcd.tmp",
                            ".bob.json.99999999999.0123abcd.tmp",
                            ".tmp"};
    struct span target;
    pid_t pid;

    expect_staged(".bob.json.12.0123abcd.tmp", 12, "bob.json");
    expect_staged(".x.4194304.ffffffff.tmp", 4194304, "x");
    expect_staged(".bob.json.12.a1B2c3.tmp", 12, "bob.json");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(file_is_staged_name(span_of(others[i]), &pid, &target), "%s", others[i]);
}

Test(doctor, every_check_has_a_word_of_its_own_and_asks_before_it_repairs)
{
    for (const struct doctor_check *check = doctor_checks; check->word; check++) {
        cr_assert(check->check);
        cr_assert(!check->fix || (check->deed && check->one && check->many), "%s", check->word);
        for (const struct doctor_check *other = doctor_checks; other < check; other++)
            cr_assert_str_neq(check->word, other->word);
    }
}
