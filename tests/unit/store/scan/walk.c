/* Tests walking: walking one entry gives what a full walk gives for it. */
#include "tests/unit/support.h"

#include "store/scan/walk.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct place_rule rules[] = {
    {"{box}/*.json", false}, {"{box}/archive/*.json", true}, {"teams/{team}/in/{box}.md", false}};
enum { RULES = sizeof rules / sizeof *rules };

static struct tmp tmp;
static struct str seen; /* a line for each found entry */

static void pass(struct walker *walker, int fd, struct span dir)
{
    struct stat st;

    (void)walker;
    cr_assert(fstat(fd, &st) == 0 && S_ISDIR(st.st_mode));
    str_addf(&seen, "pass %s\n", dir.at);
}

static void meet(struct walker *walker, const struct found *found)
{
    (void)walker;
    str_addf(&seen, "%s %s/%s %d %.*s %.*s%s\n", found->problem ? "problem" : "file", found->dir.at,
             found->name.at, (int)(found->rule - rules), (int)found->names.team.len,
             found->names.team.at ? found->names.team.at : "", (int)found->names.box.len,
             found->names.box.at ? found->names.box.at : "", found->regular ? "" : " odd");
}

static struct walker walker = {.rules = rules, .rule_count = RULES, .pass = pass, .found = meet};

static void make(void)
{
    tmp_make(&tmp);
    tmp_write(&tmp, "bob/1.json", span_of("{}"));
    tmp_write(&tmp, "bob/.2.json", span_of("{}"));
    tmp_write(&tmp, "bob/3.txt", span_of("{}"));
    tmp_write(&tmp, "bob/archive/4.json", span_of("{}"));
    tmp_write(&tmp, "eve/archive", span_of("a file"));
    tmp_write(&tmp, "dan/5.json/inside", span_of("a directory"));
    tmp_write(&tmp, "teams/web/in/ann.md", span_of("x"));
    tmp_write(&tmp, "loose", span_of("x"));
    cr_assert(symlinkat("bob", tmp.fd, "link") == 0);
}

static void clear(void)
{
    str_free(&seen);
    tmp_remove(&tmp);
}

TestSuite(walk, .init = make, .fini = clear);

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Compares the sorted lines of all found entries with `want`. */
static void assert_met(const char *want)
{
    char *lines[64], *save = NULL;
    struct str sorted = {0};
    size_t count = 0;

    str_putc(&seen, '\n'); /* so that strtok_r() has a text */
    for (char *line = strtok_r(seen.at, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t i = 0; i < count; i++)
        str_addf(&sorted, "%s\n", lines[i]);
    cr_assert_str_eq(str_c(&sorted), want);
    str_free(&sorted);
    str_clear(&seen);
}

static void check_dir(const char *dir, const char *name)
{
    str_clear(&seen);
    walk_entry(&walker, tmp.fd, span_of(dir), span_of(name));
}

Test(walk, everything_is_met_and_each_directory_passed_once)
{
    struct err err;

    cr_assert(walk_tree(&walker, tmp.fd, &err));
    assert_met("file bob/1.json 0  bob\n"
               "file bob/archive/4.json 1  bob\n"
               "file dan/5.json 0  dan odd\n"
               "file teams/web/in/ann.md 2 web ann\n"
               "pass \n"
               "pass bob\n"
               "pass bob/archive\n"
               "pass dan\n"
               "pass eve\n"
               "pass teams\n"
               "pass teams/web\n"
               "pass teams/web/in\n"
               "problem /link 0  link odd\n"
               "problem eve/archive 1  eve odd\n");
}

Test(walk, an_entry_is_met_with_all_beneath)
{
    check_dir("", "bob");
    assert_met("file bob/1.json 0  bob\n"
               "file bob/archive/4.json 1  bob\n"
               "pass bob\n"
               "pass bob/archive\n");
    check_dir("", "teams");
    assert_met("file teams/web/in/ann.md 2 web ann\n"
               "pass teams\n"
               "pass teams/web\n"
               "pass teams/web/in\n");
    check_dir("bob", "archive");
    assert_met("file bob/archive/4.json 1  bob\n"
               "pass bob/archive\n");
    check_dir("teams/web", "in");
    assert_met("file teams/web/in/ann.md 2 web ann\n"
               "pass teams/web/in\n");
}

Test(walk, a_file_is_an_entry_as_well)
{
    check_dir("bob", "1.json");
    assert_met("file bob/1.json 0  bob\n");
    check_dir("dan", "5.json");
    assert_met("file dan/5.json 0  dan odd\n");
    check_dir("teams/web/in", "ann.md");
    assert_met("file teams/web/in/ann.md 2 web ann\n");
}

Test(walk, an_entry_that_leads_nowhere_is_a_problem)
{
    check_dir("", "link");
    assert_met("problem /link 0  link odd\n");
    check_dir("eve", "archive");
    assert_met("problem eve/archive 1  eve odd\n");
}

/* Each row: a directory and a name for which nothing is found. */
static const char *const nothing[][2] = {
    {"", "loose"},
    {"", "absent"},
    {"absent", "1.json"},
    {"bob", ".2.json"},
    {"bob", "3.txt"},
    {"bob", "absent.json"},
    {"bob/archive", "deep"},
    {"link", "1.json"},
    {"loose", "1.json"},
    {"teams/web", "config.md"},
    {"bob/nowhere", "1.json"},
};

Test(walk, nothing_is_met_where_nothing_is_or_no_rule_leads)
{
    char name[400];

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        check_dir(nothing[i][0], nothing[i][1]);
        cr_assert_str_eq(str_c(&seen), "", "%s/%s", nothing[i][0], nothing[i][1]);
    }
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    check_dir("", name);
    cr_assert_str_eq(str_c(&seen), "");
    walk_entry(&walker, -1, span_of("bob"), span_of("1.json"));
    cr_assert_str_eq(str_c(&seen), "");
}

static void meet_one(struct walker *meeting, const struct found *found)
{
    *(int *)meeting->context += !found->problem;
    meeting->enough = !found->problem;
}

Test(walk, ends_where_enough_was_met)
{
    int met = 0;
    struct walker one = {.rules = rules, .rule_count = RULES, .found = meet_one, .context = &met};
    struct err err;

    cr_assert(walk_tree(&one, tmp.fd, &err));
    cr_assert_eq(met, 1);
}
