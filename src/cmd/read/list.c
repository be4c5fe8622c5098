/* list: the conversations, most pressing first. */
#include "base/text/suggest.h"
#include "cmd/app_options.h"
#include "cmd/mail_filter.h"
#include "cmd/words.h"
#include "mail/render/render_list.h"

static const struct option_spec options[] = {
    {"archive", .help = "only what is archived as a whole"},
    {"all", .help = "also that, and what has expired"},
    {"limit", "N", .help = "at most this many"},
    {"scope", "SCOPE", .kinds = WORD_AGENT, .word = words_scope,
     .help = "mine, all or AGENT[@TEAM]"},
    {0},
};

/* The conversations to show, and the data that they come from. */
struct view {
    struct mail_view mail;
    struct attention order;
    struct scope scope;
};

static void view_free(struct view *view)
{
    inbox_order_free(&view->order);
    mail_view_free(&view->mail);
}

static bool read_view(struct app *app, struct view *view)
{
    struct span scope = app_text(app, "scope");

    if (!mail_view_query(&view->mail))
        return false;
    if (scope.at)
        view->scope = scope_read(scope);
    if (app_has(app, "archive") && app_has(app, "all"))
        app_misused(app, "--archive and --all exclude each other");
    else if (scope.at && !scope.len)
        app_misused(app, "--scope takes mine, all or the name of an agent");
    else
        return true;
    return false;
}

static bool is_shown(const struct app *app, const struct view *view,
                     const struct conversation *conversation)
{
    bool in_view = app_has(app, "all") || conversation->archived == app_has(app, "archive") ||
                   querying_archive(&view->mail.querying);

    return in_view && querying_match_conversation(&view->mail.querying,
                                                  &view->mail.sight.conversations, conversation);
}

/* Removes the conversations that are not shown from the order. */
static void choose_conversations(const struct app *app, struct view *view)
{
    struct attention *order = &view->order;
    size_t kept = 0;

    memset(order->counts, 0, sizeof order->counts);
    for (size_t i = 0; i < order->count; i++) {
        const struct conversation *conversation =
            &view->mail.sight.conversations.items[order->conversations[i]];
        if (!is_shown(app, view, conversation))
            continue;
        order->counts[inbox_order_group(&view->mail.sight.conversations, conversation)]++;
        order->conversations[kept++] = order->conversations[i];
    }
    order->count = kept;
}

static bool build_view(const struct app *app, struct view *view, struct err *err)
{
    struct mail_view *mail = &view->mail;
    bool expired = app_has(app, "all") || query_names(&mail->querying.query, "is", "expired");

    if (!mail_view_load(mail, &load_everything, err) || !mail_view_derive(mail, expired, err))
        return false;
    inbox_order_build(&view->order, &mail->sight.conversations, &view->scope);
    choose_conversations(app, view);
    return true;
}

/* Returns the number of lines to print. On a terminal without --limit that is what fits, so that
 * conversations that need the person do not scroll away; but never fewer than those. */
static size_t lines_wanted(const struct app *app, const struct view *view)
{
    const size_t *counts = view->order.counts;
    size_t pressing = counts[INBOX_ORDER_NEEDS] + counts[INBOX_ORDER_UNREAD];
    size_t rows = app_rows(app), headings = 1; /* one line for the shell prompt */

    for (size_t i = 0; i < INBOX_ORDER_GROUPS; i++)
        headings += counts[i] > 0;
    if (!rows || app_has(app, "limit") || app_json(app))
        return view->mail.limit;
    size_t room = rows > headings + 1 ? rows - headings - 1 : 1;
    return pressing > room ? pressing : room;
}

static void put_view(const struct app *app, const struct view *view)
{
    size_t most = lines_wanted(app, view);
    struct render_options style = app_render_options(app);
    struct render_conversations list = {.conversations = &view->mail.sight.conversations,
                                        .order = &view->order,
                                        .most = most,
                                        .columns = app_columns(app),
                                        .headings = app->to_terminal};
    CLEANUP(str_free) struct str text = {0};

    if (!app_json(app))
        render_conversations(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < view->order.count && i < view->mail.limit; i++)
        render_conversation_json(
            &text, &view->mail.sight.conversations,
            &view->mail.sight.conversations.items[view->order.conversations[i]], style.now_us);
    app_put(app, &text);
    if (most < view->order.count && !app_has(app, "limit"))
        app_note(app, "%zu more; all of them with list --limit %zu", view->order.count - most,
                 view->order.count);
}

/* Appends a hint with the names in the mail that `agent` may be a misspelling of. */
static void add_near(struct str *near, const struct model *model, struct span agent)
{
    CLEANUP(span_list_free) struct span_list names = {0};

    for (size_t i = 0; i < model->count; i++) {
        span_list_add(&names, message_recipient(model->messages[i]));
        span_list_add(&names, model->messages[i]->from);
    }
    suggest_hint(near, agent, names.items, names.count);
}

static void say_nothing(const struct app *app, const struct view *view)
{
    struct span agent = view->scope.agent;
    CLEANUP(str_free) struct str near = {0};

    if (agent.at)
        add_near(&near, &view->mail.model, agent);
    if (!view->mail.model.count)
        app_note(app, "there is no mail");
    else if (view->mail.querying.text.len)
        app_note(app, "nothing matches \"%s\"%s", str_c(&view->mail.querying.text),
                 app_has(app, "all") || app_has(app, "archive") ? "" : "; see also list --all");
    else if (agent.at)
        app_note(app, "nothing from or to \"%.*s\"%s", (int)agent.len, agent.at, str_c(&near));
    else if (view->scope.mine)
        app_note(app, "nothing from or to you; see also list --scope all");
    else if (app_has(app, "archive"))
        app_note(app, "nothing is archived as a whole");
    else
        app_note(app, "everything is archived or has expired; see also list --all");
}

/* Returns true if the list has more than the messages that represent unreadable places. */
static bool has_messages(const struct app *app, const struct view *view)
{
    const struct conversations *conversations = &view->mail.sight.conversations;

    for (size_t i = 0; i < view->order.count; i++)
        if (!unreadable_is_place(
                app, conversation_message(conversations,
                                          &conversations->items[view->order.conversations[i]], 0)))
            return true;
    return false;
}

static int show_view(const struct app *app, const struct view *view)
{
    if (view->order.count)
        put_view(app, view);
    int code = unreadable_report(app, &view->mail.places, has_messages(app, view));
    if (code == EXIT_NOTHING)
        say_nothing(app, view);
    return code;
}

static int run_list(struct app *app)
{
    CLEANUP(view_free) struct view view = {.mail.app = app};
    struct err err;

    if (!read_view(app, &view))
        return EXIT_USAGE;
    return build_view(app, &view, &err) ? show_view(app, &view) : app_fail(app, &err);
}

const struct command command_list = {.name = "list",
                                     .operands = "[QUERY]",
                                     .takes = {{.kinds = WORD_QUERY, .more = true}},
                                     .summary = "conversations, most pressing first",
                                     .options = options,
                                     .most = -1,
                                     .run = run_list};
