/* The doctor, boxes: mail for names that nobody has, or has any more. */
#include "store/doctor_exam.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <stdlib.h>

enum { VARIANTS_MAX = 8 };

/* A box, or where the path tells none a recipient, and what lies there. */
struct box {
    struct span team, name;       /* the name that mail goes to */
    size_t unread, others;        /* messages; the archive counts among the others */
    const struct message *oldest; /* of the unread ones */
    struct message *first;        /* of all */
};

/* Who is known in a source, each as TEAM/BOX. */
struct census {
    struct exam *exam;
    struct map roster;  /* the number of the entry, plus one */
    struct map teams;   /* that keep a roster */
    struct map writers; /* who wrote a message */
    struct map numbers; /* of the boxes */
    struct box *boxes;
    size_t count, cap;
    struct str key;
};

static bool mail_has_teams(const struct census *census)
{
    return format_has_teams(census->exam->source->format);
}

static struct span key_of(struct census *census, struct span team, struct span box)
{
    str_clear(&census->key);
    if (mail_has_teams(census))
        str_add_span(&census->key, team);
    str_putc(&census->key, '/'); /* no name of a box has one */
    str_add_span(&census->key, box);
    return str_span(&census->key);
}

static uint32_t *put(struct census *census, struct map *map, struct span team, struct span box,
                     bool *fresh)
{
    return map_put_copy(map, &census->exam->arena, key_of(census, team, box), fresh);
}

/* Every spelling of a name as a box. */
static void put_spellings(struct census *census, struct map *map, struct span team,
                          struct span name, uint32_t value)
{
    const struct format *format = census->exam->source->format;
    struct str box = {0};
    struct err ignored;
    bool fresh;

    for (unsigned v = 0; v < VARIANTS_MAX; v++) {
        str_clear(&box);
        if (!format->box_name(&box, name, v, &ignored))
            break;
        uint32_t *entry = put(census, map, team, str_span(&box), &fresh);
        if (fresh)
            *entry = value;
    }
    str_free(&box);
}

static void call_roll(struct census *census)
{
    const struct agent_names *names = &census->exam->names;
    bool fresh;

    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        uint32_t number = (uint32_t)i + 1;
        if (!entry->on_roster)
            continue;
        put(census, &census->teams, entry->team, (struct span){0}, &fresh);
        put_spellings(census, &census->roster, entry->team, entry->name, number);
        if (mail_has_teams(census) || !entry->team.len)
            continue;
        struct str whole = {0}; /* where mail has no teams, SWARM/NAME is an address too */
        str_addf(&whole, "%.*s/%.*s", (int)entry->team.len, entry->team.at, (int)entry->name.len,
                 entry->name.at);
        put_spellings(census, &census->roster, entry->team, str_span(&whole), number);
        str_free(&whole);
    }
}

static struct box *box_of(struct census *census, struct span team, struct span name)
{
    bool fresh;
    uint32_t *number = put(census, &census->numbers, team, name, &fresh);

    if (fresh) {
        *number = (uint32_t)census->count;
        census->boxes =
            mem_grow(census->boxes, &census->cap, census->count + 1, sizeof *census->boxes);
        census->boxes[census->count++] = (struct box){.team = team, .name = name};
    }
    return &census->boxes[*number];
}

static void sort_mail(struct census *census)
{
    struct exam *exam = census->exam;
    const struct place *last = NULL;
    struct span last_name = {0};
    struct box *box = NULL;

    for (size_t i = 0; i < exam->names.count; i++)
        if (!exam->names.items[i].on_roster)
            box_of(census, exam->names.items[i].team, exam->names.items[i].name);
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        const struct place *place = message->place;
        struct span name = place->box.at ? place->box : message->to;
        if (message->whole_folder || !name.len)
            continue;
        if (place != last || name.at != last_name.at) /* mail of one box comes together */
            box = box_of(census, place->team, name);
        last = place;
        last_name = name;
        if (!box->first)
            box->first = message;
        bool unread = !message->damaged && !place->archived && message->status == STATUS_UNREAD;
        box->unread += unread;
        box->others += !unread;
        if (unread && (!box->oldest || message_cmp_time(message, box->oldest) < 0))
            box->oldest = message;
    }
}

static void note_writers(struct census *census)
{
    const struct model *model = &census->exam->model;
    const struct message *last = NULL;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        bool again = last && span_eq(last->from, message->from) &&
                     span_eq(last->place->team, message->place->team);
        if (message->from.len && !again)
            put_spellings(census, &census->writers, message->place->team, message->from, 1);
        last = message;
    }
}

static bool is_spelled(const struct format *format, const char *name, struct span box)
{
    struct str spelled = {0};
    struct err ignored;
    bool same = false;

    for (unsigned v = 0; !same && v < VARIANTS_MAX; v++) {
        str_clear(&spelled);
        if (!format->box_name(&spelled, span_of(name), v, &ignored))
            break;
        same = span_eq(str_span(&spelled), box);
    }
    str_free(&spelled);
    return same;
}

