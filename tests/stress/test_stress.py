"""Random concurrent operations in all five layouts, compared with a model of all acknowledged
messages.

The program takes part as commands and as sessions, and agents of each layout on their own. At
checkpoints all of them pause, and then the mailboxes, read by an independent reader, must agree
with the model: no acknowledged message is missing or there twice, states are possible ones, no
other bytes have changed, no locks or temporary files are left; the program lists exactly these
messages, and a `watch` that ran all the time has reported the same.

SWARMUTT_SEED repeats the operations of all workers. Their interleaving is chance, and so is the
message of an operation. SWARMUTT_SOAK=1 continues until STRESS_OPERATIONS (100000) were done.
"""
import collections
import os
import random
import shutil
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "interop"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import node_modules  # noqa: E402
import places  # noqa: E402
from following import Follower  # noqa: E402
from harness import DONE, NOTHING, parse_lines, poll_until  # noqa: E402
from model import Model, Pace  # noqa: E402
from processes import run_together  # noqa: E402
from workers import Agent, Command, Node, Ours, Session  # noqa: E402

SOAK = bool(os.environ.get("SWARMUTT_SOAK"))
OPERATIONS = int(os.environ.get("STRESS_OPERATIONS") or 100000)
WORKERS = ((Command, 2), (Session, 1), (Agent, 2))
STEPS = {Command: 12, Session: 12, Agent: 20, Node: 10}  # of each worker up to the next checkpoint
SOAK_STEPS = {Command: 60, Session: 60, Agent: 150, Node: 50}
CHECKPOINTS = 2
SHOWN = 20  # problems


class View(harness.Home):
    """The program in one layout of a world."""

    def __init__(self, world, place):
        self.root, self.home, self.state, self.env = world.root, world.home, world.state, world.env
        self.place, self.model, self.source = place, Model(), place.source()

    def objects(self, *words):
        result = self.run(*words, "--json")
        if result.rc not in (DONE, NOTHING):
            raise AssertionError(str(result))
        return parse_lines(result.stdout)

    def key(self, one):
        return places.token_of(one["body"] or ""), "all" if one["to"] == "all" else one["box"]

    def check(self, watch):
        found, statuses, copies = self.place.look(), {}, set()
        queued = {one["id"] for one in self.objects("outbox") if one["state"] == "queued"}
        for agent in self.place.agents:
            listed = {self.key(one): one for one in self.objects("--as", agent, "messages", "--all", "--bodies")}
            if found.keys() - listed.keys():
                self.model.wrong(f"{agent}: not listed: {found.keys() - listed.keys()}")
            for key in listed.keys() - found.keys():
                copies.add(listed[key]["id"])
                if listed[key]["status"] != "archived":
                    self.model.wrong(f"listed, and not there: {listed[key]}")
            statuses |= {key: one["status"] for key, one in listed.items() if key[1] == agent}
        self.model.check(found, queued | copies)
        self.model.check_states(statuses)
        if self.place.leftovers():
            self.model.wrong(f"left behind: {self.place.leftovers()}")
        told, fresh = watch.settle()
        for key in set(told) | set(fresh):
            if told.get(key) != fresh.get(key):
                self.model.wrong(f"watch has told {told.get(key)}, it is {fresh.get(key)}")


class World(harness.Home):
    """All layouts below one home directory, with one local state."""

    def __init__(self, seed):
        super().__init__()
        self.views = [View(self, kind(os.path.join(self.root, kind.name))) for kind in places.ALL]
        self.workers = [kind(view, view.place, view.model, number, seed)
                        for view in self.views for kind, count in WORKERS for number in range(count)]
        self.workers += [Node(view, view.place, view.model, 0, seed) for view in self.views
                         if view.place.name == "claude" and shutil.which("node") and node_modules.find()]
        self.watches = [Follower(view) for view in self.views]

    def end(self):
        for one in [*self.workers, *self.watches]:
            one.close()
        self.close()

    def operate(self, steps):
        paces = {view: Pace(sum(steps[type(one)] for one in self.workers
                                if one.world is view and isinstance(one, Ours))) for view in self.views}
        run_together(*[lambda one=one: one.work(steps[type(one)], paces[one.world])
                       for one in self.workers])

    def check(self):
        """Messages in the outbox may arrive first: the second check of shared files is after 2 s at
        the latest."""
        def is_quiet():
            return all(one["state"] == "queued" or is_given_up(one) for one in self.views[0].objects("outbox"))
        if not poll_until(is_quiet):
            raise AssertionError(f"it does not arrive: {self.views[0].objects('outbox')}")
        for view, watch in zip(self.views, self.watches):
            view.check(watch)

    def counts(self):
        return {view.place.name: view.model.counts for view in self.views}

    def answers(self):
        return sum((view.model.answers for view in self.views), collections.Counter())

    def problems(self):
        return [f"{view.place.name}: {one}" for view in self.views for one in view.model.problems]


def is_given_up(entry):
    """True if the outbox gave up because an agent takes the message at once, and others fill its
    place: then it seems to vanish each time."""
    return (entry["format"], entry["state"], entry["attempts"]) == ("roo", "lost", places.Roo.overwritten)


def stress(seed, steps, checkpoints):
    """Runs one world from beginning to end; returns the operations by layout and kind, how often
    they were not done, and the problems."""
    world = World(seed)
    try:
        for _ in range(checkpoints):
            world.operate(steps)
            world.check()
            if world.problems():
                break
        return world.counts(), world.answers(), world.problems()
    finally:
        world.end()


class Stress(unittest.TestCase):

    maxDiff = None

    def test_many_at_once_lose_nothing_and_do_nothing_twice(self):
        seed = os.environ.get("SWARMUTT_SEED") or str(random.randrange(1 << 32))
        total, answers, began, rounds = collections.Counter(), collections.Counter(), time.monotonic(), 0
        while not rounds or (SOAK and sum(total.values()) < OPERATIONS):
            counts, answered, problems = stress(f"{seed}/{rounds}", SOAK_STEPS if SOAK else STEPS, CHECKPOINTS)
            rounds += 1
            answers += answered
            for name, kinds in counts.items():
                total.update({(name, kind): count for kind, count in kinds.items()})
            if SOAK:
                print(f"{sum(total.values())} operations, {time.monotonic() - began:.0f} s", flush=True)
            if problems:
                self.fail(f"SWARMUTT_SEED={seed}, world {rounds}: {len(problems)} problems\n" +
                          "\n".join(problems[:SHOWN]))
        self.report(total, answers)
        print(f"SWARMUTT_SEED={seed}: {sum(total.values())} operations in {rounds} worlds, "
              f"{time.monotonic() - began:.0f} s")

    @staticmethod
    def report(total, answers):
        for name in sorted({name for name, _ in total}):
            print(f"{name}: " + ", ".join(f"{kind} {count}" for (place, kind), count in sorted(total.items())
                                          if place == name))
        print("not done: " + ", ".join(f"{how} {count}" for how, count in sorted(answers.items())))


if __name__ == "__main__":
    harness.main()
