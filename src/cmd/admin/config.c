/* config: checks the config and shows the settings. */
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"
#include "cmd/words.h"
#include "ui/keys/user_config.h"

enum { COMMENT_COLUMN = 40 };

/* Checks what only the screens parse: [keys] and the styles of [theme]. */
static void check_screens(struct config *config)
{
    struct keymap keymap;
    struct theme theme;

    keymap_init(&keymap);
    user_config_keys(&keymap, config);
    user_config_theme(&theme, config, 256);
    keymap_free(&keymap);
}

static void put_line_number(struct str *out, unsigned line)
{
    if (line)
        json_member_number(out, "line", line);
    else
        json_member_null(out, "line");
}

static void put_mistake(const struct app *app, const struct config_mistake *mistake)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member_word(&text, "file", app->config.path);
        put_line_number(&text, mistake->line);
        json_member(&text, "mistake", mistake->text);
        str_puts(&text, "}\n");
    } else {
        sanitize_add(&text, span_of(app->config.path), app->clean | SANITIZE_LINE);
        if (mistake->line)
            str_addf(&text, ":%u", mistake->line);
        str_puts(&text, ": ");
        sanitize_add(&text, mistake->text, app->clean | SANITIZE_LINE);
        str_putc(&text, '\n');
    }
    app_put(app, &text);
}

static void add_file(struct str *out, const struct app *app)
{
    const struct config *config = &app->config;

    if (config->path)
        sanitize_add(out, span_of(config->path), app->clean | SANITIZE_LINE);
    else
        str_puts(out, "without HOME and XDG_CONFIG_HOME");
    if (!config->present)
        str_puts(out, ": there is no config, and everything is as usual");
}

static int check_config(struct app *app)
{
    const struct config *config = &app->config;
    CLEANUP(str_free) struct str text = {0};
    struct err err;

    if (config->unreadable) {
        config_sound(config, &err);
        return app_fail(app, &err);
    }
    for (size_t i = 0; i < config->mistake_count; i++)
        put_mistake(app, &config->mistakes[i]);
    if (config->mistake_count)
        return EXIT_USAGE;
    if (app_json(app))
        return EXIT_DONE;
    add_file(&text, app);
    if (config->present)
        str_puts(&text, ": it makes sense");
    str_putc(&text, '\n');
    app_put(app, &text);
    return EXIT_DONE;
}

/* One line of the settings. */
struct row {
    struct span section, name;            /* printed as [section name] */
    struct span key, value;               /* value is absent if the setting is not set */
    unsigned line;                        /* 0: not from the file */
    const char *variable;                 /* environment variable of the value, or NULL */
    const struct config_setting *setting; /* or NULL */
};

static void put_json(struct str *out, const struct row *row)
{
    CLEANUP(str_free) struct str section = {0};

    str_add_span(&section, row->section);
    if (row->name.len) {
        str_putc(&section, ' ');
        str_add_span(&section, row->name);
    }
    str_puts(out, "{\"v\":1");
    json_member(out, "section", str_span(&section));
    json_member(out, "key", row->key);
    json_member(out, "value", row->value);
    json_member_word(out, "from", row->line ? "config" : row->variable ? "environment" : "usual");
    put_line_number(out, row->line);
    str_puts(out, "}\n");
}

/* Appends a row as a line of a config file. */
static void put_ini(struct str *out, const struct row *row, unsigned clean)
{
    size_t start = out->len;
    bool is_set = row->value.at || !row->setting; /* only settings are printed without a value */

    str_puts(out, is_set ? "" : "# ");
    sanitize_add(out, row->key, clean);
    /* a ; after a blank would start a comment */
    str_puts(out, row->value.at && row->value.at[0] == ';' ? " =" : " = ");
    sanitize_add(out, is_set ? row->value : span_of(row->setting->value), clean);
    size_t used = out->len - start;
    str_pad(out, ' ', used < COMMENT_COLUMN ? COMMENT_COLUMN - used : 1);
    if (row->line)
        str_addf(out, "; line %u\n", row->line);
    else if (row->variable)
        str_addf(out, "; from $%s\n", row->variable);
    else
        str_addf(out, "; %s\n", is_set ? "usual" : row->setting->otherwise);
}

