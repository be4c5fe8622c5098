/* count: counts the mail that waits for an agent or for the person. */
#include "cmd/app.h"
#include "cmd/mail_filter.h"
#include "cmd/words.h"

static const struct option_spec options[] = {
    {"format", "FORMAT", .word = words_count, .help = "text, json, or tmux for its status line"},
    {0},
};

enum shape { SHAPE_TEXT, SHAPE_JSON, SHAPE_TMUX }; /* in the order of words_count() */

/* Appends a line such as "3! 12 new 1 stuck". Leaves out zero counts, so that an empty status line
 * means that nothing waits. A question mark follows if unreadable places may contain more. */
static void add_tmux(struct str *line, size_t pressing, size_t fresh, size_t stuck,
                     size_t unreadable)
{
    if (pressing)
        str_addf(line, "#[bold,reverse]%zu!#[default]", pressing);
    if (fresh)
        str_addf(line, "%s%zu new", line->len ? " " : "", fresh);
    if (stuck)
        str_addf(line, "%s%zu stuck", line->len ? " " : "", stuck);
    if (unreadable)
        str_puts(line, line->len ? " ?" : "?");
    if (line->len)
        str_putc(line, '\n');
}

static void add_unreadable(struct str *line, size_t unreadable, enum shape shape)
{
    if (shape == SHAPE_JSON)
        str_addf(line, ",\"unreadable\":%zu}\n", unreadable);
    else if (unreadable)
        str_addf(line, "  unreadable %zu\n", unreadable);
    else
        str_putc(line, '\n');
}

static void put_agent(const struct app *app, const size_t *counts, size_t total, size_t unreadable,
                      enum shape shape)
{
    CLEANUP(str_free) struct str line = {0};

    if (shape == SHAPE_TMUX) {
        add_tmux(&line, counts[PRIORITY_URGENT], total - counts[PRIORITY_URGENT], 0, unreadable);
    } else {
        str_addf(&line,
                 shape == SHAPE_JSON
                     ? "{\"v\":1,\"urgent\":%zu,\"high\":%zu,\"normal\":%zu,\"low\":%zu,"
                       "\"total\":%zu"
                     : "urgent %zu  high %zu  normal %zu  low %zu  total %zu",
                 counts[PRIORITY_URGENT], counts[PRIORITY_HIGH], counts[PRIORITY_NORMAL],
                 counts[PRIORITY_LOW], total);
        add_unreadable(&line, unreadable, shape);
    }
    app_put(app, &line);
}

/* Returns the exit code. A count of zero is a result, unless something could not be read. */
static int end_code(const struct app *app, const struct selection *places, bool found)
{
    int code = unreadable_report(app, places, found);

    return code == EXIT_NOTHING ? EXIT_DONE : code;
}

static int count_agent(struct app *app, enum shape shape)
{
    struct checking checking = {.agent = span_of(app->operands[0]),
                                .unread = true,
                                .least = PRIORITY_LOW,
                                .now_us = app_now(app)};
    CLEANUP(selection_free) struct selection selection = {0}, places = {0};
    CLEANUP(model_free) struct model model = {0};
    size_t counts[PRIORITY_URGENT + 1] = {0};
    struct err err;

    if (!mail_filter_load(app, &checking, &model, &err))
        return app_fail(app, &err);
    places = unreadable_find_of(app, &model, checking.agent);
    mail_filter_waiting(app, &model, &checking, &selection);
    for (size_t i = 0; i < selection.count; i++)
        counts[selection.items[i]->priority]++;
    put_agent(app, counts, selection.count, places.count, shape);
    int code = end_code(app, &places, selection.count);
    if (shape != SHAPE_TMUX) /* a status line has no room for more */
        mail_filter_explain(app, &model, &checking, &selection, code);
    return code;
}

static void put_mine(const struct app *app, const struct sight_counts *counts, size_t unreadable,
                     enum shape shape)
{
    CLEANUP(str_free) struct str line = {0};

    if (shape == SHAPE_TMUX) {
        add_tmux(&line, counts->waiting, counts->unread, counts->stuck, unreadable);
    } else {
        str_addf(&line,
                 shape == SHAPE_JSON ? "{\"v\":1,\"waiting\":%zu,\"unread\":%zu,\"stuck\":%zu"
                                     : "waiting %zu  unread %zu  stuck %zu",
                 counts->waiting, counts->unread, counts->stuck);
        add_unreadable(&line, unreadable, shape);
    }
    app_put(app, &line);
}

static int count_mine(struct app *app, enum shape shape)
{
    CLEANUP(mail_view_free)
    struct mail_view view = {.app = app, .scope = UNREADABLE_INBOXES};
    struct err err;

    if (!mail_view_load(&view, &load_everything, &err) || !mail_view_derive(&view, false, &err))
        return app_fail(app, &err);
    const struct sight_counts counts = sight_count(&view.sight);
    put_mine(app, &counts, view.places.count, shape);
    return end_code(app, &view.places, counts.waiting + counts.unread + counts.stuck);
}

static int run_count(struct app *app)
{
    unsigned shape; /* of enum shape */
    struct err err;

    if (!app_format(app, words_count, &shape, &err))
        return app_fail(app, &err);
    return app->operand_count ? count_agent(app, shape) : count_mine(app, shape);
}

const struct command command_count = {.name = "count",
                                      .operands = "[AGENT]",
                                      .takes = {{.kinds = WORD_AGENT}},
                                      .summary = "how much waits for you, or for an agent",
                                      .options = options,
                                      .most = 1,
                                      .run = run_count};
