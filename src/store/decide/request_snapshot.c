/* Request snapshots: reads requests and judges them by their bytes, by what is known of the sender,
 * and by earlier decisions. */
#include "store/decide/request_snapshot.h"

#include "base/io_error.h"
#include "base/map.h"
#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/security/approval_check.h"
#include "mail/security/risk.h"
#include "mail/security/sender.h"
#include "store/decide/ledger.h"
#include "store/scan/file_list.h"
#include "store/scan/load.h"
#include "store/source/address.h"
#include "store/source/name_index.h"
#include "store/store_private.h"

#include <sha256.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Judging requests: why one must not be approved, and what a person should know first. */

/* The data for judging the requests of one source; read once. */
struct request_judge {
    struct arena *arena; /* for the texts */
    struct ledger ledger;
    const struct source *source; /* of the rosters; NULL: none yet */
    struct agent_names names;
    struct name_index index; /* of these */
    bool has_ledger;
    struct err ledger_err; /* the reason when has_ledger is false */
};

/* Opens the ledger. If it cannot be read, requests are still shown to the person, and the error is
 * reported. */
static void request_judge_open(struct request_judge *judge, struct arena *arena)
{
    *judge = (struct request_judge){.arena = arena};
    judge->has_ledger = ledger_read(&judge->ledger, &judge->ledger_err);
    if (!judge->has_ledger)
        io_error_note_err(&judge->ledger_err);
}

static void request_judge_close(struct request_judge *judge)
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

/* Refusals. */

static struct ledger_sought sought_of(const struct source *source,
                                      const struct request_snapshot *request)
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

/* Reports an error of the storage; a source that is gone is none. */
static void note_source(const struct err *err)
{
    if (err->scope == ERR_SOURCE)
        io_error_note_err(err);
}

static void find_refusal(struct request_judge *judge, const struct source *source,
                         struct request_snapshot *request, bool doubled)
{
    const struct ledger_sought sought = sought_of(source, request);
    CLEANUP(str_free) struct str why = {0};
    struct err err = {0};

    request->decider = format_decided_by(source->format, request->message);
    if (!request->decider && !source_is_there(source, &err))
        note_source(&err);
    if (request->decider)
        str_puts(&why, request->decider);
    else if (err.scope)
        str_addf(&why, "its source %s", err.text);
    else if (approval_refuses(&why, request->message, request->raw))
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
}

/* Flags. */

static void flag(struct request_judge *judge, struct request_snapshot *request,
                 const char *sentence)
{
    span_list_add(&request->flags, arena_copy(judge->arena, span_of(sentence)));
}

/* Returns where the agent works, by its roster; absent if unknown. */
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

/* Appends the project of a mailbox; nothing in layouts whose mailboxes are not in a project. */
static void add_project(struct str *out, const struct source *source)
{
    struct span path = span_of(source->path), home = span_of(source->format->home);

    if (!source->format->homes && span_ends(path, source->format->home) && path.len > home.len)
        str_add_span(out, (struct span){path.at, path.len - home.len});
}

static void flag_risks(struct request_judge *judge, const struct source *source,
                       struct request_snapshot *request, struct str *in_short)
{
    const struct message_data *data = request->message->data;
    CLEANUP(arena_free) struct arena scratch = {0};
    CLEANUP(str_free) struct str project = {0};
    CLEANUP(risk_list_free) struct risk_list found = {0};
    struct protocol p;
    unsigned what = 0;

    if (data && data->protocol.len && protocol_parse(&p, data->protocol, &scratch)) {
        what = risk_find(&p, request->directory, &found);
    } else if (data) {
        if (!request->directory.len)
            add_project(&project, source);
        what = risk_find_text(data->body, project.len ? str_span(&project) : request->directory,
                              &found);
    }
    risk_add_phrases(&request->flags, &found, what, judge->arena);
    for (unsigned kind = 0; kind < RISK_COUNT; kind++)
        if (what >> kind & 1)
            add_short(in_short, risk_phrase(kind));
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
                        struct request_snapshot *request, uid_t owner, struct str *in_short)
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

/* Fills in refusal and flags. `doubled`: another request has the same request id. */
static void request_judge(struct request_judge *judge, const struct source *source,
                          struct request_snapshot *request, uid_t owner, bool doubled)
{
    CLEANUP(str_free) struct str in_short = {0};

    know_names(judge, source);
    request->directory = arena_copy(judge->arena, directory_of(judge, request->message));
    find_refusal(judge, source, request, doubled);
    if (request->decider)
        str_add(&in_short, request->decider, strcspn(request->decider, ":"));
    else if (request->refusal.at)
        str_puts(&in_short, "REFUSED");
    flag_risks(judge, source, request, &in_short);
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
}

/* Reading requests. */

