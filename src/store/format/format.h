/* A format: the knowledge of one mailbox layout, as names and bytes, without a single system call.
 *
 * All code that reads, locks, writes or syncs is in the store and obeys this table, so that a
 * layout is one file and one line in format.c. */
#ifndef STORE_FORMAT_FORMAT_H
#define STORE_FORMAT_FORMAT_H

#include "base/err.h"
#include "base/log.h"
#include "mail/message/draft.h"
#include "mail/message/message.h"
#include "store/format/path_pattern.h"

#include <sys/types.h>

/* The operations that a layout may support. */
enum verb {
    VERB_SEND,
    VERB_REPLY,
    VERB_HANDOFF,
    VERB_BROADCAST,
    VERB_READ,
    VERB_PROCESSING,
    VERB_COMPLETED,
    VERB_FAILED,
    VERB_ARCHIVE,
    VERB_EXPIRE,
    VERB_CLEANUP,
    VERB_PLAN,
    VERB_PERMISSION,
    VERB_SHUTDOWN,
    VERB_MODE,
    VERB_ASSIGN,
    VERB_RULES,
    VERB_ESCALATE,
    VERB_COUNT,
};

enum ability {
    ABILITY_NONE,       /* the layout has no way; at best local state */
    ABILITY_CONVENTION, /* a way for people and models; no program enforces it */
    ABILITY_NATIVE,
};

struct capability {
    enum ability ability;
    const char *how; /* in a few words */
};

/* The parts that a message of the layout can carry. */
enum field {
    FIELD_TYPE = 1 << 0,
    FIELD_TAGS = 1 << 1,
    FIELD_ATTACHMENTS = 1 << 2,
    FIELD_PAYLOAD = 1 << 3,
    FIELD_CONTEXT = 1 << 4,
    FIELD_EXPIRES = 1 << 5,
    FIELD_THREAD = 1 << 6,
    FIELD_REPLY_TO = 1 << 7,
    FIELD_SWARM = 1 << 8,
    FIELD_RESPONSE = 1 << 9, /* the message itself asks for a response */
    FIELD_NOTE = 1 << 10,    /* a note about the work done, when it is archived */
    FIELD_SUBJECT = 1 << 11, /* apart from the text, and unchanged */
    FIELD_ID = 1 << 12,      /* chosen by the sender */
    FIELD_HANDOFF = 1 << 13, /* every part of a handoff; otherwise it is a text of its main parts */
};

/* The arrangement of messages on disk, which decides how they are written. */
enum storage {
    STORAGE_FILES, /* one file per message: created, never replaced */
    STORAGE_ARRAY, /* one JSON array per box: a new file is swapped in under the lock directory; a
                    * flag that is set in it is never cleared */
    STORAGE_SLOT,  /* one file per recipient: created if there is none, queued if there is one */
};

/* The way a message is archived. */
enum archiving {
    ARCHIVE_COPY,   /* write a copy with its new state to the archive, then remove the inbox file */
    ARCHIVE_MOVE,   /* move its file unchanged: whoever moves it has claimed it */
    ARCHIVE_DELETE, /* remove its file, after a local copy and a line in the layout's own log */
    ARCHIVE_LOCAL,  /* leave it where it is; hide it locally, with a local copy */
};

/* The files or messages that a cleanup removes. */
enum cleaning_rule {
    CLEANING_NOTHING,
    CLEANING_READ,    /* remove messages that are read and past their time */
    CLEANING_ARCHIVE, /* remove archived files that are past their time */
    CLEANING_DONE,    /* archive messages that are completed or expired */
};

/* Steps for which some layouts have a line in the log. */
enum log_step { LOG_CHECKING, LOG_PROCESSING, LOG_ARCHIVING };

/* One file as it was read. */
struct mail_file {
    const struct place *place; /* must outlive the batch's messages */
    struct span name;
    struct span bytes;
    int64_t mtime_us;
    int64_t lasts_us;          /* how long the source keeps messages; 0: no limit */
    struct entry_cache *known; /* the parsed entries of an earlier state of the file; NULL: none */
};

/* A change of state to be written. */
struct change {
    enum status status;
    int64_t now_us;
    const struct zone *zone;     /* for times that name no zone; NULL: our zone */
    const struct span_list *ids; /* the messages of the file to change; NULL: its only one */
    bool completes;              /* also mark archived messages as completed */
};

