# SPDX-License-Identifier: Apache-2.0
"""Failures: killed, crashed, and failed without anybody noticing."""
import os
import pathlib
import shlex

import data
import launch
from case import Cause


def find(marker):
    """The newest process that has this among its arguments and is no shell or launcher."""
    newest = None
    for entry in pathlib.Path("/proc").iterdir():
        try:
            arguments = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            name = (entry / "comm").read_text().strip() if arguments else ""
        except OSError:
            continue
        if marker in arguments and name not in ("bash", "sh", "timeout", "env", "nice", "setpriv", "make", "snakemake"):
            newest = max(newest or 0, int(entry.name))
    return newest


def killed(case):
    signal = case.draw.choice(("TERM", "KILL", "INT", "HUP"))
    # By which find() knows it: the last of its arguments, which none of these programs reads.
    marker = case.name
    command = f"{data.work(case, ('kmers', 'java', 'perl'), 60 if case.injected else 0.5)} 1 {marker}"
    case.among("model", case.wrap(command))
    if not case.injected:
        return

    def kill(tries=200):
        pid = find(marker.encode())
        if pid is None and tries:
            case.after(0.1, lambda: kill(tries - 1))
            return
        # Some time after it began, by a shell of another session.
        process = launch.launch(["bash", "-c", f"sleep 1; kill -{signal} {pid}"], "/", os.devnull)
        process.wait(10)
        process.end()
    case.after(0.5, kill)


def crash(case):
    programs, reads, out = case.lab.programs, case.lab.data / "reads.sam", case.folder / "called"
    fault, lines = case.draw.choice(("segv", "abort", "fpe", "bus")), case.draw.randrange(10, 20000)
    python = "import ctypes, sys; [sys.stdout.write(l) for l in sys.stdin]; sys.stdout.flush(); " + ("ctypes.string_at(0)" if case.injected else "")
    member = case.draw.choice((
        f"{programs}/caller {lines} {fault if case.injected else 'none'}",
        f"{programs}/caller {lines} {fault if case.injected else 'none'}",
        f"python3 -c {shlex.quote(python)}",
    ))
    command = case.draw.choice((
        f"samtools view -h {reads} | {member} | sort > {out}",
        f"cat {reads} | {member} | samtools view -c - > {out}",
        f"samtools view {reads} | {member} | cut -f 1-4 | gzip -c > {out}",
    ))
    case.among("call", case.wrap(f"set -o pipefail; {command}"))


def failing(case):
    """A tool that fails, and its neighbour in a pipe that does not notice."""
    folder, programs = case.lab.data, case.lab.programs
    bad = case.injected
    return case.draw.choice((
        f"samtools view -h {case.folder / 'absent.bam' if bad else folder / 'reads.bam'}",
        f"gzip -dc {folder}/{'cut.gz' if bad else 'reads.sam.gz'}",
        f"samtools view {folder}/{'broken.sam' if bad else 'reads.sam'}",
        f"{programs}/caller 500 {'segv' if bad else 'none'} < {folder}/reads.sam",
        f"bwa mem {folder}/{'absent.fa' if bad else 'reference.fa'} {folder}/few.fq",
        f"python3 -c 'import sys; [print(int(l.split()[3])) for l in open(sys.argv[1]) if l[0] != \"@\"]' "
        f"{folder}/{'broken.sam' if bad else 'reads.sam'}",
    ))


def masked(case):
    case.pipefail = False
    out = case.folder / "out"
    after = case.draw.choice(("sort", "cut -f 1-3 | sort -u", "gzip -c", "awk 'END { print NR }'"))
    case.among("count", case.wrap(f"{failing(case)} | {after} > {out}"))


def wrapper(case):
    """A script that goes on whatever its tool did, and ends with 0."""
    script = case.folder / "wrapper"
    command, out = failing(case), case.folder / "out"
    text = case.draw.choice((
        f"#!/bin/bash\n{command} > {out}.part\nmv {out}.part {out}\necho done\n",
        f"#!/usr/bin/env python3\nimport subprocess\nsubprocess.call({command!r}, shell=True, stdout=open('{out}', 'w'))\nprint('done')\n",
        f"#!/usr/bin/perl\nsystem('bash', '-c', {perl(f'{command} > {out}')});\nprint \"done\\n\";\n",
        f"#!/bin/sh\n{command} > {out}\necho finished with $(wc -l < {out}) lines\nexit 0\n",
    ))
    script.write_text(text)
    script.chmod(0o755)
    case.among("call", case.wrap(str(script)))


def perl(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


CAUSES = [
    Cause("killed", frozenset({"killed"}), killed),
    Cause("crash_in_pipe", frozenset({"crash"}), crash),
    Cause("masked_in_pipe", frozenset({"masked_failure"}), masked),
    Cause("wrapper_exit_0", frozenset({"masked_failure"}), wrapper),
]
