/* What tests of deciding by keys share: a team that asks, and what became of its requests. */
#ifndef SCREENS_DECIDING_H
#define SCREENS_DECIDING_H

#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

#define INBOXES "home/.claude/teams/dev/inboxes/"
#define LEDGER "home/state/swarmutt/ledger"

enum { MINUTE = 60 };

#define SUGGESTING(Id, Agent, Command, Suggestions)                                                \
    "{\"type\":\"permission_request\",\"request_id\":\"" Id "\",\"agent_id\":\"" Agent             \
    "\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t\",\"description\":\"list them\",\"input\":"     \
    "{\"command\":\"" Command "\"},\"permission_suggestions\":[" Suggestions "]}"
#define PERMISSION(Id, Agent, Command) SUGGESTING(Id, Agent, Command, "")
#define RULE                                                                                       \
    "{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"ls:*\"}],"         \
    "\"behavior\":\"allow\",\"destination\":\"session\"}"
#define PLAN(Id, Content) PLAN_OF(Id, "bob", Content)
#define PLAN_OF(Id, Agent, Content)                                                                \
    "{\"type\":\"plan_approval_request\",\"from\":\"" Agent "\",\"timestamp\":\"$TIME\","          \
    "\"planFilePath\":\"/nowhere/plan.md\",\"planContent\":\"" Content "\",\"requestId\":\"" Id    \
    "\"}"
#define SENT "sent, unconfirmed"

/* A team whose decisions are held for so long. */
void deciding_make_team(const char *hold);
void deciding_ask(const char *from, int ago_s, const char *text);
void deciding_start(const char *seen);
/* Until that is said of a change; keys before it was drawn would be dropped. */
void deciding_wait_change(const char *said);
/* One request with an id of its own, so that it is the same one whatever it says. */
void put_request(const char *command, bool read);
void put_named(const char *command);
/* What lies in an inbox; empty when there is none. The caller frees. */
struct str inbox_of(const char *path);
/* Somebody else answers a request in the lead's name, in the inbox of the agent. */
void put_answer(const char *box, const char *request, bool granted);
void check_answer(const char *path, const char *text);
/* Nothing was sent to anybody, and nothing was noted. */
void check_nothing(void);
/* Until keys are heard again. */
void wait_dead_time(void);

#endif
