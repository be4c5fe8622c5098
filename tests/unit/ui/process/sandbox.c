/* Tests confining the screens: what they may open in each layout, on every thread. */
#include "ui/process/sandbox.h"

#include "tests/unit/base/file/landlock_support.h"
#include "ui/ui_state.h"

#include <sys/stat.h>

/* A tree of each layout beneath the home directory, with files that may be written and one that may
 * not. */
struct layout {
    const char *spec; /* beneath the home directory */
    const char *message, *moved;
    const char *forged; /* a file for others only, or NULL */
};

static const struct layout layouts[] = {
    {"adr:project/workspace/mailboxes", "project/workspace/mailboxes/user/inbox/a.json",
     "project/workspace/mailboxes/user/archive/a.json", "project/main.c"},
    {"inbox:project/scheduler/inboxes", "project/scheduler/inboxes/bob/a.json",
     "project/scheduler/inboxes/bob/archive/a.json", "project/main.c"},
    {"claude:.claude", ".claude/teams/dev/inboxes/team-lead.json",
     ".claude/teams/dev/inboxes/.team-lead.json.1.2.tmp", ".claude/settings.json"},
    {"openclaw:.openclaw/teams", ".openclaw/teams/web/mailbox/a.json",
     ".openclaw/teams/web/mailbox/.a.json.1.2.tmp", ".openclaw/openclaw.json"},
    {"roo:project", "project/.roo/mailbox/to-code.md", "project/.roo/memory-bank/progress.md",
     "project/main.c"},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static struct tmp tmp;

static void open_home(void)
{
    tmp_make(&tmp);
    setenv("HOME", tmp.path, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    for (size_t i = 0; i < LAYOUTS; i++) {
        tmp_write(&tmp, layouts[i].message, span_of("[]"));
        tmp_write(&tmp, layouts[i].moved, span_of(""));
        tmp_write(&tmp, layouts[i].forged, span_of("{}"));
    }
    tmp_write(&tmp, "beside", span_of("a secret"));
    tmp_write(&tmp, ".config/swarmutt/config", span_of(""));
    tmp_write(&tmp, "plans/plan.md", span_of("first"));
}

static void close_home(void)
{
    tmp_remove(&tmp);
}

TestSuite(confining, .init = open_home, .fini = close_home);

struct screens {
    struct ui ui;
    struct ui_options options;
    struct config config;
    struct store *store;
};

static void confine(void *context, const struct store *store)
{
    sandbox_enter(context, store);
}

/* Does what ui_run() does until the first store is open. */
static void begin(struct screens *it, const struct layout *layout, bool readonly)
{
    static char text[] = "[decide]\nplan-root = ~/plans\n";
    struct str spec = {0};
    struct err err;
    const char *colon = strchr(layout->spec, ':');

    must(chdir(tmp.path) == 0);
    *it = (struct screens){.options.config = &it->config, .options.readonly = readonly};
    it->ui = (struct ui){.options = &it->options};
    must(config_parse(&it->config, span_of(text), &err));
    str_addf(&spec, "%.*s:%s/%s", (int)(colon - layout->spec), layout->spec, tmp.path, colon + 1);
    const char *sources[] = {str_c(&spec)};
    sandbox_prepare(&it->ui);
    must(it->ui.spawner.pid);
    it->store = store_open(&(struct store_options){.sources = sources,
                                                   .source_count = 1,
                                                   .readonly = readonly,
                                                   .bystander = true,
                                                   .found = confine,
                                                   .report_context = &it->ui},
                           &err);
    must(it->store);
    str_free(&spec);
}

static void finish(struct screens *it)
{
    store_close(it->store);
    spawn_helper_end(&it->ui.spawner);
    landlock_free(&it->ui.confine);
    config_free(&it->config);
}

static void check_outside(void)
{
    must(opens("beside", O_RDONLY) == EACCES);
    must(opens("new", O_WRONLY | O_CREAT) == EACCES);
    must(opens("/etc/passwd", O_RDONLY) == EACCES);
    must(opens(".config/swarmutt/config", O_RDONLY) == 0);
    must(opens(".config/swarmutt/config", O_WRONLY) == EACCES);
    must(opens("plans/plan.md", O_RDONLY) == 0);
    must(opens("plans/plan.md", O_WRONLY) == EACCES);
}

static void check_written(void *context)
{
    const struct layout *layout = context;
    struct screens it;

    begin(&it, layout, false);
    check_outside();
    must(opens(layout->message, O_RDONLY) == 0);
    must(rename(layout->message, layout->moved) == 0);
    must(opens(layout->message, O_WRONLY | O_CREAT | O_EXCL) == 0);
    must(opens(layout->forged, O_WRONLY) == EACCES);
    must(unlink(layout->forged) < 0 && errno == EACCES);
    must(opens(".local/state/swarmutt/state.db", O_RDWR | O_CREAT) == 0);
    must(opens(".cache/swarmutt/heads", O_RDWR | O_CREAT) == 0);
    finish(&it);
}

static void check_readonly(void *context)
{
    const struct layout *layout = context;
    struct screens it;

    begin(&it, layout, true);
    check_outside();
    must(opens(layout->message, O_RDONLY) == 0);
    must(opens(layout->message, O_WRONLY) == EACCES);
    must(rename(layout->message, layout->moved) < 0 && errno == EACCES);
    must(unlink(layout->message) < 0 && errno == EACCES);
    finish(&it);
}

Test(confining, mail_is_written_and_nothing_beside_it)
{
    for (size_t i = 0; i < LAYOUTS; i++)
        in_process(check_written, (void *)(uintptr_t)&layouts[i]);
}

Test(confining, with_readonly_no_mail_is_written_and_no_directory_is_made)
{
    for (size_t i = 0; i < LAYOUTS; i++)
        in_process(check_readonly, (void *)(uintptr_t)&layouts[i]);
    cr_assert_not(tmp_exists(&tmp, ".local"));
    cr_assert_not(tmp_exists(&tmp, ".cache"));
}

static void try_outside(struct store *store, void *context)
{
    (void)store;
    *(int *)context = opens("beside", O_RDONLY);
}

static void check_thread(void *context)
{
    struct screens it;
    struct news news;
    int error = -1;

    (void)context;
    begin(&it, &layouts[0], false);
    struct worker *worker = worker_start(store_copy(it.store, NULL), NULL);
    must(worker);
    worker_begin(worker, try_outside, &error);
    struct pollfd fd = {.fd = worker_fd(worker), .events = POLLIN};
    do
        must(poll(&fd, 1, -1) == 1);
    while (!worker_next(worker, &news) || news.kind != NEWS_DONE);
    must(error == EACCES);
    worker_stop(worker);
    finish(&it);
}

Test(confining, the_thread_of_a_store_is_confined)
{
    in_process(check_thread, NULL);
}

/* A directory that is made again is a new one, which did not exist when rights were given up. */
static void check_made_again(void *context)
{
    struct screens it;

    (void)context;
    begin(&it, &layouts[0], false);
    must(rename("project/workspace/mailboxes", "project/workspace/old") == 0);
    must(mkdir("project/workspace/mailboxes", 0700) == 0);
    must(opens("project/workspace/mailboxes/new", O_RDWR | O_CREAT) == 0);
    finish(&it);
}

Test(confining, a_root_in_the_layouts_own_directory_may_be_made_again)
{
    in_process(check_made_again, NULL);
}

static void check_switched_off(void *context)
{
    struct ui_options options = {0};
    struct config config = {0};
    struct ui ui = {.options = &options};
    struct err err;

    (void)context;
    options.config = &config;
    must(config_parse(&config, span_of("[general]\nconfine = no\n"), &err));
    must(!sandbox_version(&config, &err) && strstr(err.text, "confine = no"));
    sandbox_prepare(&ui);
    must(!ui.spawner.pid);
    sandbox_enter(&ui, NULL);
    must(opens("/etc/passwd", O_RDONLY) == 0);
    config_free(&config);
}

Test(confining, the_config_switches_it_off)
{
    in_process(check_switched_off, NULL);
}
