/* The program without a screen, inside. */
#ifndef UI_PLAIN_PLAIN_H
#define UI_PLAIN_PLAIN_H

#include "ui/ui_state.h"

struct plain {
    struct ui *ui;
    bool typed;  /* the lines come from a terminal, which shows them */
    int signals; /* readable when ^C was pressed; -1 when that ends us */
    struct str input;
    bool ended; /* nothing more will be read */
    /* What was printed last: the screen, and the keys of its rows by their numbers. */
    uint64_t screen;
    struct span_list keys;
    struct arena arena;
    bool more;          /* there may be more of it */
    enum action asking; /* what the prompt that is open is for */
    /* Forms: the last that was asked through, the field that is asked for (SIZE_MAX: none), and
     * what was typed of one with several lines. */
    uint64_t form;
    size_t field;
    bool single;  /* only that field */
    bool written; /* some of it */
    struct str text;
};

/* plain_show.c: a text of ours or others, cleaned, as a line; what was said. */
void plain_put(const struct plain *plain, struct span text);
void plain_put_said(struct plain *plain);
/* The top screen as lines. A text that is only read is left then. */
void plain_show(struct plain *plain);
/* Only the row that is selected or, with `found`, those in which something was found. */
void plain_show_row(struct plain *plain, bool found);
/* Goes to the next page and shows it. */
void plain_next_page(struct plain *plain);
/* "swarmutt> ", or what is asked. */
void plain_put_prompt(struct plain *plain);

/* plain_form.c: begins to ask for the fields of a form that was opened. */
void plain_form_look(struct plain *plain);
/* Whether a field is asked for; the question; the answer, as it was typed. */
bool plain_form_asks(const struct plain *plain);
void plain_form_add_question(struct plain *plain, struct str *out);
void plain_form_answer(struct plain *plain, struct span line);
void plain_form_give_up(struct plain *plain);
/* Asks for the field that the line names; false when it names none. */
bool plain_form_name(struct plain *plain, struct span line);

#endif
