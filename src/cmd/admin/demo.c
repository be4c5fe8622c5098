/* demo: a living swarm in a directory of its own, and the screens on it.
 *
 * Three processes: this one, which only waits; the screens, which may crash or be killed without
 * anything being left; and the swarm, which notices that both are gone. */
#include "base/mem.h"
#include "cmd/admin/demoing.h"
#include "cmd/app.h"
#include "cmd/starting.h"
#include "cmd/words.h"
#include "store/format/format.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AGENTS_MAX = 200, FORMATS_MAX = 16 };

static const struct option_spec options[] = {
    {.name = "format",
     .value = "NAME",
     .takes = {.word = words_layout},
     .help = "agents of this layout only; default: of all"},
    {.name = "agents", .value = "N", .help = "how many agents, 1 to 200; default 18"},
    {.name = "speed", .value = "X", .help = "how fast they live, 0.1 to 100; default 1"},
    {.name = "seed", .value = "N", .help = "the same number makes the same story"},
    {.name = "keep",
     .value = "DIR",
     .path = true,
     .takes = {.kinds = WORD_DIRECTORY},
     .help = "a new or empty directory that stays"},
    {0},
};

/* --- what was asked for --- */

static bool read_number(const char *text, double least, double most)
{
    char *end;

    errno = 0;
    double number = strtod(text, &end);
    return end != text && !*end && !errno && number >= least && number <= most;
}

static bool is_whole(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
}

/* As many as have somebody in them. */
static bool read_formats(const struct app *app, const struct format **chosen)
{
    const char *name = app_value(app, "format"), *agents = app_value(app, "agents");
    size_t count = 0, most = agents && is_whole(agents) ? strtoul(agents, NULL, 10) : FORMATS_MAX;

    for (size_t i = 0; formats[i] && count < FORMATS_MAX && (count < most || !count); i++)
        if (demo_root(formats[i]) && (!name || strcmp(name, formats[i]->name) == 0))
            chosen[count++] = formats[i];
    return count > 0;
}

/* EXIT_DONE when it makes sense; else what was said about it. */
static int read_terms(const struct app *app, struct demo *demo, const struct format **chosen)
{
    static const char *const elsewhere[] = {"source", "as", "swarms", "json"};
    const char *agents = app_value(app, "agents"), *speed = app_value(app, "speed");
    const char *seed = app_value(app, "seed");

    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (app_has(app, elsewhere[i]))
            return app_misused(app, "--%s does not go with demo, which has mailboxes of its own",
                               elsewhere[i]);
    if (!read_formats(app, chosen))
        return app_misused(app, "no layout is called \"%s\"; swarmutt formats lists them",
                           app_value(app, "format"));
    if (agents && (!is_whole(agents) || !read_number(agents, 1, AGENTS_MAX)))
        return app_misused(app, "--agents takes a number from 1 to %d, not \"%s\"", AGENTS_MAX,
                           agents);
    if (speed && !read_number(speed, 0.1, 100))
        return app_misused(app, "--speed takes a number from 0.1 to 100, not \"%s\"", speed);
    if (seed && !is_whole(seed))
        return app_misused(app, "--seed takes a whole number, not \"%s\"", seed);
    if (!app_has(app, "plain") && (!app->to_terminal || !isatty(STDIN_FILENO)))
        return app_misused(app, "demo opens screens and needs a terminal; --plain does without");
    demo->agents = agents ? agents : "18";
    demo->speed = speed ? speed : "1";
    demo->seed = seed;
    return EXIT_DONE;
}

/* --- the screens --- */

/* Everything this process does from now on is about the demo's own mailboxes. */
static int run_screens(struct app *app, const struct demo *demo)
{
    struct str said = {0}, *specs = mem_zero(FORMATS_MAX, sizeof *specs);
    const char *self[2 * FORMATS_MAX + 4] = {"swarmutt"};
    size_t words = 1;

    demo_move_in(demo);
    for (size_t i = 0; demo->formats[i]; i++) {
        demo_add_source(&specs[i], demo, demo->formats[i]);
        app->given =
            mem_grow(app->given, &app->given_cap, app->given_count + 1, sizeof *app->given);
        app->given[app->given_count++] = (struct given){"source", str_c(&specs[i])};
        self[words++] = "--source";
        self[words++] = specs[i].at;
    }
    if (app_has(app, "readonly"))
        self[words] = "--readonly";
    str_addf(&said, "demo: nothing here is real; %s",
             demo->keep ? "its files stay when you quit" : "it is gone when you quit");
    if (!app_has(app, "plain"))
        str_puts(&said, ". ?: help  3: decide");
    int code =
        starting_screens(app, self, &(struct starting_note){.said = str_c(&said), .label = "demo"});
    for (size_t i = 0; i < FORMATS_MAX; i++)
        str_free(&specs[i]);
    free(specs);
    str_free(&said);
    return code;
}

