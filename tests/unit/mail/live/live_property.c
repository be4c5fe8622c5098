/* Tests the live messages: random updates against a slow and simple list of all files.
 *
 * After each update the live messages equal a load of the same files, in whatever order they were
 * listed, and the reported changes lead from the state before to the one after. Where texts are
 * held, models unfolded before stay valid. */
#include "live_support.h"
#include "tests/unit/draw.h"

#include "base/mem.h"
#include "mail/live/live.h"

#include <stdio.h>
#include <stdlib.h>

#define PLACE(number, agent, folder, ...)                                                          \
    {                                                                                              \
        .source = (number), .root = (number) ? "/far" : "/near", .box = {agent, 3},                \
        .dir = {agent "/" folder, 4 + sizeof(folder) - 1}, .chained = (number), __VA_ARGS__        \
    }

/* Our own copies are reported in the directory that they came from. */
static const struct place places[] = {PLACE(0, "ann", "in", ),
                                      PLACE(0, "ann", "old", .archived = true),
                                      PLACE(0, "bob", "in", ),
                                      PLACE(0, "bob", "old", .archived = true),
                                      PLACE(0, "ann", "in", .archived = true, .local = true),
                                      PLACE(1, "ann", "in", ),
                                      PLACE(1, "ann", "old", .archived = true)};
static const char *const sweep_dirs[] = {"", "ann", "ann/in", "ann/old", "bob", "an"};

enum { PLACES = sizeof places / sizeof *places, NAMES = 3, IDS = 4, MOST = 4, TEXTS = 5 };

/* A message as its file has it: its text decides everything but its state. */
struct note {
    uint8_t id, text, status;
    bool seen;
};

struct file {
    bool there, met;
    size_t count;
    struct note notes[MOST];
};

/* The files of a simulated disk. */
static struct file files[PLACES][NAMES];

static const char *const words[TEXTS] = {NULL, "", "one", "two", "three"};

static void add_note(struct batch *batch, const struct place *place, struct span file,
                     const struct note *note, uint32_t number)
{
    struct message *message = batch_add(batch);
    char id[8];

    snprintf(id, sizeof id, "id%u", note->id);
    message->place = place;
    message->file = file;
    message->id = arena_copy(&batch->arena, span_of(id));
    message->subject = message->type = message->from = span_of(words[note->text]);
    message->to = span_of("bob");
    message->print = note->text + 1u;
    message->content = note->text < 2 ? 0 : note->text / 3 + 1u; /* some are the same */
    message->created_us = note->text * 1000;
    if (note->text > 2) { /* answers, also in circles */
        snprintf(id, sizeof id, "id%u", (note->id + note->text) % IDS);
        message->reply_to = arena_copy(&batch->arena, span_of(id));
    }
    if (note->text == 1)
        message->damaged = "it is";
    message->status = note->status;
    message->seen = note->seen;
    message->raw_at = number;
    message->raw_len = 1;
}

static struct span name_of(struct batch *batch, uint32_t name)
{
    char text[16];

    snprintf(text, sizeof text, "f%u.json", name);
    return arena_copy(&batch->arena, span_of(text));
}

static void draw_notes(struct file *file)
{
    bool few = draw(3) != 0;

    file->there = true;
    if (!file->count || draw(3) == 0)
        file->count = draw(few ? 2 : MOST + 1);
    else if (draw(4) == 0)
        file->count--;
    for (size_t i = 0; i < file->count; i++)
        if (!few || draw(2))
            file->notes[i] = (struct note){(uint8_t)draw(IDS), (uint8_t)draw(TEXTS),
                                           (uint8_t)draw(STATUS_NONE + 1), draw(4) == 0};
}

static void say_holds(struct update *update, uint32_t place, uint32_t name)
{
    size_t first = update->batch.count;
    struct span text = name_of(&update->batch, name);

    for (uint32_t i = 0; i < files[place][name].count; i++)
        add_note(&update->batch, &places[place], text, &files[place][name].notes[i], i);
    update_add(update, &places[place], text, UPDATE_HOLDS, first);
}

static void say(struct update *update, uint32_t place, uint32_t name, enum update_what what)
{
    update_add(update, &places[place], name_of(&update->batch, name), what, update->batch.count);
}

