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
#include "ui/ui.h"
#include "ui/widget/completion.h"

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
    /* Adds completions of the text before the cursor. *from is the start of the completed word, 0
     * at first. NULL: none, or file names. */
    void (*complete)(struct form_screen *form, struct span before, size_t *from,
                     struct completion *completion);
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
    /* true for a lead command, which outgoing.c makes and sends */
    bool is_order;
    enum order_verb verb;
};

/* Opens a form with a copy of these fields; false if it could not be opened. The cursor is in the
 * first required entry that is empty, else in the last entry. Nothing is saved before something was
 * typed. */
bool form_open(struct ui *ui, const struct form_spec *spec, const struct draft_fields *fields);

/* Opens the saved draft with that id or, if `id` is absent, the last one. Reports the reason if it
 * cannot: another process has it open, or it is being sent. */
void form_open_draft(struct ui *ui, struct span id);

/* Returns the spec of a kind of form, or NULL. New forms must be added to its table in
 * form_specs.c. */
const struct form_spec *form_spec_of(enum form form);

/* --- for the functions of a spec, on the UI thread --- */

struct ui *form_ui(const struct form_screen *form);
/* Returns the text of the entry for that member of struct draft_fields, of items the first one.
 * Absent if there is none. Borrowed until the next change. */
struct span form_written(const struct form_screen *form, size_t at);
/* Returns the source that the form is for; NULL while that is not known. */
const struct source *form_source(const struct form_screen *form);
struct span form_team(const struct form_screen *form);
/* Adds a target, once. `team` is absent where there is none, or where it does not matter. */
void form_add_place(struct form_screen *form, uint32_t source, struct span team);
size_t form_target_count(const struct form_screen *form);
void form_warn(struct form_screen *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds all agents except `without` (may be NULL), those in the conversation first, followed by idle
 * ones. */
void form_add_agents(struct form_screen *form, const struct agent *without,
                     struct completion *completion);
/* Completes agents in this order; the word is the text after the last comma. */
void form_complete_agents(struct form_screen *form, struct span before, size_t *from,
                          struct completion *completion);
/* Completes tags that were used before; form_find_tags() begins to collect them. */
/* Adds the targets that have all agents of a list with commas. Returns true if all of them are
 * known. */
bool form_find_agents(struct form_screen *form, struct span names);

#endif
