/* The doctor, locks: those that were left behind beside inboxes. */
#include "store/doctor/doctor_private.h"

#include "store/send/lock.h"

#include <errno.h>
#include <unistd.h>

static void say_lock(struct str *text, struct str *advice, const struct lock_seen *seen)
{
    static const char shut_out[] = "agents' programs cannot write to this inbox while it is there";
    struct str age = {0};

    when_add_age(&age, (seen->age_ms < 0 ? -seen->age_ms : seen->age_ms) * 1000);
    str_puts(advice, "swarmutt doctor --fix removes it");
    switch (seen->state) {
    case LOCK_LEFT:
        str_addf(text, "a lock that nobody has refreshed for %s: whoever took it is gone",
                 str_c(&age));
        break;
    case LOCK_LEFT_CLAIM:
        str_addf(text, "a lock of a swarmutt process that was killed %s ago: %s", str_c(&age),
                 shut_out);
        break;
    case LOCK_LEFT_FILE:
        str_addf(text, "a lock file that was left behind %s ago: %s", str_c(&age), shut_out);
        break;
    case LOCK_DEAD_FILE:
        str_addf(text, "a lock file of process %d, which has ended: %s", (int)seen->pid, shut_out);
        break;
    case LOCK_FILLED:
        str_addf(text, "a lock directory, %s old, with something in it: %s", str_c(&age), shut_out);
        break;
    case LOCK_AHEAD:
        str_addf(text, "a lock that is dated %s in the future: nobody can tell whether it is held",
                 str_c(&age));
        break;
    default:
        str_addf(text,
                 "where the lock of an inbox belongs is something that is neither directory nor "
                 "file: %s",
                 shut_out);
        break;
    }
    if (!lock_is_left(seen->state)) {
        str_clear(advice);
        str_puts(advice,
                 seen->state == LOCK_AHEAD
                     ? "compare the clocks, and remove it by hand when no agent uses the inbox"
                     : "look at what it is, and remove it by hand when no agent uses the inbox");
    }
    str_free(&age);
}

/* One that a killed process was making or removing. */
static void look_at_private(struct exam *exam, struct other *other)
{
    struct str text = {0}, advice = {0};
    int dir = source_dir(exam->source, other->dir.at);

    other->taken = true;
    if (dir >= 0 && lock_is_left_private(dir, other->name.at)) {
        str_puts(&text, "a swarmutt process that was killed was making or removing a lock");
        str_puts(&advice, "swarmutt doctor --fix removes it");
        struct finding *finding = other_find(exam, false, other, &text, &advice);
        finding->fixable = true;
        finding->dir = other->dir;
        finding->name = other->name;
    }
    if (dir >= 0)
        close(dir);
}

void look_locks(struct exam *exam)
{
    const struct format *format = exam->source->format;

    for (size_t i = 0; format->keeping == KEEP_ARRAY && i < exam->other_count; i++) {
        struct other *other = &exam->others[i];
        struct str text = {0}, advice = {0};
        struct span inbox;
        if (lock_is_private(other->name)) {
            look_at_private(exam, other);
            continue;
        }
        if (!other_without_end(other->name, ".lock", &inbox) || !other_is_mail_name(format, inbox))
            continue;
        inbox = arena_copy(&exam->arena, inbox);
        other->taken = true;
        int dir = source_dir(exam->source, other->dir.at);
        struct lock_seen seen = dir >= 0 ? lock_look(dir, inbox.at) : (struct lock_seen){0};
        if (dir >= 0)
            close(dir);
        if (seen.state == LOCK_NONE || seen.state == LOCK_HELD)
            continue;
        say_lock(&text, &advice, &seen);
        struct finding *finding = other_find(exam, true, other, &text, &advice);
        finding->fixable = lock_is_left(seen.state);
        finding->dir = other->dir;
        finding->name = inbox;
    }
}

/* Takes the lock, which only succeeds where nobody holds it, and lets it go. */
bool fix_lock(struct exam *exam, const struct finding *finding, struct err *err)
{
    const struct lock_options shortly = {.wait_ms = 500};
    int dir = source_open_dir(exam->source, finding->dir.at, err);
    struct lock lock;

    if (dir < 0)
        return false;
    if (lock_is_private(finding->name)) {
        bool cleared = lock_clear_private(dir, finding->name.at) ||
                       err_set(err, ERR_BOX, "it is not left behind any more");
        close(dir);
        return cleared;
    }
    bool ok = lock_is_left(lock_look(dir, finding->name.at).state) ||
              err_set(err, ERR_BOX, "it is not left behind any more");
    ok = ok && lock_take(&lock, dir, finding->name.at, &shortly, err);
    if (ok)
        lock_release(&lock);
    else /* cleared away, and the time was over before it could be taken */
        ok = lock_look(dir, finding->name.at).state == LOCK_NONE;
    close(dir);
    return ok;
}
