# SPDX-License-Identifier: Apache-2.0
"""Slowness: storage, network and memory."""
import time

import resources
from case import Cause
from slow_cpu import SLOW_ENGINES, in_shell

MIB = 1 << 20


def slow_disk(case):
    """A disk that gives a few megabytes a second."""
    size, rate = case.draw.randrange(14, 24), case.draw.randrange(4, 7)

    def fill(folder):
        text = (case.lab.data / "lines.txt").read_bytes()
        (folder / "lines.txt").write_bytes((text * (size * MIB // len(text) + 1))[:size * MIB])

    folder, device = case.stack.enter_context(
        resources.disk(case.folder / "disk", case.lab.disks / case.name, (size + 16) * MIB, fill))
    cgroup = case.cgroup("blkio", resources.read_rate(device, rate * MIB) if case.injected else None)
    lines, out = folder / "lines.txt", case.folder / "out"
    command = case.draw.choice((
        f"sort -S 64M -o {out} {lines}",
        f"gzip -1 -c {lines} > {out}",
        f"python3 -c 'import sys; print(sum(1 for _ in open(sys.argv[1])))' {lines} > {out}",
        f"awk '{{ n[$3]++ }} END {{ print length(n) }}' {lines} > {out}",
        f"cat {lines} | cut -f 10 | wc -c > {out}",
    ))
    case.among("read", case.within(cgroup, in_shell(case.wrap(command))))


def slow_peer(case):
    """A server on another machine: it takes its time to answer, gives piece by piece, or its wire is slow."""
    seconds = case.draw.uniform(2.5, 3.5) * case.injected
    way = case.draw.choice(("answer", "pieces", "wire"))
    size, port = case.draw.randrange(2, 5) * MIB, case.draw.randrange(20000, 30000)
    rate = int(size / seconds) if way == "wire" and case.injected else None
    space, address = case.stack.enter_context(resources.other_machine(case.draw.randrange(250), rate))
    case.beside("ip", "netns", "exec", space, "python3", case.lab.programs / "server.py", port, size,
                seconds if way == "answer" else 0, seconds / 8 if way == "pieces" else 0)
    while resources.command("ip", "netns", "exec", space, "ss", "-Hltn", f"sport = :{port}") == "":
        time.sleep(0.1)
    url, out = f"http://{address}:{port}/reads", case.folder / "downloaded"
    command = case.draw.choice((
        f"curl --silent --noproxy '*' -o {out} {url}",
        f"python3 {case.lab.programs}/fetch.py {url} {out}",
        f"curl --silent --noproxy '*' {url} | md5sum > {out}",
    ))
    case.among("fetch", case.wrap(command))


def memory_short(case):
    """A limit a little below what it goes through again and again: a mapped index, or a table that goes to swap."""
    need = case.draw.randrange(48, 80)
    limit = int(need * case.draw.uniform(0.75, 0.9)) * MIB
    cgroup = case.cgroup("memory", limit if case.injected else None)
    out = case.folder / "looked_up"
    if case.draw.random() < 0.5:
        image = case.lab.disks / case.name
        folder, _ = case.stack.enter_context(resources.disk(
            case.folder / "disk", image, (need + 16) * MIB, lambda folder: (folder / "index").write_bytes(bytes(need * MIB))))
        command = f"python3 {case.lab.programs}/lookup.py {folder}/index 30000 > {out}"
    else:
        case.stack.enter_context(resources.swap(256 * MIB))
        command = f"python3 {case.lab.programs}/table.py {need} {case.draw.randrange(40, 60)} > {out}"
    case.among("lookup", case.within(cgroup, in_shell(case.wrap(command))))


def reclaim_storm(case):
    """It reads a file again and again that its limit leaves no room for in the page cache."""
    size, passes, rate = case.draw.randrange(34, 44), case.draw.randrange(13, 17), 64 * MIB
    limit = case.draw.randrange(16, 22) * MIB
    cgroup = case.cgroup("memory", limit if case.injected else None)
    folder, device = case.stack.enter_context(resources.disk(
        case.folder / "disk", case.lab.disks / case.name, (size + 16) * MIB,
        lambda folder: (folder / "index").write_bytes(bytes(size * MIB))))
    resources.limit("blkio", cgroup, resources.read_rate(device, rate))
    out = case.folder / "read"
    command = case.draw.choice((
        f"for i in $(seq {passes}); do cksum {folder}/index; done > {out}",
        f"python3 {case.lab.programs}/scan.py {folder}/index {passes} > {out}",
        f"perl -e 'for (1..{passes}) {{ open(F, \"<\", \"{folder}/index\"); $n += length $b while read F, $b, 1 << 20 }} print $n' > {out}",
    ))
    case.among("scan", case.within(cgroup, in_shell(case.wrap(command))))


CAUSES = [
    Cause("slow_disk", frozenset({"disk_wait"}), slow_disk, slow=True, engines=SLOW_ENGINES),
    Cause("slow_peer", frozenset({"network_wait"}), slow_peer, slow=True, engines=SLOW_ENGINES),
    Cause("memory_short", frozenset({"memory_pressure"}), memory_short, slow=True, engines=SLOW_ENGINES),
    Cause("reclaim_storm", frozenset({"memory_pressure"}), reclaim_storm, slow=True, engines=SLOW_ENGINES),
]