/* The requests of a file that share one request id. */
struct namesakes {
    uint32_t first; /* index of the first one */
    bool differ;    /* true if their bytes differ */
};

struct request_file {
    const struct source *source;
    struct str bytes;
    struct batch batch;
    struct file_id id;
    const struct err *err; /* NULL: it was read */
    struct map ids;        /* id to the first message that has it; empty if not indexed */
    struct map threads;    /* request id to an index of `namesakes` */
    struct namesakes *namesakes;
    size_t namesake_cap;
};

static void file_free(struct request_file *file)
{
    str_free(&file->bytes);
    batch_free(&file->batch);
    map_free(&file->ids);
    map_free(&file->threads);
    free(file->namesakes);
}

void request_snapshots_free(struct request_snapshots *requests)
{
    for (size_t i = 0; i < requests->count; i++)
        span_list_free(&requests->items[i].flags);
    for (size_t i = 0; i < requests->file_count; i++)
        file_free(&requests->files[i]);
    free(requests->items);
    free(requests->files);
    arena_free(&requests->arena);
    *requests = (struct request_snapshots){0};
}

/* Computes the sum of a message's bytes with its state blanked. Where the state cannot be blanked,
 * the sum is of all bytes. */
static void sum_up(const struct format *format, struct span raw, char sha256[REQUEST_SUM + 1])
{
    CLEANUP(str_free) struct str blank = {0};

    if (!format_blank_state(format, raw, &blank, NULL))
        str_set(&blank, raw);
    SHA256Data((const uint8_t *)str_c(&blank), blank.len, sha256);
}

static void sum_message(const struct request_file *file, uint32_t index,
                        char sha256[REQUEST_SUM + 1])
{
    sum_up(file->source->format, message_raw(&file->batch.items[index], str_span(&file->bytes)),
           sha256);
}

/* Adds a message under its request id. */
static void add_namesake(struct request_file *file, uint32_t index)
{
    char first[REQUEST_SUM + 1], sum[REQUEST_SUM + 1];
    bool fresh;
    uint32_t *number = map_put(&file->threads, file->batch.items[index].thread, &fresh);

    if (fresh) {
        *number = (uint32_t)file->threads.count - 1;
        file->namesakes = mem_grow(file->namesakes, &file->namesake_cap, file->threads.count,
                                   sizeof *file->namesakes);
        file->namesakes[*number] = (struct namesakes){.first = index};
        return;
    }
    struct namesakes *same = &file->namesakes[*number];
    if (same->differ)
        return;
    sum_message(file, same->first, first);
    sum_message(file, index, sum);
    same->differ = strcmp(first, sum) != 0;
}

/* Indexes the messages: an inbox may hold very many requests, and each is looked up. */
static void index_messages(struct request_file *file)
{
    for (uint32_t i = 0; file->batch.count > 1 && i < file->batch.count; i++) {
        const struct message *message = &file->batch.items[i];
        bool fresh;
        uint32_t *first = map_put(&file->ids, message->id, &fresh);
        if (fresh)
            *first = i;
        if (message->requires_response && message->thread.len)
            add_namesake(file, i);
    }
}

/* Returns the number of the head's file among the opened files, 0 if it is new, by source and path.
 * NULL for a copy in our state, which has no number. */
static uint32_t *number_of(struct map *numbers, const struct message *head, struct arena *arena)
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    if (head->place->local)
        return NULL;
    str_addf(&key, "%u ", (unsigned)head->place->source);
    message_add_path(&key, head, false);
    uint32_t *number = map_get(numbers, str_span(&key));
    if (!number)
        number = map_put(numbers, arena_copy(arena, str_span(&key)), &fresh);
    return number;
}

/* Copies an error into the arena: it takes a thousand bytes, and hardly any request has one. */
static const struct err *keep_err(struct arena *arena, const struct err *err)
{
    struct err *kept = arena_alloc(arena, sizeof *kept);

    *kept = *err;
    return kept;
}

static struct request_file *open_file(struct request_snapshots *requests, struct map *numbers,
                                      const struct source *source, const struct message *head)
{
    uint32_t *number = number_of(numbers, head, &requests->arena);
    struct err err;

    if (number && *number)
        return &requests->files[*number - 1];
    if (number)
        *number = (uint32_t)requests->file_count + 1;
    struct request_file *file = mem_push(requests->files, requests->file_count, requests->file_cap);
    *file = (struct request_file){.source = source};
    if (load_file(source, head, true, &file->bytes, &file->batch, &file->id, &err) == FILE_OK)
        index_messages(file);
    else
        file->err = keep_err(&requests->arena, &err);
    return file;
}

