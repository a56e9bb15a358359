#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots a kernel in QEMU with the static tracer in its initramfs, has it watch the drivers of bench/ there (guest.sh), and
# prints how exact it was, by the table of bench/exact.sh. Standard input says what is done there, as guest.sh's functions.
#
#     boot.sh KERNEL TRACER WORLD [KERNEL PARAMETER…] <<<'pass auto waits --'       e.g. boot.sh 6.1-amd64 build/release/tracer v2
#
# With TRACER_CLOCKS=1 in the environment also the rows about time, which need a host that does nothing else.
# WORLD: v1 or v2, of cgroups. A pass with a name that begins with "no-" must be refused with words about a figure.
set -euo pipefail
name=$1 tracer=$(realpath "$2") world=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
folder=$root/build/kernels/$name
passes=$(cat)
[ -e "$folder/vmlinuz" ] || { echo "$folder is missing: run tests/vm/fetch-kernels.sh" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/root/{bin,proc,sys,dev,tmp,etc} "$work/words"
case $name in
*-arm64)
	compiler=aarch64-linux-gnu-gcc busybox=$root/build/sysroot/arm64/bin/busybox console=ttyAMA0
	machine=(qemu-system-aarch64 -M virt -cpu "max,pauth-impdef=on")
	;;
*)
	compiler=gcc busybox=/bin/busybox console=ttyS0
	machine=(qemu-system-x86_64 -M q35)
	gcc -m32 -O2 -static -nostdlib -ffreestanding -o "$work/root/bin/compat_driver" "$here/compat_driver.c"
	;;
esac
for driver in exact_driver wait_driver poll_driver; do
	"$compiler" -O2 -static -pthread -o "$work/root/bin/$driver" "$root/bench/drivers/$driver.c"
done
for driver in birth_driver day_driver dirty_driver file_driver; do
	"$compiler" -O2 -static -pthread -D_GNU_SOURCE -o "$work/root/bin/$driver" "$here/$driver.c"
done
"$compiler" -O2 -static -pthread -D_GNU_SOURCE -o "$work/root/bin/probe_driver" "$root"/tests/bpf/lib/driver*.c
"$compiler" -O2 -static -D_GNU_SOURCE -o "$work/root/bin/network_driver" "$root/tests/bpf/lib/network_driver.c"
cp "$root/bench/sockets.sh" "$work/root/bin/"
cp "$busybox" "$tracer" "$work/root/bin/"
cp -r "$folder/modules" "$work/root/modules"
cp "$here/guest.sh" "$work/root/init"
printf '%s\n' "world=$world" "$passes" >"$work/root/plan"
for applet in sh grep kill mount sleep usleep cat cut poweroff reboot mkdir rmdir umount uname insmod ip tar sync touch; do
	ln -s busybox "$work/root/bin/$applet"
done
(cd "$work/root" && find . | cpio -o -H newc --quiet) >"$work/initramfs"
truncate -s 300M "$work/disk"
mke2fs -q -t ext4 -O ^has_journal "$work/disk"
truncate -s 64M "$work/out"

# The first disk gives 100 MB/s, so that to wait for it is to wait. On a busy host the timer of an emulated machine may
# come too late for the kernel's test of it (no_timer_check).
# One thread for both CPUs: with a thread each QEMU sometimes runs an instruction that the other CPU has just patched, as
# kernels do to turn a tracepoint on or off, and the kernel dies ("Oops: int3").
ended=0
timeout 900 "${machine[@]}" -kernel "$folder/vmlinuz" -initrd "$work/initramfs" -m 2048 -smp 2 -display none -monitor none \
	-accel tcg,thread=single -no-reboot -serial "file:$work/console" \
	-append "console=$console quiet panic=-1 loglevel=3 no_timer_check $*" \
	-drive "file=$work/disk,format=raw,if=none,id=disk,cache=unsafe,throttling.bps-total=100000000" \
	-device virtio-blk-pci,drive=disk \
	-drive "file=$work/out,format=raw,if=none,id=out,cache=unsafe" -device virtio-blk-pci,drive=out \
	</dev/null 2>"$work/errors" || ended=$?
tr -d '\r' <"$work/console" >"$work/output"

fault() {
	echo "kernel $name, cgroups $world $*" >&2
	cat "$work/errors" >&2
	exit 1
}
cat "$work/output"
[ "$ended" = 0 ] || fault "QEMU ended with $ended (124: time was up)"
grep -qF "GUEST: kernel ${name%-*}." "$work/output" || fault "did not boot"
grep -q '^GUEST: doctor 0' "$work/output" || fault "tracer doctor says that it cannot run here"
grep -q '^GUEST: done' "$work/output" || fault "did not come to its end"
tar xf "$work/out" -C "$work/words"
printf '%s\n' "$passes" >"$work/words/plan"
"$here/check.py" "$work/words" "$name" "$world" "$@" || fault "is not exact"
