"""Decisions on requests of a teammate's program in Node, which also reads them, with the genuine
lock."""
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
import ledger  # noqa: E402
import node_modules  # noqa: E402
from claude_case import ClaudeCase, as_node, entry  # noqa: E402
from harness import DONE, NOTHING, REFUSED, poll_until  # noqa: E402
from processes import wait_for_staging  # noqa: E402

# Values that change when they are parsed as numbers and printed again.
ODD = ('{"command":"printf \'a\\u00e9\\/b\'","zz":12345678901234567890123,"a":1.10e+2,'
       '"deep":{"b":[1,  2],"a":null}}')
ENVELOPE = ["from", "text", "timestamp", "read"]


class DecideCase(ClaudeCase):

    def ask(self, kind, name="r-1", *more, agent="alice"):
        """Writes a request as a teammate; returns its text."""
        said, = self.start_peer(
            node_modules.command("claude_asker.js", self.box.base, "demo", agent, kind, name, *more),
            node_modules.environment()).finish()
        return said["text"]

    def waiting(self, rc=DONE):
        return self.run_json("pending", rc=rc)

    def sum(self):
        one, = self.waiting()
        self.assertIsNone(one["refusal"], one)
        return one["sha256"]

    def decide(self, *words, name="r-1", rc=DONE, expect=None, **more):
        return self.run_program("decide", name, *words, "--expect", expect or self.sum(), rc=rc,
                                **more)

    def strict(self, agent="alice"):
        """Returns the mail that a teammate's own program reads: messages and problems."""
        peer = self.start_peer(
            node_modules.command("claude_teammate.js", self.box.base, "demo", agent),
            node_modules.environment())
        said = peer.next()
        self.assertEqual(peer.finish(), [])
        self.assertEqual(said["problems"], [], said)
        return said["message"]

    def answer(self, agent="alice"):
        """Returns the only entry of an inbox: the text of the answer, and its parsed message."""
        one, = self.box.entries(agent)
        self.assertEqual(self.box.read(agent), as_node([one]))
        self.assertEqual(list(one), ENVELOPE)
        self.assertEqual((one["from"], one["read"]), ("team-lead", False))
        return one["text"], json.loads(one["text"])

    def events(self):
        """Returns the events of every decision in the ledger, and checks its chain."""
        path = os.path.join(self.box.state, "swarmutt", "ledger")
        found = {}
        for line in ledger.check(path) if os.path.exists(path) else ():
            found.setdefault(line["decision"], []).append(line["event"])
        self.run_program("log", "verify")
        return list(found.values())


class TheCheck(DecideCase):
    """The teammate is strict: an answer with any deviation is rejected."""

    TIME = "2026-02-07T15:35:15.573Z"

    def complaints(self, message):
        text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
        self.box.put("alice", [{"from": "team-lead", "text": text, "timestamp": self.TIME,
                                "read": False}])
        peer = self.start_peer(
            node_modules.command("claude_teammate.js", self.box.base, "demo", "alice"),
            node_modules.environment())
        said = peer.next()
        peer.finish()
        return said["problems"]

    def test_only_the_right_members_in_the_right_order_pass(self):
        yes = {"type": "plan_approval_response", "requestId": "r", "approved": True,
               "timestamp": self.TIME, "permissionMode": "default"}
        grant = {"type": "permission_response", "request_id": "r", "subtype": "success",
                 "response": {"updated_input": {}, "permission_updates": []}}
        for right in yes, grant:
            self.assertEqual(self.complaints(right), [])
        for wrong in (dict(yes, feedback="x"), dict(yes, approved=False), dict(yes, approved=1),
                      dict(yes, permissionMode="all"), dict(grant, error="x"),
                      dict(grant, subtype="error"), dict(grant, response={"updated_input": {}}),
                      dict(reversed(yes.items())), dict(grant, requestId="r")):
            with self.subTest(wrong=wrong):
                self.assertNotEqual(self.complaints(wrong), [])


