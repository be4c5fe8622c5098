/* Requests: read, summed up and judged. */
#include "store/request.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/protocol.h"
#include "store/load.h"
#include "store/request_judge.h"
#include "store/stamp.h"
#include "store/store_private.h"

#include <sha256.h>
#include <stdlib.h>
#include <unistd.h>

struct request_file {
    const struct source *source;
    struct str bytes;
    struct batch batch;
    struct file_id id;
    struct err err;
    bool ok;
};

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->count; i++)
        span_list_free(&requests->items[i].flags);
    for (size_t i = 0; i < requests->file_count; i++) {
        str_free(&requests->files[i].bytes);
        batch_free(&requests->files[i].batch);
    }
    free(requests->items);
    free(requests->files);
    arena_free(&requests->arena);
    *requests = (struct requests){0};
}

/* The sum of a message's bytes, its state blanked; what is no object has none. */
static void sum_up(const struct format *format, struct span raw, char sha256[REQUEST_SUM + 1])
{
    struct str blank = {0};
    struct err ignored;

    if (!format_blank_state(format, raw, &blank, &ignored))
        str_set(&blank, raw);
    SHA256Data((const uint8_t *)str_c(&blank), blank.len, sha256);
    str_free(&blank);
}

/* The number of its file among those that were opened: by its source and path, however many there
 * are. A kept copy has none. */
static uint32_t *number_of(struct map *numbers, const struct message *head, struct arena *arena)
{
    struct str key = {0};
    bool fresh;

    if (head->place->local)
        return NULL;
    str_addf(&key, "%u ", (unsigned)head->place->source);
    message_add_path(&key, head, false);
    uint32_t *number = map_get(numbers, str_span(&key));
    if (!number)
        number = map_put(numbers, arena_copy(arena, str_span(&key)), &fresh);
    str_free(&key);
    return number;
}

static struct request_file *open_file(struct requests *requests, struct map *numbers,
                                      const struct source *source, const struct message *head)
{
    uint32_t *number = number_of(numbers, head, &requests->arena);

    if (number && *number)
        return &requests->files[*number - 1];
    if (number)
        *number = (uint32_t)requests->file_count + 1;
    requests->files = mem_grow(requests->files, &requests->file_cap, requests->file_count + 1,
                               sizeof *requests->files);
    struct request_file *file = &requests->files[requests->file_count++];
    *file = (struct request_file){.source = source};
    file->ok =
        load_file(source, head, true, &file->bytes, &file->batch, &file->id, &file->err) == FILE_OK;
    return file;
}

static struct message *find(const struct request_file *file, const struct message *head)
{
    for (size_t i = 0; i < file->batch.count; i++)
        if (span_eq(file->batch.items[i].id, head->id))
            return &file->batch.items[i];
    return NULL;
}

/* Another request of the same name in the same box: an answer would be taken for both. */
static bool has_double(const struct request_file *file, const struct request *request)
{
    char sha256[REQUEST_SUM + 1];

    for (size_t i = 0; i < file->batch.count; i++) {
        const struct message *other = &file->batch.items[i];
        if (other == request->message || !other->requires_response || !other->thread.len ||
            !span_eq(other->thread, request->message->thread))
            continue;
        sum_up(file->source->format, message_raw(other, str_span(&file->bytes)), sha256);
        if (strcmp(sha256, request->sha256) != 0)
            return true;
    }
    return false;
}

static void fill(struct request *request, struct request_file *file, const struct message *head)
{
    if (!file->ok) {
        request->err = file->err;
        return;
    }
    request->message = find(file, head);
    if (!request->message) {
        err_set(&request->err, ERR_ABSENT, "%s/%s: the request is not there any more",
                head->place->dir.at, head->file.at);
        return;
    }
    load_take_marks(request->message, head, &file->batch.arena);
    request->file = file->id;
    /* not by the time of the last write, which anybody can set back */
    request->settled = when_now() - file->id.ctime_ns / 1000 > STAMP_MARGIN_NS / 1000;
    request->raw = message_raw(request->message, str_span(&file->bytes));
    request->at = (size_t)(request->raw.at - file->bytes.at);
    sum_up(file->source->format, request->raw, request->sha256);
}

void requests_read(struct requests *requests, const struct source *sources,
                   struct message *const *heads, size_t count)
{
    struct request_judge judge;
    struct map numbers = {0};

    *requests = (struct requests){.items = mem_zero(count + 1, sizeof *requests->items)};
    requests->count = count;
    request_judge_open(&judge, &requests->arena);
    for (size_t i = 0; i < count; i++) {
        const struct source *source = &sources[heads[i]->place->source];
        struct request_file *file = open_file(requests, &numbers, source, heads[i]);
        struct request *request = &requests->items[i];
        fill(request, file, heads[i]);
        if (request->message)
            request_judge(&judge, source, request, file->id.uid, has_double(file, request));
    }
    request_judge_close(&judge);
    map_free(&numbers);
}

bool request_is_native(const struct request *request)
{
    const struct message_data *data = request->message ? request->message->data : NULL;
    struct arena arena = {0};
    struct protocol p;
    bool native = data && data->protocol.len && protocol_parse(&p, data->protocol, &arena) &&
                  protocol_wants_answer(p.kind);

    arena_free(&arena);
    return native;
}

bool request_is_untouched(const struct source *source, const struct request *request)
{
    const struct message *message = request->message;
    int dir = request->settled ? source_dir(source, message->place->dir.at) : -1;
    struct file_id now;
    struct err ignored;
    bool same = dir >= 0 && file_look(dir, message->file.at, &now, &ignored) == FILE_OK &&
                now.dev == request->file.dev && now.ino == request->file.ino &&
                now.size == request->file.size && now.ctime_ns == request->file.ctime_ns;

    if (dir >= 0)
        close(dir);
    return same;
}

enum guard_answer request_is_same(const struct source *source, const struct message *head,
                                  const char *sha256, bool wait, struct err *err)
{
    struct request_file file = {.source = source};
    struct request now = {0};
    enum file_result result =
        load_file(source, head, wait, &file.bytes, &file.batch, &file.id, &file.err);

    file.ok = result == FILE_OK;
    fill(&now, &file, head);
    if (!now.message) {
        *err = now.err;
        err->scope = ERR_REFUSED;
    } else if (strcmp(now.sha256, sha256) != 0) {
        err_set(err, ERR_REFUSED,
                "%s/%s: the request is not what was shown any more (its sha256 is %s now); look "
                "at it again",
                head->place->dir.at, head->file.at, now.sha256);
    }
    bool same = now.message && strcmp(now.sha256, sha256) == 0;
    str_free(&file.bytes);
    batch_free(&file.batch);
    return same ? GUARD_YES : result == FILE_CHANGED ? GUARD_AGAIN : GUARD_NO;
}

struct requests_job {
    struct job job;
    struct message *const *heads;
    size_t count;
    struct requests *requests;
};

static bool run_requests(struct job *base, struct store *store, struct err *err)
{
    struct requests_job *job = (struct requests_job *)base;

    (void)err;
    requests_read(job->requests, store->sources, job->heads, job->count);
    return true;
}

bool store_requests(struct store *store, struct message *const *heads, size_t count,
                    struct requests *requests, struct err *err)
{
    struct requests_job job = {
        .job.run = run_requests, .heads = heads, .count = count, .requests = requests};

    return store_run(store, &job.job, NULL, err);
}
