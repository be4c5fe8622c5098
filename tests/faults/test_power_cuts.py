"""Cuts the power in the middle of a command or after it: acknowledged messages are on disk, older
ones still are, and a second run does nothing twice. Uses some random moments; SWARMUTT_SOAK=1 has
every moment of every command that writes. SWARMUTT_SEED makes the same choice again."""
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from commands import all_commands  # noqa: E402
from cutting import PowerTrial  # noqa: E402
from test_injection import FaultCase  # noqa: E402

SEED = "2026"
MOMENTS = 3  # of each command, besides the moment of its acknowledgement
VERBS = "send reply mark archive broadcast decide handoff".split()


class PowerCase(FaultCase):

    def power_trial(self, name):
        command, = [one for one in all_commands() if one.name == name]
        return PowerTrial(self, command)

    def assert_kept(self, problems):
        self.assertEqual([one for one in problems if one], [])


class Chance(PowerCase):

    def cut_some(self, layout):
        """Cuts each verb of a layout once."""
        seed = os.environ.get("SWARMUTT_SEED") or SEED
        dice = random.Random(f"{seed} {layout}")
        for verb in VERBS:
            command = dice.choice([one for one in all_commands()
                                   if one.layout == layout and one.words[0] == verb])
            trial = PowerTrial(self, command)
            end = len(trial.calls)
            with self.subTest(seed=seed, command=command.name):
                self.assert_kept(trial.sweep([end, *dice.sample(range(end), MOMENTS)], [seed]))
            self.renew()

    def test_what_was_said_is_on_disk_in_claude(self):
        self.cut_some("claude")

    def test_what_was_said_is_on_disk_in_openclaw(self):
        self.cut_some("openclaw")

    def test_what_was_said_is_on_disk_in_adr(self):
        self.cut_some("adr")

    def test_what_was_said_is_on_disk_in_inbox(self):
        self.cut_some("inbox")

    def test_what_was_said_is_on_disk_in_roo(self):
        self.cut_some("roo")


class Judged(PowerCase):
    """Tests the test itself: it must detect a program that does not sync."""

    def broken_without(self, name, *inodes_of):
        trial = self.power_trial(name)
        trial.calls = [call for call in trial.calls if call.word != "sync"]
        return [one for one in trial.sweep([len(trial.calls)]) if one]

    def test_without_syncs_messages_are_lost(self):
        for layout in ("claude", "openclaw", "adr", "inbox", "roo"):
            self.assertTrue(self.broken_without(layout + ": send"), layout)
            self.renew()


class Broken(PowerCase):
    """Cuts that once broke a promise."""

    def sweep_all(self, name):
        trial = self.power_trial(name)
        self.assert_kept(trial.sweep(range(len(trial.calls) + 1), range(2)))

    def test_a_broadcast_that_was_cut_short_is_not_forgotten_and_not_repeated(self):
        self.sweep_all("adr: broadcast --swarm dev")

    def test_a_message_that_is_left_in_both_places_is_archived_once(self):
        self.sweep_all("inbox: archive new-0")

    def test_a_message_that_is_left_in_both_places_is_restored_once(self):
        self.sweep_all("inbox: restore new-0")


if __name__ == "__main__":
    harness.main()
