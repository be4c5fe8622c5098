"""Measures if the cost of a message stays the same when there are more of them: opening without a
cache, and one new file, until `watch` reports it and until the screens show it.
"""
from mail import Arrivals
from measuring import in_turn, median, quantile, ratios
from session import READY, Session, available
from watching import Sample

SIZES = (1_000, 10_000, 100_000, 300_000, 1_000_000)
MILLION = 1_000_000
ROUNDS, FEW_ROUNDS, MANY = 5, 3, 100_000
TOLD = 100  # messages, each after a pause
SEEN = 5
PAUSE_US = 10_000


class Told(Sample):
    """Runs in a mailbox that exists already."""

    def __init__(self, bench, tree):
        home = bench.home()
        try:
            self.measure(bench, home.env, tree, TOLD, PAUSE_US,
                         lambda tree, inbox: bench.program(tree, "watch", "--json"))
        finally:
            home.close()


def seen_ms(bench, tree, arrivals):
    home, took = bench.home(), []
    try:
        with Session(bench, home, bench.program(tree)) as session:
            session.see(READY)
            session.settle()
            for _ in range(SEEN):
                text = f"INBOX {session.shown() + 1}/"
                begun_us = arrivals.add()
                took.append((session.see_at(text) - begun_us) / 1e3)
    finally:
        home.close()
    return took


def sizes(bench):
    return [size for size in SIZES
            if size <= 3 * bench.messages and (size < MILLION or bench.million)]


def bench_growth(bench):
    for count in sizes(bench):
        tree = bench.tree(count)
        bench.rest()
        took = in_turn(FEW_ROUNDS if count > MANY else ROUNDS, {
            "limit": lambda: bench.limit(tree), "open": lambda: bench.open(tree, count=count)})
        bench.figures.add(f"open {count} messages", ratios(took["open"], took["limit"]), "x LIMIT",
                          beside=f"{median(took['open']) * 1e6 / count:.2f} us a message, "
                                 f"LIMIT {median(took['limit']) * 1e6 / count:.2f}")
        arrivals = Arrivals(bench, tree)
        try:
            told = Told(bench, tree)
            bench.figures.add(f"a file arrives among {count}, told", told.took_ms, "ms",
                              beside=f"p99 {quantile(told.took_ms, 0.99):.2f} ms")
            arrivals.clear()
            if available(bench):
                bench.figures.add(f"a file arrives among {count}, seen",
                                  seen_ms(bench, tree, arrivals), "ms")
        finally:
            arrivals.clear()
        if count > bench.messages:
            bench.drop(count)
