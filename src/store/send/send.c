/* Sending through the store: finds the recipient, adds warnings, then delivers or previews. */
#include "base/io_error.h"
#include "store/source/address.h"
#include "store/store_private.h"

/* Answers: their recipient, what the layout fills in, and the messages that they end. */

/* Returns the recipient of a message that the answer's own author wrote. Absent if the author did
 * not write it, or if it went to the author or to everybody. */
static struct span other_end(const struct source *source, const struct message *message,
                             const struct draft *answer)
{
    const struct format *format = source->format;
    bool in_box = place_has_box(format->rules[0].pattern) && !format->exact_to;
    struct span to = in_box ? message->place->box : message->to;

    struct span author = answer->from.at ? answer->from : span_of(source->identity);

    if (!span_eq(message->from, author) || span_eq(to, author) || !to.len ||
        format_is_everybody(format, to))
        return (struct span){0};
    return to;
}

bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err)
{
    const struct source *source = &store->sources[original->place->source];
    struct span other = other_end(source, original, draft);

    if (source->format->verbs[VERB_REPLY].ability == ABILITY_NONE)
        return err_set(err, ERR_REFUSED, "the layout %s has no way to reply",
                       source->format->title);
    if (!original->from.len)
        return err_set(err, ERR_REFUSED, "%s: it does not say who sent it", original->file.at);
    source->format->reply(original, draft, arena);
    if (other.at) /* continuing our own message: the answer goes to its recipient */
        draft->to = arena_copy(arena, other);
    return true;
}

bool store_join_thread(struct store *store, struct draft *draft, struct model *model, bool *found,
                       struct err *err)
{
    struct load all = {.inbox = true, .archive = true};

    *found = false;
    if (!draft->reply_to.at)
        return true;
    if (!store_load(store, &all, model, err))
        return false;
    struct message *original = model_find(model, draft->reply_to, err);
    if (!original)
        return err->scope == ERR_ABSENT;
    const struct format *format = store_source(store, original->place->source)->format;
    *found = true;
    draft->reply_to = original->id;
    if (!draft->thread.at && format->fields & FIELD_THREAD)
        draft->thread = original->thread.len ? original->thread : original->id;
    return true;
}

struct send_options store_answer_options(const struct message *original)
{
    /* The sender wrote, so the name is real even where it has no mailbox yet. */
    return (struct send_options){
        .create = true, .source = original->place->source, .answers_box = original->place->box};
}

bool store_ends_by_answer(const struct store *store, const struct message *message,
                          struct span self)
{
    const struct source *source = store_source(store, message->place->source);

    return address_ends_by_answer(source, message, self.at ? self : span_of(source->identity));
}

bool store_end_by_answer(struct store *store, struct message *message, struct span self,
                         bool *archived, struct err *err)
{
    struct changed outcome;

    *archived = store_ends_by_answer(store, message, self);
    if (!*archived)
        return true;
    store_change(store, &message, 1, STATUS_ARCHIVED, (struct span){0}, &outcome);
    *archived = outcome.ok;
    if (outcome.ok)
        return true;
    return err_set(err, ERR_UNCONFIRMED,
                   "the answer is sent, but the message it answers was not archived: %s",
                   outcome.err.text);
}

/* The state of the search for a recipient in one source after the other. */
struct seeking {
    struct span to;
    enum recipient_rule rule;
    size_t able, known, last;
    size_t users, user; /* sources whose own programs use the name, and the last of them */
    struct recipient_met met;
    struct err several; /* of a source in which several agents have that name */
    struct err unread;  /* of a source that cannot be read */
    struct err unknown; /* of a source in which nobody has that name, or can have it */
    struct err missing; /* the team that was named has no roster */
    bool is_several, is_unread, is_missing;
};

/* True if the name has several owners there, so that it is ambiguous rather than unknown. */
static bool is_in_several_teams(const struct source *source, struct span to, struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(addresses_free) struct addresses addresses = {0};

    return address_read_all(source, to, &addresses, &arena, err) && addresses.count > 1;
}

static void seek_in(struct seeking *seeking, const struct source *source, size_t *index,
                    struct address *address, struct arena *arena)
{
    enum recipient_rule rule = seeking->rule == RECIPIENT_NEW ? RECIPIENT_OFFER : seeking->rule;
    struct address found;
    struct err err, unread = {0};

