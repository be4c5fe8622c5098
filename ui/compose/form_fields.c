/* Forms: the values of their entries, from fields and back. */
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "ui/compose/broadcast_form.h"
#include "ui/compose/compose.h"
#include "ui/compose/form.h"
#include "ui/compose/form_private.h"
#include "ui/compose/handoff_form.h"
#include "ui/compose/lead_form.h"
#include "ui/mail/filter.h"
#include "ui/snapshot/agent_names.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* The kinds of forms. */

/* --- conditions for entries --- */

/* True if an unknown agent is named. */
static bool is_new(struct form_screen *form)
{
    struct span rest = form_written(form, AT(to)), name;

    if (form_is_in(form, AT(to))) /* the name is being typed */
        return false;
    while (form_next_name(&rest, &name))
        if (!agent_names_is_agent(form_ui(form), name))
            return ui_picture(form_ui(form))->ready;
    return false;
}

static bool is_answered_mail(struct form_screen *form)
{
    const struct message *about = form_about(form);
    const struct source *source = form_source(form);

    return about && source && message_for_us(about) && !about->place->archived &&
           source->format->verbs[VERB_ARCHIVE].ability != ABILITY_NONE;
}

static bool can_be_quoted(struct form_screen *form)
{
    return form_about(form) != NULL;
}

/* --- warnings --- */

static void warn_of_recipients(struct form_screen *form)
{
    struct ui *ui = form_ui(form);
    struct span rest = form_written(form, AT(to)), name;

    if (form_is_in(form, AT(to)) || !ui_picture(ui)->ready)
        return;
    while (form_next_name(&rest, &name)) {
        const struct agent *agent = agent_names_find(ui, name, NULL);
        if (!agent && !form->fields.about.id.len)
            form_warn(form, "nobody is called \"%.*s\"", (int)name.len, name.at);
        else if (agent && agent->state == AGENT_GONE)
            form_warn(form, "%.*s is gone", (int)name.len, name.at);
    }
}

static void warn_of_request(struct form_screen *form)
{
    const struct message *about = form_about(form);

    if (about && about->requires_response && about->kind >= KIND_PLAN &&
        about->kind <= KIND_SHUTDOWN)
        form_warn(form, "words decide nothing: the request still waits");
}

void compose_warn_of(struct form_screen *form)
{
    struct span expires = span_trim(form_written(form, AT(expires)));
    int64_t lasts_us;

    warn_of_recipients(form);
    if (expires.len && (!time_duration(expires, &lasts_us) || !lasts_us))
        form_warn(form, "Expires takes 30m, 2h or 7d");
}

static void message_warn(struct form_screen *form)
{
    compose_warn_of(form);
    if (form->spec->form == FORM_REPLY)
        warn_of_request(form);
    if (!span_trim(form_written(form, AT(body))).len)
        form_warn(form, "no text yet");
}

/* --- titles --- */

static void add_about(struct form_screen *form, struct str *out)
{
    const struct message *about = form_about(form);

    if (!about)
        return;
    str_addf(out, " %.*s", (int)about->from.len, about->from.at);
    if (about->subject.len)
        str_addf(out, ": %.*s", (int)about->subject.len, about->subject.at);
}

static void compose_title(struct form_screen *form, struct str *out)
{
    const struct source *source = form_source(form);

    str_puts(out, "NEW MESSAGE");
    if (source)
        str_addf(out, "  in %s, as %s", source->format->title, source->identity);
}

static void reply_title(struct form_screen *form, struct str *out)
{
    str_puts(out, form->fields.everybody ? "REPLY TO ALL of" : "REPLY to");
    add_about(form, out);
}

static void forward_title(struct form_screen *form, struct str *out)
{
    str_puts(out, "FORWARD of");
    add_about(form, out);
}

static void nudge_title(struct form_screen *form, struct str *out)
{
    struct span to = form_written(form, AT(to));
    const struct agent *agent = agent_names_find(form_ui(form), to, NULL);

    str_addf(out, "NUDGE %.*s", (int)to.len, to.at);
    if (!agent)
        return;
    str_addf(out, "  (%s: ", agent_state_name(agent->state));
    relative_time_add(out, agent->why, &agent->why_ages, ui_now(form_ui(form)));
    str_putc(out, ')');
}