static struct message *find_raw(const struct request_file *file, const struct message *head)
{
    if (file->ids.count) {
        const uint32_t *index = map_get(&file->ids, head->id);
        return index ? &file->batch.items[*index] : NULL;
    }
    for (size_t i = 0; i < file->batch.count; i++)
        if (span_eq(file->batch.items[i].id, head->id))
            return &file->batch.items[i];
    return NULL;
}

/* True if another request with the same id and other bytes is in the same box: an answer would be
 * taken for both. */
static bool has_double(const struct request_file *file, const struct request_snapshot *request)
{
    const uint32_t *number = map_get(&file->threads, request->message->thread);
    const struct namesakes *same = number ? &file->namesakes[*number] : NULL;
    char first[REQUEST_SUM + 1];

    if (!same || same->differ)
        return same;
    if (request->message == &file->batch.items[same->first])
        return false;
    sum_message(file, same->first, first);
    return strcmp(first, request->sha256) != 0;
}

static bool say_absent(const struct message *head, struct err *err)
{
    return err_set(err, ERR_ABSENT, "%s/%s: the request is not there any more", head->place->dir.at,
                   head->file.at);
}

/* Fills in the request from its file. False when it is not in the file. */
static bool fill_snapshot(struct request_snapshot *request, struct request_file *file,
                          const struct message *head)
{
    request->message = find_raw(file, head);
    if (!request->message)
        return false;
    load_take_marks(request->message, head, &file->batch.arena);
    request->file = file->id;
    /* not by mtime, which anybody can set back */
    request->settled = time_now() - file->id.ctime_ns / 1000 > FILE_STAMP_MARGIN_NS / 1000;
    request->raw = message_raw(request->message, str_span(&file->bytes));
    request->at = (size_t)(request->raw.at - file->bytes.at);
    sum_up(file->source->format, request->raw, request->sha256);
    return true;
}

void requests_read(struct request_snapshots *requests, const struct source *sources,
                   struct message *const *heads, size_t count)
{
    CLEANUP(request_judge_close) struct request_judge judge = {0};
    CLEANUP(map_free) struct map numbers = {0};

    *requests = (struct request_snapshots){.items = mem_zero(count + 1, sizeof *requests->items)};
    requests->count = count;
    request_judge_open(&judge, &requests->arena);
    for (size_t i = 0; i < count; i++) {
        const struct source *source = &sources[heads[i]->place->source];
        struct request_file *file = open_file(requests, &numbers, source, heads[i]);
        struct request_snapshot *request = &requests->items[i];
        struct err err;
        if (file->err) {
            request->err = file->err;
        } else if (fill_snapshot(request, file, heads[i])) {
            request_judge(&judge, source, request, file->id.uid, has_double(file, request));
        } else {
            say_absent(heads[i], &err);
            request->err = keep_err(&requests->arena, &err);
        }
    }
}

bool request_is_native(const struct request_snapshot *request)
{
    const struct message_data *data = request->message ? request->message->data : NULL;
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p;

    return data && data->protocol.len && protocol_parse(&p, data->protocol, &arena) &&
           protocol_wants_answer(p.kind);
}

bool request_is_untouched(const struct source *source, const struct request_snapshot *request)
{
    const struct message *message = request->message;
    int dir = request->settled ? source_dir(source, message->place->dir.at) : -1;
    struct file_id now;
    bool same = dir >= 0 && file_stat(dir, message->file.at, &now, NULL) == FILE_OK &&
                now.dev == request->file.dev && now.ino == request->file.ino &&
                now.size == request->file.size && now.ctime_ns == request->file.ctime_ns;

    if (dir >= 0)
        close(dir);
    return same;
}

enum send_answer request_is_same(const struct source *source, const struct message *head,
                                 const char *sha256, bool wait, struct err *err)
{
    CLEANUP(file_free) struct request_file file = {.source = source};
    struct request_snapshot now = {0};
    enum file_result result =
        load_file(source, head, wait, &file.bytes, &file.batch, &file.id, err);

    if (result == FILE_OK && !fill_snapshot(&now, &file, head))
        say_absent(head, err);
    if (!now.message) {
        bool unread = result == FILE_FAILED && !file.id.ino;
        err->scope = unread ? ERR_MESSAGE : ERR_REFUSED;
    } else if (strcmp(now.sha256, sha256) != 0) {
        err_set(err, ERR_REFUSED,
                "%s/%s: the request is not what was shown any more (its sha256 is %s now); look "
                "at it again",
                head->place->dir.at, head->file.at, now.sha256);
    }
    bool same = now.message && strcmp(now.sha256, sha256) == 0;
    return same ? SEND_YES : result == FILE_CHANGED ? SEND_AGAIN : SEND_NO;
}

bool store_requests(struct store *store, struct message *const *heads, size_t count,
                    struct request_snapshots *requests, struct err *err)
{
    (void)err; /* of each request by itself */
    requests_read(requests, store->sources, heads, count);
    return true;
}
