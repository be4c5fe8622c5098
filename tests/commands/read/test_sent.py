"""sent: the delivery status of sent messages, in every layout."""
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import DONE, NOTHING, REFUSED, USAGE  # noqa: E402
from layouts import LayoutCase  # noqa: E402


class SentCase(LayoutCase):
    def sent(self, *args, **more):
        """Returns the status of every message, by recipient."""
        more.setdefault("cwd", self.project)
        return {one["to"]: one for one in self.run_json("sent", *args, **more)}

    def states(self, *args, **more):
        return {to: one["state"] for to, one in self.sent(*args, **more).items()}

    def send_to(self, name, *args, subject="A subject", **more):
        return self.do("send", "--to", name, "--subject", subject, "--body", "a text",
                       "--no-verify", *args, **more).out.strip()

    def broadcast(self, *args):
        out = self.do("broadcast", *args, "--subject", "To all", "--body", "a text",
                      "--no-verify").out
        return out.split()

    def edit(self, path, **changes):
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        one = whole[-1] if isinstance(whole, list) else whole
        one.update(changes)
        self.write(path, whole)

    def outbox_says(self, sql):
        with sqlite3.connect(os.path.join(self.box.state, "swarmutt", "state.db")) as db:
            db.execute(sql)
        db.close()


class Claude(SentCase):
    members = ("team-lead", "ann", "bob", "carol", "dave")

    def setUp(self):
        super().setUp()
        self.base = self.claude(members=self.members)

    def box_of(self, name):
        return os.path.join(self.base, "teams", "dev", "inboxes", name + ".json")

    def send_around(self):
        """Sends a broadcast that ann answers, bob reads, carol takes out of her box, and dave
        leaves."""
        ids = dict(zip(self.members[1:], self.broadcast("--swarm", "dev")))
        self.edit(self.box_of("bob"), read=True)
        self.write(self.box_of("carol"), [])
        answer = self.do("reply", ids["ann"], "--as", "ann", "--body", "yes", "--no-verify")
        return ids, answer.out.strip()

    def test_a_broadcast_is_a_matrix(self):
        ids, answer = self.send_around()
        sent = self.sent()
        self.assertEqual({to: one["state"] for to, one in sent.items()},
                         {"ann": "answered", "bob": "read", "carol": "taken",
                          "dave": "delivered"})
        self.assertEqual({to: one["id"] for to, one in sent.items()}, ids)
        self.assertEqual(sent["ann"]["answer"], answer)
        self.assertIsNotNone(sent["ann"]["since"])
        self.assertEqual([sent[to]["answer"] for to in ("bob", "carol", "dave")], [None] * 3)
        self.assertIsNone(sent["bob"]["since"], "nobody says when")
        groups = {one["group"] for one in sent.values()}
        self.assertEqual(len(groups), 1)
        self.assertNotIn(None, groups)
        self.assertEqual({one["team"] for one in sent.values()}, {"dev"})

    def test_the_matrix_is_shown_for_the_id_of_any_part_also_of_one_that_is_gone(self):
        ids, answer = self.send_around()
        for name in ("ann", "carol"):
            rows = self.do("sent", ids[name]).lines
            self.assertEqual(rows[0], "Subject: To all")
            self.assertEqual(rows[3], "State:   1 answered, 1 taken, 1 read, 1 delivered")
            table = [row.split() for row in rows[5:]]
            self.assertEqual(table[0], ["TO", "STATE", "SINCE", "ID", "ANSWER"])
            self.assertEqual([[row[0], row[1], row[3], row[4]] for row in table[1:]], [
                ["ann@dev", "answered", ids["ann"], answer], ["bob@dev", "read", ids["bob"], "-"],
                ["carol@dev", "taken", ids["carol"], "-"],
                ["dave@dev", "delivered", ids["dave"], "-"]])

    def test_the_list_has_one_line_for_each_thing_the_newest_first(self):
        self.send_around()
        later = self.send_to("dave", subject="Another")
        lines = self.do("sent").lines
        self.assertEqual(len(lines), 2)
        self.assertEqual(lines[0].split()[1:], [later, "dave@dev", "delivered", "Another"])
        self.assertIn("4 recipients: 1 answered, 1 taken, 1 read, 1 delivered To all", lines[1])
        line, = self.do("sent", "--limit", "1").lines
        self.assertEqual(line.split()[1:], lines[0].split()[1:])
        self.assertEqual(list(self.sent("--limit", "1")), ["dave"])

    def test_what_was_sent_without_a_note_is_seen_in_the_mailboxes(self):
        entry = self.entry("Status?\nsoon", sender="team-lead")
        for name in ("ann", "bob"):
            self.write(self.box_of(name), [dict(entry, read=name == "bob")])
        self.write(self.box_of("team-lead"), [
            self.entry("fine", sender="ann", summary="Re: Status?",
                       timestamp="2026-02-07T15:45:15.573Z")])
        now = {"SWARMUTT_NOW": "2026-02-07T16:35:15.573Z"}
        sent = self.sent(env=now)
        self.assertEqual({to: one["state"] for to, one in sent.items()},
                         {"ann": "answered", "bob": "read"})
        self.assertEqual(sent["ann"]["group"], sent["bob"]["group"])
        self.assertEqual(sent["ann"]["since"], "2026-02-07T15:45:15.573Z")
        lines = self.do("sent", env=now).lines
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"^  1h inbox-\w+ 2 recipients: 1 answered, 1 read Status\?$")
        self.assertRegex(self.do("sent", sent["bob"]["id"], env=now).out,
                         r"(?m)^ann@dev answered     50m inbox-\w+ inbox-\w+$")

    def test_a_note_and_the_mailbox_tell_of_one_message_once(self):
        self.send_to("bob")
        self.assertEqual(len(self.run_json("sent", cwd=self.project)), 1)
        self.run_program("sources", cwd=self.project)  # this checks the entries of the outbox
        self.assertEqual(len(self.run_json("sent", cwd=self.project)), 1)

    def test_what_another_sent_is_not_ours(self):
        id = self.send_to("bob", "--as", "ann")
        result = self.do("sent", rc=NOTHING)
        self.assert_says(result, "nothing was sent")
        self.assertEqual(self.states("--as", "ann"), {"bob": "delivered"})
        self.assert_says(self.do("sent", id, rc=NOTHING), "not sent by you", '"ann"', "--as")

    def test_a_shutdown_request_is_answered_by_its_request_id(self):
        self.write(self.box_of("bob"), [self.entry(
            '{"type":"shutdown_request","requestId":"shutdown-1@bob","from":"team-lead",'
            '"timestamp":"2026-02-07T15:35:15.573Z"}', sender="team-lead")])
        self.assertEqual(self.states(), {"bob": "delivered"})
        self.write(self.box_of("team-lead"), [self.entry(
            '{"type":"shutdown_approved","requestId":"shutdown-1@bob","from":"bob",'
            '"timestamp":"2026-02-07T15:36:15.573Z"}')])
        self.assertEqual(self.states(), {"bob": "answered"})

    def test_lost_messages_have_vanished_and_dropping_them_does_not_change_that(self):
        self.do("send", "--to", "bob", "--subject", "s", "--body", "b")  # due for another check
        self.write(self.box_of("bob"), [])
        self.outbox_says("UPDATE outbox SET state = 3, problem = CAST('why' AS BLOB)")
        one = self.sent()["bob"]
        self.assertEqual((one["state"], one["problem"]), ("vanished", "why"))
        self.do("outbox", "drop", "1")
        one = self.sent()["bob"]
        self.assertEqual((one["state"], one["problem"]), ("vanished", None))

    def test_what_failed_says_why(self):
        self.send_to("ann")
        self.do("send", "--to", "bob", "--subject", "s", "--body", "b")
        self.write(self.box_of("bob"), [])
        self.outbox_says("UPDATE outbox SET state = 4, problem = CAST('the disk' AS BLOB)")
        one = self.sent()["bob"]
        self.assertEqual((one["state"], one["problem"]), ("failed", "the disk"))
        self.assertIn("\n  ! the disk\n", self.do("sent", one["id"]).out)
        self.do("outbox", "drop", "2")
        self.assertEqual(self.states(), {"ann": "delivered"})

    def test_nothing_is_written_with_readonly(self):
        self.send_around()
        mail = self.box.snapshot()
        state = os.path.join(self.box.state, "swarmutt", "state.db")
        before = self.read(state)
        self.assertEqual(len(self.states("--readonly")), 4)
        self.assert_unchanged(mail)
        self.assertEqual(self.read(state), before)

    def test_without_a_usable_state_the_mailboxes_are_told(self):
        self.write(self.box_of("bob"), [self.entry(sender="team-lead")])
        self.write(os.path.join(self.box.state, "swarmutt", "state.db"), "no database at all")
        result = self.do("sent", "--json")
        self.assertEqual(harness.parse_lines(result.stdout)[0]["state"], "delivered")
        self.assertIn("only what is in the mailboxes is shown", result.err)


