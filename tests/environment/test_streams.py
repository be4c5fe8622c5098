"""Standard streams that are closed, full or broken, for every subcommand: output never goes into a
file, the work is done, and the exit code reports lost output."""
import itertools
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DEMO, DONE, FAILED, NOTHING, SOAK, UNCONFIRMED, MatrixCase, harness, subcommands

SETS = [one for count in (1, 2, 3) for one in itertools.combinations(range(3), count)]
SOME = {True: [(0,), (1,), (2,), (0, 1, 2)], False: [(1,), (0, 1, 2)]}  # by whether the line writes
PIPED = -signal.SIGPIPE


def close_streams(closed):
    def work():
        for fd in closed:
            os.close(fd)
    return work


class Streams(MatrixCase):

    def test_every_subcommand_has_a_line(self):
        named = {line.name for line in self.lines} | {DEMO.name}
        self.assertEqual(sorted(named), sorted(subcommands(self.box)),
                         "tests/environment/matrix.py: a line for each command")

    def check(self, line, lost, when, **more):
        """`lost`: the output cannot be read by anybody."""
        usual, _ = self.undisturbed(line)
        code = usual.rc
        if lost and usual.out and code == DONE:
            code = UNCONFIRMED if line.writes else FAILED
        self.renew(line)
        result = self.run_line(line, **more)
        self.assert_like_usual(line, result, when, (code,))
        return result

    def test_closed_ones_are_no_files(self):
        for line in self.lines:
            for closed in SETS if SOAK else SOME[line.writes]:
                with self.subTest(line=str(line), closed=closed):
                    result = self.check(line, 1 in closed, closed, preexec_fn=close_streams(closed))
                    if 2 not in closed and result.rc > NOTHING:
                        self.assertIn("standard output cannot be written", result.err)

    def test_what_is_printed_is_not_in_the_log_that_has_its_number(self):
        for words, closed in (("messages --all --json --bodies", (1,)), ("show zzz", (2,)),
                              ("show zzz", (0, 1, 2))):
            self.box.run(*words.split(), "--debug", cwd=self.project,
                         preexec_fn=close_streams(closed))
        with open(os.path.join(self.world.state, "debug.log")) as log:
            for text in log:
                self.assertRegex(text, r"\A\d{4}-\d\d-\d\dT\S+Z \d+")

    def test_a_full_device_is_told(self):
        for line in self.some:
            with self.subTest(line=str(line)), open("/dev/full", "wb") as full:
                result = self.check(line, True, "full", stdout=full)
                if result.rc > NOTHING:
                    self.assertIn("standard output cannot be written", result.err)

    def test_a_pipe_that_nobody_reads_ends_it_and_what_was_done_is_done(self):
        for line in self.some:
            with self.subTest(line=str(line)):
                usual, _ = self.undisturbed(line)
                self.renew(line)
                reader, writer = os.pipe()
                os.close(reader)
                process = self.box.popen(*line.words, cwd=self.project, stdout=writer,
                                         stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
                os.close(writer)
                self.addCleanup(harness.end_process, process)
                err = process.communicate(timeout=harness.LIMIT_S)[1]
                result = harness.Result(line.words, process.returncode, b"", err)
                # a follower ends when nobody reads
                self.assert_like_usual(line, result, "pipe", (usual.rc, PIPED, NOTHING))

    def test_errors_that_nobody_hears_change_nothing(self):
        with open("/dev/full", "wb") as full:
            for line in self.writing:
                with self.subTest(line=str(line)):
                    self.check(line, False, "stderr full", stderr=full)


if __name__ == "__main__":
    harness.main()