static void message_places(struct form_screen *form)
{
    form_find_agents(form, form_written(form, AT(to)));
}

/* --- the tables --- */

#define CREATE                                                                                     \
    {                                                                                              \
        .label = "Create", .kind = ENTRY_SWITCH, .at = AT(create), .shown = is_new,                \
        .hint = "a new mailbox: nobody has that name yet"                                          \
    }

/* Completes tags that were used before; form_find_tags() begins to collect them. */
static void form_complete_tags(struct form_screen *form, struct span before, size_t *from,
                               struct completion *completion)
{
    (void)before;
    (void)from;
    for (size_t i = 0; i < form->tags.count; i++)
        complete_add(completion, form->tags.items[i], (struct span){0}, 0);
}

static void form_find_tags(struct form_screen *form);

#define TAGS                                                                                       \
    {                                                                                              \
        .label = "Tags", .kind = ENTRY_ITEMS, .at = AT(tags), .needs = FIELD_TAGS,                 \
        .enter = form_find_tags, .complete = form_complete_tags                                    \
    }
#define FILES                                                                                      \
    {                                                                                              \
        .label = "Files", .kind = ENTRY_ITEMS, .at = AT(attachments), .files = true,               \
        .needs = FIELD_ATTACHMENTS                                                                 \
    }
#define EXPIRES                                                                                    \
    {                                                                                              \
        .label = "Expires", .kind = ENTRY_LINE, .at = AT(expires), .needs = FIELD_EXPIRES,         \
        .hint = "never; or in 30m, 2h, 7d"                                                         \
    }
#define RESPONSE                                                                                   \
    {                                                                                              \
        .label = "Response", .kind = ENTRY_SWITCH, .at = AT(requires_response),                    \
        .needs = FIELD_RESPONSE, .hint = "an answer is expected"                                   \
    }
#define BODY                                                                                       \
    {                                                                                              \
        .label = "Body", .kind = ENTRY_TEXT, .at = AT(body), .wide = true                          \
    }

static const struct entry_spec compose_entries[] = {
    TO, PLACE, CREATE, SUBJECT, PRIORITY, TAGS, FILES, EXPIRES, RESPONSE, BODY, END,
};

static const struct entry_spec reply_entries[] = {
    TO,
    SUBJECT,
    PRIORITY,
    TAGS,
    FILES,
    EXPIRES,
    RESPONSE,
    {.label = "Quote",
     .kind = ENTRY_SWITCH,
     .at = AT(quote),
     .shown = can_be_quoted,
     .hint = "the message that is answered, below the text"},
    {.label = "Archive",
     .kind = ENTRY_SWITCH,
     .at = AT(archive),
     .shown = is_answered_mail,
     .hint = "the message that is answered, once this is sent"},
    BODY,
    END,
};

static const struct entry_spec nudge_entries[] = {TO,       PLACE, SUBJECT, PRIORITY,
                                                  RESPONSE, BODY,  END};

/* --- what is sent --- */

/* Appends the quote when the message is sent, so that it is complete. */
static bool fill_reply(struct draft *draft, const struct form_filling *with, struct err *err)
{
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(str_free) struct str body = {0};
    bool ok = true;

    if (!with->fields->quote || !with->about)
        return true;
    struct message *whole = store_fetch(with->store, with->about, &batch, err);
    if (whole) {
        str_add_span(&body, draft->body);
        str_puts(&body, body.len ? "\n\n" : "");
        compose_quote(&body, whole, false);
        draft->body = arena_copy(with->arena, str_span(&body));
    } else {
        ok = err_at(err, "what is to be quoted cannot be read");
    }
    return ok;
}

const struct form_spec compose_spec = {.form = FORM_COMPOSE,
                                       .entries = compose_entries,
                                       .title = compose_title,
                                       .places = message_places,
                                       .warn = message_warn};
static const struct form_spec reply_spec = {.form = FORM_REPLY,
                                            .entries = reply_entries,
                                            .title = reply_title,
                                            .warn = message_warn,
                                            .fill = fill_reply};
static const struct form_spec forward_spec = {.form = FORM_FORWARD,
                                              .entries = compose_entries,
                                              .title = forward_title,
                                              .places = message_places,
                                              .warn = message_warn};
