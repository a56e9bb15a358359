# SPDX-License-Identifier: Apache-2.0
"""The table of bench/whatif.sh or bench/recommend.sh: rows with a figure, its bar and OK or MISS, printed as they come; a complete run writes it
into a page, between two marks."""
import os
import pathlib
import platform
import re
import time

ROOT = pathlib.Path(__file__).parents[2]


class Rows:
    def __init__(self, mark, page, script):
        self.mark, self.page, self.script = mark, ROOT / page, script
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
        made = (f"Made by `{self.script}` on {time.strftime('%Y-%m-%d')}, Linux {platform.release()}, {os.cpu_count()} CPUs; not written "
                "by hand.")
        begin, end = f"<!-- {self.mark} -->", f"<!-- end {self.mark} -->"
        part = "\n".join([begin, made, "", *self.lines, end])
        text = self.page.read_text()
        self.page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: part, text, flags=re.S))

    def end(self):
        print(f"\n{self.missed} of the rows miss their bar" if self.missed else "\nno row misses its bar")
        return 1 if self.missed else 0
