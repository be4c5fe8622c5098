/* index: shows, rebuilds or deletes the search index. */
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"
#include "cmd/mail_filter.h"
#include "cmd/words.h"
#include "store/search/search_results.h"

#include <stdio.h>

/* --- status --- */

static void put_json(struct str *out, const struct source *source,
                     const struct index_status *status)
{
    str_puts(out, "{\"v\":1");
    json_member_word(out, "format", source->format->name);
    json_member_word(out, "source", source->path);
    json_member(out, "path", str_span(&status->path));
    json_member_count(out, "messages", status->docs);
    json_member_count(out, "files", status->files);
    json_member_count(out, "indexed", status->known);
    json_member_flag(out, "complete", status->known == status->files);
    json_member_count(out, "segments", status->segments);
    json_member_number(out, "bytes", (int64_t)status->bytes);
    json_member_count(out, "damaged", status->damaged);
    json_member_flag(out, "building", status->busy);
    json_member_time(out, "made_at", status->newest_us);
    json_member(out, "problem", status->damaged ? span_of(status->problem) : (struct span){0});
    str_puts(out, "}\n");
}

static void add_size(struct str *out, uint64_t bytes)
{
    if (bytes < 10240)
        str_addf(out, "%llu bytes", (unsigned long long)bytes);
    else if (bytes < 10 << 20)
        str_addf(out, "%llu kB", (unsigned long long)(bytes >> 10));
    else
        str_addf(out, "%llu MB", (unsigned long long)(bytes >> 20));
}

static void put_text(struct str *out, const struct source *source,
                     const struct index_status *status, const struct app *app)
{
    size_t percent = status->files ? status->known * 100 / status->files : 100;

    str_addf(out, "%-8s ", source->format->name);
    sanitize_add(out, span_of(source->path), app->clean);
    str_addf(out, "\n         %zu message%s in the index; %zu of %zu file%s (%zu %%)", status->docs,
             status->docs == 1 ? "" : "s", status->known, status->files,
             status->files == 1 ? "" : "s", percent);
    if (status->segments) {
        str_puts(out, ", ");
        add_size(out, status->bytes);
        time_add_format(out, status->newest_us, ", made %Y-%m-%d %H:%M:%S");
    }
    str_putc(out, '\n');
    if (status->busy)
        str_puts(out, "         it is being built right now\n");
    if (status->known < status->files && !status->busy)
        str_puts(out, "         what is not in it is read when it is searched; swarmutt index "
                      "rebuild takes it in\n");
    if (status->damaged) {
        str_addf(out,
                 "         ! %zu part%s of it cannot be used, and the files are read instead: ",
                 status->damaged, status->damaged == 1 ? "" : "s");
        sanitize_add(out, span_of(status->problem), app->clean);
        str_putc(out, '\n');
    }
    str_puts(out, "         ");
    sanitize_add(out, str_span(&status->path), app->clean);
    str_putc(out, '\n');
}

static int show_status(struct app *app)
{
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    int code = EXIT_DONE;

    for (uint32_t i = 0; code == EXIT_DONE && i < store_source_count(app->store); i++) {
        struct index_status status;
        if (!store_index_status(app->store, i, &status, &err))
            code = app_fail(app, &err);
        else if (app_json(app))
            put_json(&text, store_source(app->store, i), &status);
        else
            put_text(&text, store_source(app->store, i), &status, app);
        index_status_free(&status);
    }
    app_put(app, &text);
    return code;
}

/* --- building --- */

struct progress {
    bool to_terminal;
    int64_t told_us;
};

/* Prints the progress, while nothing else is printed. */
static void report_progress(void *context, size_t done, size_t total)
{
    struct progress *progress = context;
    int64_t now_us = time_steady();

    if (!progress->to_terminal || (done < total && now_us - progress->told_us < 100000))
        return;
    progress->told_us = now_us;
    fprintf(stderr, "\rindexing %zu %%%s", total ? done * 100 / total : 100,
            done == total ? "\r               \r" : "");
    fflush(stderr);
}

static void put_rebuilt(const struct app *app, const struct source *source,
                        const struct index_build *build, int64_t took_us)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member_word(&text, "format", source->format->name);
        json_member_word(&text, "source", source->path);
        json_member_count(&text, "messages", build->docs);
        json_member_count(&text, "files", build->files);
        json_member_number(&text, "ms", took_us / 1000);
        str_puts(&text, "}\n");
    } else {
        str_addf(&text, "%zu message%s of ", build->docs, build->docs == 1 ? "" : "s");
        sanitize_add(&text, span_of(source->path), app->clean);
        str_addf(&text, " in %.1f s\n", (double)took_us / 1e6);
    }
    app_put(app, &text);
}

static int rebuild_one(struct app *app, uint32_t index)
{
    const struct source *source = store_source(app->store, index);
    struct progress progress = {.to_terminal = app->to_terminal && !app_json(app)};
    struct index_build build = {
        .anew = true, .patient = true, .progress = report_progress, .context = &progress};
    int64_t begun_us = time_steady();
    struct err err;

    if (!store_index_update(app->store, index, &build, &err))
        return app_fail(app, &err);
    if (build.busy) {
        err_set(&err, ERR_REFUSED, "%s: another swarmutt is building its index right now",
                source->path);
        return app_fail(app, &err);
    }
    put_rebuilt(app, source, &build, time_steady() - begun_us);
    return EXIT_DONE;
}

static int rebuild_indexes(struct app *app)
{
    int worst = EXIT_DONE;

    for (uint32_t i = 0; i < store_source_count(app->store); i++)
        worst = exit_worse(worst, rebuild_one(app, i));
    return worst;
}

static int drop_indexes(struct app *app)
{
    struct err err;

    for (uint32_t i = 0; i < store_source_count(app->store); i++)
        if (!store_index_drop(app->store, i, &err))
            return app_fail(app, &err);
    return EXIT_DONE;
}

static int run_index(struct app *app)
{
    static int (*const verbs[])(struct app *) = {show_status, rebuild_indexes,
                                                 drop_indexes}; /* in the order of words_index() */
    struct err err;
    unsigned verb;

    if (!app_word(app, "index", app->operands[0], words_index, &verb, &err))
        return app_fail(app, &err);
    int code = verbs[verb](app);
    unreadable_report_mail(app);
    return code;
}

const struct command command_index = {.name = "index",
                                      .operands = "status | rebuild | drop",
                                      .summary = "the search index: how it is, building it",
                                      .takes = {{.word = words_index}},
                                      .least = 1,
                                      .most = 1,
                                      .run = run_index};
