# SPDX-License-Identifier: Apache-2.0
"""The table of bench/whatif.sh: rows with a figure, its bar and OK or MISS, printed as they come; a complete run writes it into
docs/sizes.md."""
import os
import pathlib
import platform
import re
import time

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "sizes.md"
BEGIN, END = "<!-- whatif -->", "<!-- end whatif -->"


class Rows:
    def __init__(self):
        self.lines, self.missed = [], 0
        self.put("| what | predicted | measured | apart, or figure | bar | |")
        self.put("|---|---|---|---|---|---|")

    def put(self, line):
        self.lines.append(line)
        print(line, flush=True)

    def row(self, what, predicted, measured, figure, bar, good):
        """good: True, False, or None where nothing is judged."""
        self.missed += good is False
        self.put(f"| {what} | {predicted} | {measured} | {figure} | {bar} | {'' if good is None else 'OK' if good else 'MISS'} |")

    def write(self):
        made = (f"Made by `bench/whatif.sh` on {time.strftime('%Y-%m-%d')}, Linux {platform.release()}, {os.cpu_count()} CPUs; not written "
                "by hand.")
        part = "\n".join([BEGIN, made, "", *self.lines, END])
        text = PAGE.read_text()
        PAGE.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: part, text, flags=re.S))

    def end(self):
        print(f"\n{self.missed} of the rows miss their bar" if self.missed else "\nno row misses its bar")
        return 1 if self.missed else 0
