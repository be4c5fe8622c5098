/* Following the mailboxes: for as long as somebody reads what is printed. */
#include "cmd/app_watch.h"

#include <poll.h>
#include <unistd.h>

static void say_health(void *context, const char *sentence)
{
    app_note(context, "%s", sentence);
}

void app_watch(struct watching *watching, const struct app *app, unsigned want,
               const struct config *config, const struct watching_calls *calls, void *context)
{
    struct watch_options options = {.want = want, .poll = app_has(app, "poll"), .config = config};

    watching_begin(watching, app->store, &options, calls, context);
    watching->tell = say_health;
    watching->tell_context = (void *)(uintptr_t)app;
}

void app_watch_until(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context))
{
    struct pollfd fds[] = {{.fd = store_fd(watching->store), .events = POLLIN},
                           {.fd = STDOUT_FILENO}};

    while (!watching->ready || !is_enough(watching->context)) {
        bool patient = end_us == WHEN_NONE || !watching->ready;
        if (!patient && when_steady() >= end_us)
            return;
        poll(fds, 2, patient ? -1 : when_poll_ms(end_us - when_steady()));
        if (fds[1].revents) /* nobody is left to tell */
            return;
        watching_take(watching);
    }
}
