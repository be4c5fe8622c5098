/* A format: what one mailbox layout knows, as names and bytes, without a single system call.
 *
 * Everything that reads, locks, writes or syncs is in the store and obeys this table, so that a
 * layout is one file and one line in format.c. */
#ifndef STORE_FORMAT_FORMAT_H
#define STORE_FORMAT_FORMAT_H

#include "base/err.h"
#include "base/log.h"
#include "mail/message/draft.h"
#include "mail/message/message.h"
#include "store/format/path_pattern.h"

#include <sys/types.h>

/* What can be asked of a layout. */
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
    ABILITY_NONE,       /* the layout has no way; local state at best */
    ABILITY_CONVENTION, /* a way for people and models; no program enforces it */
    ABILITY_NATIVE,
};

struct capability {
    enum ability ability;
    const char *how; /* in a few words */
};

/* What a message of the layout can carry. */
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
    FIELD_RESPONSE = 1 << 9, /* says by itself that it wants a response */
    FIELD_NOTE = 1 << 10,    /* a word about what was done, when it is archived */
    FIELD_SUBJECT = 1 << 11, /* apart from the text, and as it was given */
    FIELD_ID = 1 << 12,      /* one that the sender chose */
    FIELD_HANDOFF =
        1 << 13, /* everything about a handoff; otherwise it is a text of its main parts */
};

/* How messages lie on disk, which decides how they are written. */
enum storage {
    STORAGE_FILES, /* one file a message: created, never replaced */
    STORAGE_ARRAY, /* one JSON array a box: a new file is swapped in under the lock directory; a
                   flag that is set in it is never set back */
    STORAGE_SLOT, /* one file a recipient: created while there is none, queued while there is one */
};

/* Where a message goes when it is put away. */
enum archiving {
    ARCHIVE_COPY,   /* a copy with its new state into the archive, then the inbox file goes */
    ARCHIVE_MOVE,   /* its file is moved as it is: whoever moves it has claimed it */
    ARCHIVE_DELETE, /* its file goes, after a local copy and a line in the layout's own log */
    ARCHIVE_LOCAL,  /* it stays where it is; hidden here, with a local copy */
};

/* What cleaning up takes away. */
enum cleaning_rule {
    SANITIZE_NOTHING,
    SANITIZE_READ,    /* messages that are read and past their time are removed */
    SANITIZE_ARCHIVE, /* archived files that are past their time are removed */
    SANITIZE_DONE,    /* what is completed or expired goes to the archive */
};

/* What some layouts want to be told of in the log. */
enum log_step { LOG_CHECKING, LOG_PROCESSING, LOG_ARCHIVING };

/* One file as it was read. */
struct mail_file {
    const struct place *place; /* outlives the batch's messages */
    struct span name;
    struct span bytes;
    int64_t mtime_us;
    int64_t lasts_us;          /* how long the source keeps messages; 0: no limit */
    struct entry_cache *known; /* of an earlier state of the file; NULL: nothing */
};

/* A change of state that is to be written. */
struct change {
    enum status status;
    int64_t now_us;
    const struct zone *zone;     /* in which a time is written that names none; NULL: ours */
    const struct span_list *ids; /* which messages of the file; NULL: its only one */
    bool completes;              /* what is archived is marked as completed, too */
};

/* Somebody in a roster file. Texts live in the arena that the reader was given. */
struct member {
    struct span name;      /* as mail is addressed */
    struct span color;     /* or absent */
    struct span role;      /* what the roster calls its work, or absent */
    struct span status;    /* in the layout's own words, or absent */
    struct span directory; /* where it works, or absent */
    bool lead;
    bool idle; /* the roster says that it rests */
    bool gone; /* the roster says that it has ended */
};

struct members {
    struct span team; /* the team's name in the file, or absent */
    struct member *items;
    size_t count, cap;
};

/* An entry of a layout's own list of work. */
struct task {
    struct span list; /* which list */
    struct span id, subject, owner, status;
};

/* What a source's own settings say. */
struct settings {
    int64_t lasts_us;      /* how long messages are kept; 0: no limit */
    struct span base_path; /* where its teams lie instead, or absent */
};

enum { BOX_BEFORE_SUM = 64 };

/* What appending to a box found there. */
enum box_found {
    BOX_SOUND,
    BOX_CLEARED, /* an emptied array with old bytes behind it, which mean nothing any more */
    BOX_DAMAGED, /* what could be read of it was kept; its bytes should be saved beside */
};

/* What an array held when an entry was added to it. By this an entry that another writer has
 * overwritten is told from one that its reader took, which is usual: a writer that did not know of
 * our entry leaves everything before it as it was, and an entry of its own in our place. */
struct box_before {
    int64_t count;                  /* of all entries */
    int64_t unread;                 /* the place of the newest that was unread, from 1 */
    char sum[BOX_BEFORE_SUM + 1];   /* of its bytes and those of the last; empty: none was unread */
    char newer[BOX_BEFORE_SUM + 1]; /* of what the first look found in our place; empty: nothing */
};

