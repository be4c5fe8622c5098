/* Differences: the shortest edit script, by Myers' greedy algorithm. */
#include "base/text/diff.h"

#include "base/mem.h"

#include <stdlib.h>

/* The limit on single changes: beyond it all remaining lines count as changed. */
enum { STEPS_MOST = 2000 };

static void split_lines(struct span_list *lines, struct span text)
{
    while (text.len)
        span_list_add(lines, span_take_line(&text));
}

static void add_line(struct difference *difference, struct span text, enum diff_kind kind)
{
    *mem_push(difference->lines, difference->count, difference->cap) =
        (struct diff_line){text, kind};
    difference->changed += kind != DIFF_SAME;
}

/* The part of both texts that is still to be compared. */
struct diff_range {
    const struct span *a, *b;
    long a_count, b_count;
};

/* For each number of steps, the furthest line of `a` on each diagonal; row d has 2d + 1 entries. */
struct trace {
    long *rows[STEPS_MOST + 1];
    long steps; /* -1: too many */
};

static long trace_at(const struct trace *trace, long step, long diagonal)
{
    return trace->rows[step][diagonal + step];
}

/* Returns the line of `a` that a path of `step` steps reaches on a diagonal, before it follows
 * equal lines. */
static long trace_reach(const struct trace *trace, long step, long k)
{
    if (!step)
        return 0;
    bool down = k == -step ||
                (k != step && trace_at(trace, step - 1, k - 1) < trace_at(trace, step - 1, k + 1));
    return down ? trace_at(trace, step - 1, k + 1) : trace_at(trace, step - 1, k - 1) + 1;
}

static void search_path(struct trace *trace, const struct diff_range *s)
{
    for (long step = 0; step <= STEPS_MOST; step++) {
        trace->rows[step] = mem_alloc((size_t)(2 * step + 1) * sizeof **trace->rows);
        trace->steps = step;
        for (long k = -step; k <= step; k += 2) {
            long x = trace_reach(trace, step, k);
            while (x < s->a_count && x - k < s->b_count && x - k >= 0 &&
                   span_eq(s->a[x], s->b[x - k]))
                x++;
            trace->rows[step][k + step] = x;
            if (k < step)
                trace->rows[step][k + step + 1] = x; /* never read; avoids an undefined value */
            if (x >= s->a_count && x - k >= s->b_count)
                return;
        }
    }
    trace->steps = -1;
}

/* Walks the path backwards and marks the lines of both texts that are common. */
static void mark_common(const struct trace *trace, const struct diff_range *s, bool *a_stays,
                        bool *b_stays)
{
    long x = s->a_count, y = s->b_count;

    for (long step = trace->steps; step >= 0; step--) {
        long k = x - y, from = trace_reach(trace, step, k);
        while (x > from) {
            x--;
            y--;
            a_stays[x] = b_stays[y] = true;
        }
        if (!step)
            break;
        if (k == -step ||
            (k != step && trace_at(trace, step - 1, k - 1) < trace_at(trace, step - 1, k + 1)))
            y--;
        else
            x--;
    }
}

static void report_lines(struct difference *difference, const struct diff_range *s,
                         const bool *a_stays, const bool *b_stays)
{
    long x = 0;

    for (long y = 0; y < s->b_count; y++) {
        while (x < s->a_count && !a_stays[x])
            add_line(difference, s->a[x++], DIFF_GONE);
        add_line(difference, s->b[y], b_stays[y] ? DIFF_SAME : DIFF_NEW);
        x += b_stays[y];
    }
    while (x < s->a_count)
        add_line(difference, s->a[x++], DIFF_GONE);
}

static void compare_stretch(struct difference *difference, const struct diff_range *s)
{
    CLEANUP(mem_free) struct trace *trace = mem_zero(1, sizeof *trace);
    CLEANUP(mem_free) bool *a_stays = mem_zero((size_t)s->a_count + 1, 1);
    CLEANUP(mem_free) bool *b_stays = mem_zero((size_t)s->b_count + 1, 1);

    search_path(trace, s);
    if (trace->steps >= 0)
        mark_common(trace, s, a_stays, b_stays);
    report_lines(difference, s, a_stays, b_stays);
    for (size_t i = 0; i <= STEPS_MOST; i++)
        free(trace->rows[i]);
}

void diff_find(struct difference *difference, struct span before, struct span after)
{
    CLEANUP(span_list_free) struct span_list a = {0}, b = {0};
    size_t head = 0, tail = 0;

    difference->count = difference->changed = 0;
    split_lines(&a, before);
    split_lines(&b, after);
    while (head < a.count && head < b.count && span_eq(a.items[head], b.items[head]))
        head++;
    while (tail < a.count - head && tail < b.count - head &&
           span_eq(a.items[a.count - 1 - tail], b.items[b.count - 1 - tail]))
        tail++;
    for (size_t i = 0; i < head; i++)
        add_line(difference, b.items[i], DIFF_SAME);
    struct diff_range middle = {a.items ? a.items + head : NULL, b.items ? b.items + head : NULL,
                                (long)(a.count - head - tail), (long)(b.count - head - tail)};
    compare_stretch(difference, &middle);
    for (size_t i = b.count - tail; i < b.count; i++)
        add_line(difference, b.items[i], DIFF_SAME);
}

void diff_free(struct difference *difference)
{
    free(difference->lines);
    *difference = (struct difference){0};
}
