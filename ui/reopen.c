/* Reopening the screens. */
#include "ui/reopen.h"

#include "base/mem.h"
#include "store/source/our_paths.h"
#include "ui/decide/undo_window.h"
#include "ui/mail/conversation_list.h"
#include "ui/ui_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Environment variable with the path of the state file, which follows `waited` if our parent waits
 * for us and can start us again. */
static const char variable[] = "SWARMUTT_RESUME", waited[] = "wait:";
/* AGAIN is the exit status that asks the waiting parent to open the screens again. */
enum { AGAIN = 86, FILE_MOST = 65536 };

/* Nobody is in the middle of something after this time without a key. */
#define IDLE_US INT64_C(1000000)
#define STYLE_US INT64_C(250000)

void reopen_init(struct ui *ui)
{
    struct reopen *reopen = &ui->reopen;
    const char *given = getenv(variable);

    if (given) {
        reopen->waited = strncmp(given, waited, strlen(waited)) == 0;
        reopen->resumed = true;
        str_puts(&reopen->path, given + (reopen->waited ? strlen(waited) : 0));
        unsetenv(variable);
    } else if (home_state(&reopen->path, !ui->options->readonly, NULL)) {
        str_addf(&reopen->path, "/resume.%d", (int)getpid());
    }
    if (reopen->waited) /* without the parent nobody holds the terminal for us */
        prctl(PR_SET_PDEATHSIG, SIGHUP);
}

char **reopen_words(const struct ui *ui, char **name)
{
    static char value[4096 + sizeof variable + sizeof waited];
    const char *const *self = ui->options->self;

    if (!self || ui->options->plain || ui->options->label || ui->reopen.waited)
        return NULL;
    snprintf(value, sizeof value, "%s=%s%s", variable, waited, str_c(&ui->reopen.path));
    *name = value;
    return spawn_self_words(self, NULL);
}

/* --- saving and restoring the state --- */

static struct mailbox *conversation_list_of(const struct ui *ui)
{
    return ui->view == VIEW_INBOX || ui->view == VIEW_ARCHIVE
               ? (struct mailbox *)ui->views[ui->view]
               : NULL;
}

static void add_field(struct str *out, struct span text)
{
    str_add_span(out, text);
    str_putc(out, '\0');
}

static void add_cursor(struct str *out, struct screen *screen)
{
    CLEANUP(span_list_free) struct span_list keys = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    if (screen->ops->targets)
        screen->ops->targets(screen, &keys, &arena);
    add_field(out, keys.count ? keys.items[0] : (struct span){"", 0});
}

static void save_state(struct ui *ui)
{
    const struct mailbox *box = conversation_list_of(ui);
    CLEANUP(str_free) struct str out = {0};

    str_addf(&out, "%zu", ui->view);
    str_putc(&out, '\0');
    add_field(&out, box ? str_span(&box->filter.text) : (struct span){"", 0});
    add_field(&out, span_of(!box              ? ""
                            : box->snoozed    ? "snoozed"
                            : box->scope.mine ? "mine"
                                              : "all"));
    add_cursor(&out, ui_top(ui));
    int fd = ui->reopen.path.len ? open(str_c(&ui->reopen.path),
                                        O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600)
                                 : -1;
    if (fd >= 0 && write(fd, out.at, out.len) != (ssize_t)out.len)
        unlink(str_c(&ui->reopen.path));
    if (fd >= 0)
        close(fd);
}

/* Returns the next field, "" after the last. */
static struct span take_field(struct span *rest)
{
    size_t len = strnlen(rest->at, rest->len);
    struct span field = {rest->at, len};

    len += len < rest->len;
    rest->at += len;
    rest->len -= len;
    return field;
}

bool reopen_resume(struct ui *ui)
{
    char bytes[FILE_MOST + 1] = "";
    const char *path = str_c(&ui->reopen.path);

    if (!ui->reopen.resumed)
        return false;
    tcflush(STDIN_FILENO, TCIFLUSH); /* keys typed before are not for the new screens */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, FILE_MOST);
    if (fd >= 0)
        close(fd);
    unlink(path);
    if (got <= 0)
        return false;
    struct span rest = {bytes, (size_t)got};
    unsigned long view = strtoul(take_field(&rest).at, NULL, 10);
    struct span filter = take_field(&rest), scope = take_field(&rest);
    ui_view(ui, view < VIEW_COUNT ? (enum view_number)view : VIEW_INBOX);
    if (scope.len)
        ui_act(ui, ACTION_SCOPE, scope);
    if (filter.len)
        ui_act(ui, ACTION_FILTER, filter);
    str_set(&ui->reopen.cursor, take_field(&rest));
    ui_info(ui, STYLE_PLAIN, "opened again: mailboxes have come");
    return true;
}

