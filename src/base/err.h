/* Errors: how much is affected, and one finished sentence for the person at the screen. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

/* How much of the world the failure concerns. The scope decides the exit code of a command and
 * whether a loop over many messages or boxes goes on. */
enum err_scope {
    ERR_NONE,
    ERR_ABSENT,      /* nothing matched: no such message, thread or box */
    ERR_USAGE,       /* the request itself makes no sense */
    ERR_REFUSED,     /* a rule forbids it; nothing was tried */
    ERR_MESSAGE,     /* this message failed; others may go on */
    ERR_BOX,         /* this mailbox failed; other boxes may go on */
    ERR_SOURCE,      /* the whole source is unusable */
    ERR_UNCONFIRMED, /* written, but not found again afterwards */
};

/* The text holds raw bytes (file names, names of agents): clean it before it reaches a terminal. */
struct err {
    enum err_scope scope;
    char text[1024];
    const char *about; /* the option or operand that is wrong, where that is known; or NULL */
};

/* In these functions, and in all of src/base that takes an error, it may be NULL: the caller does
 * not want to know why. */

/* Replaces the error. Always returns false, so that a failing function can end with it. */
bool err_set(struct err *err, enum err_scope scope, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes which option or operand, by its plain name, is wrong. Always returns false. */
bool err_about(struct err *err, const char *name);

/* Puts "WHERE: " before the sentence, as an error travels outward. Always returns false. */
bool err_at(struct err *err, const char *where);
/* The same for a sentence that starts with a name in that directory ("": the root): "DIR/". */
bool err_beneath(struct err *err, const char *dir);

#endif
