# SPDX-License-Identifier: Apache-2.0
"""The table of a bench: rows with a figure, its bar and OK or MISS, printed as they come. A full run also writes it into
a page of docs/, between the lines that name it."""
import os
import pathlib
import platform
import re
import time

SCALE = pathlib.Path(__file__).parent.parent.parent / "docs" / "scale.md"


class Table:
    def __init__(self, noun, head, quick, page=SCALE):
        self.noun, self.quick, self.page, self.lines, self.missed = noun, quick, page, [], 0
        self.put(f"| {head} | figure | bar | |")
        self.put("|---|---|---|---|")

    def put(self, line):
        self.lines.append(line)
        print(line, flush=True)

    def row(self, what, figure, bar, good):
        """good: True, False, or None where nothing is judged."""
        self.missed += good is False
        self.put(f"| {what} | {figure} | {bar} | {'' if good is None else 'OK' if good else 'MISS'} |")

    def most(self, what, figure, bar, unit, digits=0):
        self.row(what, f"{figure:,.{digits}f} {unit}", f"≤ {bar:,} {unit}", figure <= bar)

    def least(self, what, figure, bar, unit, digits=0):
        self.row(what, f"{figure:,.{digits}f} {unit}", f"≥ {bar:,} {unit}", figure >= bar)

    def end(self, complete):
        """The exit status. complete: all rows were measured, so that the document can have them."""
        if complete and not self.quick and self.page.exists():
            made = (f"Made by `bench/{self.noun}.sh` on {time.strftime('%Y-%m-%d')}, Linux {platform.release()}, "
                    f"{os.cpu_count()} CPUs; not written by hand.")
            begin, end = f"<!-- {self.noun} -->", f"<!-- end {self.noun} -->"
            text = self.page.read_text()
            part = "\n".join([begin, made, "", *self.lines, end])
            self.page.write_text(re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: part, text, flags=re.S))
        print(f"\n{self.missed} of the rows miss their bar" if self.missed else "\nno row misses its bar")
        return 1 if self.missed else 0