/* An agent in a roster file. Texts are allocated in the arena that the parser was given. */
struct member {
    struct span name;      /* as mail is addressed */
    struct span color;     /* or absent */
    struct span role;      /* its work in the words of the roster, or absent */
    struct span status;    /* in the layout's own words, or absent */
    struct span directory; /* its working directory, or absent */
    bool lead;
    bool idle; /* the roster says that it is idle */
    bool gone; /* the roster says that it has ended */
};

struct members {
    struct span team; /* the team's name in the file, or absent */
    struct member *items;
    size_t count, cap;
};

/* An entry of a layout's own task list. */
struct task {
    struct span list; /* the name of the list */
    struct span id, subject, owner, status;
};

/* The settings of a source in its own file. */
struct settings {
    int64_t lasts_us;      /* how long messages are kept; 0: no limit */
    struct span base_path; /* the directory of its teams, if it is elsewhere; or absent */
};

enum { BOX_BEFORE_SUM = 64 };

/* The condition of a box to which an entry was added. */
enum box_found {
    BOX_SOUND,
    BOX_CLEARED, /* an emptied array followed by old bytes, which have no meaning any more */
    BOX_DAMAGED, /* everything readable was kept; save the damaged bytes next to it */
};

/* The state of an array before an entry was added to it. It distinguishes an entry that another
 * writer has overwritten from one that its reader removed, which is normal: a writer that did not
 * know of our entry leaves everything before it unchanged, and puts an entry of its own in our
 * place. */
struct box_before {
    int64_t count;                  /* the number of all entries */
    int64_t unread;                 /* the position of the newest unread one, from 1 */
    char sum[BOX_BEFORE_SUM + 1];   /* of its bytes and those of the last; empty: none was unread */
    char newer[BOX_BEFORE_SUM + 1]; /* of the entry that the first check found in our place; empty:
                                     * none */
};

struct appended {
    enum box_found found;
    bool has_uuid;  /* the entry carries the uuid, which is its id now */
    bool lock_lost; /* set by json_inbox_append(): after the write we no longer held the lock */
    struct box_before before;
};

/* A layout. All have names, markers, rules, box_name, parse, compose and reply; the other members
 * are set only for features that the layout has. */
struct format {
    const char *name;     /* as in --source NAME:PATH */
    const char *title;    /* for people */
    const char *identity; /* the person's name unless something else sets it */
    enum storage storage;
    enum archiving archiving;
    bool answered_archived; /* an answer ends a message: its owner archives it then */
    bool lead_answers; /* the lead is a program that also answers requests in the person's name */
    enum cleaning_rule cleaning;

    /* The path of such a mailbox below a project; the last component is the source's root. "" if
     * the project is the root. */
    const char *home;
    /* The markers identify the layout only at a path that ends with `home`. */
    bool home_tells;
    /* True if a project's mailboxes are found from anywhere inside the project. */
    bool upward;
    /* Its places on a machine: paths that start with ~/ or $VARIABLE; the first that applies is
     * used. A variable that is set decides. NULL ends the list; NULL if there are none. */
    const char *const *homes;
    /* Path patterns, ended by NULL: a match of one of them below a directory identifies the layout.
     * Where directories of other programs match too, home_tells excludes them. */
    const char *const *markers;
    /* Places of messages. New messages go to the place of the first rule; a file belongs to the
     * first rule that its path matches. */
    const struct place_rule *rules;
    size_t rule_count;
    /* Files that name agents; NULL if there are none. With parse_roster they are parsed, otherwise
     * each file is an agent, {team}/{box}. */
    const char *roster_pattern;
    const char *roster_home; /* the roster directory relative to the root */
    char roster_aside;       /* files whose names start with it are not agents; 0: all are */
    /* Agents that always exist, though no roster names them; ended by NULL. */
    const char *const *built_in;
    /* Names that get mail without being on a roster: people, and the programs themselves; ended by
     * NULL. It cannot be known whether they exist. */
    const char *const *outsiders;
    /* Appends the members that a roster file names. */
    bool (*parse_roster)(struct span bytes, struct members *members, struct arena *arena,
                         struct err *err);
    /* The team to use before any has been made; NULL: it must be named. */
    const char *default_team;
    /* Environment variables in which the layout's program gives the name and the team of the agent
     * that runs in it; NULL if there are none. */
    const char *name_variable, *team_variable;
    /* The layout's own task list, {team}/...; NULL if it has none. */
    const char *task_pattern;
    /* Parses a task. False if the file is not a task, or is one that a program uses to keep track
     * of itself. */
    bool (*parse_task)(struct span bytes, struct task *task, struct arena *arena);
    /* The source's settings file, relative to the root; NULL if it has none. */
    const char *settings_file;
    bool (*parse_settings)(struct span bytes, struct settings *settings, struct arena *arena,
                           struct err *err);
    int64_t lasts_us;         /* how long messages are kept if no settings say so; 0: no limit */
    int64_t archive_lasts_us; /* CLEANING_ARCHIVE: how long archived files are kept */
    /* CLEANING_READ: true if a file of that name may be removed; others do not belong to the
     * layout's programs. */
    bool (*cleans)(struct span name);

