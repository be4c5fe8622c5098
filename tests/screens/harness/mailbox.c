/* Mailboxes for screens: their directories, and writing to them. */
#include "mailbox.h"

#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    unsigned part;
    void (*fill)(const struct mailbox *mailbox, unsigned parts);
} fillers[] = {
    {MAILBOX_CLAUDE, mailbox_fill_claude},     {MAILBOX_ADR, mailbox_fill_adr},
    {MAILBOX_OPENCLAW, mailbox_fill_openclaw}, {MAILBOX_INBOX, mailbox_fill_inbox},
    {MAILBOX_ROO, mailbox_fill_roo},
};

int64_t mailbox_when(int ago_s)
{
    enum time_zone zone;

    return time_parse(span_of(MAILBOX_NOW), &zone) - ago_s * INT64_C(1000000);
}

static void make_env(struct mailbox *mailbox)
{
    static const struct {
        const char *name, *path;
    } places[] = {
        {"HOME", "home"},
        {"XDG_CONFIG_HOME", "home/config"},
        {"XDG_STATE_HOME", "home/state"},
        {"XDG_DATA_HOME", "home/data"},
        {"XDG_CACHE_HOME", "home/cache"},
        {"XDG_RUNTIME_DIR", "home/run"},
        {"TMPDIR", "home/tmp"},
    };
    struct str text = {0};
    size_t count = 0;

    for (; count < sizeof places / sizeof *places; count++) {
        str_clear(&text);
        str_addf(&text, "%s=%s/%s", places[count].name, mailbox->tmp.path, places[count].path);
        mailbox->env[count] = mem_strdup(str_c(&text));
    }
    mailbox->env[count++] = mem_strdup("SWARMUTT_NOW=" MAILBOX_NOW);
    mailbox->env[count] = NULL;
    str_free(&text);
}

void mailbox_make(struct mailbox *mailbox, unsigned parts)
{
    *mailbox = (struct mailbox){0};
    tmp_make(&mailbox->tmp);
    snprintf(mailbox->project, sizeof mailbox->project, "%s/project", mailbox->tmp.path);
    mkdirat(mailbox->tmp.fd, "home", 0777);
    mkdirat(mailbox->tmp.fd, "home/tmp", 0777);
    mkdirat(mailbox->tmp.fd, "project", 0777);
    make_env(mailbox);
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        if (parts & fillers[i].part)
            fillers[i].fill(mailbox, parts);
}

void mailbox_remove(struct mailbox *mailbox)
{
    for (size_t i = 0; mailbox->env[i]; i++)
        free(mailbox->env[i]);
    mailbox->env[0] = NULL;
    tmp_remove(&mailbox->tmp);
}

struct terminal *mailbox_start(const struct mailbox *mailbox,
                               const struct terminal_options *options)
{
    struct terminal_options own = options ? *options : (struct terminal_options){0};
    const char *env[64];
    size_t count = 0;

    for (size_t i = 0; mailbox->env[i]; i++)
        env[count++] = mailbox->env[i];
    for (size_t i = 0; own.env && own.env[i]; i++) {
        cr_assert_lt(count + 1, sizeof env / sizeof *env);
        env[count++] = own.env[i];
    }
    env[count] = NULL;
    own.env = env;
    if (!own.cwd)
        own.cwd = mailbox->project;
    return terminal_start(&own);
}

void mailbox_put(const struct mailbox *mailbox, const char *path, int ago_s, struct span bytes)
{
    int64_t time_us = mailbox_when(ago_s);
    struct timespec when = {.tv_sec = time_us / 1000000, .tv_nsec = time_us % 1000000 * 1000};
    struct timespec times[] = {when, when};
    struct str temporary = {0};

    str_addf(&temporary, "%s.tmp", path); /* no layout reads such a name as a message */
    tmp_write(&mailbox->tmp, str_c(&temporary), bytes);
    cr_assert_eq(utimensat(mailbox->tmp.fd, str_c(&temporary), times, 0), 0);
    cr_assert_eq(renameat(mailbox->tmp.fd, str_c(&temporary), mailbox->tmp.fd, path), 0, "%s: %s",
                 path, strerror(errno));
    str_free(&temporary);
}

void mailbox_config(const struct mailbox *mailbox, const char *text)
{
    mailbox_put(mailbox, "home/config/swarmutt/config", 0, span_of(text));
}

static void add_member(struct str *out, const char *name, struct span text)
{
    str_addf(out, "    \"%s\": ", name);
    json_put_text(out, text, &json_style_node);
}

static void add_entry(struct str *out, const struct mailbox_said *said)
{
    struct str time = {0}, text = {0};

    time_add_utc_ms(&time, mailbox_when(said->ago_s));
    for (const char *rest = said->text; *rest;) {
        const char *mark = strstr(rest, "$TIME");
        str_add(&text, rest, mark ? (size_t)(mark - rest) : strlen(rest));
        if (!mark)
            break;
        str_add_span(&text, str_span(&time));
        rest = mark + strlen("$TIME");
    }
    str_puts(out, "  {\n");
    add_member(out, "from", span_of(said->from));
    str_puts(out, ",\n");
    add_member(out, "text", str_span(&text));
    str_puts(out, ",\n");
    if (said->summary) {
        add_member(out, "summary", span_of(said->summary));
        str_puts(out, ",\n");
    }
    add_member(out, "timestamp", str_span(&time));
    str_addf(out, ",\n    \"read\": %s\n  }\n]", said->read ? "true" : "false");
    str_free(&time);
    str_free(&text);
}

void mailbox_tell(const struct mailbox *mailbox, const struct mailbox_said *said)
{
    struct str path = {0}, bytes = {0};

    str_addf(&path, "home/.claude/teams/dev/inboxes/%s.json", said->box);
    if (tmp_exists(&mailbox->tmp, str_c(&path)))
        bytes = tmp_read(&mailbox->tmp, str_c(&path));
    else
        str_puts(&bytes, "[]");
    bytes.len -= bytes.len > 2 ? 2 : 1; /* the end of the list, on a line of its own */
    str_puts(&bytes, bytes.len > 1 ? ",\n" : "\n");
    add_entry(&bytes, said);
    mailbox_put(mailbox, str_c(&path), said->ago_s, str_span(&bytes));
    str_free(&path);
    str_free(&bytes);
}
