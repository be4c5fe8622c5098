/* The mail that a command shows: loading it, selecting what waits for an agent, and reporting what
 * could not be read. */
#ifndef CMD_MAIL_FILTER_H
#define CMD_MAIL_FILTER_H

#include "cmd/app.h"
#include "mail/live/live.h"
#include "store/query_run.h"
#include "store/sight.h"
#include "store/store_read.h"

struct selection {
    struct message **items;
    size_t count, cap;
};

/* Loads the messages that the agent's own program would search. */
bool mail_filter_load(const struct app *app, const struct checking *checking, struct model *model,
                      struct err *err);

/* Fills the selection in order of urgency. Leaves out damaged and expired messages, because the
 * agent does not see them either. */
void mail_filter_waiting(const struct app *app, const struct model *model,
                         const struct checking *checking, struct selection *selection);
void selection_free(struct selection *selection);

/* Explains on standard error why the selection may be smaller than expected: damaged or expired
 * files, lower priority, another spelling of the name, an unknown agent. `code` is the result of
 * unreadable_report(); with EXIT_FAILED it does not say that nothing waits, because that is
 * unknown. */
void mail_filter_explain(const struct app *app, const struct model *model,
                         const struct checking *checking, const struct selection *selection,
                         int code);

/* Files and directories of the mailboxes that could not be read. If there are any, a command that
 * finds nothing must not report that there is nothing. */

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

/* The mail that a command shows, and what is derived from it. Zero-initialise it, set `app`, and
 * call mail_view_free() in any case. */
struct mail_view {
    struct app *app;
    struct querying querying; /* by mail_view_query(), like `limit` */
    size_t limit;
    struct model model;
    enum unreadable_scope scope;
    struct selection places;      /* that could not be read, in that scope */
    struct agent_directory world; /* by mail_view_derive(), like `sight` */
    struct sight sight;
};

/* Reads the operands as a query, and --limit. Returns false after printing the mistake; the command
 * then ends with EXIT_USAGE. */
bool mail_view_query(struct mail_view *view);
/* Loads the mail, with what the query needs if there is one. */
bool mail_view_load(struct mail_view *view, const struct load *load, struct err *err);
/* Derives the state of requests, conversations, agents and handoffs from the mail, which must be
 * all mail. With `expired` conversations include expired messages. */
bool mail_view_derive(struct mail_view *view, bool expired, struct err *err);
void mail_view_free(struct mail_view *view);

#endif
