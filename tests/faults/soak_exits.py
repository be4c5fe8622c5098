"""Injects storage faults at the calls of every verb in every layout, and judges the exit codes;
make soak-faults.

With words it runs only runs whose names contain one of them. FAULT_STEP makes only every n-th call
fail, FAULT_JOBS is the number of parallel runs, FAULT_PART (such as 2/5) takes a part of all runs.
FAULT_SHOW is the number of wrong exits to print per run. The last line has the numbers. Mailboxes
are in memory (/dev/shm) unless TMPDIR is set."""
import collections
import concurrent.futures
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

if os.access("/dev/shm", os.W_OK):
    os.environ.setdefault("TMPDIR", "/dev/shm")

import exits  # noqa: E402
from layouts import LayoutCase  # noqa: E402

STEP = int(os.environ.get("FAULT_STEP") or 1)
SHOW = int(os.environ.get("FAULT_SHOW") or 1000)


class Soak(LayoutCase):

    def runTest(self):
        pass


def soak(number):
    """Does one run; returns its name, seconds, the numbers of single and of lasting faults, and the
    wrong exits."""
    asked = list(exits.all_asked())[number]
    case = Soak()
    case.setUp()
    began, counts, problems = time.monotonic(), collections.Counter(), []
    try:
        trial = exits.Exits(case, asked)
        for fault, problem in exits.sweep(trial, STEP, 1 + number % STEP):
            counts[fault.sticky] += 1
            problems += [(fault.sticky, problem)] if problem else []
    except AssertionError as problem:
        problems.append((False, f"{asked.name}: {problem}"))
    finally:
        case.doCleanups()
    return asked.name, time.monotonic() - began, counts, problems


def main():
    part, parts = map(int, os.environ.get("FAULT_PART", "1/1").split("/"))
    words = sys.argv[1:]
    numbers = [number for number, asked in enumerate(exits.all_asked())
               if number % parts == part - 1
               and (not words or any(word in asked.name for word in words))]
    jobs = int(os.environ.get("FAULT_JOBS") or os.cpu_count() or 1)
    began, counts, wrong = time.monotonic(), collections.Counter(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for name, seconds, made, problems in pool.map(soak, numbers):
            counts += made
            wrong.update(sticky for sticky, _ in problems)
            print(f"{name}: {sum(made.values())} faults, {len(problems)} wrong exits, {seconds:.0f} s", flush=True)
            for _, problem in problems[:SHOW]:
                print("  " + problem.replace("\n", "\n    "), flush=True)
    print(f"{len(numbers)} runs, {counts[False]} faults that come once with {wrong[False]} wrong exits, "
          f"{counts[True]} that last with {wrong[True]}, {time.monotonic() - began:.0f} s", flush=True)
    sys.exit(bool(wrong[False] or wrong[True] or not numbers))


if __name__ == "__main__":
    main()
