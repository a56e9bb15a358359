# SPDX-License-Identifier: Apache-2.0
"""What Tracer says of the runs."""
import dataclasses
import json
import statistics
import subprocess
import time
import urllib.request

PATIENCE_S = 120
STUCK_S = 30  # what waits for so long is not only late


@dataclasses.dataclass
class Outcome:
    """One run: of which cause and variation, how long it took, and what was found."""
    cause: str
    kinds: frozenset
    beside: frozenset
    variation: int
    engine: str
    injected: bool
    turn: int
    name: str
    command: str  # the step that the cause is in
    wall_s: float = 0
    timed: bool = True  # false: it was ended from outside, and took as long as that
    run: str = ""
    status: str = ""
    findings: list = dataclasses.field(default_factory=list)
    report: dict = dataclasses.field(default_factory=dict)

    @property
    def first(self):
        return self.findings[0]["kind"] if self.findings else "none"

    @property
    def right(self):
        return self.run != "" and (self.first in self.kinds if self.injected else not self.findings)

    @property
    def label(self):
        return f"{self.cause} {self.variation}{'' if self.injected else ' clean'} ({self.engine}, {self.name})"


def tracer(*argv):
    return subprocess.run(["tracer", *argv], check=True, capture_output=True, text=True).stdout


def runs(data):
    """All runs by the names that their cases gave them: the name of a Nextflow run, else the script's or the folder's."""
    token = (data / "tokens" / "read").read_text().strip()
    found, cursor = {}, ""
    while cursor is not None:
        url = f"{(data / 'lake.url').read_text().strip()}/api/v1/runs?limit=1000" + (f"&cursor={cursor}" if cursor else "")
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            page = json.load(answer)
        for run in page["runs"]:
            for name in (run["name"], run["pipeline"].removesuffix(".sh")):
                if name not in found or run["parent_run"] is None:
                    found[name] = run
        cursor = page.get("next")
    return found


def settled(outcomes, data):
    """Waits until no run of these is still running, and gives each its id."""
    until = time.monotonic() + PATIENCE_S
    while True:
        found = runs(data)
        open_ones = [each for each in outcomes if found.get(each.name, {}).get("status", "running") == "running"]
        if not open_ones or time.monotonic() > until:
            break
        time.sleep(2)
    for each in outcomes:
        each.run, each.status = found.get(each.name, {}).get("id", ""), found.get(each.name, {}).get("status", "not there")
    return open_ones


def ask(outcome):
    """What `tracer report` finds of it."""
    report = json.loads(tracer("report", outcome.run, "--json"))
    outcome.status, outcome.findings = report["run"]["status"], report["findings"]
    outcome.report = report


def ask_while_it_runs(outcome, data):
    """Of a run that does not end by itself, once it has waited for a while: until it has a finding, or PATIENCE_S are over."""
    time.sleep(STUCK_S)
    until = time.monotonic() + PATIENCE_S
    while not outcome.findings and time.monotonic() < until:
        outcome.run = runs(data).get(outcome.name, {}).get("id", "")
        if outcome.run:
            ask(outcome)
        time.sleep(2)


def saved(outcomes):
    """Of the runs of one cause and variation: what their findings say that would be saved, as a part of what it is, and the seconds of both.
    Each run with the cause is held against the one without it that followed; the medians of these pairs."""
    clean = {each.turn: each for each in outcomes if not each.injected}
    pairs = [(each.findings[0]["saves_s"], each.wall_s - clean[each.turn].wall_s) for each in outcomes
             if each.injected and each.right and each.findings[0]["saves_s"] is not None]
    if not pairs or not all(each.timed for each in outcomes):
        return None
    return statistics.median(said / measured for said, measured in pairs), *(statistics.median(column) for column in zip(*pairs))