/* The screens' process, for the handler: signals that ask this one to end are for that one. */
static volatile pid_t screens;

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code <= 0 && screens > 0) /* the terminal has told all of its group by itself */
        kill(screens, number);
}

static void catch_signals(void)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        sigaction(asking[i], &action, NULL);
}

/* How the screens ended. Where they are stopped this process is, too, as one job. */
static int wait_for_screens(void)
{
    siginfo_t how;
    int status = 0;

    for (;;) {
        pid_t one = screens;
        if (waitid(P_PID, (id_t)one, &how, WEXITED | WSTOPPED | WNOWAIT) < 0) {
            if (errno == EINTR)
                continue;
            return 0;
        }
        if (how.si_code == CLD_STOPPED) {
            waitid(P_PID, (id_t)one, &how, WSTOPPED | WNOHANG);
            raise(SIGSTOP);
            kill(one, SIGCONT);
            continue;
        }
        screens = 0; /* before its number can become another process's */
        while (waitpid(one, &status, 0) < 0 && errno == EINTR)
            ;
        return status;
    }
}

static int show(struct app *app, struct demo *demo)
{
    pid_t self = getpid();
    sigset_t all, before;

    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* nothing is lost before the handler knows whom */
    screens = fork();
    if (screens == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != self)
            _exit(EXIT_FAILED);
        sigprocmask(SIG_SETMASK, &before, NULL);
        int code = run_screens(app, demo);
        config_free(&app->config);
        log_close(app->log);
        free(app->given);
        fflush(NULL);
        exit(code);
    }
    int reason = errno;
    catch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (screens > 0)
        return wait_for_screens();
    app_note(app, "the screens cannot be started: %s", strerror(reason));
    return W_EXITCODE(EXIT_FAILED, 0);
}

/* --- the whole --- */

static void say_where(const struct app *app, const struct demo *demo)
{
    bool one = strcmp(demo->agents, "1") == 0;

    app_note(app, "demo: %s %s in %s; nothing there is real%s", demo->agents,
             one ? "agent lives" : "agents live", str_c(&demo->dir),
             demo->keep ? "" : ", and it is removed when you quit");
    app_note(app, "in another terminal: %s/swarmutt pending", str_c(&demo->dir));
}

static void say_end(const struct app *app, const struct demo *demo, bool ended)
{
    struct str sources = {0};

    if (!demo->keep) {
        app_note(app, ended ? "the demo is over and %s is removed" : "%s could not be removed",
                 str_c(&demo->dir));
        return;
    }
    for (size_t i = 0; demo->formats[i]; i++) {
        str_puts(&sources, " --source ");
        demo_add_source(&sources, demo, demo->formats[i]);
    }
    app_note(app,
             "the demo is over; its files stay in %s: look at them again with %s/swarmutt, or with",
             str_c(&demo->dir), str_c(&demo->dir));
    app_note(app, "swarmutt%s", str_c(&sources));
    str_free(&sources);
}

static int run_demo(struct app *app)
{
    const struct format *chosen[FORMATS_MAX + 1] = {NULL};
    struct demo demo = {.formats = chosen};
    struct str seed = {0};
    struct err err;
    int status = 0, code = read_terms(app, &demo, chosen);

    if (code != EXIT_DONE)
        return code;
    str_addf(&seed, "%lld", (long long)when_now());
    demo.seed = demo.seed ? demo.seed : str_c(&seed);
    if (!demo_make_dir(&demo, app_value(app, "keep"), &err) || !demo_start(&demo, &err)) {
        code = app_fail(app, &err);
    } else {
        if (!demo_write_script(&demo, &err))
            app_note(app, "%s", err.text);
        say_where(app, &demo);
        status = show(app, &demo);
        bool ended = demo_end(&demo);
        say_end(app, &demo, ended);
        code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
        code = code == EXIT_DONE && !ended ? EXIT_FAILED : code;
    }
    str_free(&demo.dir);
    str_free(&demo.program);
    str_free(&seed);
    if (WIFSIGNALED(status)) { /* whoever waits for us sees what it was */
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return code;
}

const struct command command_demo = {.name = "demo",
                                     .summary = "a living swarm to try everything on, then gone",
                                     .options = options,
                                     .storeless = true,
                                     .run = run_demo};
