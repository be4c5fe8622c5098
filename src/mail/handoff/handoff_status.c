/* Handoff status: reading, joining, judging and describing handoffs. */
#include "mail/handoff/handoff_status.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/handoff/handoff.h"
#include "mail/handoff/handoff_prefill.h"

#include <stdlib.h>

/* Data of a build: the handoff_facts about each handoff before its state is derived. */

/* The handoff_facts about the handoff with the same index. Agents are numbers. */
struct heard {
    uint32_t taker, giver, sender;
    uint32_t thread;
    enum handoff_words_said said;
    uint32_t said_in;  /* the taker's last message about it, or HANDOFF_STATUS_NONE */
    uint32_t answered; /* its first message with none of the words */
    uint32_t wrote;    /* the first such message after said_in */
    struct span job, subject;
};

/* Properties that two handoffs of one team can share. */
enum common {
    COMMON_ID, /* the id, as answers repeat it */
    COMMON_THREAD,
    COMMON_JOB,
    COMMON_SUBJECT,
    COMMON_COUNT,
};

/* Cache entry: the agent found for a name at a place. */
struct known_agent {
    const struct place *place;
    struct span name;
    uint32_t agent;
};

struct building {
    const struct handoffs_input *in;
    struct handoff_list *out;
    struct heard *heard;
    size_t cap;
    struct known_agent known[128]; /* indexed by place_spot() */
    struct map spelled;            /* source, team and name: 1 + a number; 0 for everybody */
    struct map agents;             /* like `spelled`, but by the identified agent */
    uint32_t agent_count;
    /* the last handoff with a property: of any taker, and of one taker */
    struct hash_index last[COMMON_COUNT][2];
    uint64_t seed; /* of the hashes in `last` */
    struct arena arena;
    struct str scratch;
};

static inline const struct message *heard_message(const struct building *b, uint32_t index)
{
    return b->in->model->messages[index];
}

static bool handoffs_add(struct building *b, uint32_t index);

/* Deriving states: the rules of handoff_status.h, in their order. */

static const struct work nothing = {.read_us = TIME_NONE, .completed_us = TIME_NONE};

/* The input of the rules for one handoff. */
struct handoff_facts {
    const struct building *b;
    const struct heard *heard;
    const struct message *message;
    const struct work *work;
    enum status status; /* as in its mailbox */
    bool archived;
    struct handoff_status *handoff_status;
};

static bool set_state(const struct handoff_facts *f, enum handoff_status_state state,
                      enum handoff_status_proof proof, uint32_t evidence, int64_t since_us)
{
    f->handoff_status->state = state;
    f->handoff_status->proof = proof;
    f->handoff_status->evidence = evidence;
    f->handoff_status->since_us = since_us;
    return true;
}

static bool decide_by(const struct handoff_facts *f, enum handoff_status_state state,
                      enum handoff_status_proof proof, uint32_t message)
{
    return set_state(f, state, proof, message, heard_message(f->b, message)->created_us);
}

static bool has_ended(const struct handoff_facts *f)
{
    static const enum handoff_status_state states[] = {[WORK_DECLINED] = HANDOFF_STATUS_DECLINED,
                                                       [WORK_COMPLETED] = HANDOFF_STATUS_COMPLETED,
                                                       [WORK_FAILED] = HANDOFF_STATUS_FAILED};
    enum handoff_words_said said = f->heard->said;

    if (said > WORK_ACCEPTED)
        return decide_by(f, states[said], PROOF_SAID, f->heard->said_in);
    if (f->status == STATUS_COMPLETED)
        return set_state(f, HANDOFF_STATUS_COMPLETED, PROOF_MARKED, HANDOFF_STATUS_NONE,
                         f->work->completed_us);
    if (f->archived && (f->work->completed_us != TIME_NONE ||
                        (f->message->place->done_archived && said != WORK_ACCEPTED)))
        return set_state(f, HANDOFF_STATUS_COMPLETED, PROOF_ARCHIVED, HANDOFF_STATUS_NONE,
                         f->work->completed_us);
    if (f->status == STATUS_FAILED)
        return set_state(f, HANDOFF_STATUS_FAILED, PROOF_MARKED, HANDOFF_STATUS_NONE, TIME_NONE);
    if (f->handoff_status->next != HANDOFF_STATUS_NONE)
        return decide_by(f, HANDOFF_STATUS_HANDED_ON, PROOF_PASSED,
                         f->b->out->items[f->handoff_status->next].message);
    return false;
}

