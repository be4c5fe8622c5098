#!/usr/bin/env python3
"""The installed files are complete, work at their paths, and can be removed again; the version is
the one of the sources."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))
sys.dont_write_bytecode = True

import harness  # noqa: E402

BUILD = os.path.dirname(harness.PROGRAM)
CC = shlex.split(os.environ.get("SWARMUTT_CC") or "cc")
CFLAGS = shlex.split(os.environ.get("SWARMUTT_CFLAGS") or "")
MAKE = shlex.split(os.environ.get("SWARMUTT_MAKE") or "make")


def run(command, env=(), **more):
    """Returns its standard output; fails the test if it fails."""
    clean = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, env=dict(clean, **dict(env)), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command!r} ended with {done.returncode}: "
                             f"{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout.decode()


def version():
    return run([harness.PROGRAM, "--version"]).split()[1]


class Scratch(unittest.TestCase):

    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="swarmutt-test-"))
        self.addCleanup(shutil.rmtree, self.root)


class Install(Scratch):

    def files(self):
        return {os.path.relpath(os.path.join(where, name), self.root)
                for where, _, names in os.walk(self.root) for name in names}

    def make(self, *goals):
        run([*MAKE, "-C", BUILD, "-s", *goals, "DESTDIR=" + self.root])

    def find(self, name):
        """Returns the only file whose path ends in `name`."""
        (path,) = [os.path.join(self.root, one) for one in self.files()
                   if one.endswith("/" + name)]
        return path

    def compile(self):
        """Compiles the example with the command in its first lines, against the installed files."""
        example = os.path.join(harness.SRC, "doc", "examples", "library", "unread.c")
        env = {"PKG_CONFIG_LIBDIR": os.path.dirname(self.find("swarmutt.pc")),  # nothing else is needed
               "PKG_CONFIG_SYSROOT_DIR": self.root}
        self.assertEqual(run(["pkg-config", "--modversion", "swarmutt"], env).strip(), version())
        flags = shlex.split(run(["pkg-config", "--cflags", "--libs", "swarmutt"], env))
        program = os.path.join(self.root, "unread")
        run([*CC, *CFLAGS, example, "-o", program, *flags])
        return program

    def test_installed_used_and_removed(self):
        self.make("install")
        env = {"LD_LIBRARY_PATH": os.path.dirname(self.find("libswarmutt.so.0"))}
        self.assertEqual(run([self.find("bin/swarmutt"), "--version"]).strip(), "swarmutt " + version())
        done = subprocess.run([self.compile()], env=dict(os.environ, **env), stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr.split()[0]), (2, b"usage:"))
        for name in ("swarmutt.1", "swarmutt-config.5", "swarmutt-formats.5", "swarmutt-json.5",
                     "swarmutt-query.7", "libswarmutt.3", "completions/swarmutt", "_swarmutt",
                     "swarmutt.fish"):
            self.find(name)
        os.unlink(os.path.join(self.root, "unread"))
        self.make("uninstall")
        self.assertEqual(self.files(), set())


class Version(Scratch):

    def setUp(self):
        super().setUp()
        self.source = os.path.join(self.root, "source")
        os.makedirs(os.path.join(self.source, "build-aux"))
        shutil.copy(os.path.join(harness.SRC, "build-aux", "version"),
                    os.path.join(self.source, "build-aux"))

    def git(self, *args, cwd=None):
        who = {f"GIT_{role}_{what}": "tester@localhost" for role in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")}
        return run(["git", *args], dict(who, HOME=self.root, GIT_CONFIG_NOSYSTEM="1"),
                   cwd=cwd or self.source)

    def commit(self):
        self.git("commit", "-q", "--allow-empty", "-m", "something")

    def told(self, *args, cwd=None):
        return run([os.path.join(cwd or self.source, "build-aux", "version"), *args],
                   {"HOME": self.root}).strip()

    def test_without_git(self):
        self.assertEqual(self.told(), "0.1.0")
        with open(os.path.join(self.source, ".tarball-version"), "w") as file:
            file.write("0.1.0~7-gabc1234\n")
        self.assertEqual(self.told(), "0.1.0~7-gabc1234")
        self.assertEqual(self.told("--debian"), "0.1.0~7.gabc1234")

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_with_git(self):
        self.git("init", "-q")
        self.assertEqual(self.told(), "0.1.0")  # no commit yet
        self.git("add", ".")
        self.commit()
        self.assertRegex(self.told(), r"\A0\.1\.0~1-g[0-9a-f]{7}\Z")
        self.git("tag", "other")
        self.git("tag", "v0.3.0")
        self.assertEqual(self.told(), "0.3.0")
        self.assertEqual(self.told("--debian"), "0.3.0")
        self.commit()
        self.assertRegex(self.told(), r"\A0\.3\.0-1-g[0-9a-f]+\Z")
        self.assertRegex(self.told("--debian"), r"\A0\.3\.0\+1\.g[0-9a-f]+\Z")

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_of_a_shallow_clone(self):
        self.git("init", "-q")
        self.git("add", ".")
        self.commit()
        self.commit()
        clone = os.path.join(self.root, "clone")
        self.git("clone", "-q", "--depth", "1", "file://" + self.source, clone)
        self.assertRegex(self.told(cwd=clone), r"\A0\.1\.0~g[0-9a-f]{7}\Z")
        self.assertRegex(self.told("--debian", cwd=clone), r"\A0\.1\.0~g[0-9a-f]{7}\Z")


if __name__ == "__main__":
    harness.main()
