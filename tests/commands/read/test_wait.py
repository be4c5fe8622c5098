#!/usr/bin/env python3
"""Waiting for mail, and reports of waiting requests and stuck agents."""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import layouts
from following import Follower
from harness import (DONE, MailboxCase, NOTHING, USAGE, end_process, main, message,
                     open_terminal)


def stamp(ago=0.0):
    then = time.time() - ago
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(then)) + f".{int(then * 1000) % 1000:03d}Z"


def plan(request):
    return json.dumps({"type": "plan_approval_request", "from": "bob", "timestamp": stamp(),
                       "planFilePath": "/tmp/plan.md", "planContent": "# Move the parser\n\nAll.",
                       "requestId": request})


class Wait(MailboxCase):

    def test_what_is_there_already_is_waited_for_no_longer(self):
        self.box.put("alice", message(subject="first"))
        found = self.run_one("wait", "to:alice", "is:unread")
        self.assertEqual(found["subject"], "first")
        self.assertIn("first", self.run_program("wait", "subject:first").out)

    def test_a_message_that_comes_ends_the_waiting(self):
        process = self.start("wait", "from:bob", "to:alice", "--json")
        self.box.put("alice", message(id="MSG-00000000000a", from_agent="carol"))
        self.assertIsNone(process.poll())
        self.box.put("alice", message(id="MSG-00000000000b"))
        result = self.finish(process, DONE)
        self.assertEqual([json.loads(line)["id"] for line in result.lines], ["MSG-00000000000b"])

    def test_all_that_is_there_is_told_oldest_and_newest(self):
        for number in range(3):
            self.box.put("alice", message(id=f"MSG-00000000000{number}"))
        self.assertEqual(len(self.run_json("wait")), 3)

    def test_the_time_is_up(self):
        for options in ((), ("--new",), ("--poll",)):
            result = self.run_program("wait", "from:nobody", "--timeout", "0s", *options, rc=NOTHING)
            self.assert_says(result, "nothing came that matches")

    def test_only_what_is_new_counts_when_that_is_wanted(self):
        self.box.put("alice", message())
        self.run_program("wait", "--new", "--timeout", "0s", rc=NOTHING)
        process = self.start("wait", "--new", "--json", "--timeout", "1m")
        number = 0
        while process.poll() is None and number < 2000:  # its first check is at an unknown time
            number += 1
            self.box.put("bob", message(id=f"MSG-{number:012x}"))
            time.sleep(0.01)
        found = [json.loads(line) for line in self.finish(process, DONE).lines]
        self.assertEqual({one["box"] for one in found}, {"bob"})

    def test_what_is_archived_counts_when_that_is_wanted(self):
        self.box.put("alice", message(status="archived"), part="archive")
        self.run_program("wait", "to:alice", "--timeout", "0s", rc=NOTHING)
        self.run_program("wait", "to:alice", "--timeout", "0s", "--all")

    def test_words_in_bodies_are_waited_for(self):
        self.box.put("alice", message(body="the needle is here"))
        self.run_program("wait", "body:needle", "--timeout", "0s")
        self.run_program("wait", "body:haystack", "--timeout", "0s", rc=NOTHING)

    def test_a_request_is_waited_for_until_it_is_open(self):
        self.box.put("alice", message(type="notification"))
        self.run_program("wait", "is:waiting", "--timeout", "0s", rc=NOTHING)
        process = self.start("wait", "is:waiting", "--json", "--timeout", "1m")
        self.box.put("alice", message(id="MSG-00000000000c", type="request"))
        result = self.finish(process, DONE)
        self.assertEqual([json.loads(line)["id"] for line in result.lines], ["MSG-00000000000c"])

    def test_what_makes_no_sense_is_refused(self):
        self.run_program("wait", "--timeout", "soon", rc=USAGE)
        result = self.run_program("wait", "is:late", rc=USAGE)
        self.assertEqual(result.err.splitlines()[1:], ["  is:late", "     ^"])


