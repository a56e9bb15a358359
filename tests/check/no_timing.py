#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No test asserts on how long something took (docs/design/style.md, Tests): timing belongs to bench/.

    no_timing.py ROOT          one line a fault, exit 1 if there is one
    no_timing.py --self-test   each rule against a text that breaks it and one that keeps it

In C a name that is set from a clock, or a difference with one, may not be compared in an assertion with a constant of
time. A bound that is itself read from a clock (before <= value <= after) is no timing: it holds however slow the host is.
"""
import pathlib
import re
import subprocess
import sys

CLOCK = r"(?:clock_(?:monotonic|boot|real)_ns|clock_gettime|gettimeofday|\bclock|\btime)\s*\("
UNIT = r"(?:NS_PER_(?:S|MS|US)|CLOCKS_PER_SEC|\b\d{6,}\b)"
# "PATH: start of the statement", and why it may stay. As short as possible.
ALLOWED = {
    # An error of converting clocks, not a duration: bounded by the narrowest of several reads.
    "tests/unit/collect/process/test_agent_clock.c: assert_in_range(kernel.tracker->offset_ns - clock_boot_offset_ns()",
}
RULES_C = [
    ("a clock is compared with a constant", lambda text: re.search(CLOCK, text) and differs(text) and
     re.search(r"[<>]\s*\d|" + UNIT, text)),
    ("it names what it took", lambda text: re.search(r"\b(elapsed|took|passed|lasted|duration)(_\w+)?\b", text) and
     not re.search(r'"[^"]*\b(elapsed|took|passed|lasted|duration)\b[^"]*"', text)),
]
RULES_SHELL = [
    ("SECONDS is compared", re.compile(r"(\[\[? |\(\(|\btest ).*\$?\{?SECONDS\b")),
    ("a difference of dates is compared", re.compile(r"(\[\[? |\(\(|\btest ).*\$\(date \+")),
    ("it names what it took", re.compile(r"(\[\[? |\(\().*\$?\{?(elapsed|took|duration)\b")),
]
RULES_PYTHON = [
    ("a clock is asserted on", re.compile(r"\bassert\b.*\b(time|monotonic|perf_counter)\(\)")),
    ("it names what it took", re.compile(r"\bassert\b[^\"']*\b(elapsed|took|duration)\b")),
]


def differs(text):
    """A clock's value less another, or another less it: a duration."""
    return re.search(CLOCK + r"[^;]*?\)\s*-\s", text) or re.search(r"-\s*\(?(?:\(\w+\))?" + CLOCK, text)


def statements(text):
    """Assertions of C, with their first line's number."""
    text = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.S)
    for match in re.finditer(r"\b(assert_\w+|ASSERT_\w+)\s*\([^;]*;", text):
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"\s+", " ", match.group(0))


def faults(path, text):
    suffix = pathlib.PurePath(path).suffix
    if suffix in (".c", ".h"):
        for number, statement in statements(text):
            if any(f"{path}: {statement}".startswith(allowed) for allowed in ALLOWED):
                continue
            for words, breaks in RULES_C:
                if breaks(statement):
                    yield f"{path}:{number}: {words}: {statement}"
        return
    rules = {".sh": RULES_SHELL, ".py": RULES_PYTHON}.get(suffix, [])
    for number, line in enumerate(text.split("\n"), 1):
        if suffix == ".sh" and re.search(r"\b(until|while|deadline|wait_for)\b|^\s*#", line):
            continue  # a deadline or a loop, not an assertion
        for words, rule in rules:
            if rule.search(line):
                yield f"{path}:{number}: {words}: {line.strip()}"


BROKEN = [
    ("a.c", "assert_true(clock_monotonic_ns() - begun < 2 * NS_PER_S);"),
    ("a.c", "assert_in_range(clock_monotonic_ns() - before, 150 * NS_PER_MS, 3 * NS_PER_S);"),
    ("a.c", "assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);"),
    ("a.c", "assert_true(clock_boot_ns() -\n\tshown.start_ns < 60 * NS_PER_S);"),
    ("a.c", "assert_in_range(took, 90 * NS_PER_MS, 3 * NS_PER_S);"),
    ("a.c", "assert_true(busy_ns <= passed_ns / 2);"),
    ("a.sh", '[ "$SECONDS" -lt 10 ] || fail "too slow"'),
    ("a.sh", "[ $(($(date +%s) - begun)) -lt 5 ]"),
    ("a.sh", '((took < 5)) || fail "slow"'),
    ("a.py", "assert time.time() - begun < 5"),
    ("a.py", "assert elapsed < 3, elapsed"),
]
KEPT = [
    ("a.c", "assert_in_range(shown.start_ns, before_ns - 10 * NS_PER_MS, clock_boot_ns());"),
    ("a.c", "assert_true(at <= clock_real_ns());"),
    ("a.c", 'assert_non_null(strstr(text, "took 3 s"));'),
    ("a.c", "assert_int_equal(record.wall_ns, 5 * NS_PER_S);"),
    ("a.sh", "until=$((SECONDS + 60)); while [ $SECONDS -lt $until ]; do"),
    ("a.py", "assert lines == 3"),
]


def self_test():
    for path, text in BROKEN:
        assert list(faults(path, text)), f"passes: {text}"
    for path, text in KEPT:
        assert not list(faults(path, text)), f"is refused: {text}"


def check(root):
    listed = subprocess.run(["git", "ls-files", "tests"], cwd=root, capture_output=True, text=True, check=True).stdout
    found = [fault for path in listed.split() if path != "tests/check/no_timing.py"
             and path.endswith((".c", ".h", ".sh", ".py")) and (pathlib.Path(root) / path).is_file()
             for fault in faults(path, (pathlib.Path(root) / path).read_text(errors="replace"))]
    print("\n".join(found))
    if found:
        sys.exit("A test asserts on time. Wait for a condition instead (tests/unit/wait.h, wait_for in tests/e2e/lib.sh), "
                 "compare with bounds read from the same clock, or move the figure to bench/.")


if __name__ == "__main__":
    self_test() if sys.argv[1:] == ["--self-test"] else check(sys.argv[1])
