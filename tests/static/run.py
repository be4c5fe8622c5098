"""make static: runs gcc's and clang's analyzers, clang-tidy and cppcheck over src and ui.

Prints a line per tool. Any finding ends it with 1: fix the code, or give the reason in place
(NOLINT, cppcheck-suppress), or in analyzer.supp, scan.supp and cppcheck.supp. Names and skips a
tool that is not installed."""
import concurrent.futures
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
FINDING = re.compile(r"^[^:\s]+:\d+(:\d+)?: (warning|error|style|performance|portability)")


def sources():
    """Returns all C files of the program, as paths in the source directory."""
    found = []
    for top in ("src", "ui"):
        for directory, _, names in os.walk(os.path.join(SOURCE, top)):
            found += [os.path.relpath(os.path.join(directory, name), SOURCE)
                      for name in names if name.endswith(".c")]
    return sorted(found)


def run(command, **more):
    return subprocess.run(command, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, **more)


def for_each(files, command):
    """Runs a command on each file, one per processor at a time; returns the output of each."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda file: run(command(file)), files))


def judge(outcomes):
    """Returns the text of the outcomes that have findings or that failed."""
    return "".join(it.stdout for it in outcomes
                   if it.returncode or any(FINDING.match(line) for line in it.stdout.splitlines()))


def answers(name):
    """Returns the accepted findings of an analyzer: file, function and warning; there is no way to
    accept them in place."""
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return {tuple(line.split()[:3]) for line in lines if line.strip() and line[0] != "#"}


def unasked(name, asked):
    """Returns a text about the accepted findings that no longer occur."""
    return "".join(f"{name}: nobody asks any more: {' '.join(one)}\n"
                   for one in sorted(answers(name) - asked))


def findings(text):
    """Yields each finding of the analyzer for a file, as in answers()."""
    function = ""
    for line in text.splitlines():
        begun = re.match(r"\S+: In function .(\w+).:$", line)
        function = begun[1] if begun else function
        warning = re.match(r"([^:\s]+):\d+:\d+: (?:warning|error): .*\[-W([\w-]+)\]$", line)
        if warning:
            yield warning[1], function, warning[2]


def analyzer(files, flags):
    answered, asked, unanswered = answers("analyzer.supp"), set(), ""
    for it in for_each(files, lambda file: [
            "gcc", "-fanalyzer", "-O0", "-S", "-o", os.devnull, *flags, file]):
        found = set(findings(it.stdout))
        asked |= found
        if it.returncode or found - answered:
            unanswered += it.stdout
    return unanswered + unasked("analyzer.supp", asked)


def tidy(files, flags):
    parts = [files[i::8 * os.cpu_count()] for i in range(8 * os.cpu_count())]
    return judge(for_each([part for part in parts if part], lambda part: [
        "clang-tidy", "--quiet", "--warnings-as-errors=*", *part, "--", *flags]))


def cppcheck(files, flags):
    known = [flag for flag in flags if flag.startswith("-I") and not flag.startswith("-I/usr")]
    return judge([run([
        "cppcheck", "-j", str(os.cpu_count()), "--quiet", "--std=c11", "--inline-suppr",
        "--enable=warning,performance,portability", "--error-exitcode=1",
        "--library=posix", "--library=sqlite3", "--library=" + os.path.join(HERE, "cppcheck.cfg"),
        "--suppressions-list=" + os.path.join(HERE, "cppcheck.supp"),
        "--template={file}:{line}: {severity}: {message} [{id}]", *known, *files])])


def scanned(reports):
    """Yields each report of clang's analyzer, as in answers(), and in words."""
    for directory, _, names in os.walk(reports):
        for name in sorted(it for it in names if it.endswith(".plist")):
            with open(os.path.join(directory, name), "rb") as file:
                report = plistlib.load(file)
            for one in report["diagnostics"]:
                path = os.path.normpath(report["files"][one["location"]["file"]])
                yield ((path, one.get("issue_context", "-"), one["check_name"]),
                       f"{path}:{one['location']['line']}: warning: {one['description']}"
                       f" [{one['check_name']}] in {one.get('issue_context', '-')}\n")


def scan_build(_, flags):
    """Runs a build with scan-build's own compiler; the build is this script again, in
    compile_all()."""
    with tempfile.TemporaryDirectory() as reports:
        it = run(["scan-build", "-plist-html", "--use-cc=clang", "-o", reports,
                  "-disable-checker", "security.insecureAPI.DeprecatedOrUnsafeBufferHandling",
                  sys.executable, os.path.abspath(__file__), "--compile", shlex.join(flags)])
        found = list(scanned(reports))
    if it.returncode:
        return it.stdout
    answered = answers("scan.supp")
    unanswered = {text for asked, text in found if asked not in answered}
    return "".join(sorted(unanswered)) + unasked("scan.supp", {asked for asked, _ in found})


def compile_all(flags):
    with tempfile.TemporaryDirectory() as objects:
        done = for_each(sources(), lambda file: [
            *shlex.split(os.environ["CC"]), "-c", "-o", os.path.join(
                objects, file.replace("/", "-") + ".o"), *flags, file])
    sys.stdout.write("".join(it.stdout for it in done))
    return any(it.returncode for it in done)


TOOLS = {"cppcheck": ("cppcheck", cppcheck), "clang-tidy": ("clang-tidy", tidy),
         "scan-build": ("scan-build", scan_build), "gcc -fanalyzer": ("gcc", analyzer)}


def main():
    os.environ.update(LC_ALL="C")
    if sys.argv[1] == "--compile":
        return compile_all(shlex.split(sys.argv[2]))
    flags, wanted = shlex.split(sys.argv[1]), sys.argv[2:]
    unknown = set(wanted) - {program for program, _ in TOOLS.values()}
    if unknown:
        sys.exit(f"make static knows no {', '.join(sorted(unknown))}")
    bad = False
    for name, (program, check) in TOOLS.items():
        if wanted and program not in wanted:
            continue
        if not shutil.which(program):
            print(f"{name}: is not installed, passed by")
            continue
        begun = time.monotonic()
        said = check(sources(), flags)
        seconds = time.monotonic() - begun
        print(f"{name}: {'findings' if said else 'clean'} ({seconds:.0f} s)\n{said}", end="")
        sys.stdout.flush()
        bad = bad or bool(said)
    return bad


if __name__ == "__main__":
    sys.exit(main())
