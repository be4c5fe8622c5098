"""doctor: finds each fault, made by hand, and gives advice; --fix repairs those that are safe to
repair and touches nothing else; a sound mailbox has no findings."""
import contextlib
import json
import os
import select
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]

import harness  # noqa: E402
import layouts  # noqa: E402
from harness import DONE, FAILED, NOTHING, REFUSED, USAGE, message  # noqa: E402

SAMPLES = os.path.join(os.environ.get("SWARMUTT_SHARED")
                       or os.path.join(harness.SRC, "..", "shared"), "samples")
AROUND = {"file-system", "watches"}  # these depend on the machine


def ended_pid():
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def age(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then), follow_symlinks=False)


class DoctorCase(layouts.LayoutCase):
    def doctor(self, *args, rc=None, **more):
        """Returns the findings, without those about the machine; all of their kinds when none is
        named."""
        more.setdefault("cwd", self.project)
        result = self.box.run("doctor", "--json", *args, **more)
        found = [one for one in harness.parse_lines(result.stdout) if one["check"] not in AROUND]
        left = [one for one in found if one["severity"] == "problem" and not one["fixed"]]
        self.assertEqual(result.rc, (NOTHING if left else DONE) if rc is None else rc, str(result))
        return found

    def kinds(self, *args, **more):
        return sorted((one["check"], one["path"]) for one in self.doctor(*args, **more))

    def find(self, check, *args, **more):
        """Returns the finding of that kind, which must be the only finding."""
        found = self.doctor(*args, **more)
        self.assertEqual([one["check"] for one in found], [check], found)
        return found[0]

    def fix(self, rc=DONE):
        return self.doctor("--fix", "--yes", rc=rc)


class Circles(DoctorCase):
    def test_the_advice_names_a_mailbox_that_the_agent_has(self):
        mail = os.path.join(self.project, "workspace", "mailboxes")
        for id, sender, to in (("MSG-00000000000a", "dev/ann", "dev/bob"),
                               ("MSG-00000000000b", "dev/bob", "dev/ann")):
            one = message(id=id, from_agent=sender, to_agent=to, type="request", status="read")
            self.write(os.path.join(mail, to.replace("/", "_"), "inbox", one["id"] + ".json"), one)
        for stem in ("ann", "bob"):
            self.write(os.path.join(self.project, "swarms", "dev", "agents", stem + ".md"), "x")
        found = self.find("circle")
        self.assertRegex(found["text"], "wait for each other: (ann -> bob -> ann|bob -> ann -> bob)")
        name = found["advice"].split()[-1]
        self.assertIn(name, ("dev/ann", "dev/bob"))
        self.assertTrue(os.path.isdir(os.path.join(mail, found["path"])), found)
        self.assertTrue(found["path"].startswith(name.replace("/", "_")), found)


class Healthy(DoctorCase):
    def assert_healthy(self, words):
        self.assertEqual(self.doctor(), [])
        result = self.run_program("doctor", cwd=self.project)
        if not any(word in result.out for word in AROUND):
            confined, summary = result.out.splitlines()
            self.assertEqual(summary, f"nothing wrong: looked at {words} of 1 source")
            self.assertRegex(confined, "^the screens are (confined by Landlock|not confined: .)")

    def test_a_claude_team(self):
        self.claude(boxes=[("bob", [self.entry(sender="team-lead")]), ("team-lead", []),
                           ("user", [self.entry()])])
        self.assert_healthy("2 messages in 3 boxes")

    def test_an_openclaw_team(self):
        self.openclaw(messages=[self.claw(1), self.claw(2, to="all", **{"from": "lead"}),
                                self.claw(3, to="tm2")])
        self.assert_healthy("3 messages in 1 box")

    def test_an_agent_inbox(self):
        self.inbox(messages=[1, 2], archived=[3])
        self.assert_healthy("3 messages in 1 box")

    def test_an_adr_mailbox(self):
        mail = self.adr()
        agents = os.path.join(self.project, "swarms", "dev", "agents")
        self.write(os.path.join(agents, "alice.md"), "an agent\n")
        self.write(os.path.join(mail, "user", "inbox", "MSG-000000000002.json"),
                   message("MSG-000000000002", to_agent="user"))
        self.write(os.path.join(mail, "dev_alice", "inbox", "MSG-000000000003.json"),
                   message("MSG-000000000003", to_agent="dev/alice"))
        self.assert_healthy("3 messages in 3 boxes")

    def test_a_roo_mailbox(self):
        self.roo(code="a text", tester="another")
        self.write(os.path.join(self.project, ".roomodes"),
                   "customModes:\n  - slug: tester\n    name: Tester\n")
        self.assert_healthy("2 messages in 2 boxes")

    def test_where_there_are_no_mailboxes_it_says_so(self):
        if self.box.run("sources", cwd=self.project).rc == DONE:
            self.skipTest("there are mailboxes above the directory for temporary files")
        found = self.find("sources")
        self.assertEqual((found["severity"], found["text"]), ("remark", "no mailboxes were found"))


