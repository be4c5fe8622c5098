/* check: lists the messages that wait in an agent's mailbox, most important first. */
#include "base/io_error.h"
#include "base/mem.h"
#include "cmd/app.h"
#include "cmd/mail_filter.h"
#include "cmd/words.h"
#include "mail/render/render.h"

#include <stdio.h>
#include <stdlib.h>

#define AT(member) offsetof(struct checking, member)

static const struct option_spec options[] = {
    {"all", .help = "also what was read or worked on"},
    {"type", "TYPE", OPTION_TEXTS, AT(types), .word = words_type,
     .help = "only messages of this type; several times"},
    {"min-priority", "PRIORITY", OPTION_PRIORITY, AT(least), .word = priority_word,
     .help = "only this priority and above"},
    {"format", "FORMAT", .word = words_output, .help = "text, markdown, prompt, xml or json"},
    {"protocol", .help = "also what goes to the agent's program, not to its model"},
    {0},
};

/* Reads the messages in full. Leaves out those that vanished meanwhile. */
static void fetch_all(struct app *app, struct selection *selection, struct batch *batches)
{
    size_t kept = 0;

    for (size_t i = 0; i < selection->count; i++) {
        struct err err;
        const struct message *head = selection->items[i];
        struct message *whole = head->data && head->data->body.at
                                    ? selection->items[i]
                                    : store_fetch(app->store, head, &batches[i], &err);
        if (whole)
            selection->items[kept++] = whole;
        else
            io_error_note_err(&err);
    }
    selection->count = kept;
}

/* Moves the messages that agents get in one block to the front and prints that block. Returns their
 * number. The caller prints the rest, which agents get as single events. */
static size_t put_prompt(struct app *app, struct selection *selection, enum priority least)
{
    struct render_options style = app_render_options(app);
    CLEANUP(str_free) struct str text = {0};
    size_t block = 0;

    for (size_t i = 0; i < selection->count; i++) {
        struct message *message = selection->items[i];
        if (store_source(app->store, message->place->source)->format->one_for_all)
            continue;
        memmove(selection->items + block + 1, selection->items + block,
                (i - block) * sizeof *selection->items);
        selection->items[block++] = message;
    }
    if (block)
        render_prompt(&text, selection->items, block, least, &style);
    app_put(app, &text);
    return block;
}

static void put_selection(struct app *app, struct selection *selection, enum output output,
                          enum priority least)
{
    size_t count = selection->count, escaped = 0;
    CLEANUP(mem_free) struct batch *batches = mem_zero(count, sizeof *batches);

    if (output == OUTPUT_TEXT) {
        app_put_list(app, selection->items, selection->count, true);
    } else {
        fetch_all(app, selection, batches);
        size_t told = output == OUTPUT_PROMPT ? put_prompt(app, selection, least) : 0;
        for (size_t i = told; i < selection->count; i++) {
            if (i && (output == OUTPUT_MARKDOWN || output == OUTPUT_XML || output == OUTPUT_PROMPT))
                puts("");
            escaped += app_put_message(app, selection->items[i], output);
        }
        app_note_escaped(app, escaped);
    }
    for (size_t i = 0; i < count; i++)
        batch_free(&batches[i]);
}

static int run_check(struct app *app)
{
    CLEANUP(selection_free) struct selection selection = {0};
    CLEANUP(model_free) struct model model = {0};
    unsigned output; /* of enum output */
    struct err err;
    int code = EXIT_DONE;

    if (!app_format(app, words_output, &output, &err))
        return app_fail(app, &err);
    bool plain = output == OUTPUT_MARKDOWN || output == OUTPUT_PROMPT || output == OUTPUT_XML;
    struct checking checking = {.agent = app->operand_count ? span_of(app->operands[0])
                                                            : (struct span){0},
                                .unread = !app_has(app, "all"),
                                .least = output == OUTPUT_PROMPT ? PRIORITY_HIGH : PRIORITY_LOW,
                                .plain = plain && !app_has(app, "protocol"),
                                .now_us = app_now(app)};
    if (!app_read_options(app, &checking, &err) ||
        !mail_filter_load(app, &checking, &model, &err)) {
        code = app_fail(app, &err);
    } else {
        CLEANUP(selection_free)
        struct selection places = unreadable_find_of(app, &model, checking.agent);
        mail_filter_waiting(app, &model, &checking, &selection);
        code = unreadable_report(app, &places, selection.count);
        if (selection.count)
            put_selection(app, &selection, output, checking.least);
        if (!selection.count && io_error_count(IO_ERROR_OTHER))
            code = EXIT_FAILED;
        mail_filter_explain(app, &model, &checking, &selection, code);
    }
    span_list_free(&checking.types);
    return code;
}

const struct command command_check = {.name = "check",
                                      .operands = "[AGENT]",
                                      .takes = {{.kinds = WORD_AGENT}},
                                      .summary =
                                          "what waits for you or an agent, most important first",
                                      .options = options,
                                      .most = 1,
                                      .run = run_check};
