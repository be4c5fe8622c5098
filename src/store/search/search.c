/* Searching: from a query to messages. */
#include "store/search/search.h"

#include "base/mem.h"
#include "store/search/search_state.h"
#include "store/state/snooze_history.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The phrases of a query, and how well a message fits them. */

static void search_plan_make(struct search_plan *plan, const struct query *query)
{
    size_t cap = 0;

    *plan = (struct search_plan){.query = query};
    for (uint32_t i = 0; i < query->count; i++) {
        const struct query_node *node = &query->nodes[i];
        for (size_t k = 0; query_seeks_words(node) && k < node->value_count; k++) {
            *mem_push(plan->items, plan->count, cap) =
                (struct plan_item){.node = i,
                                   .phrase = &node->values[k].phrase,
                                   .parts = node->field->parts,
                                   .wished = query_wishes(query, i)};
        }
    }
}

static void search_plan_free(struct search_plan *plan)
{
    free(plan->items);
    *plan = (struct search_plan){0};
}

struct phrase_search {
    const struct search_plan *plan;
    const struct plan_hit *hits;
};

static bool is_hit(const struct plan_item *item, const struct plan_hit *hit)
{
    return hit->times && hit->parts & item->parts;
}

static bool has_term(const void *context, uint32_t node)
{
    const struct phrase_search *looking = context;

    for (size_t i = 0; i < looking->plan->count; i++)
        if (looking->plan->items[i].node == node &&
            is_hit(&looking->plan->items[i], &looking->hits[i]))
            return true;
    return false;
}

bool search_plan_may_match(const struct search_plan *plan, const struct plan_hit *hits)
{
    struct phrase_search looking = {plan, hits};

    return query_may_match(plan->query, has_term, &looking);
}

/* Returns how often the phrase is in the text, and adds to `there` a bit for each of its words that
 * is. Words after the 63rd count as present: that can only make more messages be read. */
static uint32_t count_phrase(const struct phrase *phrase, struct span text, uint64_t *there)
{
    struct words words;
    struct word word;
    uint32_t times = 0;

    for (words_begin(&words, text); words_next(&words, &word);)
        for (size_t i = 0; i < phrase->count && i < 63; i++)
            if (phrase_takes(phrase, i, word.text))
                *there |= UINT64_C(1) << i;
    for (words_begin(&words, text); phrase_next(phrase, &words, NULL);)
        times++;
    return times;
}

static uint64_t all_words(const struct phrase *phrase)
{
    return phrase->count < 63 ? (UINT64_C(1) << phrase->count) - 1 : UINT64_MAX >> 1;
}

void search_plan_glance(const struct search_plan *plan, const struct message *message,
                        struct plan_hit *hits)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        hits[i] = (struct plan_hit){0};
        for (unsigned part = 0; part < QUERY_PART_COUNT && !hits[i].times; part++)
            if (item->parts >> part & 1 &&
                phrase_stands_in(item->phrase, query_part(message, part), NULL))
                hits[i] = (struct plan_hit){1, (uint8_t)(1u << part)};
    }
}

uint32_t search_plan_prepare(const struct search_plan *plan, const struct message *message,
                             struct plan_hit *hits)
{
    struct words words;
    struct word word;
    uint32_t count = 0;

    for (unsigned part = 0; part < QUERY_PART_COUNT; part++)
        for (words_begin(&words, query_part(message, part)); words_next(&words, &word);)
            count++;
    for (size_t i = 0; i < plan->count; i++) {
        hits[i] = (struct plan_hit){0};
        for (unsigned part = 0; part < QUERY_PART_COUNT; part++) {
            uint64_t there = 0;
            hits[i].times += count_phrase(plan->items[i].phrase, query_part(message, part), &there);
            if (there == all_words(plan->items[i].phrase))
                hits[i].parts |= (uint8_t)(1u << part);
        }
    }
    return count;
}

/* Returns how well a message fits: BM25 with its common constants. A word in the subject counts as
 * four more occurrences, a word in a name as two. */
