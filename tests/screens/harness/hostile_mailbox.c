/* Hostile mailboxes, which try to harm their reader. */
#include "hostile_mailbox.h"

#include "base/json/json_print.h"

#define ROCKETS "\\ud83d\\ude80\\u4e16\\ud83d\\ude80\\u754c"
#define MARKS "\\u0e35\\u0301\\u20dd"

/* Names as JSON strings: sequences, C1, bidi, zero width, marks, joiners, wide, newlines. */
static const char *const names[HOSTILE_NAMES] = {
    "esc\\u001b[31m\\u001b]0;t\\u0007",
    "c1\\u009b2J\\u0085",
    "bidi\\u202eexe\\u2066",
    "zero\\u200b\\ufeff\\u2060width",
    "z\\u0300\\u0301\\u0302\\u0303\\u0304\\u0305\\u0306\\u0307\\u0308\\u0309\\u030a\\u030b",
    "\\ud83d\\udc68\\u200d\\ud83d\\udc69\\u200d\\ud83d\\udc67",
    "\\u4e16\\u754c\\uff01\\u4e16\\u754c\\uff01\\u4e16\\u754c\\uff01",
    "new\\nline\\r\\ttab",
    "\\u3164\\u2800\\u00a0\\udb40\\udc61",
    "",
    "../../etc",
    "%n%s%d",
    /* a flag in tags, many wide characters, and many without width */
    "\\ud83c\\udff4\\udb40\\udc67\\udb40\\udc62\\udb40\\udc7f",
    ROCKETS ROCKETS ROCKETS ROCKETS,
    "\\u0e17" MARKS MARKS MARKS MARKS MARKS MARKS,
};

static void put_team(const struct mailbox *mailbox)
{
    struct str out = {0};

    str_puts(&out, "{\"name\": \"bad\\u001b[2J\\u202e\\n\", \"leadAgentId\": \"team-lead@bad\", "
                   "\"members\": [{\"name\": \"team-lead\", \"agentId\": \"team-lead@bad\"}");
    for (size_t i = 0; i < HOSTILE_NAMES; i++)
        str_addf(&out, ", {\"name\": \"%s\", \"agentId\": \"%s@bad\", \"color\": \"%s\"}", names[i],
                 names[i], names[i]);
    str_puts(&out, "]}");
    mailbox_put(mailbox, "home/.claude/teams/bad/config.json", 86400, str_span(&out));
    str_clear(&out);
    for (size_t i = 0; i < HOSTILE_NAMES; i++)
        str_addf(&out,
                 "%s{\"from\": \"%s\", \"text\": \"%s\", \"summary\": \"about %s\", \"timestamp\": "
                 "\"2026-02-12T13:%02zu:00.000Z\", \"read\": false}",
                 i ? ", " : "[", names[i], names[HOSTILE_NAMES - 1 - i], names[i], i);
    str_addf(&out,
             ", {\"from\": \"%s\", \"text\": \"{\\\"type\\\":\\\"permission_request\\\","
             "\\\"request_id\\\":\\\"perm-\\\\u001b[1m\\\",\\\"agent_id\\\":\\\"x\\\","
             "\\\"tool_name\\\":\\\"Ba\\\\u202esh\\\",\\\"tool_use_id\\\":\\\"\\\\u0007\\\","
             "\\\"description\\\":\\\"\\\\u200b\\\",\\\"input\\\":{\\\"com\\\\u001b[Amand\\\":"
             "\\\"a\\\\nb\\\\u009b\\\"},\\\"permission_suggestions\\\":[]}\", \"timestamp\": "
             "\"2026-02-12T13:40:00.000Z\", \"read\": false}]",
             names[0]);
    mailbox_put(mailbox, "home/.claude/teams/bad/inboxes/team-lead.json", 60, str_span(&out));
    str_free(&out);
}

