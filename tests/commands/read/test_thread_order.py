"""Conversations are ordered by answers, whatever the clocks of their authors say."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))
import harness  # noqa: E402
from harness import message  # noqa: E402
from layouts import FrozenCase  # noqa: E402


class OrderCase(FrozenCase):
    now = "2026-03-01T12:00:00Z"

    def assert_order(self, first, *subjects):
        self.assertEqual([row["subject"] for row in self.rows("thread", first)], list(subjects))
        row, = self.rows("list", "--all")
        self.assertEqual((row["subject"], row["count"]), (subjects[0], len(subjects)))


class Adr(OrderCase):
    def put(self, number, sender, to, time, subject, **fields):
        id = f"MSG-{number:012d}"
        self.adr(id=id, from_agent=sender, to_agent=to, created_at=f"2026-03-01T{time}",
                 subject=subject, type="response" if "reply_to" in fields else "notification",
                 **fields)
        return id

    def test_an_answer_that_is_dated_before_its_question_follows_it(self):
        question = self.put(2, "bob", "user", "11:00:00", "the question")
        self.put(1, "user", "bob", "09:00:00", "the answer", reply_to=question)
        self.assert_order(question, "the question", "the answer")

    def test_an_answer_of_the_same_second_follows_its_question(self):
        question = self.put(2, "bob", "user", "11:00:00", "the question")
        answer = self.put(1, "user", "bob", "11:00:00", "the answer", reply_to=question,
                          thread_id=question)
        self.put(0, "bob", "user", "11:00:00", "thanks", reply_to=answer, thread_id=question)
        self.assert_order(answer, "the question", "the answer", "thanks")

    def test_an_answer_to_an_answer_follows_it_in_a_thread_that_is_in_order(self):
        question = self.put(1, "bob", "user", "09:00:00", "the question")
        answer = self.put(2, "user", "bob", "11:00:00", "the answer", reply_to=question,
                          thread_id=question)
        self.put(3, "bob", "user", "10:00:00", "thanks", reply_to=answer, thread_id=question)
        self.put(4, "bob", "user", "10:30:00", "a word", thread_id=question)
        self.assert_order(answer, "the question", "the answer", "thanks", "a word")

    def test_a_thread_begins_with_the_message_that_it_is_called_after(self):
        question = self.put(2, "bob", "user", "11:00:00", "the question")
        self.put(1, "user", "bob", "09:00:00", "a word", thread_id=question)
        self.assert_order(question, "the question", "a word")

    def test_answers_to_each_other_begin_with_the_first(self):
        self.put(1, "bob", "user", "09:00:00", "one", reply_to="MSG-000000000002")
        self.put(2, "user", "bob", "10:00:00", "two", reply_to="MSG-000000000003")
        self.put(3, "bob", "user", "11:00:00", "three", reply_to="MSG-000000000001")
        self.assert_order("MSG-000000000001", "one", "three", "two")

    def test_long_conversations_keep_the_order_of_time_where_answers_allow_it(self):
        question = self.put(99, "bob", "user", "11:59:00", "the question")
        for number in range(20):
            self.put(number, "user", "bob", f"10:{number:02d}:00", f"answer {number}",
                     reply_to=question)
        self.assert_order(question, "the question", *[f"answer {n}" for n in range(20)])


class Future(OrderCase):
    """Messages dated later than their file was written."""

    def setUp(self):
        super().setUp()
        del self.box.env["SWARMUTT_NOW"]

    def stamp(self, hours):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600 * hours))

    def put(self, name, hours, age, box="coordinator", **fields):
        """Writes a message dated `hours` from now in a file that is `age` seconds old."""
        self.write(os.path.join(self.project, "scheduler", "inboxes", box, name + ".json"),
                   {"id": name, "timestamp": self.stamp(hours), "from": "pm", "to": box,
                    "subject": name, "content": "x", **fields}, age=age)

    def test_a_message_from_the_future_is_flagged_and_is_not_new_for_ever(self):
        self.put("tomorrow", 24, 7200)
        self.put("honest", -1, 3600)
        rows = {row["subject"]: row for row in self.rows("messages")}
        self.assertIn("dated in the future", rows["tomorrow"]["flags"][0])
        self.assertNotIn("flags", rows["honest"])
        self.assertEqual([row["subject"] for row in self.rows("messages", "--newest")],
                         ["honest", "tomorrow"])
        self.assertEqual([row["subject"] for row in self.rows("list")], ["tomorrow", "honest"])
        plain = self.run_program("list", cwd=self.project).out
        self.assertRegex(plain, r"~\s*2h pm .*tomorrow")
        self.assertIn("dated in the future",
                      self.run_program("show", "tomorrow", cwd=self.project).out)

    def test_an_agent_that_writes_from_the_future_is_not_heard_for_ever(self):
        self.put("tomorrow", 24, 7200)
        row, = [row for row in self.rows("agents") if row["agent"] == "pm"]
        self.assertLess(row["heard_at"], self.stamp(-1.9))

    def test_clocks_may_differ_by_a_few_minutes(self):
        self.put("soon", 0.05, 0)
        self.assertNotIn("flags", self.rows("messages")[0])

    def test_an_entry_of_a_shared_inbox_is_no_newer_than_the_one_behind_it(self):
        self.claude(boxes=[("team-lead", [
            self.entry("one", timestamp=self.stamp(-3)),
            self.entry("two", timestamp=self.stamp(48), sender="eve"),
            self.entry("three", timestamp=self.stamp(-2))])])
        rows = self.rows("messages", "--bodies")
        self.assertEqual([row["body"] for row in rows if row["body"] != "two"], ["one", "three"])
        two, = [row for row in rows if row["body"] == "two"]
        self.assertEqual(two["created_at"], rows[-1]["created_at"])
        self.assertIn("dated in the future", two["flags"][0])


if __name__ == "__main__":
    harness.main()
