"""Very many files: commands end, and count everything exactly. Very many of one kind: four times as
many take less than ten times as long. SWARMUTT_SOAK=1 takes a million files in one layout, and more
of each kind."""
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from layouts import LayoutCase  # noqa: E402
from odd_case import AGENTS, SOAK, TreeCase, each_layout  # noqa: E402
from odd_trees import PLACES  # noqa: E402

MANY = {"adr": 1000000} if SOAK else {}
USUAL = 100000 if SOAK else 4000  # in Claude's layout each is the inbox of another agent
if SOAK:
    harness.LIMIT_S = 1800
LOOKS = (("count",), ("list", "--limit", "3"), ("messages", "--limit", "3"), ("agents",), ("pending",),
         ("doctor",), ("check", "{agent}", "--limit", "3"))


def mail(case, layout, number):
    """Returns the bytes of a message of that number."""
    if layout == "claude":
        return [case.entry("a text", msg_id=f"many-{number}")]
    if layout == "openclaw":
        return dict(case.claw(0), messageId=f"many-{number:08}")
    if layout == "adr":
        return harness.message(f"MSG-many-{number:08}", to_agent="user")
    if layout == "inbox":
        return case.memo(f"many-{number:08}")
    return f'---\nfrom: code\nid: "many-{number:08}"\n---\n\na text\n'


class Many(TreeCase):

    def fill(self, layout):
        place = PLACES[layout]
        top = os.path.join(self.box.root, place.dirs[0])
        os.chdir(top)
        try:
            for number in range(MANY.get(layout, USUAL)):
                data = mail(self, layout, number)
                with open(place.name(b"many-%08d" % number), "w") as file:
                    file.write(data if isinstance(data, str) else json.dumps(data))
        finally:
            os.chdir("/")

    @each_layout
    def test_they_are_counted_and_nothing_takes_for_ever(self, layout):
        self.make(layout, odd=False)
        many = MANY.get(layout, USUAL)
        before = len(self.ids("--all"))
        self.fill(layout)
        for words in LOOKS:
            began = time.monotonic()
            self.try_run(*(AGENTS[layout] if word == "{agent}" else word for word in words))
            if SOAK:
                print(f"{layout}: {many} files, {' '.join(words)}: {time.monotonic() - began:.1f} s",
                      flush=True)
        self.assertEqual(len(self.ids("--all")), before + many)


def request(number, sender="bob", id=None):
    """Returns the text of a permission request."""
    return json.dumps({"type": "permission_request", "request_id": id or f"perm-{number}", "agent_id": sender,
                       "tool_name": "Bash", "tool_use_id": f"t{number}", "description": "Run it",
                       "input": {"command": f"ls {number}"}, "permission_suggestions": []})


def answer(id):
    return json.dumps({"type": "permission_response", "request_id": id, "subtype": "success"})


