/* Mailboxes for screens: a Claude team at work, and an ADR tree. */
#include "base/json/json_print.h"
#include "base/time.h"
#include "mailbox.h"

#include <stdio.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 24 * HOUR };

const char mailbox_hostile[] =
    "esc \x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]52;c;aGk=\x1b\\ csi \xc2\x9b"
    "2J bell \x07 "
    "bidi \xe2\x80\xaegnp.exe\xe2\x80\xac \xe2\x81\xa6iso\xe2\x81\xa9 "
    "zero\xe2\x80\x8bwidth \xef\xbb\xbf soft\xc2\xadhyphen "
    "family \xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 "
    "wide \xe4\xb8\x96\xe7\x95\x8c\xef\xbc\x81 "
    "marks e\xcc\x81 z\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87\xcc\x88 "
    "blank \xe3\x85\xa4| tag \xf3\xa0\x81\xa1\xf3\xa0\x81\xa2 "
    "line\xe2\x80\xa8separator cr\rback del\x7f tab\there end";

static const char team[] =
    "{\n"
    "  \"name\": \"dev\",\n"
    "  \"leadAgentId\": \"team-lead@dev\",\n"
    "  \"members\": [\n"
    "    { \"name\": \"team-lead\", \"agentId\": \"team-lead@dev\", \"agentType\": \"team-lead\" "
    "},\n"
    "    { \"name\": \"builder-1\", \"agentId\": \"builder-1@dev\", \"color\": \"blue\" },\n"
    "    { \"name\": \"tester-2\", \"agentId\": \"tester-2@dev\", \"color\": \"green\" },\n"
    "    { \"name\": \"doc-3\", \"agentId\": \"doc-3@dev\", \"color\": \"yellow\" },\n"
    "    { \"name\": \"infra-4\", \"agentId\": \"infra-4@dev\", \"color\": \"purple\" },\n"
    "    { \"name\": \"w7\", \"agentId\": \"w7@dev\", \"color\": \"cyan\" }\n"
    "  ]\n"
    "}";

#define PLAN(Id, Content)                                                                          \
    "{\"type\":\"plan_approval_request\",\"from\":\"builder-1\",\"timestamp\":\"$TIME\","          \
    "\"planFilePath\":\"plans/auth.md\",\"planContent\":\"" Content "\",\"requestId\":\""          \
    "plan_approval-" Id "@builder-1@dev\"}"
#define IDLE(Name, Summary)                                                                        \
    "{\"type\":\"idle_notification\",\"from\":\"" Name "\",\"timestamp\":\"$TIME\","               \
    "\"idleReason\":\"available\",\"summary\":\"" Summary "\"}"
#define PERMISSION(Id, Name, Command, Reason)                                                      \
    "{\"type\":\"permission_request\",\"request_id\":\"perm-" Id "\",\"agent_id\":\"" Name         \
    "\",\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_" Id "\",\"description\":\"" Reason         \
    "\",\"input\":{\"command\":\"" Command "\",\"description\":\"" Reason                          \
    "\"},\"permission_suggestions\":[]}"

/* Oldest first in every box, as programs append them. */
static const struct mailbox_said conversation[] = {
    {"w7", "team-lead", 2 * HOUR, NULL,
     "{\"type\":\"task_assignment\",\"taskId\":\"21\",\"subject\":\"test the parser\","
     "\"description\":\"Run every case of the parser.\",\"assignedBy\":\"team-lead\","
     "\"timestamp\":\"$TIME\"}",
     true},
    {"team-lead", "w7", HOUR, "status update 7", "All 212 cases of the parser pass.", true},
    {"team-lead", "w7", 59 * MINUTE, NULL, IDLE("w7", "parser tested"), true},
    {"team-lead", "w7", 25 * MINUTE, NULL, IDLE("w7", "still nothing to do"), false},
    {"team-lead", "infra-4", 19 * MINUTE, "no disk left",
     "The build of the index stops: no disk left on the build machine.", false},
    {"infra-4", "team-lead", 17 * MINUTE, "free some space",
     "Please remove old logs, then go on with the index.", false},
    {"team-lead", "builder-1", 12 * MINUTE, NULL,
     PLAN("1770904260000", "# Migrate the auth module\\n\\n1. Move sessions to `session.c`\\n"
                           "2. Replace tokens\\n3. Remove the old module\\n"),
     true},
    {"builder-1", "team-lead", 9 * MINUTE, NULL,
     "{\"type\":\"plan_approval_response\",\"requestId\":\"plan_approval-1770904260000@builder-1@"
     "dev\",\"approved\":false,\"feedback\":\"please narrow scope\",\"timestamp\":\"$TIME\"}",
     true},
    {"team-lead", "doc-3", 5 * MINUTE, "which page first?",
     "Which page shall I write first?\n\n- **install**: nobody gets past it\n- **usage**: most "
     "asked for\n\nI would take the first.",
     false},
    {"team-lead", "doc-3", 4 * MINUTE, NULL,
     "{\"type\":\"sandbox_permission_request\",\"requestId\":\"sandbox-1770904740000\","
     "\"workerId\":\"doc-3@dev\",\"workerName\":\"doc-3\",\"hostPattern\":{\"host\":"
     "\"docs.example.org\"},\"createdAt\":1770904740000}",
     false},
    {"team-lead", "tester-2", 2 * MINUTE, NULL,
     PERMISSION("1770904860000-7c2e", "tester-2", "rm -rf build/", "clean before rebuild"), false},
    {"team-lead", "builder-1", 12, NULL,
     PLAN("1770904968000", "# Migrate the auth module\\n\\nOnly `session.c`:\\n\\n1. Move the "
                           "sessions\\n2. Run the tests of the module\\n"),
     false},
};

