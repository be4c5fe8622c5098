#!/usr/bin/env python3
"""Runs bootstrap in a small tree of sources that builds at once, with a PATH of few programs: no
package is installed here."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))
sys.dont_write_bytecode = True

import harness  # noqa: E402
from processes import LIMIT_S  # noqa: E402

TOOLS = ("sh", "cat", "chmod", "cp", "dirname", "echo", "env", "grep", "make", "mkdir", "nproc", "printf", "pwd",
         "python3", "readlink", "rm", "sed", "sort", "tail", "touch", "wc")
STUBS = {
    # Everything is installed except the packages that $MISSING names.
    "dpkg-query": 'for name; do :; done; case " ${MISSING-} " in *" $name "*) exit 1 ;; esac; echo install ok installed',
    "apt-get": 'echo "apt-get $*" >>"$HOME/apt"; exit 1',
    "id": "echo ${ID-1000}",
    "node": ":",
    "npm": ":",
}
CONFIGURE = r"""#!/bin/sh
echo "configure $*" >>"$HOME/configured"
prefix=/usr/local
for one; do case $one in --prefix=*) prefix=${one#--prefix=} ;; esac; done
sed "s|@prefix@|$prefix|" ../Makefile.in >Makefile
printf '#!/bin/sh\n# S["HAVE_CRITERION_TRUE"]=""\n# S["HAVE_VTERM_TRUE"]=""\necho "--enable-this"\n' >config.status
chmod +x config.status
"""
MAKEFILE = """prefix = @prefix@
TEST_LOGS = a.log b.log c.log
TESTS = a b c
all: swarmutt
swarmutt:
\t@echo "  CC      " one.o; test -z "$$BROKEN" || { echo 'one.c:1: error: it is broken'; exit 1; }
\t@echo "  CCLD    " swarmutt; cp ../program $@
install: all
\tmkdir -p $(prefix)/bin && cp swarmutt $(prefix)/bin
check: all
\t@test -z '$(TESTS)' || ../tests/run
"""
PROGRAM = """#!/bin/sh
pwd
printf '%s\\n' "$@"
"""
RUN = """#!/bin/sh
mkdir -p tests/commands && cd tests/commands
printf 'skipped: Some.test_one: nobody is here\\nRan 3 tests in 1s\\nOK (skipped=1)\\n' >test_good.log
echo 'skipped: there is no node' >test_peer.log
printf 'FAIL: test_two (__main__.Other.test_two)\\nRan 2 tests in 1s\\n' >test_bad.log
echo 'PASS: tests/commands/test_good.py'
echo 'SKIP: tests/commands/test_peer.py'
echo 'FAIL: tests/commands/test_bad.py'
echo '# TOTAL: 3'
exit 1
"""


class Bootstrap(unittest.TestCase):

    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="swarmutt-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.source, self.home, self.bin, self.project = (
            self.make(name) for name in ("a source", "home", "bin", "a project"))
        self.make("a source", "tests")
        shutil.copy(os.path.join(harness.SRC, "bootstrap"), self.source)
        shutil.copy(os.path.join(harness.SRC, "tests", "summary.py"), os.path.join(self.source, "tests"))
        for name in TOOLS:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        for name, text in STUBS.items():
            self.write(os.path.join(self.bin, name), f"#!/bin/sh\n{text}\n")
        for name in ("configure.ac", "Makefile.am"):
            self.write(os.path.join(self.source, name), "")
        self.write(os.path.join(self.source, "configure"), CONFIGURE)
        self.write(os.path.join(self.source, "Makefile.in"), MAKEFILE)
        self.write(os.path.join(self.source, "program"), PROGRAM)
        self.write(os.path.join(self.source, "tests", "run"), RUN)
        for name in ("tests/interop/node", "build/node/node_modules"):
            self.make("a source", *name.split("/"))
        for name in ("tests/interop/node", "build/node"):
            self.write(os.path.join(self.source, name, "package-lock.json"), "{}")

    def make(self, *names):
        path = os.path.join(self.root, *names)
        os.makedirs(path)
        return path

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def read(self, *names):
        try:
            with open(os.path.join(*names)) as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def bootstrap(self, *words, rc=0, script=None, **env):
        done = subprocess.run(
            [script or os.path.join(self.source, "bootstrap"), *words], cwd=self.project, timeout=LIMIT_S,
            env={"PATH": self.bin, "HOME": self.home, "LC_ALL": "C.UTF-8", **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, rc, f"{done.stdout}{done.stderr}")
        return done

    def test_the_program_runs_in_the_callers_directory(self):
        done = self.bootstrap("run", "list", "two words")
        self.assertEqual(done.stdout.splitlines(), [self.project, "list", "two words"])
        self.assertEqual(os.listdir(self.project), [])

    def test_a_symbolic_link_to_it_works(self):
        link = os.path.join(self.home, "swarm")
        os.symlink(os.path.join(self.source, "bootstrap"), link)
        self.assertEqual(self.bootstrap("run", "list", script=link).stdout.splitlines(), [self.project, "list"])

    def test_ci_makes_configure_again_where_it_is_out_of_date(self):
        """The script ends because this small tree has nothing to fuzz."""
        self.make("a source", ".ci")
        for name in ("src", "ui", "doc"):
            self.make("a source", name)
        self.make("a source", "build", "node", "node_modules", "proper-lockfile")
        shutil.copy(os.path.join(harness.SRC, ".ci", "run"), os.path.join(self.source, ".ci"))
        for name in ("find", "tr"):
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        self.write(os.path.join(self.bin, "autoreconf"), '#!/bin/sh\necho "$PWD" >>"$HOME/made"\ntouch configure Makefile.in\n')
        run = os.path.join(self.source, ".ci", "run")
        for made, newer in enumerate((None, "configure.ac", "Makefile.am")):
            for name in ("configure.ac", "Makefile.am", "configure", "Makefile.in"):
                os.utime(os.path.join(self.source, name), (1000, 2000 if name == newer else 1000))
            self.bootstrap(script=run, rc=2)
            self.assertEqual(self.read(self.home, "made").splitlines(), [self.source] * made, newer)
            self.assertIn("--enable-fuzzing", self.read(self.home, "configured"))

    def test_the_end_of_run_says_how_to_install(self):
        self.assertRegex(self.bootstrap("run").stderr, r"on the PATH: '.*/bootstrap' install")
        self.write(os.path.join(self.bin, "swarmutt"), "#!/bin/sh\n")
        self.assertNotIn("install", self.bootstrap("run").stderr)

    def test_a_build_is_a_few_lines_and_its_log(self):
        done = self.bootstrap("run")
        self.assertIn("building 2/2\n", done.stderr)
        self.assertNotIn("CC", done.stdout + done.stderr)
        self.assertIn("  CC       one.o\n", self.read(self.source, "build", "make.log"))
        self.assertNotIn("building", self.bootstrap("run").stderr)  # everything is built already

    def test_a_build_that_fails_ends_with_the_end_of_its_log_and_where_it_is(self):
        done = self.bootstrap("run", rc=1, BROKEN="1")
        self.assertIn("error: it is broken", done.stderr)
        self.assertIn(os.path.join(self.source, "build", "make.log"), done.stderr.splitlines()[-1])

    def test_install_needs_no_root_and_says_what_the_path_lacks(self):
        done = self.bootstrap("install")
        program = os.path.join(self.home, ".local", "bin", "swarmutt")
        self.assertTrue(os.access(program, os.X_OK))
        self.assertIn(f'\n  PATH="{os.path.dirname(program)}:$PATH"\n', done.stderr)
        self.assertIn("uninstall", done.stderr)
        done = self.bootstrap("install", PATH=f"{self.bin}:{os.path.dirname(program)}")
        self.assertNotIn("PATH=", done.stderr)
        self.assertEqual(self.read(self.home, "configured").count("configure"), 1)

    def test_install_below_another_prefix_keeps_what_configure_was_given(self):
        self.bootstrap("run")
        prefix = os.path.join(self.root, "prefix")
        self.bootstrap("install", prefix)
        self.assertTrue(os.access(os.path.join(prefix, "bin", "swarmutt"), os.X_OK))
        self.assertEqual(self.read(self.home, "configured").splitlines()[-1],
                         f"configure --enable-this --prefix={prefix}")
        done = self.bootstrap("install", os.path.join(self.root, "a prefix"), rc=2)
        self.assertIn("with a blank in its name", done.stderr)

    def test_without_root_all_missing_packages_of_a_command_are_named(self):
        missing = "make libmd-dev tmux nodejs npm"
        done = self.bootstrap("run", rc=1, MISSING=missing)
        self.assertIn("\n  apt-get install make libmd-dev\n", done.stderr)
        for name in ("node", "npm"):
            os.unlink(os.path.join(self.bin, name))
        done = self.bootstrap("test", rc=1, MISSING=missing)
        self.assertIn("\n  apt-get install make libmd-dev tmux nodejs npm\n", done.stderr)
        self.assertEqual(self.read(self.home, "apt"), "")
        done = self.bootstrap("test", rc=1, MISSING=missing, ID="0")  # the package is not available
        self.assertIn("\n  apt-get install make libmd-dev tmux nodejs npm\n", done.stderr)
        self.assertIn("apt-get update\n", self.read(self.home, "apt"))

    def test_without_node_the_other_tests_run(self):
        for name in ("node", "npm"):
            os.unlink(os.path.join(self.bin, name))
        done = self.bootstrap("test", rc=1, MISSING="nodejs npm")
        self.assertIn("\n  apt-get install nodejs npm\n", done.stderr)
        self.assertIn("3 suites", done.stdout)

    def test_a_failed_test_run_ends_with_the_suites_and_their_logs(self):
        done = self.bootstrap("test", rc=1)
        build = os.path.join(self.source, "build")
        self.assertEqual(done.stdout.strip().splitlines(), [
            "3 suites, 5 tests: 1 suites passed, 1 failed, 1 skipped; 1 tests skipped",
            "skipped suite: tests/commands/test_peer.py: there is no node",
            "skipped test: tests/commands/test_good.py: Some.test_one: nobody is here",
            f"failed suite: tests/commands/test_bad.py: see {build}/tests/commands/test_bad.log",
            "  test_two",
            f"The logs of all failed suites are in {build}/test-suite.log"])

    def test_what_it_can_do_is_told(self):
        told = self.bootstrap("--help").stdout
        for word in ("run [ARG...]", "test", "install [PREFIX]", "deps [ci]"):
            self.assertIn("./bootstrap " + word, told)
        self.assertEqual(self.bootstrap("nonsense", rc=2).stderr, told)


if __name__ == "__main__":
    harness.main()
