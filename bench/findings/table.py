# SPDX-License-Identifier: Apache-2.0
"""What is said of all runs: a table by cause, a line for each miss, and which kind was found for which cause."""
import collections
import re

import judge

RIGHT, CLEAN, SAVED = 0.95, 0.98, 0.10
BEGIN, END = "<!-- begin: bench/findings.sh -->", "<!-- end: bench/findings.sh -->"


# They say that nothing more is known: no cause is stated.
NO_CAUSE = {"exit_code", "unknown_failure"}


def by_cause(outcomes):
    grouped = collections.defaultdict(list)
    for each in outcomes:
        grouped[each.cause].append(each)
    return grouped


def high_and_wrong(outcomes, kinds):
    """Causes that were stated as certain and are not it, anywhere among the findings."""
    return [(each, finding) for each in outcomes for finding in each.findings
            if finding["kind"] in kinds - NO_CAUSE and finding["confidence"] == "high" and not (each.injected and finding["kind"] in each.kinds | each.beside)]


def savings(outcomes):
    """(cause, variation, part, said, measured) of the slow cases where the finding says how much (judge.saved)."""
    grouped = collections.defaultdict(list)
    for each in outcomes:
        grouped[each.cause, each.variation].append(each)
    return [(*key, *found) for key, group in grouped.items() if (found := judge.saved(group))]


def share(part, whole):
    return f"{part}/{whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def close(part):
    return abs(part - 1) <= SAVED


def rows(outcomes):
    saved = savings(outcomes)
    yield f"{'cause':18} {'expected':24} {'found first':>14} {'clean':>14} {'saves_s':>9}"
    for cause, group in by_cause(outcomes).items():
        hurt, clean = [each for each in group if each.injected], [each for each in group if not each.injected]
        mine = [close(part) for name, _, part, _, _ in saved if name == cause]
        yield (f"{cause:18} {', '.join(sorted(set().union(*(each.kinds for each in group)))):24} {share(sum(each.right for each in hurt), len(hurt)):>14} "
               f"{share(sum(each.right for each in clean), len(clean)):>14} {f'{sum(mine)}/{len(mine)}' if mine else '-':>9}")


def misses(outcomes, kinds):
    for each in outcomes:
        if not each.right:
            finding = each.findings[0] if each.findings else None
            said = f"{finding['kind']} ({finding['confidence']}): {finding['summary']}" if finding else "nothing"
            wanted = " or ".join(sorted(each.kinds)) if each.injected else "nothing"
            yield f"MISS {each.label}, {each.status}: {wanted} is right, found: {said}"
    for each, finding in high_and_wrong(outcomes, kinds):
        yield f"WRONG AND CERTAIN {each.label}: {finding['kind']}: {finding['summary']}"
    for cause, variation, part, said, measured in savings(outcomes):
        if not close(part):
            yield f"SAVING {cause} {variation}: {100 * part:.0f} % of what was saved is said: {said:.2f} s of {measured:.2f} s"


def matrix(outcomes):
    """Lines of Markdown: causes down, what was found first across."""
    hurt = [each for each in outcomes if each.injected]
    kinds = sorted({each.first for each in outcomes} - {"none"}) + ["none"]
    yield "| injected | runs | " + " | ".join(f"`{kind}`" for kind in kinds) + " |"
    yield "|---|---|" + "---|" * len(kinds)
    for cause, group in [*by_cause(hurt).items(), ("nothing (clean)", [each for each in outcomes if not each.injected])]:
        counts = collections.Counter(each.first for each in group)
        yield f"| {cause} | {len(group)} | " + " | ".join(str(counts[kind] or "") for kind in kinds) + " |"


def within_bars(outcomes, kinds):
    """(what, whether it holds) of each bar."""
    hurt, clean = [each for each in outcomes if each.injected], [each for each in outcomes if not each.injected]
    saved = savings(outcomes)
    held = sum(close(part) for _, _, part, _, _ in saved)
    wrong = len(high_and_wrong(outcomes, kinds))
    right, quiet = sum(each.right for each in hurt), sum(each.right for each in clean)
    return [(f"right cause first: {share(right, len(hurt))}, {100 * RIGHT:.0f} % wanted", right >= RIGHT * len(hurt)),
            (f"wrong causes stated with confidence high: {wrong}, 0 wanted", wrong == 0),
            (f"clean runs without a finding: {share(quiet, len(clean))}, {100 * CLEAN:.0f} % wanted", quiet >= CLEAN * len(clean)),
            (f"saves_s within {100 * SAVED:.0f} % of the time saved: {share(held, len(saved))}, all wanted", held == len(saved))]


def write(page, lines):
    """Between the markers of that page."""
    text = page.read_text()
    block = "\n".join([BEGIN, "", *lines, "", END])
    if BEGIN in text:
        text = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: block, text, flags=re.S)
    else:
        text = text.rstrip("\n") + "\n\n" + block + "\n"
    page.write_text(text)


def kinds_of(page):
    """The kinds of the page's tables."""
    return set(re.findall(r"^\| `(\w+)` \| [^|]*\|(?: [^|]*\|)?$", page.read_text().split("## Why it failed")[1], re.M))
