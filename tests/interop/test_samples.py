"""Sample mailboxes that may be next to the project: every message in them is read, and none twice.

The expected messages are counted here from the files themselves."""
import glob
import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402

SAMPLES = os.path.join(os.environ.get("SWARMUTT_SHARED")
                       or os.path.join(harness.SRC, "..", "shared"), "samples")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def load(path):
    """Returns the JSON value of a file, or None."""
    try:
        return json.loads(read(path).decode("utf-8"))
    except ValueError:
        return None


def roo_blocks(text):
    """Returns the heads of the messages in a slot, as dictionaries; None if it has no whole head."""
    lines = text.decode("utf-8").replace("\r\n", "\n").split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return None
    heads, at = [], 0
    while "---" in lines[at:]:
        start = lines.index("---", at)
        if "---" not in lines[start + 1:]:
            break
        end = lines.index("---", start + 1)
        head = dict(re.match(r"(\w+):\s*(.*)", line).groups() for line in lines[start + 1:end]
                    if re.match(r"\w+:", line))
        if {"from", "timestamp", "id"} <= set(head):
            heads.append(head)
            at = end + 1
        else:
            at = end
    return heads


class Entry:
    """A message as a careful person finds it: sender, text, path."""

    def __init__(self, path, sender=None, text=None, archived=False, damaged=False, unread=True):
        self.path, self.sender, self.text = path, sender, text
        self.archived, self.damaged, self.unread = archived, damaged, unread


def of_claude(tree):
    return [Entry(path, one["from"], one["text"], unread=not one.get("read"))
            for path in glob.glob(os.path.join(tree, "teams/*/inboxes/*.json"))
            for one in load(path)]


def of_openclaw(tree):
    return [Entry(path, load(path)["from"], load(path)["message"],
                  unread=not load(path).get("read"))
            for path in glob.glob(os.path.join(tree, "teams/*/mailbox/*.json"))] + \
        [Entry(path, load(path)["teammateId"], unread=load(path)["status"] == "pending")
         for path in glob.glob(os.path.join(tree, "teams/*/plans/*.json"))]


def of_inbox(tree):
    found = []
    for where in ("*", "*/archive"):
        for path in glob.glob(os.path.join(tree, "scheduler/inboxes", where, "*.json")):
            one = load(path) or {}
            text = one.get("content", one.get("message"))
            found.append(Entry(path, one.get("from"), text if isinstance(text, str) else None,
                               archived=where != "*", damaged=not one))
    return found


def of_adr(tree):
    return [Entry(path, load(path)["from_agent"], load(path)["body"],
                  archived=os.path.basename(os.path.dirname(path)) == "archive",
                  unread=load(path)["status"] == "unread")
            for path in glob.glob(os.path.join(tree, "workspace/mailboxes/*/*/MSG-*.json"))]


def of_roo(tree):
    found = []
    for path in glob.glob(os.path.join(tree, ".roo/mailbox/to-*.md")):
        heads = roo_blocks(read(path))
        found += [Entry(path, head["from"]) for head in heads] if heads \
            else [Entry(path, damaged=True)]
    return found


TREES = {"claude": ("claude", of_claude), "claude-synthetic": ("claude", of_claude),
         "openclaw": ("openclaw", of_openclaw), "agent-inbox": ("inbox", of_inbox),
         "adr003": ("adr", of_adr), "roo": ("roo", of_roo)}


class SampleCase(harness.MailboxCase):

    def setUp(self):
        super().setUp()
        if not os.path.isdir(SAMPLES):
            print(f"{SAMPLES} is not there: nothing is read", file=sys.stderr)
            self.skipTest("no samples")

    def tree(self, name):
        """Returns a writable copy of one sample tree."""
        tree = os.path.join(self.box.root, "samples", name)
        if not os.path.isdir(tree):
            shutil.copytree(os.path.join(SAMPLES, name), tree)
            for where, _, _ in os.walk(tree):
                os.chmod(where, 0o755)
        return tree

    def counts(self, entries):
        return {"messages": sum(not one.archived for one in entries),
                "archived": sum(one.archived for one in entries),
                "damaged": sum(one.damaged for one in entries),
                "unread": sum(one.unread and not one.archived and not one.damaged
                              for one in entries)}


