"""How quickly the search index is built, how large it is, and how soon words are found by it.

Building is compared with reading the same files once, in turn and in the processor's time too, so
that a machine with other things to do says the same. Searching is measured in a process that has
the index open, the first fifty found, each read from its file again.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import watching

ROUNDS = 3
SETTLED_S = 2.2  # only files that nobody touches any more are taken into an index
AIMS_MS = {"rare": 20, "common": 20, "rare_ranked": 100, "common_ranked": 100}


def measure(build, tree, cache):
    env = dict(os.environ, XDG_CACHE_HOME=cache, XDG_STATE_HOME=os.path.join(cache, "state"))
    out = subprocess.run([f"{build}/tests/bench/search", f"adr:{tree}", "zephyrquartz", "flamingo"],
                         check=True, capture_output=True, text=True, env=env).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def text_bytes(tree):
    return sum(entry.stat().st_size for where, _, _ in os.walk(tree)
               for entry in os.scandir(where) if entry.is_file())


def bench_search(build, counts):
    for count in counts:
        scratch = tempfile.mkdtemp(prefix="swarmutt-bench-")
        try:
            tree = watching.generate(build, count, os.path.join(scratch, "mailboxes"))
            time.sleep(SETTLED_S)
            limits, runs = [], []
            for _ in range(ROUNDS):
                out = subprocess.run([f"{build}/tests/bench/limit", tree], check=True,
                                     capture_output=True, text=True).stdout
                limits.append(float(out.split()[0]))
                runs.append(measure(build, tree, os.path.join(scratch, "cache")))
            middle = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
            best = {name: min(run[name] for run in runs) for name in runs[0]}
            for name, value in (("indexed", count), ("rare_found", min(7, count)),
                                ("common_found", min(50, count // 2))):
                if middle[name] != value:
                    sys.exit(f"bench: {name} is {middle[name]:.0f}, not {value}")
            print(f"search: {count} messages; reading them once takes "
                  f"{statistics.median(limits) * 1e3:.0f} ms")
            print(f"  index built in {middle['build_s']:.2f} s, {count / middle['build_s']:.0f} "
                  f"messages/s ({count / middle['build_cpu_s']:.0f} a second of the processor; aim "
                  f"10000), {middle['build_s'] / statistics.median(limits):.1f} times reading")
            print(f"  its size is {middle['index_bytes'] / 1e6:.0f} MB, "
                  f"{middle['index_bytes'] / text_bytes(tree):.0%} of the mailbox")
            for name, aim in AIMS_MS.items():
                print(f"  {name.replace('_', ', '):15} first 50 in {middle[name + '_ms']:6.2f} ms "
                      f"(best {best[name + '_best_ms']:.2f}; aim {aim})")
        finally:
            shutil.rmtree(scratch)