class Words(SentCase):
    def setUp(self):
        super().setUp()
        self.claude()

    def test_nothing_sent(self):
        self.assert_says(self.do("sent", rc=NOTHING), "nothing was sent yet")

    def test_an_unknown_id_names_the_nearest(self):
        id = self.send_to("bob")
        wrong = id[:-1] + "?"
        self.assert_says(self.do("sent", wrong, rc=NOTHING), wrong, f'near: "{id}"')

    def test_a_start_that_two_have_is_refused(self):
        for subject in ("one", "two"):
            self.send_to("bob", subject=subject)
        self.assert_says(self.do("sent", "inbox-", rc=REFUSED), "2 things")

    def test_a_start_that_one_has_is_enough(self):
        id = self.send_to("bob")
        self.assertIn(id, self.do("sent", id[:9]).out)

    def test_a_limit_must_be_a_number(self):
        self.do("sent", "--limit", "x", rc=USAGE)


class Adr(SentCase):
    def setUp(self):
        super().setUp()
        self.mail = os.path.join(self.project, "workspace", "mailboxes")
        for name in ("ann", "bob", "carol", "dave", "user"):
            for part in ("inbox", "archive"):
                os.makedirs(os.path.join(self.mail, name, part))

    def file_of(self, name, id, part="inbox"):
        return os.path.join(self.mail, name, part, id + ".json")

    def test_the_states_of_the_layout(self):
        ids = {name: self.send_to(name) for name in ("ann", "bob", "carol", "dave")}
        self.assertEqual(set(self.states().values()), {"delivered"})
        self.edit(self.file_of("ann", ids["ann"]), status="read", read_at="2026-02-01T10:00:00")
        self.edit(self.file_of("bob", ids["bob"]), status="processing")
        self.edit(self.file_of("carol", ids["carol"]), status="completed",
                  completed_at="2026-02-01T11:00:00")
        self.edit(self.file_of("dave", ids["dave"]), status="failed")
        sent = self.sent()
        self.assertEqual({to: one["state"] for to, one in sent.items()},
                         {"ann": "read", "bob": "processing", "carol": "completed",
                          "dave": "failed"})
        self.assertEqual(sent["ann"]["since"], "2026-02-01T10:00:00Z")
        self.assertEqual(sent["carol"]["since"], "2026-02-01T11:00:00Z")
        self.assertIn("recipient", sent["dave"]["problem"])

    def test_archived_answered_expired_and_vanished(self):
        ids = {name: self.send_to(name) for name in ("ann", "bob", "carol")}
        ids["dave"] = self.send_to("dave", "--expires", "1s")
        os.rename(self.file_of("ann", ids["ann"]), self.file_of("ann", ids["ann"], "archive"))
        os.remove(self.file_of("carol", ids["carol"]))
        answer = self.do("reply", ids["bob"], "--as", "bob", "--body", "yes").out.strip()
        sent = self.sent(env={"SWARMUTT_NOW": "2099-01-01T00:00:00Z"})
        self.assertEqual({to: one["state"] for to, one in sent.items()},
                         {"ann": "archived", "bob": "answered", "carol": "vanished",
                          "dave": "expired"})
        self.assertEqual(sent["bob"]["answer"], answer)

    def test_a_broadcast_is_one_thing_with_and_without_its_note(self):
        self.box.swarms = os.path.join(self.project, "swarms")
        self.box.add_swarm("dev", "ann", "bob")
        self.broadcast("--swarm", "dev")
        noted = self.run_json("sent", cwd=self.project)
        self.assertEqual(len(noted), 2)
        self.assertEqual(len({one["group"] for one in noted}), 1)
        self.outbox_says("DELETE FROM sent")
        found = self.run_json("sent", cwd=self.project)
        self.assertEqual(len(found), 2)
        self.assertEqual({one["group"] for one in found} - {one["id"] for one in found}, set())
        self.assertEqual(len({one["group"] for one in found}), 1)


