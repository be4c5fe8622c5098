/* Candidates for completing a word. Reads only: the store is opened as with --readonly. */
#include "cmd/complete/complete_candidates.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/help.h"
#include "cmd/startup.h"
#include "mail/thread/conversation.h"
#include "mail/thread/request.h"
#include "mail/thread/thread.h"
#include "ui/mail/filter.h"
#include "ui/widget/completion.h"

#include <stdlib.h>

enum { MESSAGES_MOST = 300, TAGGED_MOST = 200, NOTE_COLUMNS = 50 };

void offer_commands(struct completion *offers, bool topics)
{
    for (size_t i = 0; commands[i]; i++)
        if (!commands[i]->hidden)
            complete_add(offers, span_of(commands[i]->name), span_of(commands[i]->summary), 0);
    for (size_t i = 0; topics && help_topic(i); i++)
        complete_add(offers, span_of(help_topic(i)), span_of("topic"), 1);
}

/* Opens the store once; returns false if there is none. */
static bool has_store(struct app *app)
{
    struct err ignored;

    return app->store || (config_load(&app->config, &ignored) && startup_store(app, &ignored));
}

/* --- names --- */

/* Reports whether another team has an agent of this name, so that it is only unique with its
 * team. */
static bool is_shared(const struct agent_names *names, size_t number)
{
    for (size_t i = 0; i < names->count; i++)
        if (i != number && span_eq(names->items[i].name, names->items[number].name) &&
            !span_eq(names->items[i].team, names->items[number].team))
            return true;
    return false;
}

static void add_agent(struct completion *offers, const struct agent_names *names, size_t number,
                      bool with_team)
{
    const struct agent_name *agent = &names->items[number];
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, agent->name);
    if (agent->team.len && (with_team || is_shared(names, number))) {
        str_putc(&text, '@');
        str_add_span(&text, agent->team);
    }
    complete_add(offers, str_span(&text), agent->team.len ? agent->team : span_of("agent"),
                 !agent->on_roster);
}

/* Adds the agent's team or, in a layout without teams, the swarm before its name. */
static void add_team(struct completion *offers, const struct agent_name *agent)
{
    struct span swarm, bare;

    if (agent->team.len)
        complete_add(offers, agent->team, span_of("team"), 0);
    else if (agent->on_roster && span_split_last(agent->name, '/', &swarm, &bare))
        complete_add(offers, swarm, span_of("swarm"), 0);
}

/* Adds names. If what was typed has an @, every name gets its team. */
static void offer_names(struct completion *offers, struct app *app, unsigned kinds,
                        struct span typed)
{
    bool with_team = typed.len && memchr(typed.at, '@', typed.len);

    for (uint32_t i = 0; i < store_source_count(app->store); i++) {
        CLEANUP(agent_names_free) struct agent_names names = {0};
        struct err ignored;
        if (!store_names(app->store, i, &names, &ignored))
            continue;
        for (size_t k = 0; k < names.count; k++) {
            if (kinds & WORD_AGENT)
                add_agent(offers, &names, k, with_team);
            if (kinds & WORD_TEAM)
                add_team(offers, &names.items[k]);
        }
    }
}

/* --- messages --- */

static void add_message(struct completion *offers, const struct message *message)
{
    CLEANUP(str_free) struct str note = {0};

    sanitize_add(&note, message->from, SANITIZE_LINE);
    str_puts(&note, ": ");
    sanitize_cut(&note, message->subject, SANITIZE_LINE, NOTE_COLUMNS);
    complete_add(offers, message->id, str_span(&note), (int)offers->count);
}

static bool is_wanted(const struct message *message, const struct asks *asks, uint32_t number,
                      unsigned kinds)
{
    bool archived = message->place->archived || message->status == STATUS_ARCHIVED;

    if (message->damaged)
        return kinds & (archived ? WORD_ARCHIVED : WORD_MESSAGE);
    return (kinds & WORD_MESSAGE && !archived) || (kinds & WORD_ARCHIVED && archived) ||
           (kinds & WORD_SENT && message->by_us) ||
           (kinds & WORD_REQUEST && asks->of[number] != ASK_NONE && message->mine &&
            asks->items[asks->of[number]].open);
}

