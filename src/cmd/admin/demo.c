/* demo: simulates a swarm in its own directory and opens the screens on it.
 *
 * Three processes: this one, which only waits; the screens, which may crash or be killed without
 * leaving anything; and the swarm, which notices when both have ended. */
#include "base/err.h"
#include "base/file/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/app.h"
#include "cmd/complete/complete.h"
#include "cmd/main.h"
#include "cmd/words.h"
#include "store/format/format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* One demo: its directory, and the program that simulates its swarm. */

struct demo {
    struct str dir;                      /* absolute path */
    struct str program;                  /* path of the program that simulates the agents */
    bool keep;                           /* keep the directory at the end */
    const struct format *const *formats; /* ends with NULL */
    const char *agents, *speed, *seed;   /* numbers in the form that the user gave */
    int lifeline;                        /* the swarm runs until all copies are closed */
    pid_t swarm;
};

static bool demo_end(struct demo *demo);

/* Starting the swarm, and ending it in all cases. */

static bool is_empty(const char *path)
{
    DIR *dir = opendir(path);
    bool empty = dir != NULL;
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (dir)
        closedir(dir);
    return empty;
}

/* Makes a temporary directory, or takes the one of --keep, which must be new or empty. */
static bool demo_make_dir(struct demo *demo, const char *keep, struct err *err)
{
    char absolute[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    CLEANUP(str_free) struct str path = {0};
    bool ok;

    demo->keep = keep != NULL;
    if (keep)
        str_puts(&path, keep);
    else
        str_addf(&path, "%s/swarmutt-demo-XXXXXX", tmp && tmp[0] == '/' ? tmp : "/tmp");
    if (keep)
        ok = mkdir(keep, 0700) == 0 || errno == EEXIST;
    else
        ok = mkdtemp(path.at) != NULL;
    if (!ok)
        err_set(err, ERR_SOURCE, "%s: this directory cannot be made: %s", str_c(&path),
                strerror(errno));
    else if (keep && !is_empty(keep))
        ok = err_set(err, ERR_REFUSED, "%s is not empty: --keep takes a new or empty directory",
                     keep);
    else if (!realpath(str_c(&path), absolute))
        ok = err_set(err, ERR_SOURCE, "%s: %s", str_c(&path), strerror(errno));
    if (ok)
        str_puts(&demo->dir, absolute);
    return ok;
}

/* Finds the program: in a build directory it is beside this one, else in its installed place. */
static bool find_program(struct demo *demo, struct err *err)
{
    const char *given = getenv("SWARMUTT_SWARM");
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct str *program = &demo->program;

    if (given && *given)
        str_puts(program, given);
    if (!program->len && len > 0) {
        self[len] = '\0';
        char *slash = strrchr(self, '/');
        str_add(program, self, slash ? (size_t)(slash - self) + 1 : 0);
        str_puts(program, "swarmutt-swarm");
        if (access(str_c(program), X_OK) != 0)
            str_clear(program);
    }
    if (!program->len)
        str_puts(program, PKGLIBEXECDIR "/swarmutt-swarm");
    return access(str_c(program), X_OK) == 0 ||
           err_set(err, ERR_SOURCE, "%s: the program that the demo's agents are is missing",
                   str_c(program));
}

/* Runs the swarm in the child; never returns. */
static void become_swarm(const struct demo *demo, int lifeline, int ready)
{
    const char *const start[] = {str_c(&demo->program), "run",      str_c(&demo->dir),
                                 demo->speed,           demo->seed, demo->agents};
    char *words[32] = {NULL};
    size_t count = 0;
    sigset_t none;

    for (; count < sizeof start / sizeof *start; count++)
        words[count] = mem_strdup(start[count]);
    for (size_t i = 0; demo->formats[i]; i++)
        words[count++] = mem_strdup(demo->formats[i]->name);
    if (demo->keep)
        words[count] = mem_strdup("keep");
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(lifeline, STDIN_FILENO);
    dup2(ready, STDOUT_FILENO);
    execv(words[0], words);
    _exit(127);
}

/* Reads the first line of the swarm: "ready", or why it cannot start. */
static bool read_swarm_status(int fd, struct err *err)
{
    char said[512] = "";
    size_t len = 0;
    ssize_t count = 1;

    while (count && len < sizeof said - 1 && !memchr(said, '\n', len)) {
        count = read(fd, said + len, sizeof said - 1 - len);
        if (count < 0 && errno != EINTR)
            break;
        len += count > 0 ? (size_t)count : 0;
    }
    said[len] = '\0';
    said[strcspn(said, "\n")] = '\0';
    return strcmp(said, "ready") == 0 ||
           err_set(err, ERR_SOURCE, "the demo's agents cannot start: %s",
                   *said ? said : "their program has ended");
}

/* Starts the swarm and returns when its mailboxes can be shown. */
static bool demo_start(struct demo *demo, struct err *err)
{
    int life[2] = {-1, -1}, ready[2] = {-1, -1};

    bool able = find_program(demo, err) &&
                ((pipe2(life, O_CLOEXEC) == 0 && pipe2(ready, O_CLOEXEC) == 0) ||
                 err_set(err, ERR_SOURCE, "no pipe can be had: %s", strerror(errno)));
    if (!able) {
        if (life[0] >= 0) { /* only the second pipe failed */
            close(life[0]);
            close(life[1]);
        }
        if (!demo->keep)
            rmdir(str_c(&demo->dir));
        return false;
    }
    demo->swarm = fork();
    if (demo->swarm < 0)
        err_set(err, ERR_SOURCE, "the demo's agents cannot start: %s", strerror(errno));
    if (demo->swarm == 0)
        become_swarm(demo, life[0], ready[1]);
    close(life[0]);
    close(ready[1]);
    demo->lifeline = life[1];
    bool ok = demo->swarm > 0 && read_swarm_status(ready[0], err);
    close(ready[0]);
    if (!ok)
        demo_end(demo);
    return ok;
}

static void wait_for(pid_t pid)
{
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Ends the swarm and waits for it. Returns false if files of it remain. */
static bool demo_end(struct demo *demo)
{
    close(demo->lifeline);
    wait_for(demo->swarm);
    if (demo->keep || access(str_c(&demo->dir), F_OK) != 0)
        return true;
    pid_t remover = fork(); /* the swarm was killed, or something was written after it ended */
    if (remover == 0) {
        execl(str_c(&demo->program), str_c(&demo->program), "remove", str_c(&demo->dir), NULL);
        _exit(127);
    }
    wait_for(remover);
    rmdir(str_c(&demo->dir));
    return access(str_c(&demo->dir), F_OK) != 0;
}

/* Returns the root of a layout's mailboxes in the directory; NULL if the demo has no agents of
 * it. */
static const char *demo_root(const struct format *format)
{
    static const struct {
        const char *format, *root;
    } roots[] = {{"claude", ".claude"},
                 {"openclaw", ".openclaw/teams"},
                 {"inbox", "clawd/scheduler/inboxes"},
                 {"adr", "project/workspace/mailboxes"},
                 {"roo", "project"}};

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strcmp(roots[i].format, format->name) == 0)
            return roots[i].root;
    return NULL;
}

/* Appends that root in the form that --source takes. */
static void demo_add_source(struct str *out, const struct demo *demo, const struct format *format)
{
    str_addf(out, "%s:%s/%s", format->name, str_c(&demo->dir), demo_root(format));
}

/* Environment variables for the places of files, and the places in the demo directory. */
static const struct {
    const char *variable, *place;
} places[] = {{"HOME", ""},
              {"XDG_CONFIG_HOME", "/.config"},
              {"XDG_STATE_HOME", "/.local/state"},
              {"XDG_DATA_HOME", "/.local/share"},
              {"XDG_CACHE_HOME", "/.cache"},
              {"XDG_RUNTIME_DIR", "/.run"},
              {"TMPDIR", "/.tmp"}};
enum { PLACES = sizeof places / sizeof *places };

static const char *const unwanted[] = {"CLAUDE_CONFIG_DIR",     "OPENCLAW_STATE_DIR",
                                       "CLAWDBOT_STATE_DIR",    "CLAUDE_CODE_AGENT_NAME",
                                       "CLAUDE_CODE_TEAM_NAME", "SWARMUTT_NOW"};
enum { UNWANTED = sizeof unwanted / sizeof *unwanted };

/* Makes this process and its children keep their own files in the demo directory. */
static void demo_move_in(const struct demo *demo)
{
    CLEANUP(str_free) struct str path = {0};

    for (size_t i = 0; i < PLACES; i++) {
        str_clear(&path);
        str_addf(&path, "%s%s", str_c(&demo->dir), places[i].place);
        if (*places[i].place == '/' && places[i].place[1] == '.')
            mkdir(str_c(&path), 0700); /* deeper directories are created by their users */
        setenv(places[i].variable, str_c(&path), 1);
    }
    for (size_t i = 0; i < UNWANTED; i++)
        unsetenv(unwanted[i]);
}

static void add_quoted(struct str *out, const char *text)
{
    str_putc(out, '\'');
    shell_quote(out, span_of(text), '\'');
    str_putc(out, '\'');
}

/* Writes a script into the directory that runs this program there. */
static bool demo_write_script(const struct demo *demo, struct err *err)
{
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    CLEANUP(str_free) struct str text = {0}, value = {0};
    int dir = -1;

    self[len > 0 ? len : 0] = '\0';
    str_puts(&text,
             "#!/bin/sh\n# swarmutt on the swarm that lives here, with state of its own\nexec env");
    for (size_t i = 0; i < UNWANTED; i++)
        str_addf(&text, " -u %s", unwanted[i]);
    for (size_t i = 0; i < PLACES; i++) {
        str_clear(&value);
        str_addf(&value, "%s=%s%s", places[i].variable, str_c(&demo->dir), places[i].place);
        str_puts(&text, " \\\n    ");
        add_quoted(&text, str_c(&value));
    }
    str_puts(&text, " \\\n    ");
    add_quoted(&text, self);
    for (size_t i = 0; demo->formats[i]; i++) {
        str_clear(&value);
        demo_add_source(&value, demo, demo->formats[i]);
        str_puts(&text, " --source ");
        add_quoted(&text, str_c(&value));
    }
    str_puts(&text, " \"$@\"\n");
    bool ok = file_open_root(str_c(&demo->dir), &dir, err) &&
              file_create(dir, "swarmutt", str_span(&text), 0700, err);
    if (dir >= 0)
        close(dir);
    return ok;
}

enum { AGENTS_MAX = 200, FORMATS_MAX = 16 };

static const struct option_spec options[] = {
    {"format", "NAME", .word = words_layout, .help = "agents of this layout only; default: of all"},
    {"agents", "N", .help = "how many agents, 1 to 200; default 18"},
    {"speed", "X", .help = "how fast they live, 0.1 to 100; default 1"},
    {"seed", "N", .help = "the same number makes the same story"},
    {"keep", "DIR", .kinds = WORD_DIRECTORY, .path = true,
     .help = "a new or empty directory that stays"},
    {0},
};

/* --- options --- */

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

/* Chooses the layouts; not more than there are agents, so that each has at least one. */
static bool read_formats(const struct app *app, const struct format **chosen)
{
    const char *name = app_value(app, "format"), *agents = app_value(app, "agents");
    size_t count = 0, most = agents && is_whole(agents) ? strtoul(agents, NULL, 10) : FORMATS_MAX;

    for (size_t i = 0; formats[i] && count < FORMATS_MAX && (count < most || !count); i++)
        if (demo_root(formats[i]) && (!name || strcmp(name, formats[i]->name) == 0))
            chosen[count++] = formats[i];
    return count > 0;
}

/* Returns EXIT_DONE if the options are valid, else the exit code after printing the mistake. */
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

/* --- screens --- */

/* Runs the screens. From here on this process uses only the demo's own mailboxes. */
static int run_screens(struct app *app, const struct demo *demo)
{
    struct str said = {0}, *specs = mem_zero(FORMATS_MAX, sizeof *specs);
    const char *self[2 * FORMATS_MAX + 4] = {"swarmutt"};
    size_t words = 1;

    demo_move_in(demo);
    for (size_t i = 0; demo->formats[i]; i++) {
        demo_add_source(&specs[i], demo, demo->formats[i]);
        *mem_push(app->given, app->given_count, app->given_cap) =
            (struct given){"source", str_c(&specs[i])};
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
        startup_screens(app, self, &(struct startup_note){.said = str_c(&said), .label = "demo"});
    for (size_t i = 0; i < FORMATS_MAX; i++)
        str_free(&specs[i]);
    free(specs);
    str_free(&said);
    return code;
}

/* Process of the screens, for the signal handler, which passes signals on to it. */
static volatile pid_t screens;

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code <= 0 && screens > 0) /* the terminal signals the whole process group itself */
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

/* Waits for the screens and returns their wait status. Stops this process when they are stopped, as
 * one job. */
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
        screens = 0; /* before another process can get this number */
        while (waitpid(one, &status, 0) < 0 && errno == EINTR)
            ;
        return status;
    }
}

