/* Confines the screens. */
#include "ui/process/sandbox.h"

#include "store/source/our_paths.h"
#include "ui/process/editor.h"
#include "ui/process/notify.h"
#include "ui/process/spawn_helper.h"
#include "ui/reopen.h"
#include "ui/ui_state.h"

#include <link.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the spawner --- */

/* Returns the words of the editor, without a file. */
static char **editor_words(const struct ui *ui)
{
    char **words = editor_arguments(config_editor(ui->options->config, NULL), "");
    size_t count = 0;

    while (words[count])
        count++;
    free(words[count - 1]);
    words[count - 1] = NULL;
    return words;
}

int sandbox_version(const struct config *config, struct err *err)
{
    if (config->confine)
        return landlock_version(err);
    err_set(err, ERR_REFUSED, "the config says confine = no");
    return 0;
}

static void log_free_rein(const struct ui *ui, const struct err *err)
{
    log_add(ui->options->log, "screens: not confined: %s", err->text);
}

void sandbox_prepare(struct ui *ui)
{
    enum { FORMS = CONFIG_HOOK_COUNT + 5 };
    struct spawn_form forms[FORMS] = {0};
    CLEANUP(str_free) struct str files = {0};
    struct err err;
    size_t count = 0;

    if (!sandbox_version(ui->options->config, &err)) {
        log_free_rein(ui, &err);
        return;
    }
    char **editor = editor_words(ui);
    if (editor_files(&files, false, &err))
        forms[count++] =
            (struct spawn_form){(const char *const *)editor, SPAWN_FILE, str_c(&files), NULL};
    forms[count++] = (struct spawn_form){.words = notify_tmux_ask};
    forms[count++] = (struct spawn_form){notify_tmux_tell, SPAWN_TEXT, notify_tmux_start, NULL};
    for (size_t i = 0; i < CONFIG_HOOK_COUNT; i++)
        if (hooks_has(ui, (enum config_hook)i))
            forms[count++] = (struct spawn_form){
                .words = (const char *const *)ui->hooks.hooks[i].running.command};
    char *variable = NULL;
    char **again = reopen_words(ui, &variable);
    if (again)
        forms[count++] =
            (struct spawn_form){.words = (const char *const *)again, .variable = variable};
    if (!spawn_helper_start(&ui->spawner, forms, &err))
        log_free_rein(ui, &err);
    spawn_free_words(again);
    spawn_free_words(editor);
}

/* --- paths --- */

/* Locales, time zones, terminals, and other files that libraries read. */
static const char *const system_places[] = {
    "/usr",       "/lib",         "/lib64",     "/etc/localtime",          "/etc/terminfo",
    "/nix/store", "/gnu/store",   "/proc/self", "/sys/devices/system/cpu", "/etc/ld.so.cache",
    "/proc/sys",  "/dev/urandom", NULL};
/* Variables of the environment that name such places, with colons between several. */
static const char *const variables[] = {"TERMINFO", "TERMINFO_DIRS",  "TZDIR",
                                        "LOCPATH",  "LOCALE_ARCHIVE", NULL};

/* Reports whether the path contains the home directory, or is a top-level directory: allowing it
 * would be too much. */
static bool is_wide(const char *path)
{
    const char *home = getenv("HOME");
    CLEANUP(mem_free) char *real = home ? realpath(home, NULL) : NULL;
    size_t len = strlen(path);

    return strrchr(path, '/') == path ||
           (real && strncmp(real, path, len) == 0 && (!real[len] || real[len] == '/'));
}

/* Allows a path that may not exist yet: then allows the nearest existing directory above it, unless
 * that is too wide. */
static void allow_coming(struct confine *confine, const char *path, enum landlock_right right)
{
    CLEANUP(str_free) struct str near = {0};
    CLEANUP(mem_free) char *real = NULL;

    str_puts(&near, path);
    if (landlock_allow(confine, path, right))
        near.len = 0;
    while (near.len && !real) {
        char *slash = strrchr(near.at, '/');
        near.len = slash ? (size_t)(slash - near.at) : 0;
        near.at[near.len] = '\0';
        real = near.len ? realpath(near.at, NULL) : NULL;
    }
    if (real && !is_wide(real))
        landlock_allow(confine, real, right);
}

