/* Fuzzing: what the targets share.
 *
 * A target takes any bytes and asserts what must hold for all of them. The same targets are run by
 * libFuzzer (libfuzzer.c), which looks for bytes that break one, and over kept inputs by every
 * `make check` (replay.c). */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/json/json.h"
#include "store/format/format.h"

/* Ends the process with a sentence when something does not hold. */
#define require(holds, ...)                                                                        \
    do {                                                                                           \
        if (!(holds))                                                                              \
            fuzz_fail(__FILE__, __LINE__, #holds, __VA_ARGS__);                                    \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

struct fuzz_target {
    const char *name;
    void (*run)(struct span input);
};

/* A NULL name ends them. */
extern const struct fuzz_target fuzz_targets[];
/* NULL when there is none of that name. */
const struct fuzz_target *fuzz_find(const char *name);

void fuzz_adr(struct span input);
void fuzz_cache(struct span input);
void fuzz_claude(struct span input);
void fuzz_clean(struct span input);
void fuzz_compose(struct span input);
void fuzz_config(struct span input);
void fuzz_document(struct span input);
void fuzz_escape(struct span input);
void fuzz_front_matter(struct span input);
void fuzz_inbox(struct span input);
void fuzz_json(struct span input);
void fuzz_json_edit(struct span input);
void fuzz_ledger(struct span input);
void fuzz_mcp(struct span input);
void fuzz_openclaw(struct span input);
void fuzz_protocol(struct span input);
void fuzz_query(struct span input);
void fuzz_roo(struct span input);
void fuzz_segment(struct span input);

/* Takes the first byte off the input; 0 when nothing is left. */
unsigned char fuzz_byte(struct span *input);
/* Takes a part off the input: up to the next FUZZ_MARK, which goes too, or all of it. */
#define FUZZ_MARK '\x1e'
struct span fuzz_part(struct span *input);

/* Spoils bytes as the input says: each six of its bytes are a place, two bytes of it, and four that
 * are put there. False when nothing was changed. */
bool fuzz_spoil(char *bytes, size_t len, struct span input);

/* A directory of this process, which is also where our own files lie ($XDG_STATE_HOME and the
 * like). It goes when the process ends. */
const char *fuzz_dir(void);
/* Replaces a file beneath it; the directory it lies in must be there. */
void fuzz_write(const char *name, struct span bytes);

/* Whether the part lies in the whole, as it does when it was borrowed from there. */
bool fuzz_inside(struct span part, struct span whole);

/* Requires that one line of ours can be shown as it is. */
void fuzz_require_clean(struct span text);

/* Requires that an object differs from the one that it was in nothing but the values of these keys
 * (of equal ones the last), and in members with these keys that stand behind all others. */
void fuzz_require_kept(struct span before, struct span after, const char *const *keys);

#endif
