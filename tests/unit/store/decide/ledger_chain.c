/* Tests the ledger's chain: every later change is found, and a crash is not mistaken for one. */
#include "ledger_support.h"

#include <sha2.h>
#include <sys/stat.h>

TestSuite(ledger_chain, .init = make_home, .fini = clear_ledger, .timeout = 300);

enum { LINES = 4 };

static struct str text;              /* the ledger as it was written */
static struct span lines[LINES + 1]; /* with their newlines */

static void write_lines(void)
{
    append_many(LINES);
    text = tmp_read(&tmp, LEDGER);
    struct span rest = str_span(&text);
    for (int i = 0; i < LINES; i++) {
        const char *newline = memchr(rest.at, '\n', rest.len);
        lines[i] = (struct span){rest.at, (size_t)(newline + 1 - rest.at)};
        rest.at += lines[i].len;
        rest.len -= lines[i].len;
    }
    cr_assert_eq(rest.len, 0);
}

/* Writes the ledger with its lines in another order; -1 ends it. */
static void rearrange(const int *order)
{
    struct str other = {0};

    for (; *order >= 0; order++)
        str_add_span(&other, lines[*order]);
    rewrite(str_span(&other));
    str_free(&other);
}

static void done(void)
{
    str_free(&text);
}

static void expect_sum(struct span of, const char *at)
{
    char sum[SHA256_DIGEST_STRING_LENGTH];

    SHA256Data((const uint8_t *)of.at, of.len, sum);
    cr_assert(memcmp(sum, at, LEDGER_SUM) == 0, "%s", at);
}

Test(ledger_chain, each_line_has_the_sum_of_the_one_before_and_its_own)
{
    static const char prev[] = "\"prev\":\"", sum[] = ",\"sum\":\"";

    write_lines();
    expect_whole(LINES, 0);
    assert_span(ledger.entries[0]->prev, ZEROS);
    for (int i = 0; i < LINES; i++) {
        struct span line = {lines[i].at, lines[i].len - 1};
        const char *own = memmem(line.at, line.len, sum, strlen(sum));
        expect_sum((struct span){line.at, (size_t)(own - line.at)}, own + strlen(sum));
        expect_sum(line,
                   i + 1 < LINES ? strstr(lines[i + 1].at, prev) + strlen(prev) : ledger.head);
        cr_assert_eq(ledger.entries[i]->number, i + 1);
    }
    done();
}

Test(ledger_chain, a_sum_that_was_kept_elsewhere_is_found_as_long_as_its_line_is_there)
{
    char kept[LEDGER_SUM + 1];

    write_lines();
    read_anew();
    memcpy(kept, ledger.head, sizeof kept);
    cr_assert(ledger_has_sum(&ledger, span_of(kept)));
    append_many(1);
    read_anew();
    cr_assert(ledger_has_sum(&ledger, span_of(kept)));
    rearrange((const int[]){0, 1, 2, -1});
    read_anew();
    cr_assert(!ledger_has_sum(&ledger, span_of(kept)));
    done();
}

/* Returns the byte changed in one of several ways; negative after the last one. */
static int changed_byte(int byte, int way)
{
    static const int others[] = {'\n', ' ', '"', '}', ',', '0', 'a', '\0', 0xff};
    enum { FLIPS = 8, OTHERS = sizeof others / sizeof *others };

    if (way < FLIPS)
        return byte ^ 1 << way;
    return way < FLIPS + OTHERS ? others[way - FLIPS] : -1;
}

static void change_every_byte(bool with_head)
{
    int fd = openat(tmp.fd, LEDGER, O_WRONLY | O_CLOEXEC);

    for (size_t i = 0; i < text.len; i++) {
        unsigned char was = (unsigned char)text.at[i];
        for (int way = 0, byte; (byte = changed_byte(was, way)) >= 0; way++) {
            unsigned char now = (unsigned char)byte;
            if (now == was)
                continue;
            cr_assert_eq(pwrite(fd, &now, 1, (off_t)i), 1);
            bool whole = is_whole();
            if (!with_head && i == text.len - 1) /* looks like a crash */
                cr_assert(whole && ledger.finding_count == 1 && ledger.count == LINES - 1);
            else
                cr_assert(!whole, "byte %zu, from %02x to %02x", i, was, now);
        }
        cr_assert_eq(pwrite(fd, &was, 1, (off_t)i), 1);
    }
    close(fd);
    expect_whole(LINES, 0);
}

Test(ledger_chain, a_change_of_any_byte_shows)
{
    write_lines();
    change_every_byte(true);
    done();
}

Test(ledger_chain, a_change_of_any_byte_shows_without_the_head_too_but_for_the_last_newline)
{
    write_lines();
    forget_head();
    change_every_byte(false);
    done();
}

