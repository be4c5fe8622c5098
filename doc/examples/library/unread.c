/* unread: what waits for an agent, in whatever layout its mailbox is; and, if you like, an answer.
 *
 *     cc unread.c -o unread $(pkg-config --cflags --libs swarmutt)
 *
 *     unread [-S [FORMAT:]PATH]... AGENT            one line a message, the most urgent first
 *     unread [-S [FORMAT:]PATH]... AGENT ANSWER     and answers each, in the name of the agent
 *     unread -f [-S [FORMAT:]PATH]... AGENT         goes on with what comes, until it is stopped
 *
 * Ends with 0, with 1 when nothing waits, and with 2 when something went wrong. */
#include <swarmutt.h>

#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCES_MAX = 16 };

struct request {
    const char *sources[SOURCES_MAX];
    size_t source_count;
    bool follow;
    const char *agent, *answer;
};

/* Text of agents never goes to a terminal as it is. */
static void put(struct swarmutt_text text, const char *end)
{
    char *clean = swarmutt_clean(text.at ? text.at : "", text.at ? text.length : 0, false);

    printf("%s%s", clean, end);
    swarmutt_free(clean);
}

static int fail(const struct swarmutt_error *error)
{
    char *clean = swarmutt_clean(error->text, strlen(error->text), false);

    fprintf(stderr, "unread: %s\n", clean);
    swarmutt_free(clean);
    return 2;
}

static void put_line(const struct swarmutt_message *message)
{
    printf("%s ", message->priority >= SWARMUTT_HIGH ? "!" : " ");
    put(message->from, "  ");
    put(message->subject, "  ");
    put(message->id, "\n");
}

static bool answer(struct swarmutt *mail, const struct swarmutt_message *message,
                   const struct request *request, struct swarmutt_error *error)
{
    struct swarmutt_draft draft;

    memset(&draft, 0, sizeof draft);
    draft.size = sizeof draft;
    draft.from = request->agent;
    draft.body = request->answer;
    return swarmutt_reply(mail, message, &draft, NULL, error);
}

static int list(struct swarmutt *mail, const struct request *request)
{
    struct swarmutt_wanted wanted;
    struct swarmutt_error error;
    int code = 0;

    memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.query = "is:unread";
    wanted.agent = request->agent;
    wanted.flags = SWARMUTT_AS_AGENT;
    wanted.order = SWARMUTT_BY_URGENCY;
    struct swarmutt_list *waiting = swarmutt_search(mail, &wanted, &error);
    if (!waiting)
        return fail(&error);
    for (size_t i = 0; i < waiting->count; i++) {
        put_line(waiting->messages[i]);
        if (request->answer && !answer(mail, waiting->messages[i], request, &error))
            code = fail(&error);
    }
    if (!waiting->count)
        code = 1;
    swarmutt_list_free(waiting);
    return code;
}

/* Whatever comes, until nobody reads what is printed. */
static int follow(struct swarmutt *mail, const struct request *request)
{
    struct swarmutt_watching options;
    struct swarmutt_error error;
    char query[512];

    snprintf(query, sizeof query, "is:unread to:\"%s\"", request->agent);
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.query = query;
    if (!swarmutt_watch(mail, &options, &error))
        return fail(&error);
    for (;;) {
        const struct swarmutt_event *event;
        while ((event = swarmutt_next(mail)))
            if (event->kind == SWARMUTT_NEW)
                put_line(event->message);
        if (fflush(stdout) != 0)
            return 0;
        struct pollfd fds[] = {{.fd = swarmutt_watch_fd(mail), .events = POLLIN},
                               {.fd = STDOUT_FILENO}};
        poll(fds, 2, swarmutt_watch_timeout_ms(mail));
        if (fds[1].revents)
            return 0;
    }
}

static bool read_arguments(struct request *request, int argc, char **argv)
{
    int letter;

    while ((letter = getopt(argc, argv, "fS:")) != -1) {
        if (letter == 'f')
            request->follow = true;
        else if (letter == 'S' && request->source_count < SOURCES_MAX)
            request->sources[request->source_count++] = optarg;
        else
            return false;
    }
    request->agent = optind < argc ? argv[optind] : NULL;
    request->answer = request->agent && optind + 1 < argc ? argv[optind + 1] : NULL;
    return request->agent && !strchr(request->agent, '"') && optind + 2 >= argc;
}

int main(int argc, char **argv)
{
    struct request request = {.source_count = 0};
    struct swarmutt_options options;
    struct swarmutt_error error;

    setlocale(LC_CTYPE, "");
    if (!read_arguments(&request, argc, argv)) {
        fprintf(stderr, "usage: unread [-f] [-S [FORMAT:]PATH]... AGENT [ANSWER]\n");
        return 2;
    }
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.sources = request.sources;
    options.source_count = request.source_count;
    options.identity = request.agent; /* only one's own mail can be marked, and is put away */
    struct swarmutt *mail = swarmutt_open(&options, &error);
    if (!mail)
        return fail(&error);
    int code = list(mail, &request);
    if (request.follow && code != 2)
        code = follow(mail, &request);
    swarmutt_close(mail);
    return code;
}
