/* The doctor: the table of checks, running them, and the checks outside mailboxes. */
#include "store/doctor/doctor.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "store/doctor/doctor_private.h"
#include "store/search/search_index.h"
#include "store/source/agent_directory.h"
#include "store/source/network_fs.h"
#include "store/source/our_paths.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Local state, and limits of the system. */

/* Age after which an outbox entry that is due counts as a problem. The next swarmutt that runs
 * does what is due, and that is this one. */
#define OVERDUE_US INT64_C(60000000)

/* Reports a problem with the settings of a source. */
static void check_settings(struct exam *exam)
{
    bool empty = !exam->dir_count && !exam->names.count;

    if (exam->source->problem)
        doctor_find(exam, !empty, span_of("."), span_of(exam->source->problem),
                    span_of(empty ? "see whether this is the directory that you mean"
                                  : "see to that file: the agents' own program may not read it "
                                    "either"));
}

static void check_sources(struct exam *exam)
{
    if (!exam->doctor->sources)
        doctor_find(
            exam, false, span_of("."), span_of("no mailboxes were found"),
            span_of("go to a project that has some, or name them with --source [FORMAT:]PATH"));
}

static void report_outbox(struct exam *exam, const struct outbox_entry *entry, int64_t now_us)
{
    CLEANUP(str_free) struct str subject = {0}, text = {0}, advice = {0};
    bool waits = entry->state == OUTBOX_QUEUED;
    bool written = entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN;

    str_addf(&subject, "%lld", (long long)entry->number);
    str_addf(&text, "%.*s to \"%.*s\", of ", (int)entry->id.len, entry->id.at, (int)entry->to.len,
             entry->to.at);
    time_add_age(&text, now_us - entry->created_us);
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
    doctor_find(exam, !waits && !written, str_span(&subject), str_span(&text), str_span(&advice));
}

static void check_outbox(struct exam *exam)
{
    struct err ignored;
    struct state *state = store_state(exam->store, false, &ignored);
    CLEANUP(outbox_free) struct outbox outbox = {0};
    int64_t now_us = time_now();

    if (state && outbox_list(state, &outbox, &ignored)) {
        for (size_t i = 0; i < outbox.count; i++) {
            const struct outbox_entry *entry = &outbox.items[i];
            bool at_work = !outbox_is_stuck(entry->state) && entry->state != OUTBOX_QUEUED;
            if (!at_work || now_us - entry->created_us > OVERDUE_US)
                report_outbox(exam, entry, now_us);
        }
    }
}

static void check_state(struct exam *exam)
{
    struct err err = {0};
    struct state *state = store_state(exam->store, false, &err);

    if (state ? !state_check(state, &err) : err.scope != ERR_ABSENT)
        doctor_find(exam, true, span_of("state.db"), span_of(err.text),
                    span_of("until then nothing can be sent, and marks that were made here are not "
                            "shown; mail itself is not in it"));
}

/* Reports files of our state that others can read, because they may contain whole messages. */
static void check_private(struct exam *exam)
{
    static const char *const names[] = {
        "",           "/state.db", "/state.db-wal", "/state.db-shm", "/state.lock",
        "/debug.log", "/ledger",   "/ledger.head"};
    CLEANUP(str_free) struct str dir = {0};
    struct stat st;

    for (size_t i = 0; i < sizeof names / sizeof *names && home_state(&dir, false, NULL); i++) {
        CLEANUP(str_free) struct str text = {0};
        str_puts(&dir, names[i]);
        if (lstat(str_c(&dir), &st) < 0 || S_ISLNK(st.st_mode) || !(st.st_mode & 077))
            continue;
        str_addf(&text, "others on this machine may look into it (mode %03o)",
                 (unsigned)(st.st_mode & 0777));
        bool ours = st.st_uid == geteuid();
        const char *advice = ours ? "swarmutt doctor --fix closes it to them"
                                  : "it belongs to somebody else: see who it is";
        doctor_find(exam, true, str_span(&dir), str_span(&text), span_of(advice))->fixable = ours;
    }
}

static bool fix_private(struct exam *exam, const struct finding *finding, struct err *err)
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

/* Returns a limit of the kernel; 0 if it cannot be read. */
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

static void report_limit(struct exam *exam, struct str *text, const char *name,
                         unsigned long raised)
{
    CLEANUP(str_free) struct str advice = {0};

    str_puts(text, ": what cannot be watched is looked at every second instead");
    str_addf(&advice, "raise the limit: sysctl %s=%lu", name, raised);
    doctor_find(exam, false, span_of(name), str_span(text), str_span(&advice));
    str_clear(text);
}