static void put_cursor(struct ui *ui)
{
    struct str *key = &ui->reopen.cursor;
    struct screen *screen = ui_top(ui);

    if (!key->len || !ui->picture->ready)
        return;
    const struct message *message = picture_find(ui->picture, str_span(key));
    bool there = screen->ops->choose && screen->ops->choose(screen, str_span(key), false);
    if (!there && message && screen->ops->await)
        screen->ops->await(screen, message);
    str_clear(key);
    ui->stale = true;
}

/* --- conditions --- */

void reopen_want(struct ui *ui)
{
    ui->reopen.wanted = true;
}

/* Reports whether a source is gone that reopened screens would not show. */
static bool is_something_gone(const struct ui *ui)
{
    for (size_t i = 0; ui->gone && i < ui_source_count(ui); i++)
        if (ui->gone[i].since_us && !ui->gone[i].remade)
            return true;
    return false;
}

/* Reports whether nothing is being typed, held, in progress or on top of a view. */
static bool may_reopen(const struct ui *ui)
{
    return !ui->prompt && !ui->keys.typed.count && !ui->over_count && !undo_window_count(ui) &&
           !ui->tasks && ui->picture->ready && !is_something_gone(ui) &&
           time_steady() - ui->key_us > IDLE_US;
}

int64_t reopen_due_us(const struct ui *ui)
{
    return ui->reopen.wanted && !ui->leaving ? STYLE_US : TIME_NONE;
}

void reopen_work(struct ui *ui)
{
    put_cursor(ui);
    if (!ui->reopen.wanted || ui->leaving || !may_reopen(ui))
        return;
    if (ui->options->plain || ui->options->label) { /* lines, or the demo */
        ui_info(ui, STYLE_WARNING, "mailboxes have come: start again to see them");
        ui->reopen.wanted = false;
        return;
    }
    save_state(ui);
    ui->reopen.going = ui->leaving = true;
}

/* --- starting --- */

static volatile sig_atomic_t successor;

static void pass_on(int number)
{
    if (successor > 0)
        kill((pid_t)successor, number);
}

/* Waits for the child as a shell would wait for us: stops when the child stops. Returns its wait
 * status. */
static int wait_for(pid_t child)
{
    int status = 0;

    successor = (sig_atomic_t)child;
    for (;;) {
        if (waitpid(child, &status, WUNTRACED) < 0) {
            if (errno == EINTR)
                continue;
            return 1 << 8;
        }
        if (!WIFSTOPPED(status))
            break;
        raise(SIGSTOP);
        kill(child, SIGCONT);
    }
    successor = 0;
    return status;
}

static void end_like(int status)
{
    fflush(NULL);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}

void reopen_run(struct ui *ui)
{
    static const struct spawn_files same = {SPAWN_OURS, SPAWN_OURS, SPAWN_OURS};
    struct sigaction forward = {.sa_handler = pass_on};
    char **words, *ignored;
    int failed, status = AGAIN << 8;
    pid_t child;

    if (ui->reopen.waited)
        exit(AGAIN);
    if (!ui->spawner.pid) {
        words = spawn_copy_words(ui->options->self, NULL);
        setenv(variable, str_c(&ui->reopen.path), 1);
        execv("/proc/self/exe", words);
        fprintf(stderr, "swarmutt: it cannot be started again: %s\n", strerror(errno));
        spawn_free_words(words);
        return;
    }
    words = reopen_words(ui, &ignored);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigaction(SIGTERM, &forward, NULL);
    sigaction(SIGHUP, &forward, NULL);
    do {
        failed = spawn_helper_ask(&ui->spawner, &child, (const char *const *)words, &same);
        status = failed ? 0 : wait_for(child);
    } while (!failed && WIFEXITED(status) && WEXITSTATUS(status) == AGAIN);
    spawn_free_words(words);
    if (failed) {
        fprintf(stderr, "swarmutt: it cannot be started again: %s\n", strerror(failed));
        return;
    }
    spawn_helper_end(&ui->spawner);
    end_like(status);
}

void reopen_free(struct ui *ui)
{
    str_free(&ui->reopen.cursor);
}