static bool is_worked_on(const struct handoff_facts *f)
{
    if (f->status == STATUS_PROCESSING)
        return set_state(f, HANDOFF_STATUS_IN_PROGRESS, PROOF_MARKED, HANDOFF_STATUS_NONE,
                         f->work->read_us);
    if (f->heard->said != WORK_ACCEPTED)
        return false;
    if (f->heard->wrote != HANDOFF_STATUS_NONE)
        return decide_by(f, HANDOFF_STATUS_IN_PROGRESS, PROOF_WROTE, f->heard->wrote);
    return decide_by(f, HANDOFF_STATUS_ACCEPTED, PROOF_SAID, f->heard->said_in);
}

static bool was_seen(const struct handoff_facts *f)
{
    if (f->heard->answered != HANDOFF_STATUS_NONE)
        return decide_by(f, HANDOFF_STATUS_SEEN, PROOF_ANSWERED, f->heard->answered);
    if (f->archived)
        return set_state(f, HANDOFF_STATUS_SEEN, PROOF_PUT_AWAY, HANDOFF_STATUS_NONE,
                         f->work->read_us);
    if (f->status == STATUS_READ)
        return set_state(f, HANDOFF_STATUS_SEEN, PROOF_READ, HANDOFF_STATUS_NONE, f->work->read_us);
    return f->message->mine && (f->message->seen || f->message->read_here) &&
           set_state(f, HANDOFF_STATUS_SEEN, PROOF_LOOKED, HANDOFF_STATUS_NONE, TIME_NONE);
}

/* True if the limit has passed; else notes the time when it will. */
static bool is_past(const struct building *b, int64_t since_us, int64_t limit_us)
{
    return time_is_over(since_us, limit_us, b->in->now_us, &b->out->next_change_us);
}

static void find_stall(const struct handoff_facts *f)
{
    const struct agent_limits *limits =
        f->b->in->limits ? &f->b->in->limits[f->message->place->source] : &agent_limits_default;
    struct handoff_status *handoff_status = f->handoff_status;
    bool wordless = handoff_status->proof == PROOF_READ || handoff_status->proof == PROOF_LOOKED;
    int64_t limit_us = handoff_status->state == HANDOFF_STATUS_OFFERED ? limits->unread_us
                       : wordless                                      ? limits->silent_us
                                                                       : limits->processing_us;

    if (handoff_status_is_over(handoff_status))
        return;
    if (handoff_status->state == HANDOFF_STATUS_OFFERED &&
        message_expired(f->message, f->b->in->now_us)) {
        handoff_status->proof = PROOF_EXPIRED;
        handoff_status->stalled = true;
        return;
    }
    if (handoff_status->state ==
        HANDOFF_STATUS_OFFERED) /* the time of expiry matters more than the limit */
        is_past(f->b, f->message->expires_us, -1);
    handoff_status->stalled = is_past(f->b, handoff_status->heard_us, limit_us);
}

/* Sets the state, its proof and `stalled`. */
static void handoffs_judge(struct building *b, uint32_t number)
{
    struct handoff_status *handoff_status = &b->out->items[number];
    const struct message *message = heard_message(b, handoff_status->message);
    struct handoff_facts f = {.b = b,
                              .heard = &b->heard[number],
                              .message = message,
                              .work = message->work ? message->work : &nothing,
                              .status = message_marked(message),
                              .handoff_status = handoff_status};

    f.archived = message->place->archived || f.status == STATUS_ARCHIVED;
    if (f.work->read_us <= b->in->now_us && f.work->read_us > handoff_status->heard_us)
        handoff_status->heard_us = f.work->read_us;
    if (!has_ended(&f) && !is_worked_on(&f) && !was_seen(&f))
        set_state(&f, HANDOFF_STATUS_OFFERED, PROOF_UNREAD, HANDOFF_STATUS_NONE,
                  message->created_us);
    find_stall(&f);
}

/* Identifying agents, and handoffs of the same work. */

/* Returns the bytes of a thread number as a text for lookups. */
static struct span handoffs_thread(const uint32_t *thread)
{
    return (struct span){(const char *)thread, sizeof *thread};
}

static uint32_t *put_key(struct building *b, struct map *map, struct span key)
{
    bool fresh;

    return map_put_copy(map, &b->arena, key, &fresh);
}

