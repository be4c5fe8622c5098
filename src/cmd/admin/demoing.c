/* The swarm of a demo: started, and ended whatever happens. */
#include "cmd/admin/demoing.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "cmd/complete/shell_words.h"
#include "store/format/format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

bool demo_make_dir(struct demo *demo, const char *keep, struct err *err)
{
    char absolute[PATH_MAX];
    const char *tmp = getenv("TMPDIR");
    struct str path = {0};
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
    str_free(&path);
    return ok;
}

/* The program is beside this one in a build directory, and in its own place once installed. */
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

/* In the child: never returns. */
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

/* What the swarm says when it can be looked at: "ready", or why not. */
static bool hear(int fd, struct err *err)
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

bool demo_start(struct demo *demo, struct err *err)
{
    int life[2] = {-1, -1}, ready[2] = {-1, -1};

    bool able = find_program(demo, err) &&
                ((pipe2(life, O_CLOEXEC) == 0 && pipe2(ready, O_CLOEXEC) == 0) ||
                 err_set(err, ERR_SOURCE, "no pipe can be had: %s", strerror(errno)));
    if (!able) {
        if (life[0] >= 0) { /* the first pipe alone */
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
    bool ok = demo->swarm > 0 && hear(ready[0], err);
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

bool demo_end(struct demo *demo)
{
    close(demo->lifeline);
    wait_for(demo->swarm);
    if (demo->keep || access(str_c(&demo->dir), F_OK) != 0)
        return true;
    pid_t remover = fork(); /* the swarm was killed, or something was written after it */
    if (remover == 0) {
        execl(str_c(&demo->program), str_c(&demo->program), "remove", str_c(&demo->dir), NULL);
        _exit(127);
    }
    wait_for(remover);
    rmdir(str_c(&demo->dir));
    return access(str_c(&demo->dir), F_OK) != 0;
}

const char *demo_root(const struct format *format)
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

void demo_add_source(struct str *out, const struct demo *demo, const struct format *format)
{
    str_addf(out, "%s:%s/%s", format->name, str_c(&demo->dir), demo_root(format));
}

/* What tells programs where to keep something, and where it is kept instead. */
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

void demo_move_in(const struct demo *demo)
{
    struct str path = {0};

    for (size_t i = 0; i < PLACES; i++) {
        str_clear(&path);
        str_addf(&path, "%s%s", str_c(&demo->dir), places[i].place);
        if (*places[i].place == '/' && places[i].place[1] == '.')
            mkdir(str_c(&path), 0700); /* what is deeper is made by who needs it */
        setenv(places[i].variable, str_c(&path), 1);
    }
    for (size_t i = 0; i < UNWANTED; i++)
        unsetenv(unwanted[i]);
    str_free(&path);
}

static void add_quoted(struct str *out, const char *text)
{
    str_putc(out, '\'');
    shell_quote(out, span_of(text), '\'');
    str_putc(out, '\'');
}

bool demo_write_script(const struct demo *demo, struct err *err)
{
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct str text = {0}, value = {0};
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
    str_free(&text);
    str_free(&value);
    return ok;
}
