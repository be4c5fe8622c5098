/* Names, rosters and boxes: mail for names that no agent has, or has any more. */
#include "base/mem.h"
#include "base/text/confusables.h"
#include "base/text/suggest.h"
#include "store/doctor/doctor_private.h"
#include "store/scan/walk.h"

#include <stdlib.h>
#include <unistd.h>

/* Names that share a box, have none, or can be confused with another. */

const char *doctor_name_trick(struct span name)
{
    if (confusable_hides(name))
        return "it holds characters that cannot be seen";
    return confusable_mixes(name) ? "its letters are of different scripts, which look alike" : NULL;
}

/* A person in a team: on a roster, with a box, or the author of a message. */
struct person {
    struct span team, name;
    struct span box; /* the box that their mail goes to; absent if the name cannot have one */
    bool on_roster;
};

struct name_crowd {
    struct exam *exam;
    struct person *people;
    size_t count, cap;
    struct map names, boxes, skeletons; /* team and name -> number of the first person, plus one */
};

/* Returns the first person with this key; NULL if that is the one who was just added. */
static const struct person *first_with(struct name_crowd *crowd, struct map *map, struct span what)
{
    struct span team = crowd->people[crowd->count - 1].team;
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    str_add_span(&key, team);
    str_putc(&key, '\0');
    str_add_span(&key, what);
    uint32_t *first = map_get(map, str_span(&key));
    if (first)
        return &crowd->people[*first - 1];
    *map_put_copy(map, &crowd->exam->arena, str_span(&key), &fresh) = (uint32_t)crowd->count;
    return NULL;
}

static void report_name(struct exam *exam, bool problem, const struct person *who, struct span text,
                        const char *advice)
{
    CLEANUP(str_free) struct str subject = {0};

    str_addf(&subject, "\"%.*s\"", (int)who->name.len, who->name.at);
    if (who->team.len)
        str_addf(&subject, " in %.*s", (int)who->team.len, who->team.at);
    doctor_find(exam, problem, str_span(&subject), text, span_of(advice));
}

/* Returns true if both are spellings of one agent: its name and its box. Two names on rosters are
 * two agents. */
static bool share_box(const struct format *format, const struct person *a, const struct person *b)
{
    return span_eq(a->box, b->box) ||
           (!b->on_roster && format_is_spelling(format, a->name, b->name));
}

static void compare_names(struct name_crowd *crowd, const struct person *who)
{
    struct exam *exam = crowd->exam;
    const struct person *other =
        who->on_roster && who->box.at ? first_with(crowd, &crowd->boxes, who->box) : NULL;
    const char *trick = doctor_name_trick(who->name);
    CLEANUP(str_free) struct str skeleton = {0}, text = {0};

    if (other) {
        str_addf(&text,
                 "it shares a mailbox with \"%.*s\", which the layout spells alike: each "
                 "gets the other's mail",
                 (int)other->name.len, other->name.at);
        report_name(exam, true, who, str_span(&text), "give one of them another name");
    }
    if (trick)
        report_name(exam, true, who, span_of(trick),
                    "find out who uses it before you answer or approve anything");
    confusable_skeleton(&skeleton, who->name);
    other = first_with(crowd, &crowd->skeletons, str_span(&skeleton));
    if (other && !share_box(exam->source->format, other, who) &&
        !share_box(exam->source->format, who, other)) {
        str_clear(&text);
        str_addf(&text, "it is easily taken for \"%.*s\"", (int)other->name.len, other->name.at);
        report_name(exam, false, who, str_span(&text),
                    "mind which of the two is meant, or rename one");
    }
}

static void meet(struct name_crowd *crowd, struct span team, struct span name, bool on_roster)
{
    const struct format *format = crowd->exam->source->format;
    CLEANUP(str_free) struct str box = {0};

    if (!name.len)
        return;
    struct person *who = mem_push(crowd->people, crowd->count, crowd->cap);
    *who = (struct person){.team = format_has_teams(format) ? team : (struct span){0},
                           .name = name,
                           .on_roster = on_roster};
    if (first_with(crowd, &crowd->names, name)) { /* already known */
        crowd->count--;
        return;
    }
    if (format_spell(format, name, 0, &box))
        who->box = arena_copy(&crowd->exam->arena, str_span(&box));
    compare_names(crowd, who);
}

