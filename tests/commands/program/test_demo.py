"""swarmutt demo: agents of every layout live, react to a person's decisions, and leave no files."""
import json
import os
import signal
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from demo import PATIENCE_S, SENT, Demo, processes_of  # noqa: E402
from harness import DONE, REFUSED, USAGE, is_program  # noqa: E402
from processes import children  # noqa: E402

FORMATS = ("claude", "openclaw", "inbox", "adr", "roo")


def is_confined(pid):
    with open(f"/proc/{pid}/status") as file:
        return "NoNewPrivs:\t1\n" in file.read()


class Living(unittest.TestCase):
    def test_every_layout_lives_and_nothing_is_damaged(self):
        demo = Demo(self, "--speed", "30", "--seed", "7")
        first = demo.messages()
        self.assertEqual({one["format"] for one in first.values()}, set(FORMATS))
        kinds = {(one["format"], one["kind"]) for one in demo.json("pending")}
        for wanted in (("claude", "plan"), ("claude", "permission"), ("claude", "host"),
                       ("claude", "shutdown"), ("openclaw", "handoff"), ("inbox", "plan"),
                       ("inbox", "permission"), ("inbox", "question"), ("adr", "handoff"),
                       ("adr", "escalation")):
            self.assertIn(wanted, kinds)
        seen = set()

        def all_live():
            seen.update(one["format"] for id, one in demo.messages().items() if id not in first)
            return seen == set(FORMATS)
        demo.wait("new mail in every layout", all_live)
        clients = {demo.process.pid} | {pid for pid, _ in processes_of(demo.dir)
                                        if pid in children(demo.process.pid)}
        agents = [pid for pid, parent in processes_of(demo.dir)
                  if pid not in clients and not is_program(parent)]
        self.assertEqual(len(agents), 18, "an agent has crashed")
        if "the screens are confined" in demo.run("doctor").out:
            screens = [pid for pid in children(demo.process.pid) if is_program(pid)]
            self.assertEqual([is_confined(pid) for pid in screens], [True])
            self.assertFalse(any(map(is_confined, agents)))
        self.assertEqual(demo.quit(), DONE)
        self.assertIn("its files stay in " + demo.dir, demo.told())
        self.assertEqual(processes_of(demo.dir), [])
        damaged = [one for one in demo.messages().values() if one["damaged"]]
        self.assertEqual(damaged, [])
        found = {one["check"] for one in demo.json("doctor") if "check" in one}
        self.assertLessEqual(found, {"circle", "dead-letter"}, demo.run("doctor").out)
        self.assertFalse([name for _, dirs, names in os.walk(demo.dir) for name in dirs + names
                          if name.endswith((".json.lock", ".json.tmp", ".md.tmp"))])

    def test_somebody_is_stuck_and_two_wait_in_a_circle(self):
        demo = Demo(self, "--speed", "0.1", "--seed", "7")
        states = {one["agent"]: one for one in demo.json("agents")}
        stuck = {name for name, one in states.items() if one["state"] == "STUCK?"}
        self.assertEqual({name.rsplit("-", 1)[0] for name in stuck},
                         {"infra", "importer", "auditor"})
        self.assertIn("no disk left", states[demo.agent("infra")["agent"]]["why"])
        self.assertIn("circle", states[demo.agent("auditor")["agent"]]["why"])
        self.assertIn("completed", {one["state"] for one in demo.json("handoffs")})

    def test_one_layout_alone_and_any_number_of_agents(self):
        for layout in FORMATS:
            demo = Demo(self, "--format", layout, "--agents", "3", "--speed", "0.1")
            self.assertEqual([one["format"] for one in demo.json("sources")], [layout])
            self.assertEqual(len(demo.json("agents")), 3, layout)
            demo.quit()
        demo = Demo(self, "--agents", "1")
        self.assertEqual(len(demo.json("agents")), 1)

    def test_the_same_seed_tells_the_same_story(self):
        def story(seed):
            demo = Demo(self, "--speed", "0.1", "--seed", seed)
            told = demo.json("messages", "--all", "--bodies")
            demo.quit()
            return (sorted((one["from"], one["to"], one["subject"], one["body"]) for one in told
                           if one["format"] != "claude"),
                    {one["id"] for one in told if one["format"] == "adr"})
        one, again, other = story("11"), story("11"), story("12")
        self.assertEqual(one, again)
        self.assertFalse(one[1] & other[1])


