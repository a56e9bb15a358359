#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Called by correlate.sh: what it costs to name commands and to find the runs and tasks of processes.

    correlate.py WORK ROOT DRIVERS

All is CPU time of one thread, and of several passes the fastest is judged: what else runs here only adds to it. Exit 3 when
a row misses: the table is whole all the same.
"""
import pathlib
import re
import statistics
import subprocess
import sys

WORK, ROOT, DRIVERS = (pathlib.Path(path) for path in sys.argv[1:4])
TABLES = ROOT / "tests" / "unit" / "correlate" / "data"
ROUNDS, PASSES = 40, 5
COUNTS = (10_000, 100_000, 1_000_000)
NAME_US, PROCESSES_S, GROWN_KIB = 2.0, 500_000, 1024


def words(text):
    """The words of a line of the tests' tables (tests/unit/correlate/fixture_table.h)."""
    escapes = {"n": "\n", "t": "\t"}
    found, word, quote, at = [], None, "", 0
    while at < len(text):
        byte = text[at]
        at += 1
        if not quote and byte == " ":
            found += [word] if word is not None else []
            word = None
            continue
        word = word or ""
        if byte == quote:
            quote = ""
        elif not quote and byte in "'\"":
            quote = byte
        elif byte == "\\" and text[at] == "*":
            count, repeated = re.match(r"\*(\d+)\*(.)", text[at:]).groups()
            word += repeated * int(count)
            at += len(count) + 3
        elif byte == "\\" and text[at] == "x":
            word += chr(int(text[at + 1:at + 3], 16))
            at += 3
        elif byte == "\\":
            word += escapes.get(text[at], text[at])
            at += 1
        else:
            word += byte
    return found + ([word] if word is not None else [])


def write(name, records):
    """As records.h reads them."""
    path = WORK / name
    path.write_text("".join("".join(f"{word}\x1f" for word in record) + "\x1e" for record in records))
    return path


def lines(path):
    return [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]


def events(scenario):
    """A scenario as tree_driver plays it; what it expects is left out."""
    cwd, driver, pipes = "/w/demo", "0", ["0", "0"]
    for line in scenario:
        verb, *rest = words(line)
        if verb == "cwd":
            cwd = rest[0]
        elif verb == "drive":
            driver = str(["", "script", "session", "command"].index(rest[0]))
        elif verb == "pipes":
            pipes = rest
        elif verb == "fork":
            yield ["fork", *rest[:2], (rest + ["unknown"])[2]]
        elif verb == "exec":
            yield ["exec", rest[0], cwd, driver, *pipes, *rest[1:]]
            driver, pipes = "0", ["0", "0"]
        elif verb == "file" and rest[1] != "none":
            yield ["file", rest[0], rest[2]]
        elif verb == "exit":
            yield ["exit", *(rest + ["0", "0"])[:3]]


def recorded(name):
    return [line for line in lines(TABLES / name) if not line.startswith("=")]


def nextflow(tasks):
    """As the first scenario of nextflow.txt, with more tasks."""
    yield "cwd /data/rnaseq"
    yield ("exec 10 /usr/lib/jvm/bin/java java -Xms64m --add-opens=java.base/java.lang=ALL-UNNAMED -cp /opt/nextflow/a.jar "
           "nextflow.cli.Launcher run main.nf -name happy_darwin")
    for n in range(tasks):
        pid, step = 20 + 4 * n, ["FASTQC", "ALIGN:BWA", "QUANT"][n % 3]
        folder = f"/data/rnaseq/work/{n:02x}/cdef0123456789abcdef01234567{n:02x}"
        yield f"fork 10 {pid} worker"
        yield f"exec {pid} /usr/lib/jvm/lib/jspawnhelper /usr/lib/jvm/lib/jspawnhelper 12:14"
        yield f"cwd {folder}"
        yield f"exec {pid} /usr/bin/bash /bin/bash -ue .command.run"
        yield rf'file {pid} .command.run "#!/bin/bash\n### ---\n### name: \'{step} (liver_{n})\'\n### ...\nset -e\n"'
        yield f"fork {pid} {pid + 1}"
        yield f"exec {pid + 1} /usr/bin/bash /bin/bash -ue {folder}/.command.sh"
        yield f"fork {pid + 1} {pid + 2}"
        yield f"exec {pid + 2} /usr/bin/bwa bwa mem -t 2 ref.fa liver_{n}_1.fq.gz liver_{n}_2.fq.gz"
        yield f"exit {pid + 2}"
        yield f"exit {pid + 1}"
        yield f"exit {pid}"
    yield "exit 10"


