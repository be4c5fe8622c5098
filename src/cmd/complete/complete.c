/* complete: called by the completion scripts of the shells.
 *
 *     complete bash LINE BREAKS   the line up to the cursor; the characters that break words
 *     complete zsh WORD...        the words up to the cursor, without quotes
 *     complete fish WORD...       like zsh, but the last word as it was typed
 *
 * The first line of the output says what the shell should complete by itself; then come the
 * candidates for the last word, one per line. For bash they are ready for insertion; for the others
 * they are plain text, followed by a tab and a note. Errors are not reported. */
#include "cmd/complete/complete.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"
#include "cmd/embedded.h"
#include "cmd/help.h"
#include "cmd/main.h"
#include "cmd/words.h"
#include "mail/thread/conversation.h"
#include "mail/thread/request.h"
#include "mail/thread/thread.h"
#include "ui/mail/filter.h"
#include "ui/widget/completion.h"

#include <stdio.h>
#include <stdlib.h>

/* Words of a shell's command line. */

/* The parser: its position in the line, and the word so far. */
struct reading {
    struct span rest;
    struct str word;
    char quote;
    size_t keep;
    bool begun; /* there is a word, though it may be empty */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static char next_char(struct reading *reading)
{
    char c = reading->rest.at[0];

    reading->rest = (struct span){reading->rest.at + 1, reading->rest.len - 1};
    return c;
}

/* Reports whether the backslash escapes the next character; in double quotes only a few can be
 * escaped. */
static bool is_escaped(const struct reading *reading)
{
    return reading->rest.len && (!reading->quote || strchr("$`\"\\\n", reading->rest.at[0]));
}

static void read_char(struct reading *reading, const char *breaks)
{
    char c = next_char(reading);

    reading->begun = true;
    if (c == '\\' && reading->quote != '\'' && is_escaped(reading)) {
        str_putc(&reading->word, next_char(reading));
    } else if (c == reading->quote) {
        reading->quote = 0;
    } else if (!reading->quote && (c == '\'' || c == '"')) {
        reading->quote = c;
        reading->keep = reading->word.len;
    } else {
        str_putc(&reading->word, c);
        if (!reading->quote && strchr(breaks, c))
            reading->keep = reading->word.len;
    }
}

static void end_word(struct reading *reading, struct span_list *words, struct arena *arena)
{
    span_list_add(words, arena_copy(arena, str_span(&reading->word)));
    str_clear(&reading->word);
    reading->begun = false;
    reading->keep = 0;
}

/* Adds the words without their quotes; the last one may be empty. The shell also breaks words at
 * `breaks`, but replaces only what follows the last break: see keep. Texts are in the arena. */
static void shell_split(struct span line, const char *breaks, struct span_list *words,
                        struct shell_end *end, struct arena *arena)
{
    struct reading reading = {.rest = line};

    while (reading.rest.len) {
        if (reading.quote || !is_blank(reading.rest.at[0])) {
            read_char(&reading, breaks);
            continue;
        }
        next_char(&reading);
        if (reading.begun)
            end_word(&reading, words, arena);
    }
    *end = (struct shell_end){reading.quote, reading.keep};
    end_word(&reading, words, arena);
    str_free(&reading.word);
}

/* Returns one word without its quotes. */
static struct span shell_unquote(struct span word, struct arena *arena)
{
    struct reading reading = {.rest = word};

    while (reading.rest.len)
        read_char(&reading, "");
    struct span text = arena_copy(arena, str_span(&reading.word));
    str_free(&reading.word);
    return text;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("_-./+,%@:=", c));
}

void shell_quote(struct str *out, struct span text, char quote)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if ((quote == '\'' && c == '\'') || (quote == '"' && c == '!')) {
            /* cannot be escaped in these quotes; '!' because of history expansion */
            str_addf(out, "%c\\%c%c", quote, c, quote);
            continue;
        }
        if ((quote == '"' && strchr("$`\"\\", c)) || (!quote && !is_plain(c)))
            str_putc(out, '\\');
        str_putc(out, c);
    }
}

