"""handoffs: the progress of handoffs, from the files of every layout."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import DONE, NOTHING, USAGE, message  # noqa: E402
from layouts import FrozenCase, UUID, ago  # noqa: E402

CONTEXT = {"work_completed": "half", "files_modified": [], "files_created": [],
           "current_state": "so", "state_file": None, "next_steps": [], "blockers": [],
           "dependencies": [], "related_escalations": [], "job_id": None, "notes": ""}


def body(giver, taker):
    return f"Work handoff from {giver} to {taker}.\n\n**Work Completed:** half\n"


class HandoffsCase(FrozenCase):
    def rows(self, *args, **more):
        return super().rows("handoffs", *args, **more)

    def states(self, *args, **more):
        return {row["id"]: ("stalled " if row["stalled"] else "") + row["state"]
                for row in self.rows(*args, **more)}

    def state(self, id):
        return self.states("--all")[id]


class Adr(HandoffsCase):
    def put(self, number, sender, to, minutes, folder="inbox", **fields):
        id = f"MSG-{number:012d}"
        fields = {"type": "handoff", "body": body(sender, to), **fields}
        one = message(id, from_agent=sender, to_agent=to, created_at=ago(minutes, ""), **fields)
        self.write(os.path.join(self.project, "workspace", "mailboxes", to, folder, id + ".json"),
                   one)
        return id

    def answer(self, number, sender, to, minutes, answered, text, **fields):
        return self.put(number, sender, to, minutes, type="response", body=text,
                        reply_to=answered, thread_id=answered, **fields)

    def test_a_handoff_goes_through_its_states(self):
        first = self.put(1, "user", "bob", 9)
        self.assertEqual(self.states(), {first: "offered"})
        for status, state in (("read", "seen"), ("processing", "in progress"),
                              ("failed", "failed"), ("completed", "completed")):
            self.put(1, "user", "bob", 9, status=status, read_at=ago(5, ""))
            self.assertEqual(self.states(), {first: state})
        os.unlink(os.path.join(self.project, "workspace", "mailboxes", "bob", "inbox",
                               first + ".json"))
        self.put(1, "user", "bob", 9, folder="archive", status="archived",
                 completed_at=ago(2, ""))
        row, = self.rows()
        self.assertEqual((row["state"], row["since"], row["evidence"], row["message"]),
                         ("completed", "2026-02-07T15:58:00Z", "archived 2m ago", None))

    def test_what_was_archived_without_an_end_was_only_put_away(self):
        first = self.put(1, "user", "bob", 9, folder="archive", status="archived")
        row, = self.rows()
        self.assertEqual((row["id"], row["state"], row["stalled"], row["evidence"]),
                         (first, "seen", False, "archived without a word"))

    def test_archiving_or_cleaning_up_an_unread_handoff_does_not_complete_it(self):
        for number, command in enumerate((["archive", "ID"], ["cleanup"])):
            with self.subTest(command=command):
                one = self.put(number, "user", f"taker{number}", 60 * 9,
                               expires_at=ago(5, "") if command == ["cleanup"] else None)
                path = os.path.join(self.project, "workspace", "mailboxes", f"taker{number}",
                                    "inbox", one + ".json")
                with open(path, encoding="ascii") as file:
                    before = file.read()
                self.assertEqual(self.state(one), "stalled offered")
                self.do(*[one if word == "ID" else word for word in command])
                with open(path.replace("inbox", "archive"), encoding="ascii") as file:
                    after = file.read()
                self.assertEqual(after, before.replace('"status": "unread"',
                                                       '"status": "archived"'))
                self.assertEqual(self.state(one), "seen")

    def test_completing_a_handoff_still_completes_and_archives_it(self):
        one = self.put(1, "bob", "user", 9)
        self.do("mark", one, "completed")
        self.assertEqual(self.state(one), "completed")

    def test_the_payload_of_an_answer_decides(self):
        for number, (payload, state) in enumerate((
                ({"x_protocol": "handoff", "approved": True}, "accepted"),
                ({"x_protocol": "handoff", "approved": False}, "declined"),
                ({"x_protocol": "handoff", "status": "completed"}, "completed"),
                ({"x_protocol": "handoff", "status": "failed"}, "failed"),
                ({"x_protocol": "plan_approval", "approved": True}, "seen"),
                ({"approved": True}, "seen"))):
            with self.subTest(payload=payload):
                one = self.put(10 * number, "user", "bob", 9)
                answer = self.answer(10 * number + 1, "bob", "user", 8, one, "words",
                                     payload=payload)
                row = {row["id"]: row for row in self.rows()}[one]
                self.assertEqual((row["state"], row["message"]), (state, answer))

    def test_nobody_but_the_taker_moves_it(self):
        first = self.put(1, "user", "bob", 9)
        self.answer(2, "eve", "user", 8, first, "Accepted")
        self.answer(3, "user", "bob", 7, first, "Completed.",
                    payload={"x_protocol": "handoff", "status": "completed"})
        self.assertEqual(self.states(), {first: "offered"})
        self.answer(4, "bob", "user", 6, first, "Accepted")
        self.assertEqual(self.states(), {first: "accepted"})

    def test_silence_stalls_it_after_the_limits_of_the_config(self):
        first = self.put(1, "user", "bob", 20)
        self.assertEqual(self.states(), {first: "stalled offered"})
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"),
                   "[stuck]\nunread = 1h\n")
        self.assertEqual(self.states(), {first: "offered"})

    def test_a_chain_is_told_by_its_job_whatever_it_is_called(self):
        names = "user", "ann", "bob", "carol", "dave"
        ids = [self.put(i, names[i], names[i + 1], 9 - i, subject=f"part {i}",
                        context={**CONTEXT, "job_id": "J-1"}) for i in range(4)]
        rows = {row["id"]: row for row in self.rows()}
        self.assertEqual(rows[ids[3]]["lineage"],
                         [{"agent": name, "id": id} for name, id in zip(names, ids[:3])])
        self.assertEqual([rows[id]["state"] for id in ids], ["handed on"] * 3 + ["offered"])
        shown = self.do("show", ids[3]).out
        self.assertIn("Handoff   offered 6m ago to dave (unread); before: user, ann, bob, carol\n",
                      shown)

    def test_the_list_is_for_people(self):
        first = self.put(1, "user", "bob", 100, subject="Parser", priority=4)
        second = self.put(2, "bob", "carol", 9, subject="Parser")
        self.answer(3, "carol", "bob", 8, second, "Accepted. On it.")
        third = self.put(4, "user", "eve", 200, subject="Lexer", status="processing",
                         read_at=ago(150, ""))
        self.assertEqual(self.do("handoffs").lines, [
            "  3h stalled     user -> eve   Lexer (in progress: marked so in the mailbox, read 2h "
            f"ago; nothing for 2h)  {third}",
            "  9m accepted    bob  -> carol Parser (said so in MSG-000000000003 8m ago; after user)"
            f"  {second}",
            f"  1h handed on   user -> bob   Parser (to carol in {second} 9m ago)  urgent  {first}"])

    def test_whose_work_it_is_may_not_be_the_senders(self):
        first = self.put(1, "user", "carol", 9, body=body("bob", "carol"))
        row, = self.rows()
        self.assertEqual((row["from"], row["giver"], row["taker"]), ("user", "bob", "carol"))
        self.assertIn("bob -> carol", self.do("handoffs").out)
        self.assertIn("; sent by user)", self.do("handoffs").out)
        self.assertIn("offered 9m ago to carol (unread); before: bob\n", self.do("show", first).out)

    def test_what_ended_more_than_a_day_ago_is_left_out(self):
        old = "2026-02-05T10:00:00"
        first = self.put(1, "user", "bob", 9, status="completed", completed_at=old)
        result = self.do("handoffs", rc=NOTHING)
        self.assert_says(result, "every handoff ended more than a day ago; see also handoffs --all")
        self.assertEqual(self.states("--all"), {first: "completed"})

    def test_a_query_chooses_and_a_limit_cuts(self):
        for number, name in enumerate(("bob", "carol", "dave")):
            self.put(number, "user", name, 9 - number, subject=name)
        self.assertEqual([row["taker"] for row in self.rows("--limit", "2")], ["bob", "carol"])
        self.assertEqual([row["taker"] for row in self.rows("to:carol", "or", "subject:dave")],
                         ["carol", "dave"])
        self.assert_says(self.do("handoffs", "to:nobody", rc=NOTHING),
                         'no handoff matches "to:nobody"; see also handoffs --all')
        self.assert_says(self.do("handoffs", "--limit", "x", rc=USAGE), "--limit takes a number")
        self.do("handoffs", "to:(", rc=USAGE)

    def test_without_any_that_is_said(self):
        self.put(1, "user", "bob", 9, type="request")
        self.assert_says(self.do("handoffs", rc=NOTHING), "nothing was handed over")

    def test_hostile_texts_are_written_out(self):
        self.put(1, "e\x1b[31mvil", "bob", 9, subject="\x1b]0;t\x07", body="x")
        result = self.box.run_tty("handoffs", tty=("stdout",), size=(24, 200), cwd=self.project)
        self.assertEqual(result.rc, DONE)
        self.assertNotIn(b"\x1b", result.stdout)
        self.assertIn("e^[[31mvil", result.out)

    def test_lines_fit_the_screen(self):
        self.put(1, "user", "bob", 9, subject="a long subject " * 10)
        result = self.box.run_tty("handoffs", tty=("stdout",), size=(24, 80), cwd=self.project)
        self.assertTrue(all(len(line) <= 80 for line in result.lines), result.out)
        self.assertTrue(result.lines[0].endswith("  MSG-000000000001"))

    def test_a_conversation_tells_it_of_each_handoff(self):
        first = self.put(1, "user", "bob", 9)
        self.answer(2, "bob", "user", 8, first, "Declined, no time")
        told = [line for line in self.do("thread", first).lines if line.startswith("Handoff ")]
        self.assertEqual(told, ["Handoff   declined 8m ago by bob (said so in MSG-000000000002)"])
        self.assertNotIn("declined", self.do("show", first, "--json").out)


class Claude(HandoffsCase):
    def setUp(self):
        super().setUp()
        self.boxes = {}

    def tell(self, box, sender, minutes, summary, text, **more):
        self.boxes.setdefault(box, []).append(
            self.entry(text, sender, timestamp=ago(minutes), summary=summary, **more))
        self.claude(members=("team-lead", "ann", "bob", "My Agent.v2"),
                    boxes=list(self.boxes.items()))

    def only(self):
        row, = self.rows("--all")
        return (("stalled " if row["stalled"] else "") + row["state"], row["evidence"])

    def test_the_words_of_an_answer_count_though_its_summary_has_none(self):
        self.tell("bob", "team-lead", 9, "Handoff: parser", body("team-lead", "bob"))
        self.assertEqual(self.only(), ("offered", "unread"))
        self.tell("team-lead", "ann", 8, "Re: Handoff: parser", "Accepted")
        self.assertEqual(self.only()[0], "offered")
        self.tell("team-lead", "bob", 7, "Re: Handoff: parser", "**Accepted** - I start now")
        self.assertEqual(self.only()[0], "accepted")
        self.tell("team-lead", "bob", 6, "Re: Handoff: parser", "half of it is done")
        self.assertEqual(self.only()[0], "in progress")
        self.tell("team-lead", "bob", 5, "Re: Handoff: parser", "Completed: all green")
        self.assertEqual(self.only()[0], "completed")

    def test_the_read_flag_is_seen(self):
        self.tell("bob", "team-lead", 9, "Handoff: parser", body("team-lead", "bob"), read=True)
        self.assertEqual(self.only(), ("seen", "marked as read"))

    def test_an_idle_notice_completes_nothing(self):
        self.tell("bob", "team-lead", 9, "Handoff: parser", body("team-lead", "bob"), read=True)
        self.boxes["team-lead"] = [self.entry(json.dumps({
            "type": "idle_notification", "from": "bob", "timestamp": ago(5),
            "idleReason": "available", "completedTaskId": "1", "completedStatus": "resolved"}),
            "bob", timestamp=ago(5))]
        self.claude(boxes=list(self.boxes.items()))
        self.assertEqual(self.only()[0], "seen")

    def test_a_name_that_its_box_spells_otherwise_is_the_same_agent(self):
        self.tell("My-Agent-v2", "team-lead", 9, "Handoff: parser",
                  body("team-lead", "My Agent.v2"))
        self.tell("ann", "My Agent.v2", 8, "Handoff: parser", body("My Agent.v2", "ann"))
        rows = {row["taker"]: row for row in self.rows()}
        self.assertEqual(rows["ann"]["state"], "offered")
        self.assertEqual([one["agent"] for one in rows["ann"]["lineage"]], ["team-lead"])
        self.assertEqual(sorted(row["state"] for row in rows.values()), ["handed on", "offered"])

    def test_an_urgent_handoff_is_one(self):
        self.tell("bob", "team-lead", 9, "[URGENT] Handoff: parser", body("team-lead", "bob"))
        self.assertEqual(self.only()[0], "offered")

    def test_what_the_person_looked_at_is_seen(self):
        self.tell("team-lead", "bob", 9, "Handoff: parser", body("bob", "team-lead"))
        row, = self.rows()
        self.assertEqual(row["state"], "offered")
        self.do("show", row["id"])
        self.assertEqual(self.only(), ("seen", "looked at here"))


class Others(HandoffsCase):
    def put_claw(self, number, sender, to, minutes, text, **more):
        created = 1770480000000 - minutes * 60000  # 2026-02-07T16:00:00Z
        return self.claw(number, to=to, message=text, createdAt=created, **{"from": sender, **more})

    def test_openclaw(self):
        first = self.put_claw(1, "lead", "tm1", 9, body("lead", "tm1"), read=True)
        self.openclaw(messages=[first])
        self.assertEqual(self.states(), {first["messageId"]: "seen"})
        stranger = self.put_claw(2, "tm2", "lead", 8, f"Re {UUID[:8]}: Accepted")
        self.openclaw(messages=[first, stranger])
        self.assertEqual(self.states(), {first["messageId"]: "seen"})

    def test_openclaw_answers(self):
        first = self.put_claw(1, "lead", "tm1", 9, body("lead", "tm1"))
        answer = self.put_claw(2, "tm1", "lead", 8, f"Re {UUID[:8]}: Accepted, on it")
        answer["messageId"] = "650e8400-e29b-41d4-a716-446655440002"
        self.openclaw(messages=[first, answer])
        self.assertEqual(self.states(), {first["messageId"]: "accepted"})

    def put_memo(self, box, id, minutes, sender, folder="", **fields):
        one = {"id": id, "timestamp": ago(minutes), "from": sender, "to": box, "subject": "Parser",
               "conversationId": "conv-1", **fields}
        self.write(os.path.join(self.project, "scheduler", "inboxes", box, folder,
                                f"1770470000-{sender}-{id}.json"), one)
        os.makedirs(os.path.join(self.project, "scheduler", "inboxes", box, "archive"),
                    exist_ok=True)

    def test_agent_inbox(self):
        self.put_memo("workers", "h1", 9, "coordinator", type="handoff", content=CONTEXT)
        self.assertEqual(self.states(), {"h1": "offered"})
        self.put_memo("coordinator", "a1", 8, "workers", type="handoff", replyTo="h1",
                      content="Accepted")
        self.assertEqual(self.states(), {"h1": "accepted"})
        self.put_memo("coordinator", "a2", 7, "workers", type="failure", replyTo="h1",
                      content="no disk")
        self.assertEqual(self.states(), {"h1": "failed"})

    def test_agent_inbox_puts_what_is_done_into_the_archive(self):
        self.put_memo("workers", "h1", 9, "coordinator", "archive", type="handoff",
                      content={**CONTEXT, "notes": "This is the work of validator."})
        row, = self.rows()
        self.assertEqual((row["state"], row["evidence"], row["giver"], row["from"]),
                         ("completed", "archived", "validator", "coordinator"))
        self.put_memo("coordinator", "a1", 8, "workers", replyTo="h1", content="Accepted")
        self.assertEqual(self.states(), {"h1": "accepted"})

    def put_roo(self, slug, sender, id, minutes, text, **more):
        head = "".join(f'{key}: "{value}"\n' for key, value in more.items())
        self.write(os.path.join(self.project, ".roo", "mailbox", f"to-{slug}.md"),
                   f'---\nfrom: {sender}\ntimestamp: "{ago(minutes)}"\nid: "{id}"\n{head}---\n\n'
                   f"{text}\n")

    def test_roo(self):
        self.put_roo("code", "orchestrator", "msg-1", 9, body("orchestrator", "code"))
        self.assertEqual(self.states(), {"msg-1": "offered"})
        self.put_roo("orchestrator", "code", "msg-2", 8,
                     "**Re: Work handoff from orchestrator to code.**\n\nDeclined: no access",
                     in_reply_to="msg-1")
        self.assertEqual(self.states(), {"msg-1": "declined"})


class Ways(HandoffsCase):
    """The commands that send, from beginning to end, at the current time."""

    def setUp(self):
        super().setUp()
        del self.box.env["SWARMUTT_NOW"]

    def check(self, giver, taker):
        first = self.do("handoff", "--to", taker, "--subject", "Parser", "--done", "this",
                        "--state", "so", "--no-verify", "--as", giver).out.strip()
        self.assertEqual(self.states("--all"), {first: "offered"})
        self.do("reply", first, "--as", taker, "--body", "Accepted. On it.", "--no-verify")
        self.assertEqual(self.states("--all"), {first: "accepted"})

    def test_claude(self):
        self.claude()
        self.check("team-lead", "bob")

    def test_openclaw(self):
        self.openclaw()
        self.check("lead", "tm1")

    def test_inbox(self):
        self.inbox(box="workers")
        self.inbox(box="coordinator")
        self.check("coordinator", "workers")

    def test_adr(self):
        self.adr(id="MSG-00000000000a", to_agent="bob", type="notification")
        self.check("user", "bob")

    def test_roo(self):
        self.roo(ask="a text")
        self.check("orchestrator", "code")


if __name__ == "__main__":
    harness.main()