static struct span agent_key_of(struct building *b, uint32_t source, struct span team,
                                struct span name)
{
    const struct span parts[] = {team, name};

    return map_key(&b->scratch, source, parts, 2);
}

static uint32_t find_agent(struct building *b, const struct place *place, struct span name)
{
    uint32_t source = place->source;
    struct agent_id id = {.team = place->team, .name = name};
    const uint32_t *known = map_get(&b->spelled, agent_key_of(b, source, place->team, name));
    if (known)
        return *known - 1; /* 0, for everybody, becomes HANDOFF_STATUS_NONE */
    bool one = !b->in->identify || b->in->identify(b->in->context, source, place->team, name, &id);
    uint32_t number = 0;
    if (one) {
        uint32_t *agent = put_key(b, &b->agents, agent_key_of(b, source, id.team, id.name));
        if (!*agent)
            *agent = ++b->agent_count;
        number = *agent;
    }
    *put_key(b, &b->spelled, agent_key_of(b, source, place->team, name)) = number;
    return number - 1;
}

/* Returns the number of the agent that a name means at that place; HANDOFF_STATUS_NONE for
 * everybody or nobody. */
static uint32_t handoffs_agent(struct building *b, const struct place *place, struct span name)
{
    enum { KNOWN = sizeof b->known / sizeof *b->known };
    struct known_agent *known = &b->known[place_spot(place, name, KNOWN)];

    if (!name.len)
        return HANDOFF_STATUS_NONE;
    if (known->place != place || known->name.at != name.at || known->name.len != name.len)
        *known = (struct known_agent){place, name, find_agent(b, place, name)};
    return known->agent;
}

/* --- shared properties --- */

/* Returns the job, which identifies the work; absent if there is none. */
static struct span handoffs_job(const struct message *message)
{
    return message->work ? message->work->job : (struct span){0};
}

/* Returns the subject; absent if the layout has none and its text is used instead: all handoffs
 * start with the same words. */
static struct span handoffs_subject(const struct message *message)
{
    struct span subject = prefill_subject(message->subject);

    return !span_starts(subject, span_of("Work handoff from ")) ? subject : (struct span){0};
}

static struct span text_of(const struct building *b, uint32_t handoff_status, enum common common)
{
    const struct message *message = heard_message(b, b->out->items[handoff_status].message);

    switch (common) {
    case COMMON_ID:
        return message_spoken_id(message->id, message->place->short_replies);
    case COMMON_THREAD:
        return handoffs_thread(&b->heard[handoff_status].thread);
    case COMMON_JOB:
        return b->heard[handoff_status].job;
    case COMMON_SUBJECT:
    case COMMON_COUNT:
        break;
    }
    return b->heard[handoff_status].subject;
}

struct wanted {
    const struct building *b;
    enum common common;
    const struct place *place;
    struct span text;
    uint32_t taker; /* HANDOFF_STATUS_NONE: any taker */
};

static bool is_wanted(const void *context, uint32_t handoff_status)
{
    const struct wanted *wanted = context;
    const struct place *place =
        heard_message(wanted->b, wanted->b->out->items[handoff_status].message)->place;

    return (wanted->taker == HANDOFF_STATUS_NONE ||
            wanted->b->heard[handoff_status].taker == wanted->taker) &&
           (place == wanted->place || (place->source == wanted->place->source &&
                                       span_eq(place->team, wanted->place->team))) &&
           span_eq(text_of(wanted->b, handoff_status, wanted->common), wanted->text);
}

static uint32_t hash_of(const struct wanted *wanted)
{
    uint64_t place = wanted->place->source + ((uint64_t)wanted->taker << 32);

    return map_hash(wanted->text, wanted->b->seed + place * UINT64_C(0x9e3779b97f4a7c15));
}

static uint32_t *find_last(const struct wanted *wanted)
{
    const struct hash_index *last =
        &wanted->b->last[wanted->common][wanted->taker != HANDOFF_STATUS_NONE];

    return hash_index_find(last, hash_of(wanted), is_wanted, wanted);
}

/* Returns the last handoff noted with that property and, unless `taker` is HANDOFF_STATUS_NONE,
 * with that taker; HANDOFF_STATUS_NONE if there is none. */
static uint32_t handoffs_last(const struct building *b, enum common common,
                              const struct place *place, struct span text, uint32_t taker)
{
    struct wanted wanted = {b, common, place, text, taker};

    if (common == COMMON_ID)
        wanted.text = message_spoken_id(text, place->short_replies);
    const uint32_t *last = text.len ? find_last(&wanted) : NULL;
    return last ? *last : HANDOFF_STATUS_NONE;
}

