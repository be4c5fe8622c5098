/* Tests reading the Claude layout: inboxes that are damaged as a whole, and the corpus. */
#include "claude_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static size_t count_in(const char *text, unsigned want, bool *ok)
{
    struct batch batch = {0};
    struct err err = {0};

    *ok = read_inbox(&batch, span_of(text), want, &err);
    cr_assert(*ok || err.text[0]);
    size_t count = batch.count;
    batch_free(&batch);
    return count;
}

Test(claude_damage, a_complete_array_counts_whatever_stands_behind_it)
{
    static const struct {
        const char *text;
        size_t count;
    } cases[] = {{"[]", 0},
                 {" [ ]\n", 0},
                 {"[]\"from\":\"a\",\"text\":\"old\"}]", 0},
                 {"[][{\"from\":\"a\",\"text\":\"b\"}]", 0},
                 {"[{\"from\":\"a\",\"text\":\"b\"}]]", 1},
                 {"[{\"from\":\"a\",\"text\":\"b\"}]\n  {\"from\":\"c\",\"text\":\"d\"}]", 1},
                 {"\xef\xbb\xbf[{\"from\":\"a\",\"text\":\"b\"}]", 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool ok;
        cr_assert_eq(count_in(cases[i].text, WHOLE, &ok), cases[i].count, "%s", cases[i].text);
        cr_assert(ok, "%s", cases[i].text);
        cr_assert_eq(count_in(cases[i].text, WHOLE | WANT_SALVAGE, &ok), cases[i].count);
    }
}

Test(claude_damage, what_is_no_array_is_nothing_yet_and_damage_when_it_stays)
{
    static const char *const texts[] = {"",       " \n", "{}",  "null", "42",
                                        "\"[]\"", "[",   "[1,", "[}",   "garbage"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct batch batch = {0};
        struct err err = {0};
        cr_assert_not(read_inbox(&batch, span_of(texts[i]), WHOLE, &err), "%s", texts[i]);
        cr_assert_eq(batch.count, 0);
        cr_assert_str_not_empty(err.text);
        cr_assert(read_inbox(&batch, span_of(texts[i]), WHOLE | WANT_SALVAGE, &err));
        cr_assert_eq(batch.count, 1, "%s", texts[i]);
        cr_assert_str_not_empty(batch.items[0].damaged);
        assert_span(batch.items[0].id, "bob");
        cr_assert_eq(batch.items[0].raw_len, 0, "it stands for the whole file");
        batch_free(&batch);
    }
}

Test(claude_damage, a_failed_look_leaves_what_was_read_before)
{
    struct batch batch = {0};
    struct err err;

    read_text(&batch, "[{\"from\":\"ann\",\"text\":\"hello\"}]");
    cr_assert_not(read_inbox(&batch, span_of("[{\"from\":\"a\",\"text\":\"b\"},"), WHOLE, &err));
    cr_assert_eq(batch.count, 1);
    batch_free(&batch);
}

Test(claude_damage, of_a_cut_inbox_every_complete_entry_is_shown_and_the_damage)
{
    static const char box[] =
        "[\n  {\n    \"from\": \"one\",\n    \"text\": \"first\",\n    \"timestamp\": \"" SENT
        "\",\n    \"read\": true\n  },\n"
        "  {\n    \"from\": \"two\",\n    \"text\": \"{\\\"type\\\":\\\"x\\\",\\\"a\\\":{}}\",\n"
        "    \"extra\": {\"deep\": [{}, {\"a\": 1}]},\n    \"read\": false\n  },\n"
        "  {\n    \"from\": \"three\",\n    \"text\": \"braces }{ ][\"\n  }\n]";
    static const char *const from[] = {"one", "two", "three"};
    size_t ends[3], found = 0;

    for (size_t i = 0; i + 3 < sizeof box; i++)
        if (memcmp(box + i, "\n  }", 4) == 0)
            ends[found++] = i + 4;
    cr_assert_eq(found, 3);
    for (size_t cut = 0; cut < sizeof box - 1; cut++) {
        struct batch batch = {0};
        struct err err = {0};
        size_t complete = (cut >= ends[0]) + (cut >= ends[1]) + (size_t)(cut >= ends[2]);
        cr_assert_not(read_inbox(&batch, (struct span){box, cut}, WHOLE, &err), "cut %zu", cut);
        cr_assert(read_inbox(&batch, (struct span){box, cut}, WHOLE | WANT_SALVAGE, &err));
        cr_assert_eq(batch.count, complete + 1, "cut at %zu: %zu", cut, batch.count);
        for (size_t i = 0; i < complete; i++) {
            assert_span(batch.items[i].from, from[i]);
            cr_assert_null(batch.items[i].damaged);
        }
        cr_assert_not_null(batch.items[complete].damaged);
        if (complete) {
            assert_span(batch.items[0].id, "inbox-f2efe19ea77a884e");
            cr_assert_eq(batch.items[0].status, STATUS_READ);
        }
        batch_free(&batch);
    }
    bool ok;
    cr_assert_eq(count_in(box, WHOLE, &ok), 3);
    cr_assert(ok);
}

Test(claude_damage, entries_of_bridges_are_saved_from_a_damaged_inbox_too)
{
    struct batch batch = {0};
    struct err err;

    cr_assert(read_inbox(&batch, span_of("[{\"from\":\"a\",\"content\":\"c\"},{\"from\":"),
                         WHOLE | WANT_SALVAGE, &err));
    cr_assert_eq(batch.count, 2, "the entry and the damage: %zu", batch.count);
    assert_span(batch.items[0].data->body, "c");
    batch_free(&batch);
}

Test(claude_damage, an_object_whose_text_is_none_is_not_saved_as_an_entry)
{
    struct batch batch = {0};
    struct err err;

    cr_assert(read_inbox(&batch,
                         span_of("[{\"from\":\"a\",\"text\":7,\"content\":\"c\"},{\"from\":"),
                         WHOLE | WANT_SALVAGE, &err));
    cr_assert_eq(batch.count, 1, "the damage alone: %zu", batch.count);
    cr_assert_not_null(batch.items[0].damaged);
    batch_free(&batch);
}

Test(claude_damage, an_entry_behind_very_many_braces_is_saved_too)
{
    struct str text = {0};
    struct batch batch = {0};
    struct err err;

    str_puts(&text, "[{\"from\":\"a\",\"text\":\"b\"},{\"from\":\"x\",\"deep\":");
    for (int i = 0; i < 12000; i++)
        str_puts(&text, "{\"a\":");
    str_puts(&text, "},{\"from\":\"c\",\"text\":\"d\"}]");
    cr_assert(read_inbox(&batch, str_span(&text), WHOLE | WANT_SALVAGE, &err));
    cr_assert_eq(batch.count, 3, "two entries and the damage: %zu", batch.count);
    assert_span(batch.items[1].from, "c");
    str_free(&text);
    batch_free(&batch);
}

/* --- the corpus: the neighbours of an odd entry are always read --- */

enum { NO_DAMAGE = -1, ALL_DAMAGED = -2 };

struct outcome {
    const char *file;
    bool sound;
    size_t count;       /* saved messages and the damage */
    int damaged;        /* index of the damaged message, or one of these */
    enum status second; /* of the message between the neighbours */
};

static const struct outcome outcomes[] = {
    {"array-50000.json", true, 201, ALL_DAMAGED, STATUS_NONE},
    {"bad-u-escape.json", false, 3, 2, STATUS_NONE},
    {"bigint.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"case-keys.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"deep-array-10000.json", false, 3, 2, STATUS_NONE},
    {"deep-array-1001.json", false, 3, 2, STATUS_NONE},
    {"deep-open-100000.json", false, 1, 0, STATUS_NONE},
    {"dup-from.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"dup-read.json", true, 3, NO_DAMAGE, STATUS_READ},
    {"dup-text.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"escape-soup.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"extra-nested.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"keys-8000.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"lone-surrogate.json", true, 5, NO_DAMAGE, STATUS_UNREAD},
    {"missing-all.json", true, 3, 1, STATUS_NONE},
    {"missing-read.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"nul-escape.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"nul-key.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"number-200k.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"proto.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"string-300k.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"top-array-mixed.json", true, 5, ALL_DAMAGED, STATUS_NONE},
    {"top-array-of-arrays.json", true, 2, ALL_DAMAGED, STATUS_NONE},
    {"top-array-of-null.json", true, 2, ALL_DAMAGED, STATUS_NONE},
    {"top-cleared-r-plus.json", true, 0, NO_DAMAGE, STATUS_NONE},
    {"top-comment.json", false, 1, 0, STATUS_NONE},
    {"top-elf.json", false, 1, 0, STATUS_NONE},
    {"top-empty-array.json", true, 0, NO_DAMAGE, STATUS_NONE},
    {"top-empty.json", false, 1, 0, STATUS_NONE},
    {"top-git-conflict.json", false, 1, 0, STATUS_NONE},
    {"top-gzip.json", false, 1, 0, STATUS_NONE},
    {"top-html.json", false, 1, 0, STATUS_NONE},
    {"top-nul-file.json", false, 1, 0, STATUS_NONE},
    {"top-null.json", false, 1, 0, STATUS_NONE},
    {"top-number.json", false, 1, 0, STATUS_NONE},
    {"top-object.json", false, 1, 0, STATUS_NONE},
    {"top-single-quotes.json", false, 1, 0, STATUS_NONE},
    {"top-space.json", false, 1, 0, STATUS_NONE},
    {"top-string.json", false, 1, 0, STATUS_NONE},
    {"top-trailing-comma.json", false, 2, 1, STATUS_NONE},
    {"top-true.json", false, 1, 0, STATUS_NONE},
    {"top-two-docs.json", true, 0, NO_DAMAGE, STATUS_NONE},
    {"type-from-array.json", true, 3, 1, STATUS_NONE},
    {"type-from-bool.json", true, 3, 1, STATUS_NONE},
    {"type-from-empty.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"type-from-null.json", true, 3, 1, STATUS_NONE},
    {"type-from-number.json", true, 3, 1, STATUS_NONE},
    {"type-from-object.json", true, 3, 1, STATUS_NONE},
    {"type-read-array.json", true, 3, NO_DAMAGE, STATUS_READ},
    {"type-read-null.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"type-read-one.json", true, 3, NO_DAMAGE, STATUS_READ},
    {"type-read-string-false.json", true, 3, NO_DAMAGE, STATUS_READ},
    {"type-read-string-true.json", true, 3, NO_DAMAGE, STATUS_READ},
    {"type-read-zero.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"type-text-array.json", true, 3, 1, STATUS_NONE},
    {"type-text-empty.json", true, 3, NO_DAMAGE, STATUS_UNREAD},
    {"type-text-null.json", true, 3, 1, STATUS_NONE},
    {"type-text-number.json", true, 3, 1, STATUS_NONE},
    {"type-text-object.json", true, 3, 1, STATUS_NONE},
};

static void check_outcome(const struct outcome *want, struct span text)
{
    struct batch batch = {0};
    struct err err = {0};

    cr_assert_eq(read_inbox(&batch, text, WHOLE, &err), want->sound, "%s: %s", want->file,
                 err.text);
    cr_assert_eq(batch.count, want->sound ? want->count : 0, "%s: %zu", want->file, batch.count);
    batch_free(&batch);
    cr_assert(read_inbox(&batch, text, WHOLE | WANT_SALVAGE, &err));
    cr_assert_eq(batch.count, want->count, "%s: %zu", want->file, batch.count);
    for (size_t i = 0; i < batch.count; i++) {
        cr_assert_eq(batch.items[i].damaged != NULL,
                     want->damaged == ALL_DAMAGED || (int)i == want->damaged, "%s: %zu", want->file,
                     i);
        if (batch.items[i].damaged)
            cr_assert_str_not_empty(batch.items[i].damaged);
    }
    if (want->second != STATUS_NONE)
        cr_assert_eq(batch.items[1].status, want->second, "%s", want->file);
    batch_free(&batch);
}

/* To every inbox an entry can be added, and all entries that could be read before can still be
 * read. */
static void check_writing(const char *name, struct span text)
{
    struct str out = {0};
    struct batch before = {0}, after = {0};
    struct appended result;
    struct err err = {0};
    size_t count = 0;

    if (read_inbox(&before, text, WANT_HEAD | WANT_SALVAGE, &err))
        for (size_t i = 0; i < before.count; i++)
            count += !before.items[i].damaged;
    cr_assert(claude_format.append(text, span_of("{\"from\":\"us\",\"text\":\"new\"}"),
                                   span_of(UUID), &out, &result, &err),
              "%s: %s", name, err.text);
    cr_assert(read_inbox(&after, str_span(&out), WANT_HEAD, &err), "%s: %s", name, err.text);
    for (size_t i = 0; i < after.count; i++)
        count -= !after.items[i].damaged;
    cr_assert_eq(count, SIZE_MAX, "%s: one more than before", name);
    assert_span(after.items[after.count - 1].from, "us");
    batch_free(&before);
    batch_free(&after);
    str_free(&out);
}

Test(claude_damage, the_structures_of_the_corpus_have_sensible_outcomes, .timeout = 120)
{
    char path[1024];
    size_t known = 0;

    if (!shared_path(path, sizeof path, "corpus/structure"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    DIR *entries = opendir(path);
    cr_assert(dir.fd >= 0 && entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        struct str text = tmp_read(&dir, entry->d_name);
        if (strcmp(entry->d_name, "deep-array-999.json") != 0) /* another test covers it */
            check_writing(entry->d_name, str_span(&text));
        for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
            if (strcmp(outcomes[i].file, entry->d_name) == 0) {
                check_outcome(&outcomes[i], str_span(&text));
                known++;
            }
        }
        str_free(&text);
    }
    cr_assert_eq(known, sizeof outcomes / sizeof *outcomes);
    closedir(entries);
    close(dir.fd);
}

Test(claude_damage, what_the_corpus_hides_is_told)
{
    char path[1024];
    struct batch batch = {0};
    struct err err;

    if (!shared_path(path, sizeof path, "corpus/structure"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct str text = tmp_read(&dir, "dup-text.json");
    cr_assert(read_inbox(&batch, str_span(&text), WHOLE, &err));
    assert_span(batch.items[1].data->body, "EVIL-LAST");
    cr_assert_eq(batch.items[1].flags, MESSAGE_EQUAL_KEYS);
    str_free(&text);
    batch_free(&batch);
    text = tmp_read(&dir, "case-keys.json");
    cr_assert(read_inbox(&batch, str_span(&text), WHOLE, &err));
    assert_span(batch.items[1].from, "worker-a");
    assert_span(batch.items[1].data->body, "HARMLESS");
    str_free(&text);
    batch_free(&batch);
    text = tmp_read(&dir, "nul-escape.json");
    cr_assert(read_inbox(&batch, str_span(&text), WHOLE, &err));
    cr_assert_eq(batch.items[1].data->body.len, strlen("VISIBLE") + 1 + strlen("HIDDEN-AFTER-NUL"));
    str_free(&text);
    batch_free(&batch);
    close(dir.fd);
}
