/* The run of one command: parsed options, errors, output, and loading of messages. */
#ifndef CMD_APP_H
#define CMD_APP_H

#include "base/err.h"
#include "base/str.h"
#include "cmd/command.h"
#include "mail/render/render.h"
#include "store/config/config.h"
#include "store/store.h"

/* One option from the command line. All values of an option that is given several times are
 * kept. */
struct given {
    const char *name; /* name of the option, without dashes */
    const char *value;
};

/* Collects the output of a command that runs for another program within this process. */
struct capture {
    struct str out;
    size_t giving;    /* how many more messages the program gets */
    size_t room;      /* how many more bytes of JSON the messages may have together */
    struct str words; /* the lines for standard error, without prefix, each terminated by a NUL */
    /* Called for every message that the program gets. */
    void (*given)(void *context, const struct message *message);
    void *context;
};

struct app {
    const struct command *command;
    struct given *given;
    size_t given_count, given_cap;
    char **operands;
    int operand_count;
    struct config config; /* loaded before a store is opened */
    struct store *store;
    struct log *log;
    unsigned clean; /* SANITIZE_ASCII if standard output is a terminal that is not UTF-8, else 0 */
    unsigned sanitize_error; /* like `clean`, but for standard error */
    bool to_terminal;
    bool changes;            /* something may have changed: a failure is EXIT_UNCONFIRMED */
    bool own_only;           /* only mail to or from our own identity is loaded */
    int64_t now_us;          /* fixed by SWARMUTT_NOW; TIME_NONE: use the clock */
    struct capture *capture; /* NULL: print to standard output and standard error */
};

/* Returns the more severe of two exit codes. */
int exit_worse(int a, int b);

/* Returns the last value of an option, or NULL if it was not given. */
const char *app_value(const struct app *app, const char *name);
bool app_has(const struct app *app, const char *name);
/* Returns the last value of an option as text; absent if it was not given. */
struct span app_text(const struct app *app, const char *name);
/* Adds all values of an option, in order. */
void app_values(const struct app *app, const char *name, struct span_list *list);
bool app_json(const struct app *app);

/* Returns the present time, for ages and expiry: the time that SWARMUTT_NOW fixes, else the
 * clock. */
int64_t app_now(const struct app *app);

/* Reports an error and returns its exit code. In a capture, the option that the error is about
 * precedes the sentence as "--NAME: ". */
int app_fail(const struct app *app, const struct err *err);
/* Report a wrong use of the command. On standard error a hint to --help follows; in a capture it
 * does not. app_misuse() sets the error and returns false; app_misused() prints it and returns the
 * exit code. */