void check_names(struct exam *exam)
{
    struct name_crowd crowd = {.exam = exam};
    const struct agent_names *names = &exam->names;
    const struct message *last = NULL;

    for (int boxes = 0; boxes < 2; boxes++) /* rosters first: others are compared with them */
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

void check_unreachable(struct exam *exam)
{
    const struct format *format = exam->source->format;

    for (size_t i = 0; i < exam->names.count; i++) {
        const struct agent_name *entry = &exam->names.items[i];
        CLEANUP(str_free) struct str box = {0}, path = {0}, text = {0}, advice = {0};
        bool reached = entry->on_roster || (format_spell(format, entry->name, 0, &box) &&
                                            span_eq(str_span(&box), entry->name));
        if (!reached) {
            format_box_path(&path, format, entry->team, entry->name);
            str_addf(&text, "no agent's name leads to the box \"%.*s\": nobody reads it",
                     (int)entry->name.len, entry->name.at);
            str_puts(&advice, "rename it to the box of who is meant, unless that one is there");
            if (box.len)
                str_addf(&advice, ": \"%s\"", str_c(&box));
            doctor_find(exam, true, str_span(&path), str_span(&text), str_span(&advice));
        }
    }
}

/* Rosters: if one cannot be read, all agents on it are unknown. */

struct roster_roll {
    struct exam *exam;
    int root;
};

static void read_roster(struct walker *walker, const struct found *file)
{
    const struct roster_roll *roster_roll = walker->context;
    CLEANUP(str_free) struct str path = {0}, bytes = {0}, text = {0};
    struct members members = {0};
    CLEANUP(arena_free) struct arena scratch = {0};
    struct file_id id = {0};
    struct err err = {0};

    str_add_path(&path, file->dir, file->name);
    enum file_result result = FILE_FAILED;
    if (file->problem)
        err_set(&err, ERR_BOX, "%s", file->problem);
    else
        result = file_read(roster_roll->root, str_c(&path), FILE_SIZE_MAX, &bytes, &id, &err);
    bool ok = result == FILE_GONE ||
              (result == FILE_OK && (roster_roll->exam->source->format->parse_roster(
                                         str_span(&bytes), &members, &scratch, &err) ||
                                     !file_is_settled(id.mtime_ns / 1000)));
    if (!ok) {
        str_addf(&text, "the roster cannot be read, and nobody on it is known: %s", err.text);
        doctor_find(roster_roll->exam, true, str_span(&path), str_span(&text),
                    span_of("only the agents' own program may write it: see what that makes of "
                            "it"));
    }
    free(members.items);
}

/* Reports teams without a roster whose members only a roster could name. */
static void check_for_missing(struct exam *exam)
{
    for (size_t i = 0; i < exam->names.teams.count; i++) {
        struct span team = exam->names.teams.items[i];
        CLEANUP(str_free) struct str path = {0};
        if (!roster_is_missing(exam->source, &exam->names, team))
            continue;
        roster_add_path(&path, exam->source, team);
        doctor_find(exam, false, str_span(&path), span_of("it is missing" ROSTER_MISSING),
                    span_of("if the team has ended, its mailbox can go; only the agents' own "
                            "program may write the roster"));
    }
}

void check_rosters(struct exam *exam)
{
    const struct source *source = exam->source;
    struct place_rule rule = {source->format->roster_pattern, false};
    struct roster_roll roster_roll = {.exam = exam};
    struct walker walker = {
        .rules = &rule, .rule_count = 1, .found = read_roster, .context = &roster_roll};

    check_for_missing(exam);
    if (!source->format->parse_roster || access(source->roster_path, F_OK) < 0 ||
        !file_open_root(source->roster_path, &roster_roll.root, NULL))
        return;
    walk_tree(&walker, roster_roll.root, NULL);
    close(roster_roll.root);
}

/* A box, or a recipient if the path does not name one, and its mail. */
struct box {
    struct span team, name;       /* the name that mail is sent to */
    size_t unread, others;        /* numbers of messages; archived ones count as others */
    const struct message *oldest; /* the oldest unread message */
    struct message *first;        /* the first message of any kind */
};

/* The names that are known in a source, each as TEAM/BOX. */
struct roll {
    struct exam *exam;
    struct map roster;  /* number of the entry, plus one */
    struct map teams;   /* teams that have a roster */
    struct map writers; /* names that have written a message */
    struct map numbers; /* numbers of the boxes */
    struct box *boxes;
    size_t count, cap;
    struct str key;
};

static bool mail_has_teams(const struct roll *roll)
{
    return format_has_teams(roll->exam->source->format);
}

static struct span key_of(struct roll *roll, struct span team, struct span box)
{
    str_clear(&roll->key);
    if (mail_has_teams(roll))
        str_add_span(&roll->key, team);
    str_putc(&roll->key, '/'); /* no box name contains it */
    str_add_span(&roll->key, box);
    return str_span(&roll->key);
}

static uint32_t *put_name(struct roll *roll, struct map *map, struct span team, struct span box,
                          bool *fresh)
{
    return map_put_copy(map, &roll->exam->arena, key_of(roll, team, box), fresh);
}

/* Maps every spelling of a name as a box to the value, unless it is mapped already. */
static void put_spellings(struct roll *roll, struct map *map, struct span team, struct span name,
                          uint32_t value)
{
    const struct format *format = roll->exam->source->format;
    CLEANUP(str_free) struct str box = {0};
    bool fresh;

    for (unsigned v = 0; format_spell(format, name, v, &box); v++) {
        uint32_t *entry = put_name(roll, map, team, str_span(&box), &fresh);
        if (fresh)
            *entry = value;
    }
}

static void call_roll(struct roll *roll)
{
    const struct agent_names *names = &roll->exam->names;
    bool fresh;

    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        uint32_t number = (uint32_t)i + 1;
        if (!entry->on_roster)
            continue;
        put_name(roll, &roll->teams, entry->team, (struct span){0}, &fresh);
        put_spellings(roll, &roll->roster, entry->team, entry->name, number);
        if (mail_has_teams(roll) || !entry->team.len)
            continue;
        CLEANUP(str_free)
        struct str whole = {0}; /* if mail has no teams, SWARM/NAME is an address too */
        str_addf(&whole, "%.*s/%.*s", (int)entry->team.len, entry->team.at, (int)entry->name.len,
                 entry->name.at);
        put_spellings(roll, &roll->roster, entry->team, str_span(&whole), number);
    }
}

