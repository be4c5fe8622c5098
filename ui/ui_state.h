/* The terminal interface, inside: for the loop, the frame, and what reads keys. */
#ifndef UI_UI_STATE_H
#define UI_UI_STATE_H

#include "base/file/landlock.h"
#include "store/store_local.h"
#include "ui/compose/drafts_cache.h"
#include "ui/decide/settle.h"
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

/* A descriptor that somebody waits for. */
struct followed {
    int fd;
    void (*ready)(struct ui *ui, void *context);
    void *context;
};

struct gone_source {
    int64_t since_us; /* 0: it is there */
    bool remade;      /* something is in its place that can be read when it is opened again */
};

/* See reopen.h. */
struct reopen {
    struct str path;   /* of the file that hands over what was open */
    struct str cursor; /* the message that was selected, until there is a picture */
    bool resumed;      /* the screens were opened again */
    bool waited;       /* by who waits for us, and will open them once more when we end so */
    bool wanted, going;
};

struct ui {
    const struct ui_options *options;
    struct store *stores[UI_STORES]; /* NULL until they are needed */
    struct maker *maker;
    struct picture *picture; /* that is shown */
    bool stale;              /* what screens made of it is not right any more */
    struct tidings tidings;
    struct errands errands;
    struct indexing indexing;
    unsigned first_screen_of; /* the picture whose first rows were noted */
    struct confine confine;   /* what we are confined to */
    struct spawner spawner;   /* starts programs when we are confined */
    struct hooks hooks;
    struct keymap keymap;
    struct key_state keys;
    struct theme theme;
    struct terminal terminal;
    struct grid grid;
    struct screen *views[VIEW_COUNT]; /* NULL until they were open */
    size_t view;                      /* the open one */
    struct screen *over[SCREENS_MAX]; /* laid over it, the top one last */
    size_t over_count;
    struct screen *closing[SCREENS_MAX];
    size_t closing_count;
    uint64_t next_id;
    struct prompt *prompt; /* NULL: none is open */
    uint64_t decided;      /* how many decisions have come to an end */
    bool printing;         /* without a screen: all that is drawn is printed */
    struct str parting;    /* what the person has to know when everything has ended */
    struct edit_clip clip;
    struct followed followed[FOLLOWED_MAX];
    size_t followed_count;
    struct ui_task *tasks; /* that are not done */
    size_t unbegun;        /* so many of them have no store, and wait for their end */
    struct history history;
    struct journal journal;
    struct held *held;               /* decisions that are not sent yet, the last one first */
    struct unconfirmed *unconfirmed; /* those that were sent, and nobody has reacted to */
    int64_t deaf_us;                 /* keys before that, by the steady clock, are not heard */
    bool leaving_sent;               /* the person leaves as soon as they are sent */
    struct snoozes snoozes;          /* what is put aside */
    bool snoozes_asked;              /* they are being read */
    struct desk desk;
    struct tags_known tags;
    struct acting pinned; /* what a sequence of keys was begun for */
    enum action acted;    /* the first that was done since somebody set it to none */
    struct str sought;    /* what was searched for last */
    struct saying saying;
    struct area area;  /* of the screen, where it was drawn last */
    struct str health; /* what is wrong with watching; empty: nothing */
    struct reopen reopen;
    int64_t key_us;           /* the last key, by the steady clock */
    struct gone_source *gone; /* of each source; NULL: none was ever gone */
    bool touched, leaving;
    uint64_t frame;   /* how many times the screen was drawn, this time included */
    int64_t drawn_us; /* when the last of them was on the terminal, by the steady clock */
    bool drops_input; /* a change that nobody asked for is not drawn yet: keys are not for it */
    struct drawn_requests drawn_requests;
    struct key_set answered; /* requests whose answer was sent from here */
    int ended_by;            /* a signal that wants an end; 0: the person does */
    int64_t busy_us;         /* the last key or news, by the steady clock */
};

/* Renews a screen if the picture has changed while it was not seen. */
void ui_freshen(struct screen *screen);
/* Gives a screen its number; frees those that were closed; closes and frees all. */
void ui_adopt(struct ui *ui, struct screen *screen);
void ui_bury(struct ui *ui);
void ui_close_screens(struct ui *ui);

/* Opens the stores that are not open yet. */
bool ui_open_store(struct ui *ui, enum ui_store which, struct err *err);
/* Ends all of them; what is under way is waited for, and nobody is told of it. */
void ui_close_stores(struct ui *ui);

/* A task that has ended, or never will. */
void ui_free_task(struct ui_task *task);

/* Draws everything into the grid. */
void frame_draw(struct ui *ui);
/* So many columns the status line has for what the screen says. */
int frame_status_room(struct ui *ui);
/* Appends one line that stands for title and status. */
void frame_add_summary(struct ui *ui, struct str *out);

/* Forgets the keys that have begun a sequence. */
void input_give_up(struct ui *ui);
/* One key, one paste, one click. */
void input_input(struct ui *ui, const struct input *input);

/* Reads the lines that were typed before, without waiting. */
void remember_load(struct ui *ui);
/* For key maps: whether an action means something for what is selected on the screen that is the
 * context, and says so. */
bool ui_offers(void *context, enum action action);

/* Does an action that was typed or pressed for what ui->pinned has, if anything is there: refused
 * when that is not what it would be done to now. */
void input_act(struct ui *ui, enum action action, struct span argument);
/* Keeps what an action would be done to at present, and forgets it. */
void input_pin(struct ui *ui);
void input_unpin(struct ui *ui);
/* Whether something else would be meant now. */
bool input_has_moved(struct ui *ui);

/* Begins to follow the mailboxes. */
void events_start(struct ui *ui);
/* Waits until something can be read from one of the two, which may be -1, or something else
 * happens, at most so long (TIME_NONE: for ever); takes all but what is to be read. True when that
 * may be there. */
bool events_wait(struct ui *ui, int input, int signals, int64_t most_us);
/* Brings picture and screens up to date with what was taken. */
void events_settle(struct ui *ui);

/* Run until they are to be left: the loop of the screens, and the one without any. */
void loop_run(struct ui *ui);
void plain_run(struct ui *ui);

#endif
