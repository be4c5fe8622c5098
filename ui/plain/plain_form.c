/* The program without a screen: forms, field by field. */
#include "ui/compose/form_private.h"
#include "ui/plain/plain.h"
#include "ui/plain/plain_show.h"

#include <stdio.h>
#include <strings.h>

/* Returns the form on top, or NULL. */
static struct form_screen *form_on_top(struct ui *ui)
{
    struct screen *screen = ui_top(ui);

    return screen->ops == form_screen_ops() ? form_of(screen) : NULL;
}

bool plain_form_asks(const struct plain *plain)
{
    const struct form_screen *form = form_on_top(plain->ui);

    return form && plain->form == form->screen.id && plain->field < form->count;
}

static void stop_form(struct plain *plain)
{
    plain->field = SIZE_MAX;
    plain->written = false;
    str_clear(&plain->text);
}

void plain_form_give_up(struct plain *plain)
{
    stop_form(plain);
    puts("the other fields stay as they are");
}

/* Asks for the next field, starting at that entry. */
static void go_on(struct plain *plain, struct form_screen *form, size_t from)
{
    while (from < form->count && !entry_is_shown(form, &form->entries[from]))
        from++;
    stop_form(plain);
    if (from < form->count) {
        plain->field = from;
        form->at = from;
    } else {
        plain_show(plain);
        puts("send shows what would be sent; NAME asks for that field again, NAME editor opens it "
             "in the editor; postpone keeps it, discard throws it away");
    }
}

void plain_form_look(struct plain *plain)
{
    struct form_screen *form = form_on_top(plain->ui);

    if (!form || form->screen.id == plain->form)
        return;
    plain->form = form->screen.id;
    plain->single = false;
    go_on(plain, form, 0);
}

bool plain_form_name(struct plain *plain, struct span line)
{
    struct form_screen *form = form_on_top(plain->ui);

    for (size_t i = 0; form && i < form->count; i++) {
        const char *label = form->entries[i].spec->label;
        size_t len = strlen(label);
        if (line.len < len || strncasecmp(label, line.at, len) != 0 ||
            !entry_is_shown(form, &form->entries[i]))
            continue;
        struct span behind = {line.at + len, line.len - len}, rest = span_trim(behind);
        if (behind.len && (behind.at[0] != ' ' || !span_is(rest, "editor")))
            continue;
        form->at = i;
        if (rest.len) {
            ui_act(plain->ui, ACTION_EDITOR, (struct span){0});
        } else {
            stop_form(plain);
            plain->field = i;
            plain->single = true;
        }
        return true;
    }
    return false;
}

/* --- questions --- */

static void add_items(struct str *out, const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        struct span item = edit_text(&entry->edits[i]);
        if (item.len)
            str_addf(out, "%s%.*s", i ? "; " : "", (int)item.len, item.at);
    }
}

static void add_place(struct str *out, const struct form_screen *form, size_t at)
{
    const struct form_target *place = &form->places[at];

    str_addf(out, "%s:%s", ui_source(form->screen.ui, place->source)->format->name,
             ui_source(form->screen.ui, place->source)->path);
    if (place->team.len)
        str_addf(out, " %.*s", (int)place->team.len, place->team.at);
}

/* Appends the value of a field on one line. */
static void add_value(struct str *out, const struct form_screen *form, const struct entry *entry)
{
    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        str_add_span(out, edit_text(&entry->edits[0]));
        break;
    case ENTRY_ITEMS:
        add_items(out, entry);
        break;
    case ENTRY_PRIORITY:
        str_puts(out, entry->choice ? priority_name((enum priority)entry->choice) : "");
        break;
    case ENTRY_SWITCH:
        str_puts(out, entry->on ? "yes" : "no");
        break;
    case ENTRY_PLACE:
        if (entry->choice < form->place_count)
            add_place(out, form, entry->choice);
        break;
    }
}

static void put_places(struct plain *plain, const struct form_screen *form)
{
    for (size_t i = 0; i < form->place_count; i++) {
        CLEANUP(str_free) struct str line = {0};
        str_addf(&line, "%3zu. ", i + 1);
        add_place(&line, form, i);
        plain_put(plain, str_span(&line));
    }
}

