/* Sending through the store: who is meant, what the sender should know, on its way or shown. */
#include "store/store_private.h"

struct send_job {
    struct job job;
    struct letter *letter;
    struct span to, team; /* as they were given */
    const struct send_options *options;
    struct preview *preview; /* it is only looked at; or NULL */
};

bool store_find_recipient(const struct store *store, struct span to, enum verb verb,
                          enum recipient_rule rule, size_t *index, struct address *address,
                          struct arena *arena, struct err *err)
{
    size_t known = 0, able = 0, last = 0, used = 0, user = 0;
    struct err unknown = {0};

    for (size_t i = 0; i < store->source_count; i++) {
        struct address found;
        struct err here;
        if (store->sources[i].format->verbs[verb].ability == ABILITY_NONE)
            continue;
        able++;
        last = i;
        if (recipient_find(&store->sources[i], to, rule == RECIPIENT_NEW ? RECIPIENT_OFFER : rule,
                           &found, arena, &here)) {
            *address = found;
            *index = i;
            known++;
        } else if (here.scope != ERR_REFUSED) {
            *err = here;
            return false;
        } else {
            unknown = here;
            if (rule != RECIPIENT_KNOWN && format_knows(store->sources[i].format, to)) {
                used++;
                user = i;
            }
        }
    }
    if (!known && used == 1) {
        *index = user;
        return recipient_find(&store->sources[user], to, RECIPIENT_NEW, address, arena, err);
    }
    known = known ? known : used;
    if (known == 1)
        return true;
    if (known > 1)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is known in %zu sources; name the one that is meant with --source",
                       (int)to.len, to.at, known);
    if (rule == RECIPIENT_NEW && able == 1) {
        *index = last;
        return recipient_find(&store->sources[last], to, rule, address, arena, err);
    }
    if (rule == RECIPIENT_NEW && able)
        return err_set(err, ERR_REFUSED,
                       "there are %zu sources; name the one for the new mailbox with --source",
                       able);
    *err = unknown;
    return false;
}

/* NULL: there is nothing to say. */
static void add_warning(struct letter *letter, const char *sentence)
{
    if (!sentence)
        return;
    str_puts(&letter->warning, letter->warning.len ? "; " : "");
    str_puts(&letter->warning, sentence);
}

/* Names that share a box are told apart only by the address inside the message. */
static void warn_of_spelling(const struct source *source, struct letter *letter)
{
    struct arena arena = {0};
    struct span to = letter->draft.to, other = {0};

    if (source->format->exact_to)
        other = recipient_other_spelling(source, to, &arena);
    if (other.at)
        str_addf(&letter->warning,
                 "this mailbox has only held mail for \"%.*s\" so far; whoever reads it may not "
                 "look for \"%.*s\"",
                 (int)other.len, other.at, (int)to.len, to.at);
    other = recipient_other_name(source, &letter->to, &arena);
    if (other.at) {
        struct str sentence = {0};
        str_addf(&sentence,
                 "\"%.*s\" has its mail as \"%.*s\" so far, and gets a second mailbox by this: a "
                 "program "
                 "that looks for one of the names does not find the other's",
                 (int)to.len, to.at, (int)other.len, other.at);
        add_warning(letter, str_c(&sentence));
        str_free(&sentence);
    }
    arena_free(&arena);
}

static void warn_sender(const struct source *source, struct letter *letter)
{
    if (letter->to.team.at && !letter->to.has_team) {
        struct str sentence = {0};
        str_addf(&sentence, "the team \"%.*s\" is new, made for it", (int)letter->to.team.len,
                 letter->to.team.at);
        add_warning(letter, str_c(&sentence));
        str_free(&sentence);
    }
    warn_of_spelling(source, letter);
    add_warning(letter, source->format->caveat);
    if (source->format->warn)
        add_warning(letter, source->format->warn(&letter->draft));
}

