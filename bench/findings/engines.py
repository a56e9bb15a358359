# SPDX-License-Identifier: Apache-2.0
"""A list of steps as a pipeline of an engine: the files that its user would write, and the command that starts it."""
import stat

# As Nextflow's own launcher opens them: without, it does not begin.
OPENS = [f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in
         ("lang", "lang.invoke", "io", "net", "nio", "nio.file.spi", "util", "util.concurrent", "util.concurrent.atomic")]
OPENS += [f"--add-opens=java.base/sun.{package}=ALL-UNNAMED" for package in
          ("nio.ch", "nio.fs", "net.www.protocol.http", "net.www.protocol.https", "net.www.protocol.ftp", "net.www.protocol.file")]


def bash(case):
    script = case.folder / f"{case.name}.sh"
    options = "set -eo pipefail" if case.pipefail else "set -e"
    script.write_text("\n".join(["#!/bin/bash", options, *(step.command for step in case.steps), ""]))
    script.chmod(script.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return ["bash", script]


def make(case):
    lines = ["SHELL = /bin/bash", ".SHELLFLAGS = -eo pipefail -c" if case.pipefail else ".SHELLFLAGS = -ec"]
    lines.append(f"all: {case.steps[-1].name}.done")
    before = ""
    for step in case.steps:
        lines += [f"{step.name}.done: {before}", "\t" + step.command.replace("$", "$$"), f"\ttouch {step.name}.done"]
        before = f"{step.name}.done"
    (case.folder / "Makefile").write_text("\n".join(lines) + "\n")
    return ["make", "all"]


def snakemake(case):
    rules, before = [f'rule all:\n    input: "{case.steps[-1].name}.done"\n'], ""
    for step in case.steps:
        shell = step.command.replace("{", "{{").replace("}", "}}")
        if not case.pipefail:
            shell = f"set +o pipefail; {shell}"
        rules.append(f"rule {step.name}:\n{before}    output: touch(\"{step.name}.done\")\n    threads: {step.cpus}\n"
                     f"    shell: r\"\"\"{shell} \"\"\"\n")
        before = f"    input: \"{step.name}.done\"\n"
    (case.folder / "Snakefile").write_text("\n".join(rules))
    return ["snakemake", "--cores", str(max(step.cpus for step in case.steps))]


def nextflow(case):
    processes, flow, before = [], [], "Channel.of(1)"
    for step in case.steps:
        name = step.name.upper()
        script = step.command.replace("\\", "\\\\")
        if case.pipefail:
            script = f"set -o pipefail; {script}"
        limit = f"    time '{step.limit_s} s'\n" if step.limit_s else ""
        processes.append(f"process {name} {{\n    cpus {step.cpus}\n{limit}    input:\n    val before\n    output:\n    val true\n"
                         f"    script:\n    '''\n    {script}\n    '''\n}}\n")
        flow.append(f"    {name}({before})")
        before = f"{name}.out"
    (case.folder / "main.nf").write_text("\n".join([*processes, "workflow {", *flow, "}", ""]))
    # More CPUs than there are may be asked for, as on a cluster's queue.
    (case.folder / "nextflow.config").write_text(
        f"executor.$local.cpus = {max(2, max(step.cpus for step in case.steps))}\ndocker.enabled = false\n")
    return ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *OPENS, "-cp", f"{case.lab.root}/build/nextflow/*",
            "nextflow.cli.Launcher", "run", "main.nf", "-name", case.name]


ENGINES = {each.__name__: each for each in (bash, make, snakemake, nextflow)}
