/* The doctor, rosters: one that cannot be read makes everybody in it unknown. */
#include "store/doctor/doctor_private.h"
#include "store/scan/walk.h"

#include <stdlib.h>
#include <unistd.h>

struct roll {
    struct exam *exam;
    int root;
};

static void read_roster(struct walker *walker, const struct found *file)
{
    const struct roll *roll = walker->context;
    struct str path = {0}, bytes = {0}, text = {0}, advice = {0};
    struct members members = {0};
    struct arena scratch = {0};
    struct file_id id = {0};
    struct err err = {0};

    str_add_span(&path, file->dir);
    str_puts(&path, path.len ? "/" : "");
    str_add_span(&path, file->name);
    enum file_result result = FILE_FAILED;
    if (file->problem)
        err_set(&err, ERR_BOX, "%s", file->problem);
    else
        result = file_read(roll->root, str_c(&path), FILE_SIZE_MAX, &bytes, &id, &err);
    bool ok =
        result == FILE_GONE ||
        (result == FILE_OK &&
         (roll->exam->source->format->parse_roster(str_span(&bytes), &members, &scratch, &err) ||
          !file_is_settled(id.mtime_ns / 1000)));
    if (!ok) {
        str_addf(&text, "the roster cannot be read, and nobody on it is known: %s", err.text);
        str_puts(&advice, "only the agents' own program may write it: see what that makes of it");
        doctor_find(roll->exam, true, str_span(&path), &text, &advice);
    }
    free(members.items);
    arena_free(&scratch);
    str_free(&path);
    str_free(&bytes);
}

/* Teams whose members only a roster could name, and that have none. */
static void look_for_missing(struct exam *exam)
{
    for (size_t i = 0; i < exam->names.teams.count; i++) {
        struct span team = exam->names.teams.items[i];
        struct str path = {0}, text = {0}, advice = {0};
        if (!roster_is_missing(exam->source, &exam->names, team))
            continue;
        roster_add_path(&path, exam->source, team);
        str_puts(&text, "it is missing" ROSTER_MISSING);
        str_puts(&advice, "if the team has ended, its mailbox can go; only the agents' own program "
                          "may write the roster");
        doctor_find(exam, false, str_span(&path), &text, &advice);
    }
}

void look_rosters(struct exam *exam)
{
    const struct source *source = exam->source;
    struct place_rule rule = {source->format->roster_pattern, false};
    struct roll roll = {.exam = exam};
    struct walker walker = {
        .rules = &rule, .rule_count = 1, .found = read_roster, .context = &roll};
    struct err ignored;

    look_for_missing(exam);
    if (!source->format->parse_roster || access(source->roster_path, F_OK) < 0 ||
        !file_open_root(source->roster_path, &roll.root, &ignored))
        return;
    walk_tree(&walker, roll.root, &ignored);
    close(roll.root);
}