class Inbox(SentCase):
    def test_moving_to_the_archive_and_answers(self):
        inboxes = self.inbox()
        for box in ("pm", "validator", "workers"):
            self.inbox(box=box)
        ids = self.broadcast("--all")
        self.assertEqual(len(ids), 3)
        self.assertEqual(len({one["group"] for one in self.sent().values()}), 1)
        pm = os.path.join(inboxes, "pm")
        name, = [one for one in os.listdir(pm) if one.endswith(".json")]
        os.rename(os.path.join(pm, name), os.path.join(pm, "archive", name))
        id = self.sent()["workers"]["id"]
        self.do("reply", id, "--as", "workers", "--body", "done")
        self.assertEqual(self.states(), {"pm": "archived", "validator": "delivered",
                                         "workers": "answered"})
        self.outbox_says("DELETE FROM sent")  # the conversation shows it, too
        self.assertEqual(len({one["group"] for one in self.sent().values()}), 1)


class OpenClaw(SentCase):
    def setUp(self):
        super().setUp()
        self.base = self.openclaw()

    def file_of(self, id):
        return os.path.join(self.base, "teams", "web", "mailbox", id + ".json")

    def test_reading_answering_and_vanishing(self):
        first, second = self.send_to("tm1"), self.send_to("tm2")
        self.edit(self.file_of(first), read=True)
        self.assertEqual(self.states(), {"tm1": "read", "tm2": "delivered"})
        self.do("reply", first, "--as", "tm1", "--body", "yes")
        os.remove(self.file_of(second))
        self.assertEqual(self.states(), {"tm1": "answered", "tm2": "vanished"})
        self.assertEqual(self.states(env={"SWARMUTT_NOW": "2099-01-01T00:00:00Z"})["tm2"],
                         "expired", "its time has passed: it was cleared away")

    def test_of_a_broadcast_only_answers_are_told(self):
        id, = self.broadcast("--swarm", "web")
        self.edit(self.file_of(id), read=True)
        self.assertEqual(self.states(), {"all": "delivered"})
        answer = self.do("reply", id, "--as", "tm2", "--body", "yes").out.strip()
        sent = self.sent()
        self.assertEqual({to: one["state"] for to, one in sent.items()},
                         {"all": "answered", "tm2": "answered"})
        self.assertEqual((sent["tm2"]["answer"], sent["tm2"]["group"]), (answer, id))
        line, = self.do("sent").lines
        self.assertEqual(line.split()[1:5], [id, "all@web", "1", "answered"])


