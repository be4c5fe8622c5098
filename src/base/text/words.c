/* Words and phrases: a search tries each occurrence of the phrase's first word. */
#include "base/text/words.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdint.h>
#include <utf8proc.h>

/* Words: runs of ASCII directly, everything else through utf8proc. */

/* The role of a character in a word. */
enum part {
    BETWEEN, /* ends a word */
    INSIDE,  /* belongs to a word */
    MARK,    /* belongs to the character before it */
    ALONE,   /* is a word of its own */
    UNSEEN,  /* is ignored */
};

static bool is_ascii_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Reports whether it is in a script without blanks between words. */
static bool is_unspaced(int32_t code)
{
    static const struct {
        int32_t first, last;
    } ranges[] = {
        {0x0e00, 0x0eff},   /* Thai, Lao */
        {0x1000, 0x109f},   /* Myanmar */
        {0x1780, 0x17ff},   /* Khmer */
        {0x2e80, 0x2fdf},   /* radicals */
        {0x3005, 0x3007},   /* iteration marks */
        {0x3021, 0x30ff},   /* Hangzhou numerals, Hiragana, Katakana */
        {0x3100, 0x312f},   /* Bopomofo */
        {0x31a0, 0x31bf},   /* Bopomofo, extended */
        {0x31f0, 0x31ff},   /* Katakana, extended */
        {0x3400, 0x4dbf},   /* ideographs */
        {0x4e00, 0x9fff},   /* ideographs */
        {0xf900, 0xfaff},   /* ideographs, for compatibility */
        {0xff66, 0xff9f},   /* narrow Katakana */
        {0x1b000, 0x1b16f}, /* old Kana */
        {0x20000, 0x3ffff}, /* more ideographs */
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code <= ranges[i].last)
            return code >= ranges[i].first;
    return false;
}

static enum part part_of(int32_t code)
{
    if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
        return BETWEEN;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return is_unspaced(code) ? ALONE : INSIDE;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return MARK;
    case UTF8PROC_CATEGORY_CF:
        return UNSEEN;
    default:
        return BETWEEN;
    }
}

void words_begin(struct words *words, struct span text)
{
    words->text = text;
    words->at = 0;
}

/* Classifies the character at `at` and sets *next to the start of the following one. */
static enum part classify_char(struct span text, size_t at, size_t *next)
{
    struct span rest = {text.at + at, text.len - at};
    unsigned char c = (unsigned char)text.at[at];

    if (c < 0x80) {
        *next = at + 1;
        return is_ascii_word(c) ? INSIDE : BETWEEN;
    }
    int32_t code = utf8_next(&rest);
    *next = text.len - rest.len;
    return part_of(code);
}

/* The characters of a word so far. */
struct gathered {
    char bytes[4 * WORD_CHARS];
    size_t len, chars;
    bool plain; /* all ASCII, and already folded */
};

static void gather_char(struct gathered *word, struct span text, size_t at, size_t next)
{
    if (word->chars++ >= WORD_CHARS)
        return;
    if (next == at + 1) {
        word->bytes[word->len++] = fold_char(text.at[at]);
        return;
    }
    word->plain = false;
    memcpy(word->bytes + word->len, text.at + at, next - at);
    word->len += next - at;
}

/* Folds a word that is not only ASCII. A character becomes eighteen at most, and rarely more than
 * two: what does not fit is dropped. */
static size_t fold_word(const struct gathered *word, char *out)
{
    static const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD;
    utf8proc_int32_t codes[WORD_BYTES];
    utf8proc_ssize_t count =
        utf8proc_decompose((const utf8proc_uint8_t *)word->bytes, (utf8proc_ssize_t)word->len,
                           codes, WORD_BYTES - 1, options);

    if (count > 0 && count < WORD_BYTES)
        count = utf8proc_normalize_utf32(codes, count, options);
    CLEANUP(str_free) struct str folded = {0};
    for (utf8proc_ssize_t i = 0; count < WORD_BYTES && i < count; i++)
        utf8_add(&folded, codes[i]);
    if (!folded.len)
        str_add(&folded, word->bytes, word->len);
    size_t len = folded.len;
    while (len > WORD_BYTES) /* cut at whole characters */
        while (len && ((unsigned char)folded.at[--len] & 0xc0) == 0x80)
            ;
    memcpy(out, folded.at, len);
    return len;
}

