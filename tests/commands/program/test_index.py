"""index: the answers stay the same when the index is lost, damaged, outdated or unfinished."""
import os
import signal
import stat
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "lib")]
sys.dont_write_bytecode = True

import harness  # noqa: E402
from harness import DONE, NOTHING, REFUSED, USAGE, poll_until  # noqa: E402
from search_case import SearchCase  # noqa: E402


class Stale(SearchCase):
    """An index, and then a change that it does not contain."""

    def setUp(self):
        super().setUp()
        self.paths = {i: self.put(i, f"word{i} common" + (" also" if i % 2 else ""))
                      for i in range(1, 9)}
        self.rebuild()
        self.assertEqual(self.status()["indexed"], 8)

    def test_a_file_that_is_changed_in_place_and_set_back(self):
        path = self.paths[3]
        st = os.stat(path)
        with open(path, "r+b") as file:
            data = file.read().replace(b"word3", b"ward3")
            file.seek(0)
            file.write(data)
        os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
        self.assertEqual(os.stat(path).st_size, st.st_size)
        self.assertEqual(self.found("word3", rc=NOTHING), [])
        self.assertEqual(self.found("ward3"), [3])
        self.assertEqual(self.found("common"), [8, 7, 6, 5, 4, 3, 2, 1])

    def test_a_file_that_is_replaced(self):
        self.put(3, "ward3 common")
        self.assertEqual(self.found("word3", rc=NOTHING), [])
        self.assertEqual(self.found("ward3 common"), [3])

    def test_a_file_that_is_touched_into_the_past_or_the_future(self):
        for when in (1, time.time() + 10 ** 6):
            os.utime(self.paths[3], (when, when))
            self.assertEqual(self.found("word3"), [3])

    def test_a_file_that_is_removed(self):
        os.remove(self.paths[3])
        self.assertEqual(self.found("word3", rc=NOTHING), [])
        self.assertEqual(self.found("common", "--limit", "7"), [8, 7, 6, 5, 4, 2, 1])
        self.assertEqual(self.found("common", "--rank").count(3), 0)

    def test_a_file_that_is_moved_to_the_archive(self):
        os.rename(self.paths[3], os.path.join(self.box.dir("alice", "archive"),
                                              os.path.basename(self.paths[3])))
        self.assertEqual(self.found("word3"), [3])
        self.assertEqual(self.found("word3 is:archived"), [3])

    def test_a_box_that_is_gone_and_one_that_is_new(self):
        os.rename(self.box.dir("alice", ""), self.box.dir("carol", ""))
        self.assertEqual(self.found("word3 box:carol"), [3])
        self.assertEqual(self.found("word3 box:alice", rc=NOTHING), [])

    def test_a_file_that_is_half_written(self):
        with open(self.paths[3], "rb") as file:
            data = file.read()
        with open(self.paths[3], "wb") as file:
            file.write(data[:len(data) // 2])
            file.flush()
            searching = self.start("search", "word3", "--json")
            file.write(data[len(data) // 2:])
        result = self.finish(searching, DONE)
        self.assertEqual(len(harness.parse_lines(result.stdout)), 1)

    def test_mail_that_has_come_since_stands_where_its_time_is(self):
        self.put(11, "common", created_at="2026-01-03T14:05:30")
        self.assertEqual(self.found("common"), [8, 7, 6, 11, 5, 4, 3, 2, 1])
        self.assertEqual(self.found("common", "--limit", "4"), [8, 7, 6, 11])

    def test_archiving_here_changes_what_is_found(self):
        self.run_program("archive", "--as", "alice", "MSG-000000000003")
        self.assertEqual(self.found("word3 is:archived"), [3])
        self.run_program("restore", "--as", "alice", "MSG-000000000003")
        self.assertEqual(self.found("word3 is:archived", rc=NOTHING), [])


class Damaged(SearchCase):
    """With any damage to the index the answers are right, and the index can be repaired."""

    def setUp(self):
        super().setUp()
        for i in range(1, 9):
            self.put(i, f"word{i} common")

    def check(self):
        self.assertEqual(self.found("word3"), [3])
        self.assertEqual(self.found("common"), [8, 7, 6, 5, 4, 3, 2, 1])
        self.assertEqual(self.found("nothing", rc=NOTHING), [])

    def mended(self):
        self.rebuild()
        status = self.status()
        self.assertEqual((status["damaged"], status["problem"]), (0, None))
        self.assertEqual(status["indexed"], 8)
        self.check()

    def test_bytes_that_were_cut_off_changed_or_are_something_else(self):
        self.rebuild()
        [path] = self.segments()
        with open(path, "rb") as file:
            good = file.read()
        middle = len(good) // 2
        for bad in (b"", b"x", good[:100], good[:middle], good[:-1], b"garbage" * 1000,
                    good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:],
                    good[:16] + b"\x63" + good[17:]):
            with self.subTest(bytes=len(bad)):
                with open(path, "wb") as file:
                    file.write(bad)
                self.check()
                status = self.status()
                self.assertEqual(status["indexed"], 0)
                if os.path.exists(path):  # the command that noticed the damage has not removed it
                    self.assertEqual(status["damaged"], 1)
                    self.assertTrue(status["problem"])
        self.mended()

    def test_damage_is_told_by_search_status_and_doctor(self):
        self.rebuild()
        [path] = self.segments()
        os.truncate(path, 50)
        result = self.run_program("search", "word3")
        self.assertIn("swarmutt index rebuild mends it", result.err)
        self.assertIn("cannot be used", self.run_program("index", "status").out)
        self.assertIn("search index", self.box.run("doctor").out)
        self.mended()
        self.assertNotIn("search index", self.box.run("doctor").out)

    def test_it_cannot_be_read_or_written(self):
        cache = os.path.join(self.box.home, "cache")
        with open(cache, "w") as file:  # something else in its place
            file.write("x")
        self.check()
        self.assertEqual(self.run_program("index", "rebuild", rc=harness.FAILED).out, "")
        self.assertEqual(self.status()["indexed"], 0)
        os.remove(cache)
        self.mended()

    def test_readonly_writes_nothing(self):
        for i in range(100, 180):
            self.box.put("alice", harness.message(f"MSG-{i:012d}", body="more"))
        self.box.run("search", "--readonly", "more")
        self.run_program("index", "rebuild", "--readonly", rc=REFUSED)
        self.run_program("index", "drop", "--readonly", rc=REFUSED)
        self.assertFalse(os.path.exists(os.path.join(self.box.home, "cache")))

    def test_a_search_takes_a_few_new_files_in(self):
        for i in range(100, 180):
            last = self.box.put("alice", harness.message(f"MSG-{i:012d}", body="more"))
        # files that changed less than two seconds ago are indexed later, and may be too few then
        self.assertTrue(poll_until(lambda: time.time() > os.stat(last).st_ctime + 2.1))
        self.assertEqual(len(self.found("more")), 80)
        self.assertGreaterEqual(self.status()["indexed"], 80)

    def test_it_is_private_and_dropping_it_leaves_nothing(self):
        self.rebuild()
        [path] = self.segments()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode), 0o700)
        self.run_program("index", "drop")
        self.assertFalse(os.path.exists(os.path.dirname(path)))
        self.run_program("index", "drop")
        self.check()

    def test_the_words_of_the_command(self):
        self.run_program("index", rc=USAGE)
        self.assert_says(self.run_program("index", "mend", rc=USAGE), "status, rebuild or drop")


class Together(SearchCase):
    """Several concurrent processes, some of which are killed."""

    MANY = 500

    def setUp(self):
        super().setUp()
        for i in range(1, self.MANY + 1):
            self.box.put("alice", harness.message(
                f"MSG-{i:012d}", body=f"common word{i} " + f"filler{i % 7} " * 60))

    def count(self):
        return len(self.found("common"))

    def test_two_that_build_it_at_once(self):
        both = [self.start("index", "rebuild") for _ in range(2)]
        while any(one.poll() is None for one in both):
            self.assertEqual(self.count(), self.MANY)
        codes = sorted(self.finish(one, DONE, REFUSED).rc for one in both)
        self.assertEqual(codes[0], DONE)
        self.rebuild()
        status = self.status()
        self.assertEqual((status["indexed"], status["damaged"]), (self.MANY, 0))
        self.assertEqual(self.count(), self.MANY)

    def test_one_that_is_killed_while_it_builds(self):
        for pause in (0.0, 0.01, 0.03, 0.06, 0.1, 2.05, 2.1):
            process = self.start("index", "rebuild")
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(self.count(), self.MANY)
            self.assertEqual(self.status()["damaged"], 0)
        self.rebuild()
        self.assertEqual(self.status()["indexed"], self.MANY)
        [path] = self.segments()
        self.assertEqual(sorted(os.listdir(os.path.dirname(path))),
                         [os.path.basename(path), "lock"])

    def test_somebody_has_the_lock(self):
        self.rebuild()
        lock = os.path.join(os.path.dirname(self.segments()[0]), "lock")
        holder = subprocess.Popen([sys.executable, "-c", "import fcntl, sys, time\n"
                                   f"f = open({lock!r}, 'r+')\nfcntl.flock(f, fcntl.LOCK_EX)\n"
                                   "print('held', flush=True)\nsys.stdin.read()"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.stdin.close)
        self.addCleanup(holder.stdout.close)
        self.assertEqual(holder.stdout.readline(), b"held\n")
        self.assert_says(self.run_program("index", "rebuild", rc=REFUSED), "another swarmutt")
        self.assertTrue(self.status()["building"])
        self.assertEqual(self.count(), self.MANY)


if __name__ == "__main__":
    harness.main()