void plain_form_add_question(struct plain *plain, struct str *out)
{
    static const char *const how[] = {[ENTRY_TEXT] =
                                          " (several lines; a line with only a dot ends it)",
                                      [ENTRY_ITEMS] = " (one a line; an empty line ends it)",
                                      [ENTRY_PRIORITY] = " (low, normal, high or urgent)",
                                      [ENTRY_SWITCH] = " (y/n)",
                                      [ENTRY_PLACE] = " (a number)"};
    struct form_screen *form = form_on_top(plain->ui);
    const struct entry *entry = &form->entries[plain->field];
    enum entry_kind kind = entry->spec->kind;

    if (plain->written)
        return; /* the question comes before the first line only */
    if (kind == ENTRY_PLACE)
        put_places(plain, form);
    str_addf(out, "%s%s", entry->spec->label, entry_is_required(form, entry) ? "*" : "");
    str_puts(out, kind == ENTRY_LINE ? "" : how[kind]);
    if (entry->spec->hint)
        str_addf(out, " (%s)", entry->spec->hint);
    CLEANUP(str_free) struct str value = {0};
    add_value(&value, form, entry);
    if (value.len)
        str_addf(out, " [%s]", str_c(&value));
    str_puts(out, kind == ENTRY_TEXT || kind == ENTRY_ITEMS ? ":\n" : ": ");
}

/* --- answers --- */

/* Sets a field of one line; - clears it. */
static bool set_line(struct form_screen *form, struct entry *entry, struct span line)
{
    if (span_is(line, "-"))
        line.len = 0;
    if (edit_replace(&entry->edits[0], 0, entry->edits[0].text.len, line) == EDIT_FULL)
        ui_say(form->screen.ui, STYLE_WARNING, "that is too long");
    form_changed(form);
    return true;
}

static bool set_choice(struct form_screen *form, struct entry *entry, struct span line)
{
    enum priority priority;
    size_t number;

    switch (entry->spec->kind) {
    case ENTRY_PRIORITY:
        if (!priority_parse(line, &priority))
            return false;
        entry->choice = priority;
        break;
    case ENTRY_PLACE:
        if (!plain_take_number(&line, &number) || !number || number > form->place_count)
            return false;
        entry->choice = number - 1;
        break;
    default:
        if (!span_is(line, "y") && !span_is(line, "n") && !span_is(line, "yes") &&
            !span_is(line, "no"))
            return false;
        entry->on = line.at[0] == 'y';
    }
    form_changed(form);
    return true;
}

static void set_items(struct form_screen *form, struct entry *entry, struct span text)
{
    while (entry->count > 1)
        entry_remove_item(entry, 0);
    entry->at = 0;
    edit_set(&entry->edits[0], span_of(""));
    form_type(&form->screen, text, true);
}

/* Adds a line to a field with several; returns true after the last. */
static bool take_line(struct plain *plain, struct form_screen *form, struct entry *entry,
                      struct span line)
{
    bool text = entry->spec->kind == ENTRY_TEXT;

    if (span_is(line, ".") || (!text && !span_trim(line).len)) {
        if (!plain->written)
            return true; /* the field stays as it is */
        if (text)
            set_line(form, entry, str_span(&plain->text));
        else
            set_items(form, entry, str_span(&plain->text));
        return true;
    }
    if (span_is(line, "..")) /* a literal dot */
        line.len = 1;
    str_puts(&plain->text, plain->written ? "\n" : "");
    str_add_span(&plain->text, line);
    plain->written = true;
    return false;
}

void plain_form_answer(struct plain *plain, struct span line)
{
    struct form_screen *form = form_on_top(plain->ui);
    size_t field = plain->field;
    struct entry *entry = &form->entries[field];
    struct span trimmed = span_trim(line);
    bool done = true;

    form->at = field;
    if (form->sending)
        ui_say(plain->ui, STYLE_WARNING, "it is being sent: nothing can be changed now");
    else if (entry->spec->kind == ENTRY_TEXT || entry->spec->kind == ENTRY_ITEMS)
        done = take_line(plain, form, entry, line);
    else if (trimmed.len)
        done = entry->spec->kind == ENTRY_LINE ? set_line(form, entry, trimmed)
                                               : set_choice(form, entry, trimmed);
    if (!done && !plain->written)
        ui_say(plain->ui, STYLE_WARNING, "that cannot be there; an empty line leaves it as it is");
    if (done && plain->single)
        stop_form(plain);
    else if (done)
        go_on(plain, form, field + 1);
}
