"""Measures how quickly the search index is built, how large it is, and how soon it finds words.

The search runs in a process that has the index open and reads each of the first fifty results from
its file again.
"""
import os
import subprocess

from measuring import in_turn, median, ratios

ROUNDS = 3
AIMS_MS = {"rare": 20, "common": 20, "rare_ranked": 100, "common_ranked": 100}


def measure(bench, tree):
    home = bench.home()
    try:
        out = subprocess.run([bench.tool("search"), f"adr:{tree}", "zephyrquartz", "flamingo"],
                             check=True, capture_output=True, text=True, env=home.env).stdout
    finally:
        home.close()
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def text_bytes(tree):
    return sum(entry.stat().st_size for where, _, _ in os.walk(tree)
               for entry in os.scandir(where) if entry.is_file())


def bench_search(bench):
    count = bench.messages
    tree = bench.tree(count)
    bench.rest()
    took = in_turn(ROUNDS, {"limit": lambda: bench.limit(tree),
                            "search": lambda: measure(bench, tree)})
    by_name = {name: [run[name] for run in took["search"]] for name in took["search"][0]}
    for name, value in (("indexed", count), ("rare_found", min(7, count)),
                        ("common_found", min(50, count // 2))):
        if median(by_name[name]) != value:
            raise RuntimeError(f"{name} is {median(by_name[name]):.0f}, not {value}")
    for name, aim in AIMS_MS.items():
        bench.figures.add(f"a {name.replace('_', ' word, ') if '_' in name else name + ' word'}",
                          by_name[name + "_ms"], "ms", aim,
                          beside=f"best {min(by_name[name + '_best_ms']):.2f} ms")
    bench.figures.add("building the index", [count / s for s in by_name["build_s"]], "messages/s",
                      10_000, at_least=True,
                      beside=f"{median(ratios(by_name['build_s'], took['limit'])):.1f} x LIMIT, "
                             f"{count / median(by_name['build_cpu_s']):.0f} a second of the processor")
    bench.figures.add("size of the index", [100 * size / text_bytes(tree)
                                            for size in by_name["index_bytes"][:1]],
                      "% of the mailbox",
                      beside=f"{median(by_name['index_bytes']) / 1e6:.0f} MB")
