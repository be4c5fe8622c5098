"""Sample mailboxes that may stand beside the project: every message in them is read."""
import glob
import json
import os
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402

SAMPLES = os.path.join(os.environ.get("SWARMUTT_SHARED")
                       or os.path.join(harness.SRC, "..", "shared"), "samples")


class Adr(harness.MailboxCase):
    """A tree written by another program of the layout."""

    def setUp(self):
        super().setUp()
        origin = os.path.join(SAMPLES, "adr003")
        if not os.path.isdir(origin):
            self.skipTest(f"{origin} is not there")
        self.tree = os.path.join(self.box.root, "sample")
        shutil.copytree(origin, self.tree)
        for where, _, _ in os.walk(self.tree):
            os.chmod(where, 0o755)
        self.files = glob.glob(os.path.join(self.tree, "workspace/mailboxes/*/*/MSG-*.json"))

    def sample(self, *args, **more):
        return self.run_json("-S", self.tree, *args, **more)

    def test_every_message_is_listed_whole_and_undamaged(self):
        found = {one["path"]: one for one in self.sample("messages", "--all", "--bodies")}
        self.assertEqual(set(found), set(self.files))
        for path, one in found.items():
            with open(path, encoding="utf-8") as file:
                stored = json.load(file)
            self.assertIsNone(one["damaged"], path)
            self.assertEqual([one[key] for key in ("id", "from", "to", "subject", "body", "type")],
                             [stored[key] for key in ("id", "from_agent", "to_agent", "subject",
                                                      "body", "type")])
            self.assertEqual([one["payload"], one["context"], one["tags"]],
                             [stored["payload"], stored["context"], stored["tags"]])

    def test_the_swarm_is_found_beside_the_mailboxes(self):
        agents = [os.path.basename(path)[:-3]
                  for path in glob.glob(os.path.join(self.tree, "swarms/swarm_dev/agents/[!_]*.md"))]
        sent = self.sample("broadcast", "--swarm", "swarm_dev", "--subject", "s", "--body", "b")
        self.assertEqual({one["to"] for one in sent}, set(agents))


if __name__ == "__main__":
    unittest.main()
