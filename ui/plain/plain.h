/* Internals of the program without a screen. */
#ifndef UI_PLAIN_PLAIN_H
#define UI_PLAIN_PLAIN_H

#include "ui/ui_state.h"

struct plain {
    struct ui *ui;
    bool typed;  /* lines come from a terminal, which echoes them */
    int signals; /* readable when ^C was pressed; -1: ^C ends the program */
    struct str input;
    bool ended; /* end of the input */
    /* The last output: the screen, and the keys of its rows by their numbers. */
    uint64_t screen;
    struct span_list keys;
    struct arena arena;
    bool more;          /* there may be more rows */
    enum action asking; /* action that opened the current prompt */
    /* Forms: the last form, the field that is asked for (SIZE_MAX: none), and the lines typed so
     * far of a field with several. */
    uint64_t form;
    size_t field;
    bool single;  /* ask only for that field */
    bool written; /* the field has some lines already */
    struct str text;
};

/* plain_show.c: plain_put() prints a text as a line, cleaned; plain_put_said() prints the status
 * messages. */
void plain_put(const struct plain *plain, struct span text);
void plain_put_said(struct plain *plain);
/* Prints the top screen as lines. Closes it afterwards if it is only a text. */
void plain_show(struct plain *plain);
/* Prints only the selected row or, with `found`, the rows with matches. */
void plain_show_row(struct plain *plain, bool found);
/* Moves to the next page and prints it. */
void plain_next_page(struct plain *plain);
/* Prints "swarmutt> ", or the question. */
void plain_put_prompt(struct plain *plain);

/* plain_form.c: starts asking for the fields of a form that was opened. */
void plain_form_look(struct plain *plain);
/* plain_form_asks() reports whether a field is asked for; plain_form_add_question() appends the
 * question; plain_form_answer() handles a line as it was typed; plain_form_give_up() ends
 * asking. */
bool plain_form_asks(const struct plain *plain);
void plain_form_add_question(struct plain *plain, struct str *out);
void plain_form_answer(struct plain *plain, struct span line);
void plain_form_give_up(struct plain *plain);
/* Asks for the field that the line names; returns false if it names none. */
bool plain_form_name(struct plain *plain, struct span line);

#endif
