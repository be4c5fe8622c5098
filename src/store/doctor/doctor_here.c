/* The doctor, everything around the mailboxes: what is kept here, and what the system allows. */
#include "base/file/retry.h"
#include "store/doctor/doctor_private.h"
#include "store/search/index.h"
#include "store/source/filesystem.h"
#include "store/source/home.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is due is done by whichever swarmutt runs next, and that was this one. */
#define OVERDUE_US INT64_C(60000000)

void look_settings(struct exam *exam)
{
    struct str text = {0}, advice = {0};
    bool empty = !exam->dir_count && !exam->names.count;

    if (!exam->source->problem)
        return;
    str_puts(&text, exam->source->problem);
    str_puts(&advice, empty ? "see whether this is the directory that you mean"
                            : "see to that file: the agents' own program may not read it either");
    doctor_find(exam, !empty, span_of("."), &text, &advice);
}

void look_sources(struct exam *exam)
{
    struct str text = {0}, advice = {0};

    if (exam->doctor->sources)
        return;
    str_puts(&text, "no mailboxes were found");
    str_puts(&advice, "go to a project that has some, or name them with --source [FORMAT:]PATH");
    doctor_find(exam, false, span_of("."), &text, &advice);
}

static void tell_outbox(struct exam *exam, const struct outbox_entry *entry, int64_t now_us)
{
    struct str text = {0}, advice = {0}, subject = {0};
    bool waits = entry->state == OUTBOX_QUEUED;
    bool written = entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN;

    str_addf(&subject, "%lld", (long long)entry->number);
    str_addf(&text, "%.*s to \"%.*s\", of ", (int)entry->id.len, entry->id.at, (int)entry->to.len,
             entry->to.at);
    when_add_age(&text, now_us - entry->created_us);
    str_puts(&text, " ago, ");
    if (waits)
        str_puts(&text, "waits until the message before it has been taken");
    else if (entry->problem.len)
        str_add_span(&text, entry->problem);
    else
        str_puts(&text, written ? "was written, and nobody has looked whether it stayed"
                                : "was interrupted: it may not have been sent");
    if (waits)
        str_addf(&advice, "wait, or give it up: swarmutt outbox drop %lld",
                 (long long)entry->number);
    else
        str_addf(&advice, "swarmutt outbox retry %lld, or swarmutt outbox drop %lld",
                 (long long)entry->number, (long long)entry->number);
    doctor_find(exam, !waits && !written, str_span(&subject), &text, &advice);
    str_free(&subject);
}

void look_outbox(struct exam *exam)
{
    struct err ignored;
    struct state *state = store_state(exam->store, false, &ignored);
    struct outbox outbox = {0};
    int64_t now_us = when_now();

    if (state && outbox_list(state, &outbox, &ignored)) {
        for (size_t i = 0; i < outbox.count; i++) {
            const struct outbox_entry *entry = &outbox.items[i];
            bool at_work = !outbox_is_stuck(entry->state) && entry->state != OUTBOX_QUEUED;
            if (!at_work || now_us - entry->created_us > OVERDUE_US)
                tell_outbox(exam, entry, now_us);
        }
    }
    outbox_free(&outbox);
}

void look_state(struct exam *exam)
{
    struct str text = {0}, advice = {0};
    struct err err = {0};
    struct state *state = store_state(exam->store, false, &err);

    if (state ? state_check(state, &err) : err.scope == ERR_ABSENT)
        return;
    str_puts(&text, err.text);
    str_puts(&advice, "until then nothing can be sent, and marks that were made here are not "
                      "shown; mail itself is not in it");
    doctor_find(exam, true, span_of("state.db"), &text, &advice);
}

/* What we keep may hold whole messages: it is nobody else's business. */
void look_private(struct exam *exam)
{
    static const char *const names[] = {
        "",           "/state.db", "/state.db-wal", "/state.db-shm", "/state.lock",
        "/debug.log", "/ledger",   "/ledger.head"};
    struct str dir = {0};
    struct err ignored;
    struct stat st;

    for (size_t i = 0; i < sizeof names / sizeof *names && home_state(&dir, false, &ignored); i++) {
        struct str text = {0}, advice = {0};
        str_puts(&dir, names[i]);
        if (lstat(str_c(&dir), &st) < 0 || S_ISLNK(st.st_mode) || !(st.st_mode & 077))
            continue;
        str_addf(&text, "others on this machine may look into it (mode %03o)",
                 (unsigned)(st.st_mode & 0777));
        bool ours = st.st_uid == geteuid();
        str_puts(&advice, ours ? "swarmutt doctor --fix closes it to them"
                               : "it belongs to somebody else: see who it is");
        doctor_find(exam, true, str_span(&dir), &text, &advice)->fixable = ours;
    }
    str_free(&dir);
}

bool fix_private(struct exam *exam, const struct finding *finding, struct err *err)
{
    struct stat st;
    int fd = retry_open(AT_FDCWD, finding->path.at,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && fchmod(fd, st.st_mode & 0700) == 0;

    (void)exam;
    if (!ok)
        err_set(err, ERR_SOURCE, "it cannot be closed to others: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}

/* A limit of the kernel; 0 when it cannot be read. */
static unsigned long read_limit(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[32] = "";

    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return strtoul(line, NULL, 10);
}

static void tell_limit(struct exam *exam, struct str *text, const char *name, unsigned long raised)
{
    struct str advice = {0};

    str_puts(text, ": what cannot be watched is looked at every second instead");
    str_addf(&advice, "raise the limit: sysctl %s=%lu", name, raised);
    doctor_find(exam, false, span_of(name), text, &advice);
}

void look_watches(struct exam *exam)
{
    unsigned long watches = read_limit("/proc/sys/fs/inotify/max_user_watches");
    unsigned long instances = read_limit("/proc/sys/fs/inotify/max_user_instances");
    struct str text = {0};
    size_t dirs = 0;
    int fd = inotify_init1(IN_CLOEXEC);

    for (size_t i = 0; i < exam->doctor->exam_count; i++)
        dirs += exam->doctor->exams[i].dir_count;
    if (watches && dirs > watches) {
        str_addf(&text, "%zu directories hold mail, and the kernel lets you watch %lu", dirs,
                 watches);
        tell_limit(exam, &text, "fs.inotify.max_user_watches", dirs * 2);
    }
    if (fd < 0 && errno == EMFILE && instances) {
        str_addf(&text, "your programs have taken all %lu watchers that the kernel lets you have",
                 instances);
        tell_limit(exam, &text, "fs.inotify.max_user_instances", instances * 2);
    }
    if (fd >= 0)
        close(fd);
}

void look_file_system(struct exam *exam)
{
    struct str text = {0}, advice = {0};
    const char *why = filesystem_is_silent(exam->source->root);

    if (!why)
        return;
    str_addf(&text, "%s: it is looked at every second instead", why);
    str_puts(&advice, "nothing, unless that is too slow: run swarmutt on the machine that has the "
                      "disk");
    doctor_find(exam, false, span_of("."), &text, &advice);
}

void look_index(struct exam *exam)
{
    struct str text = {0}, advice = {0};
    struct search_index index;

    index_open(&index, exam->source);
    index_check(&index);
    if (index.damaged) {
        str_addf(&text,
                 "%zu part%s of the search index cannot be used, and the files are read "
                 "instead: %s",
                 index.damaged, index.damaged == 1 ? "" : "s", index.problem);
        str_puts(&advice, "swarmutt index rebuild makes it anew; nothing is lost");
        doctor_find(exam, false, str_span(&index.path), &text, &advice);
    }
    index_close(&index);
}