Test(ledger_chain, a_change_shows_after_more_was_written_too)
{
    write_lines();
    for (size_t i = 0; i < text.len; i += 7) {
        struct ledger_entry entry = entry_of("later", LEDGER_INTENT, 1);
        char was = text.at[i];
        text.at[i] = (char)(was ^ 1);
        rewrite(str_span(&text));
        text.at[i] = was;
        append(&entry);
        cr_assert(!is_whole(), "byte %zu", i);
    }
    done();
}

Test(ledger_chain, a_byte_that_is_put_in_or_taken_out_shows)
{
    write_lines();
    for (size_t i = 0; i < text.len; i++) {
        struct str other = {0};
        str_add(&other, text.at, i);
        str_add(&other, text.at + i + 1, text.len - i - 1);
        rewrite(str_span(&other));
        cr_assert(!is_whole(), "without byte %zu", i);
        str_clear(&other);
        str_add(&other, text.at, i);
        str_putc(&other, i % 2 ? '\n' : ' ');
        str_add(&other, text.at + i, text.len - i);
        rewrite(str_span(&other));
        cr_assert(!is_whole(), "with more before byte %zu", i);
        str_free(&other);
    }
    done();
}

Test(ledger_chain, lines_that_are_moved_removed_or_doubled_show)
{
    static const int orders[][LINES + 3] = {
        {1, 0, 2, 3, -1},
        {0, 2, 1, 3, -1},
        {0, 1, 3, 2, -1},
        {3, 2, 1, 0, -1},
        {1, 2, 3, -1},
        {0, 2, 3, -1},
        {0, 1, 3, -1},
        {0, 1, 2, -1},
        {0, -1},
        {-1},
        {0, 0, 1, 2, 3, -1},
        {0, 1, 1, 2, 3, -1},
        {0, 1, 2, 3, 3, -1},
        {0, 1, 2, 3, 0, -1},
    };
    static const int as_it_was[] = {0, 1, 2, 3, -1};

    write_lines();
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        rearrange(orders[i]);
        cr_assert(!is_whole(), "order %zu", i);
    }
    rearrange(as_it_was);
    expect_whole(LINES, 0);
    done();
}

Test(ledger_chain, what_is_wrong_is_said_with_the_line)
{
    static const int without_second[] = {0, 2, 3, -1}, without_two[] = {0, 3, -1};
    static const int swapped[] = {0, 2, 1, 3, -1}, cut[] = {0, 1, -1}, headless[] = {1, 2, 3, -1};

    write_lines();
    rearrange(without_second);
    expect_finding(true, "1 entry is missing before line 2");
    rearrange(without_two);
    expect_finding(true, "2 entries are missing before line 2");
    rearrange(swapped);
    expect_finding(true, "line 3 does not follow line 2");
    rearrange(cut);
    expect_finding(true, "the last 2 entries are missing");
    rearrange(headless);
    expect_finding(true, "1 entry is missing before line 1");
    lines[LINES] = span_of("{\"hello\":1}\n");
    rearrange((const int[]){0, 1, LINES, 2, 3, -1});
    expect_finding(true, "line 3 was changed");
    lines[LINES] = span_of("hello\n");
    rearrange((const int[]){0, 1, LINES, 2, 3, -1});
    expect_finding(true, "line 3 is no entry");
    done();
}

Test(ledger_chain, a_ledger_that_is_gone_shows)
{
    write_lines();
    cr_assert_eq(unlinkat(tmp.fd, LEDGER, 0), 0);
    expect_finding(true, "the ledger is gone: it had 4 entries");
    cr_assert(ledger.there);
    append_many(1);
    expect_finding(true, "4 entries are missing before line 1");
    cr_assert_eq(ledger.entries[0]->number, LINES + 1);
    done();
}

Test(ledger_chain, what_was_cut_off_stays_missing_when_more_is_written)
{
    write_lines();
    rearrange((const int[]){0, 1, -1});
    append_many(2);
    expect_finding(true, "2 entries are missing before line 3");
    cr_assert_eq(ledger.entries[2]->number, LINES + 1);
    cr_assert_eq(ledger.damage, 1);
    done();
}

Test(ledger_chain, another_whole_chain_in_its_place_shows)
{
    write_lines();
    struct str head = tmp_read(&tmp, HEAD);
    cr_assert_eq(unlinkat(tmp.fd, LEDGER, 0), 0);
    forget_head();
    for (int i = 0; i < LINES + 1; i++) {
        struct ledger_entry entry = entry_of("forged", LEDGER_INTENT, i);
        append(&entry);
    }
    expect_whole(LINES + 1, 0);
    tmp_write(&tmp, HEAD, str_span(&head));
    expect_finding(true, "line 4 is not the one that was written");
    str_free(&head);
    done();
}

