/* Judging requests: by their bytes, by what is known of their sender, by what was decided before.
 */
#include "store/decide/request_judge.h"

#include "base/io_error.h"
#include "mail/protocol/protocol.h"
#include "mail/security/danger.h"
#include "mail/security/sender.h"
#include "mail/security/trust.h"

#include <sys/stat.h>
#include <unistd.h>

void request_judge_open(struct request_judge *judge, struct arena *arena)
{
    *judge = (struct request_judge){.arena = arena};
    judge->has_ledger = ledger_read(&judge->ledger, &judge->ledger_err);
    if (!judge->has_ledger)
        io_error_note_err(&judge->ledger_err);
}

void request_judge_close(struct request_judge *judge)
{
    ledger_free(&judge->ledger);
    name_index_free(&judge->index);
    agent_names_free(&judge->names);
}

static void know_names(struct request_judge *judge, const struct source *source)
{
    struct err err;

    if (judge->source == source)
        return;
    name_index_free(&judge->index);
    agent_names_free(&judge->names);
    judge->source = source;
    if (!source_rosters(source, &judge->names, &err))
        io_error_note_err(&err);
    name_index_build(&judge->index, &judge->names);
}

/* --- why not --- */

static struct ledger_sought sought_of(const struct source *source, const struct request *request)
{
    const struct message *message = request->message;

    return (struct ledger_sought){.format = span_of(source->format->name),
                                  .root = span_of(source->path),
                                  .team = message->place->team,
                                  .agent = message->from,
                                  .message = message->id,
                                  .request_id = request_is_native(request) ? message->thread
                                                                           : (struct span){0},
                                  .sha256 = span_of(request->sha256)};
}

/* One that is gone is no error of the storage. */
static void note_source(const struct err *err)
{
    if (err->scope == ERR_SOURCE)
        io_error_note_err(err);
}

static void find_refusal(struct request_judge *judge, const struct source *source,
                         struct request *request, bool doubled)
{
    const struct ledger_sought sought = sought_of(source, request);
    struct str why = {0};
    struct err err = {0};

    request->decider = format_decided_by(source->format, request->message);
    if (!request->decider && !source_is_there(source, &err))
        note_source(&err);
    if (request->decider)
        str_puts(&why, request->decider);
    else if (err.scope)
        str_addf(&why, "its source %s", err.text);
    else if (trust_refuses(&why, request->message, request->raw))
        ;
    else if (doubled)
        str_puts(&why, "its request id stands for another request in the same inbox, too: nobody "
                       "could tell which of them was meant");
    else if (!judge->has_ledger && (err = judge->ledger_err).scope)
        str_addf(&why, "its decision cannot be noted, nor compared with earlier ones: %s",
                 err.text);
    else if (judge->has_ledger && request->message->requires_response &&
             ledger_other_request(&judge->ledger, &sought))
        str_puts(&why, "its request id was decided before with other bytes: an answer could be "
                       "taken for that one");
    request->refused_unread = err.scope == ERR_SOURCE;
    if (why.len)
        request->refusal = arena_copy(judge->arena, str_span(&why));
    str_free(&why);
}

/* --- what to know --- */

static void flag(struct request_judge *judge, struct request *request, const char *sentence)
{
    span_list_add(&request->flags, arena_copy(judge->arena, span_of(sentence)));
}

/* Where the agent works, as its roster says. */
static struct span directory_of(const struct request_judge *judge, const struct message *message)
{
    const struct agent_name *name =
        name_index_find(&judge->index, message->place->team, message->from);

    return name ? name->member.directory : (struct span){0};
}

static void add_short(struct str *in_short, const char *words)
{
    str_addf(in_short, "%s%s", in_short->len ? ", " : "", words);
}

/* The project that a mailbox lies in; nothing where mailboxes lie in no project. */
static void add_project(struct str *out, const struct source *source)
{
    struct span path = span_of(source->path), home = span_of(source->format->home);

    if (!source->format->homes && span_ends(path, source->format->home) && path.len > home.len)
        str_add_span(out, (struct span){path.at, path.len - home.len});
}