static const struct mailbox_said hostile_conversation[] = {
    {"team-lead", "w8\x1b[31m", 8 * MINUTE, mailbox_hostile, mailbox_hostile, false},
    {"team-lead", "w9", 6 * MINUTE, NULL,
     PERMISSION("1770904620000-0bad", "w9", "ls \\u202e#rf-\\u202c ~\\u001b[2K\\rrm -rf ~",
                "look at \\u200bfiles"),
     false},
};

void mailbox_fill_claude(const struct mailbox *mailbox, unsigned parts)
{
    mailbox_put(mailbox, "home/.claude/teams/dev/config.json", DAY, span_of(team));
    for (size_t i = 0; i < sizeof conversation / sizeof *conversation; i++)
        mailbox_tell(mailbox, &conversation[i]);
    for (size_t i = 0; (parts & MAILBOX_HOSTILE) &&
                       i < sizeof hostile_conversation / sizeof *hostile_conversation;
         i++)
        mailbox_tell(mailbox, &hostile_conversation[i]);
    if (!(parts & MAILBOX_LONG))
        return;
    struct str text = {0};
    for (int i = 1; i <= 60; i++)
        str_addf(&text,
                 "Line %d of the report says what was measured, on which machine, with which "
                 "input, how often, and what of it is worth a second look by somebody else.\n",
                 i);
    mailbox_tell(mailbox, &(struct mailbox_said){"team-lead", "w7", 11 * MINUTE, "a long report",
                                                 str_c(&text), false});
    str_free(&text);
}

#define HANDOFF                                                                                    \
    "{\"work_completed\": \"deleted old logs; build at 80%\", \"files_modified\": "                \
    "[\"src/index.c\"], \"files_created\": [\"doc/index.md\"], \"current_state\": \"disk full at " \
    "/var; wip/index pushed\", \"state_file\": null, \"next_steps\": [\"free 2 GB\", \"rerun "     \
    "make "                                                                                        \
    "index\"], \"blockers\": [\"needs root for /var\"], \"dependencies\": [], "                    \
    "\"related_escalations\": [\"MSG-0000000000e5\"], \"job_id\": \"job-7\", \"notes\": \"The "    \
    "second half takes an hour.\"}"

static const struct outgoing_message_made {
    const char *id, *from, *to, *type, *subject, *body;
    int priority, ago_s;
    const char *status;
    const char *reply_to, *thread; /* NULL: null */
    const char *context;           /* NULL: {} */
    int ended_s;                   /* seconds since it expired; 0: never */
    bool archived;
} letters[] = {
    {"MSG-0000000000a1", "user", "swarm_dev/architect", "request", "How shall the queue be stored?",
     "Files, or a database?", 2, 3 * HOUR, "read", NULL, "THR-0000000000a1", NULL, 0, false},
    {"MSG-0000000000a2", "swarm_dev/architect", "user", "response",
     "Re: How shall the queue be stored?", "Files. One a message, renamed into place.", 2, 2 * HOUR,
     "read", "MSG-0000000000a1", "THR-0000000000a1", NULL, 0, false},
    {"MSG-0000000000a3", "swarm_dev/architect", "user", "request",
     "Which names shall the files have?", "Times sort well, random ones never meet.", 3,
     25 * MINUTE, "unread", "MSG-0000000000a2", "THR-0000000000a1", NULL, 0, false},
    {"MSG-0000000000b1", "swarm_dev/implementer", "user", "handoff", "Handoff: index",
     "Work handoff from swarm_dev/implementer to user.", 3, 40 * MINUTE, "unread", NULL, NULL,
     HANDOFF, 0, false},
    {"MSG-0000000000b2", "swarm_dev/implementer", "swarm_dev/reviewer", "handoff",
     "Handoff: parser", "Work handoff from swarm_dev/implementer to swarm_dev/reviewer.", 2,
     5 * HOUR, "processing", NULL, NULL, HANDOFF, 0, false},
    {"MSG-0000000000e5", "swarm_dev/critic", "user", "escalation", "The disk of the build is full",
     "Nothing can be built until somebody with rights frees /var.", 4, 7 * MINUTE, "unread", NULL,
     NULL, NULL, 0, false},
    {"MSG-0000000000f1", "swarm_dev/reviewer", "user", "notification", "Reviewed: parser",
     "Two remarks, both small.", 1, 6 * HOUR, "unread", NULL, NULL, NULL, 0, false},
    {"MSG-0000000000f2", "swarm_dev/reviewer", "user", "request", "May I take the afternoon task?",
     "It would have been the one about names.", 2, DAY, "unread", NULL, NULL, NULL, 20 * HOUR,
     false},
    {"MSG-0000000000f3", "swarm_dev/critic", "user", "notification", "The week's numbers",
     "All of them went up.", 2, 2 * DAY, "completed", NULL, NULL, NULL, 0, true},
};