/* The sender's colour in the recipient's team, which agents see beside the name. */
static void find_color(const struct source *source, struct letter *letter, struct arena *arena)
{
    struct agent_names names = {0};
    struct err ignored;

    if (source->format->parse_roster && source_rosters(source, &names, &ignored))
        letter->draft.color =
            arena_copy(arena, roster_color(&names, letter->to.team, letter->draft.from));
    agent_names_free(&names);
}

/* A sender who is named with the team that the message stays in. */
static struct span without_team(struct span name, struct span team)
{
    struct span bare, named;

    return span_split_last(name, '@', &bare, &named) && span_eq(named, team) ? bare : name;
}

/* Finds the recipient, and with it the source. */
static bool resolve(const struct store *store, const struct send_job *send, size_t *index,
                    struct arena *arena, struct err *err)
{
    const struct send_options *options = send->options;
    struct letter *letter = send->letter;

    enum recipient_rule rule = options->create ? RECIPIENT_NEW : RECIPIENT_OFFER;

    if (*index != STORE_ANY && format_knows(store->sources[*index].format, letter->draft.to))
        rule = RECIPIENT_NEW;
    if (*index == STORE_ANY)
        return store_find_recipient(store, letter->draft.to, VERB_SEND, rule, index, &letter->to,
                                    arena, err);
    const struct source *source = &store->sources[*index];
    if (options->answers_box.at)
        return recipient_find_sender(source, letter->draft.to, options->answers_box, &letter->to,
                                     arena, err);
    return recipient_find(source, letter->draft.to, rule, &letter->to, arena, err);
}

static bool send_or_show(struct store *store, const struct send_job *send,
                         const struct source *source, struct err *err)
{
    struct err ignored;
    struct delivery how = {.source = source,
                           .state =
                               store_state(store, !send->preview, send->preview ? &ignored : err),
                           .verify = send->options->verify,
                           .log = store->log,
                           .guard = send->options->guard};

    if (send->preview)
        return preview_letter(&how, send->letter, send->preview, err);
    return how.state && deliver(&how, send->letter, 1, err);
}

static bool run_send(struct job *job, struct store *store, struct err *err)
{
    struct send_job *send = (struct send_job *)job;
    struct letter *letter = send->letter;
    struct draft *draft = &letter->draft;
    size_t index = send->options->source;
    struct str qualified = {0};
    struct arena arena = {0};

    if (draft->team.len) { /* an answer knows the team of what it answers */
        str_add_span(&qualified, draft->to);
        str_putc(&qualified, '@');
        str_add_span(&qualified, draft->team);
        draft->to = str_span(&qualified);
    }
    bool ok = resolve(store, send, &index, &arena, err);
    if (ok) {
        const struct source *source = &store->sources[index];
        letter->source = (uint32_t)index;
        draft->to = letter->to.agent;
        if (!draft->from.at)
            draft->from = span_of(source->identity);
        draft->from = without_team(draft->from, letter->to.team);
        warn_sender(source, letter);
        if (!draft->protocol.at) /* what programs tell each other carries no colour */
            find_color(source, letter, &arena);
        ok = send_or_show(store, send, source, err);
    }
    letter->to = (struct address){0};
    draft->color = (struct span){0};
    draft->to = send->to;
    draft->team = send->team;
    str_free(&qualified);
    arena_free(&arena);
    return ok;
}

bool store_send(struct store *store, struct letter *letter, const struct send_options *options,
                struct err *err)
{
    struct send_job job = {.job.run = run_send,
                           .letter = letter,
                           .to = letter->draft.to,
                           .team = letter->draft.team,
                           .options = options};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

bool store_preview(struct store *store, struct letter *letter, const struct send_options *options,
                   struct preview *preview, struct err *err)
{
    struct send_job job = {.job.run = run_send,
                           .letter = letter,
                           .to = letter->draft.to,
                           .team = letter->draft.team,
                           .options = options,
                           .preview = preview};

    return store_run(store, &job.job, NULL, err);
}