/* Reads the word that starts with ASCII at `at`; returns false if it goes on beyond ASCII. */
static bool take_ascii(struct words *words, size_t at, struct word *word)
{
    struct span text = words->text;
    size_t end = at;

    for (; end < text.len && is_ascii_word((unsigned char)text.at[end]); end++)
        if (end - at < WORD_CHARS)
            words->folded[end - at] = fold_char(text.at[end]);
    if (end < text.len && (unsigned char)text.at[end] >= 0x80)
        return false;
    size_t len = end - at < WORD_CHARS ? end - at : WORD_CHARS;
    *word = (struct word){{words->folded, len}, at, end};
    words->at = end;
    return true;
}

/* Reads the word that starts at `at` with a character that may start one. */
static void read_word(struct words *words, size_t at, enum part first, struct word *word)
{
    struct span text = words->text;
    struct gathered gathered = {.plain = true};
    size_t end = at, next;

    for (size_t here = at; here < text.len; here = next) {
        enum part part = classify_char(text, here, &next);
        if (part == BETWEEN || (here > at && (part == ALONE || (part == INSIDE && first == ALONE))))
            break;
        if (part == UNSEEN)
            continue;
        gather_char(&gathered, text, here, next);
        end = next;
    }
    size_t len = gathered.len;
    if (gathered.plain)
        memcpy(words->folded, gathered.bytes, len);
    else
        len = fold_word(&gathered, words->folded);
    *word = (struct word){{words->folded, len}, at, end};
    words->at = end;
}

bool words_next(struct words *words, struct word *word)
{
    struct span text = words->text;
    size_t next;

    for (size_t at = words->at; at < text.len; at = next) {
        if (is_ascii_word((unsigned char)text.at[at]) && take_ascii(words, at, word))
            return true;
        enum part part = classify_char(text, at, &next);
        if (part != INSIDE && part != ALONE)
            continue;
        read_word(words, at, part, word);
        return true;
    }
    words->at = text.len;
    return false;
}

void phrase_read(struct phrase *phrase, struct span text, bool open, struct arena *arena)
{
    CLEANUP(span_list_free) struct span_list found = {0};
    size_t end = 0;
    struct words words;
    struct word word;

    *phrase = (struct phrase){0};
    for (words_begin(&words, text); words_next(&words, &word);) {
        span_list_add(&found, arena_copy(arena, word.text));
        end = word.end;
    }
    if (found.count) {
        struct span *kept = arena_alloc(arena, found.count * sizeof *kept);
        memcpy(kept, found.items, found.count * sizeof *kept);
        *phrase = (struct phrase){kept, found.count, open && end == text.len};
    }
}

bool phrase_takes(const struct phrase *phrase, size_t n, struct span word)
{
    if (phrase->open && n + 1 == phrase->count)
        return span_starts(word, phrase->words[n]);
    return span_eq(word, phrase->words[n]);
}

/* Reports whether the phrase's words after its first one follow here; sets *end to their end. */
static bool follows(const struct phrase *phrase, const struct words *from, size_t *end)
{
    struct words ahead;
    struct word word;

    words_begin(&ahead, from->text);
    ahead.at = from->at;
    for (size_t i = 1; i < phrase->count; i++) {
        if (!words_next(&ahead, &word) || !phrase_takes(phrase, i, word.text))
            return false;
        *end = word.end;
    }
    return true;
}

bool phrase_next(const struct phrase *phrase, struct words *words, struct span *where)
{
    struct word word;

    while (phrase->count && words_next(words, &word)) {
        size_t end = word.end;
        if (!phrase_takes(phrase, 0, word.text) || !follows(phrase, words, &end))
            continue;
        if (where)
            *where = (struct span){words->text.at + word.at, end - word.at};
        return true;
    }
    return false;
}

bool phrase_stands_in(const struct phrase *phrase, struct span text, struct span *where)
{
    struct words words;

    words_begin(&words, text);
    return phrase_next(phrase, &words, where);
}
