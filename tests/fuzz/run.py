#!/usr/bin/env python3
"""Fuzzes the targets, two at a time, for some seconds each: run.py PROGRAM SOURCE SECONDS
[TARGET...]

Starts from the seeds, the inputs that once broke a target, the inputs that earlier runs have
collected below the working directory, and the shared corpus if it is there. Keeps inputs that break
a target in fuzz-found/TARGET, and then fails."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

AT_ONCE = 2
MEMORY = "/dev/shm"  # some targets write a file for each input
# The parts of the shared corpus that look like the input of a target.
SHARED = {
    "adr": "structure", "claude": "structure", "inbox": "structure", "openclaw": "structure",
    "json": "json/JSONTestSuite/test_parsing", "json_edit": "structure", "protocol": "structure",
    "roo": "roo", "front_matter": "roo", "clean": "text", "document": "text",
}


def all_targets(program):
    """Returns the names that the program prints when it is given none."""
    answer = subprocess.run([program], env=dict(os.environ, FUZZ_TARGET=""), stderr=subprocess.PIPE, text=True)
    return answer.stderr.strip().partition(":")[2].split()


class Run:
    def __init__(self, program, source, seconds):
        self.program = os.path.abspath(program)
        self.source = os.path.abspath(source)
        self.seconds = seconds
        self.corpus = os.path.join(os.environ.get("SWARMUTT_SHARED", f"{self.source}/../shared"), "corpus")

    def inputs(self, target):
        places = [os.path.join(self.source, "tests/fuzz", kind, target) for kind in ("seeds", "found")]
        if target in SHARED:
            places.append(os.path.join(self.corpus, SHARED[target]))
        return [place for place in places if os.path.isdir(place)]

    def fuzz(self, target):
        """Returns true if nothing was found, with a line about it."""
        collected, found = os.path.abspath(f"fuzz-corpus/{target}"), os.path.abspath(f"fuzz-found/{target}")
        os.makedirs(collected, exist_ok=True)
        os.makedirs(found, exist_ok=True)
        scratch = tempfile.mkdtemp(prefix="swarmutt-fuzz-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        environment = dict(os.environ, FUZZ_TARGET=target, TMPDIR=scratch, TZ="UTC",
                           UBSAN_OPTIONS="print_stacktrace=1", ASAN_OPTIONS="detect_leaks=1")
        command = [self.program, f"-max_total_time={self.seconds}", "-timeout=120", "-max_len=4096",
                   "-rss_limit_mb=3000",
                   f"-artifact_prefix={found}/", "-print_final_stats=1", collected, *self.inputs(target)]
        log = os.path.abspath(f"fuzz-found/{target}.log")
        with open(log, "w") as out:
            ended = subprocess.run(command, env=environment, stdout=out, stderr=subprocess.STDOUT).returncode
        shutil.rmtree(scratch, ignore_errors=True)
        with open(log, errors="replace") as lines:
            text = lines.read()
        if ended:
            return False, self.failure(target, log, text)
        runs = re.search(r"number_of_executed_units: *(\d+)", text)
        rate = re.search(r"average_exec_per_sec: *(\d+)", text)
        covered = re.findall(r" cov: (\d+) ft: (\d+)", text)[-1]
        return True, (f"{target}: {int(runs[1]):,} executions, {int(rate[1]):,} a second, "
                      f"{int(covered[0]):,} edges, {int(covered[1]):,} features")

    def failure(self, target, log, text):
        kept = re.findall(r"Test unit written to (\S+)", text)
        lines = [f"{target}: BROKEN"]
        lines += re.findall(r"^.*(?:does not hold: |runtime error: |ERROR: ).*$", text, re.M)[:3] or text.splitlines()[-5:]
        lines.append(f"all of it is in {log}")
        for path in kept:
            lines.append(f"run it again: FUZZ_TARGET={target} {self.program} {path}")
            lines.append(f"keep it: cp {path} {self.source}/tests/fuzz/found/{target}/NAME-OF-THE-SYMPTOM")
        return "\n    ".join(lines)


def main():
    program, source, seconds, *targets = sys.argv[1:]
    run = Run(program, source, int(seconds))
    if not os.path.isdir(run.corpus):
        print("the shared corpus is not there: only the project's own seeds are used")
    sound = True
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for ok, line in pool.map(run.fuzz, targets or all_targets(run.program)):
            print(line, flush=True)
            sound &= ok
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
