/* Tests the scanner and the sanitizer with the shared corpus of hostile files of other projects. */
#include "tests/unit/mail/page/page_support.h"

#include "base/json/json_print.h"
#include "base/text/utf8.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>

/* Calls `check` for each file of a directory of the corpus, if the corpus exists. */
static void for_each_file(const char *directory, void (*check)(const char *name, struct span text))
{
    char path[1024];
    int count = 0;

    if (!shared_path(path, sizeof path, directory))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    DIR *entries = opendir(path);
    cr_assert(dir.fd >= 0 && entries != NULL, "%s", path);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        struct str text = tmp_read(&dir, entry->d_name);
        check(entry->d_name, str_span(&text));
        str_free(&text);
        count++;
    }
    cr_assert(count > 0, "%s holds no file", path);
    closedir(entries);
    close(dir.fd);
}

/* Does all that readers do with a document; it must survive any text. Returns true if it is
 * valid. */
static bool exercise(const char *name, struct span text, enum json_dialect dialect)
{
    struct json value;
    struct json_walk walk;
    struct err err = {0};
    struct arena arena = {0};
    struct str out = {0};
    bool ok = json_scan(text, dialect, &value, &err);

    cr_assert(ok || err.text[0], "%s is refused without a reason", name);
    if (json_open(&walk, text, dialect, &err))
        cr_assert(json_close(&walk, &err) == ok, "%s: the two ways of reading disagree", name);
    if (ok) {
        json_duplicate_key(value, &arena);
        json_text(&arena, value);
        json_put_value(&out, value, &json_style_line, 0);
        cr_assert(json_scan(str_span(&out), JSON_STRICT, &value, &err), "%s: printed as %s: %s",
                  name, str_c(&out), err.text);
    }
    arena_free(&arena);
    str_free(&out);
    return ok;
}

static void check_verdict(const char *name, struct span text)
{
    bool ok = exercise(name, text, JSON_STRICT);

    if (name[0] == 'y')
        cr_assert(ok, "%s must be accepted", name);
    if (name[0] == 'n')
        cr_assert_not(ok, "%s must be refused", name);
}

static void check_both_dialects(const char *name, struct span text)
{
    bool strict = exercise(name, text, JSON_STRICT);
    bool python = exercise(name, text, JSON_PYTHON);

    cr_assert(python || !strict, "%s: only the stricter dialect takes it", name);
}

Test(corpus, valid_documents_are_accepted_and_invalid_ones_refused)
{
    for_each_file("corpus/json/JSONTestSuite/test_parsing", check_verdict);
}

Test(corpus, documents_of_odd_structure_do_no_harm)
{
    for_each_file("corpus/structure", check_both_dialects);
}

/* True for characters that draw nothing or turn the direction of the text that follows. */
static bool is_hidden(int32_t code)
{
    static const struct {
        int32_t first, last;
    } ranges[] = {
        {0x0000, 0x001f},    {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x034f, 0x034f},
        {0x061c, 0x061c},    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
        {0x200b, 0x200f},    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x2800, 0x2800},
        {0x3164, 0x3164},    {0xd800, 0xf8ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
        {0xffa0, 0xffa0},    {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff},
        {0xf0000, 0x10ffff},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static void check_cleaned(const char *name, struct span text)
{
    for (unsigned mode = SANITIZE_LINE; mode <= (SANITIZE_LINES | SANITIZE_ASCII); mode++) {
        struct str out = {0};
        size_t counted = sanitize_add(&out, text, mode), columns = 0;
        cr_assert(utf8_valid(str_span(&out)), "%s, mode %u: not UTF-8", name, mode);
        for (struct span rest = str_span(&out); rest.len;) {
            int32_t code = utf8_next(&rest);
            if ((mode & SANITIZE_LINES) && (code == '\n' || code == '\t'))
                continue;
            cr_assert(!is_hidden(code), "%s, mode %u: U+%04X", name, mode, (unsigned)code);
            cr_assert(code < 0x80 || !(mode & SANITIZE_ASCII), "%s: U+%04X", name, (unsigned)code);
            cr_assert(wcwidth((wchar_t)code) >= 0, "%s: U+%04X", name, (unsigned)code);
            columns += (size_t)wcwidth((wchar_t)code);
        }
        cr_assert(columns == counted, "%s, mode %u: %zu columns, counted %zu", name, mode, columns,
                  counted);
        str_free(&out);
    }
}

/* Checks every kind of document made of the text, narrow and wide. */
static void check_documents(const char *name, struct span text)
{
    static page_maker *const makers[] = {page_text, page_raw, page_markdown, page_json};

    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        for (size_t columns = 3; columns <= 120; columns += 39) {
            struct document doc = {0};
            struct page_options options = {.columns = columns};
            makers[i](&doc, text, &options);
            assert_sound(&doc, &options, name);
            struct str shown = page_shown(&doc, false);
            for (struct span rest = str_span(&shown); rest.len;) {
                int32_t code = utf8_next(&rest);
                cr_assert(code == '\n' || !is_hidden(code), "%s: U+%04X", name, (unsigned)code);
            }
            str_free(&shown);
            page_free(&doc);
        }
    }
}

Test(corpus, hostile_text_reaches_the_terminal_harmless, .init = use_utf8_locale)
{
    for_each_file("corpus/text", check_cleaned);
}

Test(corpus, broken_utf8_reaches_the_terminal_harmless, .init = use_utf8_locale)
{
    for_each_file("corpus/utf8", check_cleaned);
}

/* The JSON files also contain raw bytes of every kind. */
Test(corpus, broken_documents_shown_as_text_reach_the_terminal_harmless, .init = use_utf8_locale)
{
    for_each_file("corpus/json/JSONTestSuite/test_parsing", check_cleaned);
}

Test(corpus, documents_of_hostile_text_are_harmless)
{
    for_each_file("corpus/text", check_documents);
    for_each_file("corpus/utf8", check_documents);
    for_each_file("corpus/structure", check_documents);
    for_each_file("corpus/json/JSONTestSuite/test_parsing", check_documents);
}