/* Candidates for completing a word. Reads only: the store is opened as with --readonly. */

enum { MESSAGES_MOST = 300, TAGGED_MOST = 200, NOTE_COLUMNS = 50 };

/* Adds all commands and, if `topics`, the topics of help. */
static void offer_commands(struct completion *offers, bool topics)
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

static bool is_wanted(const struct message *message, const struct requests *asks, uint32_t number,
                      unsigned kinds)
{
    bool archived = message->place->archived || message->status == STATUS_ARCHIVED;

    if (message->damaged)
        return kinds & (archived ? WORD_ARCHIVED : WORD_MESSAGE);
    return (kinds & WORD_MESSAGE && !archived) || (kinds & WORD_ARCHIVED && archived) ||
           (kinds & WORD_SENT && message->by_us) ||
           (kinds & WORD_REQUEST && asks->of[number] != REQUEST_NONE && message->mine &&
            asks->items[asks->of[number]].open);
}

/* Adds the newest messages whose ids start with what was typed. */
static void offer_messages(struct completion *offers, const struct app *app,
                           const struct model *model, unsigned kinds, struct span typed)
{
    CLEANUP(mem_free) struct message **wanted = mem_alloc((model->count + 1) * sizeof *wanted);
    CLEANUP(requests_free) struct requests asks = {0};
    size_t count = 0;

    requests_build(&asks, model, app_now(app));
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
    CLEANUP(requests_free) struct requests asks = {0};
    size_t added = 0;

    requests_build(&asks, model, app_now(app));
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

/* Adds candidates for the part of `typed` that starts at `start`, and advances completing->from if
 * they replace only a part of that. Opens the store if needed; what cannot be read yields no
 * candidates. */
static void offer_words(struct completing *completing, struct app *app,
                        const struct word_spec *spec, struct span typed, size_t start)
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

/* Completing a command line: its words are parsed as they will be when it is run. */

/* The meaning of the words before the last one. */
struct said {
    struct app *app;
    const struct command *command;
    const struct option_spec *valueless; /* the last word is the value of this option */
    int operands;
    bool operands_only; /* after "--" */
    bool lost;          /* there is no command of that name */
};

static const struct option_spec *find_in(const struct option_spec *options, struct span name)
{
    for (; options && options->name; options++)
        if (span_is(name, options->name))
            return options;
    return NULL;
}

static const struct option_spec *find_option(const struct said *said, struct span name)
{
    const struct option_spec *found = find_in(global_options, name);

    return found || !said->command ? found : find_in(said->command->options, name);
}

/* Only global options have letters. */
static const struct option_spec *find_letter(char letter)
{
    for (const struct option_spec *option = global_options; option->name; option++)
        if (option->letter == letter)
            return option;
    return NULL;
}

static void add_given(struct said *said, const char *name, struct span value)
{
    struct app *app = said->app;

    *mem_push(app->given, app->given_count, app->given_cap) = (struct given){name, value.at};
}

/* Returns where the value starts in "--name=value", or 0 if there is none. */
static size_t value_start(struct span word)
{
    const char *mark = word.len > 2 ? memchr(word.at, '=', word.len) : NULL;

    return mark ? (size_t)(mark - word.at) + 1 : 0;
}

static struct span after(struct span word, size_t start)
{
    return (struct span){word.at + start, word.len - start};
}

static void take_option(struct said *said, struct span word)
{
    bool is_long = word.at[1] == '-';
    size_t value = is_long ? value_start(word) : word.len > 2 ? 2 : 0;
    struct span name = after(word, 2);

    if (is_long && value)
        name.len = value - 3;
    const struct option_spec *option = is_long ? find_option(said, name) : find_letter(word.at[1]);
    if (option && option->value && !value)
        said->valueless = option;
    else if (option && option->value)
        add_given(said, option->name, after(word, value));
}

static void take_word(struct said *said, struct span word)
{
    if (said->valueless) {
        add_given(said, said->valueless->name, word);
        said->valueless = NULL;
    } else if (said->operands_only || word.len < 2 || word.at[0] != '-') {
        if (said->command)
            said->operands++;
        else if (!(said->command = command_find(word.at)))
            said->lost = true;
    } else if (span_is(word, "--")) {
        said->operands_only = true;
    } else {
        take_option(said, word);
    }
}

static void add_options(struct completion *offers, const struct option_spec *options, int rank)
{
    CLEANUP(str_free) struct str text = {0};

    for (; options && options->name; options++) {
        str_clear(&text);
        str_addf(&text, "--%s", options->name);
        complete_add(offers, str_span(&text), span_of(options->help), rank);
    }
}

static void add_all_options(struct completing *completing, const struct said *said)
{
    if (said->command)
        add_options(&completing->offers, said->command->options, 0);
    add_options(&completing->offers, global_options, 1);
}

static const struct word_spec *operand_spec(const struct said *said)
{
    const struct word_spec *takes = said->command->takes;
    int last = takes[1].kinds || takes[1].word;

    if (said->operands <= last)
        return &takes[said->operands];
    return takes[last].more ? &takes[last] : NULL;
}

/* Drops names and ids (agents choose them) that start with a dash: the command would take them for
 * options. */
static void drop_dashes(struct completion *offers)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++)
        if (offers->candidates[i].text.at[0] != '-')
            offers->candidates[kept++] = offers->candidates[i];
    offers->count = kept;
}

