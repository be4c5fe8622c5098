/* Forms: screens on which something is written that will be sent.
 *
 * A form is a table: struct form_spec with its entries. What an entry holds is a member of struct
 * draft_fields (mail/draft_fields.h), so that every form is kept on disk, comes back from there,
 * and is sent, without code of its own. The framework draws and edits, completes, saves within two
 * seconds, runs $EDITOR, reviews and sends. */
#ifndef UI_COMPOSE_FORM_H
#define UI_COMPOSE_FORM_H

#include "mail/message/draft.h"
#include "mail/protocol/lead_command.h"
#include "store/format/format.h"
#include "ui/ui.h"
#include "ui/widget/completion.h"

/* A form that is being written on. */
struct form_screen;

enum entry_kind {
    ENTRY_LINE,     /* struct span: one line, wrapped where it is long */
    ENTRY_TEXT,     /* struct span: several lines */
    ENTRY_ITEMS,    /* struct span_list: 1[..] 2[..] 3[+] */
    ENTRY_PRIORITY, /* enum priority */
    ENTRY_SWITCH,   /* bool: [x] and the hint */
    ENTRY_PLACE,    /* which source and team, of those that form_add_place() has given; only there
                       when there are several */
};

/* One row of a form. Zero is a good value for all but the first three. */
struct entry_spec {
    const char *label; /* one word, at most ten characters; NULL ends the table */
    enum entry_kind kind;
    size_t at;            /* offsetof(struct draft_fields, ...) */
    const char *hint;     /* shown while it is empty; behind a switch what it means */
    bool required;        /* it is marked, and without it nothing is sent */
    unsigned required_by; /* enum field: it is required only where the layout has that */
    bool wide;      /* the label stands above, the text has the whole width; for the last one */
    bool files;     /* names of files: completed, and a warning says which are not there */
    unsigned needs; /* enum field, what the layout must be able to carry; 0: nothing. What it
                       cannot carry is not asked for. */
    /* Whether it is there at present. NULL: always. */
    bool (*shown)(struct form_screen *form);
    /* The cursor has come into it. May be NULL. */
    void (*enter)(struct form_screen *form);
    /* Adds what the text before the cursor may become; *from is where the word starts, 0 at first.
     * NULL: nothing, or files. */
    void (*complete)(struct form_screen *form, struct span before, size_t *from,
                     struct completion *completion);
};

/* What a draft is made of, away from the screens: nothing of a form or the picture may be looked at
 * there. */
struct form_filling {
    struct store *store;
    const struct draft_fields *fields; /* the draft borrows from it */
    const struct message *about;       /* the head of what it is about; NULL when it is gone */
    struct arena *arena;               /* for what the draft borrows besides */
};

struct form_spec {
    enum form form;
    const struct entry_spec *entries;
    /* Appends what stands above: HANDOFF from infra-4 (stuck 19m). */
    void (*title)(struct form_screen *form, struct str *out);
    /* Adds the places that what is written so far may be for. Called when the first entry changes,
     * and when the picture does. NULL: where `about` is, or wherever the recipient is known. */
    void (*places)(struct form_screen *form);
    /* Adds sentences, short ones, that do not hinder sending; see form_warn(). May be NULL. */
    void (*warn)(struct form_screen *form);
    /* Completes the draft that the fields have become, on a store's thread. May be NULL. */
    bool (*fill)(struct draft *draft, const struct form_filling *with, struct err *err);
    /* It is an order, which outgoing_order.c makes and sends. */
    bool is_order;
    enum order_verb verb;
};

/* Opens a form with these fields, which are copied; the cursor is in the first required entry that
 * is empty, else in the last one. Nothing is kept on disk before something was typed. */
bool form_open(struct ui *ui, const struct form_spec *spec, const struct draft_fields *fields);

/* Opens a draft that is kept: by its id, or with an absent one the last. Says why when it cannot:
 * another process has it open, or it is being sent. */
void form_open_draft(struct ui *ui, struct span id);

/* The spec of a kind of form. The table is in form_specs.c: add yours there. */
const struct form_spec *form_spec_of(enum form form);

/* --- for the functions of a spec, on the thread of the screens --- */

struct ui *form_ui(const struct form_screen *form);
/* What is written now, each borrowed until the next change: of a line or text, or of an item. */
struct span form_written(const struct form_screen *form, size_t at);
/* What no entry shows: what it is about, the thread, how many messages are quoted. To be changed
 * before it is opened. */
/* The source it is for; NULL while that is open. */
const struct source *form_source(const struct form_screen *form);
struct span form_team(const struct form_screen *form);
/* Adds a place, each once; the team is absent where there is none, or where it does not matter. */
void form_add_place(struct form_screen *form, uint32_t source, struct span team);
size_t form_target_count(const struct form_screen *form);
void form_warn(struct form_screen *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds all agents but one (NULL: all), those in the conversation first, then who rests. */
void form_add_agents(struct form_screen *form, const struct agent *without,
                     struct completion *completion);
/* Completion of agents in this order; the word behind the last comma. */
void form_complete_agents(struct form_screen *form, struct span before, size_t *from,
                          struct completion *completion);
/* Completion of tags that were used before, and what begins to look for them. */
void form_complete_tags(struct form_screen *form, struct span before, size_t *from,
                        struct completion *completion);
void form_find_tags(struct form_screen *form);
/* The places where everybody lives whom the text names, with commas between; and whether all of
 * them are known somewhere. */
bool form_find_agents(struct form_screen *form, struct span names);

#endif