    seeking->able++;
    seeking->last = source->index;
    seeking->met.several = seeking->met.rosterless = false;
    if (recipient_seek(source, seeking->to, rule, &seeking->met, &found, arena, &err)) {
        *address = found;
        *index = source->index;
        seeking->known++;
    } else if (err.scope != ERR_REFUSED) {
        seeking->is_unread = true;
        seeking->unread = err;
    } else if (seeking->met.several || is_in_several_teams(source, seeking->to, &unread)) {
        seeking->is_several = true;
        seeking->known++;
        seeking->several = err;
    } else if (unread.scope != ERR_NONE && unread.scope != ERR_REFUSED) {
        seeking->is_unread = true;
        seeking->unread = unread;
    } else {
        seeking->unknown = err;
        if (seeking->met.with_teams && seeking->met.rosterless) {
            seeking->is_missing = true;
            seeking->missing = err;
        }
        if (seeking->rule != RECIPIENT_KNOWN && format_knows(source->format, seeking->to)) {
            seeking->users++;
            seeking->user = source->index;
        }
    }
}

/* Warns about a source that cannot be read and may know the name too. It does not keep mail from a
 * recipient in another source. */
static void report_unread(const struct seeking *seeking, const struct source *source)
{
    CLEANUP(str_free) struct str sentence = {0};

    if (!seeking->is_unread || !source->tell)
        return;
    str_addf(&sentence, "\"%.*s\" was not looked for everywhere: %s", (int)seeking->to.len,
             seeking->to.at, seeking->unread.text);
    source->tell(source->report_context, str_c(&sentence));
}

static bool say_not_found(const struct seeking *seeking, struct err *err)
{
    size_t known = seeking->known ? seeking->known : seeking->users;

    if (known > 1)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is known in %zu sources; name the one that is meant with --source",
                       (int)seeking->to.len, seeking->to.at, known);
    if (seeking->is_several || seeking->is_unread)
        *err = seeking->is_several ? seeking->several : seeking->unread;
    else if (seeking->rule == RECIPIENT_NEW && seeking->able)
        err_set(err, ERR_REFUSED,
                "a new mailbox could be made in any of %zu sources; name the one with --source",
                seeking->able);
    else if (seeking->is_missing)
        *err = seeking->missing;
    else if (seeking->met.unknown && seeking->able > 1)
        recipient_say_unknown(seeking->to, &seeking->met.names, seeking->rule, err);
    else
        *err = seeking->unknown;
    return false;
}

/* Adds that not everything could be read: an unknown recipient may be in what could not. */
static void add_doubt(const struct seeking *seeking, struct err *err)
{
    char text[sizeof err->text];

    if (err->scope != ERR_REFUSED || seeking->known || seeking->users ||
        !io_error_count(IO_ERROR_OTHER))
        return;
    memcpy(text, err->text, sizeof text);
    err_set(err, ERR_SOURCE, "as far as it could be read: %s", text);
}

bool store_find_recipient(const struct store *store, struct span to, enum verb verb,
                          enum recipient_rule rule, size_t *index, struct address *address,
                          struct arena *arena, struct err *err)
{
    struct seeking seeking = {
        .to = to, .rule = rule, .met.with_teams = to.len && memchr(to.at, '@', to.len)};
    bool ok;

    for (size_t i = 0; i < store->source_count; i++)
        if (store->sources[i].format->verbs[verb].ability != ABILITY_NONE)
            seek_in(&seeking, &store->sources[i], index, address, arena);
    if (seeking.known == 1 && !seeking.is_several) {
        report_unread(&seeking, &store->sources[*index]);
        ok = true;
    } else if (!seeking.known && seeking.users == 1) {
        *index = seeking.user;
        ok = recipient_find(&store->sources[*index], to, RECIPIENT_NEW, address, arena, err);
    } else if (rule == RECIPIENT_NEW && !seeking.known && seeking.able == 1) {
        *index = seeking.last;
        ok = recipient_find(&store->sources[*index], to, rule, address, arena, err);
    } else {
        ok = say_not_found(&seeking, err);
        add_doubt(&seeking, err);
    }
    recipient_met_free(&seeking.met);
    return ok;
}

/* Warns where names share a box: they are distinguished only by the address inside the message. */
static void warn_of_spelling(const struct source *source, struct outgoing_message *letter)
{
    CLEANUP(arena_free) struct arena arena = {0};
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
        CLEANUP(str_free) struct str sentence = {0};
        str_addf(&sentence,
                 "\"%.*s\" has its mail as \"%.*s\" so far, and gets a second mailbox by this: a "
                 "program "
                 "that looks for one of the names does not find the other's",
                 (int)to.len, to.at, (int)other.len, other.at);
        outgoing_message_warn(letter, str_c(&sentence));
    }
}

/* True for a team whose members only a roster could name, and that has none. */
static bool is_rosterless(const struct source *source, const struct outgoing_message *letter)
{
    const struct address *to = &letter->to;

    return source->format->parse_roster && !place_has_box(source->format->rules[0].pattern) &&
           to->has_team && !to->has_roster;
}