static void complete_operand(struct completing *completing, const struct said *said,
                             struct span word)
{
    const struct word_spec *spec = operand_spec(said);

    if (spec && (spec->kinds || spec->word)) {
        offer_words(completing, said->app, spec, word, 0);
        if (!said->operands_only)
            drop_dashes(&completing->offers);
    } else if (!word.len) {
        add_all_options(completing, said); /* nothing else can follow */
    }
}

/* Completes the value of an option, which starts at `start` in the word. */
static void complete_value(struct completing *completing, const struct said *said,
                           const struct option_spec *option, struct span word, size_t start)
{
    completing->from = start;
    if (option && option->value)
        offer_words(completing, said->app,
                    &(struct word_spec){.kinds = option->kinds, .word = option->word}, word, start);
}

/* Completes the last of the words, which are those after the program's name. Options among them
 * that choose the mailboxes and the identity are applied; nothing is written and no error is
 * reported. The caller frees `completing`. */
static void complete_line_look(struct completing *completing, struct app *app,
                               const struct span_list *words)
{
    struct said said = {.app = app};

    if (!words->count)
        return;
    add_given(&said, "readonly", (struct span){0});
    for (size_t i = 0; i + 1 < words->count; i++)
        take_word(&said, words->items[i]);
    struct span word = words->items[words->count - 1];
    bool is_option = word.len && word.at[0] == '-' && !said.operands_only;
    size_t value = is_option && span_starts(word, span_of("--")) ? value_start(word) : 0;
    if (said.lost)
        return;
    if (said.valueless)
        complete_value(completing, &said, said.valueless, word, 0);
    else if (value)
        complete_value(completing, &said, find_option(&said, (struct span){word.at + 2, value - 3}),
                       word, value);
    else if (is_option)
        add_all_options(completing, &said);
    else if (said.command)
        complete_operand(completing, &said, word);
    else
        offer_commands(&completing->offers, false);
    complete_open(&completing->offers, after(word, completing->from));
}

/* completion: prints the script that makes a shell complete our command lines. */

static int run_completion(struct app *app)
{
    struct err err;

    for (const struct embedded *script = completion_scripts; script->name; script++) {
        if (strcmp(script->name, app->operands[0]) == 0) {
            fputs(script->text, stdout);
            return EXIT_DONE;
        }
    }
    app_refuse_word(app, &err, "completion", app->operands[0], words_shell);
    return app_fail(app, &err);
}