static double search_plan_score(const struct search_plan *plan, const struct corpus *corpus,
                                const struct plan_hit *hits, uint32_t words)
{
    static const double k1 = 1.2, b = 0.75;
    double usual = corpus->messages ? (double)corpus->words / (double)corpus->messages : 1;
    double score = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (!item->wished || !is_hit(item, &hits[i]))
            continue;
        double with = (double)item->with, all = (double)corpus->messages;
        double rarity = log(1 + (all - with + 0.5) / (with + 0.5));
        double times = hits[i].times + (hits[i].parts & 1 << QUERY_PART_SUBJECT ? 4 : 0) +
                       (hits[i].parts & (1 << QUERY_PART_FROM | 1 << QUERY_PART_TO) ? 2 : 0);
        double length = 1 - b + b * (double)words / (usual > 0 ? usual : 1);
        score += rarity * times * (k1 + 1) / (times + k1 * length);
    }
    return score;
}

/* The known state of the sources, and keeping it current. */

struct searcher *searcher_new(const struct source *sources, size_t count, bool may_write)
{
    struct searcher *searcher = mem_zero(1, sizeof *searcher);

    searcher->sources = mem_zero(count + 1, sizeof *searcher->sources);
    searcher->count = count;
    searcher->may_write = may_write;
    searcher->marks = -1;
    for (size_t i = 0; i < count; i++)
        searcher->sources[i].source = &sources[i];
    return searcher;
}

static void searched_detach(struct searched *searched)
{
    for (size_t i = 0; searched->files && i < searched->index.count; i++)
        free(searched->files[i]);
    free(searched->files);
    searched->files = NULL;
}

void searcher_free(struct searcher *searcher)
{
    if (!searcher)
        return;
    for (size_t i = 0; i < searcher->count; i++) {
        struct searched *searched = &searcher->sources[i];
        searched_detach(searched);
        index_close(&searched->index);
        file_census_free(&searched->census);
        local_marks_free(&searched->overlay);
    }
    free(searcher->sources);
    free(searcher);
}

void searcher_forget(struct searcher *searcher)
{
    for (size_t i = 0; i < searcher->count; i++)
        searcher->sources[i].counted = false;
}

void searcher_report(struct searcher *searcher, uint32_t source, struct span dir, struct span name)
{
    struct searched *searched = &searcher->sources[source];
    CLEANUP(str_free) struct str path = {0};

    if (!searched->counted)
        return;
    str_add_path(&path, dir, name);
    uint32_t number = file_census_find(&searched->census, str_span(&path));
    struct file_census_file before = {0};
    if (number != FILE_CENSUS_NONE)
        before = searched->census.files[number];
    file_census_stat(&searched->census, dir, name);
    struct file_census_file *file =
        number == FILE_CENSUS_NONE ? NULL : &searched->census.files[number]; /* it may have moved */
    if (file && file->by != FILE_CENSUS_NONE &&
        (before.gone != file->gone || !file_stamp_is_same(&before.now, &file->now))) {
        if (searched->files)
            searched->files[file->by][file->number] = FILE_CENSUS_NONE;
        file->by = FILE_CENSUS_NONE;
    }
}

/* Recomputes which files of the segments count. */
static void searched_attach(struct searched *searched)
{
    struct search_index *index = &searched->index;

    searched_detach(searched);
    index_attach(index, &searched->census);
    searched->files = mem_zero(index->count + 1, sizeof *searched->files);
    for (size_t i = 0; i < index->count; i++) {
        uint32_t count = index->segments[i].header.files;
        searched->files[i] = mem_alloc((count + 1) * sizeof **searched->files);
        memset(searched->files[i], 0xff, (count + 1) * sizeof **searched->files);
    }
    for (size_t i = 0; i < searched->census.count; i++) {
        const struct file_census_file *file = &searched->census.files[i];
        if (file->by != FILE_CENSUS_NONE)
            searched->files[file->by][file->number] = (uint32_t)i;
    }
}

