"""Injects storage faults in the middle of a command: some at random, and those that once broke a
promise. make soak runs all of them. SWARMUTT_SEED makes the same choice again."""
import fcntl
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import exits  # noqa: E402
import harness  # noqa: E402
from commands import all_commands  # noqa: E402
from harness import DONE, FAILED, UNCONFIRMED  # noqa: E402
from judge import Trial  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from preload import KINDS, MEMORY, Fault, Preload, library, takes_memory, ways  # noqa: E402
from unprivileged import drop_privileges  # noqa: E402
from world import World  # noqa: E402

COMMANDS, FAULTS = 10, 10
ASKED, CALLS_APART = 5, 60  # runs that are judged by their exit code, and the number of calls between two faults
SEED = "2026"  # the same faults in every run; make soak has all of them


class FaultCase(LayoutCase):

    def setUp(self):
        super().setUp()
        if not os.path.exists(library()):
            self.skipTest(f"{library()} is not built: make check builds it")

    def renew(self):
        self.doCleanups()
        self.setUp()

    def trial(self, name):
        command, = [one for one in all_commands() if one.name == name]
        return Trial(self, command)

    def sweep(self, name, kind, way, sticky=False):
        """Injects one kind of fault at every call, until no call is left; in mailboxes of its own."""
        self.renew()
        trial, at = self.trial(name), 1
        while trial.attempt(Fault(kind, at, way, sticky)):
            at += 1
        self.assertGreater(at, 1, "nothing was hit")


class Chance(FaultCase):

    def test_whatever_fails_what_was_said_is_true_and_nothing_is_lost(self):
        seed = os.environ.get("SWARMUTT_SEED") or SEED
        dice, commands = random.Random(seed), list(all_commands())
        for command in dice.sample(commands, COMMANDS):
            trial = Trial(self, command)
            faults = [(kind, way, sticky) for kind in KINDS if trial.made[kind]
                      for way, sticky in ways(kind)]
            for kind, way, sticky in dice.sample(faults, FAULTS):
                fault = Fault(kind, dice.randint(1, trial.made[kind]), way, sticky)
                with self.subTest(seed=seed, command=command.name, fault=str(fault)):
                    trial.attempt(fault)
            self.renew()


