/* Forms: screens for writing something that will be sent.
 *
 * A form is a table: struct form_spec with its entries. Each entry edits a member of struct
 * draft_fields (mail/message/draft.h), so that every form is saved, restored and sent without code
 * of its own. The framework draws, edits, completes, saves within two seconds, runs $EDITOR,
 * reviews and sends. */
#ifndef UI_COMPOSE_FORM_H
#define UI_COMPOSE_FORM_H

#include "mail/message/draft.h"
#include "mail/protocol/lead_command.h"
#include "store/format/format.h"
#include "ui/compose/form_draft.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"
#include "ui/widget/line_edit.h"

#include <stddef.h>

/* An open form. */
struct form_screen;

enum entry_kind {
    ENTRY_LINE,     /* struct span: one line, wrapped if it is long */
    ENTRY_TEXT,     /* struct span: several lines */
    ENTRY_ITEMS,    /* struct span_list: 1[..] 2[..] 3[+] */
    ENTRY_PRIORITY, /* enum priority */
    ENTRY_SWITCH,   /* bool: [x] and the hint */
    ENTRY_PLACE,    /* source and team, of those added by form_add_place(); shown only if there are
                     * several */
};

/* One entry of a form. All members but the first three may be zero. */
struct entry_spec {
    const char *label; /* one word, at most ten characters; NULL ends the table */
    enum entry_kind kind;
    size_t at;            /* offsetof(struct draft_fields, ...) */
    const char *hint;     /* shown while the entry is empty; of a switch: its meaning */
    bool required;        /* marked with *; nothing is sent while it is empty */
    unsigned required_by; /* enum field: required only if the layout has it */
    bool wide;      /* the text is below the label and has the whole width; for the last entry */
    bool files;     /* file names: they are completed, and missing files are reported */
    unsigned needs; /* enum field that the layout must have, or 0: the entry is hidden otherwise,
                     * unless it has a value */
    /* Reports whether the entry is shown at present. NULL: always. */
    bool (*shown)(struct form_screen *form);
    /* Called when the cursor enters the entry. May be NULL. */
    void (*enter)(struct form_screen *form);
    /* Adds completions of the text before the cursor. NULL: none, or file names. */
    void (*complete)(struct form_screen *form, struct completion *completion);
    bool commas; /* only the word after the last comma is completed */
};

/* The input of fill(), which runs on a store's thread: it must not use the form or the snapshot. */
struct form_filling {
    struct store *store;
    const struct draft_fields *fields; /* the draft borrows from it */
    const struct message *about;       /* the message that it is about; NULL if it vanished */
    struct arena *arena;               /* for everything else that the draft borrows */
};

struct form_spec {
    enum form form;
    const struct entry_spec *entries;
    /* Appends the title, for example: HANDOFF from infra-4 (stuck 19m). */
    void (*title)(struct form_screen *form, struct str *out);
    /* Adds the possible targets for what is written so far. Called after each change of the form or
     * of the snapshot. NULL: the source of `about`, or wherever the recipient is known. */
    void (*places)(struct form_screen *form);
    /* Adds short sentences with form_warn(), which do not prevent sending. May be NULL. */
    void (*warn)(struct form_screen *form);
    /* Completes the draft made from the fields, on a store's thread. May be NULL. */
    bool (*fill)(struct draft *draft, const struct form_filling *with, struct err *err);
    /* Of a lead command, which outgoing.c makes and sends. */
    bool is_order;
    enum order_verb verb;
    enum verb means; /* the verb of the layout that sends it */
    enum action action;
    const char *word, *nobody; /* the start of the title, and its end without a recipient */
};

/* Opens a form with a copy of these fields; false if it could not be opened. The cursor is in the
 * first required entry that is empty, else in the last entry. Nothing is saved before something was
 * typed. */
bool form_open(struct ui *ui, const struct form_spec *spec, const struct draft_fields *fields);