class Locks(DoctorCase):
    def setUp(self):
        super().setUp()
        self.base = self.claude(boxes=[("bob", [])])
        self.lock = os.path.join(self.base, "teams/dev/inboxes/bob.json.lock")

    def test_a_stale_lock_is_told_exactly_and_removed(self):
        os.mkdir(self.lock)
        age(self.lock, 185)
        result = self.run_program("doctor", rc=NOTHING, cwd=self.project)
        self.assertTrue(result.out.startswith(
            "problem  stale-lock  teams/dev/inboxes/bob.json.lock: a lock that nobody has refreshed "
            "for 3m: whoever took it is gone\n"
            "         do: swarmutt doctor --fix removes it\n"), result.out)
        self.assertIn("1 problem, 0 remarks; 1 can be fixed with --fix\n", result.out)
        self.assertTrue(os.path.isdir(self.lock), "looking has removed it")
        fixed = self.fix()
        self.assertEqual([(one["fixable"], one["fixed"]) for one in fixed], [(True, True)])
        self.assertFalse(os.path.lexists(self.lock))
        self.assertEqual(self.doctor(), [])

    def test_a_lock_that_is_held_is_no_finding_and_stays(self):
        os.mkdir(self.lock)
        self.assertEqual(self.doctor("--fix", "--yes"), [])
        self.assertTrue(os.path.isdir(self.lock))

    def leave_claim(self, lock):
        os.makedirs(os.path.join(lock, "claim"))
        age(os.path.join(lock, "claim"), 60)
        age(lock, 60)

    def test_a_lock_of_a_killed_process_is_removed_at_every_start_with_an_inbox_or_without(self):
        for name in ("bob.json.lock", "gone.json.lock", ".lock.4711.0a1b2c3d.tmp"):
            lock = os.path.join(os.path.dirname(self.lock), name)
            self.leave_claim(lock)
            self.run_program("messages", rc=NOTHING, cwd=self.project)
            self.assertFalse(os.path.lexists(lock))

    def test_a_lock_of_a_killed_process_is_listed_with_readonly_and_stays(self):
        self.leave_claim(self.lock)
        found = self.find("stale-lock", "--readonly")
        self.assertTrue(found["fixable"])
        self.assertIn("a swarmutt process that was killed", found["text"])
        self.assertTrue(os.path.isdir(os.path.join(self.lock, "claim")))

    def test_a_lock_that_a_killed_process_was_making_is_a_remark_with_readonly(self):
        self.leave_claim(os.path.join(os.path.dirname(self.lock), ".lock.4711.0a1b2c3d.tmp"))
        found = self.find("stale-lock", "--readonly")
        self.assertEqual((found["severity"], found["fixable"]), ("remark", True))
        self.assertIn(".lock.4711.0a1b2c3d.tmp", found["path"])

    def test_lock_files_go_when_they_are_old_or_their_process_has_ended(self):
        for content, seconds, goes in (("x", 31, True), ("x", 5, False),
                                       (str(os.getpid()), 5, False), (str(ended_pid()), 5, True)):
            with self.subTest(content=content, seconds=seconds):
                self.write(self.lock, content, age=seconds)
                found = self.fix()
                self.assertEqual([one["fixed"] for one in found], [True] if goes else [])
                self.assertEqual(os.path.lexists(self.lock), not goes)
                if not goes:
                    os.unlink(self.lock)

    def test_a_lock_with_something_in_it_is_told_and_stays(self):
        self.write(os.path.join(self.lock, "note"), "mine")
        age(self.lock, 60)
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["fixable"], one["fixed"]) for one in found],
                         [("stale-lock", False, False)])
        self.assertIn("by hand", found[0]["advice"])
        self.assertTrue(os.path.exists(os.path.join(self.lock, "note")))

    def test_a_lock_from_the_future_or_of_another_kind_is_told_and_stays(self):
        os.mkdir(self.lock)
        age(self.lock, -600)
        ahead = self.fix(rc=NOTHING)[0]
        self.assertFalse(ahead["fixable"])
        self.assertIn("dated 9m in the future: nobody can tell whether it is held", ahead["text"])
        self.assertIn("compare the clocks", ahead["advice"])
        os.rmdir(self.lock)
        os.mkfifo(self.lock)
        odd = self.fix(rc=NOTHING)[0]
        self.assertFalse(odd["fixable"])
        self.assertIn("is neither directory nor file", odd["text"])
        self.assertTrue(os.path.lexists(self.lock))

    def test_files_that_others_only_flock_are_no_finding(self):
        for name in (".lock", "bob.lock"):
            self.write(os.path.join(os.path.dirname(self.lock), name), "", age=9999)
        self.assertEqual(self.doctor(), [])


class OddLocks(DoctorCase):
    """Locks that no program will ever release."""

    AHEAD_S = 3 * 365 * 86400

    def setUp(self):
        super().setUp()
        self.base = self.claude(boxes=[("bob", [])])
        self.lock = os.path.join(self.base, "teams/dev/inboxes/bob.json.lock")
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"),
                   "[general]\nlock-timeout = 200ms\n")

    def check(self, says, listed):
        start = time.monotonic()
        result = self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                  cwd=self.project, rc=FAILED)
        self.assertLess(time.monotonic() - start, 10, "far longer than the lock-timeout")
        self.assert_says(result, "teams/dev/inboxes/bob.json.lock: ", says, "(waited 200 ms)",
                         "remove it when no agent uses the inbox", "swarmutt doctor lists it")
        found = self.find("stale-lock")
        self.assertTrue(found["path"].endswith("teams/dev/inboxes/bob.json.lock"))
        self.assertFalse(found["fixable"])
        self.assertIn(listed, found["text"])
        self.assertIn("when no agent uses the inbox", found["advice"])
        self.assertTrue(os.path.lexists(self.lock), "it was removed")

    def test_a_symbolic_link_ends_in_an_error_that_says_so(self):
        for target in ("nowhere", "bob.json", ".", os.path.basename(self.lock)):
            with self.subTest(target):
                os.symlink(target, self.lock)
                self.check("a symbolic link is where the inbox's lock belongs", "neither directory nor file")
                os.unlink(self.lock)

    def test_a_directory_dated_years_ahead_ends_in_an_error_that_says_so(self):
        os.mkdir(self.lock)
        age(self.lock, -self.AHEAD_S)
        self.check("d in the future", "d in the future")

    def test_a_lock_file_dated_years_ahead_ends_in_an_error_that_says_so(self):
        self.write(self.lock, "", age=-self.AHEAD_S)
        self.check("a lock file of another program, dated", "d in the future")

    def test_a_directory_with_something_in_it_ends_in_an_error_that_says_so(self):
        self.write(os.path.join(self.lock, "note"), "mine")
        age(self.lock, 60)
        self.check("a lock directory that is not empty", "with something in it")
        age(self.lock, -self.AHEAD_S)
        self.check("a lock directory that is not empty, dated", "d in the future")

    def test_one_that_was_filled_just_now_may_still_be_released(self):
        self.write(os.path.join(self.lock, "pid"), "7")
        age(self.lock, 0)
        result = self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                  cwd=self.project, rc=FAILED)
        self.assert_says(result, "a lock directory that is not empty", "try again")
        self.assertNotIn("remove it", result.err)

    def test_a_directory_with_a_file_called_as_our_claim_ends_in_an_error_and_is_listed(self):
        self.write(os.path.join(self.lock, "claim"), "")
        age(self.lock, 60)
        self.check("cannot be taken over", "with something in it")

    def test_a_fifo_ends_in_an_error_that_says_so(self):
        os.mkfifo(self.lock)
        self.check("a FIFO is where the inbox's lock belongs", "neither directory nor file")

    def test_a_lock_that_is_held_is_waited_for_no_longer_than_the_config_says(self):
        os.mkdir(self.lock)
        result = self.run_program("send", "--to", "bob", "--subject", "s", "--body", "b",
                                  cwd=self.project, rc=FAILED)
        self.assert_says(result, "(waited 200 ms); try again")


