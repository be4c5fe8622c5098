/* Places of the mailboxes that could not be read: a command that finds nothing must not say that
 * there is nothing. */
#ifndef CMD_UNREADABLE_H
#define CMD_UNREADABLE_H

#include "cmd/mail_filter.h"
#include "mail/live/live.h"

/* Which places a command has to do with. */
enum unreadable_scope {
    UNREADABLE_ANY,
    UNREADABLE_INBOXES, /* not archives */
    UNREADABLE_OURS,    /* inboxes that may hold mail for us */
};

/* Finds the directories and files that could not be read; each has a message in the model that
 * stands for it. To be freed with selection_free(). */
struct selection unreadable_find(const struct app *app, const struct model *model,
                                 enum unreadable_scope scope);
/* The same for those that may hold mail of an agent; absent: for us. */
struct selection unreadable_find_of(const struct app *app, const struct model *model,
                                    struct span agent);
/* Whether a message stands for an unreadable place, and not for one message of which only the file
 * is known: a list with no other rows has found nothing. */
bool unreadable_is_place(const struct app *app, const struct message *message);
/* Says on standard error what could not be read. Returns the exit code of a command that has found
 * something, or nothing: then EXIT_FAILED instead of EXIT_NOTHING if there is such a place. */
int unreadable_report(const struct app *app, const struct selection *places, bool found);
/* Names all places of which a message should stand in what was loaded or sought, for a command that
 * does not select among them. */
void unreadable_report_mail(const struct app *app);
/* The sentences, for who has no messages that stand for such places; so many are named. */
enum { UNREADABLE_NAMED = 5 };
void unreadable_note_path(const struct app *app, const char *path, const char *reason);
void unreadable_note_more(const struct app *app, size_t count);
/* Reports what else could not be read while a command ran. Returns the code that it ends with:
 * EXIT_FAILED instead of EXIT_NOTHING if something was left out. */
int unreadable_finish(const struct app *app, int code);
/* Whether what was looked up by a name, and not found, may be in what could not be read. Then that
 * is reported, and the error is no longer ERR_ABSENT. */
bool unreadable_hides(const struct app *app, struct err *err);
/* Whether nothing but the file of a message is known, since it could not be read; then that is the
 * error. */
bool unreadable_is_message(const struct message *message, struct err *err);
/* Says it of a message to which something happened. */
void unreadable_note(const struct app *app, enum live_event event, const struct message *message);
/* The same as unreadable_report() for the mail that is followed; silent: only the exit code. */
int unreadable_report_live(const struct app *app, const struct live *live, bool found, bool silent);

#endif
