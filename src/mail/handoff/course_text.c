/* Courses of handoffs: their order, their lineage, and what is said of them. */
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/handoff/course.h"

/* What others wrote is cut to so many characters, and so many of those who had the work are named.
 */
enum { NAME_CHARS = 40, NAMES_MOST = 5 };

static const char *const names[COURSE_STATE_COUNT] = {
    [COURSE_OFFERED] = "offered",     [COURSE_SEEN] = "seen",
    [COURSE_ACCEPTED] = "accepted",   [COURSE_IN_PROGRESS] = "in progress",
    [COURSE_COMPLETED] = "completed", [COURSE_FAILED] = "failed",
    [COURSE_DECLINED] = "declined",   [COURSE_HANDED_ON] = "handed on",
};

static const uint8_t ranks[COURSE_STATE_COUNT] = {
    [COURSE_FAILED] = 1,   [COURSE_DECLINED] = 2,    [COURSE_OFFERED] = 3,   [COURSE_SEEN] = 4,
    [COURSE_ACCEPTED] = 5, [COURSE_IN_PROGRESS] = 6, [COURSE_HANDED_ON] = 7, [COURSE_COMPLETED] = 8,
};

const char *course_state_name(enum course_state state)
{
    return names[state];
}

bool course_is_over(const struct course *course)
{
    return course->state > COURSE_IN_PROGRESS || course->proof == PROOF_PUT_AWAY;
}

static unsigned rank_of(const struct course *course)
{
    if (course->stalled)
        return 0;
    return course->proof == PROOF_PUT_AWAY ? ranks[COURSE_COMPLETED] + 1u : ranks[course->state];
}

int course_cmp(const struct courses *handoffs, const struct course *a, const struct course *b)
{
    unsigned x = rank_of(a), y = rank_of(b);

    if (x != y)
        return x < y ? -1 : 1;
    int order = message_cmp_urgency(handoffs->model->messages[a->message],
                                    handoffs->model->messages[b->message]);
    return order ? order : (a > b) - (a < b);
}

size_t course_lineage(const struct courses *handoffs, const struct course *course, uint32_t *line,
                      size_t most)
{
    struct span giver = course->giver;
    size_t count = 0;

    for (uint32_t at = course->previous; at != COURSE_NONE && count < most;
         at = handoffs->items[at].previous) {
        const struct course *earlier = &handoffs->items[at];
        if (earlier->state == COURSE_DECLINED || span_eq(earlier->giver, giver))
            continue;
        giver = earlier->giver;
        line[count++] = at;
    }
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t other = line[i];
        line[i] = line[count - 1 - i];
        line[count - 1 - i] = other;
    }
    return count;
}

/* In quotes where it could pass for more than a name. */
static void add_name(struct str *out, struct span name)
{
    struct span start = utf8_start(name, NAME_CHARS);
    bool quotes = !name.len;

    for (size_t i = 0; i < start.len; i++)
        quotes |= start.at[i] == ' ' || start.at[i] == '\t' || start.at[i] == ',' ||
                  start.at[i] == ';' || start.at[i] == '(' || start.at[i] == ')';
    str_puts(out, quotes ? "\"" : "");
    str_add_span(out, start);
    str_puts(out, start.len < name.len ? "..." : "");
    str_puts(out, quotes ? "\"" : "");
}

/* The words before and behind stand there only with an age. */
static void add_age(struct str *out, const char *before, int64_t when_us, int64_t now_us,
                    const char *behind)
{
    int64_t age_us;

    if (when_us == WHEN_NONE || __builtin_sub_overflow(now_us, when_us, &age_us))
        return;
    str_puts(out, before);
    when_add_age(out, age_us);
    str_puts(out, age_us >= 1000000 ? behind : "");
}

static void add_ago(struct str *out, int64_t when_us, int64_t now_us)
{
    add_age(out, " ", when_us, now_us, " ago");
}

static void add_how(struct str *out, const struct courses *handoffs, const struct course *course)
{
    static const char *const words[PROOF_COUNT] = {
        [PROOF_UNREAD] = "unread",
        [PROOF_EXPIRED] = "unread, and expired",
        [PROOF_READ] = "marked as read",
        [PROOF_LOOKED] = "looked at here",
        [PROOF_PUT_AWAY] = "archived without a word",
        [PROOF_ANSWERED] = "answered in ",
        [PROOF_SAID] = "said so in ",
        [PROOF_WROTE] = "wrote again in ",
        [PROOF_MARKED] = "marked so in the mailbox",
        [PROOF_ARCHIVED] = "archived",
        [PROOF_PASSED] = "to ",
    };

    str_puts(out, words[course->proof]);
    if (course->proof == PROOF_PASSED) {
        add_name(out, handoffs->items[course->next].taker);
        str_puts(out, " in ");
    }
    if (course->evidence != COURSE_NONE)
        add_name(out, handoffs->model->messages[course->evidence]->id);
}

void course_add_tag(struct str *out, const struct course *course, int64_t now_us)
{
    str_puts(out, course->stalled ? "stalled" : names[course->state]);
    if (course->stalled)
        add_age(out, " ", course->heard_us, now_us, "");
}

void course_add_evidence(struct str *out, const struct courses *handoffs,
                         const struct course *course, int64_t now_us)
{
    bool begun = course->state == COURSE_IN_PROGRESS && course->proof == PROOF_MARKED;

    add_how(out, handoffs, course);
    if (begun && course->since_us != WHEN_NONE) /* nobody notes when work began */
        str_puts(out, ", read");
    if (course->state != COURSE_OFFERED)
        add_ago(out, course->since_us, now_us);
    if (course->stalled)
        add_age(out, "; nothing for ", course->heard_us, now_us, "");
}

bool course_add_lineage(struct str *out, const struct courses *handoffs,
                        const struct course *course)
{
    uint32_t line[NAMES_MOST + 1];
    size_t count = course_lineage(handoffs, course, line, NAMES_MOST + 1);

    if (count > NAMES_MOST)
        str_puts(out, "...");
    for (size_t i = count > NAMES_MOST; i < count; i++) {
        str_puts(out, i ? ", " : "");
        add_name(out, handoffs->items[line[i]].giver);
    }
    return count > 0;
}

/* Who had the work, its giver last, where that is not simply who sent it. */
static void add_before(struct str *out, const struct courses *handoffs, const struct course *course)
{
    struct str names_before = {0};
    bool any = course_add_lineage(&names_before, handoffs, course);

    if (any || !span_eq(course->giver, handoffs->model->messages[course->message]->from)) {
        str_puts(out, "; before: ");
        str_add_span(out, str_span(&names_before));
        str_puts(out, any ? ", " : "");
        add_name(out, course->giver);
    }
    str_free(&names_before);
}

void course_add_sentence(struct str *out, const struct courses *handoffs,
                         const struct course *course, int64_t now_us)
{
    if (course->stalled) {
        course_add_tag(out, course, now_us);
        str_puts(out, ": ");
    }
    str_puts(out, names[course->state]);
    if (course->state == COURSE_IN_PROGRESS)
        add_age(out, " for ", course->since_us, now_us, "");
    else
        add_ago(out, course->since_us, now_us);
    str_puts(out, course->state == COURSE_OFFERED ? " to " : " by ");
    add_name(out, course->taker);
    str_puts(out, " (");
    add_how(out, handoffs, course);
    str_puts(out, ")");
    add_before(out, handoffs, course);
}
