/* Wrong calls of the library fail with a sentence and never crash. Ends with 0, or with the line of
 * the first surprise. */
#include <swarmutt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(what)                                                                               \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "line %d: %s (%d: %s)\n", __LINE__, #what, error.scope, error.text);   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        memset(&error, 0, sizeof error);                                                           \
        EXPECT(!(call));                                                                           \
        EXPECT(error.scope == SWARMUTT_USAGE && error.text[0]);                                    \
    } while (0)

static struct swarmutt_error error;

static void without_a_handle(void)
{
    struct swarmutt_sent *sent = (struct swarmutt_sent *)&error;
    struct swarmutt_draft draft = {.size = sizeof draft};

    REFUSED(swarmutt_search(NULL, NULL, &error));
    REFUSED(swarmutt_find(NULL, "x", &error));
    REFUSED(swarmutt_thread(NULL, "x", &error));
    REFUSED(swarmutt_fetch(NULL, NULL, &error));
    REFUSED(swarmutt_talks(NULL, NULL, 0, &error));
    REFUSED(swarmutt_raw(NULL, NULL, NULL, &error));
    REFUSED(swarmutt_json(NULL, NULL, &error));
    REFUSED(swarmutt_send(NULL, &draft, &sent, &error));
    EXPECT(!sent);
    REFUSED(swarmutt_reply(NULL, NULL, &draft, NULL, &error));
    REFUSED(swarmutt_handoff(NULL, &draft, NULL, NULL, &error));
    REFUSED(swarmutt_broadcast(NULL, &draft, NULL, NULL, 0, NULL, &error));
    REFUSED(swarmutt_mark(NULL, NULL, 0, SWARMUTT_READ, NULL, &error));
    REFUSED(swarmutt_archive(NULL, NULL, 0, NULL, NULL, &error));
    REFUSED(swarmutt_restore(NULL, NULL, 0, NULL, &error));
    REFUSED(swarmutt_seen(NULL, NULL, 0, &error));
    REFUSED(swarmutt_watch(NULL, NULL, &error));
    EXPECT(!swarmutt_next(NULL) && swarmutt_watch_fd(NULL) == -1);
    EXPECT(swarmutt_watch_timeout_ms(NULL) == -1 && swarmutt_source_count(NULL) == 0);
    EXPECT(!swarmutt_source(NULL, 0) && !swarmutt_clean(NULL, 0, true));
    EXPECT(!swarmutt_search(NULL, NULL, NULL)); /* nobody reads the results */
    swarmutt_unwatch(NULL);
    swarmutt_list_free(NULL);
    swarmutt_sent_free(NULL);
    swarmutt_talks_free(NULL);
    swarmutt_free(NULL);
    swarmutt_close(NULL);
}

static void options(void)
{
    struct {
        struct swarmutt_options known;
        size_t from_the_future; /* as wide as the members before it, so that there is no padding */
    } newer = {.known = {.size = sizeof newer}, .from_the_future = 1};
    struct swarmutt_options wrong = {.size = 0};
    const char *nothing[] = {NULL};

    REFUSED(swarmutt_open(&wrong, &error));
    REFUSED(swarmutt_open(&newer.known, &error));
    wrong.size = sizeof wrong;
    wrong.flags = 1u << 30;
    REFUSED(swarmutt_open(&wrong, &error));
    wrong.flags = 0;
    wrong.source_count = 1;
    REFUSED(swarmutt_open(&wrong, &error));
    wrong.sources = nothing;
    REFUSED(swarmutt_open(&wrong, &error));
    wrong.source_count = 0;
    wrong.identity = "\xff";
    REFUSED(swarmutt_open(&wrong, &error));
}

/* Opens with a structure of a newer version whose new members are zero: this must succeed. */
static struct swarmutt *open_newer(const char *source)
{
    struct {
        struct swarmutt_options known;
        size_t from_the_future; /* as wide as its neighbours, so that there is no padding */
    } newer = {.known = {.size = sizeof newer, .sources = &source, .source_count = 1}};
    struct swarmutt *mail = swarmutt_open(&newer.known, &error);

    EXPECT(mail && error.scope == SWARMUTT_FINE && !error.text[0]);
    return mail;
}

