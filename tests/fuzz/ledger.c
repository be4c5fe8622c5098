/* The ledger: reading it at once and in two parts gives the same; an entry that is written reads
 * back unchanged; and lines that we did not write are never accepted as sound.
 *
 * The first byte says where the file is cut for the first reading. */
#include "store/decide/ledger.h"

#include "fuzz.h"

#include <stdio.h>
#include <sys/stat.h>

static void write_ledger(struct span bytes)
{
    static bool made;
    char path[4200];

    if (!made) {
        snprintf(path, sizeof path, "%s/swarmutt", fuzz_dir());
        mkdir(path, 0700);
        made = true;
    }
    fuzz_write("swarmutt/ledger", bytes);
}

static void check_whole(const struct ledger *ledger)
{
    size_t damage = 0, events = 0;

    for (size_t i = 0; i < ledger->finding_count; i++) {
        damage += ledger->findings[i].damage;
        require(ledger->findings[i].text.len && ledger->findings[i].line <= ledger->lines, "%zu",
                i);
    }
    require(damage == ledger->damage, "%zu, %zu", damage, ledger->damage);
    require(ledger->count <= ledger->lines, "%zu of %zu", ledger->count, ledger->lines);
    for (size_t i = 0; i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        struct str words = {0};
        for (const struct ledger_entry *entry = record->first; entry; entry = entry->next)
            events++;
        decision_add_action(&words, record);
        decision_add_state(&words, record);
        require(words.len && decision_state_word(record->state)[0], "a decision without words");
        str_free(&words);
    }
    require(events <= ledger->count, "%zu events", events);
}

/* Requires that any entry that was read can be written, and reads back unchanged. */
static void check_line(const struct ledger_entry *entry)
{
    struct str line = {0}, again = {0};
    struct arena arena = {0};
    struct ledger_entry read;
    char sum[LEDGER_SUM + 1], other[LEDGER_SUM + 1];
    struct ledger_entry mine = *entry;

    if (mine.event == LEDGER_OTHER || mine.at_us == TIME_NONE)
        return;
    mine.prev = span_of(ledger_no_sum);
    ledger_add_line(&line, &mine, sum);
    require(!memchr(line.at, '\n', line.len), "a line of two");
    require(ledger_parse_line(&read, str_span(&line), other, &arena) == LINE_ENTRY, "%s",
            str_c(&line));
    require(!strcmp(sum, other), "%s", str_c(&line));
    ledger_add_line(&again, &read, other);
    require(span_eq(str_span(&line), str_span(&again)), "%s, %s", str_c(&line), str_c(&again));
    for (size_t i = 1; i < 16; i++) {
        line.at[line.len * i / 16] ^= 1;
        require(ledger_parse_line(&read, str_span(&line), other, &arena) != LINE_ENTRY, "%s",
                str_c(&line));
        line.at[line.len * i / 16] ^= 1;
    }
    arena_free(&arena);
    str_free(&line);
    str_free(&again);
}

static void check_lines(struct span bytes)
{
    while (bytes.len) {
        const char *newline = memchr(bytes.at, '\n', bytes.len);
        struct span line = {bytes.at, newline ? (size_t)(newline - bytes.at) : bytes.len};
        struct arena arena = {0};
        struct ledger_entry entry;
        char sum[LEDGER_SUM + 1];
        if (ledger_parse_line(&entry, line, sum, &arena) != LINE_BROKEN)
            check_line(&entry);
        arena_free(&arena);
        bytes.at += line.len + (newline != NULL);
        bytes.len -= line.len + (newline != NULL);
    }
}

void fuzz_ledger(struct span input)
{
    size_t cut = input.len * fuzz_byte(&input) / 256;
    struct ledger once = {0}, growing = {0};
    struct err err;

    check_lines(input);
    write_ledger((struct span){input.at, cut < input.len ? cut : input.len});
    require(ledger_read(&growing, &err), "%s", err.text);
    check_whole(&growing);
    write_ledger(input);
    require(ledger_read(&growing, &err), "%s", err.text);
    require(ledger_read(&once, &err), "%s", err.text);
    check_whole(&once);
    require(once.count == growing.count && once.lines == growing.lines &&
                once.damage == growing.damage && once.finding_count == growing.finding_count &&
                once.decision_count == growing.decision_count && !strcmp(once.head, growing.head),
            "it grew to something else: %zu and %zu entries, %zu and %zu findings", once.count,
            growing.count, once.finding_count, growing.finding_count);
    ledger_free(&once);
    ledger_free(&growing);
}