class Temporaries(DoctorCase):
    def setUp(self):
        super().setUp()
        self.mail = self.adr()
        self.inbox_dir = os.path.join(self.mail, "alice", "inbox")

    def temp(self, name="MSG-000000000001.json", pid=None, data=None, age=120):
        path = os.path.join(self.inbox_dir, f".{name}.{pid or ended_pid()}.0123abcd.tmp")
        return self.write(path, message() if data is None else data, age=age)

    def test_one_that_was_left_behind_is_removed(self):
        path = self.temp()
        found = self.find("temporary")
        self.assertTrue(found["fixable"])
        self.assertRegex(found["text"], r"\Aprocess \d+ of swarmutt left it behind 2m ago\Z")
        self.fix()
        self.assertFalse(os.path.exists(path))
        self.assertEqual(self.doctor(), [])

    def test_half_a_message_is_removed(self):
        path = self.temp(data='{"id": "MSG-0000')
        self.fix()
        self.assertFalse(os.path.exists(path))

    def test_that_of_a_living_process_and_a_young_one_are_no_finding_and_stay(self):
        paths = [self.temp(pid=os.getpid()), self.temp("MSG-000000000009.json", age=5)]
        self.assertEqual(self.fix(), [])
        for path in paths:
            self.assertTrue(os.path.exists(path))

    def test_the_only_copy_of_a_message_is_never_removed(self):
        path = self.temp(data=message("MSG-000000000007"))
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["fixable"]) for one in found], [("temporary", False)])
        self.assertIn('MSG-000000000007 from "bob" to "alice", which is nowhere else',
                      found[0]["text"])
        self.assertTrue(os.path.exists(path))

    def test_in_an_array_every_entry_counts(self):
        base = self.claude(boxes=[("bob", [self.entry("one")])])
        inboxes = os.path.join(base, "teams/dev/inboxes")
        old = self.write(f"{inboxes}/.bob.json.{ended_pid()}.0123abcd.tmp", [self.entry("one")],
                         age=120)
        more = self.write(f"{inboxes}/.bob.json.{ended_pid()}.0123abce.tmp",
                          [self.entry("one"), self.entry("two")], age=120)
        self.fix(rc=NOTHING)
        self.assertFalse(os.path.exists(old))
        self.assertTrue(os.path.exists(more))

    def test_one_of_the_layouts_log_is_told_and_stays(self):
        shutil.rmtree(os.path.join(self.project, "workspace"))
        self.roo(code="a text")
        path = self.write(os.path.join(self.project, ".roo/memory-bank",
                                       f".progress.md.{ended_pid()}.0123abcd.tmp"), "x", age=120)
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["fixable"]) for one in found], [("temporary", False)])
        self.assertIn("compare it with progress.md", found[0]["advice"])
        self.assertTrue(os.path.exists(path))

    def test_an_agents_unfinished_file_is_told_with_what_it_holds_and_stays(self):
        path = os.path.join(self.inbox_dir, "MSG-000000000005.json.tmp")
        self.write(path, message("MSG-000000000005"), age=600)
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["severity"], one["fixable"]) for one in found],
                         [("unfinished", "problem", False)])
        self.assertIn('MSG-000000000005 from "bob" to "alice", which is nowhere else',
                      found[0]["text"])
        self.assertIn("mv -n MSG-000000000005.json.tmp MSG-000000000005.json", found[0]["advice"])
        self.assertTrue(os.path.exists(path))

    def test_an_unfinished_file_of_a_message_that_is_there_is_a_remark_and_a_young_one_nothing(self):
        path = os.path.join(self.inbox_dir, "MSG-000000000001.json.tmp")
        self.write(path, message(), age=600)
        self.assertEqual(self.find("unfinished")["severity"], "remark")
        age(path, 30)
        self.assertEqual(self.doctor(), [])

    def test_an_unfinished_file_in_which_nothing_is_whole_is_told_as_that(self):
        self.write(os.path.join(self.inbox_dir, "MSG-000000000002.json.tmp"), '{"id": "MSG-0', age=600)
        found = self.find("unfinished")
        self.assertEqual(found["severity"], "remark")
        self.assertIn("it holds no whole message", found["text"])
        self.assertEqual(found["advice"], "if that program is gone, remove it by hand")

    def test_what_is_no_file_is_no_unfinished_message(self):
        os.mkdir(os.path.join(self.inbox_dir, "MSG-000000000002.json.tmp"))
        os.symlink("nowhere", os.path.join(self.inbox_dir, f".x.json.{ended_pid()}.01234567.tmp"))
        age(os.path.join(self.inbox_dir, "MSG-000000000002.json.tmp"), 600)
        for one in self.fix():
            self.assertNotIn(one["check"], ("unfinished", "temporary"))
        self.assertEqual(len(os.listdir(self.inbox_dir)), 3)

    def test_a_temporary_file_of_another_name_is_a_remark(self):
        path = os.path.join(self.inbox_dir, ".scratch.tmp")
        self.write(path, "x", age=600)
        found = self.fix()
        self.assertEqual([(one["check"], one["severity"], one["fixable"]) for one in found],
                         [("unfinished", "remark", False)])
        self.assertIn(".scratch.tmp", found[0]["path"])
        self.assertTrue(os.path.exists(path))
        age(path, 30)
        self.assertEqual(self.doctor(), [])


