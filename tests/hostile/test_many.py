"""Very many files: commands end, and what is there is counted to the last. SWARMUTT_SOAK=1 takes a
million of them in one layout."""
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "faults"), HERE]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from odd_case import AGENTS, SOAK, TreeCase, each_layout  # noqa: E402
from odd_trees import PLACES  # noqa: E402

MANY = {"adr": 1000000} if SOAK else {}
USUAL = 100000 if SOAK else 4000  # in Claude's layout each is the inbox of another agent
if SOAK:
    harness.LIMIT_S = 1800
LOOKS = (("count",), ("list", "--limit", "3"), ("messages", "--limit", "3"), ("agents",), ("pending",),
         ("doctor",), ("check", "{agent}", "--limit", "3"))


def mail(case, layout, number):
    """The bytes of a message of that number."""
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


if __name__ == "__main__":
    harness.main()
