/* Internals of the terminal interface: for the loop, the frame, and input. */
#ifndef UI_UI_STATE_H
#define UI_UI_STATE_H

#include "base/file/landlock.h"
#include "store/store_local.h"
#include "ui/compose/form_draft.h"
#include "ui/decide/request_view.h"
#include "ui/keys/keymap.h"
#include "ui/mail/filter.h"
#include "ui/message_actions.h"
#include "ui/process/hooks.h"
#include "ui/process/spawn_helper.h"
#include "ui/screen.h"
#include "ui/snapshot/changes_feed.h"
#include "ui/snapshot/indexer.h"
#include "ui/snapshot/maker.h"
#include "ui/snapshot/outbox_worker.h"
#include "ui/term/terminal.h"
#include "ui/ui.h"
#include "ui/undo_stack.h"
#include "ui/widget/line_edit.h"
#include "ui/widget/list.h"
#include "ui/widget/prompt.h"

enum { SCREENS_MAX = 32, FOLLOWED_MAX = 16 };

/* A descriptor that the loop polls. */
struct followed {
    int fd;
    void (*ready)(struct ui *ui, void *context);
    void *context;
};

struct gone_source {
    int64_t since_us; /* 0: the source is present */
    bool remade;      /* something replaced it that can be read once the screens are reopened */
};

/* See reopen.h. */
struct reopen {
    struct str path;   /* of the file with the state to restore */
    struct str cursor; /* key of the message that was selected, until there is a picture */
    bool resumed;      /* the screens were opened again */
    bool waited;       /* a parent waits for us, and reopens the screens if our exit status asks */
    bool wanted, going;
};

struct ui {
    const struct ui_options *options;
    struct worker *stores[UI_STORES]; /* NULL until needed */
    struct maker *maker;
    struct picture *picture; /* the one on the screen */
    bool stale;              /* screens must be renewed: the data they were made from has changed */
    struct changes_feed tidings;
    struct outbox_workers errands;
    struct indexing indexing;
    unsigned first_screen_of; /* number of the picture whose first rows were noted */
    struct confine confine;   /* what Landlock restricts us to */
    struct spawner spawner;   /* starts programs when we are confined */
    struct hooks hooks;
    struct keymap keymap;
    struct key_state keys;
    struct theme theme;
    struct terminal terminal;
    struct grid grid;
    struct screen *views[VIEW_COUNT]; /* NULL until first opened */
    size_t view;                      /* the current one */
    struct screen *over[SCREENS_MAX]; /* on top of the view, the topmost last */
    size_t over_count;
    struct screen *closing[SCREENS_MAX];
    size_t closing_count;
    uint64_t next_id;
    struct prompt *prompt; /* NULL: none is open */
    uint64_t decided;      /* number of decisions that have been completed */
    bool printing;         /* without a screen: all that is drawn is printed */
    struct str parting;    /* text for the person after everything has been closed */
    struct edit_clip clip;
    struct followed followed[FOLLOWED_MAX];
    size_t followed_count;
    struct ui_task *tasks; /* not done yet */
    size_t unbegun;        /* number of them that have no store and wait for done() */
    struct history history;
    struct undo_stack journal;
    struct delayed_decision *held;   /* decisions that are not sent yet, the latest first */
    struct unconfirmed *unconfirmed; /* decisions that were sent and to which nobody has reacted */
    int64_t deaf_us;                 /* keys before this time, by the steady clock, are ignored */
    bool leaving_sent;               /* leave as soon as the held decisions are sent */
    struct snoozes snoozes;          /* snoozed conversations */
    bool snoozes_asked;              /* snoozes are being read */
    struct drafts_cache desk;
    struct tags_known tags;
    struct targets pinned; /* targets of the pending key sequence */
    enum action acted;     /* first action performed since this was set to ACTION_NONE */
    struct str sought;     /* text that was searched for last */
    struct status_message saying;
    struct area area;  /* where the top screen was last drawn */
    struct str health; /* problem with watching; empty: none */
    struct reopen reopen;
    int64_t key_us;           /* time of the last key, by the steady clock */
    struct gone_source *gone; /* one per source; NULL: none was ever gone */
    bool touched, leaving;
    uint64_t frame;   /* number of draws of the screen, the current one included */
    int64_t drawn_us; /* time at which the last draw was on the terminal, by the steady clock */
    bool drops_input; /* an unrequested change is not drawn yet: drop the keys typed before it is */
    struct drawn_requests drawn_requests;
    struct key_set answered; /* requests that were answered from here */
    int ended_by;            /* the signal that asked for the end; 0: the person leaves */
    int64_t busy_us;         /* time of the last key or news, by the steady clock */
};

/* Renews a screen if the picture has changed while the screen was hidden. */
void ui_freshen(struct screen *screen);
/* ui_adopt() gives a screen its id; ui_bury() frees closed screens; ui_close_screens() closes and
 * frees all. */
void ui_adopt(struct ui *ui, struct screen *screen);
void ui_bury(struct ui *ui);
void ui_close_screens(struct ui *ui);

/* Frees a task that has ended or will never run. */
void ui_free_task(struct ui_task *task);

/* Draws everything into the grid. */
void frame_draw(struct ui *ui);
/* Returns the number of columns that the status line has for the text of the screen. */
int frame_status_room(struct ui *ui);
/* Appends one line that replaces title and status. */
void frame_add_summary(struct ui *ui, struct str *out);

/* Drops the keys of a pending sequence. */
void input_give_up(struct ui *ui);
/* Handles one key, paste or click. */
void input_handle(struct ui *ui, const struct input *input);

/* Starts reading the lines that were typed before; does not wait. */
void remember_load(struct ui *ui);
/* For keymaps: reports whether the action makes sense for the selection on the screen, which is the
 * context. */
bool ui_offers(void *context, enum action action);

/* Performs an action for the pinned targets, if there are any: refuses it if its targets would be
 * different ones now. */
void input_act(struct ui *ui, enum action action, struct span argument);
/* input_pin() keeps the targets that an action would have now; input_unpin() forgets them. */
void input_pin(struct ui *ui);
void input_unpin(struct ui *ui);
/* Reports whether an action would have other targets now than the pinned ones. */
bool input_has_moved(struct ui *ui);

/* Starts following the mailboxes. */
void events_start(struct ui *ui);
/* Waits until input can be read from one of the two descriptors, each of which may be -1, or
 * another event occurs, but no longer than most_us (TIME_NONE: without limit). Handles all events
 * but input. Returns true if there may be input. */
bool events_wait(struct ui *ui, int input, int signals, int64_t most_us);
/* Updates picture and screens with the events that were handled. */
void events_settle(struct ui *ui);

/* Main loops, with screens and without; they return when the program is to end. */
void loop_run(struct ui *ui);
void plain_run(struct ui *ui);

#endif