static void reading(struct swarmutt *mail)
{
    struct swarmutt_wanted wanted = {.size = sizeof wanted, .query = "is:nonsense"};

    REFUSED(swarmutt_search(mail, &wanted, &error));
    wanted.query = "\xc3";
    REFUSED(swarmutt_search(mail, &wanted, &error));
    wanted.query = NULL;
    wanted.order = 99;
    REFUSED(swarmutt_search(mail, &wanted, &error));
    wanted.order = 0;
    wanted.flags = SWARMUTT_AS_AGENT;
    REFUSED(swarmutt_search(mail, &wanted, &error));
    wanted.agent = "alice";
    wanted.flags |= SWARMUTT_IN_ARCHIVE;
    REFUSED(swarmutt_search(mail, &wanted, &error));
    REFUSED(swarmutt_find(mail, NULL, &error));
    REFUSED(swarmutt_talks(mail, "(", 0, &error));
    REFUSED(swarmutt_talks(mail, NULL, SWARMUTT_AS_AGENT, &error));
    REFUSED(swarmutt_thread(mail, NULL, &error));
    EXPECT(!swarmutt_find(mail, "MSG-nobody", &error) && error.scope == SWARMUTT_ABSENT);
    EXPECT(!swarmutt_find(mail, "", &error) && error.scope == SWARMUTT_ABSENT);
}

static void drafts(struct swarmutt *mail)
{
    struct swarmutt_draft draft = {.size = sizeof draft, .to = "alice"};
    const char *tags[] = {"fine", NULL};

    REFUSED(swarmutt_send(mail, NULL, NULL, &error));
    REFUSED(swarmutt_send(mail, &draft, NULL, &error)); /* no subject */
    draft.subject = "a subject";
    draft.body = "half a character: \xe2\x82";
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.body = NULL;
    REFUSED(swarmutt_broadcast(mail, &draft, "x", NULL, 0, NULL, &error));
    REFUSED(swarmutt_broadcast(mail, &draft, "x", NULL, 2, NULL, &error));
    REFUSED(swarmutt_handoff(mail, &draft, NULL, NULL, &error));
    draft.payload = "[1]";
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.payload = NULL;
    draft.tags = tags;
    draft.tag_count = 2;
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.tag_count = 0;
    draft.priority = 77;
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.priority = 0;
    draft.source = 2;
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.source = 0;
    draft.lasts_s = UINT64_MAX;
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
    draft.lasts_s = 0;
    draft.flags = SWARMUTT_VERIFY_NEVER | SWARMUTT_VERIFY_TWICE;
    REFUSED(swarmutt_send(mail, &draft, NULL, &error));
}

static void messages_of_others(struct swarmutt *mail, struct swarmutt *other)
{
    struct swarmutt_draft draft = {.size = sizeof draft};
    struct swarmutt_list *list = swarmutt_search(mail, NULL, &error);

    EXPECT(list && list->count);
    REFUSED(swarmutt_fetch(other, list->messages[0], &error));
    REFUSED(swarmutt_mark(other, list->messages, 1, SWARMUTT_READ, NULL, &error));
    REFUSED(swarmutt_mark(mail, list->messages, 1, SWARMUTT_UNREAD, NULL, &error));
    REFUSED(swarmutt_mark(mail, list->messages, 1, SWARMUTT_ARCHIVED, NULL, &error));
    REFUSED(swarmutt_archive(mail, NULL, 1, NULL, NULL, &error));
    REFUSED(swarmutt_reply(mail, list->messages[0], &draft, NULL, &error)); /* no body */
    EXPECT(swarmutt_mark(mail, NULL, 0, SWARMUTT_READ, NULL, &error));
    swarmutt_list_free(list);
}

/* A handle can be closed at any time, and opened again. */
static void watching(struct swarmutt *mail)
{
    struct swarmutt_watching options = {.size = sizeof options, .query = "("};

    EXPECT(!swarmutt_next(mail));
    REFUSED(swarmutt_watch(mail, &options, &error));
    options.query = NULL;
    options.flags = 64;
    REFUSED(swarmutt_watch(mail, &options, &error));
    EXPECT(swarmutt_watch(mail, NULL, &error) && swarmutt_watch_fd(mail) >= 0);
    EXPECT(swarmutt_watch(mail, NULL, &error));
    swarmutt_next(mail);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2 && swarmutt_version()[0]);
    without_a_handle();
    options();
    struct swarmutt *mail = open_newer(argv[1]), *other = open_newer(argv[1]);
    reading(mail);
    drafts(mail);
    messages_of_others(mail, other);
    watching(mail);
    swarmutt_close(mail);
    swarmutt_close(other);
    return 0;
}