const struct command command_completion = {.name = "completion",
                                           .operands = "bash | zsh | fish",
                                           .takes = {{.word = words_shell}},
                                           .summary =
                                               "a script that lets a shell complete commands",
                                           .least = 1,
                                           .most = 1,
                                           .storeless = true,
                                           .run = run_completion};

/* Reports whether a terminal can show the text on one line as it is, and the output format can hold
 * it. */
static bool is_showable(struct span text)
{
    struct sanitize_piece piece;

    return !memchr(text.at, '\n', text.len) && !memchr(text.at, '\t', text.len) &&
           !sanitize_find_hidden(text, &piece);
}

/* Reports whether the candidate continues what was typed: anything else would confuse the shell. */
static bool goes_on(const struct candidate *offer, struct span typed)
{
    if (typed.len && typed.at[0] != '"' && offer->text.at[0] == '"') /* a quoted value */
        return span_starts((struct span){offer->text.at + 1, offer->text.len - 1}, typed);
    return span_starts(offer->text, typed);
}

static void put_names(const struct completing *completing)
{
    static const char *const words[] = {[NAMES_NONE] = "words",
                                        [NAMES_FILES] = "files",
                                        [NAMES_DIRECTORIES] = "directories",
                                        [NAMES_PROGRAMS] = "programs"};

    puts(words[completing->names]);
}

/* Prints the candidates; `end` is NULL for shells that take plain text and a note. */
static void put_offers(const struct app *app, const struct completing *completing, struct span word,
                       const struct shell_end *end)
{
    CLEANUP(str_free) struct str out = {0}, whole = {0};

    for (size_t i = 0; i < completing->offers.count; i++) {
        const struct candidate *offer = &completing->offers.candidates[i];
        str_set(&whole, (struct span){word.at, completing->from});
        str_add_span(&whole, offer->text);
        if (!goes_on(offer, after(word, completing->from)) || !is_showable(str_span(&whole)) ||
            (end && whole.len < end->keep))
            continue;
        if (end) {
            shell_quote(&out, after(str_span(&whole), end->keep), end->quote);
        } else {
            str_add_span(&out, str_span(&whole));
            str_putc(&out, '\t');
            sanitize_add(&out, offer->note, SANITIZE_LINE);
        }
        str_putc(&out, '\n');
    }
    app_put(app, &out);
}

static int run_complete(struct app *app)
{
    struct completing completing = {0};
    CLEANUP(span_list_free) struct span_list words = {0};
    struct shell_end end = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    bool bash = strcmp(app->operands[0], "bash") == 0;
    bool fish = strcmp(app->operands[0], "fish") == 0;

    if (!freopen("/dev/null", "w", stderr))
        return EXIT_FAILED;
    if (bash) {
        shell_split(span_of(app->operands[1]), app->operand_count > 2 ? app->operands[2] : "",
                    &words, &end, &arena);
        memmove(words.items, words.items + 1, --words.count * sizeof *words.items);
    } else {
        for (int i = 1; i < app->operand_count; i++)
            span_list_add(&words, fish && i + 1 == app->operand_count
                                      ? shell_unquote(span_of(app->operands[i]), &arena)
                                      : span_of(app->operands[i]));
    }
    if (words.count) {
        struct span word = words.items[words.count - 1];
        app->given_count = 0;
        complete_line_look(&completing, app, &words);
        put_names(&completing);
        put_offers(app, &completing, word, bash ? &end : NULL);
    }
    complete_free(&completing.offers);
    return EXIT_DONE;
}

const struct command command_complete = {.name = "complete",
                                         .operands = "SHELL WORD...",
                                         .summary = "for the completions of shells",
                                         .least = 2,
                                         .most = -1,
                                         .storeless = true,
                                         .sourceless = true,
                                         .hidden = true,
                                         .takes = {{.word = words_shell}},
                                         .run = run_complete};
