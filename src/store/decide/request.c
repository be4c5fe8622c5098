/* Requests: read, summed up and judged. */
#include "store/decide/request.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "store/decide/request_judge.h"
#include "store/scan/load.h"
#include "store/scan/stamp.h"
#include "store/store_private.h"

#include <sha256.h>
#include <stdlib.h>
#include <unistd.h>

/* The requests of a file that have one request id. */
struct namesakes {
    uint32_t first; /* of its messages */
    bool differ;    /* in their bytes */
};

struct request_file {
    const struct source *source;
    struct str bytes;
    struct batch batch;
    struct file_id id;
    const struct err *err; /* NULL: it was read */
    struct map ids;        /* to the first message of each; empty where they are not indexed */
    struct map threads;    /* to a number among the namesakes */
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

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->count; i++)
        span_list_free(&requests->items[i].flags);
    for (size_t i = 0; i < requests->file_count; i++)
        file_free(&requests->files[i]);
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

static void sum_message(const struct request_file *file, uint32_t index,
                        char sha256[REQUEST_SUM + 1])
{
    sum_up(file->source->format, message_raw(&file->batch.items[index], str_span(&file->bytes)),
           sha256);
}

/* Notes a message under its request id. */
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

/* An inbox may hold very many requests, and each of them is looked up. */
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

/* An error takes a thousand bytes, and nearly nothing fails. */
static const struct err *keep_err(struct arena *arena, const struct err *err)
{
    struct err *kept = arena_alloc(arena, sizeof *kept);

    *kept = *err;
    return kept;
}

static struct request_file *open_file(struct requests *requests, struct map *numbers,
                                      const struct source *source, const struct message *head)
{
    uint32_t *number = number_of(numbers, head, &requests->arena);
    struct err err;

    if (number && *number)
        return &requests->files[*number - 1];
    if (number)
        *number = (uint32_t)requests->file_count + 1;
    requests->files = mem_grow(requests->files, &requests->file_cap, requests->file_count + 1,
                               sizeof *requests->files);
    struct request_file *file = &requests->files[requests->file_count++];
    *file = (struct request_file){.source = source};
    if (load_file(source, head, true, &file->bytes, &file->batch, &file->id, &err) == FILE_OK)
        index_messages(file);
    else
        file->err = keep_err(&requests->arena, &err);
    return file;
}

static struct message *find(const struct request_file *file, const struct message *head)
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

/* Another request of the same name in the same box: an answer would be taken for both. */
static bool has_double(const struct request_file *file, const struct request *request)
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

/* False when it is not in the file. */
static bool fill(struct request *request, struct request_file *file, const struct message *head)
{
    request->message = find(file, head);
    if (!request->message)
        return false;
    load_take_marks(request->message, head, &file->batch.arena);
    request->file = file->id;
    /* not by the time of the last write, which anybody can set back */
    request->settled = when_now() - file->id.ctime_ns / 1000 > STAMP_MARGIN_NS / 1000;
    request->raw = message_raw(request->message, str_span(&file->bytes));
    request->at = (size_t)(request->raw.at - file->bytes.at);
    sum_up(file->source->format, request->raw, request->sha256);
    return true;
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
        struct err err;
        if (file->err) {
            request->err = file->err;
        } else if (fill(request, file, heads[i])) {
            request_judge(&judge, source, request, file->id.uid, has_double(file, request));
        } else {
            say_absent(heads[i], &err);
            request->err = keep_err(&requests->arena, &err);
        }
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
        load_file(source, head, wait, &file.bytes, &file.batch, &file.id, err);

    if (result == FILE_OK && !fill(&now, &file, head))
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
    file_free(&file);
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