/* The output so far, and its current section. */
struct showing {
    const struct app *app;
    struct str text;
    struct span section, name;
};

static void put_row(struct showing *showing, const struct row *row)
{
    unsigned clean = showing->app->clean | SANITIZE_LINE;

    if (app_json(showing->app)) {
        put_json(&showing->text, row);
        return;
    }
    if (!span_eq(showing->section, row->section) || !span_eq(showing->name, row->name)) {
        str_puts(&showing->text, "\n[");
        sanitize_add(&showing->text, row->section, clean);
        str_puts(&showing->text, row->name.len ? " " : "");
        sanitize_add(&showing->text, row->name, clean);
        str_puts(&showing->text, "]\n");
    }
    showing->section = row->section;
    showing->name = row->name;
    put_ini(&showing->text, row, clean);
}

static void put_pairs(struct showing *showing, const char *section, struct span name,
                      const struct config_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct config_pair *pair = &pairs->items[i];
        put_row(showing, &(struct row){.section = span_of(section),
                                       .name = name,
                                       .key = pair->key,
                                       .value = pair->value,
                                       .line = pair->line});
    }
}

static void put_setting(struct showing *showing, const struct config_setting *setting)
{
    const struct config *config = &showing->app->config;
    const struct config_pair *pair = config_given(&config->given, setting->name);
    size_t dot = strcspn(setting->name, ".");
    struct row row = {.section = {setting->name, dot},
                      .key = span_of(setting->name + dot + 1),
                      .value = span_of(setting->usual),
                      .setting = setting};

    if (pair) {
        row.value = pair->value;
        row.line = pair->line;
    } else if (setting->at == offsetof(struct config, editor)) {
        row.value = span_of(config_editor(config, &row.variable));
    }
    put_row(showing, &row);
    if (span_is(row.section, "theme") && !span_starts(span_of(setting[1].name), row.section))
        put_pairs(showing, "theme", (struct span){0}, &config->theme);
}

static int show_config(struct app *app)
{
    const struct config *config = &app->config;
    struct showing showing = {.app = app};
    struct err err;

    if (!config_sound(config, &err))
        return app_fail(app, &err);
    if (!app_json(app)) {
        str_puts(&showing.text, "# ");
        add_file(&showing.text, app);
        str_putc(&showing.text, '\n');
    }
    for (const struct config_setting *one = config_settings; one->name; one++)
        put_setting(&showing, one);
    put_pairs(&showing, "keys", (struct span){0}, &config->keys);
    for (size_t i = 0; i < config->source_count; i++)
        put_pairs(&showing, "source", config->sources[i].name, &config->sources[i].given);
    for (size_t i = 0; i < config->template_count; i++)
        put_pairs(&showing, "template", config->templates[i].name, &config->templates[i].given);
    app_put(app, &showing.text);
    str_free(&showing.text);
    return EXIT_DONE;
}

static int run_config(struct app *app)
{
    static int (*const verbs[])(struct app *) = {check_config,
                                                 show_config}; /* in the order of words_config() */
    struct err err;
    unsigned verb;

    if (!app_word(app, "config", app->operands[0], words_config, &verb, &err))
        return app_fail(app, &err);
    config_load(&app->config, &err); /* ignore failure: mistakes are reported below */
    check_screens(&app->config);
    return verbs[verb](app);
}

const struct command command_config = {.name = "config",
                                       .operands = "check | show",
                                       .takes = {{.word = words_config}},
                                       .summary = "whether the config makes sense, what is set",
                                       .least = 1,
                                       .most = 1,
                                       .storeless = true,
                                       .run = run_config};
