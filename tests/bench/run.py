"""make bench: opening a mailbox as a ratio to reading the same bytes once, following it, searching
it, and how soon the screens are there and answer.

Programs that are compared run in turn in one go, warm, and the medians are compared: only ratios
and differences mean anything on a machine that has other things to do. Words after the build
directory choose parts; numbers are sizes of mailboxes to open.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True
os.environ["SWARMUTT"] = os.path.join(BUILD, "swarmutt")

import screens  # noqa: E402
import searching  # noqa: E402
import watching  # noqa: E402

ROUNDS = 15


def seconds(program, tree):
    out = subprocess.run([program, tree], check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), out[1:]


def spread(values):
    return f"{min(values):.3f}..{max(values):.3f}"


def bench_open(counts):
    scratch = tempfile.mkdtemp(prefix="swarmutt-bench-")
    print(f"{'messages':>9} {'limit ms':>9} {'open ms':>9} {'ratio':>6} {'aim':>5}  "
          f"{'spread of ratios':17} {'bytes/message':>13}")
    try:
        for count in counts:
            tree = watching.generate(BUILD, count, os.path.join(scratch, str(count), "mailboxes"))
            limits, opens, memory = [], [], 0
            for _ in range(ROUNDS):
                limits.append(seconds(f"{BUILD}/tests/bench/limit", tree)[0])
                took, (found, memory) = seconds(f"{BUILD}/tests/bench/open", tree)
                opens.append(took)
                if int(found) != count:
                    sys.exit(f"bench: {found} of {count} messages were found")
            limit, opened = statistics.median(limits), statistics.median(opens)
            ratios = [o / l for o, l in zip(opens, limits)]
            print(f"{count:9} {limit * 1e3:9.2f} {opened * 1e3:9.2f} {opened / limit:6.2f} "
                  f"{1.4:5} {spread(ratios):>18} {memory:>13}")
            shutil.rmtree(tree)
    finally:
        shutil.rmtree(scratch)


def main():
    counts = [int(word) for word in sys.argv[2:] if word.isdigit()]
    parts = {"open": lambda: bench_open(counts or [1000, 10000]),
             "latency": lambda: watching.bench_latency(BUILD),
             "memory": lambda: watching.bench_memory(BUILD),
             "storm": lambda: watching.bench_storm(BUILD),
             "search": lambda: searching.bench_search(BUILD, counts or [100000]),
             "screen": lambda: screens.bench_screen(BUILD),
             "keys": lambda: screens.bench_keys(BUILD)}
    chosen = [word for word in sys.argv[2:] if not word.isdigit()] or (["open"] if counts else parts)
    for word in chosen:
        parts[word]()


main()