/* For ADR: type, tags, attachments, context and ids; and names of files and directories. */
static void put_letters(const struct mailbox *mailbox)
{
    struct str out = {0}, path = {0};

    for (size_t i = 0; i < HOSTILE_NAMES; i++) {
        const char *name = names[i];
        str_clear(&out);
        str_clear(&path);
        str_addf(&out,
                 "{\"id\": \"MSG-%s\", \"from_agent\": \"swarm_dev/%s\", \"to_agent\": \"user\", "
                 "\"swarm_name\": \"%s\", \"type\": \"%s\", \"subject\": \"%s\", \"body\": "
                 "\"# %s\\n\\n- [%s](%s)\\n\\n| a | %s |\\n|---|---|\\n| %s | b |\\n\", "
                 "\"payload\": {\"%s\": \"%s\"}, \"priority\": 2, \"created_at\": "
                 "\"2026-02-12T12:%02zu:00\", \"expires_at\": null, \"status\": \"unread\", "
                 "\"read_at\": null, \"completed_at\": null, \"reply_to\": null, \"thread_id\": "
                 "\"%s\", \"context\": {\"next_steps\": [\"%s\"], \"%s\": \"%s\"}, "
                 "\"attachments\": [\"%s\"], \"tags\": [\"%s\"]}",
                 name, name, name, i % 2 ? "handoff" : name, name, name, name, name, name, name,
                 name, name, i, name, name, name, name, name, name);
        str_addf(&path, "project/workspace/mailboxes/user/%s/MSG-%zu\x1b[31m\xe2\x80\xae\n.json",
                 i % 3 == 2 ? "archive" : "inbox", i);
        mailbox_put(mailbox, str_c(&path), 60, str_span(&out));
    }
    mailbox_put(mailbox, "project/scheduler/inboxes/w\x1b[1m\xc2\x9b\n/1\x1b[J.json", 60,
                span_of("{\"id\": \"a\\u001b\", \"from\": \"\\u202e\", \"to\": \"\\u0007\", "
                        "\"subject\": \"s\\nt\", \"content\": {\"\\u001b[1m\": \"\\u009b\"}}"));
    mailbox_put(mailbox, "project/.roo/mailbox/to-\x1b[5m\xe2\x80\xae.md", 60,
                span_of("---\nfrom: \x1b[7m\xc2\x9b\nid: \"\x07\"\n---\n\n\x1b]52;c;aGk=\x07\n"));
    str_free(&out);
    str_free(&path);
}

void hostile_make(struct mailbox *mailbox)
{
    mailbox_make(mailbox, MAILBOX_ALL);
    put_team(mailbox);
    put_letters(mailbox);
}

/* --- and more --- */