/* Changes some files and reports them one by one; one may change again in between. */
static void change_some(struct update *update)
{
    for (uint32_t i = 1 + draw(4); i; i--) {
        uint32_t place, name = draw(NAMES);
        do
            place = draw(PLACES);
        while (places[place].source != update->source);
        struct file *file = &files[place][name];
        if (draw(4) == 0) {
            *file = (struct file){0};
            say(update, place, name, UPDATE_GONE);
        } else if (draw(6) == 0) {
            say(update, place, name, UPDATE_KEPT);
        } else {
            draw_notes(file);
            say_holds(update, place, name);
        }
    }
}

static bool is_beneath(struct span dir, struct span above)
{
    return !above.len ||
           (span_starts(dir, above) && (dir.len == above.len || dir.at[above.len] == '/'));
}

static bool is_looked_at(const struct place *place, const struct update *update)
{
    return place->source == update->source && !(place->local && update->sweep_dir.len) &&
           is_beneath(place->dir, update->sweep_dir);
}

/* Adds one part of a full check: each file is reported as it is now, changed or not. A file
 * elsewhere may be added too, as happens with the entry that represents a directory. */
static void check_some(struct update *update, uint32_t part)
{
    uint32_t other = draw(PLACES);

    if (places[other].source == update->source && !is_looked_at(&places[other], update)) {
        draw_notes(&files[other][part]);
        say_holds(update, other, part);
    }
    for (uint32_t place = 0; place < PLACES; place++) {
        for (uint32_t name = part; name < NAMES && is_looked_at(&places[place], update);
             name += 2) {
            struct file *file = &files[place][name];
            if (file->there && draw(5) == 0) {
                say(update, place, name, UPDATE_KEPT);
                continue;
            }
            if (draw(4) == 0)
                *file = (struct file){0};
            else if (draw(3) == 0)
                draw_notes(file);
            if (file->there)
                say_holds(update, place, name);
        }
    }
}

/* Loads the files as a scan does: folder by folder, inboxes first, the files in any order. */
static void load_files(struct model *model)
{
    struct batch batch = {0};
    uint32_t turn = draw(PLACES), start = draw(NAMES);

    for (int archived = 0; archived < 2; archived++)
        for (uint32_t p = 0; p < PLACES; p++)
            for (uint32_t n = 0; n < NAMES; n++) {
                uint32_t place = (p + turn) % PLACES, name = (n + start) % NAMES;
                const struct file *file = &files[place][name];
                if (places[place].archived != archived || !file->there)
                    continue;
                struct span text = name_of(&batch, name);
                for (uint32_t i = 0; i < file->count; i++)
                    add_note(&batch, &places[place], text, &file->notes[i], i);
            }
    model_add(model, &batch);
    model_settle(model);
}

/* No content is hidden by another message with the same id. */
static void assert_nothing_hidden(const struct model *view, const char *when)
{
    struct model all = {0};
    struct batch batch = {0};

    for (uint32_t place = 0; place < PLACES; place++)
        for (uint32_t name = 0; name < NAMES; name++)
            for (uint32_t i = 0; i < files[place][name].count; i++)
                add_note(&batch, &places[place], name_of(&batch, name),
                         &files[place][name].notes[i], i);
    model_add(&all, &batch);
    for (size_t i = 0; i < all.count; i++) {
        const struct message *one = all.messages[i];
        bool seen = false;
        for (size_t k = 0; k < view->count && !seen; k++) {
            const struct message *other = view->messages[k];
            seen = span_eq(one->id, other->id) && one->content == other->content &&
                   !one->damaged == !other->damaged && one->place->source == other->place->source &&
                   span_eq(one->place->box, other->place->box);
        }
        cr_assert(seen, "%s: %.*s/%.*s is hidden", when, (int)one->place->dir.len,
                  one->place->dir.at, (int)one->file.len, one->file.at);
    }
    model_free(&all);
}

/* True if the model has exactly this message. The thread may be named by other messages. */
static bool holds(const struct model *model, const struct message *message, bool *used)
{
    for (size_t i = 0; i < model->count; i++) {
        struct message there = *model->messages[i];
        if (used && used[i])
            continue;
        if (there.place->chained)
            there.thread = message->thread;
        there.raw_at = message->raw_at; /* raw_at alone is not reported as a change */
        if (head_difference(&there, message))
            continue;
        if (used)
            used[i] = true;
        return true;
    }
    return false;
}

static int count_key(const struct model *model, const struct message *message)
{
    int count = 0;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *other = model->messages[i];
        count += other->place->source == message->place->source &&
                 span_eq(other->place->box, message->place->box) && span_eq(other->id, message->id);
    }
    return count;
}