struct appended {
    enum box_found found;
    bool has_uuid;  /* the entry carries the uuid, which is its id now */
    bool lock_lost; /* by json_inbox_append(): the lock was not ours any more after the write */
    struct box_before before;
};

/* A layout. Every one has its names, markers, rules, box_name, parse, compose and reply, and the
 * other members as far as they are about something that it has. */
struct format {
    const char *name;     /* as in --source NAME:PATH */
    const char *title;    /* for people */
    const char *identity; /* who the person is unless told otherwise */
    enum storage storage;
    enum archiving archiving;
    bool answered_archived; /* an answer ends a message: its owner puts it away with that */
    bool lead_answers; /* the lead is a program that answers requests in the person's name, too */
    enum cleaning_rule cleaning;

    /* Where such a mailbox lies beneath a project; the last component is the source's root. "" when
     * the project is the root. */
    const char *home;
    /* The markers tell the layout only at a path that ends so. */
    bool home_tells;
    /* Whether a project's mailboxes are found from anywhere inside the project. */
    bool upward;
    /* Where it lies on a machine: paths that start with ~/ or $VARIABLE; the first that applies. A
     * variable that is set decides. NULL ends the list; NULL without one. */
    const char *const *homes;
    /* Path patterns, NULL ends them: what matches one beneath a directory tells the layout. Where
     * directories of other programs match too, home_tells keeps these apart. */
    const char *const *markers;
    /* Where messages lie. The first rule is where new ones go, and the first that a file's path
     * matches is the file's. */
    const struct place_rule *rules;
    size_t rule_count;
    /* Files that name agents; NULL without any. With parse_roster they are read, otherwise each
     * file is an agent, {team}/{box}. */
    const char *roster_pattern;
    const char *roster_home; /* the roster directory relative to the root */
    char roster_aside;       /* files whose name starts with it are no agents; 0: all are */
    /* Agents that are always there, though no roster names them; NULL ends them. */
    const char *const *built_in;
    /* Names that get mail though no roster has to name them: people, and the programs themselves;
     * NULL ends them. Nobody can tell whether they are there. */
    const char *const *outsiders;
    /* Appends the members that a roster file names. */
    bool (*parse_roster)(struct span bytes, struct members *members, struct arena *arena,
                         struct err *err);
    /* The team where nobody has made one yet; NULL: it must be named. */
    const char *default_team;
    /* Environment variables in which the layout's program says who runs in it, and in which team;
     * NULL without any. */
    const char *name_variable, *team_variable;
    /* The layout's own list of work, {team}/...; NULL without one. */
    const char *task_pattern;
    /* False when it is none, or one by which a program keeps track of itself. */
    bool (*parse_task)(struct span bytes, struct task *task, struct arena *arena);
    /* The source's settings, relative to the root; NULL without any. */
    const char *settings_file;
    bool (*parse_settings)(struct span bytes, struct settings *settings, struct arena *arena,
                           struct err *err);
    int64_t lasts_us;         /* how long messages are kept where no settings say so; 0: no limit */
    int64_t archive_lasts_us; /* SANITIZE_ARCHIVE: how long archived files are kept */
    /* SANITIZE_READ: whether a file of that name may go; others are not of the layout's programs.
     */
    bool (*cleans)(struct span name);

    mode_t file_mode, dir_mode;
    struct capability verbs[VERB_COUNT];
    unsigned fields;
    /* What each priority is for a reader of the layout: those it does not know become others. */
    uint8_t priorities[PRIORITY_URGENT + 1];
    bool exact_to;      /* an agent sees what is addressed to its exact name, in whatever box */
    bool numbered;      /* a taken file name gets a number; otherwise the id is drawn again */
    bool by_subject;    /* messages of two agents with one subject are a thread */
    bool short_replies; /* reply_to holds only the first characters of an id */
    bool chained;       /* a thread without a name is called after its first message */
    bool done_archived; /* what was dealt with goes to the archive: no status says so */
    /* Boxes are only made on request; answers of a manager to somebody without one go here. NULL:
     * boxes are made as needed. */
    const char *reply_box;
    bool (*is_manager)(struct span box); /* where reply_box is */
    bool one_for_all;   /* a broadcast is one message to "all", which the whole team sees */
    const char *caveat; /* what a sender should know, or NULL */