const struct form_spec nudge_spec = {.form = FORM_NUDGE,
                                     .entries = nudge_entries,
                                     .title = nudge_title,
                                     .places = message_places,
                                     .warn = message_warn};

const struct form_spec *form_spec_of(enum form form)
{
    static const struct form_spec *const specs[FORM_COUNT] = {
        [FORM_COMPOSE] = &compose_spec,   [FORM_REPLY] = &reply_spec,
        [FORM_FORWARD] = &forward_spec,   [FORM_BROADCAST] = &broadcast_spec,
        [FORM_HANDOFF] = &handoff_spec,   [FORM_NUDGE] = &nudge_spec,
        [FORM_SHUTDOWN] = &shutdown_spec, [FORM_MODE] = &mode_spec,
        [FORM_ASSIGN] = &assign_spec,     [FORM_RULES] = &rules_spec,
        [FORM_ESCALATE] = &escalate_spec,
    };

    return specs[form];
}

/* --- completing tags that were used in the same source --- */

struct tags_task {
    struct ui_task task;
    uint32_t source;
    struct tags tags;
};

static void work_tags(struct ui_task *task, struct store *store)
{
    struct tags_task *style = (struct tags_task *)task;

    tags_read(&style->tags, store_source(store, style->source));
}

static void done_tags(struct ui_task *task, struct ui *ui)
{
    const struct span_list *names = &((struct tags_task *)task)->tags.names;
    struct form_screen *form = form_of(ui_screen(ui, task->screen));

    span_list_copy(&form->tags, names, &form->arena);
}

static void free_tags(struct ui_task *task)
{
    tags_free(&((struct tags_task *)task)->tags);
    free(task);
}

static void form_find_tags(struct form_screen *form)
{
    const struct source *source = form_source(form);
    struct tags_task *tags;

    if (!source || form->tags_of == source)
        return;
    form->tags_of = source;
    tags = mem_zero(1, sizeof *tags);
    tags->task = (struct ui_task){.work = work_tags, .done = done_tags, .free = free_tags};
    tags->task.screen = form->screen.id;
    tags->source = source->index;
    ui_begin(form->screen.ui, UI_READ, &tags->task);
}

/* --- completing what is typed --- */

void form_stop_completing(struct form_screen *form)
{
    complete_free(&form->completion);
    form->completion = (struct completion){0};
    form->completing = false;
}

static void add_candidates(struct form_screen *form, const struct entry_spec *spec,
                           struct span before)
{
    if (spec->complete)
        spec->complete(form, before, &form->complete_from, &form->completion);
    else if (spec->files)
        complete_add_files(&form->completion, before, ".");
}

/* Begins to complete a word that is not complete yet. An empty word is completed only in a required
 * entry, if the entry is empty or after a comma. */
static bool begin_completion(struct form_screen *form, const struct entry *entry)
{
    const struct edit *edit = entry_edit(entry);
    struct span before = {str_c(&edit->text), edit->cursor};

    form->complete_from = 0;
    add_candidates(form, entry->spec, before);
    struct span word = {before.at + form->complete_from, before.len - form->complete_from};
    if (!word.len && !(entry->spec->required && (!before.len || form->complete_from)))
        return false;
    if (!complete_open(&form->completion, word))
        return false;
    /* the key goes to the next entry and must not change a complete name */
    for (size_t i = 0; i < form->completion.matches; i++)
        if (span_eq(form->completion.candidates[i].text, word))
            return false;
    form->completing = true;
    return true;
}

bool form_complete(struct form_screen *form, bool forward)
{
    struct entry *entry = form_here(form);
    struct edit *edit = entry_edit(entry);

    if (!edit || form->sending || !(entry->spec->complete || entry->spec->files))
        return false;
    bool begun = form->completing;
    if (!begun && !begin_completion(form, entry)) {
        form_stop_completing(form);
        return false;
    }
    if (!begun && !form->completion.typed.len && form->completion.matches > 1) {
        ui_touch(form->screen.ui);
        return true; /* nothing was typed: show the candidates first */
    }
    struct span becomes =
        forward ? complete_next(&form->completion) : complete_previous(&form->completion);
    edit_replace(edit, form->complete_from, edit->cursor, becomes);
    if (form->completion.matches == 1)
        form_stop_completing(form);
    if (entry->spec->kind == ENTRY_ITEMS)
        entry_settle_items(form, entry);
    form_changed(form);
    return true;
}

