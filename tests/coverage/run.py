"""make coverage: reports which branches of src and ui the tests take, from gcov's counts in the
build directory.

Prints them and the share of reached lines for each directory and file, and for the parts that
decide and store, which may not fall below the minima given here. Leaves out only branches that gcc
adds to those of the source (gcovr's --exclude-unreachable-branches and --exclude-throw-branches)."""
import json
import os
import re
import subprocess
import sys

LINES_DUE = 95  # percent of the lines of each part
PARTS = {  # name, files, and the least percentage of branches to take: the value
    # that was reached once; the aim is 95
    "scanner": (r"src/base/json/|src/store/layouts/json5", 95),
    "cleaning": (r"src/base/text/(sanitize|utf8)", 95),
    "decision": (r"src/(mail/(security|protocol)/|base/text/confusables|store/decide/|store/send/send_hooks|"
                 r"cmd/(write/decide|read/pending))|ui/decide/", 95),
    "store": (r"src/store/", 94),
}


def measure(source, build):
    out = subprocess.run(
        ["gcovr", "--root", source, "--object-directory", build, "-j", str(os.cpu_count()),
         "--exclude-unreachable-branches", "--exclude-throw-branches",
         "--filter", source + "/src/", "--filter", source + "/ui/", "--json-summary", "-"],
        cwd=build, stdout=subprocess.PIPE, check=True).stdout
    return {file["filename"]: [file[key] for key in ("branch_covered", "branch_total", "line_covered", "line_total")]
            for file in json.loads(out)["files"]}


def add_up(files, wanted):
    return [sum(one) for one in zip(*(counts for name, counts in files.items() if wanted(name)))]


def share(taken, total):
    return 100 * taken / total if total else 100


def put(name, counts):
    taken, total, lines, all_lines = counts
    print(f"{share(taken, total):6.1f} %  {taken:5} of {total:5}, lines {share(lines, all_lines):5.1f} %  {name}")


def main():
    source, build = map(os.path.realpath, sys.argv[1:3])
    files = measure(source, build)
    for name, counts in sorted(files.items()):
        put(name, counts)
    print()
    for directory in sorted({os.path.dirname(name) for name in files}):
        put(directory + "/", add_up(files, lambda name, at=directory: os.path.dirname(name) == at))
    print()
    short = False
    for part, (pattern, due) in PARTS.items():
        counts = add_up(files, lambda name, at=pattern: re.match(at, name))
        put(part, counts)
        short = short or share(*counts[:2]) < due or share(*counts[2:]) < LINES_DUE
    return short


if __name__ == "__main__":
    sys.exit(main())