    /* The character that stands in a box's name for those that cannot: names which differ only
     * there share a box. */
    char stand_in;
    /* Appends the box that an agent's mail goes into; refuses names that cannot be one. Variants
     * from 1 up are other spellings that are in use; false without an error when there is none. */
    bool (*box_name)(struct str *out, struct span agent, unsigned variant, struct err *err);
    /* Appends a new message id; NULL where the message itself makes it. */
    void (*new_id)(struct str *out, const struct draft *draft);
    /* Appends the messages of a file. False, with the reason, when nothing can be made of it: it
     * may be half written. A message that was understood but is wrong is appended as damaged. What
     * compose() made of a handoff or an escalation has to be recognised as one: by its type, its
     * subject (see kind.h), or a kind that is set here. */
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
    /* STORAGE_ARRAY, STORAGE_SLOT: whether the file holds that message, whatever its state. */
    bool (*holds)(struct span bytes, struct span message);
    /* STORAGE_ARRAY: whether a file without our entry looks as if a writer that did not know of it
     * had overwritten it: all that was there before is in its place, the newest unread entry byte
     * for byte, and in our place is another one, whose sum is filled in. */
    bool (*overwritten)(struct span bytes, const struct box_before *before,
                        char newer[BOX_BEFORE_SUM + 1]);
    /* Fills in recipient, subject, thread and the like of an answer. */
    void (*reply)(const struct message *original, struct draft *draft, struct arena *arena);
    /* What the sender of this draft should know, or NULL; may be NULL itself. */
    const char *(*warn)(const struct draft *draft);
    /* Turns the draft for one member of a swarm into a broadcast's; NULL when that is no other. */
    void (*broadcast)(struct draft *draft, struct span swarm, struct arena *arena);
    /* Appends the file with the state changed and every other byte as it was. */
    bool (*edit)(struct span bytes, const struct change *change, struct str *out, struct err *err);
    /* Who decides a message, when that is a program that keeps its file to itself and is not
     * reached by any answer: a sentence without its end. NULL for all others; may be NULL itself.
     */
    const char *(*decided_by)(const struct message *message);
    /* The members of a message that hold its state, NULL behind the last; NULL where its bytes tell
     * none. See format_blank_state(). */
    const char *const *state_keys;
    /* ARCHIVE_COPY: appends the archived file as it is in an inbox: in the last state before it was
     * done with that it still tells. */
    bool (*reopen)(struct span bytes, struct str *out, struct err *err);
    /* ARCHIVE_DELETE: the layout's log of what was done, relative to the root, and how it gets
     * another line: appends the log with the line added; an absent log is one that does not exist.
     * Success is not logged again when the log has that line from after written_us, which is when
     * the message's file was written: it is of an attempt that did not get further. */
    const char *log_file;
    bool (*log_line)(struct span log, const struct message *message, int64_t written_us,
                     struct span note, bool failed, int64_t now_us, struct str *out,
                     struct err *err);
    /* Appends what the log is told of a step; NULL: nothing. */
    void (*step_line)(struct str *out, enum log_step step, struct span id);
};

/* All layouts; NULL ends the table. */
extern const struct format *const formats[];

/* As format->decided_by; NULL where the layout has none. */
const char *format_decided_by(const struct format *format, const struct message *message);

/* NULL when there is no such layout. */
const struct format *format_find(struct span name);

const char *verb_name(enum verb verb);
const char *ability_name(enum ability ability);
/* The verb that brings a message into that status. */
enum verb verb_for_status(enum status status);

/* Whether its mail is kept by team. */
bool format_has_teams(const struct format *format);
/* Whether the layout's own programs use that name, though no roster has it: its mailbox is made as
 * need be. */
bool format_knows(const struct format *format, struct span name);
/* Whether mail for that name is one message that the whole team sees. */
bool format_is_everybody(const struct format *format, struct span name);

/* Replaces `out` by the n-th spelling of a name as a box, the plain one first; false when there are
 * no more. */
bool format_spell(const struct format *format, struct span name, unsigned variant, struct str *out);
/* Whether the box is the name itself or one of its spellings, or just the plain one. */
bool format_is_spelling(const struct format *format, struct span name, struct span box);
bool format_is_plain_spelling(const struct format *format, struct span name, struct span box);

/* Appends NAME or NAME@TEAM, as the layout's own program says in the environment; false when it
 * says nothing. */
bool format_add_identity(struct str *out, const struct format *format);

/* Appends the directory, beneath the source's root, that holds the mail of a box. */
void format_dir(struct str *out, const struct format *format, bool archived, struct span team,
                struct span box);
/* The same for unread mail and, where files are named after the box, the file. */
void format_box_path(struct str *out, const struct format *format, struct span team,
                     struct span box);

/* Parses bytes that lie nowhere, as if from a file of that name. */
bool format_parse_bytes(const struct format *format, struct span name, struct span bytes,
                        unsigned want, struct batch *batch, struct err *err);

/* Notes a step in the log in the words of the layout, where it has any for it. */
void format_log_step(const struct format *format, struct log *log, enum log_step step,
                     struct span id);

/* Appends the bytes of one message with its state blanked out: copies of one message that differ in
 * nothing else become equal, whoever has read them. */
bool format_blank_state(const struct format *format, struct span bytes, struct str *out,
                        struct err *err);

/* False, with the reason, when the draft uses a field that the layout cannot hold. */
bool format_can_hold(const struct format *format, const struct draft *draft, struct err *err);

/* Appends file name and bytes of a new message, and replaces `id` by the one it has. Refused, with
 * the reason, when the layout cannot hold it or its recipient could not read it. */
bool format_compose(const struct format *format, const struct draft *draft, struct str *name,
                    struct str *bytes, struct str *id, struct err *err);

#endif
