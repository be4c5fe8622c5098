/* Errors: how much is affected, and one finished sentence for the person at the screen. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

/* The extent of a failure. The scope decides the exit code of a command and whether a loop over
 * many messages or boxes continues. */
enum err_scope {
    ERR_NONE,
    ERR_ABSENT,      /* nothing matched: no such message, thread or box */
    ERR_USAGE,       /* the request is not valid */
    ERR_REFUSED,     /* a rule forbids it; nothing was tried */
    ERR_MESSAGE,     /* this message failed; others may go on */
    ERR_BOX,         /* this mailbox failed; other boxes may go on */
    ERR_SOURCE,      /* the whole source is unusable */
    ERR_UNCONFIRMED, /* written, but not found again afterwards */
};

/* An error. The text holds raw bytes (file names, names of agents): sanitize it before it reaches a
 * terminal. */
struct err {
    enum err_scope scope;
    char text[1024];
    const char *about; /* the wrong option or operand if known, else NULL */
};

/* These functions, and all of src/base that takes a struct err *, accept NULL from a caller that
 * does not need the reason. */

/* Replaces the error. Always returns false, so that a failing function can end with it. */
bool err_set(struct err *err, enum err_scope scope, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records which option or operand, by its plain name, is wrong. Always returns false. */
bool err_about(struct err *err, const char *name);

/* Prefixes the sentence with "WHERE: ", for a caller that knows more of the context. Always returns
 * false. */
bool err_at(struct err *err, const char *where);
/* Prefixes a sentence that starts with a name in `dir` with "DIR/"; `dir` "" is the root and adds
 * nothing. Always returns false. */
bool err_beneath(struct err *err, const char *dir);

#endif