class Memory(FaultCase):
    """Memory is exhausted."""

    def setUp(self):
        super().setUp()
        if not takes_memory():
            self.skipTest("a sanitizer has the memory")

    def some(self, name, count, first=1):
        """Fails about `count` requests for memory, evenly spread from `first` on, each once and for
        good."""
        self.renew()
        trial = self.trial(name)
        for at in range(first, trial.made[MEMORY], max(1, trial.made[MEMORY] // count)):
            trial.attempt(Fault(MEMORY, at, "ENOMEM"))
            trial.attempt(Fault(MEMORY, at, "ENOMEM", True))

    def test_it_ends_with_a_sentence_and_what_was_said_is_true(self):
        for name in ("claude: send", "inbox: outbox retry 1"):
            self.some(name, 12)

    def test_a_sound_message_is_not_taken_for_a_damaged_one(self):
        self.some("roo: mark msg-orchestrator completed", 150, 1400)


class Answers(FaultCase):
    """An answer is right, or an error that gives the reason."""

    def wrong(self, asked, step, kinds=KINDS, retried=None):
        """Returns the wrong answers when every `step`-th call fails."""
        self.renew()
        trial = exits.Exits(self, asked)
        return [why for _, why in exits.sweep(trial, step, 1 + len(asked.name) % step, kinds, retried)
                if why]

    def test_what_cannot_be_read_is_not_reported_as_absent(self):
        seed = os.environ.get("SWARMUTT_SEED") or SEED
        everything = list(exits.all_asked())
        for asked in random.Random(seed).sample(everything, ASKED):
            with self.subTest(seed=seed, run=asked.name):
                self.assertEqual(self.wrong(asked, CALLS_APART), [])

    def test_every_lookup_of_a_message_says_what_could_not_be_read(self):
        for layout, (id, _, _) in exits.SUBJECTS.items():
            with self.subTest(layout=layout):
                asked = exits.Asked(layout, ("show", id))
                self.assertEqual(self.wrong(asked, 19, ("open", "list"), retried=False), [])

    def test_a_message_that_cannot_be_read_is_not_called_forbidden_to_change(self):
        named = {asked.name: asked for asked in exits.all_asked()}
        for name in ("adr: mark MSG-00000000000c read", "adr: archive MSG-00000000000c",
                     f"openclaw: mark {exits.SUBJECTS['openclaw'][0]} read",
                     "claude: decide plan-1 approve", "claude: cleanup --clear eve@gone",
                     "inbox: reply new-0 --body"):
            with self.subTest(run=name):
                self.assertEqual(self.wrong(named[name], 1, ("open", "read"), retried=False), [])

    def test_a_lock_that_cannot_be_read_is_not_called_taken(self):
        named = {asked.name: asked for asked in exits.all_asked()}
        self.assertEqual(self.wrong(named["claude: cleanup --clear eve@gone"], 1, ("look",), retried=False), [])

    def test_what_is_archived_here_is_not_called_elsewhere_while_that_cannot_be_read(self):
        named = {asked.name: asked for asked in exits.all_asked()}
        for name in ("claude: restore one", f"openclaw: restore {exits.SUBJECTS['openclaw'][0]}"):
            with self.subTest(run=name):
                self.assertEqual(self.wrong(named[name], 1, ("write",), retried=False), [])

    def test_a_local_state_on_a_failing_disk_is_not_called_damaged(self):
        named = {asked.name: asked for asked in exits.all_asked()}
        self.assertEqual(self.wrong(named["claude: send, the first of all"], 1, ("read",), retried=False), [])

    def test_a_message_that_is_read_at_the_second_try_is_not_silently_new_again(self):
        asked = exits.Asked("openclaw", ("show", exits.SUBJECTS["openclaw"][1]))
        self.assertEqual(self.wrong(asked, 1, ("look", "read"), retried=False), [])

    def test_an_interrupted_system_call_is_made_again(self):
        for layout, words in (("adr", ("check",)), ("inbox", ("messages", "--archive")),
                              ("claude", ("log", "verify"))):
            with self.subTest(layout=layout, words=words):
                asked = exits.Asked(layout, words)
                self.assertEqual(self.wrong(asked, 7, retried=True), [])


class Broken(FaultCase):
    """Faults that once broke a promise."""

    def test_an_answer_goes_to_nobody_else_while_a_box_cannot_be_listed(self):
        self.sweep("inbox: reply new-0 --body", "list", "EIO")

    def test_a_broadcast_does_not_leave_out_who_cannot_be_read(self):
        self.sweep("inbox: broadcast --all --subject", "open", "EIO")
        self.sweep("roo: broadcast --all --subject", "read", "EIO")

    def test_an_inbox_that_was_not_cleared_but_copied_is_unconfirmed(self):
        self.sweep("claude: cleanup --clear eve@gone", "attr", "EROFS")
        self.sweep("claude: cleanup --clear eve@gone", "write", "EDQUOT")

    def test_an_answer_whose_question_was_not_archived_is_not_called_failed(self):
        self.sweep("inbox: reply new-0 --body", "rename", "EIO")

    def test_a_retry_that_the_outbox_does_not_know_of_is_unconfirmed(self):
        self.sweep("inbox: outbox retry 1", "write", "EIO", True)
        self.sweep("claude: outbox retry 1", "write", "ENOSPC")

    def test_a_mark_that_may_not_be_on_disk_is_unconfirmed(self):
        self.sweep("inbox: mark new-0 processing", "sync", "EIO")

    def test_a_line_in_the_log_that_may_not_be_on_disk_is_unconfirmed(self):
        self.sweep("roo: mark msg-orchestrator failed", "sync", "EIO")

    def test_a_cleanup_that_removed_something_is_not_called_failed(self):
        self.sweep("inbox: cleanup", "sync", "EIO")
        self.sweep("openclaw: cleanup", "open", "EIO", True)
        self.sweep("adr: cleanup", "sync", "EIO", True)

    def test_a_cleanup_says_what_failed_though_others_went_well(self):
        self.sweep("adr: cleanup", "sync", "EIO")

    def test_a_cleanup_that_cannot_tell_how_old_something_is_is_not_done(self):
        self.sweep("inbox: cleanup", "open", "EIO")

    def test_a_broadcast_that_failed_can_be_sent_again(self):
        self.sweep("claude: broadcast --swarm dev", "rename", "EIO", True)

    def test_what_a_killed_change_of_an_agents_log_had_staged_is_told(self):
        self.sweep("roo: archive msg-orchestrator", "rename", "kill")

    def test_a_broadcast_that_failed_is_in_the_outbox_whole_or_not_at_all(self):
        self.sweep("roo: broadcast --all --subject", "sync", "EIO", True)

    def test_rules_that_some_of_a_team_have_got_are_not_called_failed(self):
        self.sweep("claude: rules dev --tool", "rename", "EIO")

    def test_a_head_of_the_ledger_that_was_not_written_whole_is_no_tampering(self):
        self.sweep("claude: shutdown bob --no-verify", "write", "short")
        self.sweep("claude: shutdown bob --no-verify", "write", "ENOSPC", True)

    def test_the_doctor_explains_an_archive_that_left_the_message_in_the_inbox(self):
        for kind in ("unlink", "rename"):
            self.renew()
            trial = self.trial("adr: archive MSG-00000000000c")
            trial.world.put_back()
            result = trial.run(Fault(kind, 1, "EIO", True))
            self.assertEqual(result.rc, UNCONFIRMED, str(result))
            self.assertIn("it is in the archive, and may still be in the inbox", result.err)
            listed = [one for one in trial.world.list("messages", "--all")
                      if one["id"] == "MSG-00000000000c"]
            self.assertEqual([one["status"] for one in listed], ["archived"])
            found, = [one for one in trial.world.list("doctor") if one["check"] == "in-both"]
            self.assertIn("archiving it stopped before it left the inbox, or", found["text"])
            self.run_program("doctor", "--fix", "--yes", cwd=self.project, rc=DONE)
            self.assertFalse(os.path.exists(os.path.join(
                self.project, "workspace/mailboxes/user/inbox/MSG-00000000000c.json")))

    def test_an_inbox_whose_other_lock_cannot_be_opened_is_not_written(self):
        base = self.claude(boxes=[("bob", [])])
        inboxes = os.path.join(base, "teams", "dev", "inboxes")
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"),
                   b"[general]\nlock-timeout = 50ms\n")
        preload, at = Preload(self.box, [inboxes]), 0
        with open(os.path.join(inboxes, ".lock"), "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            while not at or preload.hits():
                at += 1
                result = self.box.run("send", "--to", "bob", "--subject", "s", "--body", "b",
                                      env=preload.env_for(Fault("open", at, "EMFILE")))
                self.assertEqual(result.rc, FAILED, str(result))
        self.assertGreater(at, 1)

    def test_an_interrupted_message_that_cannot_be_read_is_not_called_unsent(self):
        for whole in (False, True):
            with self.subTest(folder=whole):
                self.renew()
                mail = self.adr(to_agent="user")
                preload, world = Preload(self.box, [mail]), World(self)
                killed = self.box.popen("send", "--to", "user", "--subject", "s", "--body", "b",
                                        cwd=self.project, env=preload.env_for(Fault("unlink", 1, "kill")),
                                        stdin=-3)
                killed.communicate(timeout=harness.LIMIT_S)  # it has its final name, and the temporary one, too
                world.pass_time()
                inbox = os.path.join(mail, "user", "inbox")
                name, = [one for one in os.listdir(inbox)
                         if one.startswith("MSG-") and one != "MSG-000000000001.json"]
                drop_privileges(self.box)
                spoiled = inbox if whole else os.path.join(inbox, name)
                os.chmod(spoiled, 0)
                entry, = world.list("outbox")
                os.chmod(spoiled, 0o700)
                self.assertEqual(entry["state"], "sending", entry)
                self.assertIn("Permission denied", entry["problem"])
                self.assertTrue(harness.poll_until(lambda: not world.list("outbox")))

    def test_what_a_killed_decision_had_staged_is_gone_at_the_next_start(self):
        self.sweep("adr: decide MSG-00000000000a accept", "link", "kill")
        self.sweep("claude: shutdown bob --no-verify", "rename", "kill")


if __name__ == "__main__":
    harness.main()
