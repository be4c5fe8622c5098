/* Fuzzing: shared by the targets.
 *
 * A target takes any bytes and asserts what must hold for all of them. libFuzzer (libfuzzer.c) runs
 * them to find bytes that break one, and every `make check` (replay.c) runs them over kept
 * inputs. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/json/json.h"
#include "store/format/format.h"

/* Ends the process with a sentence if the condition does not hold. */
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
/* Returns NULL if there is none of that name. */
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

/* Takes the first byte off the input; returns 0 if nothing is left. */
unsigned char fuzz_byte(struct span *input);
/* Takes a part off the input: up to the next FUZZ_MARK, which is removed too, or all of it. */
#define FUZZ_MARK '\x1e'
struct span fuzz_part(struct span *input);

/* Damages bytes as the input says: each six bytes of it are a position in two bytes, and four bytes
 * to put there. Returns false if nothing was changed. */
bool fuzz_spoil(char *bytes, size_t len, struct span input);

/* Returns a directory of this process, which also holds our own files ($XDG_STATE_HOME and the
 * like). It is removed when the process ends. */
const char *fuzz_dir(void);
/* Replaces a file below it; the file's directory must exist. */
void fuzz_write(const char *name, struct span bytes);

/* True if the part is inside the whole, as it is when it was borrowed from there. */
bool fuzz_inside(struct span part, struct span whole);

/* Requires that one line of our text can be shown as it is. */
void fuzz_require_clean(struct span text);

/* Requires that an object differs from `before` only in the values of these keys (of equal keys the
 * last), and in members with these keys at its end. */
void fuzz_require_kept(struct span before, struct span after, const char *const *keys);

#endif
