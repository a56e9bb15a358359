# SPDX-License-Identifier: Apache-2.0
"""Whether the rows of a sheet of costs add up by every key, on a random world, through bench/drivers/cost/sheet_driver.c."""
import collections
import dataclasses
import random
import subprocess

import world
from levels import DAY, Checks

KEYS = ("pipeline", "run", "step", "task", "tool", "sample", "user", "host", "instance", "container", "pod", "day", "label", "cost_centre")
CENTRES = r"cost_centres:\n  - name: plants\n    label: project:project1\n  - name: animals\n    user: user[01]\n    pipeline: pipeline2\n"
ENGINE = "(make itself)"


@dataclasses.dataclass
class Place:
    """A task of the sheet: what its rows are called."""
    names: dict
    tools: collections.Counter


@dataclasses.dataclass
class Rows:
    parts: dict   # (key, id): (used, unused, idle, unallocated)
    counts: dict  # (key, id): the fields before these, and whether all has a price
    points: dict  # (key, id): the sum of its points
    whole: int
    unallocated: int


class Sheets:
    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("centres", CENTRES)

    def send(self, *fields):
        self.process.stdin.write("\t".join(map(str, fields)) + "\n")

    def lines(self):
        """Those up to "done", which is the last one."""
        self.process.stdin.flush()
        while line := self.process.stdout.readline():
            fields = line.rstrip("\n").split("\t")
            yield fields
            if fields[0] == "done":
                return
        raise SystemExit("sheet_driver ended")

    def split(self, rule):
        self.send("split", rule)
        return [fields for fields in self.lines() if fields[0] == "task"]

    def rows(self, key):
        self.send("rows", key, "project")
        ids, made = [], Rows({}, {}, collections.defaultdict(lambda: [0, 0, 0]), 0, 0)
        for kind, *fields in self.lines():
            if kind == "row":
                ids.append(tuple(fields[:2]))
                made.parts[ids[-1]] = tuple(map(int, fields[6:10]))
                made.counts[ids[-1]] = tuple(fields[2:6] + fields[10:])
            elif kind == "point" and fields[0] != "-1":
                for place, amount in enumerate(fields[2:]):
                    made.points[ids[int(fields[0])]][place] += int(amount)
            elif kind == "done":
                made.whole, made.unallocated = map(int, fields)
        return made

    def time(self, tasks, hosts, seed, rule):
        """Entries, and CPU seconds of: filling, splitting, rows by pipeline, by task, by tool."""
        answer = subprocess.run([self.path, "time", str(tasks), str(hosts), str(seed), rule], check=True, capture_output=True, text=True)
        _, entries, *ns = map(int, answer.stdout.split())
        return entries, [each / 1e9 for each in ns]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def centre(run):
    if run["label"] == "project1":
        return "plants"
    return "animals" if run["user"] in ("user0", "user1") and run["pipeline"] == "pipeline2" else ""


