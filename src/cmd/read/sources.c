/* sources: lists the sources, their layouts, contents and problems. */
#include "cmd/read/sources.h"

#include "base/json/json_print.h"
#include "base/str.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "cmd/app.h"
#include "cmd/mail_filter.h"

/* The check of the name that --as gives. */

/* Returns true if the source knows the name. An ambiguous name counts as known. If no agent can
 * have the name in this source, the others decide. */
static bool is_known(struct store *store, uint32_t index, struct span name)
{
    const struct source *source = store_source(store, index);
    CLEANUP(arena_free) struct arena arena = {0};
    struct address address;
    struct err ignored;

    bool known = span_is(name, source->format->identity);
    if (!known && source_has_name(source))
        known = !store_address(store, index, name, &address, &arena, &ignored) || address.has_box ||
                address.on_roster;
    return known;
}

void identity_check_add_names(struct span_list *names, struct store *store, uint32_t index,
                              struct span typed, struct arena *arena)
{
    bool teams = format_has_teams(store_source(store, index)->format);
    char mark = teams ? '@' : '/';
    bool whole = memchr(typed.at, mark, typed.len) != NULL;
    CLEANUP(agent_names_free) struct agent_names known = {0};
    struct err ignored;

    store_names(store, index, &known, &ignored);
    for (size_t i = 0; i < known.count; i++) {
        const struct agent_name *one = &known.items[i];
        struct span parts[] = {teams ? one->name : one->team, teams ? one->team : one->name};
        CLEANUP(str_free) struct str text = {0};
        if (whole && one->team.len)
            str_addf(&text, "%.*s%c%.*s", (int)parts[0].len, parts[0].at, mark, (int)parts[1].len,
                     parts[1].at);
        else
            str_add_span(&text, one->name);
        span_list_add(names, arena_copy(arena, str_span(&text)));
    }
}

/* Returns true if any message is by us. Called last, because it loads all messages. */
static bool has_written(struct store *store)
{
    CLEANUP(model_free) struct model model = {0};
    struct err ignored;
    bool found = false;

    if (store_load(store, &load_everything, &model, &ignored))
        for (size_t i = 0; i < model.count; i++)
            found |= model.messages[i]->by_us;
    return found;
}

void identity_check_add_doubt(struct str *out, struct store *store, struct span name)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str near = {0};
    bool known = false;

    for (uint32_t i = 0; !known && i < store_source_count(store); i++) {
        known = is_known(store, i, name);
        identity_check_add_names(&names, store, i, name, &arena);
        span_list_add(&names, span_of(store_source(store, i)->format->identity));
    }
    if (!known)
        suggest_slip(&near, name, names.items, names.count);
    if (near.len && !has_written(store))
        str_addf(out, "nobody is called \"%.*s\" here%s; going on as \"%.*s\"", (int)name.len,
                 name.at, str_c(&near), (int)name.len, name.at);
}

/* Labels of sources in lists. */

void source_label_see(struct naming *naming, struct span format, struct span root)
{
    if (!root.len)
        return;
    if (!naming->format.at) {
        naming->format = format;
        naming->root = root;
    }
    naming->several |= !span_eq(naming->format, format) || !span_eq(naming->root, root);
}

bool source_label_needed(const struct naming *naming)
{
    return naming->several || store_source_count(naming->app->store) > 1;
}

void source_label_add(struct str *out, const struct app *app, struct span format, struct span root)
{
    size_t alike = 0, same = 0;

    for (size_t i = 0; i < store_source_count(app->store); i++) {
        const struct source *source = store_source(app->store, i);
        alike += span_is(format, source->format->name);
        same += span_is(format, source->format->name) && span_is(root, source->path);
    }
    str_add_span(out, format);
    if (alike == 1 && same)
        return;
    str_putc(out, ':');
    str_add_span(out, root);
}

/* Counts for one source. */
struct count_totals {
    size_t messages, unread, archived, damaged, flagged;
    size_t boxes, teams, members, tasks;
};

static void count_messages(const struct model *model, uint32_t source, struct count_totals *tally)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source != source)
            continue;
        tally->damaged += message->damaged != NULL;
        tally->flagged += message->flags != 0;
        if (message->place->archived)
            tally->archived++;
        else
            tally->messages++;
        tally->unread += !message->damaged && message_is_unread(message);
    }
}

