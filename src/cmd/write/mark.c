/* mark: changes the state of messages. */
#include "base/text/utf8.h"
#include "cmd/app.h"
#include "cmd/write/change_targets.h"
#include "store/source/address.h"

static const struct option_spec options[] = {
    {"all", .help = "takes an AGENT instead of IDs: every message of theirs that can be"},
    {"match", "WORDS", .help = "instead of IDs: my messages with all these words"},
    {"keep", .help = "completed messages stay in the inbox"},
    {0},
};

/* Returns true if --all or --match may change the message. Marking a whole box as read must not
 * undo "failed". */
static bool is_swept(const struct message *message, enum status status)
{
    enum status now = message_marked(message);

    return status_may_become(now, status) && (now != STATUS_FAILED || status > STATUS_FAILED);
}

static void add_swept(struct targets *targets, const struct model *model, struct message *message,
                      enum status status)
{
    if (message->place->archived && status == STATUS_ARCHIVED)
        message = model_inbox_copy(model, message);
    if (message && !message->damaged && !message->place->archived && is_swept(message, status))
        targets_add(targets, message);
}

/* Requires our own message, since completing it archives it: archiving alone is open to everyone,
 * but only the owner may mark a message. */
static bool is_own(const struct app *app, const struct message *message, struct err *err)
{
    const struct source *source = store_source(app->store, message->place->source);

    return address_is_ours(source, message) || address_refuse(source, message, err);
}

static bool find_all(struct app *app, struct targets *targets, const struct model *model,
                     enum status status, struct err *err)
{
    struct span agent = span_of(app->operands[0]);

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        const struct source *source = store_source(app->store, message->place->source);
        if (!source->format->exact_to || span_eq(message->to, agent))
            add_swept(targets, model, message, status);
    }
    for (size_t i = 0; i < targets->count; i++) /* separately, so that the error is printed once */
        if (!is_own(app, targets->items[i], err))
            return false;
    return targets->count || err_set(err, ERR_ABSENT, "no message of \"%.*s\" can become %s",
                                     (int)agent.len, agent.at, status_name(status));
}

/* Returns true if every word occurs in the message, ignoring case. */
static bool has_words(const struct message *message, struct span words)
{
    const struct span parts[] = {message->subject, message->from, message->type,
                                 message->data->body};
    CLEANUP(str_free) struct str text = {0}, folded = {0};
    struct span word;
    bool has = true;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fold_add(&text, parts[i]);
        str_putc(&text, '\n'); /* no word matches across two parts */
    }
    while (has && (word = span_take_word(&words)).len) {
        str_clear(&folded);
        fold_add(&folded, word);
        has = memmem(text.at, text.len, folded.at, folded.len) != NULL;
    }
    return has;
}

static bool find_matching(struct app *app, struct targets *targets, const struct model *model,
                          enum status status, struct err *err)
{
    const char *words = app_value(app, "match");

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        const struct source *source = store_source(app->store, message->place->source);
        if (message->data && address_is_ours(source, message) && has_words(message, span_of(words)))
            add_swept(targets, model, message, status);
    }
    return targets->count ||
           err_set(err, ERR_ABSENT, "none of your messages with \"%s\" can become %s", words,
                   status_name(status));
}

/* Returns the state to set: a completed message goes to the archive if the layout has a way to
 * complete messages, unless --keep is given. */
static enum status goal(const struct app *app, const struct message *message, enum status status)
{
    const struct format *format = store_source(app->store, message->place->source)->format;

    if (status == STATUS_COMPLETED && !app_has(app, "keep") &&
        format->verbs[VERB_COMPLETED].ability != ABILITY_NONE)
        return STATUS_ARCHIVED;
    return status;
}

static int change_all(struct app *app, const struct model *model, const struct targets *targets,
                      enum status status)
{
    CLEANUP(targets_free) struct targets marked = {0}, archived = {.completed = true};
    int worst = EXIT_DONE;

    for (size_t i = 0; i < targets->count; i++) {
        struct err err;
        bool away = goal(app, targets->items[i], status) == STATUS_ARCHIVED;
        if (away && !is_own(app, targets->items[i], &err))
            worst = app_fail(app, &err);
        else
            targets_add(away ? &archived : &marked, targets->items[i]);
    }
    if (marked.count)
        worst = exit_worse(worst, targets_change(app, model, &marked, status, (struct span){0}));
    if (archived.count)
        worst = exit_worse(
            worst, targets_change(app, model, &archived, STATUS_ARCHIVED, (struct span){0}));
    return worst;
}

static int mark_messages(struct app *app, enum status status)
{
    bool all = app_has(app, "all"), match = app_has(app, "match");
    struct load load = {.inbox = true,
                        .archive = !all && !match,
                        .want = match ? WANT_DATA | WANT_BODY : WANT_HEAD,
                        .agent = all ? span_of(app->operands[0]) : (struct span){0},
                        .as_reader = all};
    enum status sought =
        status == STATUS_COMPLETED && !app_has(app, "keep") ? STATUS_ARCHIVED : status;
    CLEANUP(targets_free) struct targets targets = {0};
    CLEANUP(model_free) struct model model = {0};
    struct err err;

    if (!app_load(app, &load, &model, &err))
        return app_fail(app, &err);
    bool found = all     ? find_all(app, &targets, &model, sought, &err)
                 : match ? find_matching(app, &targets, &model, sought, &err)
                         : targets_find(&targets, &model, app->operands, app->operand_count - 1,
                                        false, &err);
    return found ? change_all(app, &model, &targets, status) : app_fail(app, &err);
}

static int run_mark(struct app *app)
{
    const char *word = app->operands[app->operand_count - 1];
    enum status status;
    struct err err;

    if (!status_parse(span_of(word), &status) || status == STATUS_UNREAD ||
        status == STATUS_ARCHIVED) {
        app_refuse_word(app, &err, "mark", word, mark_word);
        return app_fail(app, &err);
    }
    if (app_has(app, "all") && app_has(app, "match"))
        return app_misused(app, "--all and --match exclude each other");
    if (app_has(app, "all") && app->operand_count != 2)
        return app_misused(app, "mark --all takes one AGENT and a state");
    if (app_has(app, "match") && app->operand_count != 1)
        return app_misused(app, "mark --match takes words and a state");
    if (!app_has(app, "match") && app->operand_count < 2)
        return app_misused(app, "mark needs the IDs of messages before the state");
    if (app_has(app, "keep") && status != STATUS_COMPLETED)
        return app_misused(app, "--keep goes with completed");
    return mark_messages(app, status);
}

const struct command command_mark = {
    .name = "mark",
    .operands = "(ID... | --all AGENT | --match WORDS) (read | processing | completed | failed)",
    .takes = {{.kinds = WORD_MESSAGE | WORD_AGENT},
              {.kinds = WORD_MESSAGE, .word = mark_word, .more = true}},
    .summary = "change the state of messages; completed ones go to the archive",
    .options = options,
    .writes = true,
    .least = 1,
    .most = -1,
    .run = run_mark};
