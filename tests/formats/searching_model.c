/* A slow model of searching, with its own splitting of words, and random queries for it. */
#include "searching.h"
#include "tests/unit/draw.h"

#include "mail/query/query.h"

#include <stdio.h>

enum { DEPTH = 3 };

const char *const searching_names[SEARCHING_NAMES] = {"alice", "bob", "carol", "dave"};

uint32_t searching_draw(uint32_t below)
{
    return draw(below);
}

/* --- the model --- */

/* Words of the texts; queries have them in lower case. The model counts every byte beyond ASCII as
 * part of a word, which is true of these. */
static const char *const vocabulary[] = {
    "alpha", "Alphabet", "beta", "BETA", "gamma", "delta42", "42", "caf\xc3\xa9", "zeta", "zeta",
};
static const char *const between[] = {" ", " ", " ", "\n", "/", "_", ", ", ": (", ")-"};

enum {
    VOCABULARY = sizeof vocabulary / sizeof *vocabulary,
    BETWEEN = sizeof between / sizeof *between
};

char *searching_text(size_t words)
{
    struct str text = {0};

    for (size_t i = 0; i < words; i++) {
        str_puts(&text, i ? between[searching_draw(BETWEEN)] : "");
        str_puts(&text, vocabulary[searching_draw(VOCABULARY)]);
    }
    return text.at;
}

static bool is_letter(unsigned char c)
{
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void lower(char *text)
{
    for (; *text; text++)
        *text = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
}

/* The words of a text, in lower case. */
static size_t split(struct span text, char words[][64], size_t most)
{
    size_t count = 0, len = 0;

    for (size_t i = 0; i <= text.len; i++) {
        bool inside = i < text.len && is_letter((unsigned char)text.at[i]);
        if (inside && len < 63 && count < most)
            words[count][len++] = text.at[i];
        if (!inside && len) {
            words[count][len] = '\0';
            lower(words[count++]);
            len = 0;
        }
    }
    return count;
}

/* A query, as it was made. */
struct wish {
    enum { WORDS, ARCHIVED, FROM, NOT, AND, OR } what;
    unsigned where; /* of words: bits of enum query_part */
    char words[3][64];
    size_t count;
    bool open;
    const char *name;
    int left, right;
};

static struct wish wishes[64];
static int wish_count;

static bool stands_in(const struct wish *wish, struct span text)
{
    static char words[4096][64];
    size_t count = split(text, words, 4096);

    for (size_t i = 0; i + wish->count <= count; i++) {
        bool all = true;
        for (size_t k = 0; all && k < wish->count; k++)
            all = wish->open && k + 1 == wish->count
                      ? strncmp(words[i + k], wish->words[k], strlen(wish->words[k])) == 0
                      : strcmp(words[i + k], wish->words[k]) == 0;
        if (all)
            return true;
    }
    return false;
}

bool searching_fulfils(const struct message *message, int number)
{
    const struct wish *wish = &wishes[number];

    switch (wish->what) {
    case WORDS:
        for (unsigned part = 0; part < QUERY_PART_COUNT; part++)
            if (wish->where >> part & 1 && stands_in(wish, query_part(message, part)))
                return true;
        return false;
    case ARCHIVED:
        return message->place->archived;
    case FROM:
        return span_is(message->from, wish->name);
    case NOT:
        return !searching_fulfils(message, wish->left);
    case AND:
        return searching_fulfils(message, wish->left) && searching_fulfils(message, wish->right);
    default:
        return searching_fulfils(message, wish->left) || searching_fulfils(message, wish->right);
    }
}

/* --- making queries --- */

static void make_words(struct wish *wish, struct str *text)
{
    static const char *const fields[] = {"", "", "", "subject:", "body:"};
    static const unsigned parts[] = {QUERY_PARTS_ALL, QUERY_PARTS_ALL, QUERY_PARTS_ALL,
                                     1 << QUERY_PART_SUBJECT, 1 << QUERY_PART_BODY};
    uint32_t field = searching_draw(5);

    wish->what = WORDS;
    wish->where = parts[field];
    wish->count = 1 + searching_draw(8) / 6 + searching_draw(8) / 7;
    wish->open = searching_draw(4) == 0;
    str_puts(text, fields[field]);
    if (!wish->open)
        str_putc(text, '"');
    for (size_t i = 0; i < wish->count; i++) {
        snprintf(wish->words[i], sizeof wish->words[i], "%s",
                 vocabulary[searching_draw(VOCABULARY)]);
        str_puts(text, i ? wish->open ? "/" : " " : "");
        if (wish->open && i + 1 == wish->count)
            wish->words[i][1 + searching_draw(2)] = '\0';
        str_puts(text, wish->words[i]);
        lower(wish->words[i]);
    }
    str_putc(text, wish->open ? '*' : '"');
}

static int make_wish(unsigned depth, struct str *text)
{
    int number = wish_count++;
    struct wish wish = {0};
    uint32_t what = depth ? searching_draw(9) : searching_draw(6);

    if (what < 4) {
        make_words(&wish, text);
    } else if (what == 4) {
        wish.what = ARCHIVED;
        str_puts(text, "is:archived");
    } else if (what == 5) {
        wish.what = FROM;
        wish.name = searching_names[searching_draw(SEARCHING_NAMES)];
        str_addf(text, "from:%s", wish.name);
    } else {
        wish.what = what == 6 ? NOT : what == 7 ? AND : OR;
        str_puts(text, what == 6 ? "not (" : "((");
        wish.left = make_wish(depth - 1, text);
        if (what > 6) {
            str_puts(text, what == 7 ? ") (" : ") or (");
            wish.right = make_wish(depth - 1, text);
            str_putc(text, ')');
        }
        str_putc(text, ')');
    }
    wishes[number] = wish;
    return number;
}

int searching_wish(struct str *text)
{
    wish_count = 0;
    return make_wish(searching_draw(DEPTH), text);
}