Test(ledger_chain, a_head_that_makes_no_sense_is_as_good_as_none)
{
    static const char *const heads[] = {"",
                                        "4",
                                        "hello",
                                        "0000000000000004 " ZEROS,
                                        "9999999999999999 " ZEROS "\n",
                                        "-000000000000004 " ZEROS "\n",
                                        "0000000000000x04 " ZEROS "\n",
                                        "x000000000000004 " ZEROS "\n",
                                        "0000000000000004-" ZEROS "\n",
                                        "0000000000000004 " ZEROS "x"};

    write_lines();
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        forget_head();
        tmp_write(&tmp, HEAD, span_of(heads[i]));
        expect_whole(LINES, 0);
    }
    append_many(1);
    expect_whole(LINES + 1, 0);
    cr_assert_eq(ledger.entries[LINES]->number, LINES + 1);
    forget_head();
    cr_assert_eq(mkfifoat(tmp.fd, HEAD, 0600), 0);
    append_many(1);
    expect_whole(LINES + 2, 0);
    done();
}

/* Leaves the last line as a crash does: any prefix of it, and the head from before. */
static void tear(size_t left, struct span head)
{
    rewrite((struct span){text.at, text.len - lines[LINES - 1].len + left});
    tmp_write(&tmp, HEAD, head);
}

Test(ledger_chain, a_line_that_a_crash_cut_is_a_remark_and_the_next_one_is_chained_over_it)
{
    struct str head = {0};

    write_lines();
    str_addf(&head, "%016d %.*s\n", LINES - 1, LEDGER_SUM,
             strstr(lines[LINES - 1].at, "\"prev\":\"") + strlen("\"prev\":\""));
    for (size_t left = 0; left < lines[LINES - 1].len; left++) {
        bool all_of_it = left == lines[LINES - 1].len - 1;
        struct ledger_entry entry = entry_of("after", LEDGER_DELIVERED, 5);
        tear(left, str_span(&head));
        expect_whole(all_of_it ? LINES : LINES - 1, left > 0);
        append(&entry);
        expect_whole(all_of_it ? LINES + 1 : LINES, left > 0);
        const struct ledger_entry *last = ledger.entries[ledger.count - 1];
        assert_span(last->decision, "after");
        cr_assert_eq(last->number, left ? LINES + 1 : LINES);
        cr_assert_eq(last->torn, left > 0);
        append(&entry);
        expect_whole(all_of_it ? LINES + 2 : LINES + 1, left > 0);
        struct str now = tmp_read(&tmp, LEDGER);
        cr_assert(span_starts(str_span(&now),
                              (struct span){text.at, text.len - lines[LINES - 1].len + left}),
                  "what was there has changed");
        str_free(&now);
    }
    tear(10, str_span(&head));
    expect_finding(false, "line 4 was not finished: a crash while it was written");
    append_many(1);
    expect_finding(false, "line 4 was not finished: a crash while it was written");
    tear(lines[LINES - 1].len - 1, str_span(&head));
    expect_finding(false, "line 4 has no end");
    append_many(1);
    expect_finding(false, "line 4 had no end");
    str_free(&head);
    done();
}

Test(ledger_chain, a_change_of_what_a_crash_left_shows_too)
{
    write_lines();
    rewrite((struct span){text.at, text.len - 40});
    forget_head();
    append_many(1);
    expect_whole(LINES, 1);
    size_t torn_at = text.len - lines[LINES - 1].len, torn_len = lines[LINES - 1].len - 40;
    str_free(&text);
    text = tmp_read(&tmp, LEDGER);
    for (size_t i = torn_at; i <= torn_at + torn_len; i++) {
        text.at[i] ^= 1;
        rewrite(str_span(&text));
        text.at[i] ^= 1;
        cr_assert(!is_whole(), "byte %zu", i);
    }
    done();
}

Test(ledger_chain, however_much_is_no_entry_the_next_line_has_the_next_number)
{
    enum { BAD = 8192 }; /* their bytes are exactly the part that is read first */
    struct str other = {0};

    append_many(2);
    text = tmp_read(&tmp, LEDGER);
    str_add_span(&other, str_span(&text));
    for (int i = 0; i < BAD; i++)
        str_puts(&other, "x\n");
    rewrite(str_span(&other));
    append_many(1);
    read_anew();
    cr_assert(ledger.count == 3 && ledger.damage == BAD);
    cr_assert_eq(ledger.entries[2]->number, 2 + BAD + 1);
    str_free(&other);
    done();
}

Test(ledger_chain, a_line_that_was_finished_and_cut_later_is_no_crash)
{
    write_lines();
    struct str head = tmp_read(&tmp, HEAD);
    /* A line without its newline is complete again when the next one is appended. */
    for (size_t left = 1; left < lines[LINES - 1].len - 1; left += 11) {
        tear(left, str_span(&head));
        expect_finding(true, "line 4 was cut or changed");
        append_many(1);
        cr_assert(!is_whole(), "%zu bytes left", left);
    }
    str_free(&head);
    done();
}

