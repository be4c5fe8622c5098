/* outbox: lists messages that are not yet delivered for certain, retries or drops them. */
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/read/sources.h"
#include "cmd/words.h"

#include <limits.h>

static const char *const state_names[] = {
    [OUTBOX_RECORDED] = "sending",        [OUTBOX_WRITTEN] = "written",
    [OUTBOX_QUEUED] = "queued",           [OUTBOX_LOST] = "lost",
    [OUTBOX_FAILED] = "failed",           [OUTBOX_TAKEN] = "taken",
    [OUTBOX_UNCONFIRMED] = "unconfirmed",
};

static void put_json(struct str *out, const struct outbox_entry *entry)
{
    str_puts(out, "{\"v\":1");
    json_member_number(out, "number", entry->number);
    json_member_word(out, "state", state_names[entry->state]);
    json_member(out, "id", entry->id);
    json_member(out, "format", entry->format);
    json_member(out, "source", entry->root);
    json_member(out, "team", entry->team);
    json_member(out, "box", entry->box);
    json_member(out, "from", entry->from);
    json_member(out, "to", entry->to);
    json_member(out, "subject", entry->subject);
    json_member_time(out, "created_at", entry->created_us);
    json_member_number(out, "attempts", entry->attempts);
    json_member(out, "problem", entry->problem.at ? entry->problem : span_of(""));
    str_puts(out, "}\n");
}

static void put_text(struct str *out, const struct outbox_entry *entry, const struct naming *naming)
{
    const struct app *app = naming->app;
    CLEANUP(str_free) struct str age = {0}, source = {0};

    time_add_age(&age, app_now(app) - entry->created_us);
    str_addf(out, "%4lld %-8s %4s ", (long long)entry->number, state_names[entry->state],
             str_c(&age));
    sanitize_add(out, entry->to, app->clean);
    if (entry->team.len) {
        str_putc(out, '@');
        sanitize_add(out, entry->team, app->clean);
    }
    if (source_label_needed(naming)) {
        source_label_add(&source, app, entry->format, entry->root);
        str_puts(out, " (");
        sanitize_add(out, str_span(&source), app->clean);
        str_putc(out, ')');
    }
    str_putc(out, ' ');
    sanitize_add(out, entry->id, app->clean);
    str_putc(out, ' ');
    sanitize_add(out, entry->subject, app->clean);
    if (entry->problem.len) {
        str_puts(out, "\n     ! ");
        sanitize_add(out, entry->problem, app->clean);
    }
    str_putc(out, '\n');
}

/* Keeps the entries for open sources, because --source limits the list to these. */
static size_t keep_named(const struct app *app, struct outbox_entry *entries, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        bool named = false;
        for (size_t k = 0; !named && k < store_source_count(app->store); k++)
            named = source_is(store_source(app->store, k), entries[i].format, entries[i].root);
        if (named)
            entries[kept++] = entries[i];
    }
    return kept;
}

static int list_outbox(struct app *app)
{
    bool named = app_has(app, "source");
    struct naming naming = {.app = app};
    CLEANUP(outbox_free) struct outbox outbox = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    int code = EXIT_DONE;

    bool ok = store_outbox(app->store, &outbox, &err);
    if (named)
        outbox.count = keep_named(app, outbox.items, outbox.count);
    if (!ok) {
        code = app_fail(app, &err);
    } else if (!outbox.count) {
        app_note(app, named ? "the outbox is empty for this source" : "the outbox is empty");
        code = EXIT_NOTHING;
    }
    for (size_t i = 0; i < outbox.count; i++)
        source_label_see(&naming, outbox.items[i].format, outbox.items[i].root);
    for (size_t i = 0; i < outbox.count; i++) {
        if (app_json(app))
            put_json(&text, &outbox.items[i]);
        else
            put_text(&text, &outbox.items[i], &naming);
    }
    app_put(app, &text);
    return code;
}

/* Returns the number of an entry, 0 if the text is not a valid one. */
static long long number_of(const char *text)
{
    unsigned long number;

    return *text != '0' && number_parse(text, 1, LONG_MAX, &number) ? (long long)number : 0;
}

static void put_changed(const struct app *app, long long number, const char *what)
{
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, app_json(app) ? "{\"v\":1,\"number\":%lld,\"done\":\"%s\"}\n" : "%lld %s\n",
             number, what);
    app_put(app, &text);
}

static int change_outbox(struct app *app, bool retry)
{
    int worst = EXIT_DONE;

    for (int i = 1; i < app->operand_count; i++) /* check all of them before changing anything */
        if (!number_of(app->operands[i]))
            return app_misused(app, "\"%s\" is no number of the outbox", app->operands[i]);
    app->changes = true;
    for (int i = 1; i < app->operand_count; i++) {
        long long number = number_of(app->operands[i]);
        struct err err;
        bool ok = retry ? store_outbox_retry(app->store, number, &err)
                        : store_outbox_drop(app->store, number, &err);
        int code = ok ? EXIT_DONE : app_fail(app, &err);
        if (ok)
            put_changed(app, number, retry ? "written again" : "dropped");
        worst = exit_worse(worst, code);
    }
    return worst;
}

static int run_outbox(struct app *app)
{
    const char *verb = app->operand_count ? app->operands[0] : NULL;

    if (!verb)
        return list_outbox(app);
    bool retry = strcmp(verb, "retry") == 0;
    if ((!retry && strcmp(verb, "drop") != 0) || app->operand_count < 2)
        return app_misused(app, "outbox takes nothing, or retry or drop and NUMBERs");
    return change_outbox(app, retry);
}

const struct command command_outbox = {
    .name = "outbox",
    .operands = "[(retry | drop) NUMBER...]",
    .takes = {{.word = words_outbox}, {.kinds = WORD_OUTBOX, .more = true}},
    .summary = "messages that have not arrived for sure",
    .most = -1,
    .sourceless = true,
    .run = run_outbox};
