/* What the tests over all layouts share: a project with a mailbox tree of one format, and the verbs
 * as tests need them. */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "../unit/support.h"

#include "mail/model.h"
#include "store/store.h"

#include <criterion/parameterized.h>

/* Whole seconds: every layout can hold them. */
#define SENT_US INT64_C(1767484401000000)
#define EXPIRES_US INT64_C(4102444800000000)

/* A project directory with one empty mailbox tree of the format, opened. */
extern struct world {
    struct tmp tmp;
    const struct format *format;
    char root[512], spec[600];
    struct store *store;
} world;

void open_world(size_t index);
void close_world(void);
struct store *open_store(bool readonly, struct log *log);

/* A test of that suite, run for every format: *index is what open_world() takes. */
#define test_every_format(Suite, Name)                                                             \
    ParameterizedTestParameters(Suite, Name)                                                       \
    {                                                                                              \
        return every_format();                                                                     \
    }                                                                                              \
    ParameterizedTest(const size_t *index, Suite, Name)

struct criterion_test_params every_format(void);

/* The suite of contract.c and hostile.c. */
#define contract(Name) test_every_format(contract, Name)

/* Everything beneath a path but `except`: names, modes, times and bytes. The caller frees. */
void take_picture(struct str *out, const char *path, const char *except);
struct str picture(void);
/* Asserts that nothing has changed since the picture was taken, and frees it. */
void assert_untouched(struct str *before, const char *what);

struct letter make_letter(const char *from, const char *to);
void send_letter(struct letter *letter);
/* Asserts that it is not sent and that nothing is made, and frees it. */
void assert_refused(struct store *store, struct letter *letter, bool create, const char *what);
/* All of inbox, archive or both, whole. The caller frees. */
struct model load(bool inbox, bool archive);
struct message *find(const struct model *model, const struct letter *letter);
/* Puts an agent on the roster as the format keeps it. */
void enlist(const char *team, const char *name);

enum { STATUS_COUNT = 6 };
extern const enum status statuses[STATUS_COUNT];

/* Whether the format has a verb for that status. */
bool can(enum status status);

#endif
