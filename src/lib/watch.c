/* The library: watching, one event at a time and without blocking. */
#include "base/mem.h"
#include "lib/handle.h"

#include <stdlib.h>

/* An event with everything that it borrows from; the caller sees the first member. */
struct lib_event {
    struct swarmutt_event shown;
    struct lib_event *next;
    struct arena arena;
    struct lib_message message;
    struct message head;
};

static void event_free(struct lib_event *event)
{
    if (event)
        arena_free(&event->arena);
    free(event);
}

static struct lib_event *add_event(struct swarmutt *mail, int kind)
{
    struct lib_event *event = mem_zero(1, sizeof *event);

    event->shown.kind = kind;
    *mail->last = event;
    mail->last = &event->next;
    return event;
}

static void take_update(void *context)
{
    querying_stale(&((struct swarmutt *)context)->querying);
}

static void take_change(void *context, enum live_event happened, const struct message *message)
{
    static const int kinds[] = {
        [LIVE_NEW] = SWARMUTT_NEW, [LIVE_CHANGED] = SWARMUTT_CHANGED, [LIVE_GONE] = SWARMUTT_GONE};
    struct swarmutt *mail = context;

    if (!(mail->watching.ready || mail->from_start) ||
        !querying_match_live(&mail->querying, mail->watching.live, message))
        return;
    struct lib_event *event = add_event(mail, kinds[happened]);
    message_keep(&event->head, message, &event->arena);
    lib_show(&event->message, mail, &event->head, NULL, &event->arena);
    event->shown.message = &event->message.shown;
}

static void take_ready(void *context)
{
    add_event(context, SWARMUTT_READY);
}

static void take_health(void *context, const char *sentence)
{
    struct lib_event *event = add_event(context, SWARMUTT_HEALTH);

    event->shown.text = arena_strdup(&event->arena, sentence);
}

static const struct watching_calls calls = {
    .updated = take_update, .changed = take_change, .ready = take_ready};

bool swarmutt_watch(struct swarmutt *mail, const struct swarmutt_watching *given,
                    struct swarmutt_error *error)
{
    struct swarmutt_watching options;
    struct querying querying;
    struct err err = {0};

    lib_begin(error);
    if (!mail)
        return lib_misused(error, "a handle is needed");
    if (!lib_take(&options, sizeof options, given, error) ||
        !lib_check_flags(options.flags, SWARMUTT_FROM_START | SWARMUTT_POLL, error) ||
        !lib_check_text(options.query, "query", error))
        return false;
    if (!lib_query(&querying, mail, options.query, &err)) {
        querying_close(&querying);
        return lib_fail(error, &err);
    }
    swarmutt_unwatch(mail);
    struct watch_options how = {.want = querying_wants(&querying),
                                .poll = options.flags & SWARMUTT_POLL};
    mail->querying = querying;
    mail->last = &mail->first;
    mail->from_start = options.flags & SWARMUTT_FROM_START;
    mail->watches = watching_begin(&mail->watching, mail->store, &how, &calls, mail, &err);
    if (!mail->watches) {
        querying_close(&mail->querying);
        return lib_fail(error, &err);
    }
    mail->watching.tell = take_health;
    mail->watching.report_context = mail;
    return true;
}

const struct swarmutt_event *swarmutt_next(struct swarmutt *mail)
{
    if (!mail || !mail->watches)
        return NULL;
    event_free(mail->taken);
    mail->taken = NULL;
    if (!mail->first)
        watching_take(&mail->watching);
    if (!mail->first)
        return NULL;
    mail->taken = mail->first;
    mail->first = mail->first->next;
    if (!mail->first)
        mail->last = &mail->first;
    return &mail->taken->shown;
}

int swarmutt_watch_fd(const struct swarmutt *mail)
{
    return mail && mail->watches ? worker_fd(mail->watching.worker) : -1;
}

int swarmutt_watch_timeout_ms(const struct swarmutt *mail)
{
    if (!mail || !mail->watches)
        return -1;
    return mail->first ? 0 : watching_timeout_ms(&mail->watching);
}

void swarmutt_unwatch(struct swarmutt *mail)
{
    if (!mail || !mail->watches)
        return;
    watching_stop(&mail->watching);
    querying_close(&mail->querying);
    event_free(mail->taken);
    mail->taken = NULL;
    while (mail->first) {
        struct lib_event *next = mail->first->next;
        event_free(mail->first);
        mail->first = next;
    }
    mail->watches = false;
}
