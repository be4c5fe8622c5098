"""make bench: measures the cost of the program, as ratios to the least possible work, and compares
it with the aims. make bench-peers: compares other programs with that least work, on the same
messages.

Programs that are compared run in turn, warm, and their medians are compared: only ratios mean
anything on a machine that does other work. Nothing passes or fails. Words after the build directory
choose parts. BENCH_MESSAGES is the size of the mailbox, 100000 by default; BENCH_MILLION=1 adds
measurements with a million. The table is written to bench.md in the build directory, that of the
other programs to bench-peers.md, again after each part.
"""
import os
import signal
import subprocess
import sys
import time

BUILD = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True
os.environ["SWARMUTT"] = os.path.join(BUILD, "swarmutt")

import burst  # noqa: E402
import claude  # noqa: E402
import growth  # noqa: E402
import memory  # noqa: E402
import opening  # noqa: E402
import peers  # noqa: E402
import screens  # noqa: E402
import searching  # noqa: E402
import sending  # noqa: E402
import warm  # noqa: E402
import watching  # noqa: E402
from figures import Figures  # noqa: E402
from measuring import Bench  # noqa: E402

PARTS = {"open": ("Opening {} messages without a cache", opening.bench_open),
         "warm": ("Opening {} messages with a cache", warm.bench_warm),
         "screen": ("First screen", screens.bench_screen),
         "keys": ("From a key to its answer, among {} messages", screens.bench_keys),
         "search": ("Searching {} messages", searching.bench_search),
         "claude": ("One Claude inbox", claude.bench_claude),
         "memory": ("Memory with {} messages", memory.bench_memory),
         "latency": ("Following", watching.bench_latency),
         "storm": ("A storm", watching.bench_storm),
         "burst": ("A burst", burst.bench_burst),
         "send": ("Sending", sending.bench_send),
         "broadcast": ("Broadcasting", sending.bench_broadcast),
         "growth": ("Growth", growth.bench_growth),
         "disk": ("Opening {} messages that are not in memory", opening.bench_disk)}
ASKED = {"million": ("A million messages", memory.bench_million),
         "peers": ("Other programs, {} messages", peers.bench_peers)}


def main():
    chosen = sys.argv[2:] or [*PARTS, *(["million"] if os.environ.get("BENCH_MILLION") else [])]
    known = {**PARTS, **ASKED}
    unknown = [word for word in chosen if word not in known]
    if unknown:
        sys.exit(f"bench: there is no part {unknown[0]}; there are {' '.join(known)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench: ended"))  # run the cleanup
    path = f"{BUILD}/bench-peers.md" if chosen == ["peers"] else f"{BUILD}/bench.md"
    figures, begun = Figures(), time.monotonic()
    bench = Bench(BUILD, figures, int(os.environ.get("BENCH_MESSAGES") or 100_000))
    try:
        for word in chosen:
            title, measure = known[word]
            figures.begin(title.format(bench.messages))
            try:
                measure(bench)
            except (OSError, RuntimeError, subprocess.SubprocessError) as reason:
                figures.note(f"{word}: not measured: {reason}")
            figures.end()
            figures.write(path, bench.scratch, (time.monotonic() - begun) / 60)
    finally:
        bench.close()
    print(f"\nThe table is in {path}.")


main()
