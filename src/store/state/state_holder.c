/* Holders: who has an entry of the outbox, or a draft.
 *
 * A holder is a random number; whether it lives is told by a lock on the byte of that number in a
 * file beside the database, which ends with the process and with nothing else. */
#include "base/file/retry.h"
#include "store/state/state_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>

static void holder_lives(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct state *state = sqlite3_user_data(context);
    int64_t holder = sqlite3_value_int64(values[0]);
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)holder, .l_len = 1};

    (void)count;
    bool dead = holder != state->holder && fcntl(state->holders, F_OFD_GETLK, &lock) == 0 &&
                lock.l_type == F_UNLCK;
    sqlite3_result_int(context, !dead);
}

static bool lock_byte(struct state *state, struct err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    uint64_t number;

    do {
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return err_set(err, ERR_SOURCE, "the system gives no random numbers: %s; try again",
                           strerror(errno));
        lock.l_start = (off_t)(number >> 2) + 1;
        if (fcntl(state->holders, F_OFD_SETLK, &lock) == 0) {
            state->holder = lock.l_start;
            return true;
        }
    } while (errno == EAGAIN || errno == EACCES); /* somebody drew the same */
    return err_set(err, ERR_SOURCE, "%s: the file beside it, state.lock, cannot be locked: %s",
                   str_c(&state->path), strerror(errno));
}

bool state_become_holder(struct state *state, struct err *err)
{
    struct str path = {0};

    if (state->holder)
        return true;
    str_add(&path, state->path.at, state->path.len - strlen("db"));
    str_puts(&path, "lock");
    if (state->holders < 0)
        state->holders =
            retry_open(AT_FDCWD, str_c(&path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = state->holders >= 0 ||
              err_set(err, ERR_SOURCE, "%s: it cannot be opened: %s; see who owns it", str_c(&path),
                      strerror(errno));
    str_free(&path);
    if (!ok || !lock_byte(state, err))
        return false;
    int rc = sqlite3_create_function(state->db, "holder_lives", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                     state, holder_lives, NULL, NULL);
    return rc == SQLITE_OK || state_fail(state, rc, sqlite3_errstr(rc), err);
}
