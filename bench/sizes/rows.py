# SPDX-License-Identifier: Apache-2.0
"""The tables of bench/rightsize.sh, printed as they come; a complete run writes them into docs/sizes.md."""
import pathlib
import re
import time

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "sizes.md"
BEGIN, END = "<!-- rightsize -->", "<!-- end rightsize -->"


class Rows:
    def __init__(self):
        self.lines, self.missed = [], 0

    def put(self, line):
        self.lines.append(line)
        print(line, flush=True)

    def table(self, *head):
        self.put("")
        self.put("| " + " | ".join(head) + " |")
        self.put("|---" * len(head) + "|")

    def row(self, *cells):
        self.put("| " + " | ".join(cells) + " |")

    def bar(self, what, figure, bar, good):
        self.missed += not good
        self.row(what, figure, bar, "OK" if good else "MISS")

    def write(self):
        made = f"Made by `bench/rightsize.sh` on {time.strftime('%Y-%m-%d')}; not written by hand."
        part = "\n".join([BEGIN, made, *self.lines, END])
        PAGE.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: part, PAGE.read_text(), flags=re.S))

    def end(self):
        print(f"\n{self.missed} of the rows miss their bar" if self.missed else "\nno row misses its bar")
        return 1 if self.missed else 0
