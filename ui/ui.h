/* What is said at the foot: sentences that last until the next key, and failures, which last until
 * they can have been read. No curses. */
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

/* So long a failure is there before a key takes it away. */
#define STATUS_MESSAGE_MOMENT_US INT64_C(700000)

/* Zero-initialised is empty and valid. */
struct saying {
    struct str said;
    enum style style;
    struct str failed;
    bool shown;       /* the failure is on the screen ... */
    int64_t shown_us; /* ... since then, by the steady clock */
};

void status_message_free(struct saying *saying);

/* The last of each kind counts: a sentence does not take the place of a failure. */
void status_message_say(struct saying *saying, enum style style, const char *text);
void status_message_fail(struct saying *saying, const char *text);

/* The failure was drawn; a key was pressed. */
void status_message_show(struct saying *saying, int64_t now_us);
void status_message_key(struct saying *saying, int64_t now_us);

/* The terminal interface: opening it, and what its screens share. */

/* A command that can be typed behind a colon besides the actions. */
struct ui_command {
    const char *name, *summary;
    const char *one; /* what its exit code 1 says; NULL: that nothing was found */
    bool writes;
};

struct ui_options {
    struct store_options store; /* its specs and texts are borrowed */
    struct config *config;      /* borrowed; mistakes are noted in it */
    struct log *log;
    int64_t now_us; /* TIME_NONE: the clock's */
    bool readonly;
    bool plain; /* lines instead of screens; so it is too where the terminal cannot do more */
    const struct ui_command *commands; /* a NULL name ends them */
    /* The words that open this program again with the same sources, for commands; NULL ends them.
     */
    const char *const *self;
    const char *note;  /* said at the start, or NULL */
    const char *label; /* stands in the status line all the time, or NULL */
};

/* Runs until the person leaves. Returns the exit code; a failure at the start is in err. */
int ui_run(const struct ui_options *options, struct err *err);

/* --- what screens share --- */

/* Stores, each with a thread of its own, so that none waits for what another one does. */
enum ui_store {
    UI_WATCH,  /* follows the mailboxes */
    UI_READ,   /* fetches messages */
    UI_WRITE,  /* sends and changes; may wait for locks of others */
    UI_DRAFTS, /* what is kept here: drafts, snoozes, histories */
    UI_SEARCH, /* searches all mail */
    UI_INDEX,  /* builds the search index */
    UI_STORES,
};

/* Work for one of them. Embed it as the first member of what the work needs. */
struct ui_task {
    void (*work)(struct ui_task *task, struct store *store); /* on the store's thread */
    void (*done)(struct ui_task *task, struct ui *ui);       /* on ours; may be NULL */
    void (*free)(struct ui_task *task); /* afterwards, or when all ends; NULL: free() */
    uint64_t screen; /* whose it is: done() is left out when that screen is gone; 0: nobody's */
    /* for whoever wants to tell in done() what became of it; ok is false until work() says else */
    bool ok;
    struct err err;
    /* ui_begin()'s */
    bool unbegun; /* the store cannot be had: there was no work(), and err says why */
    struct ui_task *next;
};
/* In any case done() is called later, never from here, and never when its screen is gone. That a
 * store cannot be had is said. */
void ui_begin(struct ui *ui, enum ui_store which, struct ui_task *task);

/* Descriptors that the loop waits for beside its own: `ready` is called when something can be read
 * or is over. One entry a descriptor. */
void ui_follow(struct ui *ui, int fd, void (*ready)(struct ui *ui, void *context), void *context);
void ui_unfollow(struct ui *ui, int fd);
/* Whether one more can be followed. */
bool ui_follow_room(const struct ui *ui);

const struct picture *ui_picture(const struct ui *ui);
/* Its agents by their names; not const, as finding one uses its scratch. */
struct who_index *ui_agents(const struct ui *ui);
const struct config *ui_config(const struct ui *ui);
/* The present time for ages: the clock's, or the fixed one. */
int64_t ui_now(const struct ui *ui);
struct render_options ui_render_options(const struct ui *ui);
/* The sources, as all stores have them. */
const struct source *ui_source(const struct ui *ui, size_t index);
size_t ui_source_count(const struct ui *ui);
/* Since when it is gone: its mail is shown as it was, and nothing can be done there. 0: it is
 * there.
 */
int64_t ui_gone_us(const struct ui *ui, size_t source);
bool ui_is_readonly(const struct ui *ui);

/* Screens. The first takes the screen over and lays it on top; false when there are too many, which
 * was said, and it is gone. The second closes it when the present key has been dealt with; NULL
 * when it is gone. */
bool ui_push(struct ui *ui, struct screen *screen);
void ui_pop(struct ui *ui, struct screen *screen);
struct screen *ui_screen(struct ui *ui, uint64_t id);
struct screen *ui_top(struct ui *ui);
/* Where the screen was drawn last. */
const struct area *ui_area(const struct ui *ui);
/* Whether what is drawn now reaches the person: without a screen only what is printed does. */
bool ui_is_seen(const struct ui *ui);

/* Goes to one of the views, and leaves what lies over them. */
void ui_view(struct ui *ui, enum view_number view);

/* Everything is drawn again before the next key is waited for. */
void ui_touch(struct ui *ui);
/* A sentence at the foot, until the next key. */
void ui_say(struct ui *ui, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for one that must not be overlooked: it stays until a key was pressed after it was there
 * for a moment, whatever else is said. */
void ui_fail(struct ui *ui, const struct err *err);
void ui_failf(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lines that were typed before; the second adds one and keeps it, in place of what it was when it
 * was kept before, if it was. */
const struct history *ui_history(const struct ui *ui);
void ui_remember(struct ui *ui, enum history_kind kind, struct span before, struct span line);

/* An agent's look: the colour that its roster gives it, or the other one. */
int ui_agent_style(const struct ui *ui, uint32_t source, struct span team, struct span name,
                   int otherwise);

/* The text in the person's editor, which has the terminal until it ends; see editor_run(). */
bool ui_edit(struct ui *ui, struct str *text, struct err *err);

/* Does an action as if its key had been pressed on the top screen. */
void ui_act(struct ui *ui, enum action action, struct span argument);

#endif
