"""make bench: opening a mailbox as a ratio to reading the same bytes once.

Both programs run in turn in one go, warm, and the medians are compared: only the ratio means
anything on a machine that has other things to do.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 15


def seconds(program, tree):
    out = subprocess.run([program, tree], check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), out[1:]


def spread(values):
    return f"{min(values):.3f}..{max(values):.3f}"


def main():
    build = sys.argv[1]
    counts = [int(n) for n in sys.argv[2:]] or [1000, 10000]
    scratch = tempfile.mkdtemp(prefix="swarmutt-bench-")
    print(f"{'messages':>9} {'limit ms':>9} {'open ms':>9} {'ratio':>6} {'aim':>5}  "
          f"{'spread of ratios':17} {'bytes/message':>13}")
    try:
        for count in counts:
            tree = os.path.join(scratch, str(count), "mailboxes")
            os.makedirs(tree)
            subprocess.run([f"{build}/tests/bench/generate", str(count), tree], check=True)
            limits, opens, memory = [], [], 0
            for _ in range(ROUNDS):
                limits.append(seconds(f"{build}/tests/bench/limit", tree)[0])
                took, (found, memory) = seconds(f"{build}/tests/bench/open", tree)
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


main()
