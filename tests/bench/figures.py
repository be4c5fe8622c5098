"""The table of make bench: one row per figure, with its aim, its spread and whether it is met.

The first row of a part gives the share of the machine that other processes used while it ran:
figures of a busy machine are worthless.
"""
import os
import platform
import statistics
import subprocess
import time

HEADER = ("what", "figure", "aim", "spread", "beside")
LOADED = 0.05  # share of the machine that others use: above it a figure is marked as loaded


def number(value):
    if value == int(value) and value < 100 or value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def with_unit(value, unit):
    return f"{number(value)} {unit}".strip()


class Others:
    """The share of the machine that others use."""

    def __init__(self):
        self.begun = self.look()

    @staticmethod
    def look():
        with open("/proc/stat") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        busy = (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")
        ours = sum(os.times()[:4])
        return busy, ours, time.monotonic()

    def share(self):
        busy, ours, seconds = (now - then for now, then in zip(self.look(), self.begun))
        return max(0.0, (busy - ours) / (seconds * os.cpu_count())) if seconds else 0.0


def machine(scratch):
    """Describes the machine of the figures."""
    with open("/proc/cpuinfo") as file:
        model = next((line.partition(":")[2].strip() for line in file
                      if line.startswith("model name")), platform.machine())
    system = subprocess.run(["df", "--output=fstype", scratch], capture_output=True,
                            text=True).stdout.split()[-1]
    return f"{model}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}, {system}"


class Figures:
    def __init__(self):
        self.rows, self.notes, self.part = [], [], None

    def begin(self, title):
        self.part, self.others, self.first = title, Others(), len(self.rows)
        print(f"\n{title}", flush=True)

    def end(self):
        share = self.others.share()
        for row in self.rows[self.first:]:
            row["others"] = f"{share:.0%}" + (" (loaded)" if share > LOADED else "")
        print(f"  others used {share:.0%} of the machine meanwhile", flush=True)

    def add(self, what, values, unit, aim=None, at_least=False, beside=""):
        """Adds a figure: the median of its values. `aim` is its maximum, or its minimum with
        `at_least`."""
        figure = statistics.median(values)
        met = "" if aim is None else "meets" if (figure >= aim) == at_least or figure == aim else \
            "misses"
        row = {"part": self.part, "what": what, "figure": with_unit(figure, unit), "": met,
               "aim": "" if aim is None else ("at least " if at_least else "") + number(aim),
               "spread": f"{number(min(values))}..{number(max(values))}" if len(values) > 1 else "",
               "beside": beside}
        self.rows.append(row)
        print(f"  {what:52} {row['figure']:>13}  {row['aim']:>18} {met:6}  {row['spread']:>16}  "
              f"{beside}", flush=True)

    def note(self, text):
        """Adds a row for a figure that was not measured, with the reason."""
        self.notes.append(text)
        print(f"  {text}", flush=True)

    def write(self, path, scratch, minutes):
        """Writes one table in Markdown; the title of a part is a row, with what others used meanwhile."""
        with open(path, "w") as file:
            file.write(f"{time.strftime('%Y-%m-%d')}, {machine(scratch)}; in {minutes:.1f} minutes.\n\n"
                       f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}\n")
            part = None
            for row in self.rows:
                if row["part"] != part:
                    part = row["part"]
                    file.write(f"| **{part}** |{'|' * (len(HEADER) - 2)} others {row['others']} |\n")
                cells = {**row, "aim": f"{row['aim']}, {row['']}" if row["aim"] else ""}
                file.write("|" + "".join(f" {cells[name]} |" if cells[name] else "|"
                                         for name in HEADER) + "\n")
            for text in self.notes:
                file.write(f"\n{text}\n")