static void note_common(struct building *b, enum common common, uint32_t handoff_status)
{
    const struct place *place = heard_message(b, b->out->items[handoff_status].message)->place;
    struct wanted wanted = {b, common, place, text_of(b, handoff_status, common),
                            HANDOFF_STATUS_NONE};

    for (size_t by_taker = 0; wanted.text.len && by_taker < 2; by_taker++) {
        uint32_t *last = find_last(&wanted);
        if (last)
            *last = handoff_status;
        else
            hash_index_add(&b->last[common][by_taker], hash_of(&wanted), handoff_status);
        wanted.taker = b->heard[handoff_status].taker;
    }
}

/* Note this handoff as the last one with its id, with its thread, or with its other properties. */
static void handoffs_note_id(struct building *b, uint32_t handoff_status)
{
    note_common(b, COMMON_ID, handoff_status);
}

static void handoffs_note_thread(struct building *b, uint32_t handoff_status)
{
    note_common(b, COMMON_THREAD, handoff_status);
}

static void handoffs_note(struct building *b, uint32_t handoff_status)
{
    note_common(b, COMMON_THREAD, handoff_status);
    note_common(b, COMMON_JOB, handoff_status);
    note_common(b, COMMON_SUBJECT, handoff_status);
}

/* Returns the previous handoff of the same work, among those noted so far. */
static uint32_t handoffs_previous(const struct building *b, uint32_t handoff_status)
{
    const struct heard *heard = &b->heard[handoff_status];
    const struct message *message = heard_message(b, b->out->items[handoff_status].message);
    const uint32_t holders[] = {heard->giver, heard->sender};
    const struct {
        enum common common;
        struct span text;
        bool by_anybody;
    } ways[] = {{COMMON_JOB, heard->job, true},
                {COMMON_THREAD, handoffs_thread(&heard->thread), true},
                {COMMON_SUBJECT, heard->subject, false}};
    enum { WAYS = sizeof ways / sizeof *ways };

    uint32_t found =
        handoffs_last(b, COMMON_ID, message->place, message->reply_to, HANDOFF_STATUS_NONE);
    if (found != HANDOFF_STATUS_NONE &&
        found < handoff_status) /* only backwards, so that there are no cycles */
        return found;
    for (size_t i = 0; i < 2 * WAYS; i++) {
        uint32_t holder = holders[i % 2];
        if (holder == HANDOFF_STATUS_NONE)
            continue;
        found = handoffs_last(b, ways[i / 2].common, message->place, ways[i / 2].text, holder);
        if (found != HANDOFF_STATUS_NONE)
            return found;
    }
    for (size_t i = 0; i < WAYS; i++) {
        found = ways[i].by_anybody ? handoffs_last(b, ways[i].common, message->place, ways[i].text,
                                                   HANDOFF_STATUS_NONE)
                                   : HANDOFF_STATUS_NONE;
        if (found != HANDOFF_STATUS_NONE)
            return found;
    }
    return HANDOFF_STATUS_NONE;
}

/* Limits: characters of a quoted name, and names in a lineage. */
enum { NAME_CHARS = 40, NAMES_MOST = 5 };

static const char *const names[HANDOFF_STATE_COUNT] = {
    [HANDOFF_STATUS_OFFERED] = "offered",     [HANDOFF_STATUS_SEEN] = "seen",
    [HANDOFF_STATUS_ACCEPTED] = "accepted",   [HANDOFF_STATUS_IN_PROGRESS] = "in progress",
    [HANDOFF_STATUS_COMPLETED] = "completed", [HANDOFF_STATUS_FAILED] = "failed",
    [HANDOFF_STATUS_DECLINED] = "declined",   [HANDOFF_STATUS_HANDED_ON] = "handed on",
};

static const uint8_t ranks[HANDOFF_STATE_COUNT] = {
    [HANDOFF_STATUS_FAILED] = 1,    [HANDOFF_STATUS_DECLINED] = 2,
    [HANDOFF_STATUS_OFFERED] = 3,   [HANDOFF_STATUS_SEEN] = 4,
    [HANDOFF_STATUS_ACCEPTED] = 5,  [HANDOFF_STATUS_IN_PROGRESS] = 6,
    [HANDOFF_STATUS_HANDED_ON] = 7, [HANDOFF_STATUS_COMPLETED] = 8,
};

