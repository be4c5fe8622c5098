/* The reactions of an agent: to decisions, lead commands, questions and plain words. */
#include "demo/agent.h"

#include "demo/story.h"

#include <string.h>
#include <strings.h>

/* Answers. */

/* Returns an answer in the same conversation. */
static struct message *reply_to(struct agent *agent, const struct message *in, const char *body)
{
    struct message *message = agent_letter(agent, ACT_SAY, message_get(in, PART_FROM));
    const char *subject = message_get(in, PART_SUBJECT), *id = message_get(in, PART_ID);

    message_say(message, body);
    if (*subject)
        message_setf(message, PART_SUBJECT, "%s%s",
                     strncmp(subject, "Re: ", 4) == 0 ? "" : "Re: ", subject);
    if (*id) {
        message_set(message, PART_REPLY_TO, id);
        message_set(message, PART_THREAD,
                    in->part[PART_THREAD] && *in->part[PART_THREAD] ? in->part[PART_THREAD] : id);
    }
    return message;
}

/* Plans an answer that finishes the original. */
static void plan_answer(struct agent *agent, double seconds, struct message *in, const char *body)
{
    struct errand *errand = agent_plan(agent, seconds, reply_to(agent, in, body));

    errand->original = in;
    errand->finishes = true;
}

/* Finishes a message without an answer. */
static void put_away(struct agent *agent, double seconds, struct message *in)
{
    struct errand *errand = agent_plan(agent, seconds, NULL);

    errand->original = in;
    errand->finishes = true;
}

static void say_later(struct agent *agent, double seconds, const char *body)
{
    struct message *message = agent_letter(agent, ACT_SAY, NULL);

    message_say(message, body);
    agent_plan(agent, seconds, message);
}

/* Appends the first lines of a message, quoted. */
static void add_quote(struct text *out, const char *text)
{
    text += strspn(text, " \t\r\n");
    for (int line = 0; *text && line < 3; line++) {
        size_t len = strcspn(text, "\n");
        text_puts(out, "> ");
        text_add(out, text, len);
        text_putc(out, '\n');
        text += len + (text[len] != '\0');
    }
    text_putc(out, '\n');
}

static void answer_quoting(struct agent *agent, double seconds, struct message *in,
                           const char *words)
{
    CLEANUP(text_free) struct text body = {0};

    add_quote(&body, message_get(in, PART_BODY));
    text_puts(&body, words);
    plan_answer(agent, seconds, in, text_c(&body));
}

/* Decisions. */

static void go_on_with_plan(struct agent *agent, struct message *in)
{
    const struct job *job = agent->job;

    plan_answer(agent, 3, in,
                "With your approval I start on the first step now, and report after each.");
    say_later(agent, 14, job->steps[0]);
    say_later(agent, 32, job->steps[1]);
    agent->step = 4;
    agent_set_free(agent);
}

static void narrow_plan(struct agent *agent, struct message *in)
{
    const char *reason = message_get(in, PART_REASON);

    if (agent->narrowed++ < 2) {
        agent_plan(agent, 6, agent_make_plan(agent, *reason ? reason : "no"));
        put_away(agent, 7, in);
        message_free(agent->asked);
        agent->asked = NULL; /* still waits: the next plan is on its way */
        return;
    }
    plan_answer(agent, 4, in, "Understood. I leave this plan alone and take something else.");
    agent_next_job(agent);
    agent_set_free(agent);
}

static void use_permission(struct agent *agent, struct message *in)
{
    const struct job *job = agent->job;
    const char *reason = message_get(in, PART_REASON);
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_addf(&body, "%s\n\n    $ %s", job->result,
                  in->part[PART_COMMAND] ? in->part[PART_COMMAND] : job->command);
    else if (*reason)
        text_addf(&body, "> %s\n\nUnderstood, I do not run it. %s", reason, job->otherwise);
    else
        text_addf(&body, "Understood, I do not run it. %s", job->otherwise);
    plan_answer(agent, 4, in, text_c(&body));
    agent_set_free(agent);
}

static void use_host(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_addf(&body, "Connected to %s: that works, I go on.", agent->job->host);
    else
        text_addf(&body, "Understood, no connection to %s. I use the copy from last week instead.",
                  agent->job->host);
    plan_answer(agent, 4, in, text_c(&body));
    agent_set_free(agent);
}