class Roo(SentCase):
    def setUp(self):
        super().setUp()
        self.roo()
        self.write(os.path.join(self.project, ".roomodes"),
                   "customModes:\n  - slug: tester\n  - slug: writer\n  - slug: code\n")

    def slot(self, slug):
        return os.path.join(self.project, ".roo", "mailbox", f"to-{slug}.md")

    def test_delivered_queued_taken_and_answered(self):
        first = self.send_to("code")
        second = self.send_to("code", subject="Second")
        by_id = {one["id"]: one["state"] for one in self.run_json("sent", cwd=self.project)}
        self.assertEqual(by_id, {first: "delivered", second: "queued"})
        os.remove(self.slot("code"))
        by_id = {one["id"]: one["state"]
                 for one in self.run_json("--readonly", "sent", cwd=self.project)}
        self.assertEqual(by_id, {first: "taken", second: "queued"})
        self.do("sources")  # this delivers the second one
        by_id = {one["id"]: one["state"] for one in self.run_json("sent", cwd=self.project)}
        self.assertEqual(by_id, {first: "taken", second: "delivered"})
        self.do("reply", second, "--as", "code", "--body", "yes", "--no-verify")
        os.remove(self.slot("code"))
        by_id = {one["id"]: one["state"] for one in self.run_json("sent", cwd=self.project)}
        self.assertEqual(by_id, {first: "taken", second: "answered"})

    def test_a_broadcast_is_one_for_each_slug(self):
        self.broadcast("--all")
        sent = self.sent()
        self.assertGreater(len(sent), 2)
        self.assertEqual({one["state"] for one in sent.values()}, {"delivered"})
        self.assertEqual(len({one["group"] for one in sent.values()}), 1)
        os.remove(self.slot("code"))
        self.assertEqual(self.states()["code"], "taken")


class Kinds(SentCase):
    def test_several_sources_are_told_together(self):
        self.claude()
        self.adr(from_agent="user", to_agent="ann", subject="Other")
        self.send_to("bob", subject="One")
        lines = self.run_json("sent", cwd=self.project)
        self.assertEqual([(one["format"], one["to"], one["team"]) for one in lines],
                         [("claude", "bob", "dev"), ("adr", "ann", None)])
        self.assertEqual(self.do("sent", rc=DONE).lines[1].split()[2:],
                         ["ann", "delivered", "Other"])


if __name__ == "__main__":
    harness.main()
