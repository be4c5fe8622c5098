/* Suggestions: edit distance, in which swapping two neighbouring letters is one typo. */
#include "base/text/suggest.h"

#include "base/text/utf8.h"

#include <limits.h>

enum { NAME_MAX_BYTES = 255, SHOWN = 3 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(struct span a, struct span b)
{
    unsigned rows[3][NAME_MAX_BYTES + 1];

    if (a.len > NAME_MAX_BYTES || b.len > NAME_MAX_BYTES)
        return UINT_MAX;
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a.len; i++) {
        unsigned *row = rows[i % 3], *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = fold_char(a.at[i - 1]), y = fold_char(b.at[j - 1]);
            row[j] = least(least(before[j] + 1, row[j - 1] + 1), before[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == fold_char(b.at[j - 2]) && y == fold_char(a.at[i - 2]))
                row[j] = least(row[j], two_before[j - 2] + 1);
        }
    }
    return rows[a.len % 3][b.len];
}

/* Returns the distance; any number above the limit means "too far". */
static unsigned score(struct span typed, struct span name, unsigned limit)
{
    size_t more = typed.len > name.len ? typed.len - name.len : name.len - typed.len;

    /* A name that starts with what was typed is near, however long it is. */
    if (typed.len && span_starts(name, typed))
        return 1;
    return more > limit ? UINT_MAX : distance(typed, name);
}

static bool is_among(const struct span *names, const size_t *which, size_t found, struct span name)
{
    for (size_t i = 0; i < found; i++)
        if (span_eq(names[which[i]], name))
            return true;
    return false;
}

static void add_within(struct str *out, struct span typed, const struct span *names, size_t count,
                       unsigned limit)
{
    unsigned best[SHOWN];
    size_t which[SHOWN], found = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned here = score(typed, names[i], limit);
        if (here > limit || is_among(names, which, found, names[i]))
            continue;
        size_t at = found < SHOWN ? found : SHOWN;
        while (at > 0 && best[at - 1] > here)
            at--;
        if (at == SHOWN)
            continue;
        size_t last = found < SHOWN ? found++ : SHOWN - 1;
        for (size_t k = last; k > at; k--) {
            best[k] = best[k - 1];
            which[k] = which[k - 1];
        }
        best[at] = here;
        which[at] = i;
    }
    for (size_t i = 0; i < found; i++)
        str_addf(out, "%s\"%.*s\"", i ? ", " : "", (int)names[which[i]].len, names[which[i]].at);
}

static void hint_within(struct str *out, struct span typed, const struct span *names, size_t count,
                        unsigned limit)
{
    CLEANUP(str_free) struct str near = {0};

    add_within(&near, typed, names, count, limit);
    if (near.len)
        str_addf(out, "; near: %s", str_c(&near));
}

void suggest_hint(struct str *out, struct span typed, const struct span *names, size_t count)
{
    hint_within(out, typed, names, count, (unsigned)(typed.len / 3) + 1);
}

void suggest_slip(struct str *out, struct span typed, const struct span *names, size_t count)
{
    hint_within(out, typed, names, count, typed.len < 6 ? 1 : 2);
}

void suggest_hint_words(struct str *out, struct span typed, const char *(*word)(unsigned number))
{
    CLEANUP(span_list_free) struct span_list names = {0};

    for (unsigned i = 0; word(i); i++)
        span_list_add(&names, span_of(word(i)));
    suggest_hint(out, typed, names.items, names.count);
}
