/* Forms, inside. */
#ifndef UI_COMPOSE_FORM_PRIVATE_H
#define UI_COMPOSE_FORM_PRIVATE_H

#include "ui/compose/form.h"
#include "ui/compose/form_draft.h"
#include "ui/widget/line_edit.h"

#include <stddef.h>

/* A form is saved so long after the first change that was not. */
#define FORM_SAVE_US INT64_C(1500000)

enum { FORM_NARROW = 60, FORM_TEXT_ROWS = 3 };

/* What an entry holds at present. */
struct entry {
    const struct entry_spec *spec;
    struct edit *edits; /* of items there is always an empty one at the end */
    size_t count, cap;
    size_t at;     /* the item with the cursor */
    size_t choice; /* the priority, or the place */
    bool on;       /* the switch */
    int row, rows; /* where it was drawn last, on the whole form */
};

struct outgoing;

struct form_target {
    uint32_t source;
    struct span team;
};

struct form_screen {
    struct screen screen;
    const struct form_spec *spec;
    struct arena arena;         /* of the fields */
    struct draft_fields fields; /* as it was opened; entries have what was changed */
    struct entry *entries;
    size_t count;
    size_t at; /* the entry with the cursor */
    int top;   /* the first row that is shown */

    struct arena place_arena;
    struct form_target *places;
    size_t place_count, place_cap;

    bool mistyped; /* letters were typed where none belong */

    struct completion completion;
    bool completing;
    size_t complete_from;

    struct str warnings;
    struct str problem;      /* why it was not sent, until something is changed */
    struct span_list absent; /* files that are not there */
    struct arena absent_arena;

    struct span_list tags;        /* that were used before */
    const struct source *tags_of; /* where they were looked for; NULL: not yet */

    const struct message *about; /* as of that picture; see form_about() */
    unsigned about_of;

    struct keeper *keeper;     /* of the draft on disk */
    char id[DRAFT_ID_LEN + 1]; /* of it; "" before it was saved */
    int64_t saved_us;
    uint64_t changes, saved; /* counts changes; which of them are on disk */
    int64_t changed_us;      /* the first that is not, by the steady clock */
    size_t saving;           /* so many saves are under way */
    struct outgoing *out;    /* what will be sent once it is saved that it is */
    bool sending;            /* it is on its way: nothing may be changed */
    bool dropped;            /* it was sent or discarded: nothing is kept */
    bool checking;           /* what would be sent is being found out */
};

/* form.c */
const struct screen_ops *form_screen_ops(void);
struct form_screen *form_of(struct screen *screen);
/* Opens it over the others; false, and it is gone, when that cannot be. */
bool form_push(struct form_screen *form);
struct form_screen *form_new(struct ui *ui, const struct form_spec *spec,
                             const struct draft_fields *fields);
/* To be called after each change: it is drawn, judged and saved. */
void form_changed(struct form_screen *form);
/* Whether a file was looked for and is not there. */
bool form_is_absent(const struct form_screen *form, struct span file);
/* Warnings and places, anew. */
void form_judge(struct form_screen *form);

/* A copy of its own, with texts in the arena and lists to be freed. */
void fields_copy(struct draft_fields *copy, const struct draft_fields *fields, struct arena *arena);

/* form_places.c */
void form_find_places(struct form_screen *form);
/* The message it is about, as it is now; NULL when it is gone. */
const struct message *form_about(struct form_screen *form);
/* The next of several names with commas between. */
bool form_next_name(struct span *rest, struct span *name);

/* form_entries.c */
struct edit *entry_edit(const struct entry *entry); /* NULL where nothing is typed */
bool entry_is_shown(struct form_screen *form, const struct entry *entry);
bool entry_is_required(struct form_screen *form, const struct entry *entry);
bool entry_is_empty(const struct entry *entry);
struct entry *form_here(struct form_screen *form);
/* Whether the cursor is in the entry of that member. */
bool form_is_in(const struct form_screen *form, size_t at);
void form_fill_entries(struct form_screen *form);
/* One of them, which is empty, from the fields. */
void form_fill_entry(struct form_screen *form, struct entry *entry);
void form_free_entries(struct form_screen *form);
/* Everything that is written, as fields that borrow from the form until the next change. Their
 * lists are to be freed. */
