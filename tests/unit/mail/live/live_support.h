/* Shared by the tests of the live messages: compares all that a head keeps of a message. */
#ifndef TESTS_UNIT_MAIL_LIVE_LIVE_SUPPORT_H
#define TESTS_UNIT_MAIL_LIVE_LIVE_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/message/model.h"

/* NULL and empty are different. */
static inline bool same_span(struct span a, struct span b)
{
    return span_eq(a, b) && !a.at == !b.at;
}

static inline bool same_notice(const struct notice *a, const struct notice *b)
{
    if (!a || !b)
        return a == b;
    return same_span(a->reason, b->reason) && same_span(a->failure, b->failure) &&
           same_span(a->task, b->task) && same_span(a->task_status, b->task_status) &&
           same_span(a->summary, b->summary);
}

static inline bool same_place(const struct place *a, const struct place *b)
{
    return a->source == b->source && strcmp(a->root, b->root) == 0 && a->archived == b->archived &&
           a->local == b->local && a->by_subject == b->by_subject &&
           a->short_replies == b->short_replies && a->chained == b->chained &&
           a->done_archived == b->done_archived && same_span(a->team, b->team) &&
           same_span(a->box, b->box) && same_span(a->dir, b->dir);
}

static inline bool same_work(const struct work *a, const struct work *b)
{
    return !a || !b ? a == b
                    : same_span(a->giver, b->giver) && same_span(a->job, b->job) &&
                          a->read_us == b->read_us && a->completed_us == b->completed_us;
}

/* Returns the name of the first thing in which they differ, or NULL. */
static inline const char *head_difference(const struct message *a, const struct message *b)
{
    const struct {
        const char *what;
        bool same;
    } parts[] = {{"id", same_span(a->id, b->id)},
                 {"file", same_span(a->file, b->file)},
                 {"from", same_span(a->from, b->from)},
                 {"to", same_span(a->to, b->to)},
                 {"subject", same_span(a->subject, b->subject)},
                 {"type", same_span(a->type, b->type)},
                 {"thread", same_span(a->thread, b->thread)},
                 {"reply_to", same_span(a->reply_to, b->reply_to)},
                 {"place", same_place(a->place, b->place)},
                 {"damaged", same_span(span_of(a->damaged), span_of(b->damaged))},
                 {"notice", same_notice(a->notice, b->notice)},
                 {"created_us", a->created_us == b->created_us},
                 {"expires_us", a->expires_us == b->expires_us},
                 {"raw_at", a->raw_at == b->raw_at},
                 {"raw_len", a->raw_len == b->raw_len},
                 {"print", a->print == b->print},
                 {"content", a->content == b->content},
                 {"priority", a->priority == b->priority},
                 {"status", a->status == b->status},
                 {"kind", a->kind == b->kind},
                 {"verdict", a->verdict == b->verdict},
                 {"said", a->said == b->said},
                 {"work", same_work(a->work, b->work)},
                 {"requires_response", a->requires_response == b->requires_response},
                 {"unread_bytes", a->unread_bytes == b->unread_bytes},
                 {"seen", a->seen == b->seen},
                 {"read_here", a->read_here == b->read_here},
                 {"mine", a->mine == b->mine},
                 {"by_us", a->by_us == b->by_us},
                 {"whole_folder", a->whole_folder == b->whole_folder},
                 {"refused", a->refused == b->refused},
                 {"flags", a->flags == b->flags}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].same)
            return parts[i].what;
    return NULL;
}

/* Compares the places of messages: source, directory, file, and the offset in the file. */
static inline int cmp_where(const struct message *a, const struct message *b)
{
    const struct place *x = a->place, *y = b->place;
    int order = x->source != y->source ? (x->source < y->source ? -1 : 1) : x->local - y->local;

    order = order ? order : span_cmp(x->dir, y->dir);
    order = order ? order : span_cmp(a->file, b->file);
    order = order ? order : a->raw_at != b->raw_at ? (a->raw_at < b->raw_at ? -1 : 1) : 0;
    return order ? order : span_cmp(a->id, b->id);
}

/* Asserts that two models hold the same messages, in whatever order; sorts both. */
static inline void assert_same_messages(struct model *got, struct model *want, const char *when)
{
    model_sort(got->messages, got->count, cmp_where);
    model_sort(want->messages, want->count, cmp_where);
    cr_assert_eq(got->count, want->count, "%s: %zu messages for %zu", when, got->count,
                 want->count);
    for (size_t i = 0; i < got->count; i++) {
        const struct message *a = got->messages[i], *b = want->messages[i];
        const char *difference = head_difference(a, b);
        cr_assert_null(difference, "%s: %.*s/%.*s for %.*s/%.*s: %s", when, (int)a->place->dir.len,
                       a->place->dir.at, (int)a->file.len, a->file.at, (int)b->place->dir.len,
                       b->place->dir.at, (int)b->file.len, b->file.at, difference);
    }
}

#endif