class Removed(DecideCase):
    """Newer programs remove an answer from their inbox when they read it."""

    def setUp(self):
        super().setUp()
        self.ask("plan")
        self.expect = self.sum()

    def assert_answered(self):
        self.waiting(rc=NOTHING)
        self.assertNotIn("WAITS-YOU", [one["state"] for one in self.run_json("agents")])
        self.assertIn("answered already", self.decide("approve", expect=self.expect,
                                                       rc=REFUSED).err)

    def test_a_request_does_not_wait_again_when_its_answer_was_taken(self):
        self.decide("approve", expect=self.expect)
        self.box.put("alice", [])
        self.assert_answered()

    def test_a_request_does_not_wait_again_when_a_later_plan_was_refused(self):
        self.decide("approve", expect=self.expect)
        self.box.put("alice", [])
        self.ask("plan", "r-2")
        self.decide("reject", "--feedback", "no", name="r-2")
        self.box.put("alice", [])
        self.assert_answered()

    def test_a_request_waits_again_when_its_answer_was_overwritten(self):
        self.box.put("alice", [entry(1)])
        self.decide("approve", expect=self.expect)
        self.box.put("alice", [entry(1), entry(9)])  # by a program that read it before the answer came
        self.assertTrue(poll_until(lambda: "lost" in [event for one in self.events()
                                                      for event in one]))
        self.assertEqual(self.sum(), self.expect)

    def test_what_the_ledger_knows_is_noted_again_where_the_local_state_was_lost(self):
        self.decide("approve", expect=self.expect)
        self.box.put("alice", [])
        for name in os.listdir(os.path.join(self.box.state, "swarmutt")):
            if name.startswith("state.db"):
                os.unlink(os.path.join(self.box.state, "swarmutt", name))
        self.assertEqual(self.sum(), self.expect)
        self.decide("approve", expect=self.expect, rc=REFUSED)
        self.assert_answered()


class Answers(DecideCase):
    """Compares answers to the byte, except for the time."""

    def test_a_permission_is_granted_with_its_own_bytes(self):
        asked = self.ask("permission", "perm-1-abc", ODD)
        self.assertIn(ODD, asked)
        self.decide("grant", name="perm-1-abc")
        text, _ = self.answer()
        self.assertEqual(text, '{"type":"permission_response","request_id":"perm-1-abc",'
                               '"subtype":"success","response":{"updated_input":' + ODD +
                               ',"permission_updates":[]}}')
        self.assertEqual(self.events(), [["intent", "delivered", "verified"]])
        self.waiting(rc=NOTHING)

    def test_a_granted_permission_is_taken_by_the_teammate(self):
        self.ask("permission")
        self.decide("grant", "--suggestion", "1")
        got = self.strict()
        self.assertEqual(got["response"], {
            "updated_input": {"command": "ls"},
            "permission_updates": [{"type": "addRules",
                                    "rules": [{"toolName": "Bash", "ruleContent": "ls:*"}],
                                    "behavior": "allow", "destination": "session"}]})
        self.assert_tidy("alice", "team-lead")

    def test_a_permission_is_denied(self):
        self.ask("permission")
        self.decide("deny")
        self.assertEqual(self.answer()[0], '{"type":"permission_response","request_id":"r-1",'
                                           '"subtype":"error","error":"Permission denied"}')
        self.strict()

    def test_a_permission_is_denied_for_a_reason(self):
        self.ask("permission")
        self.decide("deny", "--feedback", 'not "now"')
        self.assertEqual(self.strict()["error"], 'not "now"')

    def test_a_plan_is_approved(self):
        for mode, words in ("default", ()), ("acceptEdits", ("--mode", "acceptEdits")):
            with self.subTest(mode=mode):
                self.ask("plan", mode)
                self.box.put("alice", [])
                self.decide("approve", *words, name=mode)
                text, got = self.answer()
                self.assertEqual(text, '{"type":"plan_approval_response","requestId":"%s",'
                                       '"approved":true,"timestamp":"%s","permissionMode":"%s"}'
                                 % (mode, got["timestamp"], mode))
                self.strict()

    def test_what_is_said_with_an_approval_is_a_message_of_its_own(self):
        self.ask("plan")
        self.decide("approve", "--feedback", "but mind the tests")
        answer, words = self.box.entries("alice")
        self.assertNotIn("mind the tests", answer["text"])
        self.assertEqual((words["text"], words["read"]), ("but mind the tests", False))
        self.box.put("alice", [answer])
        self.assertNotIn("feedback", self.strict())

    def test_a_plan_is_rejected(self):
        self.ask("plan")
        self.decide("reject", "--feedback", "too big")
        text, got = self.answer()
        self.assertEqual(text, '{"type":"plan_approval_response","requestId":"r-1","approved":false,'
                               '"feedback":"too big","timestamp":"%s"}' % got["timestamp"])
        self.strict()

    def test_a_host_is_allowed_or_denied(self):
        for verb, word in ("allow-host", "true"), ("deny-host", "false"):
            with self.subTest(verb=verb):
                self.box.put("team-lead", [])
                self.box.put("alice", [])
                self.ask("host", verb)
                self.decide(verb, name=verb)
                text, got = self.answer()
                self.assertEqual(text, '{"type":"sandbox_permission_response","requestId":"%s",'
                                       '"host":"example.org","allow":%s,"timestamp":"%s"}'
                                 % (verb, word, got["timestamp"]))
                self.strict()


