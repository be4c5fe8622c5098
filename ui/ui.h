/* The terminal interface: running it, and what its screens share, such as status messages. */
#ifndef UI_UI_H
#define UI_UI_H

#include "base/str.h"
#include "mail/page/style.h"
#include "mail/render/render.h"
#include "store/config/config.h"
#include "store/store.h"
#include "ui/screen.h"
#include "ui/snapshot/picture.h"
#include "ui/widget/history.h"

#include <stdint.h>

/* Status messages at the foot: sentences that last until the next key, and failures that last until
 * the person had time to read them. No curses. */

/* Minimum time for which a failure is shown before a key clears it. */
#define STATUS_MESSAGE_MOMENT_US INT64_C(700000)

/* Zero-initialised is empty and valid. */
struct status_message {
    struct str said;
    enum style style;
    struct str failed;
    bool shown;       /* true if the failure is on the screen */
    int64_t shown_us; /* since when, by the steady clock */
};

void status_message_free(struct status_message *saying);

/* Replaces the last message of the same kind. A sentence does not replace a failure. */
void status_message_set(struct status_message *saying, enum style style, const char *text);
void status_message_fail(struct status_message *saying, const char *text);

/* To be called when the failure was drawn, and when a key was pressed. */
void status_message_show(struct status_message *saying, int64_t now_us);
void status_message_key(struct status_message *saying, int64_t now_us);

/* The terminal interface: running it, and services that its screens share. */

/* A command that can be typed after a colon, in addition to the actions. */
struct ui_command {
    const char *name, *summary;
    const char *one; /* the sentence for exit code 1; NULL: "nothing was found" */
    bool writes;
};

struct ui_options {
    struct store_options store; /* specs and texts are borrowed */
    struct config *config;      /* borrowed; mistakes are added to it */
    struct log *log;
    int64_t now_us; /* fixed time; TIME_NONE: use the clock */
    bool readonly;
    bool plain; /* lines instead of screens; also set if the terminal is not able to show screens */
    const struct ui_command *commands; /* ends with a NULL name */
    /* Words that start this program with the same sources, for commands; ends with NULL. */
    const char *const *self;
    const char *note;  /* shown at the start, or NULL */
    const char *label; /* always shown in the status line, or NULL */
};

/* Runs until the person leaves. Returns the exit code; on a failure at the start fills err. */
int ui_run(const struct ui_options *options, struct err *err);

/* --- what screens share --- */

/* Stores. Each has a thread of its own, so that none waits for the work of another. */
enum ui_store {
    UI_WATCH,  /* follows the mailboxes */
    UI_READ,   /* fetches messages */
    UI_WRITE,  /* sends and changes; may wait for locks of others */
    UI_DRAFTS, /* our own state: drafts, snoozes, histories */
    UI_SEARCH, /* searches all mail */
    UI_INDEX,  /* builds the search index */
    UI_STORES,
};

/* Work for one of the stores. Embed it as the first member of a struct with the data of the
 * work. */
struct ui_task {
    void (*work)(struct ui_task *task, struct store *store); /* on the store's thread */
    void (*done)(struct ui_task *task, struct ui *ui);       /* on the UI thread; may be NULL */
    void (*free)(struct ui_task *task); /* after done(), or at the end; NULL: free() */
    uint64_t screen; /* id of the owner: no done() if that screen was closed; 0: no owner */
    /* Result for done(), if work() sets it; ok is false by default. */
    bool ok;
    struct err err;
    /* Set by ui_begin(). */
    bool unbegun; /* the store could not be opened: work() was not called, err says why */
    struct ui_task *next;
};
/* Starts the task. done() is called later, never from inside ui_begin(), and never after the screen
 * of the task was closed. Shows a failure if the store cannot be opened. */
void ui_begin(struct ui *ui, enum ui_store which, struct ui_task *task);

/* Adds a descriptor for the loop to poll. `ready` is called when it can be read or has hung up, and
 * once more at the end of the program if it is still followed. At most one entry per descriptor. */
void ui_follow(struct ui *ui, int fd, void (*ready)(struct ui *ui, void *context), void *context);
void ui_unfollow(struct ui *ui, int fd);
/* Reports whether one more descriptor can be followed. */
bool ui_follow_room(const struct ui *ui);

const struct picture *ui_picture(const struct ui *ui);
/* Returns the index of the picture's agents by name; not const, because a lookup uses its
 * scratch. */
struct who_index *ui_agents(const struct ui *ui);
const struct config *ui_config(const struct ui *ui);
/* Returns the present time for ages: the clock's, or the fixed one. */
int64_t ui_now(const struct ui *ui);
struct render_options ui_render_options(const struct ui *ui);
/* Sources, in the order that all stores have. */
const struct source *ui_source(const struct ui *ui, size_t index);
size_t ui_source_count(const struct ui *ui);
/* Returns since when the source is gone: its mail is still shown, and nothing can be changed there.
 * 0 if the source is present. */
int64_t ui_gone_us(const struct ui *ui, size_t source);
bool ui_is_readonly(const struct ui *ui);

/* Screens. ui_push() takes ownership and puts the screen on top; returns false when too many are
 * open: then it says so and frees the screen. ui_pop() closes the screen; it is freed after the
 * current key was handled. ui_screen() returns NULL if the screen was closed. */
bool ui_push(struct ui *ui, struct screen *screen);
void ui_pop(struct ui *ui, struct screen *screen);
struct screen *ui_screen(struct ui *ui, uint64_t id);
struct screen *ui_top(struct ui *ui);
/* Area in which the top screen was last drawn. */
const struct area *ui_area(const struct ui *ui);
/* Reports whether the person sees what is drawn now: without a screen only printed output
 * counts. */
bool ui_is_seen(const struct ui *ui);

/* Switches to a view and closes the screens on top of it. */
void ui_view(struct ui *ui, enum view_number view);

/* Requests a redraw before the next key is waited for. */
void ui_touch(struct ui *ui);
/* Shows a sentence at the foot until the next key. */
void ui_info(struct ui *ui, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Like ui_info(), but for failures that must not be overlooked: the text stays until a key is
 * pressed after it was shown for a moment, whatever else is said. */
void ui_error(struct ui *ui, const struct err *err);
void ui_failf(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lines that were typed before. ui_remember() adds a line and saves it; it replaces `before`, the
 * form in which it was saved earlier, if there is one. */
const struct history *ui_history(const struct ui *ui);
void ui_remember(struct ui *ui, enum history_kind kind, struct span before, struct span line);

/* Returns the style of an agent: the colour that its roster gives it, or `otherwise`. */
int ui_agent_style(const struct ui *ui, uint32_t source, struct span team, struct span name,
                   int otherwise);

/* Runs the person's editor on the text; the editor has the terminal until it ends. See
 * editor_run(). */
bool ui_edit(struct ui *ui, struct str *text, struct err *err);

/* Performs an action as if its key had been pressed on the top screen. */
void ui_act(struct ui *ui, enum action action, struct span argument);

#endif
