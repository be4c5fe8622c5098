/* Mailboxes for screens: OpenClaw, Agent Inbox and Roo. */
#include "base/time.h"
#include "mailbox.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 24 * HOUR };

#define UUID "550e8400-e29b-41d4-a716-4466554400"

static const struct claw {
    const char *number, *from, *to, *text;
    int ago_s;
    bool urgent, read;
} claws[] = {
    {"01", "lead", "all", "The interface is frozen from noon on.", 2 * HOUR, false, false},
    {"02", "tm2", "lead", "The form is ready to look at.", 50 * MINUTE, false, true},
    {"03", "lead", "tm2", "Please look at the form on a phone.", 30 * MINUTE, false, false},
    {"04", "tm1", "lead", "The tests of the server fail since the freeze.\n\nShall I go back?",
     3 * MINUTE, true, false},
};

void mailbox_fill_openclaw(const struct mailbox *mailbox, unsigned parts)
{
    struct str path = {0}, out = {0};

    (void)parts;
    mailbox_put(
        mailbox, "home/.openclaw/teams/web/config.json", DAY,
        span_of("{\n  \"teamId\": \"web\",\n  \"teamName\": \"Web\",\n  \"leadSessionKey\": "
                "\"main\",\n  \"teammates\": {\n    \"tm1\": {\"teammateId\": \"tm1\", "
                "\"status\": \"active\"},\n    \"tm2\": {\"teammateId\": \"tm2\", "
                "\"status\": \"idle\"}\n  }\n}\n"));
    for (size_t i = 0; i < sizeof claws / sizeof *claws; i++) {
        const struct claw *claw = &claws[i];
        str_clear(&path);
        str_clear(&out);
        str_addf(&path, "home/.openclaw/teams/web/mailbox/" UUID "%s.json", claw->number);
        str_addf(&out, "{\n  \"messageId\": \"" UUID "%s\",\n  \"teamId\": \"web\",\n",
                 claw->number);
        str_addf(&out, "  \"from\": \"%s\",\n  \"to\": \"%s\",\n  \"message\": \"", claw->from,
                 claw->to);
        for (const char *c = claw->text; *c; c++)
            str_puts(&out, *c == '\n' ? "\\n" : (const char[]){*c, '\0'});
        str_addf(&out, "\",\n  \"priority\": \"%s\",\n  \"read\": %s,\n  \"createdAt\": %jd\n}\n",
                 claw->urgent ? "urgent" : "normal", claw->read ? "true" : "false",
                 (intmax_t)(mailbox_when(claw->ago_s) / 1000));
        mailbox_put(mailbox, str_c(&path), claw->ago_s, str_span(&out));
    }
    str_free(&path);
    str_free(&out);
}

static const struct memo {
    const char *box, *name, *id, *from, *subject;
    const char *content; /* JSON */
    const char *more;    /* more members */
    int ago_s;
} memos[] = {
    {"workers", "1770898080-coord-names", "coordinator-1770898080000-1a2b", "coordinator",
     "Check the names", "\"Of all files in the tree, please.\"",
     ",\n  \"conversationId\": \"conv-1770898080000\"", 115 * MINUTE},
    {"coordinator", "1770901200-worker-names", "worker-1770901200000-3c4d", "workers",
     "Re: Check the names", "\"Done: two are wrong.\"",
     ",\n  \"conversationId\": \"conv-1770898080000\",\n  \"replyTo\": "
     "\"coordinator-1770898080000-1a2b\"",
     63 * MINUTE},
    {"coordinator", "1770904080-validator-release", "validator-1770904080000-5e6f", "validator",
     "Release 4 is not valid",
     "{\n    \"release\": 4,\n    \"failed\": [\n      \"size\",\n      \"licence\"\n    ],\n    "
     "\"question\": \"Shall it go out without the licence?\"\n  }",
     ",\n  \"type\": \"escalation\",\n  \"priority\": \"urgent\",\n  \"requiresResponse\": true",
     15 * MINUTE},
    {"coordinator/archive", "1770730980-pm-week", "pm-1770730980000-7a8b", "person-manager",
     "Plan of the week", "\"As last week.\"", "", 2 * DAY},
};

void mailbox_fill_inbox(const struct mailbox *mailbox, unsigned parts)
{
    struct str path = {0}, out = {0};

    (void)parts;
    for (size_t i = 0; i < sizeof memos / sizeof *memos; i++) {
        const struct memo *memo = &memos[i];
        str_clear(&path);
        str_clear(&out);
        str_addf(&path, "project/scheduler/inboxes/%s/%s.json", memo->box, memo->name);
        str_addf(&out, "{\n  \"id\": \"%s\",\n  \"timestamp\": \"", memo->id);
        time_add_utc(&out, mailbox_when(memo->ago_s));
        str_addf(&out, "\",\n  \"from\": \"%s\",\n  \"to\": \"%.*s\",\n", memo->from,
                 (int)strcspn(memo->box, "/"), memo->box);
        str_addf(&out, "  \"subject\": \"%s\",\n  \"content\": %s%s\n}\n", memo->subject,
                 memo->content, memo->more);
        mailbox_put(mailbox, str_c(&path), memo->ago_s, str_span(&out));
    }
    str_free(&path);
    str_free(&out);
}

static const struct slot {
    const char *slug, *from, *id, *more, *body;
    int ago_s;
} slots[] = {
    {"orchestrator", "code", "msg-a4b1c9e0", "priority: high\n",
     "Request: review the cache\n\nThe cache of the parser is in `src/cache.c`.\n\n```c\nint "
     "cache_size = 64;\n```\n",
     9 * MINUTE},
    {"code", "orchestrator", "msg-b5c2d0f1", "", "Please write the cache of the parser.\n", HOUR},
};

void mailbox_fill_roo(const struct mailbox *mailbox, unsigned parts)
{
    struct str path = {0}, out = {0};

    (void)parts;
    mailbox_put(mailbox, "project/.roomodes", DAY,
                span_of("customModes:\n  - slug: reviewer\n    name: Reviewer\n"));
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        const struct slot *slot = &slots[i];
        str_clear(&path);
        str_clear(&out);
        str_addf(&path, "project/.roo/mailbox/to-%s.md", slot->slug);
        str_addf(&out, "---\nfrom: %s\ntimestamp: \"", slot->from);
        time_add_utc(&out, mailbox_when(slot->ago_s));
        str_addf(&out, "\"\nid: \"%s\"\n%s---\n\n%s", slot->id, slot->more, slot->body);
        mailbox_put(mailbox, str_c(&path), slot->ago_s, str_span(&out));
    }
    str_free(&path);
    str_free(&out);
}