static void check_watches(struct exam *exam)
{
    unsigned long watches = read_limit("/proc/sys/fs/inotify/max_user_watches");
    unsigned long instances = read_limit("/proc/sys/fs/inotify/max_user_instances");
    CLEANUP(str_free) struct str text = {0};
    size_t dirs = 0;
    int fd = inotify_init1(IN_CLOEXEC);

    for (size_t i = 0; i < exam->doctor->exam_count; i++)
        dirs += exam->doctor->exams[i].dir_count;
    if (watches && dirs > watches) {
        str_addf(&text, "%zu directories hold mail, and the kernel lets you watch %lu", dirs,
                 watches);
        report_limit(exam, &text, "fs.inotify.max_user_watches", dirs * 2);
    }
    if (fd < 0 && errno == EMFILE && instances) {
        str_addf(&text, "your programs have taken all %lu watchers that the kernel lets you have",
                 instances);
        report_limit(exam, &text, "fs.inotify.max_user_instances", instances * 2);
    }
    if (fd >= 0)
        close(fd);
}

static void check_file_system(struct exam *exam)
{
    CLEANUP(str_free) struct str text = {0};
    const char *why = filesystem_is_silent(exam->source->root);

    if (!why)
        return;
    str_addf(&text, "%s: it is looked at every second instead", why);
    doctor_find(exam, false, span_of("."), str_span(&text),
                span_of("nothing, unless that is too slow: run swarmutt on the machine that has "
                        "the disk"));
}

/* Reports damage of the search index. */
static void check_index(struct exam *exam)
{
    CLEANUP(str_free) struct str text = {0};
    struct search_index index;

    index_open(&index, exam->source);
    index_check(&index);
    if (index.damaged) {
        str_addf(&text,
                 "%zu part%s of the search index cannot be used, and the files are read "
                 "instead: %s",
                 index.damaged, index.damaged == 1 ? "" : "s", index.problem);
        doctor_find(exam, false, str_span(&index.path), str_span(&text),
                    span_of("swarmutt index rebuild makes it anew; nothing is lost"));
    }
    index_close(&index);
}

/* Circles of agents that wait for each other, and mistakes in the config. */

/* Returns the request that an agent of the circle got from the one before it, which shows the name
 * under which the agent gets mail. NULL if that agent is shown with more urgent evidence. */
static const struct message *find_request(const struct exam *exam, const struct agents *agents,
                                          const struct agent_circle *circle)
{
    const struct agent *first = &agents->items[circle->members[0]];
    const struct agent *last = &agents->items[circle->members[circle->count - 1]];
    const struct message *message =
        last->evidence == AGENT_NONE ? NULL : exam->model.messages[last->evidence];

    for (size_t i = 0; message && i < first->names.count; i++)
        if (span_eq(first->names.items[i], message_recipient(message)))
            return message;
    return NULL;
}

static void report_circle(struct exam *exam, const struct agents *agents,
                          const struct agent_circle *circle)
{
    const struct agent *first = &agents->items[circle->members[0]];
    const struct message *request = find_request(exam, agents, circle);
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    str_puts(&text, "agents wait for each other: ");
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(&text, i ? " -> " : "");
        str_add_span(&text, agents->items[circle->members[i % circle->count]].name);
    }
    str_puts(&advice, "answer one of them in place of the one who is asked, or tell it to go on: "
                      "swarmutt send --to ");
    doctor_add_word(&advice, request ? message_recipient(request) : first->name);
    doctor_find(exam, true, request ? request->place->dir : first->name, str_span(&text),
                str_span(&advice));
}

/* Reports circles of agents that wait for each other. */
static void check_circles(struct exam *exam)
{
    CLEANUP(config_free) struct config config = {0};
    CLEANUP(agent_directory_free) struct agent_directory world = {0};
    CLEANUP(agents_free) struct agents agents = {0};
    CLEANUP(requests_free) struct requests asks = {0};
    struct err ignored;

    config_load(&config, &ignored); /* ignore failure: the limits do not matter here */
    if (store_agents(exam->store, &config, &world, &ignored)) {
        int64_t now_us = time_now();
        requests_build(&asks, &exam->model, now_us);
        agent_directory_build(&world, &exam->model, &asks, now_us, &agents);
        for (size_t i = 0; i < agents.circle_count; i++)
            report_circle(exam, &agents, &agents.circles[i]);
    }
}

static void check_config(struct exam *exam)
{
    CLEANUP(config_free) struct config config = {0};
    struct err ignored;

    config_load(&config, &ignored);
    for (size_t i = 0; i < config.mistake_count; i++) {
        const struct config_mistake *mistake = &config.mistakes[i];
        CLEANUP(str_free) struct str text = {0};
        str_addf(&text, "%s: ", config.path);
        if (mistake->line)
            str_addf(&text, "line %u: ", mistake->line);
        str_add_span(&text, mistake->text);
        doctor_find(
            exam, true, (struct span){0}, str_span(&text),
            span_of("correct it; until then every other command that opens mailboxes fails"));
    }
}

