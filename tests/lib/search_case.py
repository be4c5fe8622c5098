"""Shared by the tests of searching: mail with known words, and the index."""
import glob
import os

import harness
from harness import DONE, NOTHING

RARE = "zephyrquartz"


class SearchCase(harness.MailboxCase):

    def put(self, number, body="nothing of note", part="inbox", **more):
        more.setdefault("created_at", f"2026-01-03T14:{number:02d}:00")
        return self.box.put("alice", harness.message(f"MSG-{number:012d}", body=body, **more),
                            part=part)

    def found(self, *words, rc=None, **more):
        result = self.box.run("search", *words, "--json", **more)
        if rc is not None:
            self.assertEqual(result.rc, rc, str(result))
        self.assertIn(result.rc, (DONE, NOTHING), str(result))
        return [int(one["id"][4:]) for one in harness.parse_lines(result.stdout)]

    def rebuild(self):
        return self.run_one("index", "rebuild")

    def status(self):
        return self.run_one("index", "status")

    def segments(self):
        return sorted(glob.glob(os.path.join(self.box.home, "cache/swarmutt/search/*/*.segment")))