/* Requests of agents' programs; $ is the name. */
static const char *const requests[] = {
    "{\"type\":\"plan_approval_request\",\"from\":\"$\",\"timestamp\":"
    "\"2026-02-12T13:00:00.000Z\",\"planFilePath\":\"$.md\",\"planContent\":\"# $\\n\\n- "
    "$\\n\\n```\\n$\\n```\\n\",\"requestId\":\"plan-$\"}",
    "{\"type\":\"permission_request\",\"request_id\":\"perm-$\",\"agent_id\":\"$\",\"tool_name\":"
    "\"$\",\"tool_use_id\":\"$\",\"description\":\"$\",\"input\":{\"command\":\"ls "
    "$\",\"$\":\"$\"},"
    "\"permission_suggestions\":[\"$\"]}",
    ("{\"type\":\"sandbox_permission_request\",\"requestId\":\"sandbox-$\",\"workerId\":\"$\","
     "\"workerName\":\"$\",\"hostPattern\":{\"host\":\"$\"},\"createdAt\":1770904740000}"),
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static void put_name(struct str *out, const char *pattern, const char *name)
{
    for (; *pattern; pattern++)
        if (*pattern == '$')
            str_puts(out, name);
        else
            str_putc(out, *pattern);
}

static void put_requests(const struct mailbox *mailbox)
{
    struct str out = {0}, inner = {0};

    str_puts(&out, "[");
    for (size_t i = 0; i < HOSTILE_NAMES; i++) {
        str_clear(&inner);
        put_name(&inner, requests[i % REQUESTS], names[i]);
        str_addf(&out, "%s{\"from\": \"%s\", \"text\": ", i ? ", " : "", names[i]);
        json_put_text(&out, str_span(&inner), &json_style_node);
        str_addf(&out, ", \"timestamp\": \"2026-02-12T13:%02zu:00.000Z\", \"read\": false}", i);
    }
    str_puts(&out, "]");
    mailbox_put(mailbox, "home/.claude/teams/odd/inboxes/team-lead.json", 60, str_span(&out));
    str_free(&out);
    str_free(&inner);
}

static void put_tasks(const struct mailbox *mailbox)
{
    struct str out = {0}, path = {0};

    for (size_t i = 0; i < HOSTILE_NAMES; i++) {
        str_clear(&out);
        str_clear(&path);
        put_name(&out,
                 "{\"id\":\"$\",\"subject\":\"$\",\"description\":\"$\",\"status\":"
                 "\"in_progress\",\"owner\":\"$\",\"blocks\":[\"$\"],\"blockedBy\":[\"$\"]}",
                 names[i]);
        str_addf(&path, "home/.claude/tasks/bad/%zu.json", i);
        mailbox_put(mailbox, str_c(&path), 60, str_span(&out));
    }
    str_free(&out);
    str_free(&path);
}

/* Writes an ADR letter whose texts are given as JSON. */
static void put_letter(const struct mailbox *mailbox, const char *path, const char *from,
                       const char *to, const char *type, const char *text)
{
    struct str out = {0};

    str_addf(&out,
             "{\"id\": \"%s\", \"from_agent\": \"%s\", \"to_agent\": \"%s\", \"swarm_name\": "
             "null, \"type\": \"%s\", \"subject\": \"%s\", \"body\": \"%s\", \"payload\": {}, "
             "\"priority\": 2, \"created_at\": \"2026-02-12T12:30:00\", \"expires_at\": null, "
             "\"status\": \"unread\", \"read_at\": null, \"completed_at\": null, \"reply_to\": "
             "null, \"thread_id\": null, \"context\": {}, \"attachments\": [\"%s\"], \"tags\": "
             "[\"%s\"]}",
             text, from, to, type, text, text, text, text);
    mailbox_put(mailbox, path, 60, str_span(&out));
    str_free(&out);
}

/* Writes mail to and from everybody, and bytes that are not UTF-8. */
static void put_mail(const struct mailbox *mailbox)
{
    static const char *const broken[] = {"cut \xe4\xb8", "bare \xff\xfe \x80\x9b", "long \xc0\x9b",
                                         "half \xed\xa0\x80", "high \xf4\x90\x80\x80"};
    struct str path = {0}, to = {0};

    for (size_t i = 0; i < HOSTILE_NAMES; i++) {
        str_clear(&path);
        str_clear(&to);
        str_addf(&to, "swarm_dev/%s", names[i]);
        str_addf(&path, "project/workspace/mailboxes/swarm_dev_odd%zu/inbox/MSG-%zu.json", i, i);
        put_letter(mailbox, str_c(&path), "user", str_c(&to), "request", names[i]);
        str_clear(&path);
        str_addf(&path, "project/workspace/mailboxes/user/inbox/MSG-esc%zu.json", i);
        put_letter(mailbox, str_c(&path), str_c(&to), "user", "escalation", names[i]);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        str_clear(&path);
        str_addf(&path, "project/workspace/mailboxes/user/inbox/MSG-raw%zu.json", i);
        put_letter(mailbox, str_c(&path), broken[i], "user", "escalation", broken[i]);
        str_clear(&path);
        str_addf(&path, "project/workspace/mailboxes/user/inbox/%s.json", broken[i]);
        put_letter(mailbox, str_c(&path), broken[i], "user", broken[i], broken[i]);
    }
    str_free(&path);
    str_free(&to);
}

void hostile_make_more(struct mailbox *mailbox)
{
    hostile_make(mailbox);
    put_requests(mailbox);
    put_tasks(mailbox);
    put_mail(mailbox);
}
