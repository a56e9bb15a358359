# SPDX-License-Identifier: Apache-2.0
"""From the exec of a tool in the kernel to its row in the event stream of the lake, with a real agent: tools are executed one
after another, all in the run of this script, and the stream is read as a browser reads it."""
import http.client
import json
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

from lake import BUILD

P99_MS, EXECS, QUICK_EXECS = 1500, 200, 20
WAIT_S = 30  # for one row
TOOL = "samtools"  # by the rules a tool that is tracked


class Stream(threading.Thread):
    """Reads the stream: how many executions all runs in it have, and when that last grew."""

    def __init__(self, url, token):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection(url.rpartition("/")[2], timeout=120)
        self.connection.request("GET", "/api/v1/live", headers={"Authorization": f"Bearer {token}"})
        self.answer = self.connection.getresponse()
        self.runs, self.executions, self.changed = {}, 0, threading.Condition()

    def run(self):
        for line in self.answer:
            if line.startswith(b"data: "):
                self.take(json.loads(line[6:])["runs"])

    def take(self, rows):
        self.runs.update({row["id"]: row["executions"] for row in rows})
        with self.changed:
            self.executions = sum(self.runs.values())
            self.changed.notify()

    def wait_beyond(self, executions):
        with self.changed:
            return self.changed.wait_for(lambda: self.executions > executions, WAIT_S)


def once(stream, program):
    """Milliseconds from just before the exec until a row has it; None: it never came."""
    before = stream.executions
    began = time.monotonic()
    os.posix_spawn(program, [program, "0.2"], {"PATH": "/usr/bin:/bin"}, setsid=True)
    came = stream.wait_beyond(before)
    took = (time.monotonic() - began) * 1000
    os.wait()
    return took if came else None


def settled(stream):
    """Until nothing has come for a while: a row of the exec before must not count for the next. A part of a second longer, so
    that execs come at any time between what agent and lake do each second."""
    seen = -1
    while seen != stream.executions:
        seen = stream.executions
        time.sleep(1.5)
    time.sleep(random.random())


def measure(table, folder, quick):
    data = folder / "data"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o711)  # the lake has an account of its own
    program = str(folder / TOOL)
    shutil.copy("/bin/sleep", program)
    subprocess.run([BUILD / "tracer", "up", "--data", data, "--port", "0"], check=True, stdout=subprocess.DEVNULL)
    try:
        stream = Stream((data / "lake.url").read_text().strip(), pathlib.Path(data / "tokens" / "read").read_text().strip())
        stream.start()
        times = []
        for _ in range(QUICK_EXECS if quick else EXECS):
            settled(stream)
            times.append(once(stream, program))
    finally:
        subprocess.run([BUILD / "tracer", "down", "--data", data], stdout=subprocess.DEVNULL, env={**os.environ, "TRACER_DATA": str(data)})
    came = sorted(ms for ms in times if ms is not None)
    if not came:
        table.row("from exec to the row on /live", "no row came", f"≤ {P99_MS:,} ms", False)
        return
    p99 = came[min(len(came) - 1, int(0.99 * len(came)))]
    table.most(f"from exec to the row on /live, {len(times)} execs: p99", p99, P99_MS, "ms")
    table.row("from exec to the row on /live: p50, execs without a row", f"{came[len(came) // 2]:.0f} ms, {len(times) - len(came)}",
              "", None)
