"""list and pending: conversations in the order of the inbox, and the queue of decisions."""
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import NOTHING, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402

FROZEN = {"SWARMUTT_NOW": "2026-02-07T16:00:00Z"}
HOSTILE = "a\x1b[31m\u202e\nb"


def at(minutes):
    """Returns the time that many minutes ago."""
    return f"2026-02-07T{(16 * 60 - minutes) // 60:02d}:{(16 * 60 - minutes) % 60:02d}:00.000Z"


def permission(id, command, tool="Bash"):
    return {"type": "permission_request", "request_id": id, "agent_id": "bob", "tool_name": tool,
            "tool_use_id": "toolu_1", "description": "a description", "input": {"command": command},
            "permission_suggestions": []}


def granted(id):
    return {"type": "permission_response", "request_id": id, "subtype": "success", "response": {}}


def plan(id, text):
    return {"type": "plan_approval_request", "from": "bob", "timestamp": at(0),
            "planFilePath": "/tmp/plan.md", "planContent": text, "requestId": id}


def host(id, name):
    return {"type": "sandbox_permission_request", "requestId": id, "workerId": "bob@dev",
            "workerName": "bob", "hostPattern": {"host": name}, "createdAt": 1}


def idle(minutes, reason="available", **more):
    return {"type": "idle_notification", "from": "bob", "timestamp": at(minutes),
            "idleReason": reason, **more}


class ListCase(LayoutCase):
    """The time is fixed, and the program runs in the directory of the mailboxes."""

    identity = ()

    def run_program(self, *args, **more):
        more.setdefault("cwd", self.project)
        return super().run_program(*args, *self.identity, env=FROZEN, **more)

    def subjects(self, *args, **more):
        return [one["subject"] for one in self.run_json("list", *args, **more)]

    def one(self, subject, *args):
        found = [one for one in self.run_json("list", *args) if one["subject"] == subject]
        self.assertEqual(len(found), 1, found)
        return found[0]