/* Adds the newest messages whose ids start with what was typed. */
static void offer_messages(struct completion *offers, const struct app *app,
                           const struct model *model, unsigned kinds, struct span typed)
{
    CLEANUP(mem_free) struct message **wanted = mem_alloc((model->count + 1) * sizeof *wanted);
    CLEANUP(asks_free) struct asks asks = {0};
    size_t count = 0;

    asks_build(&asks, model, app_now(app));
    for (size_t i = 0; i < model->count; i++)
        if (span_starts(model->messages[i]->id, typed) &&
            is_wanted(model->messages[i], &asks, (uint32_t)i, kinds))
            wanted[count++] = model->messages[i];
    model_sort(wanted, count, message_cmp_time);
    for (size_t i = 0; i < count && i < MESSAGES_MOST; i++)
        add_message(offers, wanted[count - 1 - i]);
}

static void offer_threads(struct completion *offers, const struct app *app,
                          const struct model *model, struct span typed)
{
    struct threads threads;
    struct conversations conversations;
    CLEANUP(asks_free) struct asks asks = {0};
    size_t added = 0;

    asks_build(&asks, model, app_now(app));
    threads_build(&threads, model, &asks);
    conversations_build(&conversations, &(struct conversation_input){.model = model,
                                                                     .threads = &threads,
                                                                     .asks = &asks,
                                                                     .now_us = app_now(app)});
    for (size_t i = 0; i < conversations.count && added < MESSAGES_MOST; i++) {
        CLEANUP(str_free) struct str note = {0};
        if (!span_starts(conversations.items[i].id, typed))
            continue;
        sanitize_cut(&note, conversation_subject(&conversations, &conversations.items[i]),
                     SANITIZE_LINE, NOTE_COLUMNS);
        complete_add(offers, conversations.items[i].id, str_span(&note), (int)added++);
    }
    conversations_free(&conversations);
    threads_free(&threads);
}

static void offer_tags(struct completion *offers, const struct model *model)
{
    CLEANUP(tags_free) struct tags tags = {0};

    for (size_t i = 0; i < model->count; i++)
        tags_take(&tags, model->messages[i]);
    for (size_t i = 0; i < tags.names.count; i++)
        complete_add(offers, tags.names.items[i], (struct span){0}, 0);
}

static void offer_mail(struct completion *offers, struct app *app, unsigned kinds,
                       struct span typed)
{
    enum { MESSAGES = WORD_MESSAGE | WORD_ARCHIVED | WORD_REQUEST | WORD_SENT };
    /* runs at every Tab: the command itself will report what changed since */
    struct load load = {.inbox = true, .archive = kinds & ~(unsigned)WORD_MESSAGE, .hasty = true};
    CLEANUP(model_free) struct model model = {0};
    struct err ignored;

    if (kinds & WORD_TAG) {
        load.want = WANT_DATA;
        load.most = TAGGED_MOST;
    }
    if (!store_load(app->store, &load, &model, &ignored))
        return;
    if (kinds & MESSAGES)
        offer_messages(offers, app, &model, kinds, typed);
    if (kinds & WORD_THREAD)
        offer_threads(offers, app, &model, typed);
    if (kinds & WORD_TAG)
        offer_tags(offers, &model);
}

static void offer_outbox(struct completion *offers, struct app *app)
{
    CLEANUP(outbox_free) struct outbox outbox = {0};
    struct err ignored;

    if (!store_outbox(app->store, &outbox, &ignored))
        return;
    for (size_t i = 0; i < outbox.count; i++) {
        CLEANUP(str_free) struct str text = {0}, note = {0};
        str_addf(&text, "%lld", (long long)outbox.items[i].number);
        sanitize_cut(&note, outbox.items[i].subject, SANITIZE_LINE, NOTE_COLUMNS);
        complete_add(offers, str_span(&text), str_span(&note), (int)i);
    }
}

static void offer_live(struct completion *offers, struct app *app, unsigned kinds,
                       struct span typed)
{
    enum {
        NAMES = WORD_AGENT | WORD_TEAM,
        MAIL = WORD_MESSAGE | WORD_ARCHIVED | WORD_REQUEST | WORD_SENT | WORD_THREAD | WORD_TAG,
    };