class Messages(DoctorCase):
    def test_a_damaged_message_is_told_with_its_reason(self):
        mail = self.adr()
        self.write(os.path.join(mail, "alice/inbox/MSG-000000000002.json"), "{", age=60)
        self.write(os.path.join(mail, "alice/inbox/other.json"), message("MSG-000000000003"))
        self.write(os.path.join(mail, "alice/archive/MSG-000000000004.json"), "{", age=60)
        found = {one["path"]: one for one in self.doctor()}
        self.assertEqual({path: (one["check"], one["severity"]) for path, one in found.items()}, {
            "alice/inbox/MSG-000000000002.json": ("damaged", "problem"),
            "alice/inbox/other.json": ("damaged", "problem"),
            "alice/archive/MSG-000000000004.json": ("damaged", "remark")})
        self.assertIn("swarmutt show --raw alice/inbox/MSG-000000000002.json",
                      found["alice/inbox/MSG-000000000002.json"]["advice"])
        self.assertIn("never opens it", found["alice/inbox/other.json"]["text"])

    def test_what_the_advice_on_a_damaged_message_says_can_be_done(self):
        inboxes = self.inbox(messages=[1])
        self.write(os.path.join(inboxes, "coordinator", "$(date +%s)-x.json"), "{", age=60)
        self.assertIn("archive 'coordinator/$(date +%s)-x.json'", self.find("damaged")["advice"])
        self.run_program("archive", "coordinator/$(date +%s)-x.json", cwd=self.project)
        self.assertEqual(self.find("damaged")["severity"], "remark")

    def test_links_and_files_that_cannot_be_read_are_told(self):
        mail = self.adr()
        os.symlink("/etc/hostname", os.path.join(mail, "alice/inbox/MSG-000000000002.json"))
        os.symlink(os.path.join(mail, "alice"), os.path.join(mail, "linked"))
        with open(os.path.join(mail, "alice/inbox/MSG-000000000003.json"), "wb") as file:
            file.truncate((64 << 20) + 1)
        found = {one["path"]: one for one in self.doctor()}
        self.assertEqual({one["check"] for one in found.values()}, {"unreadable"})
        self.assertEqual(sorted(found), ["alice/inbox/MSG-000000000002.json",
                                         "alice/inbox/MSG-000000000003.json", "linked"])
        self.assertIn("symbolic link", found["linked"]["text"])
        self.assertIn("too large", found["alice/inbox/MSG-000000000003.json"]["text"])

    @unittest.skipIf(os.geteuid() == 0, "the superuser can read everything")
    def test_a_directory_that_may_not_be_entered_is_told(self):
        mail = self.adr()
        closed = os.path.join(mail, "bob", "inbox")
        os.makedirs(closed)
        os.chmod(closed, 0)
        self.addCleanup(os.chmod, closed, 0o700)
        self.assertIn("nothing in it is seen", self.find("unreadable")["text"])

    def test_an_agent_that_is_blind_because_of_a_time_zone_is_told_loudly(self):
        self.adr(created_at="2026-01-03T14:30:00Z")
        self.adr(id="MSG-000000000002", created_at="2026-01-03T14:30:00+01:00")
        found = self.find("blind")
        self.assertEqual(found["text"],
                         '"alice" SEES NO MAIL AT ALL: 2 messages carry a time zone, and its whole '
                         'mailbox check fails on that')
        self.assertIn("swarmutt archive MSG-000000000001 MSG-000000000002", found["advice"])
        self.run_program("archive", "MSG-000000000001", "MSG-000000000002", cwd=self.project)
        self.assertEqual(self.doctor(), [])

    def test_a_message_in_another_agents_box_is_told(self):
        mail = self.adr()
        self.write(os.path.join(mail, "alice/inbox/MSG-000000000002.json"),
                   message("MSG-000000000002", to_agent="carol"))
        self.assertEqual(self.find("stray")["text"],
                         'it is for "carol" and lies in the box of "alice", who never sees it')

    def test_unread_mail_past_its_time_is_told_by_recipient(self):
        for number, changes in enumerate(({"to_agent": "tm1"}, {"to_agent": "tm1"},
                                          {"to_agent": "tm2", "status": "read"})):
            self.adr(id=f"MSG-{number:012d}", expires_at="2026-01-04T00:00:00", **changes)
        found = self.find("expired")
        self.assertEqual((found["severity"], found["text"]),
                         ("remark", '2 unread messages for "tm1" are past their time'))

    def test_files_that_nothing_reads_are_told_once_for_a_directory(self):
        mail = self.adr()
        for name in ("MSG-000000000002.txt", "notes", "README.md", ".gitkeep"):
            self.write(os.path.join(mail, "alice/inbox", name), "x")
        found = self.find("not-mail")
        self.assertEqual((found["severity"], found["path"]), ("remark", "alice/inbox"))
        self.assertTrue(found["text"].startswith("2 entries here are no mail"), found)
        for name in "more", "and-more":
            self.write(os.path.join(mail, "alice/inbox", name), "x")
        found = self.find("not-mail")
        self.assertTrue(found["text"].startswith("4 entries here are no mail"), found)
        self.assertTrue(found["text"].endswith(", ..."), found)
        self.assertEqual(found["text"].count(", "), 4, "three of them are named")
        for name in "notes", "more", "and-more":
            os.unlink(os.path.join(mail, "alice/inbox", name))
        self.assertEqual(self.find("not-mail")["text"],
                         "1 entry here is no mail, and no agent reads it: MSG-000000000002.txt")

    def test_bytes_of_a_damaged_inbox_that_were_kept_are_told(self):
        base = self.claude(boxes=[("bob", [self.entry("one")])])
        path = os.path.join(base, "teams/dev/inboxes/bob.json.damaged-1770000000")
        self.write(path, json.dumps([self.entry("one"), self.entry("two")])[:-10])
        found = self.find("saved")
        self.assertEqual(found["severity"], "remark")
        self.assertIn("1 message can be read in it, 1 of them is in the inbox now", found["text"])

    def test_bytes_in_which_nothing_is_whole_are_told_and_other_names_are_no_inbox(self):
        base = self.claude(boxes=[("bob", [self.entry("one")])])
        inboxes = os.path.join(base, "teams/dev/inboxes")
        self.write(os.path.join(inboxes, "bob.json.damaged-1770000000"), "[{")
        self.assertIn("no whole message can be read in it", self.find("saved")["text"])
        os.unlink(os.path.join(inboxes, "bob.json.damaged-1770000000"))
        for name in "bob.json.damaged-", "bob.json.damaged-x", "bob.damaged-1770000000":
            with self.subTest(name=name):
                self.write(os.path.join(inboxes, name), "[]")
                self.assertEqual(self.find("not-mail")["path"], "teams/dev/inboxes")
                os.unlink(os.path.join(inboxes, name))

    def test_all_messages_that_only_a_damaged_inbox_still_has_are_counted(self):
        base = self.claude(boxes=[("bob", [self.entry("one")])])
        path = os.path.join(base, "teams/dev/inboxes/bob.json.damaged-1770000000")
        self.write(path, json.dumps([self.entry(name) for name in ("one", "two", "three", "four")]))
        self.assertIn("4 messages can be read in it, 1 of them is", self.find("saved")["text"])
        self.write(os.path.join(base, "teams/dev/inboxes/bob.json"),
                   [self.entry("one"), self.entry("two")])
        self.assertIn("4 messages can be read in it, 2 of them are", self.find("saved")["text"])

    def test_a_head_that_is_a_program_is_told(self):
        self.roo(orchestrator="hello")
        self.write(os.path.join(self.project, ".roo/mailbox/to-orchestrator.md"),
                   "---js\n{ from: process.exit(1) }\n---\n\nhello\n", age=60)
        self.assertIn("its head is a program", self.find("damaged")["text"])

    def test_what_is_archived_is_neither_blind_nor_stray(self):
        mail = self.adr()
        for number, changes in ((2, {"to_agent": "carol"}), (3, {"created_at": "2026-01-03T14:30:00Z"})):
            one = message(f"MSG-{number:012}", status="archived", **changes)
            self.write(os.path.join(mail, "alice/archive", one["id"] + ".json"), one)
        self.assertEqual(self.doctor(), [])

    def test_of_many_blind_messages_the_first_are_named_by_their_recipient(self):
        for number in range(1, 5):
            self.adr(id=f"MSG-{number:012}", created_at="2026-01-03T14:30:00Z")
        self.adr(id="MSG-000000000009", to_agent="bob", created_at="2026-01-03T14:30:00Z")
        alice, bob = sorted((one for one in self.doctor() if one["check"] == "blind"),
                            key=lambda one: one["text"])
        self.assertTrue(alice["text"].startswith('"alice" SEES NO MAIL AT ALL: 4 messages'), alice)
        self.assertRegex(alice["advice"], r"archive( MSG-00000000000[1-4]){3} \.\.\.$")
        self.assertIn("MSG-000000000009", bob["advice"])


