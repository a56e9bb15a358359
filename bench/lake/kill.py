#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by kill.sh: kill.py [--kills 200] [--seed N] [--quick]

Agents send a history (bench/drivers/lake/work_history.c), of which each batch is known: how many samples and executions
there are up to it. A kill ends their connections; after it another lake is started on a copy of the files, which stores what
the log of batches has, and is stopped: its file is looked at. Then the lake itself is started, and each agent goes on behind
the last batch that was acknowledged to it.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from lake import BUILD, RECORDED, Lake, has_command, number, sql
from table import Table

AGENTS, ROWS_K, KILLS_A_LAKE = 8, 200, 50
# A kill comes so long after the beginning of what it is to hit; a run is settled a second after its last record.
MOMENTS_S = {"start": (0, 0.4), "settling": (1, 5)}
MOMENT_S = (0, 2)
# Besides the ingest, which goes on during all of them. What this lake cannot do is named, and not counted.
ACTIONS = {
    "ingest": None,
    "settling": None,
    "start": None,
    "compaction": ["compact"],
    "backup": ["backup"],
}
SUMS = ["user_ns", "kernel_ns", "threads_ns", "minor_faults", "read_chars_bytes"]


class Killed:
    """A lake that is killed again and again, and what it must have."""

    def __init__(self, folder, began_at, chance):
        self.lake, self.chance, self.began_at = Lake(folder, "--settle-after", "1s").start(), chance, began_at
        self.acknowledged = self.lake.folder / "acknowledged"
        self.options = {"agents": AGENTS, "rows": ROWS_K, "began_at": began_at}
        self.faults = []
        self.expected = expected(self.options)

    def kill(self, action):
        """While agents send, and the action goes on."""
        load = self.lake.loading("history", seconds=60, interval=0.05, acknowledged=self.acknowledged, **self.options)
        command = self.begin(action)
        if action == "start":
            time.sleep(self.chance.uniform(*MOMENT_S))
            self.lake.kill()
            self.lake.begin()
        time.sleep(self.chance.uniform(*MOMENTS_S.get(action, MOMENT_S)))
        self.lake.kill()
        load.result()
        if command:
            command.kill()
            command.wait()
        self.compare()
        self.lake.start()
        self.compare_answers()

    def begin(self, action):
        words = ACTIONS[action]
        if not words:
            return None
        if action == "backup":
            words = [*words, str(self.lake.folder / f"backup-{self.chance.randrange(10**9)}")]
        return subprocess.Popen(self.lake.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def compare(self):
        """What the kill left, in a lake of its own."""
        copy = Lake(self.lake.folder / "copy")
        shutil.copytree(self.lake.file.parent, copy.file.parent, ignore=shutil.ignore_patterns("batches", "backup*"))
        copy.start().stop()
        self.found = number(copy.file, "SELECT count(*) FROM samples"), number(copy.file, "SELECT count(*) FROM ledger")
        self.check(copy.file)
        shutil.rmtree(copy.folder)
        for backup in self.lake.folder.glob("backup-*"):
            if backup.is_file():  # it was complete before the kill, or is not there under its name
                self.check(backup, of_now=False)
                backup.unlink()

    def check(self, file, of_now=True):
        """Each agent's batches without gaps, complete and once; of now: all that are acknowledged."""
        acknowledged = [int(line) for line in self.acknowledged.read_text().split()]
        stored = {row[0]: [int(field) for field in row[1:]] for row in sql(file, CHECK)}
        for agent, last in enumerate(acknowledged):
            batches, highest, samples, different, executions, different_executions = stored.get(host_of(agent), [0] * 6)
            if batches != highest or (of_now and not last <= highest) or highest > last + 1:
                self.faults.append(f"agent {agent}: {last} batches are acknowledged, {batches} up to {highest} are stored")
            elif (samples, executions) != self.expected.get((agent, highest), (0, 0)):
                self.faults.append(f"agent {agent}: {samples} samples and {executions} executions are stored, its {highest} batches "
                                   f"have {self.expected.get((agent, highest))}")
            if different != samples or different_executions != executions:
                self.faults.append(f"agent {agent}: {samples - different} samples, {executions - different_executions} executions "
                                   "are there twice")

    def compare_answers(self):
        """What the lake says that it has, once it runs again."""
        said = self.lake.metric("tracer_store_samples"), self.lake.metric("tracer_store_batches")
        if said != self.found:
            self.faults.append(f"the lake answers {said} samples and batches, its copy has {self.found}")

    def finish(self, seconds):
        """Sends more, lets the lake settle, and compares the sums of each run that ended. Returns how many were compared."""
        self.lake.load("history", seconds=seconds, acknowledged=self.acknowledged, **self.options)
        self.lake.wait_idle(5)
        runs = [run["id"] for run in self.lake.json("/api/v1/runs?limit=1000")["runs"] if run["status"] == "succeeded"]
        answers = {run: self.lake.json(f"/api/v1/runs/{run}")["totals"] for run in runs}
        self.lake.stop()
        self.check(self.lake.file)
        rows = sql(self.lake.file, "SELECT run_id, count(*), " + ", ".join(f"sum({name})" for name in SUMS) +
                   " FROM executions WHERE run_id IN (SELECT run_id FROM runs WHERE status = 'succeeded') GROUP BY ALL")
        for run, count, *sums in rows:
            said = answers.get(run)
            of_rows = [int(count), *(int(float(value)) for value in sums)]
            if not said or [said["executions"], *(said[name] for name in SUMS)] != of_rows:
                self.faults.append(f"run {run}: its sums are not those of its rows")
        if {row[0] for row in rows} != set(runs):
            self.faults.append(f"{len(runs)} runs that ended are listed, rows are of {len(rows)}")
        return len(runs)


CHECK = """
WITH batches AS (SELECT host_id, count(*) AS batches, max(sequence) AS highest FROM ledger GROUP BY host_id),
grown AS (SELECT host_id, count(*) AS samples, count(DISTINCT (pid, start_ns, image_seq, since_at)) AS different
	FROM samples GROUP BY host_id),
processes AS (SELECT host_id, count(*) AS executions, count(DISTINCT (pid, start_ns, image_seq)) AS different_executions
	FROM executions GROUP BY host_id)
SELECT host_id, batches, highest, coalesce(samples, 0), coalesce(different, 0), coalesce(executions, 0),
	coalesce(different_executions, 0)
FROM batches LEFT JOIN grown USING (host_id) LEFT JOIN processes USING (host_id)
"""


def host_of(agent):
    return f"{agent:08x}-0057-8000-8000-000000000002"


def expected(options):
    """By agent and sequence: samples and executions of all batches up to it."""
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    out = subprocess.run([BUILD / "bench" / "lake_load", "--work", "history", "--counts", "--recorded", RECORDED, *words],
                         stdout=subprocess.PIPE, text=True, check=True)
    rows = (map(int, line.split()) for line in out.stdout.splitlines())
    return {(agent, sequence): (samples, executions) for agent, sequence, samples, executions in rows}


def possible():
    """The actions that this lake has commands for."""
    return [action for action, words in ACTIONS.items() if not words or has_command(words[0])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    kills = given.kills or (20 if given.quick else 200)
    chance, table = random.Random(given.seed), Table("kill", f"seed {given.seed}", given.quick)
    actions, done, faults, compared = possible(), {}, [], 0
    for first in range(0, kills, KILLS_A_LAKE):
        with tempfile.TemporaryDirectory() as folder:
            killed = Killed(pathlib.Path(folder), time.time_ns() - 2 * 86400 * 10**9 - 600 * 10**9, chance)
            for _ in range(first, min(kills, first + KILLS_A_LAKE)):
                action = chance.choice(actions)
                killed.kill(action)
                print(f"\r{sum(done.values()) + 1} of {kills} kills, {len(killed.faults)} faults", end="", file=sys.stderr, flush=True)
                done[action] = done.get(action, 0) + 1
            compared += killed.finish(20 if given.quick else 120)
            faults += killed.faults
    for action in ACTIONS:
        table.row(f"kills during {action}", done.get(action, 0) if action in actions else "this lake has no such command", "",
                  None if action in actions else False)
    table.row("kills in all", sum(done.values()), f"≥ {kills}", sum(done.values()) >= kills)
    table.row("batches missing, in part or twice, or sums that differ", len(faults), "0", not faults)
    table.row("runs, of which the sums are compared with their rows", compared, "", None)
    print(file=sys.stderr)
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    sys.exit(table.end(kills >= 200))


main()