const char *handoff_state_name(enum handoff_status_state state)
{
    return names[state];
}

bool handoff_status_is_over(const struct handoff_status *handoff_status)
{
    return handoff_status->state > HANDOFF_STATUS_IN_PROGRESS ||
           handoff_status->proof == PROOF_PUT_AWAY;
}

static unsigned rank_of(const struct handoff_status *handoff_status)
{
    if (handoff_status->stalled)
        return 0;
    return handoff_status->proof == PROOF_PUT_AWAY ? ranks[HANDOFF_STATUS_COMPLETED] + 1u
                                                   : ranks[handoff_status->state];
}

int handoff_status_cmp(const struct handoff_list *handoffs, const struct handoff_status *a,
                       const struct handoff_status *b)
{
    unsigned x = rank_of(a), y = rank_of(b);

    if (x != y)
        return x < y ? -1 : 1;
    int order = message_cmp_urgency(handoffs->model->messages[a->message],
                                    handoffs->model->messages[b->message]);
    return order ? order : (a > b) - (a < b);
}

size_t handoff_status_lineage(const struct handoff_list *handoffs,
                              const struct handoff_status *handoff_status, uint32_t *line,
                              size_t most)
{
    struct span giver = handoff_status->giver;
    size_t count = 0;

    for (uint32_t at = handoff_status->previous; at != HANDOFF_STATUS_NONE && count < most;
         at = handoffs->items[at].previous) {
        const struct handoff_status *earlier = &handoffs->items[at];
        if (earlier->state == HANDOFF_STATUS_DECLINED || span_eq(earlier->giver, giver))
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

/* Appends a name, in quotes if it could be taken for more than a name. */
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

/* Appends an age. `before` and `behind` are appended only with an age, `behind` only from 1 s
 * on. */
static void add_age(struct str *out, const char *before, int64_t time_us, int64_t now_us,
                    const char *behind)
{
    int64_t age_us;

    if (time_us == TIME_NONE || __builtin_sub_overflow(now_us, time_us, &age_us))
        return;
    str_puts(out, before);
    time_add_age(out, age_us);
    str_puts(out, age_us >= 1000000 ? behind : "");
}

static void add_ago(struct str *out, int64_t time_us, int64_t now_us)
{
    add_age(out, " ", time_us, now_us, " ago");
}

static void add_how(struct str *out, const struct handoff_list *handoffs,
                    const struct handoff_status *handoff_status)
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

    str_puts(out, words[handoff_status->proof]);
    if (handoff_status->proof == PROOF_PASSED) {
        add_name(out, handoffs->items[handoff_status->next].taker);
        str_puts(out, " in ");
    }
    if (handoff_status->evidence != HANDOFF_STATUS_NONE)
        add_name(out, handoffs->model->messages[handoff_status->evidence]->id);
}

void handoff_status_add_tag(struct str *out, const struct handoff_status *handoff_status,
                            int64_t now_us)
{
    str_puts(out, handoff_status->stalled ? "stalled" : names[handoff_status->state]);
    if (handoff_status->stalled)
        add_age(out, " ", handoff_status->heard_us, now_us, "");
}

void handoff_status_add_evidence(struct str *out, const struct handoff_list *handoffs,
                                 const struct handoff_status *handoff_status, int64_t now_us)
{
    bool begun = handoff_status->state == HANDOFF_STATUS_IN_PROGRESS &&
                 handoff_status->proof == PROOF_MARKED;

    add_how(out, handoffs, handoff_status);
    if (begun && handoff_status->since_us != TIME_NONE) /* the start of work is not recorded */
        str_puts(out, ", read");
    if (handoff_status->state != HANDOFF_STATUS_OFFERED)
        add_ago(out, handoff_status->since_us, now_us);
    if (handoff_status->stalled)
        add_age(out, "; nothing for ", handoff_status->heard_us, now_us, "");
}

bool handoff_status_add_lineage(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status)
{
    uint32_t line[NAMES_MOST + 1];
    size_t count = handoff_status_lineage(handoffs, handoff_status, line, NAMES_MOST + 1);

    if (count > NAMES_MOST)
        str_puts(out, "...");
    for (size_t i = count > NAMES_MOST; i < count; i++) {
        str_puts(out, i ? ", " : "");
        add_name(out, handoffs->items[line[i]].giver);
    }
    return count > 0;
}

/* Appends the previous owners of the work, its giver last; nothing if the sender is the only
 * one. */
static void add_before(struct str *out, const struct handoff_list *handoffs,
                       const struct handoff_status *handoff_status)
{
    CLEANUP(str_free) struct str names_before = {0};
    bool any = handoff_status_add_lineage(&names_before, handoffs, handoff_status);

    if (any ||
        !span_eq(handoff_status->giver, handoffs->model->messages[handoff_status->message]->from)) {
        str_puts(out, "; before: ");
        str_add_span(out, str_span(&names_before));
        str_puts(out, any ? ", " : "");
        add_name(out, handoff_status->giver);
    }
}

void handoff_status_add_sentence(struct str *out, const struct handoff_list *handoffs,
                                 const struct handoff_status *handoff_status, int64_t now_us)
{
    if (handoff_status->stalled) {
        handoff_status_add_tag(out, handoff_status, now_us);
        str_puts(out, ": ");
    }
    str_puts(out, names[handoff_status->state]);
    if (handoff_status->state == HANDOFF_STATUS_IN_PROGRESS)
        add_age(out, " for ", handoff_status->since_us, now_us, "");
    else
        add_ago(out, handoff_status->since_us, now_us);
    str_puts(out, handoff_status->state == HANDOFF_STATUS_OFFERED ? " to " : " by ");
    add_name(out, handoff_status->taker);
    str_puts(out, " (");
    add_how(out, handoffs, handoff_status);
    str_puts(out, ")");
    add_before(out, handoffs, handoff_status);
}

/* Joining the shares of the mail, and deriving the states. */

/* Adds the handoffs of all shares, oldest first. */
static void add_all(struct building *b, const struct handoffs_share *shares, size_t count)
{
    size_t found = 0, room = 0;

    for (size_t i = 0; i < count; i++)
        room += shares[i].hearing->count;
    CLEANUP(mem_free) uint32_t *order = mem_alloc((room + 1) * sizeof *order);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < shares[i].hearing->count; k++)
            order[found++] = shares[i].first + shares[i].hearing->items[k].message;
    model_sort_numbers(b->in->model, order, found);
    for (size_t i = 0; i < found; i++)
        handoffs_add(b, order[i]);
}

