#!/usr/bin/env python3
"""watch and wait: the reported and the unreported messages, and the end."""
import json
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness
import layouts
from following import Follower
from harness import DONE, FAILED, LIMIT_S, NOTHING, message


class WaitCase(harness.MailboxCase):

    def ask(self, id, **changes):
        self.box.put("user", message(id=id, to_agent="user", **changes))

    def test_wait_new_passes_over_what_waits_already(self):
        self.ask("MSG-000000000001")
        self.run_program("wait", "is:waiting", "--timeout", "10m")
        result = self.run_program("wait", "--new", "is:waiting", "--timeout", "0s", rc=NOTHING)
        self.assertEqual(result.out, "")

    def test_wait_new_tells_what_has_come_to_wait_and_nothing_else(self):
        self.ask("MSG-000000000001")
        process = self.start("wait", "--new", "is:waiting", "--json", "--timeout", "1m")
        number = 1

        def ended():  # the program may start after the first messages arrive
            nonlocal number
            number += 1
            self.ask(f"MSG-{number:012x}")
            return process.poll() is not None
        self.assertTrue(harness.poll_until(ended))
        told = [one["id"] for one in harness.parse_lines(self.finish(process, DONE).stdout)]
        self.assertTrue(told)
        self.assertNotIn("MSG-000000000001", told)

    def test_the_text_is_told_with_the_message(self):
        self.ask("MSG-000000000001", body="which port?")
        for words in ("wait",), ("wait", "is:waiting"), ("watch", "--from-start", "--limit", "1"), \
                ("watch", "--from-start", "--limit", "1", "--exec", "cat"):
            result = self.run_program(*words, *(() if "cat" in words else ("--json",)))
            self.assertEqual(json.loads(result.lines[-1])["body"], "which port?", words)

    def test_watch_ends_when_its_output_cannot_be_written(self):
        self.ask("MSG-000000000001")
        with open("/dev/full", "wb") as full:
            process = self.box.popen("watch", "--from-start", stdin=subprocess.DEVNULL, stdout=full,
                                     stderr=subprocess.PIPE)
            self.addCleanup(harness.end_process, process)
            _, err = process.communicate(timeout=LIMIT_S)
        self.assertEqual(process.returncode, FAILED, err)
        self.assertIn(b"standard output", err)


class TeamCase(layouts.LayoutCase):
    """A removed file counts as present for 0.2 seconds, so a slower round proves nothing."""

    ROUNDS, QUICK_S = 50, 0.1
    LOOK_S = 0.04  # time for a wrong report; nothing else depends on it

    def make_team(self, team):
        request = {"type": "permission_request", "request_id": team, "agent_id": "bob",
                   "tool_name": "Bash", "input": {"command": "ls"}}
        answer = {"type": "permission_response", "request_id": team, "subtype": "success"}
        base = self.claude(team=team, boxes=(
            ("bob", [self.entry(json.dumps(answer), sender="team-lead")]),
            ("team-lead", [self.entry(json.dumps(request))])))
        return os.path.join(base, "teams", team)

    def remove_answers_first(self, follower, where):
        """Returns how long the request was there without its answer."""
        start = time.monotonic()
        os.unlink(os.path.join(where, "inboxes", "bob.json"))
        self.write(os.path.join(where, "inboxes", "carol.json"), [self.entry("marker")])
        follower.wait_for(lambda: any(one["box"] == "carol" for one in follower.present.values()))
        time.sleep(self.LOOK_S)
        shutil.rmtree(where)
        return time.monotonic() - start

    def test_a_team_that_is_removed_makes_no_answered_request_wait_again(self):
        self.claude(team="empty")
        follower = Follower(self.box)
        self.addCleanup(follower.close)
        for number in range(self.ROUNDS):
            where = self.make_team(f"team-{number}")
            follower.wait_for(lambda: len(follower.present) == 2)
            took_s = self.remove_answers_first(follower, where)
            follower.wait_for(lambda: not follower.present)
            if took_s < self.QUICK_S:
                self.assertNotIn("waiting", follower.counts)
                return
            follower.counts.pop("waiting", None)
        self.skipTest("this machine is too busy")


if __name__ == "__main__":
    harness.main()
