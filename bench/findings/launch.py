# SPDX-License-Identifier: Apache-2.0
"""Programs that no process of the bench is an ancestor of: as a scheduler, or another person, starts them (launcher.sh)."""
import contextlib
import itertools
import os
import pathlib
import select
import shlex
import signal
import time

NUMBERS = itertools.count()
PATIENCE_S = 60


class Process:
    """One that was launched: the first of a session."""

    def __init__(self, pid):
        self.pid = pid
        try:
            self.fd = os.pidfd_open(pid)
        except ProcessLookupError:  # it has ended
            self.fd = None

    def wait(self, seconds):
        """Whether it ended within that time."""
        return self.fd is None or bool(select.select([self.fd], [], [], seconds)[0])

    def end(self):
        """Kills its session. A process that began a session of its own is left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait(10)
        if self.fd is not None:
            os.close(self.fd)


def job(argv, folder, log, cgroups, user, pid_file):
    """What the new process does before it is the program."""
    lines = [f"echo $$ >{entry}" for entry in cgroups]
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8",
                   "NXF_HOME": f"{folder}/.nextflow", "NXF_OFFLINE": "true", "NXF_PLUGINS_DEFAULT": "false", "NXF_ANSI_LOG": "false"}
    rights = ["setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups"] if user else []
    command = ["env", "-i", "--default-signal=INT,QUIT", *(f"{key}={value}" for key, value in environment.items()), *rights, *argv]
    lines += [f"cd {folder}", f"exec >>{log} 2>&1 </dev/null 3>&-", f"echo $$ >{pid_file}",
              f"exec {shlex.join(str(each) for each in command)}"]
    return "\n".join(lines) + "\n"


def launch(argv, folder, log, cgroups=(), user=None):
    work = pathlib.Path(os.environ["TRACER_FINDINGS_WORK"])
    path = work / "launched" / f"{next(NUMBERS)}.job"
    path.parent.mkdir(exist_ok=True)
    pid_file = path.with_suffix(".pid")
    path.write_text(job(argv, folder, log, cgroups, user, pid_file))
    with open(work / "jobs", "w") as jobs:
        jobs.write(f"{path}\n")
    until = time.monotonic() + PATIENCE_S
    while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
        if time.monotonic() > until:
            raise RuntimeError(f"{path} did not begin")
        time.sleep(0.002)
    return Process(int(pid_file.read_text()))
