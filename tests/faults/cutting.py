"""Runs one command, cuts the power at any moment of it, and checks that every promise holds
afterwards."""
import copy
import os

import harness
from harness import DONE, NOTHING
from judge import KILLED, Broken, Trial
from power import FIXED, Disk, by_chance, read_journal, restart
from preload import Preload


class PowerTrial(Trial):
    """A command, and the journal of one run of it. All output of a run counts as a promise."""

    def __init__(self, case, command):
        super().__init__(case, command)
        box = case.box
        self.journal = os.path.join(box.root, "journal")
        self.recorder = Preload(box, [box.home, case.project])
        self.tops = [*self.world.tops, box.state]
        self.world.put_back()
        self.disk_before = Disk(box.root)
        self.result = self.record()
        self.logged = [one["state"] for one in self.world.list("log")]
        self.calls = list(read_journal(self.journal))
        if not any(call.word == "sync" for call in self.calls):
            raise AssertionError("no sync is noted")
        self.states, self.prints = 0, set()

    def record(self):
        said = os.path.join(self.case.box.root, "said")
        with open(said, "wb") as out:
            process = self.case.box.popen(
                *self.words, env=dict(self.recorder.env_for(), FAULT_JOURNAL=self.journal),
                cwd=self.case.project, stdin=-3, stdout=out, stderr=-1)
            self.case.addCleanup(harness.end_process, process)
            err = process.communicate(timeout=harness.LIMIT_S)[1]
        with open(said, "rb") as file:
            result = harness.Result(self.words, process.returncode, file.read(), err)
        if result.rc != DONE:
            raise AssertionError(f"it fails by itself: {result}")
        return result

    def disks(self, moments):
        """Yields each of these moments, in order, with the disk at that moment; valid until the
        next one."""
        disk, wanted = copy.deepcopy(self.disk_before), set(moments)
        for moment in range(len(self.calls) + 1):
            if moment in wanted:
                yield moment, disk
            if moment < len(self.calls):
                disk.apply(self.calls[moment])

    def is_acknowledged(self, moment):
        return moment == len(self.calls) or self.calls[moment].said > 0

    def sweep(self, moments, seeds=()):
        """Cuts at each of these moments, in all the fixed ways and in the random ones; yields a
        text for each broken promise and None for a cut that broke nothing."""
        for moment, disk in self.disks(moments):
            for cut in [make() for make in FIXED] + [by_chance(f"{seed}/{moment}") for seed in seeds]:
                try:
                    self.attempt_cut(moment, disk, cut)
                    yield None
                except Broken as why:
                    yield str(why)

    def attempt_cut(self, moment, disk, cut):
        rc = DONE if self.is_acknowledged(moment) else KILLED
        left = list(cut.left(disk, self.tops))
        print_of = hash((rc, *[(path, data) for path, _, data in left]))
        if print_of in self.prints:
            return
        self.prints.add(print_of)
        restart(left, self.tops)
        result = harness.Result(self.words, rc, self.result.stdout if rc == DONE else b"", b"")
        seen = f"{rc} {self.world.digest()}"
        if seen in self.examined:
            return
        self.states += 1
        self.examined.add(seen)
        try:
            self.examine(result)
        except AssertionError as problem:
            done = self.calls[moment - 1][:3] if moment else "nothing"
            raise Broken(f"{self.command.name}, power cut after {moment} of {len(self.calls)} calls "
                         f"({done}), left: {cut.name}: {problem}\n{self.result}") from None

    def examine(self, result):
        if self.command.ledger:
            self.check_ledger(result)
        super().examine(result)

    def check_ledger(self, result):
        """Checks that no cut looks like a foreign change, and that the ledger has every reported
        decision."""
        sound = self.case.box.run("log", "verify", cwd=self.case.project)
        self.demand(sound.rc in (DONE, NOTHING), f"the log: {sound}")
        if result.rc == DONE:
            states = [one["state"] for one in self.world.list("log")]
            self.demand(states == self.logged, f"the log has {states}, not {self.logged}")

    def only_told(self, path):
        """True if a staged file may be the only copy of a message, because the note of it was lost."""
        return True
