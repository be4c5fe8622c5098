/* A program that embeds the library and does one thing with it, as test_library.py asks:
 *
 * driver [FORMAT:]PATH IDENTITY VERB [WORD...]
 *
 * Results go to standard output, one per line; a failure is "SCOPE: sentence" on standard error and
 * exit code 10 + scope. Includes only swarmutt.h. */
#include <swarmutt.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver {
    struct swarmutt *mail;
    char **words;
    int count;
    unsigned flags; /* $FLAGS, for the call */
    struct swarmutt_error error;
};

static int fail(const struct driver *driver)
{
    fprintf(stderr, "%d: %s\n", driver->error.scope, driver->error.text);
    return 10 + driver->error.scope;
}

static const char *word(const struct driver *driver, int index)
{
    return index < driver->count && *driver->words[index] ? driver->words[index] : NULL;
}

static int put_list(struct driver *driver, struct swarmutt_list *list)
{
    if (!list)
        return fail(driver);
    for (size_t i = 0; i < list->count; i++) {
        char *line = swarmutt_json(driver->mail, list->messages[i], &driver->error);
        fputs(line, stdout);
        swarmutt_free(line);
    }
    swarmutt_list_free(list);
    return 0;
}

static int run_sources(struct driver *driver)
{
    for (size_t i = 0; i < swarmutt_source_count(driver->mail); i++) {
        const struct swarmutt_source *source = swarmutt_source(driver->mail, i);
        printf("%s|%s|%s|%s|%s\n", source->format, source->path, source->identity,
               source->team ? source->team : "", source->problem ? source->problem : "");
    }
    return swarmutt_source(driver->mail, swarmutt_source_count(driver->mail)) != NULL;
}

static int run_search(struct driver *driver)
{
    struct swarmutt_wanted wanted;

    memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.query = word(driver, 0);
    wanted.agent = word(driver, 1);
    wanted.order = word(driver, 2) ? atoi(word(driver, 2)) : 0;
    wanted.most = word(driver, 3) ? (size_t)atoi(word(driver, 3)) : 0;
    wanted.flags = driver->flags;
    return put_list(driver, swarmutt_search(driver->mail, &wanted, &driver->error));
}

static int run_thread(struct driver *driver)
{
    return put_list(driver, swarmutt_thread(driver->mail, word(driver, 0), &driver->error));
}

static int run_talks(struct driver *driver)
{
    struct swarmutt_talks *talks =
        swarmutt_talks(driver->mail, word(driver, 0), driver->flags, &driver->error);

    if (!talks)
        return fail(driver);
    for (size_t i = 0; i < talks->count; i++) {
        const struct swarmutt_talk *talk = talks->talks[i];
        printf("%s|%s|%s|%zu|%zu|%s", talk->id.at, talk->subject.at, talk->kind, talk->unread,
               talk->count, talk->waits_on.at ? talk->waits_on.at : "");
        for (size_t k = 0; k < talk->count; k++)
            printf("|%s", talk->messages[k]->id.at);
        putchar('\n');
    }
    swarmutt_talks_free(talks);
    return 0;
}

static int run_find(struct driver *driver)
{
    return put_list(driver, swarmutt_find(driver->mail, word(driver, 0), &driver->error));
}

/* Prints one line, with the bytes after the text. */
static void put_text(const char *name, struct swarmutt_text text)
{
    if (!text.at)
        return;
    printf("%s=", name);
    for (size_t i = 0; i < text.length; i++)
        putchar(text.at[i] == '\n' ? ' ' : text.at[i]);
    printf("|%d\n", text.at[text.length]);
}

static void put_members(const struct swarmutt_message *message)
{
    put_text("id", message->id);
    put_text("name", message->name);
    put_text("path", message->path);
    put_text("team", message->team);
    put_text("box", message->box);
    put_text("from", message->from);
    put_text("to", message->to);
    put_text("subject", message->subject);
    put_text("type", message->type);
    put_text("thread", message->thread);
    put_text("reply_to", message->reply_to);
    put_text("body", message->body);
    put_text("context", message->context);
    put_text("payload", message->payload);
    put_text("protocol", message->protocol);
    put_text("attachments", message->attachments);
    put_text("tags", message->tags);
    printf("kind=%s\npriority=%d\nstatus=%d\ncreated_us=%lld\narchived=%d\nto_us=%d\nby_us=%d\n",
           message->kind, message->priority, message->status, (long long)message->created_us,
           message->archived, message->to_us, message->by_us);
    for (size_t i = 0; i < message->remark_count; i++)
        printf("remark=%s\n", message->remarks[i]);
    if (message->damaged)
        printf("damaged=%s\n", message->damaged);
}

