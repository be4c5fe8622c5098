"""Measures sending: from the start of the process until it reports the message on disk, compared
with the smallest program that writes a message like that; and one broadcast compared with as many
single messages.
"""

import harness
from mail import Arrivals
from measuring import in_turn, median, ratios

ROUNDS = 25
BROADCAST_ROUNDS = 3
FEW = 1_000  # messages that are already there
AGENTS = 100
WORDS = ("--subject", "Rebase", "--body", "main moved")


def bench_send(bench):
    for count in (FEW, bench.messages):
        tree, home = bench.tree(count), bench.home()
        arrivals = Arrivals(bench, tree)
        send = bench.program(tree, "send", "--to", "agent-00", *WORDS)
        try:
            took = in_turn(ROUNDS, {
                "least": lambda: bench.timed(home, bench.tool("send"), arrivals.inbox),
                "send": lambda: bench.timed(home, *send)})
        finally:
            arrivals.clear()
            home.close()
        for what, index in (("to the id", 0), ("to its end", 1)):
            values = {name: [took_s[index] for took_s in those] for name, those in took.items()}
            bench.figures.add(f"send {what}, among {count}", ratios(values["send"], values["least"]),
                              "x the least", None if index else 2,
                              beside=f"{median(values['send']) * 1e3:.1f} of "
                                     f"{median(values['least']) * 1e3:.1f} ms")


def bench_broadcast(bench):
    box = harness.Mailbox(bench.scratch)
    names = [f"agent-{number:03}" for number in range(AGENTS)]
    box.add_box(*names)
    box.add_swarm("dev", *names)

    def single():
        return sum(bench.timed(box, harness.PROGRAM, "send", "--to", name, *WORDS)[1]
                   for name in names)

    try:
        took = in_turn(BROADCAST_ROUNDS, {
            "one": lambda: bench.timed(box, harness.PROGRAM, "broadcast", "--swarm", "dev",
                                       *WORDS)[1],
            "single": single})
        found = sum(len(box.files(name)) for name in names)
    finally:
        box.close()
    if found != 2 * AGENTS * BROADCAST_ROUNDS:
        raise RuntimeError(f"{found} messages were sent")
    bench.figures.add(f"a broadcast to {AGENTS}", ratios(took["one"], took["single"]),
                      "x single messages", 0.3,
                      beside=f"{median(took['one']) * 1e3:.0f} of {median(took['single']) * 1e3:.0f} ms")
