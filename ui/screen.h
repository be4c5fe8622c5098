/* Screens: what fills the terminal between the title and the foot.
 *
 * The views are at the bottom of the stack, one of them is open; other screens are pushed on top. A
 * screen draws on the grid, handles actions and accepts typed text; it never waits for anything. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "base/mem.h"
#include "base/str.h"
#include "ui/keys/keymap.h"
#include "ui/term/grid.h"

#include <stdint.h>

struct list;
struct message;
struct pager;
struct ui;
struct screen;

struct screen_ops {
    const char *title;
    unsigned where; /* enum where: selects the key bindings; may be set per screen */
    /* Draws into the area. */
    void (*draw)(struct screen *screen, struct grid *grid, const struct area *area);
    /* Performs an action, with the argument that was typed after its name, if any. Returns false if
     * the action means nothing here. */
    bool (*act)(struct screen *screen, enum action action, struct span argument);
    /* Accepts typed or pasted text. NULL if the screen accepts none. */
    void (*type)(struct screen *screen, struct span text, bool pasted);
    /* Handles a new picture: borrowed messages are no longer valid. Called before the screen is
     * next shown or used. May be NULL. */
    void (*renew)(struct screen *screen);
    /* Appends the screen's text for the status line. May be NULL. */
    void (*status)(struct screen *screen, struct str *out);
    /* Adds the keys of the messages that an action is for. Returns true if they were tagged. NULL
     * if the screen has no messages. */
    bool (*targets)(struct screen *screen, struct span_list *keys, struct arena *arena);
    /* Reports whether an action makes sense for the selection: the key bar omits the others. NULL:
     * all do. */
    bool (*offers)(struct screen *screen, enum action action);
    /* Returns a number that changes when the shown content of the targets changes: a sequence of
     * keys applies to the content shown at its start. May be NULL. */
    uint64_t (*stamp)(struct screen *screen);
    /* Removes the tags of rows with one of these messages, after an action on them. NULL if the
     * screen has no tags. */
    void (*untag)(struct screen *screen, const struct span_list *keys);
    /* Moves the cursor to this message, which is being restored, as soon as it appears, unless the
     * person acts before. NULL if the screen has no messages. */
    void (*await)(struct screen *screen, const struct message *message);
    /* Returns the selected agent: its name as commands accept it, copied into the arena, and its
     * source; false if none is selected. NULL if the screen has no agents. */
    bool (*agent)(struct screen *screen, struct span *name, uint32_t *source, struct arena *arena);
    /* Searches for a text: from where the cursor was when the search began (`live`), or for the
     * next match; false if there is none. Without a text the search was given up (`live`), or one
     * begins here. NULL if the screen cannot be searched. */
    bool (*search)(struct screen *screen, struct span text, bool forward, bool live);
    /* Moves to the row with that key, as given to grid_stop(). With `open` also opens it, where
     * that differs from moving there. Returns false if the row is gone. NULL if the screen has no
     * rows. */
    bool (*choose)(struct screen *screen, struct span key, bool open);
    /* Handles a click; line and column are relative to the area. May be NULL. */
    bool (*click)(struct screen *screen, int y, int x, bool twice);
    /* Returns in how many microseconds `tick` is to be called; TIME_NONE: never. Both may be
     * NULL. */
    int64_t (*due_us)(struct screen *screen);
    void (*tick)(struct screen *screen);
    /* Frees all the screen owns, and the screen itself. */
    void (*free)(struct screen *screen);
};

/* First member of every screen. */
struct screen {
    const struct screen_ops *ops;
    struct ui *ui;
    const char *title; /* this and `where`: those of ops unless set */
    unsigned where;
    uint64_t id;         /* never reused: finished tasks find their screen by it */
    bool stale;          /* not renewed since the picture changed */
    struct list *list;   /* of its rows, or NULL; see list_screen_choose() */
    struct pager *pager; /* of its text, or NULL; see pager_screen_search() */
};

/* Views: the screens at the bottom of the stack, of which one is open.
 *
 * Each is a file of its own that defines view_NAME, and a line in store/view_names.h. */

struct view {
    const char *title; /* shown after its number, at the top */
    struct screen *(*open)(struct ui *ui);
    size_t (*count)(const struct ui *ui); /* number shown after the title; NULL: none */
};

#define DECLARE_VIEW(symbol, name, key, help) extern const struct view view_##name;
VIEWS(DECLARE_VIEW)
#undef DECLARE_VIEW

extern const struct view *const views[VIEW_COUNT];

#endif