class Twice(DoctorCase):
    def setUp(self):
        super().setUp()
        self.mail = self.adr(status="processing")
        self.inbox_file = os.path.join(self.mail, "alice/inbox/MSG-000000000001.json")
        self.archive_file = os.path.join(self.mail, "alice/archive/MSG-000000000001.json")

    def test_a_message_that_came_back_from_the_archive_is_archived_again(self):
        self.write(self.archive_file, message(status="archived"))
        found = self.find("in-both")
        self.assertEqual((found["path"], found["fixable"]),
                         ("alice/inbox/MSG-000000000001.json", True))
        self.assertTrue(self.fix()[0]["fixed"])
        self.assertFalse(os.path.exists(self.inbox_file))
        self.assertEqual(json.loads(self.read(self.archive_file))["status"], "archived")
        self.assertEqual(os.listdir(os.path.dirname(self.archive_file)),
                         ["MSG-000000000001.json"])
        self.assertEqual(self.doctor(), [])

    def test_those_that_call_themselves_archived_are_archived_again_each_by_its_own_copy(self):
        names = ["alice", "bob"]
        for box in names:
            for number in 1, 2:
                one = message(id=f"MSG-{number:012}", to_agent=box, status="archived")
                for where in "inbox", "archive":
                    self.write(os.path.join(self.mail, box, where, one["id"] + ".json"), one)
        found = [one for one in self.doctor(rc=None) if one["check"] == "in-both"]
        self.assertEqual(sorted((one["path"], one["fixable"]) for one in found),
                         [(f"{box}/inbox/MSG-{number:012}.json", True)
                          for box in names for number in (1, 2)])
        self.fix()
        for box in names:
            self.assertEqual(os.listdir(os.path.join(self.mail, box, "inbox")), [])
            self.assertEqual(len(os.listdir(os.path.join(self.mail, box, "archive"))), 2)

    def test_another_message_with_the_id_of_an_archived_one_stays_in_the_inbox(self):
        self.write(self.archive_file, message(status="archived", body="something else"))
        found = self.fix()
        self.assertEqual([(one["check"], one["fixable"]) for one in found], [("same-id", False)])
        self.assertTrue(os.path.exists(self.inbox_file))

    def test_the_same_id_in_different_boxes_is_told_unless_it_is_one_message_for_several(self):
        inboxes = self.inbox()
        for box, changes in (("a", {}), ("b", {}), ("c", {"subject": "something else"})):
            self.write(os.path.join(inboxes, box, "17-pm-x.json"), {**self.memo("one"), **changes})
        source = ("-S", "inbox:" + inboxes)
        found = self.find("same-id", *source)
        self.assertEqual(found["severity"], "remark")
        os.unlink(os.path.join(inboxes, "c", "17-pm-x.json"))
        self.assertEqual(self.doctor(*source), [])

    def test_of_many_messages_with_one_id_two_are_named_and_the_rest_counted(self):
        inboxes = self.inbox()
        for box, changes in (("a", {}), ("b", {"from": "somebody"}), ("c", {"subject": "another"}),
                             ("d", {"timestamp": "2026-02-13T08:02:18Z"})):
            self.write(os.path.join(inboxes, box, "17-pm-x.json"), {**self.memo("one"), **changes})
        found = self.find("same-id", "-S", "inbox:" + inboxes)
        self.assertRegex(found["text"], "^another message has the same id: .*, and 2 more$")

    def test_copies_at_different_times_are_no_copies(self):
        inboxes = self.inbox()
        for box, day in ("a", 12), ("b", 13):
            self.write(os.path.join(inboxes, box, "17-pm-x.json"),
                       {**self.memo("one"), "timestamp": f"2026-02-{day}T08:02:18Z"})
        self.assertIn("the same id", self.find("same-id", "-S", "inbox:" + inboxes)["text"])

    def test_a_message_is_compared_with_its_own_copy_in_the_archive_not_with_anothers(self):
        self.write(self.archive_file, message(status="archived"))
        for box in "bob", "carol":
            other = message(to_agent=box, status="archived", body="for " + box)
            self.write(os.path.join(self.mail, box, "inbox", "MSG-000000000001.json"), other)
            self.write(os.path.join(self.mail, box, "archive", "MSG-000000000001.json"),
                       dict(other, body="another for " + box))
        found = [one for one in self.doctor() if one["check"] == "in-both"]
        self.assertEqual([(one["path"], one["fixable"]) for one in found],
                         [("alice/inbox/MSG-000000000001.json", True)])