static struct box *box_of(struct roll *roll, struct span team, struct span name)
{
    bool fresh;
    uint32_t *number = put_name(roll, &roll->numbers, team, name, &fresh);

    if (fresh) {
        *number = (uint32_t)roll->count;
        *mem_push(roll->boxes, roll->count, roll->cap) = (struct box){.team = team, .name = name};
    }
    return &roll->boxes[*number];
}

static void sort_mail(struct roll *roll)
{
    struct exam *exam = roll->exam;
    const struct place *last = NULL;
    struct span last_name = {0};
    struct box *box = NULL;

    for (size_t i = 0; i < exam->names.count; i++)
        if (!exam->names.items[i].on_roster)
            box_of(roll, exam->names.items[i].team, exam->names.items[i].name);
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        const struct place *place = message->place;
        struct span name = place->box.at ? place->box : message->to;
        if (message->whole_folder || !name.len)
            continue;
        if (place != last || name.at != last_name.at) /* mail of one box is adjacent */
            box = box_of(roll, place->team, name);
        last = place;
        last_name = name;
        if (!box->first)
            box->first = message;
        bool unread = !message->damaged && !place->archived && message_is_unread(message);
        box->unread += unread;
        box->others += !unread;
        if (unread && (!box->oldest || message_cmp_time(message, box->oldest) < 0))
            box->oldest = message;
    }
}

static void note_writers(struct roll *roll)
{
    const struct model *model = &roll->exam->model;
    const struct message *last = NULL;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        bool again = last && span_eq(last->from, message->from) &&
                     span_eq(last->place->team, message->place->team);
        if (message->from.len && !again)
            put_spellings(roll, &roll->writers, message->place->team, message->from, 1);
        last = message;
    }
}

static bool is_any_of(const struct format *format, const char *const *names, struct span box)
{
    bool known = false;

    for (size_t i = 0; !known && names && names[i]; i++)
        known = format_is_spelling(format, span_of(names[i]), box);
    return known;
}

