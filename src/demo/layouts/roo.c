/* Roo: one Markdown file per recipient, which removes it when finished. */
#include "demo/files.h"
#include "demo/layouts/layout.h"
#include "demo/random.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROJECT "/project"

static const char progress_start[] =
    "# Progress Log\n\n## Completed Tasks\n\n- \n\n## Next Steps\n\n- \n\n## Blockers\n\n- ";

static void add_mode(struct text *out, const char *slug, const char *name)
{
    text_addf(out, "  - slug: %s\n    name: %s\n    groups:\n      - read\n      - edit\n", slug,
              name);
}

static bool roo_found(const char *dir, const struct member *members, size_t count, int64_t time_us)
{
    CLEANUP(demo_free) char *mailbox = text_format("%s" PROJECT "/.roo/mailbox", dir);
    CLEANUP(demo_free) char *bank = text_format("%s" PROJECT "/.roo/memory-bank", dir);
    CLEANUP(demo_free) char *progress = text_format("%s/progress.md", bank);
    CLEANUP(demo_free) char *modes = text_format("%s" PROJECT "/.roomodes", dir);
    CLEANUP(text_free) struct text list = {0};

    (void)time_us;
    text_puts(&list, "customModes:\n");
    add_mode(&list, "orchestrator", "Orchestrator");
    for (size_t i = 0; i < count; i++)
        if (members[i].layout == &layout_roo)
            add_mode(&list, members[i].name, members[i].role);
    return files_make_dir(mailbox, 0777) && files_make_dir(bank, 0777) &&
           files_write(progress, progress_start, strlen(progress_start), 0666) &&
           files_write(modes, list.at, list.len, 0666);
}

static char *slot_of(const struct post *post, const char *slug)
{
    return text_format("%s" PROJECT "/.roo/mailbox/to-%s.md", post->dir, slug);
}

static void add_bytes(struct text *out, const struct message *message)
{
    text_addf(out, "---\nfrom: %s\ntimestamp: \"", message_get(message, PART_FROM));
    clock_add_shell(out, message->time_us);
    text_addf(out, "\"\nid: \"%s\"\n", message_get(message, PART_ID));
    if (message->part[PART_REPLY_TO])
        text_addf(out, "in_reply_to: \"%s\"\n", message_get(message, PART_REPLY_TO));
    text_addf(out, "%s---\n\n", message->urgent ? "priority: high\n" : "");
    message_add_words(out, message, "**");
    text_putc(out, '\n');
}

/* Appends a line to the completed tasks, as a model edits the file; replaces the empty bullet. */
static void log_line(struct post *post, const char *line)
{
    static const char section[] = "## Completed Tasks\n\n";
    CLEANUP(demo_free)
    char *path = text_format("%s" PROJECT "/.roo/memory-bank/progress.md", post->dir);
    CLEANUP(text_free) struct text before = {0}, after = {0};
    const char *at = files_read(path, &before) ? strstr(text_c(&before), section) : NULL;

    if (at) {
        at += strlen(section);
        const char *end = strstr(at, "\n\n## ");
        size_t kept = (size_t)((end ? end : at + strlen(at)) - text_c(&before));
        bool empty = strncmp(at, "- \n", 3) == 0;
        text_add(&after, text_c(&before), empty ? (size_t)(at - text_c(&before)) : kept);
        text_addf(&after, "%s%s", empty ? "" : "\n", line);
        text_puts(&after, text_c(&before) + kept);
        files_write(path, after.at, after.len, 0666);
    }
}

/* Logs a message: only the log says that it was processed. */
static void log_letter(struct post *post, const struct message *message, int64_t time_us)
{
    CLEANUP(text_free) struct text line = {0};

    text_puts(&line, "- [");
    clock_add_shell(&line, time_us);
    text_addf(&line, "] Processed mailbox message id:%s from %s: ", message_get(message, PART_ID),
              message_get(message, PART_FROM));
    message_add_title(&line, message);
    log_line(post, text_c(&line));
}

/* Writes into the slot of the recipient; fails while there is another message in it. */
static bool roo_send(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text bytes = {0};
    CLEANUP(demo_free) char *path = slot_of(post, message_get(message, PART_TO));

    layout_name(post->layout, message, post->dice);
    add_bytes(&bytes, message);
    if (message->dealt)
        log_letter(post, message, message->time_us + MINUTE_US);
    return message->dealt || files_create(path, bytes.at, bytes.len, 0666);
}

/* Returns the value of a key in the front matter, without quotes; the caller frees it. */
static char *field(const char *text, const char *key)
{
    CLEANUP(demo_free) char *line = text_format("\n%s:", key);
    bool whole = strncmp(text, "---\n", 4) == 0; /* otherwise it may be incomplete */
    const char *end = whole ? strstr(text + 3, "\n---") : NULL, *at = strstr(text, line);

    if (!end || !at || at > end)
        return NULL;
    at += strlen(key) + 2;
    at += strspn(at, " \"'");
    return text_format("%.*s", (int)strcspn(at, "\"'\r\n"), at);
}

static struct message *read_letter(const struct post *post, const char *text)
{
    static const struct {
        const char *key;
        enum part part;
    } keys[] = {{"from", PART_FROM}, {"id", PART_ID}, {"in_reply_to", PART_REPLY_TO}};
    const char *end = strncmp(text, "---\n", 4) == 0 ? strstr(text + 3, "\n---") : NULL;

    if (!end || !strchr(end + 1, '\n'))
        return NULL;
    struct message *message = message_new(ACT_SAY, "", post->who);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        CLEANUP(demo_free) char *value = field(text, keys[i].key);
        message_set(message, keys[i].part, value);
    }
    message_set(message, PART_BODY, strchr(end + 1, '\n') + 1);
    message_understand(message);
    return message;
}

static void roo_read(struct post *post)
{
    CLEANUP(demo_free) char *path = slot_of(post, post->who);
    CLEANUP(text_free) struct text bytes = {0};
    bool there = access(path, F_OK) == 0 && files_read(path, &bytes);
    struct message *message = there ? read_letter(post, text_c(&bytes)) : NULL;

    if (message && !post_has_seen(post, message_get(message, PART_ID)) &&
        post_wants(post, message_get(message, PART_FROM))) {
        post_note(post, message_get(message, PART_ID));
        post->got(post->context, message);
        message = NULL;
    }
    message_free(message);
}

static void roo_finish(struct post *post, const struct message *message)
{
    CLEANUP(text_free) struct text bytes = {0};
    CLEANUP(demo_free) char *path = slot_of(post, post->who);
    CLEANUP(demo_free) char *id = files_read(path, &bytes) ? field(text_c(&bytes), "id") : NULL;

    if (id && message_is(message, PART_ID, id)) { /* not another message that came meanwhile */
        log_letter(post, message, clock_now());
        unlink(path);
    }
}

const struct layout layout_roo = {
    .name = "roo",
    .lead = "orchestrator",
    .team = "storefront",
    .roles = {"designer", "coder", "architect", "tester", "writer", "measurer"},
    .weight = 2,
    .one_slot = true,
    .found = roo_found,
    .id = "msg-########",
    .send = roo_send,
    .take = roo_read,
    .done = roo_finish};
