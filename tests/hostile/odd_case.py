"""Shared by the tests with hostile mailboxes."""
import functools
import os
import sys

from commands import MAKERS
from harness import NOTHING
from layouts import LayoutCase
from odd_trees import OddTree, Outside

SOAK = bool(os.environ.get("SWARMUTT_SOAK"))
SERVED = {"claude": "team-lead@dev"}  # the identity where several teams have one
AGENTS = {"claude": "team-lead", "openclaw": "lead", "adr": "user", "inbox": "coordinator",
          "roo": "orchestrator"}


def each_layout(test):
    """Runs a test once for each layout, in mailboxes of its own."""
    @functools.wraps(test)
    def run(self):
        for layout in MAKERS:
            with self.subTest(layout):
                self.renew()
                test(self, layout)
    return run


class TreeCase(LayoutCase):

    def renew(self):
        """Starts again with empty mailboxes."""
        self.doCleanups()
        self.setUp()

    def make(self, layout, odd=True):
        MAKERS[layout](self)
        self.outside = Outside(self.box)
        if not odd:
            return
        self.tree = OddTree(self, layout, self.outside)
        for kind in sorted(self.tree.missing):
            sys.stderr.write(f"{layout}: without a {kind}, which cannot be made here\n")

    def try_run(self, *words, **more):
        """Checks that the command ends, gives a reason when it fails, and has touched nothing
        outside."""
        result = self.box.run(*words, cwd=self.project, **more)
        self.assertIsNone(self.outside.problem(), str(result))
        if result.rc > NOTHING:
            self.assertTrue(result.stderr.startswith(b"swarmutt: "), str(result))
        return result

    def assert_there(self):
        now = self.tree.look()
        self.assertEqual([path for path, what in self.tree.before.items() if now.get(path) != what], [])