/* Converts a number of a share's model to a number of the whole model. */
static uint32_t shared_message(const struct handoffs_share *share, uint32_t message)
{
    return message == HANDOFF_STATUS_NONE ? HANDOFF_STATUS_NONE : share->first + message;
}

static void take_heard(struct building *b, const struct handoffs_share *share)
{
    for (size_t i = 0; i < share->hearing->count; i++) {
        const struct offer *offer = &share->hearing->items[i];
        uint32_t number = b->out->of[share->first + offer->message];
        if (number == HANDOFF_STATUS_NONE)
            continue;
        struct heard *heard = &b->heard[number];
        heard->said = offer->said;
        heard->said_in = shared_message(share, offer->said_in);
        heard->answered = shared_message(share, offer->answered);
        heard->wrote = shared_message(share, offer->wrote);
        heard->job = offer->job;
        heard->subject = offer->subject;
        b->out->items[number].heard_us = offer->heard_us;
    }
    time_min(&b->out->next_change_us, share->hearing->next_us);
}

/* Links each handoff to the one by which the taker handed the work on: its own, or one that the
 * person sent in its name; others who only claim to act for it do not count. */
static void link_next(struct building *b)
{
    for (uint32_t i = 0; i < b->out->count; i++) {
        uint32_t number = b->out->items[i].previous;
        if (number == HANDOFF_STATUS_NONE || b->heard[i].said == WORK_DECLINED)
            continue;
        uint32_t taker = b->heard[number].taker;
        bool by_us = heard_message(b, b->out->items[i].message)->by_us;
        bool passes = b->heard[i].sender == taker || (by_us && b->heard[i].giver == taker);
        if (passes && b->heard[i].taker != taker &&
            b->out->items[number].next == HANDOFF_STATUS_NONE)
            b->out->items[number].next = i;
    }
}

static struct building handoffs_building(const struct handoffs_input *input,
                                         struct handoff_list *out)
{
    return (struct building){.in = input, .out = out, .seed = map_seed()};
}

