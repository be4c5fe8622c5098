/* Runs every target over the inputs that are kept for it, without a fuzzer: the seeds, inputs that
 * once broke it, and some shortened copies of each.
 *
 * fuzz_replay                 all of them, from tests/fuzz below $SWARMUTT_SRC
 * fuzz_replay TARGET FILE...  these files */
#include "base/mem.h"
#include "fuzz.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CUTS = 64 }; /* shortened copies of each input */

static char doing[4200]; /* for the signal handler */

static void say_and_end(int number)
{
    ssize_t ignored = write(STDERR_FILENO, doing, strlen(doing));

    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

/* Runs a copy that ends where its memory ends, so that reading further is noticed. */
static void run(const struct fuzz_target *target, const char *path, struct span bytes)
{
    char *exact = mem_alloc(bytes.len ? bytes.len : 1);

    snprintf(doing, sizeof doing, "%s: this broke on the first %zu bytes of %s\n", target->name,
             bytes.len, path);
    if (bytes.len)
        memcpy(exact, bytes.at, bytes.len);
    target->run((struct span){exact, bytes.len});
    free(exact);
}

static void run_file(const struct fuzz_target *target, const char *path, unsigned cuts)
{
    struct str bytes = {0};
    FILE *file = fopen(path, "rb");

    require(file, "%s cannot be opened", path);
    for (size_t got = 1; got;) {
        got = fread(str_room(&bytes, 65536), 1, 65536, file);
        bytes.len += got;
    }
    fclose(file);
    run(target, path, str_span(&bytes));
    for (unsigned i = 0; i < cuts; i++)
        run(target, path, (struct span){str_c(&bytes), bytes.len * i / cuts});
    str_free(&bytes);
}

/* Returns the number of inputs. */
static unsigned run_directory(const struct fuzz_target *target, const char *kind)
{
    const char *source = getenv("SWARMUTT_SRC");
    char path[2048], name[2400];
    unsigned count = 0;

    snprintf(path, sizeof path, "%s/tests/fuzz/%s/%s", source ? source : ".", kind, target->name);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        run_file(target, name, CUTS);
        count++;
    }
    if (entries)
        closedir(entries);
    return count;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

    setlocale(LC_ALL, "C.UTF-8");
    fuzz_dir();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], say_and_end);
    if (argc > 1) {
        const struct fuzz_target *target = fuzz_find(argv[1]);
        require(target, "%s is no target", argv[1]);
        for (int i = 2; i < argc; i++)
            run_file(target, argv[i], 0);
        return 0;
    }
    for (const struct fuzz_target *target = fuzz_targets; target->name; target++) {
        unsigned seeds = run_directory(target, "seeds"), found = run_directory(target, "found");
        require(seeds, "there are no seeds for %s", target->name);
        printf("%s: %u seeds, %u found once\n", target->name, seeds, found);
    }
    return 0;
}
