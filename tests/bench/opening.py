"""Measures opening a mailbox from nothing, with no cache and every file read, up to the complete
sorted threads.

The process's own clock gives the time, as for LIMIT. Opening also writes the cache for the next
run; a separate row measures it without that.
"""
import os

from measuring import in_turn, median, pinned, ratios

ROUNDS = 9
DISK_ROUNDS = 3
DROP = "/proc/sys/vm/drop_caches"


def bench_open(bench):
    count = bench.messages
    tree = bench.tree(count)
    bench.rest()
    took = in_turn(ROUNDS, {
        "limit on one": lambda: bench.limit(tree, pinned()),
        "one": lambda: bench.open(tree, prefix=pinned(), count=count),
        "limit": lambda: bench.limit(tree),
        "all": lambda: bench.open(tree, count=count),
        "one, unwritten": lambda: bench.open(tree, "--readonly", prefix=pinned()),
        "unwritten": lambda: bench.open(tree, "--readonly")})
    for what, name, limit, aim in (
            ("on one core", "one", "limit on one", 1.4),
            ("on all cores", "all", "limit", 1.0),
            ("on one core, no cache written", "one, unwritten", "limit on one", None),
            ("on all cores, no cache written", "unwritten", "limit", None)):
        bench.figures.add(what, ratios(took[name], took[limit]), "x LIMIT", aim,
                          beside=f"{median(took[name]) * 1e3:.0f} of {median(took[limit]) * 1e3:.0f} ms")


def forget():
    """Makes the kernel drop its cache of all files, for all processes."""
    os.sync()
    with open(DROP, "w") as file:
        file.write("3")


def bench_disk(bench):
    tree = bench.tree(bench.messages)
    bench.rest()
    try:
        forget()
    except OSError as reason:
        bench.figures.note(f"From a cold disk is not measured: {DROP}: {reason.strerror}.")
        return

    def cold(run):
        forget()
        return run()

    took = in_turn(DISK_ROUNDS, {
        "limit": lambda: cold(lambda: bench.limit(tree)),
        "open": lambda: cold(lambda: bench.open(tree, count=bench.messages))})
    bench.figures.add("from a cold disk, on all cores", ratios(took["open"], took["limit"]),
                      "x cold LIMIT", 0.4,
                      beside=f"{median(took['open']):.2f} of {median(took['limit']):.2f} s")