static void flag_dangers(struct request_judge *judge, const struct source *source,
                         struct request *request, struct str *in_short)
{
    const struct message_data *data = request->message->data;
    struct danger_list found = {0};
    struct arena scratch = {0};
    struct str project = {0};
    struct protocol p;
    unsigned what = 0;

    if (data && data->protocol.len && protocol_parse(&p, data->protocol, &scratch)) {
        what = danger_find(&p, request->directory, &found);
    } else if (data) {
        if (!request->directory.len)
            add_project(&project, source);
        what = danger_find_text(data->body, project.len ? str_span(&project) : request->directory,
                                &found);
    }
    danger_add_phrases(&request->flags, &found, what, judge->arena);
    for (unsigned kind = 0; kind < DANGER_COUNT; kind++)
        if (what >> kind & 1)
            add_short(in_short, danger_phrase(kind));
    str_free(&project);
    danger_list_free(&found);
    arena_free(&scratch);
}

static bool is_open_to_all(const struct source *source, const struct message *message)
{
    struct stat st;
    int dir = source_dir(source, message->place->dir.at);
    bool open = dir >= 0 && fstat(dir, &st) == 0 && st.st_mode & S_IWOTH;

    if (dir >= 0)
        close(dir);
    return open;
}

static void flag_sender(struct request_judge *judge, const struct source *source,
                        struct request *request, uid_t owner, struct str *in_short)
{
    const struct message *message = request->message;
    const struct name_index *index = &judge->index;
    struct span team = message->place->team, name = message->from;
    const struct names_alike *alike = name_index_alike(&judge->index, team, name);
    struct sender_facts facts = {.name = name,
                                 .roster = alike->names[0],
                                 .roster_count = alike->counts[0],
                                 .has_roster = name_index_has_team(index, team),
                                 .listed = name_index_is_member(index, team, name) ||
                                           format_knows(source->format, name),
                                 .others = alike->names[1],
                                 .other_count = alike->counts[1],
                                 .lead = name_index_lead(index, team),
                                 .us = span_of(source->identity),
                                 .elsewhere = name_index_is_elsewhere(index, team, name),
                                 .stray = message->flags & MESSAGE_STRAY,
                                 .other_owner = owner != getuid(),
                                 .open_directory = is_open_to_all(source, message)};

    unsigned found = sender_judge(&facts, &request->flags, judge->arena);
    if (found & ~(SENDER_FINE | SENDER_NO_ROSTER))
        add_short(in_short, "odd sender");
    request->doubtful = message->data && message->data->body_is_payload &&
                        message->data->protocol.len && found & SENDER_DOUBTFUL;
}

void request_judge(struct request_judge *judge, const struct source *source,
                   struct request *request, uid_t owner, bool doubled)
{
    struct str in_short = {0};

    know_names(judge, source);
    request->directory = arena_copy(judge->arena, directory_of(judge, request->message));
    find_refusal(judge, source, request, doubled);
    if (request->decider)
        str_add(&in_short, request->decider, strcspn(request->decider, ":"));
    else if (request->refusal.at)
        str_puts(&in_short, "REFUSED");
    flag_dangers(judge, source, request, &in_short);
    flag_sender(judge, source, request, owner, &in_short);
    for (unsigned bit = 0; message_flag_text(bit); bit++)
        if (request->message->flags >> bit & 1) {
            flag(judge, request, message_flag_text(bit));
            add_short(&in_short, message_flag_word(bit));
        }
    if (!judge->has_ledger) {
        flag(judge, request, "the ledger cannot be read: what was decided before is not known");
        add_short(&in_short, "the ledger cannot be read");
    }
    if (in_short.len)
        request->in_short = arena_copy(judge->arena, str_span(&in_short));
    str_free(&in_short);
}