static void *field_member(struct draft_fields *fields, const struct entry_spec *spec)
{
    return (char *)fields + spec->at;
}

static bool is_typed(const struct entry_spec *spec)
{
    return spec->kind == ENTRY_LINE || spec->kind == ENTRY_TEXT || spec->kind == ENTRY_ITEMS;
}

struct edit *entry_edit(const struct entry *entry)
{
    return is_typed(entry->spec) ? &entry->edits[entry->at] : NULL;
}

struct entry *form_here(struct form_screen *form)
{
    return &form->entries[form->at];
}

struct entry *form_entry(const struct form_screen *form, size_t at)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->entries[i].spec->kind != ENTRY_PLACE && form->entries[i].spec->at == at)
            return &form->entries[i];
    return NULL;
}

bool form_is_in(const struct form_screen *form, size_t at)
{
    const struct entry *entry = &form->entries[form->at];

    return entry->spec->kind != ENTRY_PLACE && entry->spec->at == at;
}

bool entry_is_empty(const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++)
        if (span_trim(edit_text(&entry->edits[i])).len)
            return false;
    return entry->spec->kind == ENTRY_SWITCH ? !entry->on : is_typed(entry->spec);
}

/* Hides an entry that the layout cannot hold, unless something is written in it. */
bool entry_is_shown(struct form_screen *form, const struct entry *entry)
{
    const struct entry_spec *spec = entry->spec;
    const struct source *source = form_source(form);

    if (spec->kind == ENTRY_PLACE)
        return form->place_count > 1;
    if (spec->shown && !spec->shown(form))
        return false;
    if (spec->kind == ENTRY_PRIORITY && source)
        return source->format->priorities[PRIORITY_LOW] !=
               source->format->priorities[PRIORITY_URGENT];
    if (!spec->needs || !source || (source->format->fields & spec->needs) == spec->needs)
        return true;
    return !entry_is_empty(entry);
}

bool entry_is_required(struct form_screen *form, const struct entry *entry)
{
    const struct source *source = form_source(form);

    return entry->spec->required ||
           (source && (source->format->fields & entry->spec->required_by) != 0);
}

static void add_edit(struct form_screen *form, struct entry *entry, struct span text)
{
    struct ui *ui = form->screen.ui;
    struct edit *edit = mem_push(entry->edits, entry->count, entry->cap);

    *edit = (struct edit){.clip = &ui->clip,
                          .single = entry->spec->kind != ENTRY_TEXT,
                          .ascii = (ui->grid.clean & SANITIZE_ASCII) != 0};
    edit_set(edit, text.at ? text : span_of(""));
}

void form_fill_entry(struct form_screen *form, struct entry *entry)
{
    const struct entry_spec *spec = entry->spec;
    void *value = field_member(&form->fields, spec);
    const struct span_list *list = value;

    switch (spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        add_edit(form, entry, *(struct span *)value);
        break;
    case ENTRY_ITEMS:
        for (size_t i = 0; i < list->count; i++)
            add_edit(form, entry, list->items[i]);
        entry_settle_items(form, entry);
        entry->at = entry->count - 1;
        break;
    case ENTRY_PRIORITY:
        entry->choice = *(enum priority *)value;
        break;
    case ENTRY_SWITCH:
        entry->on = *(bool *)value;
        break;
    case ENTRY_PLACE:
        break;
    }
}

void form_fill_entries(struct form_screen *form)
{
    while (form->spec->entries[form->count].label)
        form->count++;
    form->entries = mem_zero(form->count, sizeof *form->entries);
    for (size_t i = 0; i < form->count; i++) {
        form->entries[i].spec = &form->spec->entries[i];
        form_fill_entry(form, &form->entries[i]);
    }
}

void form_free_entries(struct form_screen *form)
{
    for (size_t i = 0; i < form->count; i++) {
        for (size_t k = 0; k < form->entries[i].count; k++)
            edit_free(&form->entries[i].edits[k]);
        free(form->entries[i].edits);
    }
    free(form->entries);
}