def script(samples):
    """As drive.txt has them: a bash script of helpers, a pipeline of three, and a tool, for each sample."""
    yield "drive script"
    yield "exec 10 /usr/bin/bash bash align.sh reads/*.fq.gz"
    for n in range(samples):
        pid, pipe = 20 + 5 * n, 100 + 2 * n
        yield f"fork 10 {pid}"
        yield f"exec {pid} /usr/bin/mkdir mkdir -p out/s{n}"
        yield f"exit {pid}"
        for child in (1, 2, 3):
            yield f"fork 10 {pid + child}"
        yield f"pipes {pipe} {pipe + 1}"
        yield f"exec {pid + 2} /usr/bin/samtools samtools view -b -q 20 -"
        yield f"pipes {pipe + 1} 0"
        yield f"exec {pid + 3} /usr/bin/samtools samtools sort -o out/s{n}/s{n}.bam -"
        yield f"pipes 0 {pipe}"
        yield f"exec {pid + 1} /usr/bin/bwa bwa mem -t 2 ref.fa reads/s{n}_1.fq.gz reads/s{n}_2.fq.gz"
        for child in (1, 2, 3):
            yield f"exit {pid + child}"
        yield f"fork 10 {pid + 4}"
        yield f"exec {pid + 4} /usr/bin/samtools samtools index out/s{n}/s{n}.bam"
        yield f"exit {pid + 4}"
    yield "exit 10"


def user_rules(count):
    """A user's rules: names, one in five with a '*', one in ten a condition on a tool that the corpus has."""
    names = ["samtools", "bwa", "python3", "bcftools", "bash"]
    rules, patterns = [], 0
    for n in range(count):
        if n % 10 == 7:
            rules.append(f"- {{exe: {names[n // 10 % 5]}, cwd: '/lab/project{n}/*', name: '{{name}} {{subcommand}} of {n}'}}")
        elif n % 5 == 3 and patterns < 900:
            patterns += 1
            rules.append(f"- 'lab-tool{n}-*'")
        else:
            rules.append(f"- {{exe: lab-program{n}, name: '{{name}} {{subcommand}}'}}")
    path = WORK / f"rules-{count}.yaml"
    path.write_text("tools:\n" + "\n".join(rules) + "\n")
    return path


def drive(driver, *arguments):
    return subprocess.run([DRIVERS / driver, *arguments], check=True, capture_output=True, text=True).stdout


def names(commands, rules):
    """By name_driver: how many rules; of "read" and "name" the median and the 99th percentile in µs, of the fastest pass."""
    passes = []
    for _ in range(PASSES):
        said = dict(line.split(" ", 1) for line in drive("name_driver", commands, str(ROUNDS), *rules).splitlines())
        passes.append({what: [float(value) / 1000 for value in values.split()] for what, values in said.items()})
    fastest = min(passes, key=lambda one: one["name"])
    return round(fastest["rules"][0] * 1000), fastest["read"], fastest["name"]


def verdict(missed):
    return "MISS" if missed else "OK"


def name_rows():
    corpus = [line.split("\t") for line in lines(ROOT / "tests" / "data" / "commands.tsv")]
    commands = write("commands", [[exe, *words(argv)] for _, exe, argv in corpus])
    built_in, floor, _ = names(commands, [])
    print(f"{f'name of a command line, of {len(corpus)}; µs':<44} {'median':>8} {'p99':>8} {'× floor':>8}")
    print(f"{'nothing but reading it (the floor)':<44} {floor[0]:8.3f} {floor[1]:8.3f} {1:8.1f}")
    missed = False
    for more in (0, 500 - built_in, 10_000):
        count, floor, found = names(commands, [user_rules(more)] if more else [])
        judged = ""
        if count <= 500:
            judged = f"  ≤ {NAME_US:.0f} {verdict(found[1] > NAME_US)}"
            missed |= found[1] > NAME_US
        name = f"{count} rules" + ("" if more else ", the built-in ones")
        print(f"{name:<44} {found[0]:8.3f} {found[1]:8.3f} {found[0] / floor[0]:8.1f}{judged}", flush=True)
    return missed


def trees(trace, count):
    """By tree_driver: how many processes and runs, processes a second in each pass, and the largest peak in KiB."""
    speeds, peaks = [], []
    for _ in range(PASSES):
        said = drive("tree_driver", trace, str(count)).split()
        processes, runs, cpu_ns, peak = (int(said[at]) for at in (0, 2, 6, 8))
        speeds.append(processes / cpu_ns * 1e9)
        peaks.append(peak)
    return processes, runs, speeds, max(peaks)


def tree_rows():
    shapes = [recorded("recorded_demo_1.txt"), nextflow(40), recorded("recorded_demo_2.txt"), script(20),
              recorded("recorded_kinds.txt")]
    trace = write("trace", [event for shape in shapes for event in [["run"], *events(shape)]])
    print(f"\n{'recorded processes a second':<44} {'fastest':>8} {'median':>8} {'peak':>12}")
    missed, peaks = False, []
    for count in COUNTS:
        processes, runs, speeds, peak = trees(trace, count)
        miss = max(speeds) < PROCESSES_S
        print(f"{f'{processes} of {runs} runs':<44} {max(speeds):8.0f} {statistics.median(speeds):8.0f} {peak / 1024:8.1f} MiB"
              f"  ≥ {PROCESSES_S} {verdict(miss)}", flush=True)
        missed |= miss
        peaks.append(peak)
    grown = peaks[-1] - peaks[-2]
    print(f"{f'peak grown from {COUNTS[-2]} to {COUNTS[-1]}':<62} {grown:8} KiB  ≤ {GROWN_KIB} {verdict(grown > GROWN_KIB)}")
    return missed or grown > GROWN_KIB


def main():
    missed = [name_rows(), tree_rows()]
    return 3 if any(missed) else 0


sys.exit(main())