class Growth(LayoutCase):
    """An algorithm that visits each pair takes sixteen times as long for four times as many items;
    one that walks over them, or sorts them, takes a little more than four times."""

    MANY, TIMES, MOST, TRIES = (20000 if SOAK else 2000), 4, 10, 3

    keeps_cache = False

    def cpu(self, words):
        """Returns the processor seconds, without any cache."""
        if not self.keeps_cache:
            shutil.rmtree(os.path.join(self.box.home, "cache"), ignore_errors=True)
            shutil.rmtree(self.box.state, ignore_errors=True)
        with open(os.devnull, "w") as nothing:
            process = self.box.popen(*words.split(), cwd=self.project, stdin=subprocess.DEVNULL, stdout=nothing,
                                     stderr=nothing)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, range(harness.UNCONFIRMED + 1), words)
        return usage.ru_utime

    def measure(self, fill, count, commands, took):
        """Keeps the shortest time of each command."""
        fill(count)
        for words in commands:
            took[words] = min(self.cpu(words), took.get(words, float("inf")))

    def assert_grows(self, fill, *commands, many=MANY):
        few, more, left = {}, {}, commands
        for _ in range(self.TRIES):  # another program may have used the caches of the processor
            self.measure(fill, many, left, few)
            self.measure(fill, many * self.TIMES, left, more)
            left = [words for words in commands if more[words] > self.MOST * max(few[words], 0.02)]
            if not left:
                return
        self.fail(", ".join(f"{words}: {few[words]:.2f} s for {many}, {more[words]:.2f} s for "
                            f"{many * self.TIMES}" for words in left))

    def put(self, agent, entries, members=("team-lead", "bob")):
        self.claude(boxes=[(agent, entries)], members=members)

    def entries(self, count, text, sender=lambda number: "bob"):
        return [self.entry(text(number), sender=sender(number),
                           timestamp=time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1770000000 + number)))
                for number in range(count)]

    def test_many_requests_in_one_inbox(self):
        self.assert_grows(lambda count: self.put("team-lead", self.entries(count, request)),
                          "pending", "list", "agents", many=4 * self.MANY)

    def test_many_requests_that_are_told_of_at_once(self):
        self.assert_grows(lambda count: self.put("team-lead", self.entries(count, request)),
                          "watch --from-start --limit 1", many=10 * self.MANY)

    def test_many_messages_marked_at_once(self):
        self.assert_grows(lambda count: self.put("team-lead", self.entries(count, lambda number: f"text {number}")),
                          "mark --all team-lead read", many=10 * self.MANY)

    def test_many_requests_with_one_request_id(self):
        self.assert_grows(lambda count: self.put("team-lead", [self.entry(request(1))] * count), "pending")

    def test_many_requests_and_an_answer_to_each(self):
        def fill(count):
            self.put("team-lead", self.entries(count, request))
            self.put("bob", self.entries(count, lambda number: answer(f"perm-{number}"), lambda _: "team-lead"))
        self.assert_grows(fill, "pending", "sent", "list")

    def test_many_forged_answers_to_one_request(self):
        def fill(count):
            self.put("team-lead", [self.entry(request(1))] + self.entries(
                count, lambda _: answer("perm-1"), lambda number: f"agent-{number}"))
            self.put("bob", self.entries(count, lambda _: answer("perm-1"), lambda _: "team-lead"))
        self.assert_grows(fill, "pending", "sent", "list", "flow")

    def test_many_requests_with_one_id_and_as_many_answers(self):
        def fill(count):
            self.put("team-lead", self.entries(count, lambda number: request(number, f"agent-{number}", "perm-1"),
                                               lambda number: f"agent-{number}"))
            self.put("bob", self.entries(count, lambda _: answer("perm-1"), lambda _: "team-lead"))
        self.assert_grows(fill, "pending", "sent", "list")

    def test_many_members_of_a_team(self):
        def fill(count):
            self.put("team-lead", [self.entry()], ["team-lead", *(f"agent-{i}" for i in range(count))])
        self.assert_grows(fill, "agents", "list", "doctor", "check", "send --to agent-1 --subject s --body b --dry-run",
                          many=3 * self.MANY)

    def test_many_requests_of_as_many_members(self):
        def fill(count):
            self.put("team-lead", self.entries(count, lambda number: request(number, f"agent-{number}"),
                                               lambda number: f"agent-{number}"),
                     ["team-lead", *(f"agent-{i}" for i in range(count))])
        self.assert_grows(fill, "pending", "agents", many=self.MANY // 2)

    def test_many_messages_with_one_id(self):
        self.assert_grows(lambda count: self.put("team-lead", [
            self.entry(f"text {number}", msg_id="one") for number in range(count)]), "list", "thread one", "count")

    def test_many_equal_messages_in_an_inbox_that_changed(self):
        def fill(count):
            self.put("team-lead", [self.entry()] * count)
            self.keeps_cache = False
            self.cpu("count")
            self.keeps_cache = True
            self.put("team-lead", [self.entry()] * count + [self.entry("another text")])
        self.assert_grows(fill, "list", many=15 * self.MANY)

    def test_many_conversations_of_one_agent(self):
        self.assert_grows(lambda count: self.put("team-lead", self.entries(count, lambda number: f"text {number}")),
                          "list", "agents", "flow", "--plain")

    def fill_files(self, count, **fields):
        """Writes messages to user; computes each field from the number."""
        inbox = os.path.join(self.project, "workspace/mailboxes/user/inbox")
        os.makedirs(inbox, exist_ok=True)
        os.makedirs(os.path.join(os.path.dirname(inbox), "archive"), exist_ok=True)
        for number in range(count):
            one = harness.message(f"MSG-{number:012x}", to_agent="user",
                                  created_at=time.strftime("%Y-%m-%dT%H:%M:%S.000001",
                                                           time.gmtime(1760000000 + number)),
                                  **{key: value(number) for key, value in fields.items()})
            with open(os.path.join(inbox, one["id"] + ".json"), "w") as file:
                json.dump(one, file)

    def test_many_requests_in_as_many_files(self):
        self.assert_grows(lambda count: self.fill_files(count, subject=lambda number: f"subject {number}"),
                          "pending", "list", many=self.MANY // 2)

    def test_a_long_chain_of_answers(self):
        self.assert_grows(lambda count: self.fill_files(
            count, reply_to=lambda number: f"MSG-{number - 1:012x}" if number else None),
            "list", "thread MSG-000000000000", "sent", many=self.MANY // 2)

    def test_many_handoffs_of_one_work(self):
        self.assert_grows(lambda count: self.fill_files(
            count, type=lambda _: "handoff", from_agent=lambda number: f"agent-{number}",
            context=lambda _: {"job": "J1"}), "handoffs", "list", "flow", many=self.MANY // 2)


if __name__ == "__main__":
    harness.main()