bool app_misuse(const struct app *app, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int app_misused(const struct app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a remark on standard error, sanitized. */
void app_note(const struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Like app_note(), for callbacks: `context` is the app. */
void app_tell(void *context, const char *sentence);
/* Writes text to standard output, or appends it to the capture. The caller has sanitized or escaped
 * it. */
void app_put(const struct app *app, const struct str *text);

/* Return the width and height of the terminal on standard output; 0 if there is none. */
size_t app_columns(const struct app *app);
size_t app_rows(const struct app *app);
/* Parsers of option values. An option that was not given leaves the result unchanged and counts as
 * success. They return false after setting a usage error. */

/* Reads the options of the command into the fields that its table names. Options that were not
 * given leave their fields unchanged, but those that are needed must have been given. */
bool app_read_options(const struct app *app, void *terms, struct err *err);
bool app_duration(const struct app *app, const char *name, int64_t least_us, int64_t *lasts_us,
                  struct err *err);
/* Reads --limit; SIZE_MAX without it. Returns false after printing the usage error. */
bool app_limit(const struct app *app, size_t *limit);
/* Finds `typed` among the words and stores its position. `what` names the option or operand in the
 * error, such as "--level". */
bool app_word(const struct app *app, const char *what, const char *typed,
              const char *(*word)(unsigned number), unsigned *number, struct err *err);
/* Sets the error that app_word() sets, for callers that compare in another way. Returns false. */
bool app_refuse_word(const struct app *app, struct err *err, const char *what, const char *typed,
                     const char *(*word)(unsigned number));
/* Finds the word that --format or --json asks for; "text" without them. */
bool app_format(const struct app *app, const char *(*word)(unsigned number), unsigned *number,
                struct err *err);
/* Parses a whole number that consists of digits only and is within the limits. */
bool number_parse(const char *text, unsigned long least, unsigned long most, unsigned long *number);

/* Appends the content of the file that an option names, "-" for standard input. `what` names the
 * content in the error. */
bool app_read(const char *path, const char *what, struct str *text, struct err *err);
/* Reads the text from --body, --body-file, or standard input if "-" follows the required operands.
 * `present` is false if none of them was given. Returns false and sets the error if more than one
 * was given, or the text cannot be read or is not UTF-8. */
bool app_body(const struct app *app, struct str *body, bool *present, struct err *err);

/* Loads inboxes and archives. */
extern const struct load load_everything;
/* Prints a remark if the last load could not read the local marks. */
void app_note_marks(const struct app *app);
/* Loads the messages that the command may see, and prints a remark if the local marks could not be
 * read. */
bool app_load(const struct app *app, const struct load *load, struct model *model, struct err *err);

/* The output forms of a message or a list of messages, in the order of words_output(). */
enum output { OUTPUT_TEXT, OUTPUT_MARKDOWN, OUTPUT_PROMPT, OUTPUT_XML, OUTPUT_JSON };
/* Prints one message. OUTPUT_JSON prints the parts that the message has; the other forms need a
 * whole message. Returns the number of invisible or control characters that Markdown output wrote
 * in escaped form. */
size_t app_put_message(const struct app *app, const struct message *message, enum output output);
/* Like app_put_message(), but OUTPUT_TEXT also shows `handoff`, the progress of the handoff, unless
 * it is empty. */
size_t app_put_told(const struct app *app, const struct message *message, enum output output,
                    struct span handoff);
/* Prints a remark about the number of escaped characters, unless it is 0. */
void app_note_escaped(const struct app *app, size_t escaped);
/* Prints a message as JSON with its text. Fetches the text if the message has none; prints the
 * message without text if it has vanished. */
void app_put_whole(const struct app *app, const struct message *message);
/* Prints a message as JSON without its text. */
void app_put_head(const struct app *app, const struct message *message);
/* Appends a message as one line of JSON. In a capture, the text or the whole object is left out if
 * it is larger than the remaining room. */
void app_add_json(const struct app *app, struct str *out, const struct message *message);
/* Append or print a list, cut to the width of the terminal if there is one. */
void app_add_list(const struct app *app, struct str *out, struct message *const *messages,
                  size_t count, bool hide_to);
void app_put_list(const struct app *app, struct message *const *messages, size_t count,
                  bool hide_to);
/* Returns the render options for standard output. */
struct render_options app_render_options(const struct app *app);
/* Prints {"v":1,"id":...} or the bare id, then the remarks: that the message was queued, and the
 * warning of the delivery. `reached` lists the recipients of a broadcast that is stored as one
 * message; else NULL. */
void app_put_id(const struct app *app, const struct outgoing_message *letter,
                const struct span_list *reached);
/* Completes and prints a line or JSON object that starts in another way. */
void app_put_receipt(const struct app *app, struct str *line, const struct outgoing_message *letter,
                     const struct span_list *reached);
/* Marks messages as seen in the local state; the mailboxes do not change. */
void app_seen(const struct app *app, struct message *const *messages, size_t count);

/* Reads --verify and --no-verify. Returns false after setting a usage error. */
bool app_verify(const struct app *app, enum verify *verify, struct err *err);
/* Sends one message and prints its id if it was delivered or queued, even if the delivery is not
 * confirmed. Returns the exit code. */
int app_send(struct app *app, struct outgoing_message *letter, const struct send_options *how);

#endif