class Answered(DoctorCase):
    def setUp(self):
        super().setUp()
        self.inboxes = self.inbox(messages=[1])
        self.pending = os.path.join(self.inboxes, "coordinator", "1700000000-pm-x.json")

    def answer(self, sender):
        self.write(os.path.join(self.inboxes, "pm", "1700000001-x.json"),
                   {**self.memo("answer"), "from": sender, "to": "pm", "replyTo": "new-0"})

    def test_our_own_answered_message_is_archived(self):
        self.answer("coordinator")
        found = self.find("answered")
        self.assertEqual((found["path"], found["fixable"]),
                         ("coordinator/1700000000-pm-x.json", True))
        self.assertEqual(found["text"], "answer answers it, and it still lies in the inbox: "
                                        "the archive step is missing")
        self.fix()
        self.assertFalse(os.path.exists(self.pending))
        self.assertTrue(os.path.exists(os.path.join(self.inboxes, "coordinator", "archive",
                                                    "1700000000-pm-x.json")))
        self.assertEqual(self.doctor(), [])

    def test_that_of_another_is_only_told(self):
        self.answer("coordinator")
        found = self.doctor("--fix", "--yes", "--as", "validator", rc=NOTHING)
        self.assertEqual([(one["check"], one["fixable"]) for one in found], [("answered", False)])
        self.assertIn('it is for "coordinator" to archive', found[0]["advice"])
        self.assertTrue(os.path.exists(self.pending))

    def test_what_another_answered_in_our_place_is_only_told(self):
        self.answer("validator")
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["fixable"]) for one in found], [("answered", False)])
        self.assertTrue(os.path.exists(self.pending))

    def test_of_two_messages_with_the_id_that_was_answered_none_is_archived(self):
        self.write(os.path.join(self.inboxes, "coordinator", "1700000002-pm-x.json"),
                   {**self.memo("new-0"), "content": "another text"})
        self.answer("coordinator")
        found = [one for one in self.fix(rc=NOTHING) if one["check"] == "answered"]
        self.assertEqual([one["fixable"] for one in found], [False] * len(found))
        self.assertTrue(found and os.path.exists(self.pending))

    def test_one_that_cannot_be_archived_stays_and_is_not_called_fixed(self):
        self.answer("coordinator")
        archive = os.path.join(self.inboxes, "coordinator", "archive")
        os.rmdir(archive)
        self.write(archive, "in the way")
        result = self.box.run("doctor", "--fix", "--yes", cwd=self.project)
        self.assertEqual(result.rc, NOTHING, str(result))
        self.assertRegex(result.out, "(?m)^left     answered .*it was not repaired: .")
        self.assertTrue(os.path.exists(self.pending))

    def test_what_its_own_author_adds_is_no_answer(self):
        self.answer("pm")
        self.assertEqual(self.doctor(), [])


class Names(DoctorCase):
    def test_a_box_of_a_mistyped_name_is_told_with_the_nearest(self):
        self.claude(boxes=[("bob", []), ("bobb", [self.entry("hello", sender="team-lead")])])
        found = self.find("dead-letter")
        self.assertEqual((found["severity"], found["path"], found["text"]),
                         ("problem", "teams/dev/inboxes/bobb.json",
                          '1 unread message waits for "bobb", whom no roster names and who never '
                          'wrote; near: "bob"'))
        self.assertRegex(found["advice"], r"swarmutt show inbox-\w+, then swarmutt send --to NAME")

    def test_an_empty_phantom_is_a_remark_and_stays(self):
        base = self.claude(boxes=[("bobb", [])])
        found = self.fix()
        self.assertEqual([(one["check"], one["severity"]) for one in found],
                         [("dead-letter", "remark")])
        self.assertIn("the box can go", found[0]["advice"])
        self.assertTrue(os.path.exists(os.path.join(base, "teams/dev/inboxes/bobb.json")))

    def test_mail_for_somebody_who_left_is_told_and_gone_when_it_is_put_away(self):
        self.claude(boxes=[("carol", [self.entry("to her", sender="bob")]),
                           ("team-lead", [self.entry("from her", sender="carol", read=True)])])
        found = self.find("dead-letter")
        self.assertEqual(found["text"],
                         '1 unread message waits for "carol", who is not on the roster any more')
        self.run_program("archive", found["advice"].rsplit(" ", 1)[1], cwd=self.project)
        self.assertEqual(self.doctor(), [])

    def test_who_writes_beside_the_swarms_is_no_dead_letter(self):
        self.adr(from_agent="alice", to_agent="courier", type="notification")
        self.write(os.path.join(self.project, "swarms/dev/agents/alice.md"), "an agent")
        self.assertIn("whom no roster names", self.find("dead-letter")["text"])
        self.adr(id="MSG-000000000002", from_agent="courier", type="notification")
        self.assertEqual(self.doctor(), [])

    def test_mail_for_somebody_whom_the_roster_calls_ended_is_told(self):
        base = self.openclaw(messages=[self.claw(1, to="tm1", **{"from": "lead"})])
        config = os.path.join(base, "teams/web/config.json")
        team = json.loads(self.read(config))
        team["teammates"]["tm1"]["status"] = "failed"
        self.write(config, team)
        self.assertIn('for "tm1", who has ended: the roster says failed',
                      self.find("dead-letter")["text"])

    def test_where_the_path_tells_no_box_the_recipient_does(self):
        self.openclaw(messages=[self.claw(1, to="tm3", **{"from": "lead"})])
        self.assertIn('for "tm3", whom no roster names', self.find("dead-letter")["text"])

    def test_two_names_that_share_a_box_are_told(self):
        self.claude(members=("team-lead", "a.b", "a-b"))
        found = self.find("name")
        self.assertEqual((found["severity"], found["path"]), ("problem", '"a.b" in dev'))
        self.assertIn('it shares a mailbox with "a-b"', found["text"])

    def test_names_that_look_alike_and_tricks_are_told(self):
        self.claude(members=("team-lead", "bob", "Bob", "worker-1", "worker-2"),
                    boxes=[("bob", [self.entry(sender="te\u0430m-lead", read=True)])])
        found = {(one["path"], one["severity"]): one["text"] for one in self.doctor()}
        self.assertEqual(found[('"bob" in dev', "remark")], 'it is easily taken for "Bob"')
        self.assertIn("different scripts", found[('"te\u0430m-lead" in dev', "problem")])
        self.assertEqual(found[('"te\u0430m-lead" in dev', "remark")],
                         'it is easily taken for "team-lead"')
        self.assertEqual(len(found), 3)

    def test_a_file_whose_name_no_agent_can_have_is_told(self):
        self.roo(code="a text")
        shutil.copy(os.path.join(self.project, ".roo/mailbox/to-code.md"),
                    os.path.join(self.project, ".roo/mailbox/to-my_mode.md"))
        found = self.doctor()
        self.assertIn(("unreachable", ".roo/mailbox/to-my_mode.md"),
                      [(one["check"], one["path"]) for one in found])

    def test_a_roster_that_cannot_be_read_is_told(self):
        base = self.claude(boxes=[("bob", [])])
        self.write(os.path.join(base, "teams/dev/config.json"), '{"members": [', age=60)
        found = self.find("roster")
        self.assertEqual((found["path"], found["severity"]), ("teams/dev/config.json", "problem"))

    def test_hostile_names_reach_a_terminal_cleaned(self):
        self.adr(from_agent="bob\x1b[2J")
        result = self.run_program("doctor", rc=NOTHING, cwd=self.project)
        self.assertNotIn(b"\x1b", result.stdout)
        self.assertIn("bob^[[2J", result.out)


