/* Reading through the store: everything that matches a load, or one message again. */
#include "store/store_read.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/render/render.h"
#include "store/scan/head_cache.h"
#include "store/scan/reader_pool.h"
#include "store/source/address.h"
#include "store/store_private.h"

/* Mail that waits for an agent. */

struct load checking_load(const struct checking *checking)
{
    return (struct load){.inbox = true,
                         .agent = checking->agent,
                         .ours = !checking->agent.at,
                         .as_reader = true,
                         .viewer = checking->agent,
                         .want_shared = WANT_DATA | WANT_BODY};
}

bool checking_is_addressed(const struct store *store, const struct message *message,
                           struct span agent)
{
    if (!agent.at)
        return message_for_us(message);
    return !store_source(store, message->place->source)->format->exact_to ||
           span_eq(message->to, agent);
}

static bool is_routed(const struct store *store, const struct message *message)
{
    return store_source(store, message->place->source)->format->storage == STORAGE_ARRAY &&
           protocol_is_routed(protocol_kind_find(message->type));
}

bool checking_matches(const struct store *store, const struct message *message,
                      const struct checking *checking)
{
    return !message->damaged && checking_is_addressed(store, message, checking->agent) &&
           !(checking->plain && is_routed(store, message)) &&
           (!checking->unread || message->status == STATUS_UNREAD) &&
           (!checking->types.count || span_list_has(&checking->types, message->type)) &&
           message->priority >= checking->least && !message_expired(message, checking->now_us);
}

static void take_batch(void *context, struct batch *batch)
{
    model_add(context, batch);
}

/* True if the agent's name cannot exist in this source. With several sources that source is skipped
 * instead of failing. */
static bool is_impossible(const struct store *store, const struct source *source, struct span agent)
{
    CLEANUP(str_free) struct str box = {0};

    return agent.at && store->source_count != 1 && !format_spell(source->format, agent, 0, &box);
}

/* Loads through the cache, which holds heads only. A new cache is written only by a load that reads
 * all heads. */
static bool load_cached(struct store *store, struct source *source, struct load *load,
                        struct model *model, struct err *err)
{
    bool heads = !reader_wants(source, load->want, load->want_shared);
    bool all = load->inbox && load->archive && !load->agent.at && !load->most && !load->hasty;

    load->cache = heads ? cache_open(source, store->log) : NULL;
    load->writer = heads && all && !store->readonly ? cache_write_begin(source, load->cache) : NULL;
    return load_begin(source, load, take_batch, model, store->log, &store->unfinished, err);
}

/* Appends who we are in a source, as an address. */
static void add_self(struct str *out, const struct source *source)
{
    str_puts(out, source->identity);
    if (source->team)
        str_addf(out, "@%s", source->team);
}

static bool load_all(struct store *store, const struct load *load, struct model *model,
                     struct err *err)
{
    struct load with_state = *load;
    CLEANUP(str_free) struct str self = {0};

    with_state.only_source = store->source_count == 1;
    with_state.state = store_state_to_read(store);
    bool ok = true;
    for (size_t i = 0; ok && i < store->source_count; i++) {
        if (load->ours) {
            str_clear(&self);
            add_self(&self, &store->sources[i]);
            with_state.agent = str_span(&self);
        }
        if (!is_impossible(store, &store->sources[i], load->agent))
            ok = load_cached(store, &store->sources[i], &with_state, model, err);
    }
    return ok;
}

bool store_be_one(struct store *store, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < store->source_count; i++)
        ok = address_narrow(&store->sources[i], err);
    return ok;
}

void store_own_only(struct store *store)
{
    store->own_only = true;
}

static size_t keep_own(struct message **messages, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (messages[i]->mine || messages[i]->by_us || message_hides_ours(messages[i]))
            messages[kept++] = messages[i];
    return kept;
}

/* Drops messages of the other folder that were read only for settling: another message with that
 * id, or a damaged file with that name, was not requested. A file that cannot be read is kept,
 * because its content is unknown. */
static size_t keep_asked(struct message **messages, size_t count, const struct load *load)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const struct message *message = messages[i];
        bool asked = message->place->archived ? load->archive : load->inbox;
        if (asked || message->unread_bytes || message->flags & MESSAGE_IN_BOTH)
            messages[kept++] = messages[i];
    }
    return kept;
}

static void note_unread(const struct model *model)
{
    CLEANUP(str_free) struct str path = {0};

    for (size_t i = 0; i < model->count; i++) {
        if (!model->messages[i]->unread_bytes)
            continue;
        str_clear(&path);
        message_add_path(&path, model->messages[i], true);
        io_error_note(IO_ERROR_MAIL, str_c(&path), model->messages[i]->damaged);
    }
}

static void *finish_loads(void *context)
{
    load_finish(&((struct store *)context)->unfinished);
    return NULL;
}

bool store_load(struct store *store, const struct load *load, struct model *model, struct err *err)
{
    store_finish_loads(store);
    bool ok = load_all(store, load, model, err);
    if (!store->worker && load_leaves_work(store->unfinished))
        store->finishing.running =
            parallel_start(&store->finishing.thread, finish_loads, store) == 0;
    model_settle(model);
    model->count = keep_asked(model->messages, model->count, load);
    if (store->own_only && !load->everyone) {
        model->count = keep_own(model->messages, model->count);
        model->double_count = keep_own(model->doubles, model->double_count);
    }
    note_unread(model);
    return ok;
}

struct message *store_fetch(struct store *store, const struct message *message, struct batch *batch,
                            struct err *err)
{
    const struct source *source = &store->sources[message->place->source];
    size_t first = batch->count;

    if (!load_again(source, message, WANT_DATA | WANT_BODY, store_state_to_read(store), batch, err))
        return NULL;
    struct message *whole = batch_find(batch, first, message);
    if (whole) {
        load_take_marks(whole, message, &batch->arena);
        return whole;
    }
    err_set(err, ERR_ABSENT, "%s: it holds another message now", message->file.at);
    return NULL;
}

bool store_raw(struct store *store, const struct message *message, struct str *bytes,
               struct err *err)
{
    return load_raw(&store->sources[message->place->source], message, store_state_to_read(store),
                    bytes, err);
}

void store_add_json(const struct store *store, struct str *out, const struct message *message)
{
    const struct source *source = store_source(store, message->place->source);
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, true);
    render_json(out, message, source->format->name, span_of(source->path), str_span(&path));
}
