/* Completion: matching, ordering, cycling. */
#include "ui/widget/complete.h"

#include "base/mem.h"
#include "base/text/fold.h"
#include "base/text/utf8.h"

#include <stdlib.h>

void complete_free(struct completion *completion)
{
    arena_free(&completion->arena);
    map_free(&completion->known);
    free(completion->candidates);
    *completion = (struct completion){0};
}

static struct span fold(struct completion *completion, struct span text)
{
    struct str folded = {0};

    fold_add(&folded, text);
    struct span copy = arena_copy(&completion->arena, str_span(&folded));
    str_free(&folded);
    return copy;
}

void complete_add(struct completion *completion, struct span text, struct span note, int rank)
{
    bool fresh;

    if (!text.len)
        return;
    uint32_t *known = map_get(&completion->known, text);
    if (known) {
        struct candidate *old = &completion->candidates[*known];
        if (rank < old->rank) {
            old->rank = rank;
            old->note = arena_copy(&completion->arena, note);
        }
        return;
    }
    struct candidate candidate = {.text = arena_copy(&completion->arena, text),
                                  .note = arena_copy(&completion->arena, note),
                                  .folded = fold(completion, text),
                                  .rank = rank};
    *map_put(&completion->known, candidate.text, &fresh) = (uint32_t)completion->count;
    completion->candidates = mem_grow(completion->candidates, &completion->cap,
                                      completion->count + 1, sizeof *completion->candidates);
    completion->candidates[completion->count++] = candidate;
}

static bool has_in_order(struct span text, struct span typed)
{
    while (typed.len && text.len) {
        struct span rest = typed;
        int32_t wanted = utf8_next(&rest);
        if (utf8_next(&text) == wanted)
            typed = rest;
    }
    return !typed.len;
}

enum complete_match complete_match(struct span text, struct span typed)
{
    if (span_starts(text, typed))
        return COMPLETE_START;
    if (memmem(text.at, text.len, typed.at, typed.len))
        return COMPLETE_PART;
    return has_in_order(text, typed) ? COMPLETE_LOOSE : COMPLETE_NOT;
}

static int by_worth(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->match != b->match)
        return a->match < b->match ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    int order = span_cmp(a->folded, b->folded);
    return order ? order : span_cmp(a->text, b->text);
}

/* One folded character off the front. */
static void take_folded(struct str *folded, struct span *rest)
{
    const char *start = rest->at;

    utf8_next(rest);
    str_clear(folded);
    fold_add(folded, (struct span){start, (size_t)(rest->at - start)});
}

/* The start of `a` that `b` has too, whatever its case. */
static struct span common_start(struct span a, struct span b)
{
    struct str one = {0}, other = {0};
    struct span rest = a;

    while (rest.len && b.len) {
        struct span before = rest;
        take_folded(&one, &rest);
        take_folded(&other, &b);
        if (!span_eq(str_span(&one), str_span(&other))) {
            rest = before;
            break;
        }
    }
    str_free(&one);
    str_free(&other);
    return (struct span){a.at, a.len - rest.len};
}

/* Absent when it is no more than was typed. */
static struct span find_common(struct completion *completion, struct span typed_folded)
{
    const struct candidate *candidates = completion->candidates;

    if (!completion->matches || candidates[0].match != COMPLETE_START)
        return (struct span){0};
    struct span common = candidates[0].text;
    for (size_t i = 1; i < completion->matches && candidates[i].match == COMPLETE_START; i++)
        common = common_start(common, candidates[i].text);
    return fold(completion, common).len > typed_folded.len ? common : (struct span){0};
}

size_t complete_open(struct completion *completion, struct span typed)
{
    struct span folded = fold(completion, typed);

    completion->typed = arena_copy(&completion->arena, typed.at ? typed : span_of(""));
    completion->matches = 0;
    for (size_t i = 0; i < completion->count; i++) {
        struct candidate *candidate = &completion->candidates[i];
        candidate->match = complete_match(candidate->folded, folded);
        completion->matches += candidate->match != COMPLETE_NOT;
    }
    if (completion->count)
        qsort(completion->candidates, completion->count, sizeof *completion->candidates, by_worth);
    completion->common = find_common(completion, folded);
    completion->at = completion->matches;
    completion->fresh = true;
    return completion->matches;
}

static struct span shown(const struct completion *completion)
{
    return completion->at < completion->matches ? completion->candidates[completion->at].text
                                                : completion->typed;
}

struct span complete_next(struct completion *completion)
{
    bool fresh = completion->fresh;

    completion->fresh = false;
    if (fresh && completion->common.len) {
        if (span_eq(completion->common, completion->candidates[0].text))
            completion->at = 0; /* taken already: the next one is another */
        return completion->common;
    }
    completion->at = completion->at >= completion->matches ? 0 : completion->at + 1;
    return shown(completion);
}

struct span complete_previous(struct completion *completion)
{
    completion->fresh = false;
    completion->at = completion->at ? completion->at - 1 : completion->matches;
    return shown(completion);
}