static void handoffs_building_free(struct building *b)
{
    for (size_t i = 0; i < COMMON_COUNT; i++)
        for (size_t k = 0; k < 2; k++)
            hash_index_free(&b->last[i][k]);
    free(b->heard);
    map_free(&b->spelled);
    map_free(&b->agents);
    arena_free(&b->arena);
    str_free(&b->scratch);
}

void handoffs_join(struct handoff_list *handoffs, const struct handoffs_input *input,
                   const struct handoffs_share *shares, size_t count)
{
    CLEANUP(handoffs_building_free) struct building b = handoffs_building(input, handoffs);
    size_t messages = input->model->count;

    *handoffs = (struct handoff_list){.model = input->model,
                                      .of = mem_alloc((messages + 1) * sizeof *handoffs->of),
                                      .next_change_us = TIME_NONE};
    memset(handoffs->of, 0xff, (messages + 1) * sizeof *handoffs->of);
    add_all(&b, shares, count);
    for (size_t i = 0; i < count; i++)
        take_heard(&b, &shares[i]);
    for (uint32_t i = 0; i < handoffs->count; i++) {
        handoffs->items[i].previous = handoffs_previous(&b, i);
        handoffs_note(&b, i);
    }
    link_next(&b);
    for (uint32_t i = 0; i < handoffs->count; i++)
        handoffs_judge(&b, i);
}

void handoffs_build(struct handoff_list *handoffs, const struct handoffs_input *input)
{
    CLEANUP(hearing_free) struct hearing hearing = {0};
    struct handoffs_share all = {.hearing = &hearing};

    handoffs_collect(&hearing, input);
    handoffs_join(handoffs, input, &all, 1);
}

void handoffs_free(struct handoff_list *handoffs)
{
    free(handoffs->items);
    free(handoffs->of);
    *handoffs = (struct handoff_list){0};
}

const struct handoff_status *handoffs_of(const struct handoff_list *handoffs, uint32_t message)
{
    uint32_t number = handoffs->of ? handoffs->of[message] : HANDOFF_STATUS_NONE;

    return number == HANDOFF_STATUS_NONE ? NULL : &handoffs->items[number];
}

/* Finding handoffs, and reading the messages of their takers. */

static bool is_offer(const struct message *message)
{
    return message->kind == KIND_HANDOFF && !message->damaged &&
           (message_asks(message) || message->work);
}

/* --- finding --- */

/* Adds an offer; false if it is for no single agent, and thus no handoff. */
static bool handoffs_add(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    struct span giver =
        message->work && message->work->giver.len ? message->work->giver : message->from;
    struct span taker = message_recipient(message);
    struct heard heard = {.taker = handoffs_agent(b, message->place, taker),
                          .giver = handoffs_agent(b, message->place, giver),
                          .sender = handoffs_agent(b, message->place, message->from),
                          .thread = b->in->threads->of[index],
                          .said_in = HANDOFF_STATUS_NONE,
                          .answered = HANDOFF_STATUS_NONE,
                          .wrote = HANDOFF_STATUS_NONE};
    size_t count = b->out->count;

    if (heard.taker == HANDOFF_STATUS_NONE)
        return false;
    if (count == b->cap) {
        size_t cap = b->cap;
        b->heard = mem_grow(b->heard, &cap, count + 1, sizeof *b->heard);
        b->out->items = mem_grow(b->out->items, &b->cap, count + 1, sizeof *b->out->items);
    }
    b->heard[count] = heard;
    b->out->items[count] = (struct handoff_status){.message = index,
                                                   .giver = giver,
                                                   .taker = taker,
                                                   .previous = HANDOFF_STATUS_NONE,
                                                   .next = HANDOFF_STATUS_NONE,
                                                   .evidence = HANDOFF_STATUS_NONE,
                                                   .since_us = TIME_NONE,
                                                   .heard_us = message->created_us};
    b->out->of[index] = (uint32_t)count;
    b->out->count++;
    handoffs_note_id(b, (uint32_t)count);
    return true;
}

/* Returns the messages of all conversations that have a handoff, in order of time; NULL if there
 * are none. The caller frees the array. */
static uint32_t *find_conversation(const struct handoffs_input *in, size_t *count)
{
    CLEANUP(mem_free) bool *wanted = mem_zero(in->threads->count + 1, sizeof *wanted);
    uint32_t *order = NULL;
    bool any = false;

    for (size_t i = 0; i < in->model->count; i++)
        if (is_offer(in->model->messages[i]))
            any = wanted[in->threads->of[i]] = true;
    *count = 0;
    if (any)
        order = mem_alloc(in->model->count * sizeof *order);
    for (uint32_t i = 0; any && i < in->model->count; i++)
        if (wanted[in->threads->of[i]] && !in->model->messages[i]->damaged)
            order[(*count)++] = i;
    if (any)
        model_sort_numbers(in->model, order, *count);
    return order;
}