    if (!(kinds & (NAMES | MAIL | WORD_OUTBOX)) || !has_store(app))
        return;
    if (kinds & NAMES)
        offer_names(offers, app, kinds, typed);
    if (kinds & MAIL)
        offer_mail(offers, app, kinds & MAIL, typed);
    if (kinds & WORD_OUTBOX)
        offer_outbox(offers, app);
}

/* --- queries and sources --- */

/* Adds a value, in quotes if the query language would otherwise read it as something else. */
static void add_value(struct completion *offers, const struct candidate *value)
{
    CLEANUP(str_free) struct str text = {0};
    bool plain = true;

    for (size_t i = 0; i < value->text.len; i++)
        plain = plain && !strchr(" \t(),\"*\\:", value->text.at[i]);
    if (!plain)
        str_putc(&text, '"');
    for (size_t i = 0; i < value->text.len; i++) {
        if (!plain && strchr("\"\\", value->text.at[i]))
            str_putc(&text, '\\');
        str_putc(&text, value->text.at[i]);
    }
    if (!plain)
        str_putc(&text, '"');
    complete_add(offers, str_span(&text), value->note, value->rank);
}

static unsigned kinds_of(const struct query_field *field)
{
    if (complete_wants_agents(field) || (field && strcmp(field->name, "box") == 0))
        return WORD_AGENT;
    if (complete_wants_tags(field))
        return WORD_TAG;
    return field && strcmp(field->name, "thread") == 0 ? WORD_THREAD : 0;
}

static void offer_query(struct completing *completing, struct app *app, struct span typed)
{
    CLEANUP(complete_free) struct completion values = {0};
    size_t from;
    const struct query_field *field = complete_query(&completing->offers, typed, &from);
    struct span start = {typed.at + from, typed.len - from};

    completing->from += from;
    if (start.len && start.at[0] == '"')
        start = (struct span){start.at + 1, start.len - 1};
    offer_live(&values, app, kinds_of(field), start);
    for (size_t i = 0; i < values.count; i++)
        add_value(&completing->offers, &values.candidates[i]);
    for (size_t i = 0; field && strcmp(field->name, "source") == 0 && formats[i]; i++)
        complete_add(&completing->offers, span_of(formats[i]->name), span_of("layout"), 0);
}

/* Completes [FORMAT:]PATH. After a layout the directories are listed here, because no shell
 * would. */
static void offer_source(struct completing *completing, struct span typed)
{
    const char *colon = typed.len ? memchr(typed.at, ':', typed.len) : NULL;
    size_t len = colon ? (size_t)(colon - typed.at) : 0;

    if (colon && format_find((struct span){typed.at, len})) {
        completing->from += len + 1;
        complete_add_files(&completing->offers, (struct span){colon + 1, typed.len - len - 1}, ".");
        return;
    }
    for (size_t i = 0; formats[i]; i++) {
        CLEANUP(str_free) struct str text = {0};
        str_addf(&text, "%s:", formats[i]->name);
        complete_add(&completing->offers, str_span(&text), span_of(formats[i]->title), 1);
    }
    completing->names = NAMES_DIRECTORIES;
}

void offer_words(struct completing *completing, struct app *app, const struct word_spec *spec,
                 struct span typed, size_t start)
{
    struct span value = {typed.at + start, typed.len - start};

    for (unsigned i = 0; spec->word && spec->word(i); i++)
        complete_add(&completing->offers, span_of(spec->word(i)), (struct span){0}, 0);
    if (spec->kinds & WORD_TOPIC)
        offer_commands(&completing->offers, true);
    offer_live(&completing->offers, app, spec->kinds, value);
    if (spec->kinds & WORD_QUERY)
        offer_query(completing, app, value);
    if (spec->kinds & WORD_SOURCE)
        offer_source(completing, value);
    if (spec->kinds & WORD_FILE)
        completing->names = NAMES_FILES;
    if (spec->kinds & WORD_DIRECTORY)
        completing->names = NAMES_DIRECTORIES;
    if (spec->kinds & WORD_PROGRAM)
        completing->names = NAMES_PROGRAMS;
}
