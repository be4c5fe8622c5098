/* One agent: it looks into its mailbox, does what is due, and listens to the director. */
#include "demo/agent.h"

#include "demo/clock.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUEUE_MAX = 24, SPARE_MAX = 3 };

struct errand *agent_plan(struct agent *agent, double seconds, struct letter *letter)
{
    agent->errands =
        demo_resize(agent->errands, (agent->errand_count + 1) * sizeof *agent->errands);
    struct errand *errand = &agent->errands[agent->errand_count++];
    *errand = (struct errand){
        .due_us = clock_steady() + (int64_t)(seconds / agent->swarm->speed * (double)SECOND_US),
        .letter = letter};
    return errand;
}

static void tell(struct agent *agent, char what)
{
    /* without a director it is over anyway: the next poll says so */
    (void)send(agent->line, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

const struct member *agent_peer(struct agent *agent)
{
    unsigned count = (unsigned)swarm_size(agent->swarm, agent->me->layout);
    unsigned first = dice_pick(&agent->dice, count);

    for (unsigned i = 0; i < count; i++) {
        const struct member *one =
            swarm_member(agent->swarm, agent->me->layout, (first + i) % count);
        if (one != agent->me && !agent->swarm->gone[one - agent->swarm->members])
            return one;
    }
    return NULL;
}

struct letter *agent_letter(const struct agent *agent, enum act act, const char *to)
{
    return letter_new(act, agent->me->name, to ? to : agent->me->layout->lead);
}

void agent_set_free(struct agent *agent)
{
    letter_free(agent->asked);
    agent->asked = NULL;
    agent->mood = MOOD_FREE;
    tell(agent, TELL_FREE);
}

void agent_next_job(struct agent *agent)
{
    agent->round++;
    agent->step = 0;
    agent->narrowed = 0;
    agent->job = job_find(agent->me->layout->name, agent->me->place, agent->round);
}

static bool is_request(const struct agent *agent, const struct letter *letter)
{
    return letter_is(letter, PART_TO, agent->me->layout->lead) && letter->act >= ACT_ASK &&
           letter->act <= ACT_ESCALATE;
}

/* What was asked of the lead is kept until it is answered. */
static void note_sent(struct agent *agent, struct letter *letter)
{
    tell(agent, TELL_SENT);
    if (!is_request(agent, letter)) {
        letter_free(letter);
        return;
    }
    letter_free(agent->asked);
    agent->asked = letter;
    agent->asked_us = clock_steady();
    agent->mood = MOOD_WAITS;
    tell(agent, TELL_ASKED);
}

static void finish_errand(struct agent *agent, struct errand *errand)
{
    const struct layout *layout = agent->me->layout;

    if (errand->letter)
        note_sent(agent, errand->letter);
    if (errand->begins && errand->original && layout->begin)
        layout->begin(&agent->post, errand->original);
    if (errand->finishes && layout->done)
        layout->done(&agent->post, errand->original);
    if (errand->leaves) {
        if (layout->leave)
            layout->leave(&agent->post);
        agent->swarm->gone[agent->me - agent->swarm->members] = 1;
        agent->over = true;
    }
    if (errand->finishes)
        letter_free(errand->original);
}

static void drop_errand(struct agent *agent, size_t index)
{
    agent->errand_count--;
    memmove(&agent->errands[index], &agent->errands[index + 1],
            (agent->errand_count - index) * sizeof *agent->errands);
}

/* A recipient whose slot is full holds up what is for it, and nothing else. */
static bool is_blocked(const char *const *blocked, size_t count, const struct letter *letter)
{
    for (size_t i = 0; i < count; i++)
        if (letter_is(letter, PART_TO, blocked[i]))
            return true;
    return false;
}

/* What nobody misses goes first when too much waits for room. */
static void drop_spare(struct agent *agent)
{
    size_t spare = 0;

    for (size_t i = agent->errand_count; i--;) {
        struct errand *errand = &agent->errands[i];
        if (!errand->letter || !errand->letter->spare || errand->finishes || errand->begins)
            continue;
        if (++spare <= SPARE_MAX && agent->errand_count <= QUEUE_MAX)
            continue;
        letter_free(errand->letter);
        drop_errand(agent, i);
    }
}

/* An answer that has to wait for room does not keep its own mailbox full. */
static void settle_meanwhile(struct agent *agent, struct errand *errand)
{
    if (!agent->me->layout->one_slot || !errand->finishes || errand->leaves)
        return;
    if (agent->me->layout->done)
        agent->me->layout->done(&agent->post, errand->original);
    letter_free(errand->original);
    errand->original = NULL;
    errand->finishes = errand->begins = false;
}

/* Senders are whatever their letters say, and answers go to files with their names: those that lead
 * elsewhere get none. */
static bool is_name(const char *to)
{
    return *to && *to != '.' && !strchr(to, '/');
}

static bool deliver(struct agent *agent, struct letter *letter)
{
    return !is_name(letter_get(letter, PART_TO)) || agent->me->layout->send(&agent->post, letter);
}

static void run_errands(struct agent *agent)
{
    char *blocked[QUEUE_MAX];
    size_t blocked_count = 0;
    int64_t now_us = clock_steady();

    for (size_t i = 0; i < agent->errand_count && !agent->over;) {
        struct errand errand = agent->errands[i];
        bool due = errand.due_us <= now_us, sent = due;
        if (due && errand.letter) {
            errand.letter->when_us = clock_now();
            sent = !is_blocked((const char *const *)blocked, blocked_count, errand.letter) &&
                   deliver(agent, errand.letter);
            if (!sent && blocked_count < QUEUE_MAX)
                blocked[blocked_count++] = demo_copy(letter_get(errand.letter, PART_TO));
        }
        if (due && !sent)
            settle_meanwhile(agent, &agent->errands[i]);
        if (!sent) {
            i++;
            continue;
        }
        drop_errand(agent, i);
        finish_errand(agent, &errand);
    }
    while (blocked_count)
        free(blocked[--blocked_count]);
    drop_spare(agent);
}

static void got_letter(void *context, struct letter *letter)
{
    struct agent *agent = context;

    if (letter_is(letter, PART_FROM, agent->me->layout->lead))
        tell(agent, TELL_PERSON);
    agent_react(agent, letter);
}

/* False when the director is gone. */
static bool listen_to_director(struct agent *agent, int timeout_ms)
{
    struct pollfd line = {.fd = agent->line, .events = POLLIN};
    char word;

    if (poll(&line, 1, timeout_ms) <= 0)
        return true;
    ssize_t count = recv(agent->line, &word, 1, MSG_DONTWAIT);
    if (count < 0)
        return true;
    if (count == 1 && agent->mood == MOOD_WAITS && word != REST)
        agent_chat(agent);
    else if (count == 1 && agent->mood == MOOD_FREE)
        (word == REST ? agent_rest(agent) : agent_act(agent, word == GO_AND_ASK));
    return count == 1;
}

static int patience_ms(const struct agent *agent)
{
    double ms = 700 / agent->swarm->speed;

    return ms < 40 ? 40 : ms > 700 ? 700 : (int)ms;
}

static void prepare(struct agent *agent, const struct swarm *swarm, size_t number, int line)
{
    const struct start *start = &swarm->starts[number];

    *agent = (struct agent){.swarm = swarm,
                            .me = &swarm->members[number],
                            .dice = dice_make(swarm->seed, number + 1),
                            .mood = start->mood,
                            .step = start->step,
                            .refused = start->refused,
                            .asked = start->asked,
                            .asked_us = clock_steady(),
                            .task = (unsigned)number + 1,
                            .line = line};
    agent->job = job_find(agent->me->layout->name, agent->me->place, 0);
    agent->post = (struct post){.layout = agent->me->layout,
                                .dir = swarm->dir,
                                .who = agent->me->name,
                                .color = agent->me->color,
                                .dice = &agent->dice,
                                .asleep = start->mood == MOOD_STUCK};
}

void agent_live(const struct swarm *swarm, size_t number, int line)
{
    struct agent agent;
    pid_t director = getppid();

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare(&agent, swarm, number, line);
    while (!agent.over && getppid() == director &&
           listen_to_director(&agent, patience_ms(&agent))) {
        agent.me->layout->take(&agent.post, got_letter, &agent);
        agent_lose_patience(&agent);
        run_errands(&agent);
    }
    _exit(0);
}