class Here(DoctorCase):
    def state_dir(self):
        return os.path.join(self.box.state, "swarmutt")

    def test_what_is_queued_or_failed_is_told_with_its_number(self):
        self.roo(code="the first")
        args = ("send", "--to", "code", "--subject", "s", "--body", "b")
        self.run_program(*args, cwd=self.project)
        found = self.find("outbox")
        self.assertEqual((found["severity"], found["source"]), ("remark", None))
        self.assertIn("waits until the message before it has been taken", found["text"])
        self.assertIn("swarmutt outbox drop " + found["path"], found["advice"])
        with contextlib.closing(sqlite3.connect(os.path.join(self.state_dir(), "state.db"))) as db:
            db.execute("UPDATE outbox SET state = 4, problem = CAST('it is late' AS BLOB)")
            db.commit()
        failed = self.find("outbox")
        self.assertEqual((failed["severity"], failed["path"]), ("problem", found["path"]))
        self.assertTrue(failed["text"].endswith(" ago, it is late"), failed)
        self.assertIn(f"swarmutt outbox retry {found['path']}", failed["advice"])
        self.run_program("outbox", "drop", found["path"], cwd=self.project)
        self.assertEqual(self.doctor(), [])

    def test_what_was_interrupted_or_never_looked_for_is_told_once_it_is_overdue(self):
        self.roo(code="the first")
        self.run_program("send", "--to", "code", "--subject", "s", "--body", "b", cwd=self.project)
        for state, minutes, severity, words in (
                (0, 5, "problem", "was interrupted: it may not have been sent"),
                (1, 5, "remark", "was written, and nobody has looked whether it stayed"),
                (0, 0, None, None), (1, 0, None, None)):
            with self.subTest(state=state, minutes=minutes):
                database = os.path.join(self.state_dir(), "state.db")
                with contextlib.closing(sqlite3.connect(database)) as db:
                    db.execute("UPDATE outbox SET state = ?, created_us = ?, due_us = ?, lease_us = 0",
                               (state, int((time.time() - 60 * minutes) * 1e6), 1 << 52))
                    db.commit()
                found = self.doctor("--readonly")
                self.assertEqual([(one["check"], one["severity"]) for one in found],
                                 [("outbox", severity)] if words else [])
                if words:
                    self.assertTrue(found[0]["text"].endswith(" ago, " + words), found)

    def test_a_link_among_our_files_is_not_followed_and_another_users_file_is_not_ours_to_close(self):
        self.adr()
        self.run_program("show", "MSG-000000000001", "--as", "alice", cwd=self.project)
        other = self.write(os.path.join(self.box.root, "other"), "x")
        log = os.path.join(self.state_dir(), "debug.log")
        os.symlink(other, log)
        self.assertEqual(self.doctor(), [])
        if os.geteuid():
            self.skipTest("only root can give a file away")
        os.unlink(log)
        self.write(log, "x")
        os.chmod(log, 0o644)
        os.chown(log, 12345, -1)
        found = self.fix(rc=NOTHING)
        self.assertEqual([(one["check"], one["path"], one["fixable"]) for one in found],
                         [("private", log, False)])
        self.assertIn("it belongs to somebody else", found[0]["advice"])
        self.assertEqual(stat.S_IMODE(os.stat(log).st_mode), 0o644)

    def test_a_damaged_database_is_told(self):
        self.adr()
        self.write(os.path.join(self.state_dir(), "state.db"), b"no database at all" * 100)
        os.chmod(self.state_dir(), 0o700)
        os.chmod(os.path.join(self.state_dir(), "state.db"), 0o600)
        found = self.find("state")
        self.assertEqual(found["severity"], "problem")
        self.assertIn("it is damaged", found["text"])

    def test_what_others_can_look_into_is_closed_to_them(self):
        self.adr()
        self.run_program("show", "MSG-000000000001", "--as", "alice", cwd=self.project)
        self.assertEqual(self.doctor(), [])
        os.chmod(self.state_dir(), 0o755)
        found = self.find("private")
        self.assertEqual((found["path"], found["text"]),
                         (self.state_dir(), "others on this machine may look into it (mode 755)"))
        self.assertTrue(self.fix()[0]["fixed"])
        self.assertEqual(stat.S_IMODE(os.stat(self.state_dir()).st_mode), 0o700)
        self.assertEqual(self.doctor(), [])

    def test_settings_that_cannot_be_read_are_told(self):
        base = self.openclaw(messages=[self.claw(1)])
        self.write(os.path.join(base, "openclaw.json"), "{")
        self.assertIn("openclaw.json", self.find("settings")["text"])