static void use_word(struct agent *agent, struct message *in)
{
    const char *words = in->act == ACT_ANSWER && !in->yes
                            ? "Understood. I leave it as it was, then."
                            : "Thank you, that settles it. I do it like that and go on.";

    answer_quoting(agent, 4, in, words);
    agent_set_free(agent);
}

static void use_verdict_on_handoff(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_puts(&body, "Thank you for taking it. I am here if something is unclear.");
    else
        text_addf(&body, "Then I keep it. Next: %.*s.", (int)strcspn(agent->job->next, "\n"),
                  agent->job->next);
    plan_answer(agent, 4, in, text_c(&body));
    agent_set_free(agent);
}

static bool answers_what_i_asked(const struct agent *agent, const struct message *in)
{
    const char *reply = message_get(in, PART_REPLY_TO), *request = message_get(in, PART_REQUEST);

    if (!agent->asked)
        return false;
    if (*request && message_is(agent->asked, PART_REQUEST, request))
        return true;
    return *reply && strncmp(message_get(agent->asked, PART_ID), reply, strlen(reply)) == 0;
}

static void take_decision(struct agent *agent, struct message *in)
{
    switch (agent->asked->act) {
    case ACT_PLAN:
        (in->yes ? go_on_with_plan : narrow_plan)(agent, in);
        break;
    case ACT_PERMIT:
        use_permission(agent, in);
        break;
    case ACT_HOST:
        use_host(agent, in);
        break;
    case ACT_HANDOFF:
        use_verdict_on_handoff(agent, in);
        break;
    default:
        use_word(agent, in);
        break;
    }
}

/* Lead commands. */

static void take_stop(struct agent *agent, struct message *in)
{
    bool busy = (agent->step >= 3 || agent->asked) && agent->mood != MOOD_STUCK && !agent->refused;
    struct message *message = reply_to(agent, in, "");
    CLEANUP(text_free) struct text body = {0};

    message->act = ACT_ANSWER;
    message->about = ACT_STOP;
    message->yes = !busy;
    message_set(message, PART_REQUEST, message_get(in, PART_REQUEST));
    message_setf(message, PART_REASON, "in the middle of \"%s\": %s; give me ten minutes",
                 agent->job->title, agent->job->state);
    if (busy)
        text_addf(&body, "I cannot stop yet: I am %s.", message_get(message, PART_REASON));
    else
        text_addf(&body, "I stop now. My work is in order: %s.", agent->job->state);
    message_set(message, PART_BODY, text_c(&body));
    struct errand *errand = agent_plan(agent, 3, message);
    errand->original = in;
    errand->finishes = true;
    errand->leaves = !busy;
    agent->refused |= busy;
}

static void take_handoff(struct agent *agent, struct message *in)
{
    static const char *const words[] = {
        "Accepted. I have read all of it and go on from there.",
        "The first of the next steps is done, without surprises.",
        "Completed: all of the next steps are done, and the tests pass."};
    static const double seconds[] = {4, 16, 34};

    for (int i = 0; i < 3; i++) {
        struct errand *errand = agent_plan(agent, seconds[i], reply_to(agent, in, words[i]));
        if (agent->me->layout->one_slot)
            continue; /* its answers may have to wait, and others want to write to it */
        errand->original = in;
        errand->begins = i == 0;
        errand->finishes = i == 2;
    }
    if (agent->me->layout->one_slot)
        put_away(agent, 6, in);
}

static void take_order(struct agent *agent, struct message *in)
{
    const char *what = message_get(in, PART_REASON);
    CLEANUP(text_free) struct text body = {0};

    if (in->act == ACT_TASK) {
        text_addf(&body, "I take \"%s\" and start right away.", what);
        message_set(in, PART_SUBJECT, what);
        say_later(agent, 24, "Done, with a test for it.");
    } else if (in->act == ACT_MODE) {
        text_addf(&body, "My mode is %s from now on.", what);
        message_set(in, PART_SUBJECT, "mode");
    } else {
        put_away(agent, 1, in);
        return;
    }
    plan_answer(agent, 3, in, text_c(&body));
}

/* Words. */

static bool holds(const char *text, const char *word)
{
    return strcasestr(text, word) != NULL;
}