/* Not on a roster, and need not be. */
static bool is_outsider(const struct source *source, struct span box)
{
    const struct format *format = source->format;
    bool known = is_spelled(format, source->identity, box) ||
                 is_spelled(format, format->identity, box) ||
                 (format->one_for_all && span_is(box, "all"));

    for (size_t i = 0; !known && format->outsiders && format->outsiders[i]; i++)
        known = is_spelled(format, format->outsiders[i], box);
    for (size_t i = 0; !known && format->built_in && format->built_in[i]; i++)
        known = is_spelled(format, format->built_in[i], box);
    return known;
}

static void add_near(const struct census *census, const struct box *box, struct str *out)
{
    const struct agent_names *names = &census->exam->names;
    struct span_list team = {0};

    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster &&
            (!mail_has_teams(census) || span_eq(names->items[i].team, box->team)))
            span_list_add(&team, names->items[i].name);
    nearest_hint(out, box->name, team.items, team.count);
    span_list_free(&team);
}

static void add_where(const struct census *census, const struct box *box, struct str *out)
{
    const struct format *format = census->exam->source->format;
    struct place_names names = {.team = box->team, .box = box->name};

    format_dir(out, format, false, &names);
    if (place_names_box(format->rules[0].pattern)) {
        str_putc(out, '/');
        place_file(out, format->rules[format->rule_count - 1].pattern, box->name);
    }
}

/* Unread mail that its recipient never sees, and `why`. */
static void tell_dead(const struct census *census, const struct box *box, struct str *why,
                      bool phantom)
{
    struct exam *exam = census->exam;
    struct str text = {0}, advice = {0}, path = {0};

    doctor_add_count(&text, box->unread, "unread message waits", "unread messages wait");
    str_addf(&text, " for \"%.*s\", %s", (int)box->name.len, box->name.at, str_c(why));
    if (phantom)
        add_near(census, box, &text);
    str_puts(&advice, phantom ? "send again to the right name: swarmutt show "
                              : "give it to somebody else: swarmutt show ");
    doctor_add_id(&advice, exam, box->oldest);
    str_puts(&advice, ", then swarmutt send --to NAME; and put it away: swarmutt archive ");
    doctor_add_id(&advice, exam, box->oldest);
    add_where(census, box, &path);
    if (!place_tells_box(exam->source->format->rules[0].pattern)) {
        str_clear(&path);
        message_add_name(&path, box->oldest, false);
    }
    doctor_find(exam, true, str_span(&path), &text, &advice);
    str_free(&path);
    str_free(why);
}

static void tell_empty(const struct census *census, const struct box *box)
{
    struct str text = {0}, advice = {0}, path = {0};

    add_where(census, box, &path);
    str_addf(&text, "an empty box for \"%.*s\", whom no roster names and who never wrote",
             (int)box->name.len, box->name.at);
    add_near(census, box, &text);
    str_puts(&advice, "if the name is a mistake, the box can go: remove it by hand");
    doctor_find(census->exam, false, str_span(&path), &text, &advice);
    str_free(&path);
}

static void judge(struct census *census, const struct box *box)
{
    const struct source *source = census->exam->source;
    const uint32_t *entry = map_get(&census->roster, key_of(census, box->team, box->name));
    struct str why = {0};

    if (entry) {
        const struct member *member = &census->exam->names.items[*entry - 1].member;
        if (!member->gone || !box->unread)
            return;
        str_addf(&why, "who has ended: the roster says %.*s", (int)member->status.len,
                 member->status.at);
        tell_dead(census, box, &why, false);
        return;
    }
    if (!map_get(&census->teams, key_of(census, box->team, (struct span){0})) ||
        is_outsider(source, box->name))
        return;
    bool wrote = map_get(&census->writers, key_of(census, box->team, box->name));
    if (wrote && !mail_has_teams(census)) /* there are agents beside the swarms */
        return;
    if (box->unread) {
        str_puts(&why, wrote ? "who is not on the roster any more"
                             : "whom no roster names and who never wrote");
        tell_dead(census, box, &why, !wrote);
    } else if (!box->others && !wrote) {
        tell_empty(census, box);
    }
}

void look_boxes(struct exam *exam)
{
    struct census census = {.exam = exam};

    call_roll(&census);
    if (census.roster.count) {
        sort_mail(&census);
        note_writers(&census);
    }
    for (size_t i = 0; i < census.count; i++)
        judge(&census, &census.boxes[i]);
    map_free(&census.roster);
    map_free(&census.teams);
    map_free(&census.writers);
    map_free(&census.numbers);
    free(census.boxes);
    str_free(&census.key);
}
