/* $EDITOR: editing a text in the person's own editor, full screen. */
#include "ui/process/editor.h"

#include "base/file/file.h"
#include "base/file/signal_cleanup.h"
#include "base/mem.h"
#include "store/source/our_paths.h"
#include "ui/process/spawn_helper.h"
#include "ui/term/terminal.h"
#include "ui/widget/line_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, WORDS_MAX = 64, WAIT_MS = 10, WAITS = 100 };

/* --- the command --- */

char **editor_arguments(const char *command, const char *file)
{
    static const char special[] = "|&;<>()$`\\\"'*?[]#~=%{}!\n";
    char **arguments = mem_zero(WORDS_MAX + 3, sizeof *arguments);
    size_t count = 0;

    if (strpbrk(command, special)) {
        CLEANUP(str_free) struct str script = {0};
        str_addf(&script, "%s \"$1\"", command);
        arguments[count++] = mem_strdup("sh");
        arguments[count++] = mem_strdup("-c");
        arguments[count++] = mem_strdup(str_c(&script));
        arguments[count++] = mem_strdup("sh");
    } else {
        char *words = mem_strdup(command), *rest = words, *word;
        while (count < WORDS_MAX && (word = strsep(&rest, " \t")))
            if (*word)
                arguments[count++] = mem_strdup(word);
        free(words);
    }
    arguments[count] = mem_strdup(file);
    return arguments;
}

/* --- the process --- */

/* Saved signal actions. While an editor has the terminal, keys that send signals are for the
 * editor; ^Z stops both. */
struct signals {
    struct sigaction interrupt, quit, stop;
};

static void give_signals(struct signals *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};

    sigaction(SIGINT, &ignore, &before->interrupt);
    sigaction(SIGQUIT, &ignore, &before->quit);
    sigaction(SIGTSTP, &usual, &before->stop);
}

static void take_signals(const struct signals *before)
{
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
    sigaction(SIGTSTP, &before->stop, NULL);
}

/* The editor that has the terminal, for the handler of a signal that ends us meanwhile. */
static atomic_int editing;

/* Ends the editor, which cannot stay without us: the shell will want the terminal. Like the closing
 * of its window, SIGHUP gives it the time to save and to restore the screen. */
static void hang_up_editor(void)
{
    pid_t pid = atomic_load(&editing);

    if (pid <= 0)
        return;
    kill(pid, SIGHUP);
    kill(pid, SIGCONT);
    for (int i = 0; i < WAITS && waitpid(pid, NULL, WNOHANG) == 0; i++)
        poll(NULL, 0, WAIT_MS);
    terminal_restore_modes();
}

static bool say_absent(const char *command, struct err *err)
{
    return err_set(err, ERR_MESSAGE,
                   "%s could not be started: set editor in the config, or $EDITOR", command);
}

static bool wait_for(pid_t pid, const char *command, struct err *err)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return err_set(err, ERR_MESSAGE, "%s: nobody can tell how it ended: %s", command,
                           strerror(errno));
    if (WIFSIGNALED(status))
        return err_set(err, ERR_MESSAGE, "%s was ended by signal %d: the text is as it was",
                       command, WTERMSIG(status));
    if (WEXITSTATUS(status) == NOT_FOUND) /* reported by a shell */
        return say_absent(command, err);
    if (WEXITSTATUS(status))
        return err_set(err, ERR_MESSAGE, "%s ended with %d: the text is as it was", command,
                       WEXITSTATUS(status));
    return true;
}

static bool run_editor(struct terminal *terminal, const struct spawner *spawner,
                       const char *command, const char *file, struct err *err)
{
    char **arguments = editor_arguments(command, file);
    struct signals before;
    pid_t pid;
    bool ok;

    if (terminal)
        terminal_release(terminal);
    give_signals(&before);
    if (terminal)
        signal_cleanup_set_hook(hang_up_editor);
    int failed = spawn_program(spawner, &pid, (const char *const *)arguments,
                               &(struct spawn_files){SPAWN_OURS, SPAWN_OURS, SPAWN_OURS});
    atomic_store(&editing, failed ? 0 : pid);
    ok = failed ? say_absent(command, err) : wait_for(pid, command, err);
    atomic_store(&editing, 0);
    signal_cleanup_set_hook(NULL);
    take_signals(&before);
    if (terminal)
        terminal_resume(terminal);
    spawn_free_words(arguments);
    return ok;
}

/* --- the file --- */

bool editor_files(struct str *start, bool make, struct err *err)
{
    if (!home_state(start, make, err))
        return false;
    str_puts(start, "/edit-");
    return true;
}

static bool make_file(struct str *path, struct span text, struct err *err)
{
    static const char end[] = ".md";

    if (!editor_files(path, true, err))
        return false;
    str_puts(path, "XXXXXX");
    str_puts(path, end);
    int fd = mkstemps(path->at, (int)sizeof end - 1);
    if (fd < 0)
        return err_set(err, ERR_MESSAGE, "%s: no file for the editor can be made: %s", str_c(path),
                       strerror(errno));
    bool ends = !text.len || text.at[text.len - 1] == '\n';
    bool ok = file_write_all(fd, text) && (ends || file_write_all(fd, span_of("\n")));
    if (close(fd) != 0 || !ok) {
        err_set(err, ERR_MESSAGE, "%s: the text for the editor cannot be written: %s", str_c(path),
                strerror(errno));
        unlink(str_c(path));
        return false;
    }
    return true;
}

/* Removes the newline that editors add at the end. */
static void drop_newline(struct str *now, struct span before)
{
    bool had = before.len && before.at[before.len - 1] == '\n';

    if (!had && now->len && now->at[now->len - 1] == '\n')
        now->at[--now->len] = '\0';
}

static enum file_result read_left(const char *path, struct str *now, struct err *err)
{
    struct span dir, name;
    CLEANUP(str_free) struct str home = {0};
    struct file_id id;
    enum file_result got = FILE_FAILED;
    int root;

    span_split_last(span_of(path), '/', &dir, &name);
    str_add_span(&home, dir);
    if (file_open_root(str_c(&home), &root, err)) {
        got = file_read(root, name.at, EDIT_MOST, now, &id, err);
        close(root);
    }
    if (got == FILE_GONE)
        err_set(err, ERR_MESSAGE, "the editor left no file: the text is as it was");
    return got;
}

/* Reads what the editor left. If that fails the file stays, unless it is unchanged: it may hold
 * hours of work. */
static bool take_back(const char *path, bool ran, struct str *text, struct err *err)
{
    CLEANUP(str_free) struct str now = {0};
    struct err unread;
    enum file_result got = read_left(path, &now, &unread);

    drop_newline(&now, str_span(text));
    if (ran && got != FILE_OK)
        *err = unread;
    bool ok = ran && got == FILE_OK;
    bool stays =
        !ok && got != FILE_GONE && !(got == FILE_OK && span_eq(str_span(&now), str_span(text)));
    if (stays) {
        struct err why = *err;
        err_set(err, ERR_MESSAGE, "%s; what was written is in %s", why.text, path);
    } else {
        unlink(path);
    }
    if (ok)
        str_set(text, str_span(&now));
    return ok;
}

bool editor_run(struct terminal *terminal, const struct spawner *spawner, const char *command,
                struct str *text, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    bool ok = make_file(&path, str_span(text), err);

    if (ok)
        ok = take_back(str_c(&path), run_editor(terminal, spawner, command, str_c(&path), err),
                       text, err);
    return ok;
}