Test(ledger_chain, even_a_first_line_may_be_torn)
{
    write_lines();
    rewrite((struct span){text.at, 20});
    forget_head();
    expect_whole(0, 1);
    append_many(1);
    expect_whole(1, 1);
    cr_assert_eq(ledger.entries[0]->number, 2);
    done();
}

Test(ledger_chain, an_empty_file_is_an_empty_ledger)
{
    tmp_write(&tmp, LEDGER, span_of(""));
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0600, 0), 0);
    expect_whole(0, 0);
    cr_assert(ledger.there);
    append_many(2);
    expect_whole(2, 0);
}

Test(ledger_chain, lines_of_a_later_version_are_read_as_far_as_they_are_understood)
{
    struct str other = {0};
    char prev[LEDGER_SUM + 1];

    write_lines();
    read_anew();
    memcpy(prev, ledger.head, sizeof prev);
    str_add_span(&other, str_span(&text));
    str_addf(&other,
             "{\"v\":2,\"n\":5,\"prev\":\"%s\",\"event\":\"pondered\",\"decision\":\"d9\","
             "\"verb\":\"dream\",\"agent\":\"tester-2\",\"new\":{\"x\":[1]}}\n",
             prev);
    rewrite(str_span(&other));
    expect_whole(LINES + 1, 1);
    expect_finding(false, "line 5 is of version 2");
    cr_assert_eq(ledger.entries[LINES]->event, LEDGER_OTHER);
    assert_span(ledger.entries[LINES]->word, "pondered");
    assert_span(ledger.entries[LINES]->verb, "dream");
    struct ledger_entry entry = entry_of("d9", LEDGER_VERIFIED, 9);
    append(&entry);
    expect_whole(LINES + 2, 1);
    cr_assert_eq(ledger.entries[LINES + 1]->number, LINES + 2);
    cr_assert_eq(ledger.decisions[LINES].state, DECISION_VERIFIED);
    struct str now = tmp_read(&tmp, LEDGER);
    cr_assert(span_starts(str_span(&now), str_span(&other)), "a line was changed");
    str_free(&now);
    str_free(&other);
    done();
}

Test(ledger_chain, a_line_that_only_claims_to_be_of_a_later_version_shows)
{
    write_lines();
    char *last = strstr(text.at + (text.len - lines[LINES - 1].len), "\"v\":1");
    last[4] = '2';
    rewrite(str_span(&text));
    expect_finding(true, "line 4 was changed");
    done();
}

/* Adds lines of a later version, which need no sums, at the end. */
static void add_lines(const char *more)
{
    struct str other = {0};

    str_add_span(&other, str_span(&text));
    str_puts(&other, more);
    rewrite(str_span(&other));
    str_free(&other);
}

Test(ledger_chain, numbers_that_are_none_are_none)
{
    static const char *const numbers[] = {
        "-5", "1.5", "1e1", "\"5\"", "12345678901234567", "[5]", "null", "9007199254740993"};

    write_lines();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct str line = {0};
        str_addf(&line, "{\"v\":2,\"n\":%s,\"pid\":%s,\"request\":%s}\n", numbers[i], numbers[i],
                 numbers[i]);
        add_lines(str_c(&line));
        str_free(&line);
        expect_whole(LINES + 1, 1);
        cr_assert_eq(ledger.entries[LINES]->number, 0, "%s", numbers[i]);
        cr_assert_eq(ledger.entries[LINES]->pid, 0, "%s", numbers[i]);
        cr_assert_eq(ledger.number, LINES + 1, "it counts all the same");
    }
    append_many(1);
    expect_whole(LINES + 2, 1);
    cr_assert_eq(ledger.entries[LINES + 1]->number, LINES + 2);
    done();
}

Test(ledger_chain, one_remark_is_enough_for_many_lines_of_a_later_version)
{
    write_lines();
    add_lines("{\"v\":2,\"n\":5}\n{\"v\":2,\"n\":6}\n");
    expect_whole(LINES + 2, 1);
    add_lines("{\"v\":2,\"n\":5,\"prev\":\"" ZEROS "\"}\n");
    expect_finding(true, "line 5 does not follow line 4");
    done();
}

Test(ledger_chain, a_first_line_that_claims_that_one_before_it_was_torn_has_none)
{
    write_lines();
    forget_head();
    rewrite(span_of("{\"v\":2,\"n\":1,\"torn\":true}\n"));
    expect_whole(1, 1);
    expect_finding(false, "line 1 is of version 2");
    done();
}
