/* Mailboxes for screens: a home directory and a project with a fixed set of messages in every
 * layout, all at fixed times before one frozen moment. Its screens do not change over time. */
#ifndef SCREENS_MAILBOX_H
#define SCREENS_MAILBOX_H

#include "tests/screens/terminal/terminal.h"
#include "tests/unit/support.h"

/* The current time of all programs that mailbox_start() starts. */
#define MAILBOX_NOW "2026-02-12T14:03:00Z"

enum mailbox_part {
    MAILBOX_CLAUDE = 1 << 0,   /* a team: plans, permissions, hosts, one stuck agent, one idle */
    MAILBOX_ADR = 1 << 1,      /* a thread, handoffs, an escalation, expired and damaged messages */
    MAILBOX_OPENCLAW = 1 << 2, /* a broadcast, an urgent message */
    MAILBOX_INBOX = 1 << 3,    /* an object as content, a conversation */
    MAILBOX_ROO = 1 << 4,      /* one slot each way */
    MAILBOX_HOSTILE = 1 << 5,  /* in Claude's and ADR's: texts that must not reach a terminal raw */
    MAILBOX_LONG = 1 << 6,     /* in Claude's: a text of many long lines */
    MAILBOX_ALL = (1 << 7) - 1,
};

/* Its paths: home/.claude/teams/dev, home/.openclaw/teams/web, and in project: workspace and
 * swarms, scheduler/inboxes, .roo. */
struct mailbox {
    struct tmp tmp;
    char *env[16]; /* HOME, XDG_*, SWARMUTT_NOW and the like, ended by NULL */
    char project[512];
};

/* parts: of enum mailbox_part; 0 for a home and a project without any mail. */
void mailbox_make(struct mailbox *mailbox, unsigned parts);
void mailbox_remove(struct mailbox *mailbox);

/* Starts the program in the project. options may be NULL; their cwd, if any, replaces the project,
 * and their env overrides the mailbox's. */
struct terminal *mailbox_start(const struct mailbox *mailbox,
                               const struct terminal_options *options);

/* Writes a file atomically, with a time stamp `ago_s` seconds ago. */
void mailbox_put(const struct mailbox *mailbox, const char *path, int ago_s, struct span bytes);
/* One more entry in a box of the Claude team, as an agent adds it. $TIME in the text becomes its
 * time. NULL as summary leaves that out. */
struct mailbox_said {
    const char *box, *from;
    int ago_s;
    const char *summary, *text;
    bool read;
};
void mailbox_tell(const struct mailbox *mailbox, const struct mailbox_said *said);
/* Writes the person's config file. */
void mailbox_config(const struct mailbox *mailbox, const char *text);

/* Returns the time `ago_s` seconds before MAILBOX_NOW, in microseconds. */
int64_t mailbox_when(int ago_s);

/* A hostile text: sequences, bidi, zero width, joiners, marks, wide and blank letters. */
extern const char mailbox_hostile[];

/* In mailbox_mail.c. */
void mailbox_fill_claude(const struct mailbox *mailbox, unsigned parts);
void mailbox_fill_adr(const struct mailbox *mailbox, unsigned parts);
/* In mailbox_more.c. */
void mailbox_fill_openclaw(const struct mailbox *mailbox, unsigned parts);
void mailbox_fill_inbox(const struct mailbox *mailbox, unsigned parts);
void mailbox_fill_roo(const struct mailbox *mailbox, unsigned parts);

#endif
