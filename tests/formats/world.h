/* Shared by the tests over all layouts: a project with a mailbox tree of one format, and the verbs
 * as tests need them. Differences between layouts are read from the format table; only the rosters
 * that the tests write are in a table of their own. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "tests/unit/support.h"

#include "mail/message/model.h"
#include "store/store.h"

#include <criterion/parameterized.h>

/* The time of the first letter. Whole seconds: every layout can hold them. */
#define SENT_US INT64_C(1767484401000000)
#define EXPIRES_US INT64_C(4102444800000000)

/* A project directory with one empty mailbox tree of the format, opened as the layout's own person.
 * alice, bob, carol and dave are known there, as the team or swarm "dev" if the layout has those.
 * Local state is next to the project. */
extern struct world {
    struct tmp tmp;
    const struct format *format;
    bool teams;        /* true if mail is kept by team */
    char project[300]; /* absolute */
    char inside[200];  /* the root, relative to the temporary directory */
    char root[512], spec[600];
    struct store *store;
} world;

void open_world(size_t index);
void close_world(void);
/* NULL: the layout's default identity. */
struct store *open_store(const char *identity, bool readonly, struct log *log);
/* Gives a store of the same sources the seeds of another: their hashes can be compared then. */
void share_seeds(const struct store *from, const struct store *to);
/* Opens the world's store again with another identity. */
void become(const char *identity);

/* Declares a test of that suite for every format: *index is the argument of open_world(). */
#define test_every_format(Suite, Name)                                                             \
    ParameterizedTestParameters(Suite, Name)                                                       \
    {                                                                                              \
        return every_format();                                                                     \
    }                                                                                              \
    ParameterizedTest(const size_t *index, Suite, Name)

struct criterion_test_params every_format(void);

/* The suite of contract.c, states.c and hostile.c. */
#define contract(Name) test_every_format(contract, Name)

/* Appends everything below a path but `except`: names, modes, times and bytes. The caller frees. */
void take_picture(struct str *out, const char *path, const char *except);
/* Returns the picture of the project, without the local state. */
struct str picture(void);
bool is_untouched(const struct str *before);
/* Asserts that nothing has changed since the picture was taken, and frees it. */
void assert_untouched(struct str *before, const char *what);

/* Returns a letter one second later than the one before: messages without ids differ by their
 * times. */
struct outgoing_message make_letter(const char *from, const char *to);
void send_letter(struct outgoing_message *letter);
/* Asserts that it is not sent and that nothing is made, and frees it. */
void assert_refused(struct store *store, struct outgoing_message *letter, bool create,
                    const char *what);
/* Writes a request from bob to alice: for a permission where programs ask for those, else a
 * handoff. */
void ask_alice(void);
/* Returns bob's request, or NULL. */
struct message *find_asked(const struct model *model);
/* Loads all of inbox, archive or both, with bodies. The caller frees. */
struct model load(bool inbox, bool archive);
struct model load_in(struct store *store, bool inbox, bool archive);
struct message *find(const struct model *model, const struct outgoing_message *letter);

/* Changes one message; the outcome has the sentence of a failure. */
struct changed change(struct store *store, struct message *message, enum status status);
void assert_changed(struct message *message, enum status status);

/* Puts agents, given in one text separated by blanks, on a roster as the format keeps it. If that
 * is one file, it is replaced. */
void enlist(const char *team, const char *names);

/* Returns the message as store_raw() gives it. The caller frees. */
struct str raw(const struct message *message);
/* Writes the message's file as a path relative to the temporary directory. */
void path_of(const struct message *message, char *path, size_t size);

bool has_text(struct span text, const char *word);
/* Returns the number of lines that differ; SIZE_MAX if one text has more of them. */
size_t lines_changed(struct span before, struct span after);

enum { STATUS_COUNT = 6 };
extern const enum status statuses[STATUS_COUNT];

/* True if the mailbox itself can hold that status. */
bool is_held(enum status status);

#endif
