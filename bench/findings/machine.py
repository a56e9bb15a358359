# SPDX-License-Identifier: Apache-2.0
"""A case in a small virtual machine of its own, where memory may run out: a kernel in QEMU, with Tracer's agent in it. What the agent
wrote into its spool there is delivered to the lake afterwards."""
import os
import pathlib
import shutil
import subprocess
import time

import judge
import launch

MEMORY_MIB = 384
CAP_S = 300
COMMANDS = ("bash", "make", "perl", "awk", "samtools", "bwa", "sort", "cut", "gzip", "cat", "touch", "env", "nice", "timeout", "setpriv", "wc")
INIT = r"""#!/bin/sh
export PATH=/usr/bin:/bin HOME=/ LC_ALL=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
for module in /modules/*.ko; do [ ! -e "$module" ] || insmod "$module"; done
ip link set lo up
mount -t cgroup2 cgroup2 /sys/fs/cgroup
echo none >/token
chmod 600 /token
tracer collect --lake http://127.0.0.1:9 --token-file /token --state-folder /state --host {host} 2>/agent.log &
agent=$!
until grep -q watching /agent.log; do
	kill -0 $agent || break
	usleep 50000
done
sleep 1
cd {folder}
setsid sh -c 'while read -r name </proc/$PPID/comm && [ "$name" = setsid ]; do :; done; exec "$@"' apart {command} >/pipeline.log 2>&1
sleep 3
kill -TERM $agent
wait $agent
cp /agent.log /pipeline.log /state/
cd /state && tar c . >/dev/vda
sync
reboot -f
"""


def copy_program(root, path):
    """With the libraries that it needs, at their own paths."""
    real = os.path.realpath(path)
    for each in {path, real}:
        (root / each[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(real, root / each[1:])
    linked = subprocess.run(["ldd", real], capture_output=True, text=True, check=False).stdout
    for word in linked.split():
        if word.startswith("/") and not (root / word[1:]).exists():
            (root / word[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(word), root / word[1:])


def base(lab):
    """The files that all machines have, made once."""
    root = lab.work / "machine"
    if root.exists():
        return root
    for folder in ("bin", "proc", "sys", "dev", "tmp", "etc", "usr/bin", "state"):
        (root / folder).mkdir(parents=True)
    for name in COMMANDS:
        copy_program(root, shutil.which(name))
    gcc = "/usr/lib/x86_64-linux-gnu/libgcc_s.so.1"  # which pthread_exit loads
    (root / gcc[1:]).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(gcc, root / gcc[1:])
    for applet in ("sh", "grep", "kill", "mount", "sleep", "usleep", "cp", "reboot", "insmod", "ip", "tar", "sync", "setsid", "ln", "chmod"):
        (root / "bin" / applet).symlink_to("busybox")
    shutil.copy("/bin/busybox", root / "bin" / "busybox")
    if not (root / "bin" / "bash").exists():
        (root / "bin" / "bash").symlink_to("/usr/bin/bash")
    shutil.copy(shutil.which("tracer"), root / "bin" / "tracer")
    kernel = lab.root / "build" / "kernels" / "6.12-amd64"
    (root / "modules").mkdir()
    for module in kernel.glob("modules/*.ko"):
        shutil.copy(module, root / "modules")
    for folder in (lab.data, lab.programs, pathlib.Path("/usr/lib/locale/C.utf8")):
        shutil.copytree(folder, root / str(folder)[1:])
    return root


def host(case):
    return f"node-{case.name.replace('_', '-')}"


def start(case, argv):
    """Boots it with the case's folder; it ends with the pipeline."""
    lab, stem = case.lab, case.folder.parent / case.name
    init = INIT
    for key, value in {"host": host(case), "folder": case.folder, "command": " ".join(str(each) for each in argv)}.items():
        init = init.replace("{" + key + "}", str(value))
    root = case.folder.parent / f"{case.name}.root"
    shutil.copytree(base(lab), root, symlinks=True)
    shutil.copytree(case.folder, root / str(case.folder)[1:])
    (root / "init").write_text(init)
    (root / "init").chmod(0o755)
    subprocess.run(f"cd {root} && find . | cpio -o -H newc --quiet | gzip -1 > {stem}.initramfs", shell=True, check=True)
    shutil.rmtree(root)
    with open(f"{stem}.disk", "wb") as disk:
        disk.truncate(64 << 20)
    return launch.launch(
        ["qemu-system-x86_64", "-M", "q35", "-kernel", lab.root / "build/kernels/6.12-amd64/vmlinuz",
         "-initrd", f"{stem}.initramfs", "-m", MEMORY_MIB, "-smp", 1, "-display", "none", "-monitor", "none",
         "-accel", "tcg,thread=single", "-no-reboot", "-serial", f"file:{stem}.console",
         "-append", "console=ttyS0 quiet panic=-1 loglevel=3 no_timer_check",
         "-drive", f"file={stem}.disk,format=raw,if=none,id=out,cache=unsafe", "-device", "virtio-blk-pci,drive=out"],
        case.folder, case.log)


def deliver(case):
    """An agent that watches nothing sends what is in the spool."""
    stem, data = case.folder.parent / case.name, pathlib.Path(os.environ["TRACER_DATA"])
    state = case.folder.parent / f"{case.name}.state"
    state.mkdir()
    subprocess.run(["tar", "xf", f"{stem}.disk", "-C", state], check=True)
    shutil.copy(state / "pipeline.log", case.log)
    log = open(f"{stem}.deliver.log", "w")
    agent = subprocess.Popen(
        ["tracer", "collect", "--lake", (data / "lake.url").read_text().strip(), "--token-file", data / "tokens" / "admin",
         "--state-folder", state, "--track", "only:no-such-cgroup", "--host", host(case)],
        stderr=log)
    until = time.monotonic() + 60
    while time.monotonic() < until and judge.runs(data).get(case.name, {}).get("status", "running") == "running":
        time.sleep(0.5)
    agent.terminate()
    agent.wait(30)
    for each in (f"{stem}.disk", f"{stem}.initramfs"):
        os.unlink(each)
