/* A filter: matches a query on heads at once, and on whole messages after they have been read. */
#include "ui/mail/filter.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "store/scan/load.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* --- known tags --- */

enum { TAGS_MOST = 500, FILES_MOST = 200 };

void tags_free(struct tags *tags)
{
    span_list_free(&tags->names);
    map_free(&tags->seen);
    arena_free(&tags->arena);
    *tags = (struct tags){0};
}

static void add_tag(struct tags *tags, struct span tag)
{
    bool fresh;

    if (!tag.len || tags->names.count == TAGS_MOST || map_get(&tags->seen, tag))
        return;
    tag = arena_copy(&tags->arena, tag);
    map_put(&tags->seen, tag, &fresh);
    span_list_add(&tags->names, tag);
}

void tags_take(struct tags *tags, const struct message *message)
{
    struct json_walk walk;
    struct json key, value;
    CLEANUP(arena_free) struct arena arena = {0};

    if (!message->data || !message->data->tags.len ||
        !json_open(&walk, message->data->tags, JSON_STRICT, NULL))
        return;
    while (json_next(&walk, &key, &value))
        if (value.kind == JSON_STRING)
            add_tag(tags, json_text(&arena, value));
}

static void take_batch(void *context, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        tags_take(context, &batch->items[i]);
    batch_free(batch);
}

void tags_read(struct tags *tags, const struct source *source)
{
    struct load load = {.inbox = true, .archive = true, .most = FILES_MOST, .want = WANT_DATA};
    struct err ignored; /* a source that cannot be read offers no tags */

    if (source->format->fields & FIELD_TAGS)
        load_source(source, &load, take_batch, tags, NULL, &ignored);
}

/* --- collecting them --- */

struct tags_task {
    struct ui_task task;
    struct tags tags;
};

static void tags_task_work(struct ui_task *task, struct store *store)
{
    struct tags_task *job = (struct tags_task *)task;

    for (size_t i = 0; i < store_source_count(store); i++)
        tags_read(&job->tags, store_source(store, i));
}

static void tags_task_done(struct ui_task *task, struct ui *ui)
{
    struct tags_task *job = (struct tags_task *)task;

    tags_free(&ui->tags.tags);
    /* count mail that arrived meanwhile as collected, so that the person need not wait again */
    ui->tags = (struct tags_known){.tags = job->tags, .number = ui_picture(ui)->number};
    job->tags = (struct tags){0};
    prompt_complete_again(ui);
}

static void task_free(struct ui_task *task)
{
    tags_free(&((struct tags_task *)task)->tags);
    free(task);
}

static void begin_filter(struct ui *ui)
{
    struct tags_task *job;

    if (ui->tags.asked)
        return;
    job = mem_zero(1, sizeof *job);
    job->task = (struct ui_task){.work = tags_task_work, .done = tags_task_done, .free = task_free};
    ui->tags.asked = true;
    ui_begin(ui, UI_READ, &job->task);
}

void tags_add(struct ui *ui, struct completion *completion)
{
    const struct span_list *names = &ui->tags.tags.names;

    completion->later = ui->tags.number != ui_picture(ui)->number;
    if (completion->later)
        begin_filter(ui);
    for (size_t i = 0; i < names->count; i++)
        complete_add(completion, names->items[i], (struct span){0}, 0);
}

/* A search of all files is repeated after a pause this many times as long as it took. */
enum { REST = 10 };

static void forget_found(struct filter *filter)
{
    map_free(&filter->found);
    arena_free(&filter->names);
    filter->found = (struct map){0};
    filter->names = (struct arena){0};
    str_clear(&filter->looked_for);
}

void filter_free(struct filter *filter)
{
    forget_found(filter);
    query_free(&filter->query);
    str_free(&filter->text);
    str_free(&filter->looked_for);
    *filter = (struct filter){0};
}

bool filter_set(struct filter *filter, struct span text, struct err *err)
{
    struct query query = {0};

    text = span_trim(text);
    if (!query_parse(&query, text, err, NULL)) {
        query_free(&query);
        return false;
    }
    query_free(&filter->query);
    filter->query = query;
    str_set(&filter->text, text);
    filter->vain_at = 0;
    return true;
}

/* True if there is a minus before a word, outside of quotes: it negates and is not part of the
 * word. */
static bool has_minus(struct span text)
{
    bool quoted = false;

    for (size_t i = 0; i + 1 < text.len; i++) {
        quoted ^= text.at[i] == '"';
        if (!quoted && text.at[i] == '-' && text.at[i + 1] != ' ' &&
            (!i || text.at[i - 1] == ' ' || text.at[i - 1] == '('))
            return true;
    }
    return false;
}

void filter_explain(const struct filter *filter, struct str *out)
{
    if (!has_minus(str_span(&filter->text)))
        return;
    str_puts(out, "read as: ");
    query_add_text(out, &filter->query);
    str_addf(out, "; \"%s\" in quotes is the text itself", str_c(&filter->text));
}

bool filter_is_on(const struct filter *filter)
{
    return filter->query.count > 0;
}

static bool is_deep(const struct filter *filter)
{
    return filter_is_on(filter) && query_wants(&filter->query);
}

static bool has_found(const struct filter *filter)
{
    return filter->looked_for.len &&
           span_eq(str_span(&filter->looked_for), str_span(&filter->text));
}

bool filter_is_running(const struct filter *filter)
{
    return is_deep(filter) && !has_found(filter) && !filter->vain_at;
}