/* Frees the list first: the fetched message does not depend on it. */
static int run_show(struct driver *driver)
{
    struct swarmutt_list *found = swarmutt_find(driver->mail, word(driver, 0), &driver->error);
    struct swarmutt_list *whole =
        found ? swarmutt_fetch(driver->mail, found->messages[0], &driver->error) : NULL;

    swarmutt_list_free(found);
    if (!whole)
        return fail(driver);
    put_members(whole->messages[0]);
    return put_list(driver, whole);
}

static int run_raw(struct driver *driver)
{
    struct swarmutt_list *found = swarmutt_find(driver->mail, word(driver, 0), &driver->error);
    size_t length = 0;
    char *bytes =
        found ? swarmutt_raw(driver->mail, found->messages[0], &length, &driver->error) : NULL;
    int code = bytes ? 0 : fail(driver);

    if (bytes)
        fwrite(bytes, 1, length, stdout);
    swarmutt_free(bytes);
    swarmutt_list_free(found);
    return code;
}

/* Prints the receipts first, then the error. */
static int put_sent(struct driver *driver, bool ok, struct swarmutt_sent *sent)
{
    for (size_t i = 0; sent && i < sent->count; i++) {
        const struct swarmutt_receipt *receipt = sent->receipts[i];
        printf("%u|%s|%s|%s|%s|%s\n", receipt->fate, receipt->id.at, receipt->from.at,
               receipt->to.at, swarmutt_source(driver->mail, receipt->source)->format,
               receipt->path.at ? receipt->path.at : "");
        if (receipt->bytes.at)
            fwrite(receipt->bytes.at, 1, receipt->bytes.length, stdout);
    }
    for (size_t i = 0; sent && i < sent->reached_count; i++)
        printf("reached|%s\n", sent->reached[i].at);
    for (size_t i = 0; sent && i < sent->left_out_count; i++)
        printf("left out|%s|%s\n", sent->left_out[i]->name.at, sent->left_out[i]->why);
    swarmutt_sent_free(sent);
    return ok ? 0 : fail(driver);
}

static struct swarmutt_draft new_draft(const struct driver *driver)
{
    struct swarmutt_draft draft;

    memset(&draft, 0, sizeof draft);
    draft.size = sizeof draft;
    draft.flags = driver->flags;
    return draft;
}

static int run_send(struct driver *driver)
{
    struct swarmutt_draft draft = new_draft(driver);
    struct swarmutt_sent *sent;

    draft.to = word(driver, 0);
    draft.subject = word(driver, 1);
    draft.body = word(driver, 2);
    draft.reply_to = word(driver, 3);
    draft.payload = word(driver, 4);
    bool ok = swarmutt_send(driver->mail, &draft, &sent, &driver->error);
    return put_sent(driver, ok, sent);
}

static int run_reply(struct driver *driver)
{
    struct swarmutt_list *found = swarmutt_find(driver->mail, word(driver, 0), &driver->error);
    struct swarmutt_draft draft = new_draft(driver);
    struct swarmutt_sent *sent = NULL;

    draft.body = word(driver, 1);
    bool ok =
        found && swarmutt_reply(driver->mail, found->messages[0], &draft, &sent, &driver->error);
    int code = put_sent(driver, ok, sent);
    swarmutt_list_free(found);
    return code;
}

static int run_handoff(struct driver *driver)
{
    struct swarmutt_draft draft = new_draft(driver);
    struct swarmutt_handoff handoff;
    struct swarmutt_sent *sent;
    const char *steps[] = {"first this", "then that"};

    memset(&handoff, 0, sizeof handoff);
    handoff.size = sizeof handoff;
    draft.to = word(driver, 0);
    draft.subject = word(driver, 1);
    handoff.done = word(driver, 2);
    handoff.state = word(driver, 3);
    handoff.next_steps = steps;
    handoff.next_step_count = 2;
    bool ok = swarmutt_handoff(driver->mail, &draft, &handoff, &sent, &driver->error);
    return put_sent(driver, ok, sent);
}

