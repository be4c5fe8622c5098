/* The doctor, names: those that share a box or lead to none, or that a person takes for one
 * another. */
#include "store/doctor/doctor_private.h"

#include "base/mem.h"
#include "base/text/lookalike.h"

#include <stdlib.h>

const char *doctor_name_trick(struct span name)
{
    if (lookalike_hides(name))
        return "it holds characters that cannot be seen";
    return lookalike_mixes(name) ? "its letters are of different scripts, which look alike" : NULL;
}

/* Somebody in a team: on a roster, with a box, or who wrote a message. */
struct person {
    struct span team, name;
    struct span box; /* where their mail goes; absent when the name cannot have one */
    bool on_roster;
};

struct crowd {
    struct exam *exam;
    struct person *people;
    size_t count, cap;
    struct map names, boxes,
        skeletons; /* with the team before: the number of the first, plus one */
};

/* The first who has this; NULL when it is the last one added, now. */
static const struct person *first_with(struct crowd *crowd, struct map *map, struct span what)
{
    struct span team = crowd->people[crowd->count - 1].team;
    struct str key = {0};
    bool fresh;

    str_add_span(&key, team);
    str_putc(&key, '\0');
    str_add_span(&key, what);
    uint32_t *first = map_get(map, str_span(&key));
    if (first) {
        str_free(&key);
        return &crowd->people[*first - 1];
    }
    *map_put_copy(map, &crowd->exam->arena, str_span(&key), &fresh) = (uint32_t)crowd->count;
    str_free(&key);
    return NULL;
}

static void tell(struct exam *exam, bool problem, const struct person *who, struct str *text,
                 const char *advise)
{
    struct str subject = {0}, advice = {0};

    str_addf(&subject, "\"%.*s\"", (int)who->name.len, who->name.at);
    if (who->team.len)
        str_addf(&subject, " in %.*s", (int)who->team.len, who->team.at);
    str_puts(&advice, advise);
    doctor_find(exam, problem, str_span(&subject), text, &advice);
    str_free(&subject);
}

/* The same agent by two spellings: its name and its box. Two names on rosters are two agents. */
static bool share_box(const struct format *format, const struct person *a, const struct person *b)
{
    return span_eq(a->box, b->box) ||
           (!b->on_roster && format_is_spelling(format, a->name, b->name));
}

static void compare(struct crowd *crowd, const struct person *who)
{
    struct exam *exam = crowd->exam;
    const struct person *other =
        who->on_roster && who->box.at ? first_with(crowd, &crowd->boxes, who->box) : NULL;
    const char *trick = doctor_name_trick(who->name);
    struct str skeleton = {0}, text = {0};

    if (other) {
        str_addf(&text,
                 "it shares a mailbox with \"%.*s\", which the layout spells alike: each "
                 "gets the other's mail",
                 (int)other->name.len, other->name.at);
        tell(exam, true, who, &text, "give one of them another name");
    }
    if (trick) {
        str_puts(&text, trick);
        tell(exam, true, who, &text, "find out who uses it before you answer or approve anything");
    }
    lookalike_skeleton(&skeleton, who->name);
    other = first_with(crowd, &crowd->skeletons, str_span(&skeleton));
    if (other && !share_box(exam->source->format, other, who) &&
        !share_box(exam->source->format, who, other)) {
        str_addf(&text, "it is easily taken for \"%.*s\"", (int)other->name.len, other->name.at);
        tell(exam, false, who, &text, "mind which of the two is meant, or rename one");
    }
    str_free(&skeleton);
}

static void meet(struct crowd *crowd, struct span team, struct span name, bool on_roster)
{
    const struct format *format = crowd->exam->source->format;
    struct str box = {0};

    if (!name.len)
        return;
    crowd->people = mem_grow(crowd->people, &crowd->cap, crowd->count + 1, sizeof *crowd->people);
    struct person *who = &crowd->people[crowd->count++];
    *who = (struct person){.team = format_has_teams(format) ? team : (struct span){0},
                           .name = name,
                           .on_roster = on_roster};
    if (first_with(crowd, &crowd->names, name)) { /* met before */
        crowd->count--;
        return;
    }
    if (format_spell(format, name, 0, &box))
        who->box = arena_copy(&crowd->exam->arena, str_span(&box));
    str_free(&box);
    compare(crowd, who);
}

void look_names(struct exam *exam)
{
    struct crowd crowd = {.exam = exam};
    const struct agent_names *names = &exam->names;
    const struct message *last = NULL;

    for (int boxes = 0; boxes < 2; boxes++) /* who is on a roster is the one that others resemble */
        for (size_t i = 0; i < names->count; i++)
            if (names->items[i].on_roster == !boxes)
                meet(&crowd, names->items[i].team, names->items[i].name, !boxes);
    for (size_t i = 0; i < exam->model.count; i++) {
        const struct message *message = exam->model.messages[i];
        if (!last || !span_eq(last->from, message->from) || last->place != message->place)
            meet(&crowd, message->place->team, message->from, false);
        last = message;
    }
    map_free(&crowd.names);
    map_free(&crowd.boxes);
    map_free(&crowd.skeletons);
    free(crowd.people);
}

void look_unreachable(struct exam *exam)
{
    const struct format *format = exam->source->format;

    for (size_t i = 0; i < exam->names.count; i++) {
        const struct agent_name *entry = &exam->names.items[i];
        struct str box = {0}, text = {0}, advice = {0}, path = {0};
        bool reached = entry->on_roster || (format_spell(format, entry->name, 0, &box) &&
                                            span_eq(str_span(&box), entry->name));
        if (!reached) {
            format_box_path(&path, format, entry->team, entry->name);
            str_addf(&text, "no agent's name leads to the box \"%.*s\": nobody reads it",
                     (int)entry->name.len, entry->name.at);
            str_puts(&advice, "rename it to the box of who is meant, unless that one is there");
            if (box.len)
                str_addf(&advice, ": \"%s\"", str_c(&box));
            doctor_find(exam, true, str_span(&path), &text, &advice);
        }
        str_free(&box);
        str_free(&path);
    }
}