class Reactions(unittest.TestCase):
    def setUp(self):
        self.demo = Demo(self, "--speed", "5", "--seed", "7")

    def test_claude_reacts_to_decisions(self):
        demo = self.demo
        words = "Leave the login pages alone."
        plan = demo.decide("plan", "claude", "reject", "--feedback", words)
        demo.wait("a plan that answers it", lambda: any(
            words in json.dumps(one["protocol"]) for one in demo.json("pending")
            if one["from"] == plan["from"]))
        demo.decide("permission", "claude", "grant", says="$ rm -rf build/ && make check")
        demo.decide("host", "claude", "deny-host", says="no connection to")
        demo.decide("plan", "claude", "approve", says="first step")
        demo.wait("the ledger says that they reacted", lambda: {
            "confirmed"} == {one["state"] for one in demo.json("log")})

    def test_the_others_react_to_decisions(self):
        demo = self.demo
        demo.decide("permission", "inbox", "deny", "--feedback", "Not on that table.",
                    says="> Not on that table.")
        demo.decide("plan", "inbox", "approve", test=lambda one: one["reply_to"])
        demo.decide("escalation", "adr", "accept", "--feedback", "The one with 412.00.",
                    says="412.00")
        demo.decide("question", "inbox", "accept", says="settles it")
        demo.decide("handoff", "adr", "accept", says="Thank you")
        demo.decide("handoff", "openclaw", "decline", "--feedback", "Please finish it.",
                    says="I keep it")

    def test_words_are_answered_by_anybody(self):
        demo = self.demo
        demo.write(demo.agent("infra")["agent"], "Is there disk now?", says="I am here again")
        demo.write(demo.agent("auditor")["agent"], "Please answer first.")
        demo.wait("the circle is gone", lambda: not any(
            "circle" in one["why"] for one in demo.json("agents")))
        demo.write(demo.agent("crawler")["agent"], "How far are you?")
        demo.write(demo.agent("worker")["agent"], "How far are you?")

    def test_no_sender_makes_an_agent_write_outside_of_the_demo(self):
        demo = self.demo
        agent = next(one["agent"] for one in demo.json("agents") if one["format"] == "claude")
        run = demo.run("--as", "../../../../../outside", "send", "--to", agent, "--subject", "s",
                       "--body", "How far are you?")
        self.assertIn(run.rc, SENT, str(run))
        demo.write(agent, "And now?")
        demo.write(agent, "And then?")  # answered after the first
        self.assertEqual(sorted(os.listdir(demo.box.root)), ["demo", "home", "said", "tmp"])

    def test_work_that_is_handed_over_is_accepted_and_completed(self):
        demo = self.demo
        taker = demo.agent("exporter")["agent"]
        run = demo.run("handoff", "--to", taker, "--subject", "Export", "--done", "half of it",
                       "--state", "12 of 24", "--next", "the rest")
        self.assertIn(run.rc, SENT, str(run))
        demo.wait("it is completed", lambda: any(
            one["state"] == "completed" for one in demo.json("handoffs")
            if one["id"] == run.out.strip()))

    def test_who_is_asked_to_stop_stops_or_says_why_not(self):
        demo = self.demo
        tester, docs = demo.agent("tester")["agent"], demo.agent("docs")["agent"]
        before = set(demo.messages())
        self.assertIn(demo.run("shutdown", tester, "--reason", "enough").rc, SENT)
        demo.answer(before, tester, "team-lead", lambda one: one["type"] == "shutdown_rejected")
        self.assertIn(demo.run("shutdown", docs, "--reason", "enough").rc, SENT)
        demo.wait("who refused before stops", lambda: demo.agent("docs")["state"] == "GONE")
        with open(os.path.join(demo.dir, ".claude/teams/checkout/config.json")) as config:
            self.assertNotIn(docs, [one["name"] for one in json.load(config)["members"]])
        self.assertEqual(demo.quit(), DONE)  # although one agent has ended before