/* Reads marks and copies again if they have changed. */
static bool seeking_overlay(struct seeking *seeking, struct err *err)
{
    struct searcher *searcher = seeking->searcher;
    int64_t tally[TALLY_COUNT] = {0};

    if (seeking->state && !state_tally(seeking->state, tally, err))
        tally[TALLY_MAIL] = -2; /* unknown: they may have changed */
    for (size_t i = 0; i < searcher->count; i++) {
        struct searched *searched = &searcher->sources[i];
        if (searched->overlaid && searched->overlay.state == seeking->state &&
            tally[TALLY_MAIL] == searcher->marks)
            continue;
        local_marks_free(&searched->overlay);
        if (searched->counted && file_census_copies(&searched->census, seeking->state, err))
            searched_attach(searched);
        searched->overlaid = local_marks_open(&searched->overlay, searched->source, seeking->state,
                                              (struct span){0}, err);
        if (!searched->overlaid)
            return false;
    }
    searcher->marks = tally[TALLY_MAIL];
    return true;
}

/* Takes the census of a source and opens its index again, where needed. */
static bool seeking_refresh(struct seeking *seeking, struct searched *searched, struct err *err)
{
    bool counting = !seeking->search->informed || !searched->counted;
    bool opening = !searched->opened || !index_is_current(&searched->index);

    if (opening) {
        searched_detach(searched);
        index_close(&searched->index);
        index_open(&searched->index, searched->source);
        searched->opened = true;
    }
    if (counting) {
        searched->counted =
            file_census_take(&searched->census, searched->source, seeking->state, err);
        if (!searched->counted)
            return err_at(err, searched->source->path);
    }
    if (counting || opening)
        searched_attach(searched);
    return true;
}

void search_result_free(struct search_result *result)
{
    free(result->messages);
    span_list_free(&result->unreadable);
    arena_free(&result->arena);
    *result = (struct search_result){0};
}

bool seeking_is_stopped(const struct seeking *seeking)
{
    return seeking->search->stop && atomic_load(seeking->search->stop);
}

/* Looking up words. */

static bool is_live(const struct searched *searched, uint32_t segment, uint32_t doc)
{
    return searched->files[segment][searched->index.segments[segment].docs[doc].file] !=
           FILE_CENSUS_NONE;
}

static void forget_hits(struct searched *searched, const struct search_plan *plan)
{
    for (size_t i = 0; searched->hits && i < searched->index.count; i++) {
        for (size_t k = 0; searched->hits[i] && k < plan->count; k++)
            segment_hits_free(&searched->hits[i][k]);
        free(searched->hits[i]);
    }
    free(searched->hits);
    searched->hits = NULL;
}

/* Looks up all items. False when a segment is damaged: it was removed from the index, and the
 * caller has to attach the census and start again. */
static bool seek_segments(struct seeking *seeking, struct searched *searched)
{
    const struct search_plan *plan = &seeking->plan;
    struct search_index *index = &searched->index;
    struct err err;

    searched->hits = mem_zero(index->count + 1, sizeof *searched->hits);
    for (size_t i = 0; i < index->count; i++) {
        searched->hits[i] = mem_zero(plan->count + 1, sizeof **searched->hits);
        for (size_t k = 0; k < plan->count; k++) {
            if (segment_find(&index->segments[i], plan->items[k].phrase, &searched->hits[i][k],
                             &err))
                continue;
            forget_hits(searched, plan);
            searched_detach(searched);
            index_distrust(index, i, seeking->searcher->may_write, &err);
            return false;
        }
    }
    return true;
}

static void count_live(struct seeking *seeking, const struct searched *searched)
{
    for (uint32_t i = 0; i < searched->index.count; i++) {
        const struct segment *segment = &searched->index.segments[i];
        for (uint32_t doc = 0; doc < segment->header.docs; doc++) {
            if (!is_live(searched, i, doc))
                continue;
            seeking->result->indexed++;
            seeking->corpus.messages++;
            seeking->corpus.words += segment->docs[doc].words;
            for (size_t k = 0; k < seeking->plan.count; k++)
                seeking->plan.items[k].with += searched->hits[i][k].times[doc] > 0;
        }
    }
}

static int cmp_keys(const void *a, const void *b)
{
    const struct fresh_doc *left = a, *right = b;

    return left->key < right->key ? -1 : left->key > right->key;
}

