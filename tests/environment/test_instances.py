"""Several instances at once on the same mailboxes and the same local state: open screens, and
commands that change things. Every acknowledged change is there once, and a decision is made once."""
import collections
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, FAILED, NOTHING, REFUSED, SOAK, UNCONFIRMED, Line, MatrixCase, harness
from processes import run_together
from screens import QUIT, Screens

ROUNDS = 12 if SOAK else 3
SENDERS = ("bob@dev", "tm1@web", "pm", "tester", "alice")
PROCESSES = 4


class Instances(MatrixCase):

    def open_screens(self):
        both = [Screens(self), Screens(self)]
        for one in both:
            one.wait(b"watch ok")
        return both

    def close_screens(self, both):
        for one in both:
            one.type(QUIT)
            self.assertEqual(one.end(), DONE)

    def run_many(self, line):
        """Runs the same command in several processes at once; returns their results."""
        results = []
        run_together(*[lambda: results.append(self.run_line(line))] * PROCESSES)
        return results

    def test_whatever_was_acknowledged_is_there_once(self):
        both = self.open_screens()
        acknowledged = []

        def send(to, number):
            line = Line("send", "--to", to, "--subject", "s", "--body", f"{to} {number}", "--no-verify")
            result = self.run_line(line)
            self.assertEqual(result.rc, DONE, str(result))
            acknowledged.append(result.out.strip())

        for number in range(ROUNDS):
            run_together(*(lambda to=to: send(to, number) for to in SENDERS),
                         lambda: self.run_line(Line("list")), lambda: self.run_line(Line("sent")))
        waiting = {one["id"] for one in self.world.list("outbox") if one["state"] == "queued"}
        listed = collections.Counter(one["id"] for one in self.world.list("messages", "--all"))
        for id in acknowledged:
            self.assertEqual(listed[id] + (id in waiting), 1, id)
        self.assertEqual(len(set(acknowledged)), ROUNDS * len(SENDERS))
        self.close_screens(both)
        self.assert_state_whole()
        self.assertFalse(self.world.read()[1], "something was left behind")

    def test_a_decision_is_made_by_one_of_them(self):
        both = self.open_screens()
        codes = [result.rc for result in self.run_many(self.writing[0])]
        self.assertEqual(codes.count(DONE), 1, codes)
        self.assertLessEqual(set(codes), {DONE, NOTHING, REFUSED}, codes)
        now = self.world.view()
        self.assertEqual(self.run_line(Line("log", "verify")).rc, DONE)
        self.close_screens(both)
        self.written = True
        self.assertEqual(now, self.undisturbed_view(self.writing[0]))

    def test_orders_of_several_are_all_in_the_log(self):
        results = self.run_many(Line("shutdown", "bob@dev", "--no-verify"))
        self.assertEqual([result.rc for result in results], [DONE] * PROCESSES, str(results[0]))
        self.assertEqual(self.run_line(Line("log", "verify")).rc, DONE)
        orders = {one["decision"] for one in self.world.list("log")}
        self.assertEqual(len(orders), PROCESSES)
        path = os.path.join(self.box.home, ".claude/teams/dev/inboxes/bob.json")
        with open(path, "rb") as file:
            self.assertEqual(len(json.load(file)), 1 + PROCESSES)

    def test_a_change_that_several_make_is_made_once(self):
        for line in self.writing:
            if line.name not in ("mark", "archive", "restore", "cleanup"):
                continue
            with self.subTest(line=str(line)):
                _, after = self.undisturbed(line)
                self.renew(line)
                codes = {result.rc for result in self.run_many(line)}
                # Each of several cleanups may meet a file that another one changes just then.
                done = {DONE, UNCONFIRMED} if line.name == "cleanup" else {DONE}
                self.assertTrue(codes & done, codes)
                self.assertLessEqual(codes, {DONE, NOTHING, REFUSED, FAILED, UNCONFIRMED})
                now = self.world.view()
                if line.words[1:2] == ("msg-orchestrator",):  # each adds a line to progress.md
                    now, after = ({name for name, _ in view} for view in (now, after))
                self.assertEqual(now, after)


if __name__ == "__main__":
    harness.main()
