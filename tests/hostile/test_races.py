"""A peer that puts a link in place of a mailbox again and again during writes; and mail without
permission to read. SWARMUTT_SOAK=1 writes longer."""
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import every_command  # noqa: E402
import harness  # noqa: E402
from harness import AS_NOBODY, NOBODY, NOTHING  # noqa: E402
from odd_case import AGENTS, SOAK, TreeCase, each_layout  # noqa: E402
from odd_trees import PLACES, TARGETS  # noqa: E402

SECONDS = 20 if SOAK else 0.5


class Swapped(TreeCase):
    """The name is the mailbox at one moment and a link out of it at the next."""

    def swap(self, target):
        path = os.path.join(self.box.root, target)
        away = self.outside.dir if os.path.isdir(path) else self.outside.file
        peer = self.start_peer([sys.executable, os.path.join(HERE, "swapper.py"), path, away])
        self.assertEqual(peer.next(), "ready")
        return peer

    @each_layout
    def test_whatever_is_written_meanwhile_does_not_lead_out(self, layout):
        for target in TARGETS[layout]:
            with self.subTest(target):
                self.renew()
                self.make(layout, odd=False)
                peer, end = self.swap(target), time.monotonic() + SECONDS
                words = list(every_command.writing(layout, self.box, self.project))
                while words:
                    for one in words:
                        if time.monotonic() > end:
                            words = []
                            break
                        self.try_run(*one)
                rounds, = peer.finish()
                self.assertGreater(rounds, 0)
                self.assertIsNone(self.outside.problem())


class Closed(TreeCase):
    """Files and directories without permission to read. The superuser may read them, so another
    user runs the program."""

    who = AS_NOBODY if os.geteuid() == 0 else {}
    program = harness.PROGRAM

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.who:
            cls.program = harness.copy_for_others(cls)

    def setUp(self):
        super().setUp()
        self.box.program = self.program

    def give_away(self):
        """Gives all of it to the user who runs the program."""
        if not self.who:
            return
        for where, dirs, names in os.walk(self.box.root):
            for name in [".", *dirs, *names]:
                os.chown(os.path.join(where, name), NOBODY, NOBODY, follow_symlinks=False)

    def try_run(self, *words, **more):
        return super().try_run(*words, **self.who, **more)

    def close(self, path):
        os.chmod(path, 0)
        self.addCleanup(os.chmod, path, 0o700)

    @each_layout
    def test_what_may_not_be_read_is_told_and_stands_in_nobodys_way(self, layout):
        self.make(layout, odd=False)
        place = PLACES[layout]
        top = os.path.join(self.box.root, place.dirs[0])
        name = next(name for name in sorted(os.listdir(top)) if os.path.isfile(os.path.join(top, name)))
        copy = os.fsdecode(place.name(b"closed"))
        with open(os.path.join(top, copy), "wb") as file:
            file.write(self.read(os.path.join(top, name)))
        self.give_away()
        self.close(os.path.join(top, copy))
        closed = os.path.join(self.box.root, place.boxes, "closed") if place.boxes else None
        if closed:
            os.mkdir(closed, 0)
            self.addCleanup(os.chmod, closed, 0o700)
        for words in every_command.reading([copy], [AGENTS[layout], "closed"]):
            self.try_run(*words)
        told = self.try_run("doctor").out
        self.assertIn(copy, told)
        if closed:
            self.assertIn("closed", told.replace(copy, ""))
        self.assertGreater(self.try_run("show", os.path.join(top, copy)).rc, NOTHING)
        for words in every_command.writing(layout, self.box, self.project):
            self.try_run(*words)


if __name__ == "__main__":
    harness.main()