/* --- reading the takers' messages --- */

/* Returns the handoff that a message of its taker refers to; HANDOFF_STATUS_NONE if there is
 * none. */
static uint32_t meant_by(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    uint32_t agent = handoffs_agent(b, message->place, message->from);
    uint32_t number;

    if (agent == HANDOFF_STATUS_NONE)
        return HANDOFF_STATUS_NONE;
    const struct message *meant =
        duplicate_ids_meant(&b->in->model->same, message, message->reply_to, &number);
    if (meant && number < b->in->model->count && heard_message(b, number) == meant) {
        uint32_t handoff_status = b->out->of[number];
        return handoff_status != HANDOFF_STATUS_NONE && b->heard[handoff_status].taker == agent
                   ? handoff_status
                   : HANDOFF_STATUS_NONE;
    }
    if (handoffs_last(b, COMMON_ID, message->place, message->reply_to, HANDOFF_STATUS_NONE) !=
        HANDOFF_STATUS_NONE)
        return handoffs_last(b, COMMON_ID, message->place, message->reply_to, agent);
    return handoffs_last(b, COMMON_THREAD, message->place,
                         handoffs_thread(&b->in->threads->of[index]), agent);
}

static void apply_message(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    uint32_t number = message->kind == KIND_IDLE ? HANDOFF_STATUS_NONE : meant_by(b, index);
    enum handoff_words_said said = handoff_words_said(message);

    if (number == HANDOFF_STATUS_NONE)
        return;
    struct handoff_status *handoff_status = &b->out->items[number];
    struct heard *heard = &b->heard[number];
    if (message->created_us > b->in->now_us)
        time_min(&b->out->next_change_us, message->created_us);
    else if (message->created_us > handoff_status->heard_us)
        handoff_status->heard_us = message->created_us;
    if (said) {
        heard->said = said;
        heard->said_in = index;
        heard->wrote = HANDOFF_STATUS_NONE;
    } else if (heard->said && heard->wrote == HANDOFF_STATUS_NONE) {
        heard->wrote = index;
    } else if (!heard->said && heard->answered == HANDOFF_STATUS_NONE) {
        heard->answered = index;
    }
}

static void apply_messages(struct building *b, const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_offer(heard_message(b, order[i])))
            handoffs_add(b, order[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = b->out->of[order[i]];
        if (number == HANDOFF_STATUS_NONE)
            apply_message(b, order[i]);
        else
            handoffs_note_thread(b, number);
    }
}

static void keep_replies(struct hearing *hearing, const struct building *b)
{
    hearing->items = mem_alloc((b->out->count + 1) * sizeof *hearing->items);
    for (size_t i = 0; i < b->out->count; i++) {
        const struct heard *heard = &b->heard[i];
        const struct message *message = heard_message(b, b->out->items[i].message);
        hearing->items[hearing->count++] = (struct offer){.message = b->out->items[i].message,
                                                          .said_in = heard->said_in,
                                                          .answered = heard->answered,
                                                          .wrote = heard->wrote,
                                                          .said = (uint8_t)heard->said,
                                                          .heard_us = b->out->items[i].heard_us,
                                                          .job = handoffs_job(message),
                                                          .subject = handoffs_subject(message)};
    }
    hearing->next_us = b->out->next_change_us;
}

void handoffs_collect(struct hearing *hearing, const struct handoffs_input *input)
{
    CLEANUP(handoffs_free)
    struct handoff_list found = {.model = input->model, .next_change_us = TIME_NONE};
    CLEANUP(handoffs_building_free) struct building b = handoffs_building(input, &found);
    size_t count;
    CLEANUP(mem_free) uint32_t *order = find_conversation(input, &count);

    *hearing = (struct hearing){.next_us = TIME_NONE};
    if (!count)
        return;
    found.of = mem_alloc(input->model->count * sizeof *found.of);
    memset(found.of, 0xff, input->model->count * sizeof *found.of);
    apply_messages(&b, order, count);
    keep_replies(hearing, &b);
}

void hearing_free(struct hearing *hearing)
{
    free(hearing->items);
    *hearing = (struct hearing){0};
}
