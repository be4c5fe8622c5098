"""Measures how soon the screens appear without a cache, and how soon they answer keys.

The first screen is compared with that of tests/bench/empty, the smallest program with a screen, in
turn and by the same clock. Keys are pressed while many messages load, and while mail arrives
afterwards.
"""
import threading

from mail import Arrivals
from measuring import in_turn, median, ratios
from session import FRAME, READY, Session, add_keys, available

ROUNDS = 15
KEY_ROUNDS = 3
FEW = 100  # messages
KEYS = 400  # after loading
MAIL_S = 0.15  # between two messages that arrive


def first(bench, text, command):
    """Returns the milliseconds from the start until the text is on the screen."""
    home = bench.home()
    try:
        with Session(bench, home, command) as session:
            return session.see(text) * 1e3
    finally:
        home.close()


def bench_screen(bench):
    if not available(bench):
        return
    few, many = (bench.program(bench.tree(count)) for count in (FEW, bench.messages))
    took = in_turn(ROUNDS, {"empty": lambda: first(bench, "here I am", [bench.tool("empty")]),
                            "few": lambda: first(bench, FRAME, few),
                            "many": lambda: first(bench, FRAME, many)})
    for what, name in ((f"first screen, {FEW} messages", "few"),
                       (f"first screen, {bench.messages} messages", "many")):
        bench.figures.add(what, ratios(took[name], took["empty"]), "x an empty program",
                          beside=f"{median(took[name]):.1f} of {median(took['empty']):.1f} ms")


class Mail:
    """Messages that arrive in a mailbox one after the other, until it is closed."""

    def __init__(self, arrivals):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.write, args=(arrivals,))
        self.thread.start()

    def write(self, arrivals):
        while not self.ended.wait(MAIL_S):
            arrivals.add()

    def close(self):
        self.ended.set()
        self.thread.join()


def press_keys(bench, tree):
    """Returns the milliseconds that keys took while mail was loading, and while it arrived."""
    home, arrivals = bench.home(), Arrivals(bench, tree)
    try:
        with Session(bench, home, bench.program(tree)) as session:
            session.rows()
            loading = session.press_until(READY)
            mail = Mail(arrivals)
            try:
                return loading, session.press(KEYS)
            finally:
                mail.close()
    finally:
        home.close()
        arrivals.clear()


def bench_keys(bench):
    if not available(bench):
        return
    tree = bench.tree(bench.messages)
    runs = [press_keys(bench, tree) for _ in range(KEY_ROUNDS)]
    add_keys(bench, "p99 while all mail loads", [run[0] for run in runs])
    add_keys(bench, f"p99 while mail arrives every {MAIL_S * 1e3:.0f} ms", [run[1] for run in runs])