    mode_t file_mode, dir_mode;
    struct capability verbs[VERB_COUNT];
    unsigned fields;
    /* The priority that a reader of the layout sees for each of ours: unknown ones become
     * others. */
    uint8_t priorities[PRIORITY_URGENT + 1];
    bool exact_to;      /* an agent sees only mail addressed to its exact name, in any box */
    bool numbered;      /* a file name that exists gets a number; otherwise a new id is generated */
    bool by_subject;    /* messages between two agents with the same subject form a thread */
    bool short_replies; /* reply_to holds only the first characters of an id */
    bool chained;       /* a thread without a name is named after its first message */
    bool done_archived; /* handled messages go to the archive: no status says so */
    /* Boxes are only made on request; a manager's answers to an agent without one go to this box.
     * NULL: boxes are made as needed. */
    const char *reply_box;
    bool (*is_manager)(struct span box); /* set if reply_box is */
    bool one_for_all;   /* a broadcast is one message to "all", which the whole team sees */
    const char *caveat; /* a warning for senders, or NULL */

    /* The character that replaces those that a box's name cannot have: names that differ only there
     * share a box. */
    char stand_in;
    /* Appends the name of the box for an agent's mail; refuses names that cannot be one. Variants
     * from 1 up are other spellings that are in use; false without an error if there is none. */
    bool (*box_name)(struct str *out, struct span agent, unsigned variant, struct err *err);
    /* Appends a new message id; NULL if the id is computed from the message itself. */
    void (*new_id)(struct str *out, const struct draft *draft);
    /* Appends the messages of a file. False, with the reason, if it cannot be parsed: it may be
     * half written. A message that was parsed but is wrong is appended as damaged. A handoff or an
     * escalation made by compose() must be recognised as one: by its type, its subject (see
     * kind.h), or a kind that is set here. */
    bool (*parse)(const struct mail_file *file, unsigned want, struct batch *batch,
                  struct err *err);
    /* Checks the draft against the layout, then appends file name and bytes of the new message; in
     * an array, the bytes of its entry. */
    bool (*compose)(const struct draft *draft, struct str *name, struct str *bytes,
                    struct err *err);
    /* STORAGE_ARRAY: appends the box with the entry added at its end. `uuid` is for boxes whose
     * entries carry one. An empty box is one that does not exist yet. */
    bool (*append)(struct span box, struct span entry, struct span uuid, struct str *out,
                   struct appended *result, struct err *err);
    /* STORAGE_ARRAY, STORAGE_SLOT: true if the file holds that message, in any state. */
    bool (*holds)(struct span bytes, struct span message);
    /* STORAGE_ARRAY: true if a file without our entry looks as if a writer that did not know of our
     * entry had overwritten it: all earlier entries are in their place, the newest unread one byte
     * for byte, and in our place is another entry, whose sum is stored in `newer`. */
    bool (*overwritten)(struct span bytes, const struct box_before *before,
                        char newer[BOX_BEFORE_SUM + 1]);
    /* Fills in recipient, subject, thread and the like of an answer. */
    void (*reply)(const struct message *original, struct draft *draft, struct arena *arena);
    /* Returns a warning for the sender of this draft, or NULL; may be NULL itself. */
    const char *(*warn)(const struct draft *draft);
    /* Turns the draft for one member of a swarm into one of a broadcast; NULL if they do not
     * differ. */
    void (*broadcast)(struct draft *draft, struct span swarm, struct arena *arena);
    /* Appends the file with the state changed and every other byte as it was. */
    bool (*edit)(struct span bytes, const struct change *change, struct str *out, struct err *err);
    /* Returns who decides a message, as a sentence without its end, if that is a program that keeps
     * its file private and is not reached by any answer. NULL for all other messages; may be NULL
     * itself. */
    const char *(*decided_by)(const struct message *message);
    /* The members of a message that hold its state, ended by NULL; NULL if its bytes have no state.
     * See format_blank_state(). */
    const char *const *state_keys;
    /* ARCHIVE_COPY: appends the archived file as it was in the inbox: with the last state before
     * archiving that it still records. */
    bool (*reopen)(struct span bytes, struct str *out, struct err *err);
    /* ARCHIVE_DELETE: the layout's log of processed messages, relative to the root, and the
     * function that appends the log with another line added; an absent log is one that does not
     * exist. `written_us` is when the message's file was written. Success is not logged again if
     * the log has that line with a later time: that line is from an attempt that was
     * interrupted. */
    const char *log_file;
    bool (*log_line)(struct span log, const struct message *message, int64_t written_us,
                     struct span note, bool failed, int64_t now_us, struct str *out,
                     struct err *err);
    /* Appends the log line of a step; NULL: steps are not logged. */
    void (*step_line)(struct str *out, enum log_step step, struct span id);
};

