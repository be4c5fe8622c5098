"""Cuts the power after every storage call of every command that writes; make soak SOAK=power.

Words, FAULT_JOBS and FAULT_PART are as in soak_faults.py; SWARMUTT_SEED and POWER_SEEDS, their
number, choose the random cuts that are made besides the fixed ones. The output at the end goes into
doc/reliability.md.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
sys.dont_write_bytecode = True

import soak_faults  # noqa: E402
from cutting import PowerTrial  # noqa: E402


def all_cuts(case, command):
    seed, count = os.environ.get("SWARMUTT_SEED", "2026"), int(os.environ.get("POWER_SEEDS", "8"))
    trial = PowerTrial(case, command)
    return trial.sweep(range(len(trial.calls) + 1), [f"{seed}-{number}" for number in range(count)])


if __name__ == "__main__":
    soak_faults.main(all_cuts, "power cuts")
