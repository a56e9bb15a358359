# SPDX-License-Identifier: Apache-2.0
"""Programs that no process of the bench is an ancestor of: as a scheduler, or another person, starts them."""
import contextlib
import os
import pwd
import select
import signal
import time


class Process:
    """One that was launched, with the session that it leads."""

    def __init__(self, pid, session):
        self.pid, self.session = pid, session
        self.fd = os.pidfd_open(pid)

    def wait(self, seconds):
        """Whether it ended within that time."""
        return bool(select.select([self.fd], [], [], seconds)[0])

    def end(self):
        """Kills its session. A process that began a session of its own is left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.session, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.fd, signal.SIGKILL)
        self.wait(10)
        os.close(self.fd)


def become(argv, folder, log, cgroups, user, launcher):
    """What the new process does before it is the program."""
    os.write(1, b"%d" % os.getpid())
    while os.getppid() == launcher:
        time.sleep(0.001)
    for cgroup in cgroups:
        with open(f"{cgroup}/cgroup.procs", "w") as procs:
            procs.write(str(os.getpid()))
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666), 1)
    os.dup2(1, 2)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.chdir(folder)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
    if user:
        os.setgroups([])
        os.setgid(pwd.getpwnam(user).pw_gid)
        os.setuid(pwd.getpwnam(user).pw_uid)
    os.closerange(3, 1024)
    os.execvpe(argv[0], argv, {**environment, "NXF_OFFLINE": "true", "NXF_PLUGINS_DEFAULT": "false", "NXF_ANSI_LOG": "false"})


def launch(argv, folder, log, cgroups=(), user=None):
    argv = [str(each) for each in argv]
    near, far = os.pipe()
    between = os.fork()
    if between == 0:
        status = 1
        try:
            os.setsid()
            os.dup2(far, 1)
            launcher = os.getpid()
            if os.fork() == 0:
                become(argv, folder, log, cgroups, user, launcher)
            status = 0
        finally:
            os._exit(status)
    os.close(far)
    os.waitpid(between, 0)
    pid = int(os.read(near, 32))
    os.close(near)
    return Process(pid, between)