static void add_time(struct str *out, int ago_s)
{
    str_putc(out, '"');
    time_add_format(out, mailbox_when(ago_s), "%Y-%m-%dT%H:%M:%S");
    str_putc(out, '"');
}

static void add_text(struct str *out, const char *text)
{
    if (text)
        json_put_text(out, span_of(text), &json_style_python);
    else
        str_puts(out, "null");
}

static void add_texts(struct str *out, const char *const pairs[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_addf(out, "  \"%s\": ", pairs[i][0]);
        add_text(out, pairs[i][1]);
        str_puts(out, ",\n");
    }
}

static void put_letter(const struct mailbox *mailbox, const struct outgoing_message_made *letter)
{
    const char *const first[][2] = {{"id", letter->id},       {"from_agent", letter->from},
                                    {"to_agent", letter->to}, {"swarm_name", NULL},
                                    {"type", letter->type},   {"subject", letter->subject},
                                    {"body", letter->body}};
    const char *const later[][2] = {{"status", letter->status},
                                    {"read_at", NULL},
                                    {"completed_at", NULL},
                                    {"reply_to", letter->reply_to},
                                    {"thread_id", letter->thread}};
    struct str out = {0}, path = {0};

    str_puts(&out, "{\n");
    add_texts(&out, first, sizeof first / sizeof *first);
    str_addf(&out, "  \"payload\": {},\n  \"priority\": %d,\n  \"created_at\": ", letter->priority);
    add_time(&out, letter->ago_s);
    str_puts(&out, ",\n  \"expires_at\": ");
    if (letter->ended_s)
        add_time(&out, letter->ended_s);
    else
        str_puts(&out, "null");
    str_puts(&out, ",\n");
    add_texts(&out, later, sizeof later / sizeof *later);
    str_addf(&out, "  \"context\": %s,\n  \"attachments\": [],\n  \"tags\": []\n}",
             letter->context ? letter->context : "{}");
    str_puts(&path, "project/workspace/mailboxes/");
    for (const char *c = letter->to; *c; c++)
        str_putc(&path, *c == '/' ? '_' : *c);
    str_addf(&path, "/%s/%s.json", letter->archived ? "archive" : "inbox", letter->id);
    mailbox_put(mailbox, str_c(&path), letter->ago_s, str_span(&out));
    str_free(&out);
    str_free(&path);
}

void mailbox_fill_adr(const struct mailbox *mailbox, unsigned parts)
{
    static const char *const names[] = {"architect", "critic", "implementer", "reviewer"};
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "project/swarms/swarm_dev/agents/%s.md", names[i]);
        mailbox_put(mailbox, path, DAY, span_of("An agent.\n"));
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        put_letter(mailbox, &letters[i]);
    mailbox_put(mailbox, "project/workspace/mailboxes/user/inbox/MSG-00000000dead.json",
                30 * MINUTE, span_of("{\"id\": \"MSG-00000000dead\", \"from_agent\": "));
    if (parts & MAILBOX_HOSTILE)
        put_letter(mailbox, &(struct outgoing_message_made){.id = "MSG-00000000bad0",
                                                            .from = "swarm_dev/critic",
                                                            .to = "user",
                                                            .type = "request",
                                                            .subject = mailbox_hostile,
                                                            .body = mailbox_hostile,
                                                            .priority = 2,
                                                            .ago_s = 10 * MINUTE,
                                                            .status = "unread"});
}
