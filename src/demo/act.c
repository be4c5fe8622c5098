/* What an agent does by itself: one step of its work at a time. */
#include "demo/agent.h"
#include "demo/clock.h"
#include "demo/wording.h"

enum { PATIENCE_S = 90 };

static bool has_program(const struct agent *agent)
{
    return agent->me->layout->programs;
}

static bool has_requests(const struct agent *agent)
{
    return agent->me->layout->requests;
}

static struct letter *say(struct agent *agent, const char *to, const char *body)
{
    struct letter *letter = agent_letter(agent, ACT_SAY, to);

    letter_say(letter, body);
    letter->spare = true;
    agent_plan(agent, 0, letter);
    return letter;
}

struct letter *agent_make_plan(struct agent *agent, const char *feedback)
{
    struct letter *letter = agent_letter(agent, ACT_PLAN, NULL);

    word_plan(letter, agent->job, feedback, !has_requests(agent));
    return letter;
}

/* A letter to the lead, or to somebody, about what it works on. */
static void ask(struct agent *agent, enum act act, const char *to,
                void (*word)(struct letter *letter, const struct job *job))
{
    struct letter *letter = agent_letter(agent, act, to);

    word(letter, agent->job);
    agent_plan(agent, 0, letter);
}

static void ask_peer(struct agent *agent)
{
    const struct member *peer = agent_peer(agent);

    if (!peer)
        return;
    struct letter *letter = agent_letter(agent, ACT_ASK, peer->name);
    letter_say(letter, agent->job->asks);
    letter->spare = true;
    agent_plan(agent, 0, letter);
}

static void go_idle(struct agent *agent)
{
    struct letter *idle = agent_letter(agent, ACT_IDLE, NULL);

    idle->yes = true;
    agent_plan(agent, 2, idle);
}

static void set_task(struct agent *agent, const char *status)
{
    if (agent->me->layout->task)
        agent->me->layout->task(&agent->post, agent->task, agent->job->title, status);
}

static void end_job(struct agent *agent)
{
    const struct member *peer = agent_peer(agent);

    set_task(agent, "completed");
    if (peer && agent->round % 3 == 1) {
        ask(agent, ACT_HANDOFF, peer->name, word_handoff);
    } else {
        struct letter *letter = say(agent, NULL, agent->job->done);
        letter->spare = false;
    }
    if (has_program(agent))
        go_idle(agent);
    agent_next_job(agent);
}

void agent_rest(struct agent *agent)
{
    set_task(agent, "completed");
    if (has_program(agent))
        go_idle(agent);
    agent_next_job(agent);
}

/* Steps that want something of the lead. */
static bool is_asking(const struct agent *agent)
{
    return agent->step == 1 || agent->step == 4 || agent->step == 6;
}

static void chat(struct agent *agent, const struct member *peer)
{
    if (peer)
        say(agent, peer->name, chatter_find(agent->task * 5 + agent->chats++));
}

void agent_chat(struct agent *agent)
{
    if (!has_program(agent))
        chat(agent, agent_peer(agent));
}

void agent_act(struct agent *agent, bool may_ask)
{
    const struct member *peer = agent_peer(agent);
    struct text start = {0};

    if (is_asking(agent) && !may_ask && has_requests(agent)) {
        chat(agent, peer);
        return;
    }
    switch (agent->step++) {
    case 0:
        set_task(agent, "in_progress");
        text_addf(&start, "Started: %s. A plan follows.", agent->job->title);
        say(agent, NULL, text_c(&start));
        break;
    case 1:
        agent_plan(agent, 0, agent_make_plan(agent, NULL));
        break;
    case 2:
        ask_peer(agent);
        break;
    case 3:
        say(agent, NULL, agent->job->steps[0]);
        break;
    case 4:
        ask(agent, ACT_PERMIT, NULL, word_permission);
        break;
    case 5:
        say(agent, peer ? peer->name : NULL, agent->job->steps[1]);
        break;
    case 6:
        if (has_program(agent) && agent->round % 2 == 0)
            ask(agent, ACT_HOST, NULL, word_host);
        else
            ask(agent, ACT_ASK, NULL, word_question);
        break;
    case 7:
        say(agent, NULL, agent->job->steps[2]);
        break;
    default:
        end_job(agent);
        break;
    }
    text_free(&start);
}

/* Whether the client has it in the queue: a question in words is only mail in some layouts. */
static bool is_firm(const struct agent *agent)
{
    return has_requests(agent) && (!has_program(agent) || agent->asked->act != ACT_ASK);
}

void agent_lose_patience(struct agent *agent)
{
    double waited_s = (double)(clock_steady() - agent->asked_us) / (double)SECOND_US;

    if (agent->mood != MOOD_WAITS || !agent->asked || is_firm(agent) ||
        waited_s * agent->swarm->speed < PATIENCE_S)
        return;
    struct letter *letter =
        say(agent, NULL, "No word from you so far, so I go on with what needs none.");
    letter_setf(letter, PART_REPLY_TO, "%s", letter_get(agent->asked, PART_ID));
    agent_set_free(agent);
}