class ClaudeList(ListCase):
    """The person is the lead of the team dev."""

    def say(self, minutes, what, sender="bob", read=False, **more):
        text = what if isinstance(what, str) else json.dumps(what)
        return self.entry(text, sender=sender, read=read, timestamp=at(minutes), **more)

    def swarm(self, *more):
        """Writes mail for every part of the list, in no order."""
        self.claude(members=("team-lead", "bob", "ann"), boxes=[
            ("team-lead", [
                self.say(90, permission("perm-1", "make\nmake check"), read=True),
                self.say(80, permission("perm-2", "ls"), read=True),
                self.say(60, plan("plan-1", "# First plan\n\nAll of it."), sender="ann"),
                self.say(50, "good morning", sender="ann", summary="Morning"),
                self.say(40, plan("plan-2", "# Narrow plan\n\nLess."), sender="ann"),
                self.say(30, host("host-1", "example.org")),
                self.say(20, "done", sender="ann", read=True, summary="Finished"),
                *[self.say(70 - number, idle(70 - number)) for number in range(40)],
                *more]),
            ("bob", [
                self.say(75, granted("perm-2"), sender="team-lead", read=True),
                self.say(25, "please look", sender="ann", summary="A look")])])

    def test_what_waits_for_the_person_comes_first_and_idle_agents_last(self):
        self.swarm()
        self.assertEqual(self.subjects(),
                         ["Permission: Bash: make ...", "Plan for approval: Narrow plan",
                          "Host: example.org", "Morning", "A look", "Finished",
                          "Permission: Bash: ls", "Idle: available"])

    def test_a_line_is_read_at_a_glance(self):
        self.swarm()
        self.assertEqual(self.run_program("list").lines, [
            "!   1h bob      PERM    Bash: make ...  waits for you",
            "!  40m ann      PLAN    Narrow plan [2]  waits for you",
            "!  30m bob      HOST    example.org  waits for you",
            "N  50m ann      msg     Morning  1 unread",
            "   25m ann, bob msg     A look  1 unread",
            "   20m ann      msg     Finished",
            "    1h bob      PERM    Permission: Bash: ls [2]",
            "   31m bob      idle    Idle: available [40]"])

    def test_a_terminal_has_headings_and_an_end(self):
        self.swarm()
        result = self.box.run_tty("list", env=FROZEN)
        heads = [line for line in result.out.splitlines() if line.startswith("-- ")]
        self.assertEqual([head.rstrip("-").strip() for head in heads],
                         ["-- needs you (3)", "-- unread (1)", "-- with the agents (1)",
                          "-- read (3)"])
        self.assertEqual(len(result.out.splitlines()), 8 + 4)

    def test_what_presses_does_not_scroll_away_on_a_small_terminal(self):
        self.swarm()
        result = self.box.run_tty("list", env=FROZEN, size=(7, 80), tty=("stdout",))
        shown = [line for line in result.lines if not line.startswith("-- ")]
        self.assertEqual([line[0] for line in shown], ["!", "!", "!", "N"])
        self.assertIn("4 more; all of them with list --limit 8", result.err)
        self.assertEqual(len(self.box.run_tty("list", env=FROZEN, size=(40, 80)).lines), 12)

    def test_a_line_of_json_tells_who_waits_for_whom(self):
        self.swarm()
        found = self.one("Plan for approval: Narrow plan")
        self.assertRegex(" ".join(found.pop("messages")), r"^inbox-\w+ inbox-\w+$")
        self.assertEqual(found, {
            "v": 1, "thread": "plan-1", "subject": "Plan for approval: Narrow plan", "kind": "plan",
            "priority": "normal", "unread": 2, "count": 2, "participants": ["ann", "team-lead"],
            "last_at": "2026-02-07T15:20:00Z", "waiting_on": "team-lead", "waiting_s": 2400})
        found = self.one("A look")
        self.assertEqual((found["kind"], found["waiting_on"], found["waiting_s"]),
                         ("message", None, None))

    def test_a_request_and_its_answer_are_one_conversation_that_waits_for_nobody(self):
        self.swarm()
        answered = self.run_json("list")[6]
        self.assertEqual((answered["thread"], answered["count"], answered["waiting_on"]),
                         ("perm-2", 2, None))
        self.assertEqual(answered["participants"], ["bob", "team-lead"])

    def test_messages_are_named_oldest_first_and_can_be_shown(self):
        self.swarm()
        first, second = self.one("Plan for approval: Narrow plan")["messages"]
        self.assertIn("First plan", self.run_one("show", first)["body"])
        self.assertIn("Narrow plan", self.run_one("show", second)["body"])
        shown = [one["id"] for one in self.run_json("thread", second)]
        self.assertEqual(shown, [first, second])

    def test_an_agent_that_failed_is_not_lost_among_idle_ones(self):
        self.swarm(self.say(15, idle(15, "failed", failureReason="no disk left")),
                   self.say(10, idle(10)))
        lines = self.run_program("list").lines
        self.assertEqual(lines[4], "   10m bob      idle    Idle: failed - no disk left [42]"
                         .replace("   10m", "N  10m"))
        self.assertEqual(len(lines), 8)

    def test_the_scope_is_mine_all_or_an_agent(self):
        self.swarm()
        everything = self.subjects()
        self.assertEqual(self.subjects("--scope", "all"), everything)
        self.assertEqual(self.subjects("--scope", "mine"),
                         [one for one in everything if one != "A look"])
        self.assertEqual(self.subjects("--scope", "ann"),
                         ["Plan for approval: Narrow plan", "Morning", "A look", "Finished"])
        self.assertEqual(self.subjects("--scope", "ann@dev"), self.subjects("--scope", "ann"))
        result = self.run_program("list", "--scope", "anne", rc=NOTHING)
        self.assert_says(result, 'nothing from or to "anne"', '"ann"')

    def test_mine_leaves_out_who_is_stuck_in_others_conversations(self):
        self.claude(members=("team-lead", "bob", "ann"), boxes=[
            ("team-lead", [self.say(20, "done", sender="ann", read=True, summary="Finished")]),
            ("bob", [self.say(500, "please look", sender="ann", summary="A look")]),
            ("ann", [self.say(600, "no disk left", sender="bob", read=True, summary="My disk")])])
        shown = self.run_program("list").out
        self.assertIn("STUCK?", shown)
        mine = self.run_program("list", "--scope", "mine").lines
        self.assertEqual([line.split("  ")[-1].strip() for line in mine], ["Finished"])
        self.assertEqual(self.subjects("--scope", "mine"), ["Finished"])

    def test_a_limit_takes_the_first(self):
        self.swarm()
        self.assertEqual(self.subjects("--limit", "2"), self.subjects()[:2])
        self.assertEqual(len(self.run_program("list", "--limit", "3").lines), 3)

    def test_what_was_put_away_here_is_still_what_it_was(self):
        self.swarm()
        found = self.one("Host: example.org")
        self.run_program("archive", found["messages"][0])
        self.assertNotIn("Host: example.org", self.subjects())
        archived = self.one("Host: example.org", "--archive")
        self.assertEqual((archived["kind"], archived["messages"], archived["waiting_on"]),
                         ("host", found["messages"], None))

    def test_agent_text_reaches_no_terminal_raw(self):
        self.claude(boxes=[("team-lead", [
            self.say(5, permission("p", HOSTILE, tool=HOSTILE), sender=HOSTILE),
            self.say(5, "x", sender=HOSTILE, summary=HOSTILE)])])
        for command in (("list",), ("pending",)):
            result = self.run_program(*command)
            self.assertNotRegex(result.out.replace("\n", ""), "[\x00-\x1f\x7f\u202e]")
            self.assertIn("^[[31m<U+202E>", result.out)
            self.assertEqual(len(result.lines), 2 if command == ("list",) else 1)

    def test_pending_is_the_queue_of_decisions(self):
        self.swarm()
        ids = [one["id"] for one in self.run_json("pending")]
        self.assertEqual(self.run_program("pending").lines, [
            f"  1h bob PERM    Bash: make ...  {ids[0]}",
            f" 40m ann PLAN    Narrow plan  [REFUSED]  {ids[1]}",
            f" 30m bob HOST    example.org  {ids[2]}"])

    def test_pending_tells_programs_what_is_asked(self):
        self.swarm()
        found = self.run_json("pending")
        self.assertEqual([(one["kind"], one["agent"], one["asked"], one["waiting_s"])
                          for one in found],
                         [("permission", "bob", "Bash: make\nmake check", 5400),
                          ("plan", "ann", "# Narrow plan\n\nLess.", 2400),
                          ("host", "bob", "example.org", 1800)])
        self.assertEqual(found[0]["protocol"]["input"], {"command": "make\nmake check"})

    def test_pending_all_has_what_others_wait_for(self):
        self.claude(boxes=[("bob", [
            self.say(5, {"type": "shutdown_request", "requestId": "s-1", "from": "team-lead",
                         "reason": "enough", "timestamp": at(5)}, sender="team-lead")])])
        result = self.run_program("pending", rc=NOTHING)
        self.assert_says(result, "nothing waits for you")
        self.assertRegex(self.run_program("pending", "--all").out,
                         r"\A  5m team-lead bob STOP    enough  inbox-\w+\n\Z")
        self.assertEqual(self.one("Shutdown requested: enough")["waiting_on"], "bob")

    def test_requests_may_hide_in_what_is_damaged(self):
        self.claude(boxes=[("team-lead", [self.say(5, permission("p", "ls")), 7])])
        result = self.run_program("pending")
        self.assertEqual(len(result.lines), 1)
        self.assert_says(result, "1 damaged message", "swarmutt list")
        lines = self.run_program("list").lines
        self.assertEqual(lines[1], "N   5m team-lead damaged team-lead.json: "
                                   "the entry is no JSON object")