/* Returns by how much the reported changes alter the number of messages of one id in one box. */
static int count_told(const struct live_changes *changes, const struct message *message)
{
    struct message *told[1];
    const struct model one = {.messages = told, .count = 1};
    int sum = 0;

    for (size_t i = 0; i < changes->count; i++) {
        struct message copy = *changes->items[i].message;
        told[0] = &copy;
        if (count_key(&one, message))
            sum += changes->items[i].event == LIVE_NEW    ? 1
                   : changes->items[i].event == LIVE_GONE ? -1
                                                          : 0;
    }
    return sum;
}

static void assert_told(const struct model *before, const struct model *after,
                        const struct live_changes *changes, const char *when)
{
    bool *told = mem_zero(after->count + 1, sizeof *told);
    bool *stayed = mem_zero(before->count + 1, sizeof *stayed);

    for (size_t i = 0; i < changes->count; i++) {
        const struct message *message = changes->items[i].message;
        if (changes->items[i].event == LIVE_GONE)
            cr_assert(holds(before, message, NULL), "%s: gone, and was not there", when);
        else
            cr_assert(holds(after, message, told), "%s: told, and is not there like this", when);
        cr_assert_eq(count_key(before, message) + count_told(changes, message),
                     count_key(after, message), "%s: id %.*s", when, (int)message->id.len,
                     message->id.at);
    }
    for (size_t i = 0; i < after->count; i++)
        if (!told[i])
            cr_assert(holds(before, after->messages[i], stayed), "%s: %.*s/%.*s was not told", when,
                      (int)after->messages[i]->place->dir.len, after->messages[i]->place->dir.at,
                      (int)after->messages[i]->file.len, after->messages[i]->file.at);
    free(told);
    free(stayed);
}

/* The model before the update, as a screen may still show it while texts are held. */
static struct model shown;

static void assert_still_shown(const struct model *before, const char *when)
{
    cr_assert_eq(shown.count, before->count, "%s", when);
    for (size_t i = 0; i < shown.count; i++)
        cr_assert_null(head_difference(shown.messages[i], before->messages[i]),
                       "%s: what is shown has changed: %s", when,
                       head_difference(shown.messages[i], before->messages[i]));
}

/* Applies an update, and compares everything; then stores the new state in `before`. */
static void apply(struct live *live, struct update *update, struct model *before, bool held,
                  const char *when)
{
    struct live_changes changes = {0};
    struct model view = {0}, fresh = {0};

    bool tells = draw(8) != 0;

    live_apply(live, update, tells ? &changes : NULL);
    if (held)
        assert_still_shown(before, when);
    model_free(&shown);
    live_release(live, live_held(live));
    live_view(live, &view);
    if (!update->looking || update->sweep) { /* a running check mixes old and new */
        load_files(&fresh);
        assert_same_messages(&view, &fresh, when);
        assert_nothing_hidden(&view, when);
    }
    if (tells)
        assert_told(before, &view, &changes, when);
    live_changes_free(&changes);
    model_free(&view);
    model_free(&fresh);
    model_free(before);
    live_view(live, &view);
    struct batch kept = {0}; /* a copy that outlives the next update */
    for (size_t i = 0; i < view.count; i++) {
        struct message *copy = batch_add(&kept);
        message_keep(copy, view.messages[i], &kept.arena);
    }
    model_add(before, &kept);
    if (held)
        shown = view;
    else
        model_free(&view);
    update_free(update);
}

Test(live_property, the_picture_is_what_a_load_gives_and_the_changes_lead_to_it, .timeout = 300)
{
    for (int round = 0; round < 60; round++) {
        struct live *live = live_new();
        struct model before = {0};
        bool held = round % 2;
        char when[64];
        memset(files, 0, sizeof files);
        if (held)
            live_hold(live);
        for (int step = 0; step < 150; step++) {
            struct update update = {.source = draw(2)};
            snprintf(when, sizeof when, "round %d, step %d", round, step);
            if (draw(4)) {
                change_some(&update);
            } else {
                struct span dir = span_of(sweep_dirs[draw(sizeof sweep_dirs / sizeof *sweep_dirs)]);
                update.looking = true;
                update.sweep_dir = dir;
                check_some(&update, 0);
                if (draw(2)) { /* the check comes in two updates */
                    uint32_t source = update.source;
                    apply(live, &update, &before, held, when);
                    update = (struct update){.source = source, .looking = true, .sweep_dir = dir};
                }
                check_some(&update, 1);
                update.sweep = true;
            }
            apply(live, &update, &before, held, when);
        }
        model_free(&before);
        model_free(&shown);
        live_free(live);
    }
}
