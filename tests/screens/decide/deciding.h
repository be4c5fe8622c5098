/* Shared by the tests of deciding by keys: a team with requests, and checks of the answers. */
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

/* Makes a team whose decisions can be undone for that long. */
void deciding_make_team(const char *hold);
void deciding_ask(const char *from, int ago_s, const char *text);
void deciding_start(const char *seen);
/* Waits until the text about a change is drawn: keys before that would be dropped. */
void deciding_wait_change(const char *said);
/* Writes one request with an id of its own, which stays the same whatever the text is. */
void put_request(const char *command, bool read);
void put_named(const char *command);
/* Returns the text of an inbox; empty if it does not exist. The caller frees. */
struct str inbox_of(const char *path);
/* Answers a request in the lead's name, from elsewhere, in the inbox of the agent. */
void put_answer(const char *box, const char *request, bool granted);
void check_answer(const char *path, const char *text);
/* Checks that nothing was sent to anybody, and nothing was noted. */
void check_nothing(void);
/* Waits until keys are accepted again. */
void wait_dead_time(void);

#endif