class Counts(SampleCase):

    def test_every_tree_is_recognised_and_read_whole(self):
        for name, (layout, count) in TREES.items():
            with self.subTest(name):
                tree = self.tree(name)
                entries = count(tree)
                self.assertGreater(len(entries), 0)
                found = self.run_json("messages", "--all", "--bodies", "-S", tree)
                self.assertEqual({one["format"] for one in found}, {layout})
                self.assertEqual(sorted(one["path"].split("#")[0] for one in found),
                                 sorted(one.path for one in entries))
                self.assertEqual(sum(one["damaged"] is not None for one in found),
                                 sum(one.damaged for one in entries))
                self.assertEqual(sorted(one["from"] or "" for one in found),
                                 sorted(one.sender or "" for one in entries))
                bodies = [one["body"] for one in found]
                for one in entries:
                    if one.text is not None:
                        self.assertIn(one.text, bodies)

    def test_the_sources_say_the_same(self):
        for name, (layout, count) in TREES.items():
            with self.subTest(name):
                tree = self.tree(name)
                said = self.run_one("sources", "-S", tree)
                self.assertEqual(said["format"], layout)
                self.assertIsNone(said["problem"])
                wanted = self.counts(count(tree))
                self.assertEqual({key: said[key] for key in wanted}, wanted)

    def test_all_at_once_are_the_sum(self):
        trees = [self.tree(name) for name in TREES]
        sources = [word for tree in trees for word in ("-S", tree)]
        found = self.run_json("messages", "--all", *sources)
        entries = [one for name, (_, count) in TREES.items() for one in count(self.tree(name))]
        self.assertEqual(len(found), len(entries))
        self.assertEqual(sum(one["damaged"] is not None for one in found),
                         sum(one.damaged for one in entries))
        said = self.run_json("sources", *sources)
        self.assertEqual(len(said), len(trees))
        for key, number in self.counts(entries).items():
            self.assertEqual(sum(one[key] for one in said), number, key)

    def test_reading_leaves_every_byte_as_it_is(self):
        trees = [self.tree(name) for name in TREES]
        before = self.box.snapshot()
        sources = [word for tree in trees for word in ("-S", tree)]
        self.run_program("messages", "--all", *sources)
        self.run_program("sources", *sources)
        self.assert_unchanged(before)

    def test_the_inboxes_of_models_hold_what_was_counted_by_hand(self):
        found = self.run_json("messages", "--all", "-S", self.tree("agent-inbox"))
        self.assertEqual(len(found), 19)
        self.assertEqual(sum(one["damaged"] is not None for one in found), 2)


class Adr(SampleCase):
    """A tree written by another program of the layout."""

    def test_every_message_is_listed_whole_and_undamaged(self):
        tree = self.tree("adr003")
        files = glob.glob(os.path.join(tree, "workspace/mailboxes/*/*/MSG-*.json"))
        found = {one["path"]: one for one in self.run_json("messages", "--all", "--bodies", "-S", tree)}
        self.assertEqual(set(found), set(files))
        for path, one in found.items():
            stored = load(path)
            self.assertIsNone(one["damaged"], path)
            self.assertEqual([one[key] for key in ("id", "from", "to", "subject", "body", "type")],
                             [stored[key] for key in ("id", "from_agent", "to_agent", "subject",
                                                      "body", "type")])
            self.assertEqual([one["payload"], one["context"], one["tags"]],
                             [stored["payload"], stored["context"], stored["tags"]])

    def test_the_swarm_is_found_beside_the_mailboxes(self):
        tree = self.tree("adr003")
        agents = [os.path.basename(path)[:-3]
                  for path in glob.glob(os.path.join(tree, "swarms/swarm_dev/agents/[!_]*.md"))]
        sent = self.run_json("broadcast", "--swarm", "swarm_dev", "--subject", "s", "--body", "b",
                             "-S", tree)
        self.assertEqual({one["to"] for one in sent}, set(agents))


if __name__ == "__main__":
    harness.main()