/* Opens the saved draft with that id or, if `id` is absent, the last one. Reports the reason if it
 * cannot: another process has it open, or it is being sent. */
void form_open_draft(struct ui *ui, struct span id);

/* Returns the spec of a kind of form, or NULL. New forms must be added to its table in
 * compose.c. */
const struct form_spec *form_spec_of(enum form form);

/* Appends a line with a label, unless the text is empty; a text of several lines comes below. */
void form_add_field(struct str *out, const char *label, struct span text);
/* Appends the entries of saved fields that are not empty. */
void form_add_fields(struct str *out, const struct draft_fields *fields);

/* --- for the functions of a spec, on the UI thread --- */

/* Returns the text of the entry for that member of struct draft_fields, of items the first one.
 * Absent if there is none. Borrowed until the next change. */
struct span form_written(const struct form_screen *form, size_t at);
/* Returns the source that the form is for; NULL while that is not known. */
const struct source *form_source(const struct form_screen *form);
struct span form_team(const struct form_screen *form);
/* Adds a target, once. `team` is absent where there is none, or where it does not matter. */
void form_add_place(struct form_screen *form, uint32_t source, struct span team);
void form_warn(struct form_screen *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds all agents except `without` (may be NULL), those in the conversation first, followed by idle
 * ones. */
void form_add_agents(struct form_screen *form, const struct agent *without,
                     struct completion *completion);
/* Completes agents in this order. */
void form_complete_agents(struct form_screen *form, struct completion *completion);
/* Adds the targets that have all agents of a list with commas. Returns true if all of them are
 * known. */
bool form_find_agents(struct form_screen *form, struct span names);
/* Likewise for the agents in the entry To. */
void form_find_recipients(struct form_screen *form);

/* lead_form.c: the forms of a lead. The review of a broadcast shows who gets it and who does not;
 * lead commands are sent with a record in the ledger. */
extern const struct form_spec broadcast_spec, lead_specs[LEAD_VERBS];
/* Opens the form of SHUTDOWN, MODE, ASSIGN, RULES or ESCALATE, for the agent or team in the
 * argument or, without one, for the selected agent or the author of the selected message; false if
 * the action is none of these. */
bool lead_form_act(struct ui *ui, enum action action, struct span argument);

/* Opens the form of a broadcast for that team or, if it is absent, for the team of the selected
 * message or agent, or for the only team. */
void broadcast_open(struct ui *ui, struct span team);

/* --- for the files of the framework, and the tables of forms --- */

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
extern const struct screen_ops form_ops;
struct form_screen *form_of(struct screen *screen);
/* Opens the form over the other screens. False if that is not possible: the form was freed. */
bool form_push(struct form_screen *form);
struct form_screen *form_new(struct ui *ui, const struct form_spec *spec,
                             const struct draft_fields *fields);
/* Must be called after each change: updates the warnings, and has the form drawn and saved soon. */
void form_changed(struct form_screen *form);
/* Updates the warnings and the targets. */
void form_judge(struct form_screen *form);

/* form_target.c */
void form_find_places(struct form_screen *form);
/* Returns the message that the form is about, as it is now; NULL if it vanished. */
const struct message *form_about(struct form_screen *form);
/* Takes the next name from a list with commas; false at the end. */
bool form_next_name(struct span *rest, struct span *name);
/* Sets the source that the fields are for, unless it is STORE_ANY. */
void form_set_source(struct ui *ui, struct draft_fields *fields, uint32_t source);

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
/* Fills an entry from the fields. */
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
/* Returns the first entry that is missing, else the last one that is shown. */
size_t form_first_to_write(struct form_screen *form);
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
        "To", ENTRY_LINE, AT(to), .required = true,                                                \
                                  .hint = "agents, with commas between; Tab completes",            \
                                  .complete = form_complete_agents, .commas = true                 \
    }
#define SUBJECT                                                                                    \
    {                                                                                              \
        "Subject", ENTRY_LINE, AT(subject), .required_by = FIELD_SUBJECT                           \
    }

#endif