void form_gather(struct form_screen *form, struct draft_fields *fields);
/* Appends the labels of what is required and empty. */
size_t form_add_missing(struct form_screen *form, struct str *out);
/* Items: an empty one stays at the end. */
void entry_settle_items(struct form_screen *form, struct entry *entry);
void entry_remove_item(struct entry *entry, size_t item);
/* Puts the cursor into that entry; from below: at its end. */
void form_go(struct form_screen *form, size_t at, bool from_below);
bool form_step(struct form_screen *form, bool forward);
void form_go_to_missing(struct form_screen *form);
/* Puts a text into the entry of that member. */
void form_set_text(struct form_screen *form, size_t at, struct span text);

/* form_refill.c: what has become known since it was opened goes into the entries that are as they
 * were then. `absent` are files that are not there. */
void form_refill(struct form_screen *form, const struct draft_fields *fields,
                 const struct span_list *absent);

/* Puts these into the entry of that member, in place of what is there. */
void form_set_items(struct form_screen *form, size_t at, const struct span_list *items);

/* form_act.c */
void form_type(struct screen *screen, struct span text, bool pasted);

/* form_complete.c: false when there was nothing to complete. */
bool form_complete(struct form_screen *form, bool forward);
void form_stop_completing(struct form_screen *form);

/* form_draw.c */
void form_draw(struct screen *screen, struct grid *grid, const struct area *area);

/* form_save.c */
enum save_purpose { SAVE_TO_KEEP, SAVE_TO_EDIT, SAVE_TO_SEND, SAVE_TO_LEAVE };
void form_save(struct form_screen *form, enum save_purpose purpose);
/* Closes it: what was written is on disk. */
void form_left(struct form_screen *form);
/* The same for a form that is about to be gone; lets go of the draft too. */
void form_save_last(struct form_screen *form);
void form_discard(struct form_screen *form);

/* form_files.c: looks, without waiting, which of the files are not there. For a form that was just
 * opened; later that is looked at whenever it is saved. */
void form_look_for_files(struct form_screen *form);
/* Adds the files that the entries name. */
void form_add_files(struct span_list *files, const struct form_screen *form);
/* From now on these are not there. */
void form_take_absent(struct form_screen *form, const struct span_list *absent);

/* form_editor.c: opens $EDITOR on the present entry; it was saved before. */
void form_edit_outside(struct form_screen *form);

/* Says why it cannot be sent: at the foot, and in full on the form until something is changed. */
void form_refuse(struct form_screen *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* form_send.c */
void form_review(struct form_screen *form);

/* What was reviewed is to be sent: it was saved, or could not be. */
void form_go_on_sending(struct form_screen *form, bool saved);

/* For files with tables of forms: where an entry's value lies, and the entries that several have.
 */

#define AT(member) offsetof(struct draft_fields, member)

#define TO                                                                                         \
    {                                                                                              \
        .label = "To", .kind = ENTRY_LINE, .at = AT(to), .required = true,                         \
        .hint = "agents, with commas between; Tab completes", .complete = form_complete_agents     \
    }
#define PLACE                                                                                      \
    {                                                                                              \
        .label = "Source", .kind = ENTRY_PLACE                                                     \
    }
#define SUBJECT                                                                                    \
    {                                                                                              \
        .label = "Subject", .kind = ENTRY_LINE, .at = AT(subject), .required_by = FIELD_SUBJECT    \
    }
#define PRIORITY                                                                                   \
    {                                                                                              \
        .label = "Priority", .kind = ENTRY_PRIORITY, .at = AT(priority)                            \
    }
#define END                                                                                        \
    {                                                                                              \
        .label = NULL                                                                              \
    }

#endif