class AdrList(ListCase):
    """The person is alice."""

    identity = ("--as", "alice")

    def put(self, id, subject, minutes=5, part="inbox", **fields):
        fields.setdefault("type", "notification")
        one = harness.message(id="MSG-" + id, subject=subject, created_at=at(minutes)[:-1],
                              **fields)
        self.write(os.path.join(self.project, "workspace", "mailboxes", one["to_agent"], part,
                                one["id"] + ".json"), one)

    def test_priority_counts_before_the_time_in_every_part_but_the_last(self):
        self.put("1", "a question", 10, type="request")
        self.put("2", "an older question", 20, type="request", status="read")
        self.put("3", "an escalation", 1, type="escalation", priority=4)
        self.put("4", "news", 10)
        self.put("5", "important news", 5, priority=3)
        self.put("6", "read news", 30, status="read")
        self.put("7", "newer read news", 3, status="read", priority=1)
        self.put("8", "theirs", 50, from_agent="carol", to_agent="bob")
        self.put("9", "theirs, waited for", 60, from_agent="carol", to_agent="bob",
                 type="request", status="read")
        self.assertEqual(self.subjects(), [
            "an escalation", "an older question", "a question", "important news", "news",
            "theirs, waited for", "theirs", "newer read news", "read news"])
        self.assertEqual(self.run_program("list").lines[:6], [
            "!   1m bob        ESC     an escalation  urgent  waits for you",
            "!  20m bob        ASK     an older question  waits for you",
            "!  10m bob        ASK     a question  waits for you",
            "N   5m bob        msg     important news  high  1 unread",
            "N  10m bob        msg     news  1 unread",
            "    1h carol, bob ASK     theirs, waited for  waits for bob 1h"])
        self.assertEqual([one["asked"] for one in self.run_json("pending")],
                         ["an escalation", "an older question", "a question"])
        self.assertEqual([one["kind"] for one in self.run_json("pending", "--all")],
                         ["escalation", "question", "question", "question"])

    def test_plans_and_permissions_of_the_convention_are_known(self):
        self.put("1", "the plan", 9, type="request", payload={"x_protocol": "plan_approval"})
        self.put("2", "a better plan", 5, type="request", payload={"x_protocol": "plan_approval"})
        self.put("3", "may I", 4, type="request", payload={"x_protocol": "permission"})
        self.put("4", "Re: may I", 3, type="response", from_agent="alice", to_agent="bob",
                 reply_to="MSG-3", thread_id="MSG-3", status="read",
                 payload={"x_protocol": "permission", "approved": True})
        self.assertEqual([(one["kind"], one["subject"], one["count"], one["waiting_s"])
                          for one in self.run_json("list")],
                         [("plan", "a better plan", 2, 300), ("permission", "may I", 2, None)])
        self.assertEqual(self.run_program("pending").lines,
                         ["  5m bob PLAN    a better plan  MSG-2"])

    def test_the_archive_completes_conversations_and_has_a_view_of_its_own(self):
        self.put("1", "old half", 60, part="archive", status="archived", thread_id="T")
        self.put("2", "new half", 5, thread_id="T", status="read")
        self.put("3", "all gone", 90, part="archive", status="archived")
        self.assertEqual([(one["subject"], one["count"]) for one in self.run_json("list")],
                         [("old half", 2)])
        self.assertEqual(self.subjects("--archive"), ["all gone"])
        self.assertEqual(self.subjects("--all"), ["old half", "all gone"])

    def test_what_has_expired_leaves_the_view_but_is_found(self):
        self.put("1", "late", 60, type="request", expires_at=at(10)[:-1])
        result = self.run_program("list", rc=NOTHING)
        self.assert_says(result, "archived or has expired", "list --all")
        self.run_program("pending", rc=NOTHING)
        found = self.one("late", "--all")
        self.assertEqual((found["unread"], found["waiting_on"]), (0, None))

    def test_damaged_mail_of_the_person_is_mail_to_read(self):
        box = os.path.join(self.project, "workspace", "mailboxes")
        self.put("1", "news", 5)
        self.put("2", "theirs", 5, to_agent="bob", from_agent="carol")
        for agent in ("alice", "bob"):
            self.write(os.path.join(box, agent, "inbox", "MSG-bad.json"), "{")
        found = [(one["kind"], one["participants"], one["priority"], one["last_at"])
                 for one in self.run_json("list")]
        self.assertEqual(found[1], ("damaged", ["alice"], None, None))
        self.assertEqual([one[0] for one in found], ["message", "damaged", "message", "damaged"])
        self.assertEqual(found[3][1], ["bob"])

    def test_nothing_is_said_with_its_reason(self):
        os.makedirs(os.path.join(self.project, "workspace", "mailboxes", "alice", "inbox"))
        self.assert_says(self.run_program("list", rc=NOTHING), "there is no mail")
        self.assert_says(self.run_program("pending", "--all", rc=NOTHING), "nobody waits")
        self.put("1", "news", 5, to_agent="bob", from_agent="carol")
        self.assert_says(self.run_program("list", "--archive", rc=NOTHING), "nothing is archived")
        self.assert_says(self.run_program("list", "--scope", "mine", rc=NOTHING),
                         "nothing from or to you")
        self.assertEqual(self.run_program("list", "--json", "--archive", rc=NOTHING).out, "")

    def test_what_makes_no_sense_is_refused(self):
        self.put("1", "news", 5)
        for args in (("--archive", "--all"), ("--limit", "x"), ("--scope", ""), ("from:", "bob")):
            with self.subTest(args=args):
                result = self.run_program("list", *args, rc=USAGE)
                self.assertEqual(result.out, "")
        result = self.run_program("list", "from:", "bob", rc=USAGE)
        self.assertEqual(result.lines, [])
        self.assertEqual(result.err.splitlines()[1:], ["  from: bob", "  ^"])


if __name__ == "__main__":
    harness.main()