/* All layouts, ended by NULL. */
extern const struct format *const formats[];

/* Calls format->decided_by(); NULL if the layout has none. */
const char *format_decided_by(const struct format *format, const struct message *message);

/* NULL if there is no such layout. */
const struct format *format_find(struct span name);

const char *verb_name(enum verb verb);
const char *ability_name(enum ability ability);
/* Returns the verb that gives a message that status. */
enum verb verb_for_status(enum status status);

/* True if the layout keeps mail by team. */
bool format_has_teams(const struct format *format);
/* True if the layout's own programs use that name, though no roster has it: its mailbox is made as
 * needed. */
bool format_knows(const struct format *format, struct span name);
/* True if mail for that name is one message that the whole team sees. */
bool format_is_everybody(const struct format *format, struct span name);

/* Replaces `out` with the n-th spelling of a name as a box, the plain one first; false if there are
 * no more. */
bool format_spell(const struct format *format, struct span name, unsigned variant, struct str *out);
/* True if the box is the name itself or one of its spellings; the second function accepts only the
 * plain spelling. */
bool format_is_spelling(const struct format *format, struct span name, struct span box);
bool format_is_plain_spelling(const struct format *format, struct span name, struct span box);

/* Appends NAME or NAME@TEAM, as the layout's own program sets it in the environment; false if
 * nothing is set. */
bool format_add_identity(struct str *out, const struct format *format);

/* Appends the directory, relative to the source's root, that holds the mail of a box. */
void format_dir(struct str *out, const struct format *format, bool archived, struct span team,
                struct span box);
/* Like format_dir(), but for unread mail, and with the file name where files are named after the
 * box. */
void format_box_path(struct str *out, const struct format *format, struct span team,
                     struct span box);

/* Parses bytes that are not in a file, as if from a file of that name. */
bool format_parse_bytes(const struct format *format, struct span name, struct span bytes,
                        unsigned want, struct batch *batch, struct err *err);

/* Appends a file that holds the bytes of one message only: in an array, as its only entry. */
void format_add_file(const struct format *format, struct span bytes, struct str *out);
/* Logs a step in the words of the layout, if it has any for it. */
void format_log_step(const struct format *format, struct log *log, enum log_step step,
                     struct span id);

/* Appends the bytes of one message with its state blanked out: copies that differ only in their
 * state, for example because one was read, become equal. */
bool format_blank_state(const struct format *format, struct span bytes, struct str *out,
                        struct err *err);

/* False, with the reason, if the draft uses a field that the layout cannot hold. */
bool format_can_hold(const struct format *format, const struct draft *draft, struct err *err);

/* Appends file name and bytes of a new message, and replaces `id` with its id. Refused, with the
 * reason, if the layout cannot hold it or its recipient could not read it. */
bool format_compose(const struct format *format, const struct draft *draft, struct str *name,
                    struct str *bytes, struct str *id, struct err *err);

#endif
