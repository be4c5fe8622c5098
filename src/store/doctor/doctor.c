/* The doctor: the table of checks, and how they are run. */
#include "store/doctor/doctor.h"

#include "base/mem.h"
#include "store/doctor/doctor_private.h"
#include "store/store_private.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

const struct doctor_check doctor_checks[] = {
    {"stale-lock", .look = look_locks, .deed = "remove", .one = "stale lock", .many = "stale locks",
     .fix = fix_lock},
    {"temporary", .look = look_temporaries, .deed = "remove", .one = "temporary file",
     .many = "temporary files", .fix = fix_temporary},
    {"unfinished", .look = look_unfinished},
    {"saved", .look = look_saved},
    {"unreadable", .look = look_unreadable},
    {"damaged", .look = look_damaged},
    {"blind", .look = look_blind},
    {"in-both", .look = look_in_both, .deed = "archive again",
     .one = "message that is in the archive already",
     .many = "messages that are in the archive already", .fix = fix_archive},
    {"same-id", .look = look_same_id},
    {"answered", .look = look_answered, .deed = "archive", .one = "answered message",
     .many = "answered messages", .fix = fix_archive},
    {"dead-letter", .look = look_boxes},
    {"expired", .look = look_expired},
    {"stray", .look = look_stray},
    {"unreachable", .look = look_unreachable},
    {"roster", .look = look_rosters},
    {"name", .look = look_names},
    {"not-mail", .look = look_not_mail},
    {"circle", .look = look_circles},
    {"settings", .look = look_settings},
    {"file-system", .look = look_file_system},
    {"index", .look = look_index},
    {"sources", .once = true, .look = look_sources},
    {"config", .once = true, .look = look_config},
    {"outbox", .once = true, .look = look_outbox},
    {"state", .once = true, .look = look_state},
    {"private", .once = true, .look = look_private, .deed = "close to others",
     .one = "file or directory of ours", .many = "files and directories of ours",
     .fix = fix_private},
    {"watches", .once = true, .look = look_watches},
    {0},
};

struct finding *doctor_find(struct exam *exam, bool problem, struct span path, struct str *text,
                            struct str *advice)
{
    struct doctor *doctor = exam->doctor;
    struct finding *finding = arena_alloc(&doctor->arena, sizeof *finding);

    *finding = (struct finding){.check = doctor->check,
                                .exam = exam,
                                .source = exam->source,
                                .problem = problem,
                                .path = arena_copy(&doctor->arena, path),
                                .text = arena_copy(&doctor->arena, str_span(text)),
                                .advice = arena_copy(&doctor->arena, str_span(advice))};
    str_free(text);
    str_free(advice);
    doctor->findings =
        mem_grow(doctor->findings, &doctor->cap, doctor->count + 1, sizeof *doctor->findings);
    doctor->findings[doctor->count++] = finding;
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
    struct str name = {0};

    if (message->id.len && !message->damaged && exam_knows_id(exam, message->id) == 1)
        str_add_span(&name, message->id);
    else
        message_add_name(&name, message, false);
    doctor_add_word(out, str_span(&name));
    str_free(&name);
}

void doctor_add_count(struct str *out, size_t count, const char *one, const char *many)
{
    str_addf(out, "%zu %s", count, count == 1 ? one : many);
}

void exam_group(struct exam *exam, exam_pick *pick, exam_compare *compare, exam_tell *tell)
{
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
    free(picked);
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
    bool tells = place_tells_box(exam->source->format->rules[0].pattern);
    size_t boxes = tells ? 0 : exam->dir_count;

    for (size_t i = 0; tells && i < exam->names.count; i++)
        boxes += !exam->names.items[i].on_roster;
    exam->doctor->boxes += boxes;
    exam->doctor->messages += exam->model.count;
    exam->doctor->sources++;
}

/* Everything that the checks of a source need, read once. */
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
            check->look(&doctor->exams[i]);
}

struct doctor_job {
    struct job job;
    struct doctor *doctor;
    const struct doctor_check *check; /* what is to be repaired; NULL: look */
};

static bool run_look(struct job *job, struct store *store, struct err *err)
{
    struct doctor *doctor = ((struct doctor_job *)job)->doctor;
    struct state *state = store_state(store, false, err); /* a check tells why it is not there */
    struct outbox outbox = {0};
    struct err ignored;

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
    outbox_free(&outbox);
    for (const struct doctor_check *check = doctor_checks; check->word; check++)
        run_check(doctor, check);
    return true;
}

bool store_doctor(struct store *store, int64_t now_us, struct doctor *doctor, struct err *err)
{
    struct doctor_job job = {.job.run = run_look, .doctor = doctor};

    doctor->now_us = now_us;
    return store_run(store, &job.job, NULL, err);
}

static bool run_fix(struct job *job, struct store *store, struct err *err)
{
    struct doctor_job *fix = (struct doctor_job *)job;

    (void)err;
    for (size_t i = 0; i < fix->doctor->count; i++) {
        struct finding *finding = fix->doctor->findings[i];
        if (finding->check != fix->check || !finding->fixable || finding->tried)
            continue;
        finding->tried = true;
        finding->fixed = fix->check->fix(finding->exam, finding, &finding->failure);
        log_add(store->log, "doctor: %s %s: %s", fix->check->word, finding->path.at,
                finding->fixed ? "repaired" : finding->failure.text);
    }
    return true;
}

bool store_doctor_fix(struct store *store, struct doctor *doctor, const struct doctor_check *check,
                      struct err *err)
{
    struct doctor_job job = {.job.run = run_fix, .doctor = doctor, .check = check};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
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

bool store_doctor_confirm(struct store *store, struct doctor *doctor, struct err *err)
{
    struct doctor after = {0};
    bool ok = store_doctor(store, doctor->now_us, &after, err);

    for (size_t i = 0; i < doctor->count; i++) {
        struct finding *finding = doctor->findings[i];
        if (!finding->fixed || (ok && !is_found_again(&after, finding)))
            continue;
        finding->fixed = err_set(&finding->failure, ERR_MESSAGE, "it is there again");
    }
    doctor_free(&after);
    return ok;
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