struct allowing {
    struct confine *confine;
    bool readonly;
};

static void allow_source(void *context, const char *path, bool writes)
{
    const struct allowing *allowing = context;

    allow_coming(allowing->confine, path,
                 writes && !allowing->readonly ? LANDLOCK_WRITE : LANDLOCK_READ);
}

static void allow_list(struct confine *confine, const char *list)
{
    CLEANUP(str_free) struct str path = {0};

    for (; list && *list; list += *list == ':') {
        size_t len = strcspn(list, ":");
        str_clear(&path);
        str_add(&path, list, len);
        if (len)
            landlock_allow(confine, str_c(&path), LANDLOCK_READ);
        list += len;
    }
}

/* Allows a loaded library: commands after a colon run this program again. */
static int allow_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (info->dlpi_name && info->dlpi_name[0] == '/')
        landlock_allow(context, info->dlpi_name, LANDLOCK_READ);
    return 0;
}

/* Allows the files of these options: a build with sanitizers reads suppressions and writes its
 * reports. */
static void allow_sanitizers(struct confine *confine)
{
#ifdef __SANITIZE_ADDRESS__
    static const char *const names[] = {"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"};
    static const char known[] = "suppressions=", found[] = "log_path=";

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *options = getenv(names[i]) ? getenv(names[i]) : "";
        const char *list = strstr(options, known), *log = strstr(options, found);
        CLEANUP(str_free) struct str path = {0};
        allow_list(confine, list ? list + sizeof known - 1 : NULL);
        str_puts(&path, log ? log + sizeof found - 1 : "");
        char *slash = path.len ? memrchr(path.at, '/', strcspn(path.at, ":")) : NULL;
        if (slash)
            *slash = '\0';
        if (slash)
            landlock_allow(confine, path.at, LANDLOCK_WRITE);
    }
#else
    (void)confine;
#endif
}

static void allow_system(struct confine *confine)
{
    const char *home = getenv("HOME");
    CLEANUP(str_free) struct str terminfo = {0};

    /* Allow listing anywhere, to complete file names; contents cannot be read. */
    landlock_allow(confine, "/", LANDLOCK_LIST);
    landlock_allow(confine, "/dev/null", LANDLOCK_WRITE);
    for (size_t i = 0; system_places[i]; i++)
        landlock_allow(confine, system_places[i], LANDLOCK_READ);
    for (size_t i = 0; variables[i]; i++)
        allow_list(confine, getenv(variables[i]));
    str_addf(&terminfo, "%s/.terminfo", home ? home : "");
    landlock_allow(confine, str_c(&terminfo), LANDLOCK_READ);
    landlock_allow(confine, "/proc/self/exe", LANDLOCK_READ);
    dl_iterate_phdr(allow_library, confine);
    allow_sanitizers(confine);
}

static void allow_own(struct confine *confine, const struct ui *ui)
{
    const struct span_list *plans = &ui->options->config->plan_roots;
    bool make = !ui->options->readonly;
    CLEANUP(str_free) struct str path = {0};

    if (home_state(&path, make, NULL))
        landlock_allow(confine, str_c(&path), LANDLOCK_WRITE);
    if (home_cache(&path, "", make, NULL))
        landlock_allow(confine, str_c(&path), LANDLOCK_WRITE);
    if (home_config(&path))
        landlock_allow(confine, str_c(&path), LANDLOCK_READ);
    for (size_t i = 0; i < plans->count; i++)
        allow_coming(confine, plans->items[i].at, LANDLOCK_READ);
}

void sandbox_enter(struct ui *ui, const struct store *store)
{
    struct allowing allowing = {&ui->confine, ui->options->readonly};
    struct err err;

    if (!ui->spawner.pid) /* nobody could start an editor */
        return;
    bool ok = landlock_open(&ui->confine, &err);
    if (ok) {
        allow_system(&ui->confine);
        allow_own(&ui->confine, ui);
        for (size_t i = 0; i < store_source_count(store); i++)
            source_places(store_source(store, i), allow_source, &allowing);
        ok = landlock_enter(&ui->confine, &err);
    }
    if (ok)
        log_add(ui->options->log, "screens: confined by Landlock (ABI %d)", ui->confine.version);
    else
        log_free_rein(ui, &err);
}
