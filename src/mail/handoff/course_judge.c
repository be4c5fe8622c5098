/* Courses of handoffs, judging: the rules of course.h, in their order. */
#include "mail/handoff/course_private.h"

static const struct work nothing = {.read_us = WHEN_NONE, .completed_us = WHEN_NONE};

/* What there is to judge by. */
struct facts {
    const struct building *b;
    const struct heard *heard;
    const struct message *message;
    const struct work *work;
    enum status status; /* as its mailbox has it */
    bool archived;
    struct course *course;
};

static bool decide(const struct facts *f, enum course_state state, enum course_proof proof,
                   uint32_t evidence, int64_t since_us)
{
    f->course->state = state;
    f->course->proof = proof;
    f->course->evidence = evidence;
    f->course->since_us = since_us;
    return true;
}

static bool decide_by(const struct facts *f, enum course_state state, enum course_proof proof,
                      uint32_t message)
{
    return decide(f, state, proof, message, heard_message(f->b, message)->created_us);
}

static bool has_ended(const struct facts *f)
{
    static const enum course_state states[] = {[WORK_DECLINED] = COURSE_DECLINED,
                                               [WORK_COMPLETED] = COURSE_COMPLETED,
                                               [WORK_FAILED] = COURSE_FAILED};
    enum work_said said = f->heard->said;

    if (said > WORK_ACCEPTED)
        return decide_by(f, states[said], PROOF_SAID, f->heard->said_in);
    if (f->status == STATUS_COMPLETED)
        return decide(f, COURSE_COMPLETED, PROOF_MARKED, COURSE_NONE, f->work->completed_us);
    if (f->archived && (f->work->completed_us != WHEN_NONE ||
                        (f->message->place->done_archived && said != WORK_ACCEPTED)))
        return decide(f, COURSE_COMPLETED, PROOF_ARCHIVED, COURSE_NONE, f->work->completed_us);
    if (f->status == STATUS_FAILED)
        return decide(f, COURSE_FAILED, PROOF_MARKED, COURSE_NONE, WHEN_NONE);
    if (f->course->next != COURSE_NONE)
        return decide_by(f, COURSE_HANDED_ON, PROOF_PASSED,
                         f->b->out->items[f->course->next].message);
    return false;
}

static bool is_worked_on(const struct facts *f)
{
    if (f->status == STATUS_PROCESSING)
        return decide(f, COURSE_IN_PROGRESS, PROOF_MARKED, COURSE_NONE, f->work->read_us);
    if (f->heard->said != WORK_ACCEPTED)
        return false;
    if (f->heard->wrote != COURSE_NONE)
        return decide_by(f, COURSE_IN_PROGRESS, PROOF_WROTE, f->heard->wrote);
    return decide_by(f, COURSE_ACCEPTED, PROOF_SAID, f->heard->said_in);
}

static bool was_seen(const struct facts *f)
{
    if (f->heard->answered != COURSE_NONE)
        return decide_by(f, COURSE_SEEN, PROOF_ANSWERED, f->heard->answered);
    if (f->archived)
        return decide(f, COURSE_SEEN, PROOF_PUT_AWAY, COURSE_NONE, f->work->read_us);
    if (f->status == STATUS_READ)
        return decide(f, COURSE_SEEN, PROOF_READ, COURSE_NONE, f->work->read_us);
    return f->message->mine && (f->message->seen || f->message->read_here) &&
           decide(f, COURSE_SEEN, PROOF_LOOKED, COURSE_NONE, WHEN_NONE);
}

/* Notes when that will be, if it is not yet. */
static bool is_past(const struct building *b, int64_t since_us, int64_t limit_us)
{
    return when_is_over(since_us, limit_us, b->in->now_us, &b->out->next_change_us);
}

static void find_stall(const struct facts *f)
{
    const struct agent_limits *limits =
        f->b->in->limits ? &f->b->in->limits[f->message->place->source] : &agent_limits_default;
    struct course *course = f->course;
    bool wordless = course->proof == PROOF_READ || course->proof == PROOF_LOOKED;
    int64_t limit_us = course->state == COURSE_OFFERED ? limits->unread_us
                       : wordless                      ? limits->silent_us
                                                       : limits->processing_us;

    if (course_is_over(course))
        return;
    if (course->state == COURSE_OFFERED && message_expired(f->message, f->b->in->now_us)) {
        course->proof = PROOF_EXPIRED;
        course->stalled = true;
        return;
    }
    if (course->state == COURSE_OFFERED) /* when it is, that tells more than the limit */
        is_past(f->b, f->message->expires_us, -1);
    course->stalled = is_past(f->b, course->heard_us, limit_us);
}

void courses_judge(struct building *b, uint32_t number)
{
    struct course *course = &b->out->items[number];
    const struct message *message = heard_message(b, course->message);
    struct facts f = {.b = b,
                      .heard = &b->heard[number],
                      .message = message,
                      .work = message->work ? message->work : &nothing,
                      .status = message_marked(message),
                      .course = course};

    f.archived = message->place->archived || f.status == STATUS_ARCHIVED;
    if (f.work->read_us <= b->in->now_us && f.work->read_us > course->heard_us)
        course->heard_us = f.work->read_us;
    if (!has_ended(&f) && !is_worked_on(&f) && !was_seen(&f))
        decide(&f, COURSE_OFFERED, PROOF_UNREAD, COURSE_NONE, message->created_us);
    find_stall(&f);
}