class Ends(unittest.TestCase):
    def start(self):
        demo = Demo(self, "--agents", "6", "--speed", "5", keep=False)
        self.assertEqual(os.path.dirname(demo.dir), demo.box.env["TMPDIR"])
        self.assertGreater(len(processes_of(demo.dir)), 6)
        return demo

    def assert_gone(self, demo):
        demo.wait("no process is left", lambda: processes_of(demo.dir) == [])
        demo.wait("the directory is removed", lambda: not os.path.exists(demo.dir))
        self.assertEqual(os.listdir(demo.box.env["TMPDIR"]), [])
        self.assertEqual(os.listdir(demo.box.home), [])  # no config, state or mail

    def test_all_is_removed_when_the_person_quits(self):
        demo = self.start()
        demo.run("send", "--to", "builder-1", "--subject", "s", "--body", "b")
        self.assertEqual(demo.quit(), DONE)
        self.assertFalse(os.path.exists(demo.dir))
        self.assertIn(f"{demo.dir} is removed", demo.told())
        self.assert_gone(demo)

    def test_all_is_removed_when_a_signal_ends_it(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            demo = self.start()
            demo.process.send_signal(number)
            self.assertEqual(demo.process.wait(PATIENCE_S), -number)
            self.assertFalse(os.path.exists(demo.dir))
            self.assert_gone(demo)

    def test_all_is_removed_when_it_is_killed(self):
        demo = self.start()
        demo.process.kill()
        demo.process.wait(PATIENCE_S)
        self.assert_gone(demo)

    def test_all_is_removed_when_the_screens_are_killed(self):
        demo = self.start()
        swarm = {pid for pid, _ in processes_of(demo.dir)}
        screens, = children(demo.process.pid) - swarm
        os.kill(screens, signal.SIGKILL)
        self.assertEqual(demo.process.wait(PATIENCE_S), -signal.SIGKILL)
        self.assertFalse(os.path.exists(demo.dir))
        self.assert_gone(demo)

    def test_all_is_removed_when_the_swarm_is_killed(self):
        demo = self.start()
        swarm, = (pid for pid, parent in processes_of(demo.dir) if parent == demo.process.pid)
        os.kill(swarm, signal.SIGKILL)
        demo.wait("the agents end", lambda: processes_of(demo.dir) == [])
        self.assertEqual(demo.quit(), DONE)
        self.assert_gone(demo)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.box = harness.Home()
        self.addCleanup(self.box.close)

    def test_values_that_make_no_sense_get_a_sentence(self):
        for words, sentence in ((("--agents", "0"), "from 1 to 200"),
                                (("--agents", "201"), "from 1 to 200"),
                                (("--agents", "few"), '"few"'),
                                (("--speed", "0"), "from 0.1 to 100"),
                                (("--speed", "nan"), "from 0.1 to 100"),
                                (("--seed", "-1"), "whole number"),
                                (("--format", "mbox"), "swarmutt formats"),
                                (("--source", "x"), "mailboxes of its own")):
            run = self.box.run("demo", "--plain", *words)
            self.assertEqual(run.rc, USAGE, str(run))
            self.assertIn(sentence, run.err)

    def test_it_needs_a_terminal_or_plain_mode(self):
        run = self.box.run("demo")
        self.assertEqual(run.rc, USAGE, str(run))
        self.assertIn("--plain", run.err)

    def test_a_directory_with_something_in_it_is_left_alone(self):
        path = os.path.join(self.box.home, "mine")
        os.mkdir(path)
        with open(os.path.join(path, "file"), "w") as file:
            file.write("mine")
        run = self.box.run("demo", "--plain", "--keep", path)
        self.assertEqual(run.rc, REFUSED, str(run))
        self.assertEqual(os.listdir(path), ["file"])

    def test_without_its_agents_it_says_so_and_leaves_nothing(self):
        tmp = os.path.join(self.box.root, "tmp")
        os.mkdir(tmp)
        for program in ("/nonexistent/swarm", "/bin/false"):
            run = self.box.run("demo", "--plain", env={"SWARMUTT_SWARM": program, "TMPDIR": tmp})
            self.assertEqual(run.rc, harness.FAILED, str(run))
            self.assertIn("agents", run.err)
            self.assertEqual(os.listdir(tmp), [])

    def test_who_has_no_mailboxes_is_told_of_it(self):
        run = self.box.run("sources")
        if run.rc == DONE:
            self.skipTest("there are mailboxes above the directory for temporary files")
        self.assertIn("swarmutt demo", run.err)


if __name__ == "__main__":
    harness.main()
