/* What the tests over all layouts share: a project with a mailbox tree of one format, and the verbs
 * as tests need them. What differs between layouts is read from the format table; only the rosters
 * that the tests write are in a table of their own. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "tests/unit/support.h"

#include "mail/message/model.h"
#include "store/store.h"

#include <criterion/parameterized.h>

/* The first letter's time. Whole seconds: every layout can hold them. */
#define SENT_US INT64_C(1767484401000000)
#define EXPIRES_US INT64_C(4102444800000000)

/* A project directory with one empty mailbox tree of the format, opened as the layout's own person.
 * alice, bob, carol and dave are known there, as the team or swarm "dev" where there are such.
 * Local state lies beside the project. */
extern struct world {
    struct tmp tmp;
    const struct format *format;
    bool teams;        /* mail is kept by team */
    char project[300]; /* absolute */
    char inside[200];  /* the root, from the temporary directory */
    char root[512], spec[600];
    struct store *store;
} world;

void open_world(size_t index);
void close_world(void);
/* NULL: who the layout says. */
struct store *open_store(const char *identity, bool readonly, struct log *log);
/* Opens the world's store again as somebody else. */
void become(const char *identity);

/* A test of that suite, run for every format: *index is what open_world() takes. */
#define test_every_format(Suite, Name)                                                             \
    ParameterizedTestParameters(Suite, Name)                                                       \
    {                                                                                              \
        return every_format();                                                                     \
    }                                                                                              \
    ParameterizedTest(const size_t *index, Suite, Name)

struct criterion_test_params every_format(void);

/* The suite of contract.c, states.c and hostile.c. */
#define contract(Name) test_every_format(contract, Name)

/* Everything beneath a path but `except`: names, modes, times and bytes. The caller frees. */
void take_picture(struct str *out, const char *path, const char *except);
/* Of the project: local state is no part of it. */
struct str picture(void);
bool is_untouched(const struct str *before);
/* Asserts that nothing has changed since the picture was taken, and frees it. */
void assert_untouched(struct str *before, const char *what);

/* Each a second later than the one before: where messages have no ids, it is by their times that
 * they differ. */
struct outgoing_message make_letter(const char *from, const char *to);
void send_letter(struct outgoing_message *letter);
/* Asserts that it is not sent and that nothing is made, and frees it. */
void assert_refused(struct store *store, struct outgoing_message *letter, bool create,
                    const char *what);
/* bob asks alice: where programs ask, for a permission, elsewhere by handing work over. */
void ask_alice(void);
/* What bob asks, or NULL. */
struct message *find_asked(const struct model *model);
/* All of inbox, archive or both, whole. The caller frees. */
struct model load(bool inbox, bool archive);
struct model load_in(struct store *store, bool inbox, bool archive);
struct message *find(const struct model *model, const struct outgoing_message *letter);

/* One message's change; the sentence of a failure is in the outcome. */
struct changed change(struct store *store, struct message *message, enum status status);
void assert_changed(struct message *message, enum status status);

/* Puts agents, given in one text with blanks between them, on a roster as the format keeps it.
 * Where that is one file, it is written anew. */
void enlist(const char *team, const char *names);

/* The message as store_raw() gives it. The caller frees. */
struct str raw(const struct message *message);
/* The message's file as a path from the temporary directory. */
void path_of(const struct message *message, char *path, size_t size);

bool has_text(struct span text, const char *word);
/* How many lines differ; SIZE_MAX when one has more of them. */
size_t lines_changed(struct span before, struct span after);

enum { STATUS_COUNT = 6 };
extern const enum status statuses[STATUS_COUNT];

/* Whether the mailbox itself can hold that status. */
bool is_held(enum status status);

#endif