/* Returns true for names that need not be on a roster. */
static bool is_outsider(const struct source *source, struct span box)
{
    const struct format *format = source->format;
    return format_is_spelling(format, span_of(source->identity), box) ||
           format_is_spelling(format, span_of(format->identity), box) ||
           format_is_everybody(format, box) || is_any_of(format, format->outsiders, box) ||
           is_any_of(format, format->built_in, box);
}

static void add_near(const struct roll *roll, const struct box *box, struct str *out)
{
    const struct agent_names *names = &roll->exam->names;
    CLEANUP(span_list_free) struct span_list team = {0};

    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster &&
            (!mail_has_teams(roll) || span_eq(names->items[i].team, box->team)))
            span_list_add(&team, names->items[i].name);
    suggest_hint(out, box->name, team.items, team.count);
}

/* Reports unread mail whose recipient never sees it, with the reason `why`. */
static void report_dead(const struct roll *roll, const struct box *box, const char *why,
                        bool phantom)
{
    struct exam *exam = roll->exam;
    CLEANUP(str_free) struct str path = {0}, text = {0}, advice = {0};

    doctor_add_count(&text, box->unread, "unread message waits", "unread messages wait");
    str_addf(&text, " for \"%.*s\", %s", (int)box->name.len, box->name.at, why);
    if (phantom)
        add_near(roll, box, &text);
    str_puts(&advice, phantom ? "send again to the right name: swarmutt show "
                              : "give it to somebody else: swarmutt show ");
    doctor_add_id(&advice, exam, box->oldest);
    str_puts(&advice, ", then swarmutt send --to NAME; and put it away: swarmutt archive ");
    doctor_add_id(&advice, exam, box->oldest);
    if (place_has_box(exam->source->format->rules[0].pattern))
        format_box_path(&path, exam->source->format, box->team, box->name);
    else
        message_add_name(&path, box->oldest, false);
    doctor_find(exam, true, str_span(&path), str_span(&text), str_span(&advice));
}

static void report_empty(const struct roll *roll, const struct box *box)
{
    CLEANUP(str_free) struct str path = {0}, text = {0};

    format_box_path(&path, roll->exam->source->format, box->team, box->name);
    str_addf(&text, "an empty box for \"%.*s\", whom no roster names and who never wrote",
             (int)box->name.len, box->name.at);
    add_near(roll, box, &text);
    doctor_find(roll->exam, false, str_span(&path), str_span(&text),
                span_of("if the name is a mistake, the box can go: remove it by hand"));
}

static void judge_names(struct roll *roll, const struct box *box)
{
    const struct source *source = roll->exam->source;
    const uint32_t *entry = map_get(&roll->roster, key_of(roll, box->team, box->name));

    if (entry) {
        const struct member *member = &roll->exam->names.items[*entry - 1].member;
        if (!member->gone || !box->unread)
            return;
        CLEANUP(str_free) struct str why = {0};
        str_addf(&why, "who has ended: the roster says %.*s", (int)member->status.len,
                 member->status.at);
        report_dead(roll, box, str_c(&why), false);
        return;
    }
    if (!map_get(&roll->teams, key_of(roll, box->team, (struct span){0})) ||
        is_outsider(source, box->name))
        return;
    bool wrote = map_get(&roll->writers, key_of(roll, box->team, box->name));
    if (wrote && !mail_has_teams(roll)) /* there are agents outside the swarms */
        return;
    if (box->unread)
        report_dead(roll, box,
                    wrote ? "who is not on the roster any more"
                          : "whom no roster names and who never wrote",
                    !wrote);
    else if (!box->others && !wrote)
        report_empty(roll, box);
}

void check_boxes(struct exam *exam)
{
    struct roll roll = {.exam = exam};

    call_roll(&roll);
    if (roll.roster.count) {
        sort_mail(&roll);
        note_writers(&roll);
    }
    for (size_t i = 0; i < roll.count; i++)
        judge_names(&roll, &roll.boxes[i]);
    map_free(&roll.roster);
    map_free(&roll.teams);
    map_free(&roll.writers);
    map_free(&roll.numbers);
    free(roll.boxes);
    str_free(&roll.key);
}
