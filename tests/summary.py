"""Prints a summary of a test run: the number of suites and tests, the skipped ones with reasons,
the failed ones with their logs. As a program: summary.py BUILD-DIRECTORY, after make check, whose
output is BUILD-DIRECTORY/check.log."""
import os
import re
import sys

RESULT = re.compile(r"^(PASS|SKIP|FAIL|XFAIL|XPASS|ERROR): (\S.*)$")
# Numbers of tests, as unittest and Criterion print them.
COUNT = re.compile(r"^Ran (\d+) tests?|Synthesis: Tested: .*?(\d+)")
# Tests that failed, as unittest and Criterion print them.
FAILED = re.compile(r"^(?:FAIL|ERROR): (\S+)|^\[FAIL\] (\w+::\w+)")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SKIPPED = "skipped: "


class Suite:

    def __init__(self, build, result, name):
        self.result, self.name = result, name
        self.log = os.path.join(build, re.sub(r"\.(py|sh)$", "", name) + ".log")
        self.tests, self.skipped, self.failed = 0, {}, []
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                for line in file:
                    self.read(ESCAPE.sub("", line.rstrip("\n")))
        except FileNotFoundError:
            pass

    def read(self, line):
        count, failed = COUNT.search(line), FAILED.match(line)
        if count:
            self.tests += int(count.group(1) or count.group(2))
        elif line.startswith(SKIPPED):
            name, _, reason = line[len(SKIPPED):].partition(": ")
            self.skipped.setdefault(name, reason)  # a test may need several things
        elif failed:
            self.failed.append(next(filter(None, failed.groups())))

    def reasons(self):
        """Returns the reasons of a skipped suite: lines without a test."""
        return "; ".join(name + (reason and ": " + reason) for name, reason in self.skipped.items())


def suites(build):
    with open(os.path.join(build, "check.log"), encoding="utf-8", errors="replace") as file:
        found = [RESULT.match(line) for line in file]
    return [Suite(build, *match.groups()) for match in found if match]


def report(build, out):
    every = sorted(suites(build), key=lambda suite: suite.name)
    passed = [suite for suite in every if suite.result in ("PASS", "XFAIL")]
    skipped = [suite for suite in every if suite.result == "SKIP"]
    failed = [suite for suite in every if suite not in passed + skipped]
    tests = [(suite, f"{name}: {reason}") for suite in every if suite.result != "SKIP"
             for name, reason in suite.skipped.items()]
    out.write(f"\n{len(every)} suites, {sum(suite.tests for suite in every)} tests: {len(passed)} suites passed, "
              f"{len(failed)} failed, {len(skipped)} skipped; {len(tests)} tests skipped\n")
    for suite in skipped:
        out.write(f"skipped suite: {suite.name}: {suite.reasons() or 'see ' + suite.log}\n")
    for suite, name in tests:
        out.write(f"skipped test: {suite.name}: {name}\n")
    for suite in failed:
        out.write(f"failed suite: {suite.name}: see {suite.log}\n")
        for name in dict.fromkeys(suite.failed):
            out.write(f"  {name}\n")
    if failed:
        out.write(f"The logs of all failed suites are in {os.path.join(build, 'test-suite.log')}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    report(sys.argv[1], sys.stdout)