def send_host(sheets, place, machine):
    cpus, memory, gpus = machine.host.capacity
    sheets.send("host", f"host{place}", f"type{place % 7}", cpus // 10**6, memory << 10, gpus // 10**6, *machine.host.weights)


def send_times(sheets, place, machine):
    for stretch in machine.stretches:
        sheets.send("price", place, stretch.since, stretch.nusd_hour)
        sheets.send("up", place, stretch.since, stretch.until)


def send_hold(sheets, host, run, task):
    hold, labels = task.hold, task.labels
    named = labels["task"] != ""
    cpu = hold.used[0] * (hold.until - hold.since) // 10**6
    tools = ";".join(f"{time} {name}" for name, time in task.tools)
    texts = [labels[level] if named else "" for level in ("task", "step", "sample", "container", "pod")]
    sheets.send("hold", host, run, *texts, hold.since, hold.until, cpu, hold.reserved[0], hold.used[1] << 10, hold.reserved[1] << 10,
                hold.reserved[2] // 10**6, tools)


def place_of(places, engines, host, task):
    """What is in no task of a run on a host is one."""
    labels = task.labels
    if labels["task"]:
        places.append(Place({**labels, "instance": f"type{host % 7}"}, collections.Counter()))
        return places[-1]
    key = (host, labels["run"])
    if key not in engines:
        nothing = dict.fromkeys(("sample", "container", "pod"), "")
        engines[key] = Place({**labels, **nothing, "step": ENGINE, "task": ENGINE, "instance": f"type{host % 7}"}, collections.Counter())
        places.append(engines[key])
    return engines[key]


def send_world(sheets, chance, machines, runs, since, until):
    """In a random order; returns the tasks of the sheet."""
    hosts, places, engines = list(range(len(machines))), [], {}
    sheets.send("sheet", since, until, "day")
    chance.shuffle(hosts)
    order = chance.sample(list(runs), len(runs))
    for run in order:
        labels = '{"project":"%s"}' % runs[run]["label"] if runs[run]["label"] else "{}"
        sheets.send("run", run, runs[run]["pipeline"], runs[run]["user"], labels)
    run_places = {run: place for place, run in enumerate(order)}
    for host in hosts:
        send_host(sheets, host, machines[host])
    for place, host in enumerate(hosts):
        send_times(sheets, place, machines[host])
    holds = [(place, host, task) for place, host in enumerate(hosts) for task in machines[host].tasks]
    chance.shuffle(holds)
    for place, host, task in holds:
        send_hold(sheets, place, run_places[task.labels["run"]], task)
        place_of(places, engines, host, task).tools.update({name: 0 for name, _ in task.tools} | sum_tools(task.tools))
    return places


def sum_tools(tools):
    sums = collections.Counter()
    for name, time in tools:
        sums[name] += time
    return sums


def share(whole, weights):
    """Largest remainders; of equal ones the first."""
    total = sum(weights)
    parts = [whole * weight // total for weight in weights]
    ranks = sorted(range(len(weights)), key=lambda place: (-(whole * weights[place] % total), place))
    for place in ranks[:whole - sum(parts)]:
        parts[place] += 1
    return parts


def names_of(key, place, at):
    if key == "day":
        return str(at // DAY)
    identity = {"run": "run", "host": "host", "task": "task"}.get(key)
    identity = "run" if identity == "task" and place.names["task"] == ENGINE else identity
    return place.names[key], place.names[identity] if identity else ""


def by_hand(key, places, entries):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for _, index, at, *amounts in entries:
        place = places[int(index)]
        amounts = list(map(int, amounts))
        if key != "tool":
            shares = {names_of(key, place, int(at)): amounts}
        else:
            tools = sorted(place.tools) or ["?"]
            weights = [place.tools[name] for name in tools]
            weights = weights if any(weights) else [1] * len(tools)
            shares = dict(zip([(name, "") for name in tools], zip(*[share(amount, weights) for amount in amounts])))
        for name, parts in shares.items():
            sums[name] = [one + other for one, other in zip(sums[name], parts)]
    return sums


def check_rows(key, rows, wanted, checks):
    """Days have other names here."""
    parts = {name: list(part[:3]) for name, part in rows.parts.items() if any(part[:3])}
    wanted = {name: part for name, part in wanted.items() if any(part)}
    same = sorted(parts.values()) == sorted(wanted.values()) if key == "day" else parts == wanted
    checks.check("keys by which each row is the sum of its tasks", same)
    checks.check("keys by which Σ rows + what is unallocated = whole", sum(sum(part[:3]) for part in rows.parts.values()) + rows.unallocated == rows.whole)
    checks.check("keys without a negative part", all(each >= 0 for part in rows.parts.values() for each in part))
    checks.check("keys by which the days of each row add up to it",
                 all(rows.points[name] == list(part[:3]) for name, part in rows.parts.items()))


def check_days(sheets, chance, machines, runs, rule, whole, checks):
    sums, unallocated = collections.defaultdict(lambda: [0, 0, 0]), 0
    for at in range(world.BEGIN, world.BEGIN + 5 * DAY, DAY):
        send_world(sheets, chance, machines, runs, at, at + DAY)
        sheets.split(rule)
        rows = sheets.rows("step")
        unallocated += rows.unallocated
        for name, part in rows.parts.items():
            sums[name] = [one + other for one, other in zip(sums[name], part)]
    same = {name: part for name, part in sums.items() if any(part)} == {name: list(part[:3]) for name, part in whole.parts.items() if any(part[:3])}
    checks.check("sheets of which the days, each asked for alone, add up to all of the time", same and unallocated == whole.unallocated)


def make(chance, hosts):
    machines = world.make(chance, hosts, 5 * 24, 60)
    runs = {task.labels["run"]: task.labels for machine in machines for task in machine.tasks}
    labels = {run: chance.choice(["", "project0", "project1", "project2"]) for run in runs}
    for machine in machines:
        for task in machine.tasks:
            run = task.labels["run"]
            task.labels.update(label=labels[run], container=f"c{chance.randrange(30)}", pod=f"p{chance.randrange(30)}")
            task.labels["cost_centre"] = centre(task.labels)
            if chance.random() < 0.1:
                task.labels["task"] = ""
    return machines, runs


def judge(path, seed, hosts, rule, table):
    chance, checks, sheets = random.Random(seed), Checks(), Sheets(path)
    machines, runs = make(chance, hosts)
    end = world.BEGIN + 5 * DAY
    places = send_world(sheets, chance, machines, runs, world.BEGIN, end)
    entries = sheets.split(rule)
    all_rows = {key: sheets.rows(key) for key in KEYS}
    for key, rows in all_rows.items():
        check_rows(key, rows, by_hand(key, places, entries), checks)
    check_days(sheets, chance, machines, runs, rule, all_rows["step"], checks)
    for _ in range(3):
        send_world(sheets, chance, machines, runs, world.BEGIN, end)
        sheets.split(rule)
        for key, rows in all_rows.items():
            again = sheets.rows(key)
            checks.check("keys by which another order of the input gives the same rows",
                         (again.parts, again.counts, again.unallocated) == (rows.parts, rows.counts, rows.unallocated))
    sheets.close()
    for name, count in checks.counted.items():
        table.row(f"{rule}: {name}", f"{count - checks.wrong[name]:,} of {count:,}", "all", checks.wrong[name] == 0)