class Asking(DoctorCase):
    def setUp(self):
        super().setUp()
        base = self.claude(boxes=[("bob", [])])
        self.locks = [os.path.join(base, f"teams/dev/inboxes/{name}.json.lock")
                      for name in ("bob", "carl")]
        for lock in self.locks:
            os.mkdir(lock)
            age(lock, 60)

    def there(self):
        return [os.path.isdir(lock) for lock in self.locks]

    def test_without_a_terminal_it_repairs_nothing_unless_told_to(self):
        before = self.box.snapshot()
        result = self.run_program("doctor", "--fix", rc=REFUSED, cwd=self.project)
        self.assert_says(result, "--yes")
        self.assert_unchanged(before)

    def test_readonly_refuses_to_repair(self):
        before = self.box.snapshot()
        self.assert_says(self.run_program("doctor", "--fix", "--yes", "--readonly", rc=REFUSED,
                                          cwd=self.project), "--readonly")
        self.run_program("doctor", "--readonly", rc=NOTHING, cwd=self.project)
        self.assert_unchanged(before)

    def test_yes_alone_makes_no_sense(self):
        self.run_program("doctor", "--yes", rc=USAGE, cwd=self.project)

    def answer(self, text, meanwhile=lambda: None):
        """Runs with a terminal as standard input; returns the result and the question. Calls
        `meanwhile` before the answer, for changes by others."""
        master, slave = harness.open_terminal()
        self.addCleanup(os.close, master)
        process = self.box.popen("doctor", "--fix", cwd=self.project, stdin=slave,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(slave)
        asked = b""
        while b"[y/N] " not in asked and select.select([process.stderr], [], [], 20)[0]:
            piece = os.read(process.stderr.fileno(), 4096)
            if not piece:
                break
            asked += piece
        meanwhile()
        os.write(master, text.encode())
        return self.finish(process), asked.decode()

    def test_each_group_is_asked_for(self):
        result, asked = self.answer("y\n")
        self.assertEqual(asked, "remove 2 stale locks? [y/N] ")
        self.assertEqual((result.rc, self.there()), (DONE, [False, False]))
        self.assertIn("fixed    stale-lock  teams/dev/inboxes/bob.json.lock\n", result.out)
        self.assertTrue(result.out.endswith("0 problems, 0 remarks; 2 fixed\n"), result.out)

    def test_a_lock_that_is_taken_while_the_question_stands_is_never_removed(self):
        result, _ = self.answer("y\n", lambda: age(self.locks[0], 0))
        self.assertEqual((result.rc, self.there()), (NOTHING, [True, False]))
        self.assertIn("left     stale-lock  teams/dev/inboxes/bob.json.lock: it was not repaired: "
                      "it is not left behind any more\n", result.out)
        self.assertTrue(result.out.endswith("1 problem, 0 remarks; 1 fixed\n"), result.out)

    def test_a_temporary_file_that_changes_while_the_question_stands_is_never_removed(self):
        for lock in self.locks:
            os.rmdir(lock)
        path = self.write(os.path.join(os.path.dirname(self.locks[0]),
                                       f".bob.json.{ended_pid()}.0123abcd.tmp"), "[]", age=120)
        result, asked = self.answer("y\n", lambda: self.write(path, "[ ]", age=100))
        self.assertEqual(asked, "remove 1 temporary file? [y/N] ")
        self.assertEqual((result.rc, self.read(path)), (NOTHING, b"[ ]"))

    def test_a_directory_that_goes_while_the_question_stands_is_told_and_nothing_else_is_removed(self):
        for lock in self.locks:
            os.rmdir(lock)
        inbox = os.path.join(self.adr(), "alice", "inbox")
        self.write(os.path.join(inbox, f".x.json.{ended_pid()}.01234567.tmp"), "", age=120)
        result, asked = self.answer("y\n", lambda: os.rename(inbox, inbox + "-away"))
        self.assertEqual(asked, "remove 1 temporary file? [y/N] ")
        self.assertEqual(len(os.listdir(inbox + "-away")), 2, str(result))
        self.assertNotIn("fixed    ", result.out)

    def test_a_lock_whose_directory_goes_while_the_question_stands_is_not_called_removed(self):
        inboxes = os.path.dirname(self.locks[0])
        result, _ = self.answer("y\n", lambda: os.rename(inboxes, inboxes + "-away"))
        self.assertNotIn("fixed    stale-lock  teams/dev/inboxes/bob.json.lock", result.out)
        self.assertIn("bob.json.lock", os.listdir(inboxes + "-away"))

    def test_a_message_that_changes_while_the_question_stands_is_never_archived(self):
        for lock in self.locks:
            os.rmdir(lock)
        mail = self.adr(status="read")
        self.write(os.path.join(mail, "alice/archive/MSG-000000000001.json"),
                   message(status="archived"))
        path = os.path.join(mail, "alice/inbox/MSG-000000000001.json")
        result, asked = self.answer(
            "y\n", lambda: self.write(path, message(status="read", body="another")))
        self.assertEqual(asked, "archive again 1 message that is in the archive already? [y/N] ")
        self.assertEqual(result.rc, NOTHING, str(result))
        self.assertEqual(json.loads(self.read(path))["body"], "another")

    def test_anything_but_yes_is_no(self):
        for text in ("n\n", "\n", "\x04"):
            with self.subTest(text=text):
                result, _ = self.answer(text)
                self.assertEqual((result.rc, self.there()), (NOTHING, [True, True]))


class Together(DoctorCase):
    def test_only_the_safe_ones_are_repaired_and_the_rest_stays_as_it_is(self):
        base = self.claude(boxes=[("bob", []), ("bobb", [self.entry(sender="team-lead")])])
        mail = self.adr(status="read")
        self.write(os.path.join(mail, "alice/archive/MSG-000000000001.json"),
                   message(status="archived"))
        self.write(os.path.join(mail, "alice/inbox/MSG-000000000002.json"), "{", age=60)
        self.write(os.path.join(mail, "alice/inbox/MSG-000000000003.json.tmp"),
                   message("MSG-000000000003"), age=900)
        self.write(os.path.join(mail, "alice/inbox", f".x.json.{ended_pid()}.01234567.tmp"), "",
                   age=100)
        lock = os.path.join(base, "teams/dev/inboxes/bob.json.lock")
        os.mkdir(lock)
        age(lock, 60)
        before = set(self.box.snapshot())
        found = self.fix(rc=NOTHING)
        self.assertEqual(sorted(one["check"] for one in found if one["fixed"]),
                         ["in-both", "stale-lock", "temporary"])
        self.assertEqual(sorted(one["check"] for one in found if not one["fixed"]),
                         ["damaged", "dead-letter", "unfinished"])
        gone = {os.fsdecode(path).rsplit("/", 1)[1] for path in before - set(self.box.snapshot())}
        self.assertEqual(len(gone), 3, gone)
        self.assertEqual({name for name in gone if not name.startswith(".x.json.")},
                         {"bob.json.lock", "MSG-000000000001.json"})
        self.assertEqual(sorted(one["check"] for one in self.doctor()),
                         ["damaged", "dead-letter", "unfinished"])

    def test_looking_changes_nothing(self):
        self.claude(boxes=[("bobb", [self.entry()])])
        self.adr(created_at="2026-01-03T14:30:00Z")
        self.inbox(messages=[1])
        self.roo(code="a text")
        before = self.box.snapshot()
        self.doctor()
        self.run_program("doctor", rc=NOTHING, cwd=self.project)
        self.assert_unchanged(before)


@unittest.skipUnless(os.path.isdir(SAMPLES), "there are no shared samples here")
class Samples(DoctorCase):
    def look(self, name):
        tree = os.path.join(self.box.root, name)
        shutil.copytree(os.path.join(SAMPLES, name), tree)
        before = self.box.snapshot(tree)
        found = self.doctor("-S", tree, env={"SWARMUTT_NOW": "2026-02-12T12:00:00Z"})
        self.assert_unchanged(before, tree)
        return sorted((one["check"], one["severity"]) for one in found)

    def test_what_agents_left_in_real_inboxes_is_found(self):
        self.assertEqual(self.look("agent-inbox"), [("damaged", "problem"), ("damaged", "remark")])
        self.assertEqual(self.look("roo"), [("damaged", "problem")])

    def test_teams_that_worked_have_nothing_wrong(self):
        self.assertEqual(self.look("claude"), [])
        self.assertEqual(self.look("claude-synthetic"), [])
        self.assertEqual([one for one in self.look("openclaw") if one[1] == "problem"], [])
        self.assertEqual([one for one in self.look("adr003") if one[1] == "problem"], [])


if __name__ == "__main__":
    harness.main()