static bool prepare_search(struct seeking *seeking, struct searched *searched, struct err *err)
{
    if (!seeking_refresh(seeking, searched, err))
        return false;
    while (!seek_segments(seeking, searched))
        searched_attach(searched);
    if (searched->index.damaged)
        snprintf(seeking->result->problem, sizeof seeking->result->problem, "%s",
                 searched->index.problem);
    for (size_t i = 0; i + 1 < searched->census.problems.count; i += 2)
        seeking_note_unreadable(seeking, searched, searched->census.problems.items[i],
                                searched->census.problems.items[i + 1]);
    count_live(seeking, searched);
    seeking_read(seeking, searched);
    if (searched->fresh_count)
        qsort(searched->fresh, searched->fresh_count, sizeof *searched->fresh, cmp_keys);
    return true;
}

/* Candidates. */

static void hits_of(const struct seeking *seeking, const struct searched *searched,
                    uint32_t segment, uint32_t doc, struct plan_hit *hits)
{
    for (size_t k = 0; k < seeking->plan.count; k++)
        hits[k] = (struct plan_hit){searched->hits[segment][k].times[doc],
                                    searched->hits[segment][k].parts[doc]};
}

/* Iterates over docs of one segment, or over those that were read, the newest first; stops at those
 * that may match. */
struct cursor {
    uint32_t source, segment;
    uint32_t *order;
    size_t at, count;
    bool own; /* free the order */
    struct candidate here;
    bool ended;
};

/* True if a doc may match; fills in the candidate. */
static bool consider(const struct seeking *seeking, uint32_t source, uint32_t segment, uint32_t doc,
                     struct plan_hit *hits, struct candidate *candidate)
{
    const struct searched *searched = &seeking->searcher->sources[source];

    *candidate = (struct candidate){.source = source, .segment = segment, .doc = doc};
    uint32_t words;
    const struct plan_hit *known = hits;
    if (segment == FILE_CENSUS_NONE) {
        const struct fresh_doc *fresh = &searched->fresh[doc];
        if (!fresh->may)
            return false;
        candidate->created_us = fresh->created_us;
        candidate->id = fresh->id;
        words = fresh->words;
        known = fresh->hits;
    } else {
        const struct segment *from = &searched->index.segments[segment];
        if (!is_live(searched, segment, doc))
            return false;
        hits_of(seeking, searched, segment, doc, hits);
        if (!search_plan_may_match(&seeking->plan, hits))
            return false;
        candidate->created_us = from->docs[doc].created_us;
        candidate->id = segment_doc_id(from, doc);
        words = from->docs[doc].words;
    }
    if (seeking->search->ranked)
        candidate->score = search_plan_score(&seeking->plan, &seeking->corpus, known, words);
    return true;
}

static void advance_search(const struct seeking *seeking, struct cursor *cursor,
                           struct plan_hit *hits)
{
    while (cursor->at < cursor->count)
        if (consider(seeking, cursor->source, cursor->segment, cursor->order[cursor->at++], hits,
                     &cursor->here))
            return;
    cursor->ended = true;
}

static int cmp_dates(const struct candidate *left, const struct candidate *right)
{
    if (left->created_us != right->created_us)
        return left->created_us < right->created_us ? 1 : -1;
    return span_cmp(right->id, left->id);
}

static int cmp_candidates(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;

    if (left->score != right->score)
        return left->score < right->score ? 1 : -1;
    return cmp_dates(left, right);
}

/* Returns the docs that were read and may match, the newest first. The caller frees them. */
static uint32_t *order_fresh(const struct seeking *seeking, uint32_t source, size_t *count)
{
    const struct searched *searched = &seeking->searcher->sources[source];
    CLEANUP(mem_free)
    struct candidate *some = mem_alloc((searched->fresh_count + 1) * sizeof *some);

    *count = 0;
    for (size_t i = 0; i < searched->fresh_count; i++)
        if (searched->fresh[i].may)
            some[(*count)++] = (struct candidate){.created_us = searched->fresh[i].created_us,
                                                  .id = searched->fresh[i].id,
                                                  .doc = (uint32_t)i};
    qsort(some, *count, sizeof *some, cmp_candidates);
    uint32_t *order = mem_alloc((*count + 1) * sizeof *order);
    for (size_t i = 0; i < *count; i++)
        order[i] = some[i].doc;
    return order;
}

