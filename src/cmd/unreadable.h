/* Files and directories of the mailboxes that could not be read. If there are any, a command that
 * finds nothing must not report that there is nothing. */
#ifndef CMD_UNREADABLE_H
#define CMD_UNREADABLE_H

#include "cmd/mail_filter.h"
#include "mail/live/live.h"

/* The unreadable places that concern a command. */
enum unreadable_scope {
    UNREADABLE_ANY,
    UNREADABLE_INBOXES, /* without archives */
    UNREADABLE_OURS,    /* inboxes that may contain mail for us */
};

/* Finds the directories and files that could not be read; a message in the model represents each.
 * The caller frees the result with selection_free(). */
struct selection unreadable_find(const struct app *app, const struct model *model,
                                 enum unreadable_scope scope);
/* Like unreadable_find(), but for the places that may contain mail of `agent`; absent: of us. */
struct selection unreadable_find_of(const struct app *app, const struct model *model,
                                    struct span agent);
/* Returns true if the message represents an unreadable place, false if it represents one message
 * that could not be read. A list that has only such places has found nothing. */
bool unreadable_is_place(const struct app *app, const struct message *message);
/* Reports unreadable places on standard error. Returns the exit code of a command that has found
 * something or nothing: EXIT_FAILED instead of EXIT_NOTHING if there is such a place. */
int unreadable_report(const struct app *app, const struct selection *places, bool found);
/* Reports all unreadable places of mail that loading or searching met, for a command that does not
 * select among them. */
void unreadable_report_mail(const struct app *app);
/* Sentences about unreadable places, for callers that have no messages that represent them. At most
 * UNREADABLE_NAMED are named. */
enum { UNREADABLE_NAMED = 5 };
void unreadable_note_path(const struct app *app, const char *path, const char *reason);
void unreadable_note_more(const struct app *app, size_t count);
/* Reports the other I/O errors that happened while a command ran. Returns the exit code:
 * EXIT_FAILED instead of "nothing found" if something was left out. */
int unreadable_finish(const struct app *app, int code);
/* Returns true if something that was looked up by name and not found may be in an unreadable place.
 * Then it reports the places and replaces the ERR_ABSENT error. */
bool unreadable_hides(const struct app *app, struct err *err);
/* Returns true and sets the error if the file of a message could not be read, so that only its name
 * is known. */
bool unreadable_is_message(const struct message *message, struct err *err);
/* Reports that a followed message could not be read, unless it vanished. */
void unreadable_note(const struct app *app, enum live_event event, const struct message *message);
/* Like unreadable_report(), but for followed mail. With `silent` it only returns the exit code. */
int unreadable_report_live(const struct app *app, const struct live *live, bool found, bool silent);

#endif