static void warn_sender(const struct source *source, struct outgoing_message *letter)
{
    if (is_rosterless(source, letter)) {
        CLEANUP(str_free) struct str sentence = {0};
        roster_add_missing(&sentence, source, letter->to.team);
        outgoing_message_warn(letter, str_c(&sentence));
    }
    if (letter->to.team.at && !letter->to.has_team) {
        CLEANUP(str_free) struct str sentence = {0};
        str_addf(&sentence, "the team \"%.*s\" is new, made for it", (int)letter->to.team.len,
                 letter->to.team.at);
        outgoing_message_warn(letter, str_c(&sentence));
    }
    warn_of_spelling(source, letter);
    outgoing_message_warn_of_layout(letter, source->format);
}

/* Sets the sender's colour in the recipient's team, which agents show with the name. */
static void find_color(const struct source *source, struct outgoing_message *letter,
                       struct arena *arena)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    struct err ignored;

    if (source->format->parse_roster && source_rosters(source, &names, &ignored))
        letter->draft.color =
            arena_copy(arena, roster_color(&names, letter->to.team, letter->draft.from));
}

/* Returns `name` without the team that the message stays in. */
static struct span without_team(struct span name, struct span team)
{
    struct span bare, named;

    return span_split_last(name, '@', &bare, &named) && span_eq(named, team) ? bare : name;
}

/* Finds the recipient and its source. */
static bool resolve_recipient(const struct store *store, struct outgoing_message *letter,
                              const struct send_options *options, size_t *index,
                              struct arena *arena, struct err *err)
{
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

static bool send_or_show(struct store *store, struct outgoing_message *letter,
                         const struct send_options *options, struct preview *preview,
                         const struct source *source, struct err *err)
{
    struct err ignored;
    struct delivery how = {.source = source,
                           .state = store_state(store, !preview, preview ? &ignored : err),
                           .verify = options->verify,
                           .log = store->log,
                           .hooks = options->hooks};

    if (preview)
        return preview_letter(&how, letter, preview, err);
    return how.state && deliver(&how, letter, 1, err);
}

/* Fits a handoff to the layout: drops a prefilled thread that is of another source or that the
 * layout cannot hold, and folds the handoff's fields into the text where it has none for them. */
static bool fit_handoff(const struct source *source, struct draft *draft,
                        const struct send_options *options, struct handoff *folded,
                        struct arena *arena, struct err *err)
{
    unsigned fields = source->format->fields;

    if (options->thread_is_local &&
        (options->thread_source != source->index || !(fields & FIELD_THREAD)))
        draft->thread = (struct span){0};
    if (fields & FIELD_SUBJECT && !draft->subject.len)
        return err_set(err, ERR_USAGE, "a handoff in the layout %s needs a subject",
                       source->format->title);
    if (fields & FIELD_HANDOFF)
        return true;
    *folded = handoff_fold(draft->handoff, arena);
    draft->handoff = folded;
    return true;
}

/* Sends the message, or only previews it. The draft is unchanged afterwards. */
static bool send_letter(struct store *store, struct outgoing_message *letter,
                        const struct send_options *options, struct preview *preview,
                        struct err *err)
{
    struct draft *draft = &letter->draft;
    const struct span to = draft->to, team = draft->team;
    const struct handoff *handoff = draft->handoff;
    size_t index = options->source;
    struct handoff folded;
    CLEANUP(str_free) struct str qualified = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    if (draft->team.len) { /* the answer's team is that of the original message */
        str_add_span(&qualified, draft->to);
        str_putc(&qualified, '@');
        str_add_span(&qualified, draft->team);
        draft->to = str_span(&qualified);
    }
    bool found = resolve_recipient(store, letter, options, &index, &arena, err);
    bool ok = found && (!handoff ||
                        fit_handoff(&store->sources[index], draft, options, &folded, &arena, err));
    if (!found)
        err_about(err, "to");
    if (ok) {
        const struct source *source = &store->sources[index];
        letter->source = (uint32_t)index;
        draft->to = letter->to.agent;
        if (!draft->from.at)
            draft->from = span_of(source->identity);
        draft->from = without_team(draft->from, letter->to.team);
        warn_sender(source, letter);
        if (!draft->protocol.at) /* messages between programs carry no colour */
            find_color(source, letter, &arena);
        ok = send_or_show(store, letter, options, preview, source, err);
    }
    letter->to = (struct address){0};
    draft->color = (struct span){0};
    draft->to = to;
    draft->team = team;
    draft->handoff = handoff;
    return ok;
}

bool store_send(struct store *store, struct outgoing_message *letter,
                const struct send_options *options, struct err *err)
{
    return store_may_write(store, err) && send_letter(store, letter, options, NULL, err);
}

bool store_preview(struct store *store, struct outgoing_message *letter,
                   const struct send_options *options, struct preview *preview, struct err *err)
{
    return send_letter(store, letter, options, preview, err);
}
