#!/usr/bin/env python3
"""After any changes to the files, the events of `watch` add up to a fresh listing."""
import contextlib
import json
import os
import random
import shutil
import signal
import sys

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


def claw(number, turn):
    return {"messageId": f"550e8400-e29b-41d4-a716-{number:012x}", "teamId": "web", "from": "tm1",
            "to": "lead", "message": f"turn {turn}", "priority": "normal", "read": turn % 3 == 0,
            "createdAt": 1767484401000 + number}


class Layout:
    """One layout with a file per message: its paths and contents."""

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
            if cut:  # in two pieces: a reader between them sees half of it
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
        shutil.rmtree(os.path.dirname(self.layout.dir(self.random.choice(self.boxes), True)),
                      ignore_errors=True)
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


class RoughStorm(Storm):
    """A storm in a tree whose directories become links, files and each other."""

    def __init__(self, *args):
        super().__init__(*args)
        self.away = os.path.join(self.layout.top, "..", "elsewhere")
        os.makedirs(self.away)

    def some_dir(self):
        """Returns the path of a box or of an entry in it, which may be anything by now."""
        box = self.random.choice(self.boxes)
        return self.random.choice((os.path.join(self.layout.top, box), self.layout.dir(box),
                                   self.layout.dir(box, True)))

    def clear(self, path):
        if os.path.islink(path) or not os.path.isdir(path):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        else:
            shutil.rmtree(path)

    def link(self):
        """Moves a directory away and puts a link in its place."""
        self.number += 1
        path, away = self.some_dir(), os.path.join(self.away, str(self.number))
        os.rename(path, away)
        os.symlink(away, path)

    def unlink(self):
        """Replaces a link by its target, if that still exists."""
        path = self.some_dir()
        if os.path.islink(path):
            target = os.readlink(path)
            os.unlink(path)
            os.rename(target, path)

    def block(self):
        """Puts a file in the place of a directory."""
        path = self.some_dir()
        self.clear(path)
        with open(path, "w") as file:
            file.write("no directory")

    def unblock(self):
        path = self.some_dir()
        if os.path.isfile(path):
            os.unlink(path)
            os.makedirs(path)

    def take_over(self):
        """Renames a box to another agent's name."""
        here, there = self.random.sample(self.boxes, 2)
        here, there = os.path.join(self.layout.top, here), os.path.join(self.layout.top, there)
        if os.path.isdir(here):
            self.clear(there)
            os.rename(here, there)

    def exchange(self):
        """Puts a directory in the place of a file with a message."""
        path, _, _ = self.some_file()
        if path:
            self.clear(path)
            os.mkdir(path)

    def hide(self):
        """Hides a box by renaming it, or makes a hidden one visible again."""
        here = os.path.join(self.layout.top, self.random.choice(self.boxes))
        hidden = os.path.join(self.layout.top, "." + os.path.basename(here))
        if os.path.isdir(hidden):
            self.clear(here)
            os.rename(hidden, here)
        elif os.path.isdir(here):
            os.rename(here, hidden)

    def shut(self):
        """Makes a box unreadable, or readable again. No effect for root."""
        path = self.some_dir()
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, self.random.choice((0o000, 0o755, 0o755)))

    def archive(self):
        path, box, name = self.some_file()
        if path and os.path.isfile(path):  # an unreadable message differs from the one in the archive
            os.rename(path, os.path.join(self.layout.dir(box, True), name))

    def rename(self):
        pass  # ids would be reported twice: once for a message, once for a directory with its name

    def step(self):
        rough = (self.link, self.unlink, self.unlink, self.block, self.unblock, self.unblock,
                 self.take_over, self.exchange, self.hide, self.shut)
        with contextlib.suppress(OSError):  # something else is in the way by now
            if self.random.random() < 0.25:
                self.random.choice(rough)()
            else:
                super().step()

    def end(self):
        """Makes everything readable in the end, so that it can be removed."""
        for where, dirs, _ in os.walk(self.layout.top):
            for name in dirs:
                if not os.path.islink(os.path.join(where, name)):
                    os.chmod(os.path.join(where, name), 0o755)