class Alarms(layouts.LayoutCase):

    def setUp(self):
        super().setUp()
        self.claude(boxes=[("team-lead", []), ("bob", [])])
        self.inboxes = os.path.join(self.box.home, ".claude", "teams", "dev", "inboxes")

    def configure(self, text):
        self.write(os.path.join(self.box.home, "config", "swarmutt", "config"), text)

    def put(self, agent, *entries):
        self.write(os.path.join(self.inboxes, agent + ".json"), list(entries), age=0)

    def follow(self, *options):
        follower = Follower(self.box, *options)
        self.addCleanup(follower.close)
        follower.process.poll()
        return follower

    def wait_for_event(self, follower, what):
        found = follower.wait_for(
            lambda: [event for event in follower.events if event["event"] == what])
        self.assertTrue(found, follower.events)
        return found

    def test_a_request_for_the_person_is_told_once_with_all_it_says(self):
        follower = self.follow()
        first = self.entry(plan("plan-1"), timestamp=stamp())
        self.put("team-lead", first)
        waiting = self.wait_for_event(follower, "waiting")[0]
        self.assertEqual((waiting["thread"], waiting["protocol"]["planContent"]),
                         ("plan-1", "# Move the parser\n\nAll."))
        self.put("team-lead", first, self.entry(plan("plan-2"), sender="ann", timestamp=stamp()))
        self.assertTrue(follower.wait_for(lambda: follower.counts.get("waiting") == 2))
        self.assertEqual([event["thread"] for event in follower.events
                          if event["event"] == "waiting"], ["plan-1", "plan-2"])

    def test_what_an_agent_asks_another_does_not_wait_for_the_person(self):
        follower = self.follow()
        self.put("bob", self.entry(plan("plan-1"), sender="ann", timestamp=stamp()))
        self.put("team-lead", self.entry(plan("plan-2"), timestamp=stamp()))
        self.wait_for_event(follower, "waiting")
        self.assertEqual(follower.counts["waiting"], 1)

    def test_what_waits_at_the_start_is_told_from_the_start(self):
        self.put("team-lead", self.entry(plan("plan-1"), timestamp=stamp()))
        result = self.box.run("watch", "--json", "--from-start", "--limit", "2")
        self.assertEqual([json.loads(line)["event"] for line in result.lines], ["new", "waiting"])

    def test_somebody_at_a_terminal_is_told_where_things_stand(self):
        self.put("team-lead", self.entry(plan("plan-1"), timestamp=stamp()))
        self.put("bob", self.entry("do it", sender="team-lead", timestamp=stamp(3600)))
        master, slave = open_terminal()
        self.addCleanup(os.close, master)
        process = self.box.popen("watch", stdin=subprocess.DEVNULL, stdout=slave,
                                 stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(end_process, process)
        os.close(slave)
        self.assertEqual(process.stderr.readline(),
                         b"swarmutt: at the start 1 request waits for you, and 0 agents may be "
                         b"stuck; see swarmutt list\n")

    def test_an_agent_gets_stuck_by_the_clock_alone(self):
        self.configure("[stuck]\nunread = 1s\nsilent = 1s\n")
        follower = self.follow()
        self.put("bob", self.entry("do it", sender="team-lead", timestamp=stamp()))
        stuck = self.wait_for_event(follower, "stuck")[0]
        self.assertEqual((stuck["agent"], stuck["state"], stuck["unread"]), ("bob", "STUCK?", 1))
        self.assertIn("1 unread since", stuck["why"])

    def test_a_query_chooses_among_requests_and_agents(self):
        self.configure("[stuck]\nunread = 1s\nsilent = 1s\n")
        follower = self.follow("kind:plan")
        self.put("bob", self.entry("do it", sender="team-lead", timestamp=stamp()))
        self.put("team-lead", self.entry("good morning", timestamp=stamp()),
                 self.entry(plan("plan-1"), timestamp=stamp(), sender="ann"))
        self.wait_for_event(follower, "waiting")
        self.assertEqual(set(follower.counts), {"new", "waiting"})
        self.assertEqual(len(follower.events), 2)

    def test_a_roster_that_changes_is_seen(self):
        self.configure("[stuck]\nunread = 1s\nsilent = 1s\n")
        self.claude(boxes=[("zoe", [self.entry("hi", sender="team-lead", timestamp=stamp(60))])])
        follower = self.follow()
        self.claude(members=("team-lead", "bob", "zoe"))
        self.assertEqual(self.wait_for_event(follower, "stuck")[0]["agent"], "zoe")

    def test_a_config_that_makes_no_sense_is_refused(self):
        self.configure("[stuck]\nsilent = soon\n")
        result = self.box.run("watch")
        self.assertEqual(result.rc, USAGE, str(result))
        self.assertIn("line 2", result.err)


if __name__ == "__main__":
    main()
