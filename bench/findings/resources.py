# SPDX-License-Identifier: Apache-2.0
"""What a cause needs of the host, each for one run: control groups, disks, a wire to another machine."""
import contextlib
import os
import pathlib
import subprocess
import time

CGROUPS = pathlib.Path("/sys/fs/cgroup")
# By controller: where its hierarchy of version 1 is, and the file of a value in version 1 and 2.
FILES = {
    "memory": ("memory.limit_in_bytes", "memory.max"),
    "cpu": ("cpu.cfs_quota_us", "cpu.max"),
    "blkio": ("blkio.throttle.read_bps_device", "io.max"),
    "cpuset": ("cpuset.cpus", "cpuset.cpus"),
}
PERIOD_US = 100_000


def command(*argv, **options):
    return subprocess.run([str(each) for each in argv], check=True, capture_output=True, text=True, **options).stdout.strip()


def hierarchy(controller):
    """The control group in which the bench itself is, and whether it is one of version 1."""
    first = (CGROUPS / controller).is_dir()
    own = next(line.split(":", 2)[2] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()
               if (controller in line.split(":")[1].split(",") if first else line.startswith("0::")))
    top = CGROUPS / controller if first else CGROUPS
    # Version 2 allows no processes beside groups with controllers, save at the top.
    return (top / own.lstrip("/") if first else top), first


def remove(folder):
    for _ in range(200):
        try:
            folder.rmdir()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"{folder} is still used: {(folder / 'cgroup.procs').read_text()}")


@contextlib.contextmanager
def cgroup(controller, name, value, above=None):
    """A control group in which a limit of that value holds (None: no limit)."""
    top, first_version = hierarchy(controller)
    if not first_version:
        (top / "cgroup.subtree_control").write_text("+cpu +memory +io +cpuset")
        if above:
            (above / "cgroup.subtree_control").write_text("+memory")
    folder = (above or top) / name
    others = beside(controller, folder) if first_version else []
    for each in (folder, *others):
        each.mkdir()
    try:
        if first_version and controller == "cpuset":
            (folder / "cpuset.mems").write_text((top / "cpuset.mems").read_text())
        if value is not None:
            (folder / FILES[controller][0 if first_version else 1]).write_text(str(value))
        yield folder
    finally:
        for each in (folder, *others):
            remove(each)


def limit(controller, folder, value):
    """One more limit of a control group, of another controller than it was made for."""
    top, first_version = hierarchy(controller)
    inner = folder.name if first_version else folder
    (top / inner / FILES[controller][0 if first_version else 1]).write_text(str(value))


def beside(controller, folder):
    """The same group in the hierarchies of the other controllers, as all that make groups of version 1 have it."""
    inner = folder.relative_to(hierarchy(controller)[0])
    return [hierarchy(other)[0] / inner for other in ("cpu", "cpuacct", "memory", "blkio") if other != controller and (CGROUPS / other).is_dir()]


def entries(controller, folder):
    """The files to which a process writes its number to be in it."""
    others = beside(controller, folder) if hierarchy(controller)[1] else []
    return [f"{each}/cgroup.procs" for each in (folder, *others)]


def cpu_quota(share):
    """The value of a limit of so many CPUs."""
    quota = int(share * PERIOD_US)
    return quota if hierarchy("cpu")[1] else f"{quota} {PERIOD_US}"


def read_rate(device, bytes_per_second):
    return f"{device} {bytes_per_second}" if hierarchy("blkio")[1] else f"{device} rbps={bytes_per_second}"


@contextlib.contextmanager
def memory_disk(folder, size):
    folder.mkdir()
    command("mount", "-t", "tmpfs", "-o", f"size={size}", "scratch", folder)
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        command("umount", folder)


@contextlib.contextmanager
def disk(folder, image, size, fill=None):
    """A file system on a disk of its own, with nothing of it in memory; fill(folder) writes what is on it. Gives the device, too."""
    with open(image, "wb") as file:
        file.truncate(size)
    command("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", image)
    device = command("losetup", "--find", "--show", image)
    folder.mkdir()
    try:
        if fill:
            command("mount", device, folder)
            fill(folder)
            command("umount", folder)
        command("mount", device, folder)
        folder.chmod(0o777)
        yield folder, pathlib.Path(f"/sys/block/{os.path.basename(device)}/dev").read_text().strip()
    finally:
        if os.path.ismount(folder):
            command("umount", folder)
        command("losetup", "-d", device)
        os.unlink(image)


@contextlib.contextmanager
def other_machine(number, rate=None):
    """A network namespace behind a wire of at most so many bytes a second; gives its name and its address."""
    name, near, far = f"tracer-findings-{os.getpid()}", f"trf{os.getpid()}", f"tfo{os.getpid()}"
    subnet = f"10.198.{number % 250}"
    command("ip", "netns", "add", name)
    try:
        command("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
        command("ip", "addr", "add", f"{subnet}.1/30", "dev", near)
        command("ip", "-n", name, "addr", "add", f"{subnet}.2/30", "dev", far)
        command("ip", "link", "set", near, "up")
        command("ip", "-n", name, "link", "set", far, "up")
        command("ip", "-n", name, "link", "set", "lo", "up")
        if rate:
            command("tc", "-n", name, "qdisc", "add", "dev", far, "root", "tbf", "rate", f"{rate * 8}", "burst", "16kb", "latency", "400ms")
        yield name, f"{subnet}.2"
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            command("ip", "link", "del", near)
        command("ip", "netns", "del", name)


@contextlib.contextmanager
def swap(size):
    """Compressed memory as swap: only what its control group limits is moved there."""
    number = command("cat", "/sys/class/zram-control/hot_add")
    device, block = f"/dev/zram{number}", pathlib.Path(f"/sys/block/zram{number}")
    try:
        (block / "disksize").write_text(str(size))
        command("mkswap", device)
        command("swapon", device)
        yield
    finally:
        subprocess.run(["swapoff", device], check=False, capture_output=True)
        pathlib.Path("/sys/class/zram-control/hot_remove").write_text(number)