const struct doctor_check doctor_checks[] = {
    {"stale-lock", .check = check_locks, .deed = "remove", .one = "stale lock",
     .many = "stale locks", .fix = fix_lock},
    {"temporary", .check = check_temporaries, .deed = "remove", .one = "temporary file",
     .many = "temporary files", .fix = fix_temporary},
    {"unfinished", .check = check_unfinished},
    {"saved", .check = check_saved},
    {"unreadable", .check = check_unreadable},
    {"damaged", .check = check_damaged},
    {"blind", .check = check_blind},
    {"in-both", .check = check_in_both, .deed = "archive again",
     .one = "message that is in the archive already",
     .many = "messages that are in the archive already", .fix = fix_archive},
    {"same-id", .check = check_same_id},
    {"answered", .check = check_answered, .deed = "archive", .one = "answered message",
     .many = "answered messages", .fix = fix_archive},
    {"dead-letter", .check = check_boxes},
    {"expired", .check = check_expired},
    {"stray", .check = check_stray},
    {"unreachable", .check = check_unreachable},
    {"roster", .check = check_rosters},
    {"name", .check = check_names},
    {"not-mail", .check = check_not_mail},
    {"circle", .check = check_circles},
    {"settings", .check = check_settings},
    {"file-system", .check = check_file_system},
    {"index", .check = check_index},
    {"sources", .once = true, .check = check_sources},
    {"config", .once = true, .check = check_config},
    {"outbox", .once = true, .check = check_outbox},
    {"state", .once = true, .check = check_state},
    {"private", .once = true, .check = check_private, .deed = "close to others",
     .one = "file or directory of ours", .many = "files and directories of ours",
     .fix = fix_private},
    {"watches", .once = true, .check = check_watches},
    {0},
};

struct finding *doctor_find(struct exam *exam, bool problem, struct span path, struct span text,
                            struct span advice)
{
    struct doctor *doctor = exam->doctor;
    struct finding *finding = arena_alloc(&doctor->arena, sizeof *finding);

    *finding = (struct finding){.check = doctor->check,
                                .exam = exam,
                                .source = exam->source,
                                .problem = problem,
                                .path = arena_copy(&doctor->arena, path),
                                .text = arena_copy(&doctor->arena, text),
                                .advice = arena_copy(&doctor->arena, advice)};
    *mem_push(doctor->findings, doctor->count, doctor->cap) = finding;
    return finding;
}

static bool is_plain_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/._-+=:@,%", c);
}

void doctor_add_word(struct str *out, struct span word)
{
    bool plain = word.len > 0;

    for (size_t i = 0; plain && i < word.len; i++)
        plain = word.at[i] && is_plain_char(word.at[i]);
    if (plain) {
        str_add_span(out, word);
        return;
    }
    str_putc(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] == '\'')
            str_puts(out, "'\\''");
        else
            str_putc(out, word.at[i]);
    }
    str_putc(out, '\'');
}

void doctor_add_id(struct str *out, const struct exam *exam, const struct message *message)
{
    CLEANUP(str_free) struct str name = {0};

    if (message->id.len && !message->damaged && exam_knows_id(exam, message->id) == 1)
        str_add_span(&name, message->id);
    else
        message_add_name(&name, message, false);
    doctor_add_word(out, str_span(&name));
}

void doctor_add_count(struct str *out, size_t count, const char *one, const char *many)
{
    str_addf(out, "%zu %s", count, count == 1 ? one : many);
}

void exam_group(struct exam *exam, exam_pick *pick, exam_compare *compare, exam_tell *tell)
{
    CLEANUP(mem_free)
    struct message **picked = mem_zero(exam->model.count, sizeof(struct message *));
    size_t count = 0;

    for (size_t i = 0; i < exam->model.count; i++)
        if (pick(exam, exam->model.messages[i]))
            picked[count++] = exam->model.messages[i];
    model_sort(picked, count, compare);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare(picked[first], picked[end]) == 0; end++)
            ;
        tell(exam, picked + first, end - first);
    }
}

size_t exam_knows_id(const struct exam *exam, struct span id)
{
    const uint32_t *count = map_get(&exam->ids, id);

    return count ? *count : 0;
}

static void take_batch(void *context, struct batch *batch)
{
    model_add(context, batch);
}