/* Counts names, which are sorted by team, boxes before rosters. */
static void count_names(const struct agent_names *names, struct count_totals *tally)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *name = &names->items[i];
        bool known = false;
        for (size_t k = 0; !known && k < i; k++)
            known = span_eq(names->items[k].team, name->team);
        tally->teams += name->team.at && !known;
        tally->boxes += !name->on_roster;
        tally->members += name->on_roster;
    }
}

static void put_json(struct str *out, const struct source *source, const struct count_totals *tally)
{
    str_puts(out, "{\"v\":1");
    json_member_word(out, "format", source->format->name);
    json_member_word(out, "path", source->path);
    json_member_word(out, "identity", source->identity);
    json_member_count(out, "messages", tally->messages);
    json_member_count(out, "unread", tally->unread);
    json_member_count(out, "archived", tally->archived);
    json_member_count(out, "damaged", tally->damaged);
    json_member_count(out, "flagged", tally->flagged);
    json_member_count(out, "boxes", tally->boxes);
    json_member_count(out, "teams", tally->teams);
    json_member_count(out, "members", tally->members);
    json_member_count(out, "tasks", tally->tasks);
    if (source->lasts_us)
        json_member_number(out, "keeps_seconds", source->lasts_us / 1000000);
    else
        json_member_null(out, "keeps_seconds");
    json_member_word(out, "timezone", source->zone_name);
    json_member_word(out, "problem", source->problem);
    str_puts(out, "}\n");
}

static void put_text(struct str *out, const struct source *source, const struct count_totals *tally,
                     unsigned clean)
{
    str_addf(out, "%-8s ", source->format->name);
    sanitize_add(out, span_of(source->path), clean);
    str_puts(out, "\n         as ");
    sanitize_add(out, span_of(source->identity), clean);
    if (source->team) {
        str_putc(out, '@');
        sanitize_add(out, span_of(source->team), clean);
    }
    if (source->zone_name)
        str_addf(out, "; times in %s", source->zone_name);
    if (tally->teams)
        str_addf(out, "; %zu team%s", tally->teams, tally->teams == 1 ? "" : "s");
    if (tally->boxes)
        str_addf(out, "; %zu mailbox%s", tally->boxes, tally->boxes == 1 ? "" : "es");
    if (tally->members)
        str_addf(out, "; %zu on the roster", tally->members);
    if (tally->tasks)
        str_addf(out, "; %zu task%s", tally->tasks, tally->tasks == 1 ? "" : "s");
    str_addf(out, "\n         %zu message%s, %zu unread, %zu archived", tally->messages,
             tally->messages == 1 ? "" : "s", tally->unread, tally->archived);
    if (source->lasts_us) {
        str_puts(out, ", kept for ");
        time_add_age(out, source->lasts_us);
    }
    str_putc(out, '\n');
    if (tally->damaged)
        str_addf(out, "         ! %zu damaged: swarmutt messages --all shows them\n",
                 tally->damaged);
    if (tally->flagged)
        str_addf(out, "         ! %zu with something odd: swarmutt show says what\n",
                 tally->flagged);
    if (source->problem) {
        str_puts(out, "         ! ");
        sanitize_add(out, span_of(source->problem), clean);
        str_putc(out, '\n');
    }
}

static int run_sources(struct app *app)
{
    CLEANUP(model_free) struct model model = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!app_load(app, &load_everything, &model, &err))
        code = app_fail(app, &err);
    for (uint32_t i = 0; code == EXIT_DONE && i < store_source_count(app->store); i++) {
        const struct source *source = store_source(app->store, i);
        CLEANUP(agent_names_free) struct agent_names names = {0};
        CLEANUP(tasks_free) struct tasks tasks = {0};
        struct count_totals tally = {0};
        count_messages(&model, i, &tally);
        if (store_names(app->store, i, &names, &err) && store_tasks(app->store, i, &tasks, &err))
            count_names(&names, &tally);
        else
            code = app_fail(app, &err);
        tally.tasks = tasks.count;
        if (app_json(app))
            put_json(&text, source, &tally);
        else
            put_text(&text, source, &tally, app->clean);
    }
    app_put(app, &text);
    unreadable_report_mail(app);
    return code;
}

const struct command command_sources = {.name = "sources",
                                        .summary = "which mailboxes were found, and how they are",
                                        .run = run_sources};