static int run_broadcast(struct driver *driver)
{
    struct swarmutt_draft draft = new_draft(driver);
    struct swarmutt_sent *sent;
    const char *exclude[] = {word(driver, 3)};

    draft.subject = word(driver, 1);
    draft.body = word(driver, 2);
    bool ok = swarmutt_broadcast(driver->mail, &draft, word(driver, 0), exclude, exclude[0] != NULL,
                                 &sent, &driver->error);
    return put_sent(driver, ok, sent);
}

static int put_change(struct driver *driver, bool ok, const struct swarmutt_change *change)
{
    printf("%d|%d|%s\n", change->done, change->local, change->remains ? change->remains : "");
    return ok ? 0 : fail(driver);
}

/* Applies the first word: a status, or one of three verbs. */
static int run_change(struct driver *driver)
{
    struct swarmutt_list *found = swarmutt_find(driver->mail, word(driver, 0), &driver->error);
    const char *what = word(driver, 1);
    struct swarmutt_change change;
    bool ok;

    if (!found)
        return fail(driver);
    memset(&change, 0, sizeof change);
    if (strcmp(what, "archive") == 0)
        ok = swarmutt_archive(driver->mail, found->messages, 1, word(driver, 2), &change,
                              &driver->error);
    else if (strcmp(what, "restore") == 0)
        ok = swarmutt_restore(driver->mail, found->messages, 1, &change, &driver->error);
    else if (strcmp(what, "seen") == 0)
        ok = change.done = swarmutt_seen(driver->mail, found->messages, 1, &driver->error);
    else
        ok = swarmutt_mark(driver->mail, found->messages, 1, atoi(what), &change, &driver->error);
    swarmutt_list_free(found);
    return put_change(driver, ok, &change);
}

/* Prints events until the number of messages in the first word is reached. */
static int run_watch(struct driver *driver)
{
    static const char *const names[] = {"", "new", "changed", "gone", "ready", "health"};
    struct swarmutt_watching options;
    int left = atoi(word(driver, 0));

    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.query = word(driver, 1);
    options.flags = driver->flags;
    if (!swarmutt_watch(driver->mail, &options, &driver->error))
        return fail(driver);
    while (left > 0) {
        const struct swarmutt_event *event = swarmutt_next(driver->mail);
        struct pollfd ready = {.fd = swarmutt_watch_fd(driver->mail), .events = POLLIN};
        if (!event) {
            fflush(stdout);
            poll(&ready, 1, swarmutt_watch_timeout_ms(driver->mail));
            continue;
        }
        printf("%s|%s|%d\n", names[event->kind], event->message ? event->message->id.at : "",
               event->message ? event->message->status : 0);
        left -= event->message != NULL;
    }
    swarmutt_unwatch(driver->mail);
    return swarmutt_watch_fd(driver->mail) != -1 || swarmutt_next(driver->mail) != NULL;
}

static const struct verb {
    const char *name;
    int (*run)(struct driver *driver);
} verbs[] = {
    {"sources", run_sources}, {"search", run_search}, {"thread", run_thread},
    {"talks", run_talks},     {"find", run_find},     {"show", run_show},
    {"raw", run_raw},         {"send", run_send},     {"reply", run_reply},
    {"handoff", run_handoff}, {"change", run_change}, {"broadcast", run_broadcast},
    {"watch", run_watch},
};

static struct swarmutt *open_mail(const char *source, const char *identity,
                                  struct swarmutt_error *error)
{
    struct swarmutt_options options;

    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.sources = *source ? &source : NULL;
    options.source_count = *source != '\0';
    options.identity = *identity ? identity : NULL;
    options.flags = getenv("READONLY") ? SWARMUTT_READONLY : 0;
    return swarmutt_open(&options, error);
}

int main(int argc, char **argv)
{
    struct driver driver = {.words = argv + 4, .count = argc - 4};
    int code = 1;

    if (argc < 4 || swarmutt_interface() != SWARMUTT_INTERFACE)
        return 1;
    driver.flags = getenv("FLAGS") ? (unsigned)atoi(getenv("FLAGS")) : 0;
    driver.mail = open_mail(argv[1], argv[2], &driver.error);
    if (!driver.mail)
        return fail(&driver);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, argv[3]) == 0)
            code = verbs[i].run(&driver);
    swarmutt_close(driver.mail);
    return code;
}
