"""make soak: runs the race of the test suite for as long as wanted.

As a program: soak_claude.py [ROUNDS [NODE-WRITERS PER-NODE OUR-WRITERS PER-OURS]] Every round has a
fresh inbox; prints one line per round, and ends at the first loss.
"""
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import node_modules  # noqa: E402
from claude_race import Race  # noqa: E402

USUAL = (10, 4, 600, 4, 300)


class Soak(Race):

    limit_s = 24 * 3600

    def runTest(self):
        nodes, per_node, ours, per_ours = self.counts
        self.run_writers(nodes, per_node, ours, per_ours, "--debug")
        self.assert_sound()


def main(words):
    node_modules.require()
    counts = [int(word) for word in words] + list(USUAL[len(words):])
    for number in range(1, counts[0] + 1):
        soak = Soak()
        soak.counts = counts[1:]
        begin = time.monotonic()
        soak.setUp()
        try:
            soak.runTest()
            hold = soak.longest_hold()
        finally:
            soak.doCleanups()
        print(f"round {number}: {soak.count} acknowledged, {len(soak.refused)} refused, longest "
              f"hold {'not told' if hold is None else f'{hold} ms'}, "
              f"{time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
