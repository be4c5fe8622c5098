"""Injects every fault at every storage call of every command, until no call is left; make soak
SOAK=faults.

With words it runs only commands whose names contain one of them. FAULT_WAYS (such as kill,EIO)
selects the faults, FAULT_MEMORY_STEP makes memory fail only at every n-th request, FAULT_JOBS is
the number of parallel runs, FAULT_PART (such as 2/5) takes a part of all commands. The output at
the end goes into doc/reliability.md.
"""
import concurrent.futures
import functools
import os
import random
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from commands import all_commands  # noqa: E402
from judge import KILLED, Broken, Trial  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from preload import KINDS, MEMORY, Fault, ways  # noqa: E402

RANDOM_KILLS = 40
MEMORY_STEP = int(os.environ.get("FAULT_MEMORY_STEP") or 16)


class Soak(LayoutCase):

    def runTest(self):
        pass


def places(trial, kind):
    """Returns the numbers of the calls of a kind to hit, a few more than there are. Commands
    request memory thousands of times, and mostly for the same work: every command hits other
    requests."""
    step = MEMORY_STEP if kind == MEMORY else 1
    return range(1 + random.randrange(step), 2 * trial.made[kind] + 10, step)


def faults(trial, wanted):
    """Runs all faults that hit a call; yields a text for each broken promise."""
    for kind in KINDS:
        for way, sticky in ways(kind):
            for at in places(trial, kind) if not wanted or way in wanted else ():
                try:
                    if not trial.attempt(Fault(kind, at, way, sticky)):
                        break
                    yield None
                except Broken as why:
                    yield str(why)


def random_kills(trial, longest_s):
    """Kills the command at random moments instead of at a call."""
    for _ in range(RANDOM_KILLS):
        trial.world.put_back()
        process = trial.case.box.popen(*trial.words, cwd=trial.case.project, stdin=-3, stdout=-1,
                                       stderr=-1)
        time.sleep(random.uniform(0, longest_s))
        process.kill()
        out, err = process.communicate()
        if process.returncode != KILLED:
            continue
        try:
            trial.examine(harness.Result(trial.words, KILLED, out, err))
            yield None
        except AssertionError as why:
            yield f"{trial.command.name}, killed at some moment: {why}"


def all_faults(case, command):
    wanted = set(filter(None, os.environ.get("FAULT_WAYS", "").split(",")))
    trial = Trial(case, command)
    before = time.monotonic()
    trial.world.put_back()
    trial.run()
    usual_s = time.monotonic() - before
    yield from faults(trial, wanted)
    yield from random_kills(trial, usual_s)


def soak(number, what):
    """Runs one command; returns its name, the number of faults, seconds, and the broken promises."""
    command = list(all_commands())[number]
    case = Soak()
    case.setUp()
    began, count, problems = time.monotonic(), 0, []
    try:
        for problem in what(case, command):
            count += 1
            problems += [problem] if problem else []
    finally:
        case.doCleanups()
    return command.name, count, time.monotonic() - began, problems


def main(what=all_faults, things="faults"):
    part, parts = map(int, os.environ.get("FAULT_PART", "1/1").split("/"))
    words = sys.argv[1:]
    numbers = [number for number, command in enumerate(all_commands())
               if number % parts == part - 1
               and (not words or any(word in command.name for word in words))]
    jobs = int(os.environ.get("FAULT_JOBS") or os.cpu_count() or 1)
    began, total, broken = time.monotonic(), 0, 0
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for name, count, seconds, problems in pool.map(functools.partial(soak, what=what), numbers):
            total, broken = total + count, broken + len(problems)
            print(f"{name}: {count} {things}, {len(problems)} broken, {seconds:.0f} s", flush=True)
            for problem in problems:
                print(f"  {problem}", flush=True)
    print(f"{len(numbers)} commands, {total} {things}, {broken} broken, "
          f"{time.monotonic() - began:.0f} s", flush=True)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