void entry_remove_item(struct entry *entry, size_t item)
{
    edit_free(&entry->edits[item]);
    memmove(&entry->edits[item], &entry->edits[item + 1],
            (entry->count - item - 1) * sizeof *entry->edits);
    entry->count--;
    if (entry->at > item || entry->at == entry->count)
        entry->at -= entry->at > 0;
}

void entry_settle_items(struct form_screen *form, struct entry *entry)
{
    if (!entry->count || edit_text(&entry->edits[entry->count - 1]).len)
        add_edit(form, entry, (struct span){0});
}

/* Sets an empty text to an absent one. */
static void gather_entry(const struct entry *entry, struct draft_fields *fields,
                         struct arena *arena)
{
    void *value = field_member(fields, entry->spec);
    struct span_list *list = value;
    struct span text;

    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        text = edit_text(&entry->edits[0]);
        *(struct span *)value = text.len ? arena_copy(arena, text) : (struct span){0};
        break;
    case ENTRY_ITEMS:
        list->count = 0;
        for (size_t i = 0; i < entry->count; i++)
            if (edit_text(&entry->edits[i]).len)
                span_list_add(list, arena_copy(arena, edit_text(&entry->edits[i])));
        break;
    case ENTRY_PRIORITY:
        *(enum priority *)value = (enum priority)entry->choice;
        break;
    case ENTRY_SWITCH:
        *(bool *)value = entry->on;
        break;
    case ENTRY_PLACE:
        break;
    }
}

void form_gather(struct form_screen *form, struct draft_fields *fields, struct arena *arena)
{
    const struct source *source = form_source(form);

    draft_fields_copy(fields, &form->fields, arena);
    for (size_t i = 0; i < form->count; i++)
        gather_entry(&form->entries[i], fields, arena);
    if (source) {
        fields->format = arena_copy(arena, span_of(source->format->name));
        fields->root = arena_copy(arena, span_of(source->path));
    }
    if (!form_entry(form, AT(team)))
        fields->team = arena_copy(arena, form_team(form));
}

size_t form_add_missing(struct form_screen *form, struct str *out)
{
    size_t missing = 0;

    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (!entry_is_required(form, entry) || !entry_is_shown(form, entry) ||
            !entry_is_empty(entry))
            continue;
        str_addf(out, "%s%s", missing++ ? ", " : "", entry->spec->label);
    }
    return missing;
}

void form_go(struct form_screen *form, size_t at, bool from_below)
{
    struct entry *entry = &form->entries[at];
    struct edit *edit;

    form_stop_completing(form);
    form->at = at;
    if (entry->spec->kind == ENTRY_ITEMS && !from_below)
        entry->at = entry->count - 1;
    edit = entry_edit(entry);
    if (edit && edit->columns) {
        struct edit_layout layout = edit_layout(edit, edit->columns);
        edit_go(edit, from_below ? layout.rows - 1 : 0, layout.column);
    }
    if (entry->spec->enter)
        entry->spec->enter(form);
    form_judge(form); /* names are judged when the cursor has left them */
    ui_touch(form->screen.ui);
}

/* Judges the form at each step: which entries are shown may depend on the entry with the cursor. */
bool form_step(struct form_screen *form, bool forward)
{
    size_t before = form->at, at = before;

    for (;;) {
        if (forward ? at + 1 >= form->count : at == 0)
            break;
        at += forward ? 1 : (size_t)-1;
        form->at = at;
        form_judge(form);
        if (!entry_is_shown(form, &form->entries[at]))
            continue;
        form_go(form, at, !forward);
        return true;
    }
    form->at = before;
    form_judge(form);
    return false;
}

void form_go_to_missing(struct form_screen *form)
{
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        if (entry_is_required(form, entry) && entry_is_shown(form, entry) &&
            entry_is_empty(entry)) {
            form_go(form, i, false);
            return;
        }
    }
}

void form_set_text(struct form_screen *form, size_t at, struct span text)
{
    struct entry *entry = form_entry(form, at);

    if (entry && entry->count)
        edit_replace(&entry->edits[0], 0, entry->edits[0].text.len, text);
}
