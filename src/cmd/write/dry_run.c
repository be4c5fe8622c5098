/* Output of --dry-run: the destination first, then the bytes, sanitized or as JSON. */
#include "cmd/write/dry_run.h"

#include "base/json/json_print.h"
#include "base/text/sanitize.h"

/* Appends one line of the head, with the column widths of show. */
static void put_line(const struct app *app, struct str *out, const char *label, struct span text,
                     const char *remark)
{
    str_addf(out, "%-9s ", label);
    sanitize_add(out, text, app->clean);
    str_puts(out, remark);
    str_putc(out, '\n');
}

static void put_bytes(const struct app *app, struct str *out, struct span bytes)
{
    str_putc(out, '\n');
    sanitize_add(out, bytes, app->clean | SANITIZE_LINES);
    if (!bytes.len || bytes.at[bytes.len - 1] != '\n')
        str_putc(out, '\n');
}

static const char *file_remark(const struct preview *preview)
{
    if (preview->queued)
        return " (taken: it would wait in the outbox)";
    if (preview->makes_box)
        return " (the mailbox would be made)";
    return preview->is_entry ? " (an entry at its end)" : "";
}

/* Appends the members that a single message and each message of a broadcast have. */
static void add_place(struct str *out, const struct preview *preview)
{
    json_member(out, "to", str_span(&preview->to));
    json_member(out, "id", str_span(&preview->id));
    json_member(out, "path", str_span(&preview->path));
    json_member_flag(out, "queued", preview->queued);
    json_member_flag(out, "creates", preview->makes_box);
}

static void start_json(struct str *out, const struct source *source, const struct preview *preview)
{
    str_puts(out, "{\"v\":1");
    json_member_flag(out, "dry_run", true);
    json_member(out, "format", span_of(source->format->name));
    json_member(out, "source", span_of(source->path));
    json_member(out, "from", str_span(&preview->from));
}

static void add_end(struct str *out, const struct preview *preview)
{
    json_member_flag(out, "entry", preview->is_entry);
    if (preview->warning.len)
        json_member(out, "warning", str_span(&preview->warning));
    json_member(out, "bytes", str_span(&preview->bytes));
    str_puts(out, "}\n");
}

static void put_one(const struct app *app, struct str *out, const struct preview *preview)
{
    const struct source *source = store_source(app->store, preview->source);

    if (app_json(app)) {
        start_json(out, source, preview);
        add_place(out, preview);
        add_end(out, preview);
        return;
    }
    put_line(app, out, "To", str_span(&preview->to), "");
    put_line(app, out, "From", str_span(&preview->from), "");
    put_line(app, out, "Layout", span_of(source->format->title), "");
    put_line(app, out, "Id", str_span(&preview->id), "");
    put_line(app, out, "File", str_span(&preview->path), file_remark(preview));
    put_bytes(app, out, str_span(&preview->bytes));
}

/* Prints the warning on standard error, as sending does. */
static void put_warning(const struct app *app, const struct preview *preview)
{
    if (preview->warning.len)
        app_note(app, "%s", str_c(&preview->warning));
    app_note(app, "nothing was sent: --dry-run was given");
}

void preview_print(const struct app *app, const struct preview *preview)
{
    CLEANUP(str_free) struct str text = {0};

    put_one(app, &text, preview);
    app_put(app, &text);
    put_warning(app, preview);
}

int preview_and_print(const struct app *app, struct outgoing_message *letter,
                      const struct send_options *how)
{
    CLEANUP(preview_free) struct preview preview = {0};
    struct err err;

    if (!store_preview(app->store, letter, how, &preview, &err))
        return app_fail(app, &err);
    preview_print(app, &preview);
    return EXIT_DONE;
}

static void put_all_json(struct str *out, const struct source *source, const struct broadcast *plan)
{
    start_json(out, source, &plan->previews[0]);
    json_member(out, "how", span_of(source->format->verbs[VERB_BROADCAST].how));
    json_key(out, "recipients");
    str_putc(out, '[');
    for (size_t i = 0; i < plan->count; i++) {
        str_puts(out, i ? ",{" : "{");
        add_place(out, &plan->previews[i]);
        str_putc(out, '}');
    }
    str_puts(out, "]");
    if (source->format->one_for_all)
        json_member_list(out, "delivered_to", &plan->reached);
    json_key(out, "left_out");
    str_putc(out, '[');
    for (size_t i = 0; i < plan->left_out_count; i++) {
        str_puts(out, i ? ",{" : "{");
        json_member(out, "name", plan->left_out[i].name);
        json_member(out, "why", span_of(plan->left_out[i].why));
        str_putc(out, '}');
    }
    str_puts(out, "]");
    add_end(out, &plan->previews[0]);
}

static void put_all_text(const struct app *app, struct str *out, const struct source *source,
                         const struct broadcast *plan)
{
    const struct preview *first = &plan->previews[0];

    put_line(app, out, "From", str_span(&first->from), "");
    put_line(app, out, "Layout", span_of(source->format->title), "");
    put_line(app, out, "How", span_of(source->format->verbs[VERB_BROADCAST].how), "");
    for (size_t i = 0; i < plan->count; i++) {
        put_line(app, out, "To", str_span(&plan->previews[i].to), "");
        put_line(app, out, "  File", str_span(&plan->previews[i].path),
                 file_remark(&plan->previews[i]));
    }
    for (size_t i = 0; i < plan->reached.count; i++)
        put_line(app, out, "  for", plan->reached.items[i], "");
    for (size_t i = 0; i < plan->left_out_count; i++) {
        CLEANUP(str_free) struct str why = {0};
        str_addf(&why, ": %s", plan->left_out[i].why);
        put_line(app, out, "Not to", plan->left_out[i].name, str_c(&why));
    }
    put_bytes(app, out, str_span(&first->bytes));
}

int preview_all_and_print(const struct app *app, const struct draft *draft, uint32_t index,
                          struct span swarm, const struct span_list *exclude)
{
    CLEANUP(broadcast_free) struct broadcast plan = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err err;

    if (!store_preview_broadcast(app->store, draft, index, swarm, exclude, &plan, &err))
        return app_fail(app, &err);
    const struct source *source = store_source(app->store, plan.source);
    if (app_json(app))
        put_all_json(&text, source, &plan);
    else
        put_all_text(app, &text, source, &plan);
    app_put(app, &text);
    put_warning(app, &plan.previews[0]);
    return EXIT_DONE;
}