static int show_demo(struct app *app, struct demo *demo)
{
    pid_t self = getpid();
    sigset_t all, before;

    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* none is lost before `screens` is set */
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

/* --- the command --- */

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
    CLEANUP(str_free) struct str sources = {0};

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
}

static int run_demo(struct app *app)
{
    const struct format *chosen[FORMATS_MAX + 1] = {NULL};
    struct demo demo = {.formats = chosen};
    CLEANUP(str_free) struct str seed = {0};
    struct err err;
    int status = 0, code = read_terms(app, &demo, chosen);

    if (code != EXIT_DONE)
        return code;
    str_addf(&seed, "%lld", (long long)time_now());
    demo.seed = demo.seed ? demo.seed : str_c(&seed);
    if (!demo_make_dir(&demo, app_value(app, "keep"), &err) || !demo_start(&demo, &err)) {
        code = app_fail(app, &err);
    } else {
        if (!demo_write_script(&demo, &err))
            app_note(app, "%s", err.text);
        say_where(app, &demo);
        status = show_demo(app, &demo);
        bool ended = demo_end(&demo);
        say_end(app, &demo, ended);
        code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
        code = code == EXIT_DONE && !ended ? EXIT_FAILED : code;
    }
    str_free(&demo.dir);
    str_free(&demo.program);
    if (WIFSIGNALED(status)) { /* let the parent see the signal */
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
