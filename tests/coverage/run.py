"""make coverage: which branches of src and ui the tests take, by gcov's counts in the build directory.

Prints them for each directory and file, and of the parts that decide and store, which may not fall
below what is written here. Left out are only branches that gcc makes beside those of the source
(gcovr's --exclude-unreachable-branches and --exclude-throw-branches)."""
import json
import os
import re
import subprocess
import sys

PARTS = {  # what they are called, which files, and how many of a hundred branches are taken at least: what
    # was reached once; the aim is 95
    "scanner": (r"src/base/json|src/store/layouts/json5", 95),
    "cleaning": (r"src/base/(clean|utf8)", 95),
    "decision": (r"src/(mail/(danger|decision|lookalike|protocol|sender|tool|trust)|store/(store_reply|"
                 r"decide|guard|ledger|request)|cmd/(decide|requests))|ui/(decide|verdict)", 90),
    "store": (r"src/store/", 86),
}


def measure(source, build):
    out = subprocess.run(
        ["gcovr", "--root", source, "--object-directory", build, "-j", str(os.cpu_count()),
         "--exclude-unreachable-branches", "--exclude-throw-branches",
         "--filter", source + "/src/", "--filter", source + "/ui/", "--json-summary", "-"],
        cwd=build, stdout=subprocess.PIPE, check=True).stdout
    return {file["filename"]: (file["branch_covered"], file["branch_total"])
            for file in json.loads(out)["files"]}


def add_up(files, wanted):
    found = [counts for name, counts in files.items() if wanted(name)]
    return sum(taken for taken, _ in found), sum(total for _, total in found)


def put(name, counts):
    taken, total = counts
    print(f"{100 * taken / total if total else 100:6.1f} %  {taken:5} of {total:5}  {name}")


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
        taken, total = add_up(files, lambda name, at=pattern: re.match(at, name))
        put(part, (taken, total))
        short = short or 100 * taken < due * total
    return short


if __name__ == "__main__":
    sys.exit(main())
