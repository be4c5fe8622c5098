/* The entry points of libFuzzer: run the target that $FUZZ_TARGET names. */
#include "fuzz.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_TARGET");

    (void)argc;
    (void)argv;
    target = name ? fuzz_find(name) : NULL;
    if (!target) {
        fputs("set FUZZ_TARGET to one of:", stderr);
        for (target = fuzz_targets; target->name; target++)
            fprintf(stderr, " %s", target->name);
        fputc('\n', stderr);
        exit(2);
    }
    setlocale(LC_ALL, "C.UTF-8");
    fuzz_dir();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target->run((struct span){(const char *)data, size});
    return 0;
}