static void count_ids(struct exam *exam, const struct outbox *outbox)
{
    bool fresh;

    for (size_t i = 0; i < exam->model.count; i++)
        if (!exam->model.messages[i]->damaged)
            ++*map_put(&exam->ids, exam->model.messages[i]->id, &fresh);
    for (size_t i = 0; i < outbox->count; i++)
        if (span_is(outbox->items[i].root, exam->source->path))
            ++*map_put_copy(&exam->ids, &exam->arena, outbox->items[i].id, &fresh);
}

static void count_boxes(struct exam *exam)
{
    bool tells = place_has_box(exam->source->format->rules[0].pattern);
    size_t boxes = tells ? 0 : exam->dir_count;

    for (size_t i = 0; tells && i < exam->names.count; i++)
        boxes += !exam->names.items[i].on_roster;
    exam->doctor->boxes += boxes;
    exam->doctor->messages += exam->model.count;
    exam->doctor->sources++;
}

/* Reads everything that the checks of a source need, once. */
static void examine(struct exam *exam, struct state *state, const struct outbox *outbox)
{
    const struct source *source = exam->source;
    const struct load all = {.inbox = true, .archive = true, .state = state};

    if (!load_source(source, &all, take_batch, &exam->model, exam->store->log, &exam->failure) ||
        !address_book(source, &exam->names, &exam->failure) || !others_list(exam, &exam->failure))
        log_add(exam->store->log, "doctor: %s", exam->failure.text);
    model_settle(&exam->model);
    count_ids(exam, outbox);
    count_boxes(exam);
}

static void run_check(struct doctor *doctor, const struct doctor_check *check)
{
    doctor->check = check;
    for (size_t i = 0; i < doctor->exam_count; i++)
        if (check->once == !doctor->exams[i].source)
            check->check(&doctor->exams[i]);
}

void store_doctor(struct store *store, int64_t now_us, struct doctor *doctor)
{
    struct err ignored;
    struct state *state =
        store_state(store, false, &ignored); /* a check reports why there is none */
    CLEANUP(outbox_free) struct outbox outbox = {0};

    doctor->now_us = now_us;
    if (state && !outbox_list(state, &outbox, &ignored))
        log_add(store->log, "doctor: %s", ignored.text);
    doctor->exam_count = store->source_count + 1;
    doctor->exams = mem_zero(doctor->exam_count, sizeof *doctor->exams);
    for (size_t i = 0; i < doctor->exam_count; i++) {
        struct exam *exam = &doctor->exams[i];
        exam->doctor = doctor;
        exam->store = store;
        if (i == store->source_count)
            continue;
        exam->source = &store->sources[i];
        examine(exam, state, &outbox);
    }
    for (const struct doctor_check *check = doctor_checks; check->word; check++)
        run_check(doctor, check);
}

bool store_doctor_fix(struct store *store, struct doctor *doctor, const struct doctor_check *check,
                      struct err *err)
{
    if (!store_may_write(store, err))
        return false;
    for (size_t i = 0; i < doctor->count; i++) {
        struct finding *finding = doctor->findings[i];
        if (finding->check != check || !finding->fixable || finding->tried)
            continue;
        finding->tried = true;
        finding->fixed = check->fix(finding->exam, finding, &finding->failure);
        log_add(store->log, "doctor: %s %s: %s", check->word, finding->path.at,
                finding->fixed ? "repaired" : finding->failure.text);
    }
    return true;
}

static bool is_found_again(const struct doctor *doctor, const struct finding *finding)
{
    for (size_t i = 0; i < doctor->count; i++)
        if (doctor->findings[i]->check == finding->check &&
            doctor->findings[i]->source == finding->source &&
            span_eq(doctor->findings[i]->path, finding->path))
            return true;
    return false;
}

void store_doctor_confirm(struct store *store, struct doctor *doctor)
{
    CLEANUP(doctor_free) struct doctor after = {0};

    store_doctor(store, doctor->now_us, &after);
    for (size_t i = 0; i < doctor->count; i++) {
        struct finding *finding = doctor->findings[i];
        if (finding->fixed && is_found_again(&after, finding))
            finding->fixed = err_set(&finding->failure, ERR_MESSAGE, "it is there again");
    }
}

size_t doctor_fixable(const struct doctor *doctor, const struct doctor_check *check)
{
    size_t count = 0;

    for (size_t i = 0; i < doctor->count; i++)
        count += doctor->findings[i]->check == check && doctor->findings[i]->fixable;
    return count;
}

void doctor_free(struct doctor *doctor)
{
    for (size_t i = 0; i < doctor->exam_count; i++) {
        struct exam *exam = &doctor->exams[i];
        model_free(&exam->model);
        agent_names_free(&exam->names);
        map_free(&exam->ids);
        free(exam->others);
        arena_free(&exam->arena);
    }
    free(doctor->exams);
    free(doctor->findings);
    arena_free(&doctor->arena);
    *doctor = (struct doctor){0};
}