static void answer_words(struct agent *agent, struct message *in)
{
    const char *text = message_get(in, PART_BODY);
    const struct job *job = agent->job;
    unsigned peers = (unsigned)swarm_size(agent->swarm, agent->me->layout);
    double seconds = 3 + dice_pick(&agent->dice, in->to_all ? 12 : 3);
    CLEANUP(text_free) struct text words = {0};

    if (in->to_all && peers > 8 && dice_pick(&agent->dice, peers) >= 8) {
        put_away(agent, seconds, in); /* not every agent answers a message to all */
        return;
    }
    if (agent->asked)
        text_addf(&words, "Noted. I still wait for your word on \"%s\".",
                  message_get(agent->asked, PART_SUBJECT));
    else if (holds(text, "status") || holds(text, "how far") || holds(text, "progress"))
        text_addf(&words, "On \"%s\": %s.", job->title, job->state);
    else if (holds(text, "thank"))
        text_puts(&words, "Gladly.");
    else if (holds(text, "?"))
        text_addf(&words,
                  "Yes, as far as I can see from \"%s\" (%s). I look into it and write again.",
                  job->title, job->state);
    else
        text_addf(&words, "Understood. I keep that in mind for \"%s\".", job->title);
    answer_quoting(agent, seconds, in, text_c(&words));
}

/* Wakes a silent agent to which the lead has written. */
static void recover(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text words = {0};

    agent->mood = MOOD_FREE;
    text_addf(&words, "I am here again. %s I go on where I stopped.", agent->job->otherwise);
    answer_quoting(agent, 4, in, text_c(&words));
    say_later(agent, 18, agent->job->steps[2]);
    agent_set_free(agent);
}

/* Leaves a ring: the agent to which the lead writes gives way. */
static void leave_ring(struct agent *agent, struct message *in)
{
    if (agent->peer)
        plan_answer(agent, 3, agent->peer, job_answer(message_get(agent->peer, PART_BODY)));
    agent->peer = NULL;
    answer_quoting(agent, 5, in,
                   "You are right, nobody has to wait here. I have answered first and go on.");
    agent_set_free(agent);
}

/* Answers its peer after its own answer has come. */
static void end_ring(struct agent *agent, struct message *in)
{
    if (agent->peer)
        plan_answer(agent, 5, agent->peer, job_answer(message_get(agent->peer, PART_BODY)));
    agent->peer = NULL;
    put_away(agent, 4, in);
    agent_set_free(agent);
}

/* Senders. */

static void react_to_lead(struct agent *agent, struct message *in)
{
    bool word = in->act == ACT_SAY || in->act == ACT_ASK;

    if (in->act == ACT_STOP)
        take_stop(agent, in);
    else if (agent->asked && (in->act == ACT_ANSWER || word) && answers_what_i_asked(agent, in) &&
             (in->act == ACT_ANSWER || agent->asked->act == ACT_ASK))
        take_decision(agent, in);
    else if (agent->asked && word && agent->asked->act == ACT_ASK && !in->to_all)
        use_word(agent, in);
    else if (agent->mood == MOOD_STUCK)
        recover(agent, in);
    else if (agent->mood == MOOD_RING)
        leave_ring(agent, in);
    else if (in->act == ACT_HANDOFF)
        take_handoff(agent, in);
    else if (in->act == ACT_TASK || in->act == ACT_MODE || in->act == ACT_RULES)
        take_order(agent, in);
    else if (in->act == ACT_ANSWER && !message_get(in, PART_BODY)[0])
        put_away(agent, 1, in);
    else
        answer_words(agent, in);
}

static void react_to_peer(struct agent *agent, struct message *in)
{
    double seconds = 4 + dice_pick(&agent->dice, 5);

    if (in->act == ACT_ASK && agent->mood == MOOD_RING && !agent->peer)
        agent->peer = in;
    else if (in->act == ACT_ASK && agent->mood != MOOD_RING)
        plan_answer(agent, seconds, in, job_answer(message_get(in, PART_BODY)));
    else if (in->act == ACT_HANDOFF)
        take_handoff(agent, in);
    else if (agent->mood == MOOD_RING && *message_get(in, PART_REPLY_TO))
        end_ring(agent, in);
    else
        put_away(agent, seconds, in);
}

void agent_react(struct agent *agent, struct message *message)
{
    if (message_is(message, PART_FROM, agent->me->layout->lead) ||
        message_is(message, PART_FROM, "user"))
        react_to_lead(agent, message);
    else
        react_to_peer(agent, message);
}
