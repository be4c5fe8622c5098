"""Cuts the power on a real file system: ext4 in an image, copied while it is mounted, right after a
command has reported success. After a replay of its journal the copy has what the disk would have.
Skipped unless run as root on a system that permits mounting."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from commands import MAKERS, all_commands  # noqa: E402
from layouts import LayoutCase  # noqa: E402

VERBS = "send reply handoff broadcast mark archive restore shutdown escalate".split()
SIZE = 64 << 20


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise OSError(f"{command}: {done.stdout.decode(errors='replace')}")


class Image:
    """A file with a file system in it, and its mount point."""

    def __init__(self):
        self.beside = tempfile.mkdtemp(prefix="swarmutt-test-")
        self.mounted = False
        self.path = os.path.join(self.beside, "image")
        self.at = os.path.join(self.beside, "disk")
        os.mkdir(self.at)
        with open(self.path, "wb") as file:
            file.truncate(SIZE)

    def make(self):
        run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0", self.path)

    def mount(self, path=None):
        run("mount", "-o", "loop,commit=300", path or self.path, self.at)  # no automatic writes soon
        self.mounted = True

    def umount(self):
        if self.mounted:
            run("umount", self.at)
        self.mounted = False

    def cut(self, number):
        """Makes a copy of the disk at this moment."""
        path = os.path.join(self.beside, str(number))
        run("cp", "--sparse=always", self.path, path)
        return path

    def remove(self):
        self.umount()
        shutil.rmtree(self.beside)


class OnDisk(LayoutCase):

    def setUp(self):
        if os.geteuid() != 0 or not shutil.which("mkfs.ext4"):
            self.skipTest("only root can mount an image, and mkfs.ext4 makes one")
        image = self.image = Image()
        self.addCleanup(image.remove)
        try:
            image.make()
            image.mount()
        except OSError as reason:
            self.skipTest(f"an image cannot be mounted here: {reason}")
        before, tempfile.tempdir = tempfile.tempdir, image.at
        try:
            super().setUp()
        finally:
            tempfile.tempdir = before

    def listing(self):
        """Returns all messages as the program sees them, with their texts."""
        found = self.run_json("messages", "--all", "--bodies", cwd=self.project)
        self.assertEqual([one["id"] for one in found if one["damaged"]], [])
        return sorted((one["format"], one["box"], one["id"], one["status"], one["body"]) for one in found)

    def test_what_was_acknowledged_is_there_after_the_journal_was_replayed(self):
        for make in MAKERS.values():
            make(self)
        os.sync()
        cuts = []
        for command in all_commands():
            if command.words[0] in VERBS and not command.prepare:
                result = self.box.run(*command.words, cwd=self.project)
                if result.rc == harness.DONE:
                    cuts.append((command.name, self.image.cut(len(cuts)), self.listing()))
        self.assertGreater(len(cuts), 30)
        self.image.umount()
        for name, path, expected in cuts:
            with self.subTest(command=name):
                self.image.mount(path)
                try:
                    self.assertEqual(self.listing(), expected)
                finally:
                    self.image.umount()


if __name__ == "__main__":
    harness.main()
