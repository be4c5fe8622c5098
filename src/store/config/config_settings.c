/* The table of settings, and the setters of fields. */
#include "store/config/config_private.h"
#include "store/source/source.h"
#include "store/view_names.h"

#include <stdlib.h>

static const char *const scopes[] = {"all", "mine", NULL};
#define NAME(symbol, name, key, help) #name,
static const char *const views[] = {VIEWS(NAME) NULL};
static const char *const backgrounds[] = {"auto", "dark", "light", NULL};
static const char *const answers[] = {"note", "alarm", "ignore", NULL};
static const char *const colours[] = {"16", "256", "none", NULL};

static bool set_command(struct config_reading *in, const struct config_setting *setting,
                        void *field, struct span value)
{
    CLEANUP(mem_free) char *expanded = value.at[0] == '~' ? path_expand(value.at) : NULL;

    /* no shell expands ~ */
    if (span_starts(value, span_of("~/")) && !expanded)
        return config_fail(in, "%s starts with ~/, and HOME is not set", setting->name);
    *(struct span *)field = expanded ? arena_copy(&in->config->arena, span_of(expanded)) : value;
    return true;
}

static bool set_directory(struct config_reading *in, const struct config_setting *setting,
                          void *field, struct span value)
{
    char *expanded = path_expand(value.at);
    struct span path = expanded ? arena_copy(&in->config->arena, span_of(expanded)) : value;

    free(expanded);
    if (!path.len || path.at[0] != '/')
        return config_fail(in, "%s takes an absolute path, or one that starts with ~/, not \"%s\"",
                           setting->name, value.at);
    span_list_add(field, path);
    return true;
}

static bool set_query(struct config_reading *in, const struct config_setting *setting, void *field,
                      struct span value)
{
    struct config_notice *notice = field;
    struct err err;

    query_free(&notice->query); /* the default query */
    notice->on = !span_is(value, "no");
    if (!notice->on || query_parse(&notice->query, value, &err, NULL))
        return true;
    return config_fail(in, "%s: %s", setting->name, err.text);
}

/* Sets decide.settle. In less than the minimum nobody can have read anything. */
static bool set_settle(struct config_reading *in, const struct config_setting *setting, void *field,
                       struct span value)
{
    enum { LEAST_US = 300000 };
    int64_t us;

    if (time_duration(value, &us) && us < LEAST_US)
        return config_fail(in, "%s is at least 300ms, not \"%s\"", setting->name, value.at);
    return config_set_duration(in, setting, field, value);
}

/* Stores the position of a word. Returns false after adding a mistake if it is not one of the
 * words. */
static bool find_word(struct config_reading *in, const struct config_setting *setting,
                      const char *const *words, struct span value, unsigned *number)
{
    CLEANUP(str_free) struct str known = {0};

    for (*number = 0; words[*number]; ++*number) {
        const char *word = words[*number];
        const char *between = !*number ? "" : words[*number + 1] ? ", " : " or ";
        if (span_is(value, word))
            return true;
        str_addf(&known, "%s%s", between, word);
    }
    config_fail(in, "%s takes %s, not \"%s\"", setting->name, str_c(&known), value.at);
    return false;
}

/* Sets the words from the second enum value on; the first is the default, which depends on the
 * layout. */
static bool set_answers(struct config_reading *in, const struct config_setting *setting,
                        void *field, struct span value)
{
    unsigned number;

    if (!find_word(in, setting, setting->words, value, &number))
        return false;
    *(enum config_answers *)field = number + CONFIG_ANSWERS_NOTE;
    return true;
}

#define AT(member) .at = offsetof(struct config, member)
#define SWITCH(word) .value = "yes|no", .usual = (word), .set = config_set_switch
#define DURATION(text) .value = "DURATION", .usual = (text), .set = config_set_duration
#define HOOK(what)                                                                                 \
    .value = "COMMAND", .otherwise = "nothing is run", .set = set_command, AT(hooks[what])
#define NOTICE(text, what) .value = "QUERY|no", .usual = (text), .set = set_query, AT(notices[what])