class ClaudeStorm:
    """Files that hold many messages, rewritten in every way that agents have."""

    def __init__(self, base, seed):
        self.base, self.random, self.turn = base, random.Random(seed), 0
        self.teams = ["dev", "ops", "web"]
        self.agents = ["team-lead", "bob", "carol"]

    def path(self):
        where = os.path.join(self.base, "teams", self.random.choice(self.teams), "inboxes")
        os.makedirs(where, exist_ok=True)
        return os.path.join(where, self.random.choice(self.agents) + ".json")

    def entry(self):
        self.turn += 1
        return {"from": self.random.choice(self.agents), "text": f"turn {self.turn}",
                "timestamp": "2026-02-07T15:35:15.573Z", "read": self.random.random() < 0.3}

    def read(self, path):
        try:
            with open(path) as file:
                return json.loads(file.read())
        except (FileNotFoundError, ValueError):  # cleared: bytes are left after the brackets
            return []

    def changed(self, path):
        """Returns the next content of the file."""
        entries = self.read(path)
        what = self.random.random()
        if entries and what < 0.2:
            self.random.choice(entries)["read"] = True
        elif entries and what < 0.35:
            del entries[self.random.randrange(len(entries)):]
        elif entries and what < 0.45:
            del entries[:self.random.randrange(len(entries))]
        else:
            entries += [self.entry() for _ in range(self.random.randint(1, 4))]
        return json.dumps(entries, indent=self.random.choice((None, 2))).encode()

    def by_rename(self):
        path = self.path()
        data = self.changed(path)
        with open(path + ".tmp", "wb") as file:
            file.write(data)
        os.rename(path + ".tmp", path)

    def in_place(self):
        path = self.path()
        data = self.changed(path)
        cut = self.random.randrange(len(data))
        with open(path, "wb") as file:  # truncated first, and then half written
            file.write(data[:cut])
            file.flush()
            file.write(data[cut:])

    def clear(self):
        """Writes the first two bytes, and leaves the rest."""
        path = self.path()
        if os.path.exists(path):
            with open(path, "r+b") as file:
                file.write(b"[]")

    def append(self):
        """Writes only the end: one more entry in place of the last bracket."""
        path = self.path()
        entries = self.read(path)
        if entries:
            with open(path, "r+b") as file:
                file.seek(-1, os.SEEK_END)
                file.write(b"," + json.dumps(self.entry()).encode() + b"]")

    def remove(self):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path())

    def lock(self):
        path = self.path() + ".lock"
        if os.path.isdir(path):
            os.rmdir(path)
        else:
            os.mkdir(path)

    def remove_team(self):
        shutil.rmtree(os.path.join(self.base, "teams", self.random.choice(self.teams)),
                      ignore_errors=True)

    def rename_team(self):
        here, there = (os.path.join(self.base, "teams", name)
                       for name in self.random.sample(self.teams, 2))
        if os.path.isdir(here):
            shutil.rmtree(there, ignore_errors=True)
            os.rename(here, there)

    def step(self):
        self.random.choices((self.by_rename, self.in_place, self.append, self.clear, self.remove,
                             self.lock, self.remove_team, self.rename_team),
                            (30, 30, 15, 5, 8, 8, 2, 2))[0]()


class SlotStorm:
    """One file per recipient: created, replaced and deleted."""

    def __init__(self, base, seed):
        self.dir, self.random, self.turn = os.path.join(base, ".roo", "mailbox"), random.Random(seed), 0
        os.makedirs(self.dir)

    def write(self, path):
        self.turn += 1
        with open(path, "w") as file:
            file.write(f'---\nfrom: code\ntimestamp: "2025-07-07T11:15:00Z"\n'
                       f'id: "msg-{self.turn}"\n---\n\nturn {self.turn}\n')

    def step(self):
        slug = self.random.choice(("code", "ask", "debug", "architect"))
        path = os.path.join(self.dir, f"to-{slug}.md")
        what = self.random.random()
        if what < 0.4:
            self.write(path + ".new")
            os.rename(path + ".new", path)
        elif what < 0.6:
            self.write(path)
        elif what < 0.9:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        elif what < 0.95:
            self.write(os.path.join(self.dir, f"to-{slug}.{self.turn}.md"))
        else:
            shutil.rmtree(self.dir)
            os.makedirs(self.dir)


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

    def claw_tree(self):
        """Makes a tree whose messages name the box; there is no archive."""
        top = os.path.join(self.box.home, ".openclaw", "teams")
        os.makedirs(top)
        self.box.source = ("--source", "openclaw:" + top)
        return Layout(top, "%s/mailbox", "%s/mailbox", claw, f"{claw(0, 0)['messageId'][:-12]}%012x.json")

    def claude_tree(self):
        base = self.claude(team="dev")
        self.box.source = ("--source", "claude:" + base)
        return base

    def roo_tree(self):
        self.box.source = ("--source", "roo:" + self.project)
        return self.project

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

    def storm(self, storm, steps=1500, *options):
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
        self.storm(Storm(self.adr_tree(), 1))

    def test_a_storm_in_an_agent_inbox_tree(self):
        self.storm(Storm(self.memo_tree(), 2))

    def test_a_storm_that_is_only_looked_at_every_second(self):
        self.storm(Storm(self.adr_tree(), 3), 800, "--poll")

    def test_a_storm_in_the_files_of_claude_teams(self):
        self.storm(ClaudeStorm(self.claude_tree(), 11))

    def test_a_storm_in_the_files_of_claude_teams_that_are_only_looked_at(self):
        self.storm(ClaudeStorm(self.claude_tree(), 12), 600, "--poll")

    def test_a_storm_in_an_openclaw_tree(self):
        self.storm(Storm(self.claw_tree(), 13, 3))

    def test_a_storm_in_roo_slots(self):
        self.storm(SlotStorm(self.roo_tree(), 14), 800)

    def rough_storm(self, layout, seed, *options):
        if os.geteuid() == 0:
            sys.stderr.write("as root every directory can be read, whatever its mode\n")
        storm = RoughStorm(layout, seed)
        self.addCleanup(storm.end)
        self.storm(storm, 800, *options)

    def test_a_storm_that_leaves_no_directory_alone_in_an_adr_tree(self):
        self.rough_storm(self.adr_tree(), 21)

    def test_a_storm_that_leaves_no_directory_alone_in_an_agent_inbox_tree(self):
        self.rough_storm(self.memo_tree(), 22)

    def test_a_storm_that_leaves_no_directory_alone_and_is_only_looked_at(self):
        self.rough_storm(self.adr_tree(), 23, "--poll")

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
    harness.main()