/* --- searching the files --- */

struct filter_task {
    struct ui_task task;
    struct str text;
    struct map found;
    struct arena names;
    unsigned number;
    int64_t now_us, cost_us;
    struct filter *filter; /* the screen's; only for filter_task_done(), which is not called once
                            * the screen is closed */
    void (*taken)(struct screen *screen);
};

static bool message_matches(const struct sight *sight, const struct query *query, uint32_t number,
                            const char *layout, int64_t now_us)
{
    uint32_t ask = sight->asks.of[number], conversation = sight->conversations.of[number];
    struct query_context context = {
        .now_us = now_us,
        .layout = layout,
        .waiting = ask != REQUEST_NONE && request_waits(&sight->asks.items[ask]),
        .thread = conversation != CONVERSATION_NONE ? sight->conversations.items[conversation].id
                                                    : (struct span){0}};

    return query_match(query, sight->model->messages[number], &context);
}

static void find_matches(struct filter_task *job, struct store *store, const struct model *model,
                         const struct query *query)
{
    struct sight sight;
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    sight_build(&sight, model, NULL, job->now_us, true);
    for (uint32_t i = 0; i < model->count; i++) {
        const char *layout = store_source(store, model->messages[i]->place->source)->format->name;
        if (!message_matches(&sight, query, i, layout, job->now_us))
            continue;
        str_clear(&key);
        picture_add_key(&key, model->messages[i]);
        map_put_copy(&job->found, &job->names, str_span(&key), &fresh);
    }
    sight_free(&sight);
}

static void filter_task_work(struct ui_task *task, struct store *store)
{
    struct filter_task *job = (struct filter_task *)task;
    struct model model = {0};
    struct query query = {0};
    struct err err;
    int64_t begun_us = time_steady();

    job->task.ok = query_parse(&query, str_span(&job->text), &err, NULL);
    struct load load = {.inbox = true, .archive = true, .want = query_wants(&query)};
    job->task.ok = job->task.ok && store_load(store, &load, &model, &err);
    if (job->task.ok)
        find_matches(job, store, &model, &query);
    model_free(&model);
    query_free(&query);
    job->cost_us = time_steady() - begun_us;
}

static void filter_task_done(struct ui_task *task, struct ui *ui)
{
    struct filter_task *job = (struct filter_task *)task;
    struct screen *screen = ui_screen(ui, task->screen);
    struct filter *filter = job->filter;

    filter->looking = false;
    filter->ended_us = time_steady();
    filter->cost_us = job->cost_us;
    if (!job->task.ok) {
        filter->vain_at = job->number;
        ui_failf(ui, "the files could not be searched; subjects and names were");
    } else {
        forget_found(filter);
        filter->found = job->found;
        filter->names = job->names;
        job->found = (struct map){0};
        job->names = (struct arena){0};
        str_add_span(&filter->looked_for, str_span(&job->text));
        filter->looked_at = job->number;
    }
    job->taken(screen);
}

static void filter_task_free(struct ui_task *task)
{
    struct filter_task *job = (struct filter_task *)task;

    str_free(&job->text);
    map_free(&job->found);
    arena_free(&job->names);
    free(job);
}

static bool is_wanted(const struct filter *filter, struct ui *ui)
{
    return is_deep(filter) && !filter->looking && filter->vain_at != ui_picture(ui)->number &&
           (!has_found(filter) || filter->looked_at != ui_picture(ui)->number);
}

int64_t filter_due_us(const struct filter *filter, struct ui *ui)
{
    if (!is_wanted(filter, ui))
        return TIME_NONE;
    return has_found(filter) ? time_left(filter->ended_us + filter->cost_us * REST) : 0;
}

void filter_start(struct filter *filter, struct screen *screen,
                  void (*taken)(struct screen *screen))
{
    if (filter_due_us(filter, screen->ui) != 0)
        return;
    struct filter_task *job = mem_zero(1, sizeof *job);
    *job = (struct filter_task){.task = {.work = filter_task_work,
                                         .done = filter_task_done,
                                         .free = filter_task_free,
                                         .screen = screen->id},
                                .number = ui_picture(screen->ui)->number,
                                .now_us = ui_now(screen->ui),
                                .filter = filter,
                                .taken = taken};
    str_add_span(&job->text, str_span(&filter->text));
    filter->looking = true;
    ui_begin(screen->ui, UI_READ, &job->task);
}

/* --- matching --- */

/* `number` is the index of the message in the model. */
static bool lets_through(const struct filter *filter, struct ui *ui, uint32_t number)
{
    const struct sight *sight = &ui_picture(ui)->sight;
    const struct message *message = sight->model->messages[number];
    CLEANUP(str_free) struct str key = {0};

    if (!filter_is_on(filter))
        return true;
    if (!has_found(filter) || !is_deep(filter))
        return message_matches(sight, &filter->query, number,
                               ui_source(ui, message->place->source)->format->name, ui_now(ui));
    picture_add_key(&key, message);
    return map_get(&filter->found, str_span(&key)) != NULL;
}

bool filter_matches_conversation(const struct filter *filter, struct ui *ui,
                                 const struct conversation *conversation)
{
    const struct conversations *conversations = &ui_picture(ui)->sight.conversations;

    if (!filter_is_on(filter))
        return true;
    for (uint32_t i = 0; i < conversation->count; i++)
        if (lets_through(filter, ui, conversations->order[conversation->first + i]))
            return true;
    return false;
}