const struct config_setting config_settings[] = {
    {.name = "general.identity",
     .value = "NAME",
     .otherwise = "who the layout says you are",
     .set = config_set_text,
     AT(identity)},
    {.name = "general.editor",
     .value = "COMMAND",
     .otherwise = "$VISUAL, $EDITOR or vi",
     .set = set_command,
     AT(editor)},
    {.name = "general.discover", SWITCH("yes"), AT(discover)},
    {.name = "general.view",
     .value = "VIEW",
     .usual = "inbox",
     .words = views,
     .set = config_set_word,
     AT(view)},
    {.name = "general.scope",
     .value = "all|mine",
     .usual = "all",
     .words = scopes,
     .set = config_set_word,
     AT(scope)},
    {.name = "general.preview", SWITCH("yes"), AT(preview)},
    {.name = "general.wrap", SWITCH("yes"), AT(wrap)},
    {.name = "general.mouse", SWITCH("no"), AT(mouse)},
    {.name = "general.confine", SWITCH("yes"), AT(confine)},
    {.name = "general.lock-timeout", DURATION("15s"), AT(lock_timeout_us)},
    {.name = "stuck.silent", DURATION("15m"), AT(limits.silent_us)},
    {.name = "stuck.unread", DURATION("10m"), AT(limits.unread_us)},
    {.name = "stuck.processing", DURATION("30m"), AT(limits.processing_us)},
    {.name = "decide.hold", DURATION("5s"), AT(hold_us)},
    {.name = "decide.settle", .value = "DURATION", .usual = "1s", .set = set_settle, AT(settle_us)},
    {.name = "decide.answers-elsewhere",
     .value = "note|alarm|ignore",
     .otherwise = "note for Claude Code teams, whose lead answers too; alarm elsewhere",
     .words = answers,
     .set = set_answers,
     AT(answers_elsewhere)},
    {.name = "decide.plan-root",
     .value = "DIRECTORY",
     .otherwise = "no file that a plan names is looked at",
     .several = true,
     .set = set_directory,
     AT(plan_roots)},
    {.name = "theme.background",
     .value = "auto|dark|light",
     .usual = "auto",
     .words = backgrounds,
     .set = config_set_word,
     AT(background)},
    {.name = "theme.colours",
     .value = "16|256|none",
     .usual = "16",
     .words = colours,
     .set = config_set_word,
     AT(colours)},
    {.name = "notify.bell", NOTICE("is:waiting is:mine", CONFIG_BELL)},
    {.name = "notify.terminal", NOTICE("no", CONFIG_TERMINAL)},
    {.name = "notify.tmux", NOTICE("no", CONFIG_TMUX)},
    {.name = "notify.stuck", SWITCH("yes"), AT(notify_stuck)},
    {.name = "hooks.on-new", HOOK(CONFIG_HOOK_NEW)},
    {.name = "hooks.on-waiting", HOOK(CONFIG_HOOK_WAITING)},
    {.name = "hooks.on-stuck", HOOK(CONFIG_HOOK_STUCK)},
    {.name = "hooks.on-sent", HOOK(CONFIG_HOOK_SENT)},
    {.name = "hooks.on-decided", HOOK(CONFIG_HOOK_DECIDED)},
    {.name = "hooks.limit", DURATION("10s"), AT(hook_limit_us)},
    {0},
};

bool config_set_text(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    (void)in;
    (void)setting;
    *(struct span *)field = value;
    return true;
}

bool config_set_lines(struct config_reading *in, const struct config_setting *setting, void *field,
                      struct span value)
{
    struct span *text = field;
    CLEANUP(str_free) struct str whole = {0};

    if (!text->at)
        return config_set_text(in, setting, field, value);
    str_addf(&whole, "%s\n%s", text->at, value.at);
    *text = arena_copy(&in->config->arena, str_span(&whole));
    return true;
}

bool config_set_item(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    (void)in;
    (void)setting;
    span_list_add(field, value);
    return true;
}

bool config_set_switch(struct config_reading *in, const struct config_setting *setting, void *field,
                       struct span value)
{
    static const char *const words[] = {"no", "yes", NULL};
    unsigned number;

    if (!find_word(in, setting, words, value, &number))
        return false;
    *(bool *)field = number == 1;
    return true;
}

bool config_set_word(struct config_reading *in, const struct config_setting *setting, void *field,
                     struct span value)
{
    unsigned number;

    if (!find_word(in, setting, setting->words, value, &number))
        return false;
    memcpy(field, &number, sizeof number);
    return true;
}

bool config_set_duration(struct config_reading *in, const struct config_setting *setting,
                         void *field, struct span value)
{
    int64_t us;

    if (!time_duration(value, &us) || us <= 0)
        return config_fail(in, "%s is no duration above zero: \"%s\"; write 90s, 15m, 2h or 1h30m",
                           setting->name, value.at);
    memcpy(field, &us, sizeof us);
    return true;
}

bool config_set(struct config_reading *in, const struct config_setting *setting, void *base,
                struct config_pairs *given, struct span value)
{
    if (config_given(given, setting->name) && !setting->several)
        return config_fail(in, "%s stands here for the second time; remove one", setting->name);
    config_pair_add(in, given, span_of(setting->name), value);
    return setting->set(in, setting, (char *)base + setting->at,
                        given->items[given->count - 1].value);
}

void config_set_usual(struct config_reading *in, const struct config_setting *table, void *base)
{
    for (; table->name; table++)
        if (table->usual)
            table->set(in, table, (char *)base + table->at, span_of(table->usual));
}

const char *config_editor(const struct config *config, const char **from)
{
    static const char *const variables[] = {"VISUAL", "EDITOR"};
    const char *ignored = NULL;

    from = from ? from : &ignored;
    *from = NULL;
    if (config->editor.at)
        return config->editor.at;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        *from = variables[i];
        if (value && *value)
            return value;
    }
    *from = NULL;
    return "vi";
}
