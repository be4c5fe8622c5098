/* Forms: shared by the files of the framework and the tables of forms. */
#ifndef UI_COMPOSE_FORM_PRIVATE_H
#define UI_COMPOSE_FORM_PRIVATE_H

#include "ui/compose/form.h"
#include "ui/compose/form_draft.h"
#include "ui/widget/line_edit.h"

#include <stddef.h>

/* A form is saved this long after the first unsaved change, however much is typed meanwhile: a kill
 * costs no more than two seconds. */
#define FORM_SAVE_US INT64_C(1500000)

enum { FORM_NARROW = 60, FORM_TEXT_ROWS = 3 };

/* The present value of an entry. */
struct entry {
    const struct entry_spec *spec;
    struct edit *edits; /* items always end with an empty one */
    size_t count, cap;
    size_t at;     /* the item with the cursor */
    size_t choice; /* the priority, or the index of the target */
    bool on;       /* the value of a switch */
    int row, rows; /* the rows where it was drawn last; rows is 0 if it was not drawn */
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
    struct draft_fields fields; /* as the form was opened; changed values are in `entries` */
    struct entry *entries;
    size_t count;
    size_t at; /* the entry with the cursor */
    int top;   /* the first row shown */

    struct arena place_arena;
    struct form_target *places;
    size_t place_count, place_cap;

    bool mistyped; /* letters were typed into an entry without text */

    struct completion completion;
    bool completing;
    size_t complete_from;

    struct str warnings;
    struct str problem;      /* reason why it was not sent, until the next change */
    struct span_list absent; /* files that do not exist */
    struct arena absent_arena;

    struct span_list tags;        /* that were used in `tags_of` before */
    const struct source *tags_of; /* source whose tags were collected; NULL: none yet */

    const struct message *about; /* of snapshot `about_of`; use form_about() */
    unsigned about_of;

    struct draft_saver *keeper; /* for the draft on disk */
    char id[DRAFT_ID_LEN + 1];  /* of the draft; "" before it was saved */
    int64_t saved_us;
    uint64_t changes, saved; /* number of changes, and of those on disk */
    int64_t changed_us;      /* time of the first unsaved change, by the steady clock */
    size_t saving;           /* number of saves under way */
    struct outgoing *out;    /* what to send after the save that records the sending */
    bool sending;            /* it is being sent: nothing may be changed */
    bool dropped;            /* it was sent or discarded: nothing is saved */
    bool checking;           /* true while the preview is being made */
};

/* form.c */
const struct screen_ops *form_screen_ops(void);
struct form_screen *form_of(struct screen *screen);
/* Opens the form over the other screens. False if that is not possible: the form was freed. */
bool form_push(struct form_screen *form);
struct form_screen *form_new(struct ui *ui, const struct form_spec *spec,
                             const struct draft_fields *fields);
/* Must be called after each change: updates the warnings, and has the form drawn and saved soon. */
void form_changed(struct form_screen *form);
/* True if the file was checked and does not exist. */
bool form_is_absent(const struct form_screen *form, struct span file);
/* Updates the warnings and the targets. */
void form_judge(struct form_screen *form);

/* form_target.c */
void form_find_places(struct form_screen *form);
/* Returns the message that the form is about, as it is now; NULL if it vanished. */
const struct message *form_about(struct form_screen *form);
/* Takes the next name from a list with commas; false at the end. */
bool form_next_name(struct span *rest, struct span *name);

/* form_fields.c */
struct edit *entry_edit(const struct entry *entry); /* NULL for an entry without text */
bool entry_is_shown(struct form_screen *form, const struct entry *entry);
bool entry_is_required(struct form_screen *form, const struct entry *entry);
bool entry_is_empty(const struct entry *entry);
struct entry *form_here(struct form_screen *form);
/* Returns the entry of that member; NULL if the form has none. */
struct entry *form_entry(const struct form_screen *form, size_t at);
/* True if the cursor is in the entry of that member. */
bool form_is_in(const struct form_screen *form, size_t at);
void form_fill_entries(struct form_screen *form);
/* Fills an empty entry from the fields. */
void form_fill_entry(struct form_screen *form, struct entry *entry);
void form_free_entries(struct form_screen *form);
/* Sets the fields to everything that is written, with texts in the arena. The caller frees them. */
void form_gather(struct form_screen *form, struct draft_fields *fields, struct arena *arena);
/* Appends the labels of the required entries that are empty; returns how many there are. */
size_t form_add_missing(struct form_screen *form, struct str *out);
/* Adds an empty item at the end if there is none. */
void entry_settle_items(struct form_screen *form, struct entry *entry);
void entry_remove_item(struct entry *entry, size_t item);
/* Moves the cursor to that entry; with `from_below` to its end. */
void form_go(struct form_screen *form, size_t at, bool from_below);
bool form_step(struct form_screen *form, bool forward);
void form_go_to_missing(struct form_screen *form);
/* Replaces the text in the entry of that member. */
void form_set_text(struct form_screen *form, size_t at, struct span text);

/* Updates the entries that were not changed since the form was opened with these fields, which
 * became known later. `absent` are files that do not exist. */
void form_refill(struct form_screen *form, const struct draft_fields *fields,
                 const struct span_list *absent);

/* Replaces the items in the entry of that member. */
void form_set_items(struct form_screen *form, size_t at, const struct span_list *items);

/* form.c */
void form_type(struct screen *screen, struct span text, bool pasted);

/* Completes the present word; false if there is nothing to complete. */
bool form_complete(struct form_screen *form, bool forward);
void form_stop_completing(struct form_screen *form);

/* form_draw.c */
void form_draw(struct screen *screen, struct grid *grid, const struct area *area);

/* form_draft.c */
void form_save(struct form_screen *form, enum draft_work what);
/* Closes the form, after everything was saved. */
void form_left(struct form_screen *form);
/* Saves a form that is about to be freed, and releases its draft. */
void form_save_last(struct form_screen *form);
void form_discard(struct form_screen *form);

/* Begins to check which files do not exist. Only for a form that was just opened: later each save
 * checks them. */
void form_look_for_files(struct form_screen *form);
/* Adds the files in the fields that do not exist. May block. */
void form_add_absent(struct span_list *absent, const struct draft_fields *fields);

/* Opens $EDITOR on the present entry, after it was saved. */
void form_edit_outside(struct form_screen *form);

/* Shows the reason why it cannot be sent: at the foot, and in full on the form until the next
 * change. */
void form_refuse(struct form_screen *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* form_send.c */
void form_review(struct form_screen *form);

/* Sends what was reviewed, after it was saved; `saved` is false if that failed. */
void form_go_on_sending(struct form_screen *form, bool saved);

/* For the tables of forms: the offset of a member, and the entries that several forms have. */

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
