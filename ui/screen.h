/* Screens: what fills the terminal between the title and the foot.
 *
 * Views (views.h) lie at the bottom, one of them is open; other screens are laid over it. A screen
 * draws on the grid, acts on actions and takes typed text; it never waits for anything. */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "base/mem.h"
#include "base/str.h"
#include "ui/keys/action.h"
#include "ui/term/grid.h"

#include <stdint.h>

struct message;
struct ui;
struct screen;

struct screen_ops {
    const char *title;
    unsigned where; /* enum where: which keys there are; may be left to the screen */
    /* Draws into the area. */
    void (*draw)(struct screen *screen, struct grid *grid, const struct area *area);
    /* Does it, with what was typed behind its name, if anything; false when it means nothing here.
     */
    bool (*act)(struct screen *screen, enum action action, struct span argument);
    /* Takes text that was typed, or pasted; NULL where none is. */
    void (*type)(struct screen *screen, struct span text, bool pasted);
    /* There is another picture: all messages that were borrowed are gone. Who is not seen is told
     * when it is. May be NULL. */
    void (*renew)(struct screen *screen);
    /* Appends what the status line says of it. May be NULL. */
    void (*status)(struct screen *screen, struct str *out);
    /* Adds the keys of the messages that an action is for, and says whether they were tagged. NULL
     * where there are no messages. */
    bool (*targets)(struct screen *screen, struct span_list *keys, struct arena *arena);
    /* Whether an action means something for what is selected: the key bar leaves others out. NULL:
     * all do. */
    bool (*offers)(struct screen *screen, enum action action);
    /* A number that is another one when what is shown of them has changed: a sequence of keys is
     * for what was shown when it began. May be NULL. */
    uint64_t (*stamp)(struct screen *screen);
    /* Something was done to these messages: rows that have one of them lose their tag. NULL where
     * nothing is tagged. */
    void (*untag)(struct screen *screen, const struct span_list *keys);
    /* This message comes back: the cursor goes to it as soon as it is there, unless something else
     * is done before. NULL where there are no messages. */
    void (*await)(struct screen *screen, const struct message *message);
    /* The agent that is selected: its name as commands take it, copied into the arena, and its
     * source; false when there is none. NULL where there are no agents. */
    bool (*agent)(struct screen *screen, struct span *name, uint32_t *source, struct arena *arena);
    /* Looks for a text from where the cursor was when the search began (`live`), or for the next
     * place; false when there is none. Without a text a search was given up (`live`), or one begins
     * here. NULL where nothing can be searched. */
    bool (*search)(struct screen *screen, struct span text, bool forward, bool live);
    /* Goes to the row with that key, as grid_stop() was given it, and with `open` opens it where
     * that is more than going there; false when it is gone. NULL where there are no rows. */
    bool (*choose)(struct screen *screen, struct span key, bool open);
    /* A click: the line and column in its area. May be NULL. */
    bool (*click)(struct screen *screen, int y, int x, bool twice);
    /* In how many microseconds it wants `tick` to be called; TIME_NONE: never. Both may be NULL. */
    int64_t (*due_us)(struct screen *screen);
    void (*tick)(struct screen *screen);
    /* Lets go of all it has; the screen itself included. */
    void (*free)(struct screen *screen);
};

/* First member of every screen. */
struct screen {
    const struct screen_ops *ops;
    struct ui *ui;
    const char *title; /* these two are its kind's, unless they are set */
    unsigned where;
    uint64_t id; /* never used twice: work that ends later finds its screen by it */
    bool stale;  /* it has not been renewed since the picture has changed */
};

/* Views: the screens at the bottom, of which one is open.
 *
 * Each is a file of its own that defines view_NAME, and a line in store/views.h. */

struct view {
    const char *title; /* behind its number, at the top */
    struct screen *(*open)(struct ui *ui);
    size_t (*count)(const struct ui *ui); /* what is told behind its title; NULL: nothing is */
};

#define DECLARE_VIEW(symbol, name, key, help) extern const struct view view_##name;
VIEWS(DECLARE_VIEW)
#undef DECLARE_VIEW

extern const struct view *const views[VIEW_COUNT];

#endif
