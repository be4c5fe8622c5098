#!/usr/bin/env python3
"""Whatever happens to the files, what `watch` has told is in the end what a fresh look finds."""
import json
import os
import random
import shutil
import signal
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import harness
import layouts
from following import Follower


def adr(number, turn):
    return harness.message(id=f"MSG-{number:012x}", subject=f"turn {turn} of {number}",
                           status=("unread", "read", "processing")[turn % 3], priority=turn % 4 + 1)


def memo(number, turn):
    return {"id": f"memo-{number}", "timestamp": "2026-02-12T08:02:18Z", "from": "pm",
            "to": "coordinator", "subject": f"turn {turn} of {number}", "content": "x" * (turn % 90)}


class Layout:
    """One file a message: where its files lie, and what they hold."""

    def __init__(self, top, inbox, archive, compose, name):
        self.top, self.inbox, self.archive = top, inbox, archive
        self.compose, self.name = compose, name

    def dir(self, box, archived=False):
        return os.path.join(self.top, (self.archive if archived else self.inbox) % box)

    def make(self, box):
        for archived in (False, True):
            os.makedirs(self.dir(box, archived), exist_ok=True)


class Storm:
    """Random changes as agents make them, and worse."""

    def __init__(self, layout, seed, boxes=6):
        self.layout, self.random = layout, random.Random(seed)
        self.boxes = [f"agent-{n}" for n in range(boxes)]
        self.number = self.turn = 0
        for box in self.boxes:
            layout.make(box)

    def bytes(self, number):
        self.turn += 1
        return json.dumps(self.layout.compose(number, self.turn), indent=2).encode()

    def some_file(self, archived=False):
        box = self.random.choice(self.boxes)
        try:
            names = sorted(name for name in os.listdir(self.layout.dir(box, archived))
                           if name.endswith(".json") and name[0] != ".")
        except FileNotFoundError:
            self.layout.make(box)
            names = []
        if not names:
            return None, box, None
        name = self.random.choice(names)
        return os.path.join(self.layout.dir(box, archived), name), box, name

    def create(self, way):
        self.number += 1
        box = self.random.choice(self.boxes)
        self.layout.make(box)
        path = os.path.join(self.layout.dir(box), self.layout.name % self.number)
        temporary = os.path.join(self.layout.dir(box), f".{self.number}.tmp")
        with open(path if way == "in place" else temporary, "wb") as file:
            file.write(self.bytes(self.number))
        if way == "rename":
            os.rename(temporary, path)
        elif way == "link":
            os.link(temporary, path)
            os.unlink(temporary)

    def rewrite(self, cut):
        path, _, name = self.some_file()
        if not path:
            return
        number = int(name[:-len(".json")].split("-")[-1], 16)
        data = self.bytes(number)
        with open(path, "wb") as file:
            if cut:  # in two pieces: whoever reads between them sees half of it
                file.write(data[:len(data) // 2])
                file.flush()
            file.write(data[len(data) // 2:] if cut else data)

    def archive(self):
        path, box, name = self.some_file()
        if path and os.path.isdir(self.layout.dir(box, True)):
            os.rename(path, os.path.join(self.layout.dir(box, True), name))

    def remove(self):
        path, _, _ = self.some_file(self.random.random() < 0.5)
        if path:
            os.unlink(path)

    def rename(self):
        path, box, _ = self.some_file()
        if path:
            self.number += 1
            os.rename(path, os.path.join(self.layout.dir(box), self.layout.name % self.number))

    def remove_box(self):
        shutil.rmtree(os.path.dirname(self.layout.dir(self.random.choice(self.boxes), True)))
        self.layout.make(self.random.choice(self.boxes))

    def move_box(self):
        here = os.path.dirname(self.layout.dir(self.random.choice(self.boxes), True))
        away = os.path.join(self.layout.top, "..", "away")
        shutil.rmtree(away, ignore_errors=True)
        if os.path.isdir(here):
            os.rename(here, away)
            if self.random.random() < 0.7:
                os.rename(away, here)

    def litter(self):
        box = self.random.choice(self.boxes)
        self.layout.make(box)
        for name in (".hidden.json", "note.tmp", "x.lock", "README.md"):
            with open(os.path.join(self.layout.dir(box), name), "w") as file:
                file.write("not a message")

    def step(self):
        what = self.random.random()
        for share, action in ((0.35, lambda: self.create("rename")),
                              (0.45, lambda: self.create("in place")),
                              (0.52, lambda: self.create("link")),
                              (0.66, lambda: self.rewrite(False)),
                              (0.74, lambda: self.rewrite(True)),
                              (0.86, self.archive),
                              (0.94, self.remove),
                              (0.97, self.litter),
                              (0.985, self.move_box),
                              (1.0, self.remove_box)):
            if what < share:
                action()
                return


class StormCase(layouts.LayoutCase):

    def adr_tree(self):
        top = os.path.join(self.project, "workspace", "mailboxes")
        os.makedirs(top)
        self.box.source = ("--source", "adr:" + top)
        return Layout(top, "%s/inbox", "%s/archive", adr, "MSG-%012x.json")

    def memo_tree(self):
        top = os.path.join(self.project, "scheduler", "inboxes")
        os.makedirs(top)
        self.box.source = ("--source", "inbox:" + top)
        return Layout(top, "%s", "%s/archive", memo, "1700000000-pm-%x.json")

    def follow(self, *options):
        follower = Follower(self.box, *options)
        self.addCleanup(follower.close)
        return follower

    def assert_settles(self, follower):
        present, fresh = follower.settle()
        if present != fresh:
            wrong = [(key[2:], present.get(key), fresh.get(key)) for key in {*present, *fresh}
                     if present.get(key) != fresh.get(key)]
            self.fail(f"{len(wrong)} differ, as told and as they are: {wrong[:3]}")

    def storm(self, layout, seed, steps=1500, *options):
        storm = Storm(layout, seed)
        for _ in range(100):
            storm.step()
        follower = self.follow(*options)
        for _ in range(steps):
            storm.step()
        self.assert_settles(follower)
        for _ in range(steps // 5):
            storm.step()
        self.assert_settles(follower)
        return follower

    def test_a_storm_in_an_adr_tree(self):
        self.storm(self.adr_tree(), 1)

    def test_a_storm_in_an_agent_inbox_tree(self):
        self.storm(self.memo_tree(), 2)

    def test_a_storm_that_is_only_looked_at_every_second(self):
        self.storm(self.adr_tree(), 3, 800, "--poll")

    def test_more_happens_while_it_is_stopped_than_the_kernel_keeps(self):
        storm = Storm(self.adr_tree(), 4)
        for _ in range(500):
            storm.create("rename")
        follower = self.follow()
        follower.wait_for(lambda: len(follower.present) == 500)
        os.kill(follower.process.pid, signal.SIGSTOP)
        for _ in range(9000):  # each makes five events or more
            storm.create("rename")
        for _ in range(400):
            storm.step()
        os.kill(follower.process.pid, signal.SIGCONT)
        self.assert_settles(follower)
        self.assertGreater(follower.counts["new"], 1000)

    def test_the_root_goes_and_comes_back(self):
        layout = self.adr_tree()
        storm = Storm(layout, 5)
        for _ in range(50):
            storm.create("rename")
        follower = self.follow()
        follower.wait_for(lambda: len(follower.present) == 50)
        away = layout.top + "-away"
        os.rename(layout.top, away)
        self.assertTrue(follower.wait_for(lambda: not follower.present))
        os.rename(away, layout.top)
        self.assertTrue(follower.wait_for(lambda: len(follower.present) == 50))
        shutil.rmtree(layout.top)
        self.assertTrue(follower.wait_for(lambda: not follower.present))
        for box in storm.boxes:
            layout.make(box)
        storm.create("rename")
        self.assert_settles(follower)
        self.assertEqual(len(follower.present), 1)


if __name__ == "__main__":
    unittest.main()
