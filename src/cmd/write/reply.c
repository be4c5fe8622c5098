/* reply: answers a message. */
#include "cmd/app_options.h"
#include "mail/protocol/protocol.h"

static const struct option_spec options[] = {
    {"from", "NAME", OPTION_TEXT, offsetof(struct draft, from), .kinds = WORD_AGENT,
     .help = "who answers (default: who I am)"},
    BODY_OPTIONS,
    {"payload", "JSON", OPTION_OBJECT, offsetof(struct draft, payload),
     .help = "an object with data for programs"},
    SENDING_OPTIONS,
    {0},
};

/* Archives our own message after the answer if answering completes it in the layout. */
static int put_away(struct app *app, struct message *message)
{
    struct err err;
    bool archived;

    if (!app_has(app, "dry-run"))
        return store_end_by_answer(app->store, message, app_text(app, "from"), &archived, &err)
                   ? EXIT_DONE
                   : app_fail(app, &err);
    if (store_ends_by_answer(app->store, message, app_text(app, "from")))
        app_note(app, "the message it answers would go to the archive then");
    return EXIT_DONE;
}

/* Warns that a text answers the agent, but its program still waits for an answer of its own
 * kind. */
static void warn_of_words(const struct app *app, const struct message *original, struct span body,
                          struct arena *arena)
{
    struct protocol request, given;

    if (!original->data || !protocol_parse(&request, original->data->protocol, arena) ||
        !protocol_wants_answer(request.kind) ||
        (protocol_parse(&given, body, arena) && span_eq(given.request_id, request.request_id)))
        return;
    const char *kind = protocol_kind_name(protocol_answer_kind(request.kind));
    app_note(app,
             "the request still waits: these are words for the agent, and its program takes only a "
             "%s; see swarmutt protocol compose %s",
             kind, kind);
}

static int fill_answer(struct app *app, struct outgoing_message *letter, struct model *model,
                       struct batch *batch, struct arena *arena)
{
    struct draft *draft = &letter->draft;
    struct err err;

    if (!app_load(app, &load_everything, model, &err))
        return app_fail(app, &err);
    struct message *head = model_find(model, span_of(app->operands[0]), &err);
    struct message *original = head ? store_fetch(app->store, head, batch, &err) : NULL;
    if (!original || !store_prepare_reply(app->store, original, draft, arena, &err))
        return app_fail(app, &err);
    struct send_options how = store_answer_options(original);
    if (!app_verify(app, &how.verify, &err))
        return app_fail(app, &err);
    int code = app_send(app, letter, &how);
    if (code == EXIT_DONE)
        warn_of_words(app, original, draft->body, arena);
    return code == EXIT_DONE ? put_away(app, head) : code;
}

static int run_reply(struct app *app)
{
    CLEANUP(outgoing_message_free) struct outgoing_message letter = {.draft = draft_new()};
    CLEANUP(model_free) struct model model = {0};
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str body = {0};
    struct err err;
    bool present;

    if (!app_body(app, &body, &present, &err) || !app_read_options(app, &letter.draft, &err))
        return app_fail(app, &err);
    if (!present)
        return app_misused(app, "an answer needs --body, --body-file or -");
    letter.draft.body = str_span(&body);
    return fill_answer(app, &letter, &model, &batch, &arena);
}

const struct command command_reply = {.name = "reply",
                                      .operands = "ID [-]",
                                      .takes = {{.kinds = WORD_MESSAGE}},
                                      .summary = "answer a message; prints the answer's id",
                                      .options = options,
                                      .writes = true,
                                      .least = 1,
                                      .most = 2,
                                      .run = run_reply};
