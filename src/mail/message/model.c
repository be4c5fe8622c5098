/* The model: taking over batches, and finding messages. */
#include "mail/message/model.h"

#include "base/mem.h"
#include "base/text/nearest.h"

#include <stdlib.h>

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->batch_count; i++)
        batch_free(&model->batches[i]);
    free(model->batches);
    free(model->messages);
    free(model->doubles);
    same_ids_free(&model->same);
    *model = (struct model){0};
}

void model_add(struct model *model, struct batch *batch)
{
    batch_finish(batch);
    model->messages = mem_grow(model->messages, &model->cap, model->count + batch->count,
                               sizeof *model->messages);
    for (size_t i = 0; i < batch->count; i++)
        model->messages[model->count++] = &batch->items[i];
    model->batches =
        mem_grow(model->batches, &model->batch_cap, model->batch_count + 1, sizeof *model->batches);
    model->batches[model->batch_count++] = *batch;
    *batch = (struct batch){0};
}

/* Whether an absolute path as `messages --json` shows it, or its end, names the message's file. */
static bool is_path_of(const struct message *message, struct span path, struct str *scratch)
{
    const char *end = message->file.at;
    struct str part = {0};

    if (message->raw_len) { /* one of several in the file */
        message_add_part(&part, message);
        end = str_c(&part);
    }
    bool same = span_ends(path, end);
    str_free(&part);
    if (!same)
        return false;
    str_clear(scratch);
    message_add_name(scratch, message, path.at[0] == '/');
    struct span whole = str_span(scratch);
    size_t before = path.len - whole.len; /* only used when the path is long enough */
    return path.at[0] == '/' ? span_eq(path, whole)
                             : path.len >= whole.len && span_ends(path, whole.at) &&
                                   (!before || path.at[before - 1] == '/');
}

static bool say_ambiguous(const struct model *model, struct span id, size_t matches,
                          struct err *err)
{
    struct str some = {0};
    size_t shown = 0, whole = 0;

    for (size_t i = 0; i < model->count && shown < 4; i++) {
        const struct message *message = model->messages[i];
        if (!span_starts(message->id, id))
            continue;
        str_puts(&some, shown++ ? ", " : "");
        message_add_name(&some, message, false);
        if (message->id.len > id.len)
            continue;
        whole++;
        str_puts(&some, " is ");
        model_add_exact_id(&some, message);
    }
    err_set(err, ERR_REFUSED,
            "\"%.*s\" is the id, or its start, of %zu messages (%s%s): give %s or the path",
            (int)id.len, id.at, matches, str_c(&some), matches > shown ? ", ..." : "",
            whole ? "ID~DIGITS" : "more of it");
    str_free(&some);
    return false;
}

void model_add_exact_id(struct str *out, const struct message *message)
{
    str_add_span(out, message->id);
    str_addf(out, "~%08x", message->content);
}

/* Whether it is ID~CONTENT, with as many digits of the content as were given. */
static bool is_exact_id_of(const struct message *message, struct span id, struct str *scratch)
{
    if (message->damaged || id.len < message->id.len + 2)
        return false;
    str_clear(scratch);
    model_add_exact_id(scratch, message);
    return span_starts(str_span(scratch), id);
}

static struct message *find_exact(const struct model *model, struct span id)
{
    struct message *found = NULL;
    struct str scratch = {0};
    size_t count = 0;

    for (size_t i = 0; memchr(id.at, '~', id.len) && i < model->count; i++) {
        if (!is_exact_id_of(model->messages[i], id, &scratch))
            continue;
        found = model->messages[i];
        count++;
    }
    str_free(&scratch);
    return count == 1 ? found : NULL;
}

static bool is_shared_file(const struct model *model, struct span path)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->raw_len && span_ends(path, model->messages[i]->file.at))
            return true;
    return false;
}

static void say_unknown(const struct model *model, struct span id, struct err *err)
{
    struct span *ids = mem_alloc((model->count + 1) * sizeof *ids);
    struct str near = {0};

    for (size_t i = 0; i < model->count; i++)
        ids[i] = model->messages[i]->id;
    nearest_slip(&near, id, ids, model->count);
    err_set(err, ERR_ABSENT, "no message has the id \"%.*s\", whole or as its start%s", (int)id.len,
            id.at, str_c(&near));
    str_free(&near);
    free(ids);
}

static void say_not_found(const struct model *model, struct span id, size_t count,
                          size_t file_count, struct err *err)
{
    if (count)
        say_ambiguous(model, id, count, err);
    else if (file_count)
        err_set(err, ERR_REFUSED,
                "\"%.*s\" is the file of %zu messages: give the whole path, or an id", (int)id.len,
                id.at, file_count);
    else if (is_shared_file(model, id))
        err_set(err, ERR_REFUSED, "\"%.*s\" holds several messages: add # and the id of one",
                (int)id.len, id.at);
    else
        say_unknown(model, id, err);
    err_about(err, "id");
}

struct message *model_find(const struct model *model, struct span id, struct err *err)
{
    struct message *exact = NULL, *start = NULL, *file = NULL;
    size_t exact_count = 0, start_count = 0, file_count = 0;
    struct str scratch = {0};

    for (size_t i = 0; id.len && i < model->count; i++) {
        struct message *message = model->messages[i];
        if (is_path_of(message, id, &scratch)) {
            if (file && file->place->local && !message->place->local)
                file_count = 0; /* a copy that is kept here only remembers the name */
            else if (file && message->place->local && !file->place->local)
                continue;
            file = message;
            file_count++;
        }
        if (!span_starts(message->id, id))
            continue;
        start = message;
        start_count++;
        if (message->id.len == id.len) {
            if (exact && exact->damaged && !message->damaged)
                exact_count = 0; /* a damaged file only claims the id */
            else if (exact && !exact->damaged && message->damaged)
                continue;
            exact = message;
            exact_count++;
        }
    }
    for (size_t i = 0; id.len && i < model->double_count; i++) {
        if (is_path_of(model->doubles[i], id, &scratch)) {
            file = model->doubles[i];
            file_count++;
        }
    }
    str_free(&scratch);
    if (!file_count && !start_count)
        exact = find_exact(model, id);
    if (exact && !start_count)
        return exact;
    if (file_count == 1)
        return file;
    if (exact_count == 1)
        return exact;
    if (exact_count == 0 && start_count == 1)
        return start;
    say_not_found(model, id, exact_count ? exact_count : start_count, file_count, err);
    return NULL;
}

struct message *model_inbox_copy(const struct model *model, struct message *message)
{
    if (!message->place->archived)
        return message;
    for (size_t i = 0; i < model->double_count; i++) {
        struct message *other = model->doubles[i];
        if (!other->place->archived && other->content == message->content &&
            span_eq(other->id, message->id) && span_eq(other->place->box, message->place->box) &&
            span_eq(other->place->team, message->place->team) &&
            other->place->source == message->place->source)
            return other;
    }
    return NULL;
}