class Between(DecideCase):
    """Changes between reading the request and the lock."""

    def setUp(self):
        super().setUp()
        self.box.put("alice", [])
        self.ask("permission")
        self.expect = self.sum()

    def hold(self, agent="alice"):
        holder = self.start_node("hold", agent=agent)
        self.assertEqual(holder.next(), {"held": True})
        return holder

    def start_waiting(self, *words):
        """Decides while the teammate holds its own lock; returns when only the lock is missing."""
        process = self.start("decide", "r-1", *(words or ("grant",)), "--expect", self.expect)
        wait_for_staging(self.box.inboxes, process)
        self.assertIsNone(process.poll())
        return process

    def rewrite(self, agent, entries):
        """Replaces the inbox atomically."""
        path = self.box.path(agent)
        with open(path + ".new", "wb") as file:
            file.write(as_node(entries))
        os.rename(path + ".new", path)

    def refused(self, holder, process, *words, answers=0):
        holder.finish()
        result = self.finish(process, REFUSED)
        for word in words:
            self.assertIn(word, result.err)
        self.assertEqual(len(self.box.entries("alice")), answers)
        self.assert_tidy("alice", "team-lead")
        self.assertEqual(self.events(), [["intent", "refused"]])
        return result

    def test_a_teammate_that_holds_its_lock_is_waited_for(self):
        holder = self.hold()
        process = self.start_waiting()
        self.assertEqual(self.box.entries("alice"), [])
        holder.finish()
        self.finish(process, DONE)
        self.strict()
        self.assertEqual(self.events(), [["intent", "delivered", "verified"]])

    def test_no_other_lock_is_taken(self):
        holder = self.hold("team-lead")
        self.decide("grant", expect=self.expect)
        holder.finish()
        self.strict()

    def test_a_request_that_is_swapped_while_the_lock_is_waited_for_is_refused(self):
        asked, = self.box.entries("team-lead")
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("team-lead", [dict(asked, text=asked["text"].replace('"ls"', '"rm -rf /"'))])
        self.refused(holder, process, "the request is not there any more")

    def test_a_request_with_an_id_of_its_own_that_is_swapped_is_refused(self):
        asked, = self.box.entries("team-lead")
        named = dict(asked, msgV=1, msg_id="0b1f4c5e-0000-4000-8000-000000000001")
        self.rewrite("team-lead", [named])
        self.expect = self.sum()
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("team-lead", [dict(named, text=named["text"].replace('"ls"', '"ls -a"'))])
        result = self.refused(holder, process, "is not what was shown any more")
        self.assertIn("ls -a", result.out)

    def test_a_swap_that_sets_the_times_of_the_file_back_is_refused(self):
        """In place, with the same size, in a file that is old enough for a cache."""
        asked, = self.box.entries("team-lead")
        path = self.box.path("team-lead")
        self.assertTrue(poll_until(lambda: time.time() - os.stat(path).st_ctime > 2.5))
        before = os.stat(path)
        holder = self.hold()
        process = self.start_waiting()
        with open(path, "r+b") as file:
            file.write(as_node([dict(asked, text=asked["text"].replace('"ls"', '"dd"'))]))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        now = os.stat(path)
        self.assertEqual((now.st_ino, now.st_size, now.st_mtime_ns),
                         (before.st_ino, before.st_size, before.st_mtime_ns))
        self.refused(holder, process, "the request is not there any more")

    def test_a_request_that_is_taken_back_while_the_lock_is_waited_for_is_refused(self):
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("team-lead", [])
        self.refused(holder, process, "not there any more")

    def test_a_request_that_is_only_marked_while_the_lock_is_waited_for_is_answered(self):
        asked, = self.box.entries("team-lead")
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("team-lead", [dict(asked, read=True)])
        holder.finish()
        self.finish(process, DONE)
        self.strict()

    def test_a_request_whose_inbox_is_half_written_under_the_lock_is_looked_at_again(self):
        """A program that marks its mail in place: for a moment the file is incomplete."""
        path, data = self.box.path("team-lead"), self.box.read("team-lead")
        holder = self.hold()
        process = self.start_waiting()

        def has_looked():
            os.utime(path)  # as if its writer were still running, however slow this machine is
            names = os.listdir(self.box.inboxes)
            return process.poll() is not None or not any(one.endswith(".tmp") for one in names)

        with open(path, "wb", buffering=0) as file:
            file.write(data[:len(data) // 2])
            holder.finish()
            self.assertTrue(poll_until(has_looked))
            self.assertEqual(self.box.entries("alice"), [])
            file.write(data[len(data) // 2:])
        self.finish(process, DONE)
        self.strict()
        self.assertEqual(self.events(), [["intent", "delivered", "verified"]])

    def test_an_answer_of_somebody_else_while_the_lock_is_waited_for_is_the_only_one(self):
        other = entry(1, **{"from": "team-lead", "summary": None, "color": None, "text": json.dumps(
            {"type": "permission_response", "request_id": "r-1", "subtype": "error",
             "error": "no"}, separators=(",", ":"))})
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("alice", [other])
        self.refused(holder, process, "answered already", '"team-lead" said no', answers=1)
        self.assertEqual(self.box.entries("alice"), [other])

    def test_other_mail_that_comes_while_the_lock_is_waited_for_does_not_hinder(self):
        holder = self.hold()
        process = self.start_waiting()
        self.rewrite("alice", [entry(1)])
        holder.finish()
        self.finish(process, DONE)
        self.assertEqual(len(self.box.entries("alice")), 2)

    def test_of_many_at_once_exactly_one_decides(self):
        for round in range(4):
            name = f"many-{round}"
            self.box.put("team-lead", [])
            self.ask("permission", name)
            self.expect = self.sum()
            before = len(self.box.entries("alice"))
            running = [self.start("decide", name, verb, "--expect", self.expect)
                       for verb in ("grant", "deny", "grant", "deny")]
            codes = sorted(self.finish(process, DONE, REFUSED).rc for process in running)
            self.assertEqual(codes, [DONE, REFUSED, REFUSED, REFUSED])
            self.assertEqual(len(self.box.entries("alice")), before + 1)
        done = [events for events in self.events() if "verified" in events]
        self.assertEqual(len(done), 4)


if __name__ == "__main__":
    node_modules.require()
    harness.main()