static struct cursor *open_cursors(const struct seeking *seeking, size_t *count)
{
    const struct searcher *searcher = seeking->searcher;
    struct cursor *cursors = NULL;
    size_t cap = 0;

    *count = 0;
    for (uint32_t i = 0; i < searcher->count; i++) {
        const struct search_index *index = &searcher->sources[i].index;
        for (uint32_t k = 0; k <= index->count; k++) {
            struct cursor cursor = {.source = i, .segment = k};
            if (k < index->count) {
                cursor.order = index->segments[k].newest;
                cursor.count = index->segments[k].header.docs;
            } else {
                cursor.segment = FILE_CENSUS_NONE;
                cursor.order = order_fresh(seeking, i, &cursor.count);
                cursor.own = true;
            }
            *mem_push(cursors, *count, cap) = cursor;
        }
    }
    return cursors;
}

static bool is_enough(const struct seeking *seeking)
{
    return seeking->result->count >= seeking->search->limit;
}

/* Shows the newest first: takes from each segment only as many as are wanted. */
static void show_newest(struct seeking *seeking, struct cursor *cursors, size_t count,
                        struct plan_hit *hits)
{
    for (size_t i = 0; i < count; i++)
        advance_search(seeking, &cursors[i], hits);
    for (;;) {
        struct cursor *best = NULL;
        for (size_t i = 0; i < count; i++)
            if (!cursors[i].ended && (!best || cmp_dates(&cursors[i].here, &best->here) < 0))
                best = &cursors[i];
        seeking->result->more = best && is_enough(seeking);
        if (!best || is_enough(seeking) || seeking_is_stopped(seeking))
            return;
        seeking_show(seeking, &best->here);
        advance_search(seeking, best, hits);
    }
}

/* Shows the best first: collects all candidates before. */
static void show_best(struct seeking *seeking, struct cursor *cursors, size_t count,
                      struct plan_hit *hits)
{
    CLEANUP(mem_free) struct candidate *all = NULL;
    size_t found = 0, cap = 0;

    for (size_t i = 0; i < count; i++)
        for (advance_search(seeking, &cursors[i], hits); !cursors[i].ended;
             advance_search(seeking, &cursors[i], hits)) {
            *mem_push(all, found, cap) = cursors[i].here;
        }
    if (found)
        qsort(all, found, sizeof *all, cmp_candidates);
    size_t at = 0;
    for (; at < found && !is_enough(seeking) && !seeking_is_stopped(seeking); at++)
        seeking_show(seeking, &all[at]);
    seeking->result->more = at < found;
}

static void show_candidates(struct seeking *seeking)
{
    CLEANUP(mem_free)
    struct plan_hit *hits = mem_alloc((seeking->plan.count + 1) * sizeof *hits);
    size_t count;
    CLEANUP(mem_free) struct cursor *cursors = open_cursors(seeking, &count);

    (seeking->search->ranked ? show_best : show_newest)(seeking, cursors, count, hits);
    for (size_t i = 0; i < count; i++)
        if (cursors[i].own)
            free(cursors[i].order);
}

bool searcher_find(struct searcher *searcher, struct state *state, const struct search *search,
                   struct search_result *result, struct err *err)
{
    struct seeking seeking = {
        .searcher = searcher, .state = state, .search = search, .result = result};
    bool ok;

    search_plan_make(&seeking.plan, search->query);
    ok = seeking_overlay(&seeking, err);
    for (size_t i = 0; ok && i < searcher->count && !seeking_is_stopped(&seeking); i++)
        ok = prepare_search(&seeking, &searcher->sources[i], err);
    if (ok && !seeking_is_stopped(&seeking))
        show_candidates(&seeking);
    for (size_t i = 0; i < searcher->count; i++) {
        struct searched *searched = &searcher->sources[i];
        forget_hits(searched, &seeking.plan);
        free(searched->fresh);
        searched->fresh = NULL;
        searched->fresh_count = searched->fresh_cap = 0;
        arena_free(&searched->arena);
    }
    seeking_release(&seeking);
    search_plan_free(&seeking.plan);
    map_free(&seeking.shown);
    arena_free(&seeking.arena);
    return ok;
}
