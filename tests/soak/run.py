"""make soak: runs the long forms of the tests, two at a time: run.py SOURCE FUZZER [WORD...]

With words it runs only steps whose names contain one of them. SOAK_FUZZ_SECONDS applies to each
target of the fuzzer, SOAK_ROUNDS to the race with Node; FAULT_WAYS, POWER_SEEDS and
STRESS_OPERATIONS mean the same as for the single steps. The output of a step is in soak/STEP.log;
the table that is printed at the end goes into doc/reliability.md. The other steps run even if one
fails."""
import concurrent.futures
import glob
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
sys.dont_write_bytecode = True

import run as fuzzing  # noqa: E402

AT_ONCE = 2
PARTS = 8  # number of steps that a long part is cut into
ALONE = {"FAULT_JOBS": "1"}
IN_MEMORY = {"TMPDIR": fuzzing.MEMORY} if os.access(fuzzing.MEMORY, os.W_OK) else {}
LONG = {"SWARMUTT_SOAK": "1"}


class Step:
    def __init__(self, name, words, env):
        self.name, self.words, self.env = name, words, env

    def run(self):
        log = os.path.join("soak", self.name.replace(" ", "-").replace("/", "-of-") + ".log")
        began = time.monotonic()
        with open(log, "w") as out:
            ended = subprocess.run(self.words, env=dict(os.environ, **self.env), stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT).returncode
        with open(log, errors="replace") as lines:
            said = [line.strip() for line in lines if line.strip()]
        return ended == 0, time.monotonic() - began, self.summary(said)

    def summary(self, said):
        """Returns the most useful line of the output; for a suite of tests the line before has
        their number."""
        if said[-1:] and said[-1].startswith(("OK", "FAILED")):
            return " ".join([line for line in said if line.startswith("Ran ")][-1:] + said[-1:])
        return said[-1] if said else "said nothing"


def script(source, name, path, *words, **env):
    return Step(name, [sys.executable, os.path.join(source, "tests", path), *words], env)


def all_steps(source, fuzzer):
    """Yields the long steps first, so that none of them runs alone at the end."""
    rounds, seconds = os.environ.get("SOAK_ROUNDS", "10"), os.environ.get("SOAK_FUZZ_SECONDS", "150")
    for part in range(1, PARTS + 1):
        yield script(source, f"faults {part}/{PARTS}", "faults/soak_faults.py", **ALONE, **IN_MEMORY,
                     FAULT_PART=f"{part}/{PARTS}")
    for part in range(1, PARTS + 1):
        yield script(source, f"faults exits {part}/{PARTS}", "faults/soak_exits.py", **ALONE, **IN_MEMORY,
                     FAULT_PART=f"{part}/{PARTS}")
    yield Step("sweep", [os.path.join(os.path.dirname(os.environ["SWARMUTT"]), "tests", "sweep_tests"), "-j1"], LONG)
    for test in ("bombs", "leaks", "trees", "many", "races"):
        yield script(source, f"hostile {test}", f"hostile/test_{test}.py", **LONG)
    yield script(source, "stress", "stress/test_stress.py", **LONG)
    for part in range(1, PARTS + 1):
        yield script(source, f"power cuts {part}/{PARTS}", "faults/soak_power.py", **ALONE, **IN_MEMORY,
                     FAULT_PART=f"{part}/{PARTS}")
    yield script(source, "decisions killed", "interop/test_decide_killed.py", **LONG)
    yield Step("deciding", [os.path.join(os.path.dirname(os.environ["SWARMUTT"]), "tests", "screen_tests"),
                            "--filter", "settling/what_was_not*"], {"SWARMUTT_DECIDE_ROUNDS": "300"})
    yield script(source, "screens killed", "faults/test_killed_screens.py", **LONG)
    yield script(source, "Claude beside Node", "interop/soak_claude.py", rounds)
    for path in sorted(glob.glob(os.path.join(source, "tests/environment/test_*.py"))):
        name = os.path.basename(path)[len("test_"):-len(".py")]
        yield script(source, f"surroundings {name}", f"environment/test_{name}.py", **LONG)
    for target in fuzzing.all_targets(fuzzer):
        yield script(source, f"fuzz {target}", "fuzz/run.py", fuzzer, source, seconds, target)


def spell(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def main():
    source, fuzzer, *words = sys.argv[1:]
    steps = [step for step in all_steps(source, os.path.abspath(fuzzer))
             if not words or any(word in step.name for word in words)]
    os.makedirs("soak", exist_ok=True)
    print(f"{len(steps)} steps, {AT_ONCE} at a time; what they say is in {os.path.abspath('soak')}\n\n"
          "| step | length | |\n| --- | --- | --- |", flush=True)
    began, broken = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = {pool.submit(step.run): step for step in steps}
        for ended in concurrent.futures.as_completed(running):
            step, (ok, seconds, line) = running[ended], ended.result()
            broken += not ok
            print(f"| {step.name} | {spell(seconds)} | {'' if ok else '**BROKEN** '}{line} |", flush=True)
    print(f"\n{len(steps)} steps, {broken} broken, {spell(time.monotonic() - began)} minutes")
    sys.exit(bool(broken or not steps))


if __name__ == "__main__":
    main()
