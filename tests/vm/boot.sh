#!/usr/bin/env bash
# Boots a kernel in QEMU with the static tracer in its initramfs, runs guest.sh there, and checks what it printed.
#
#     boot.sh SERIES TRACER        e.g. boot.sh 6.1 build/release/tracer
set -euo pipefail
series=$1 tracer=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
kernel=$here/../../build/kernels/$series/vmlinuz
[ -e "$kernel" ] || { echo "$kernel is missing: run tests/vm/fetch-kernels.sh" >&2; exit 1; }
[[ $(ldd "$tracer" 2>&1) == *"not a dynamic executable"* ]] || { echo "$tracer is not static" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/root/{bin,proc,sys,dev,tmp,etc}
cp /bin/busybox "$work/root/bin/busybox"
cp "$tracer" "$work/root/bin/tracer"
cp "$here/guest.sh" "$work/root/init"
chmod +x "$work/root/init"
for name in sh ls grep kill mount sleep cat poweroff mkdir; do ln -s busybox "$work/root/bin/$name"; done
(cd "$work/root" && find . | cpio -o -H newc --quiet) >"$work/initramfs"

timeout 240 qemu-system-x86_64 -kernel "$kernel" -initrd "$work/initramfs" -m 768 -smp 2 -nographic -no-reboot \
	-append "console=ttyS0 quiet panic=-1 loglevel=3" </dev/null >"$work/console" 2>&1 || true
tr -d '\r' <"$work/console" >"$work/output"

fault() {
	echo "kernel $series: $*" >&2
	tail -n 60 "$work/output" >&2
	exit 1
}
grep -qF "GUEST: kernel $series." "$work/output" || fault "did not boot"
grep -q '^GUEST: doctor 0' "$work/output" || fault "tracer doctor says that it cannot run here"
grep -q '^GUEST: audit 0' "$work/output" || fault "tracer audit failed"
sed '1,/^AUDIT BEGIN/d; /^AUDIT END/,$d; /^\[ *[0-9.]*\] /d' "$work/output" >"$work/batches"
[ -s "$work/batches" ] || fault "no batch was printed"
# The `ls` of guest.sh, whole: its arguments, its end, its own figures.
jq -es '[.[].executions[]? | select(.argv == ["/bin/ls", "-l", "/proc/self/"] and .status == "succeeded")] |
	length >= 1 and (last | .exit_code == 0 and .user_ns + .kernel_ns > 0 and .rss_peak_bytes > 0 and
	.exe == "/bin/busybox" and .cwd == "/tmp" and .write_chars_bytes > 0)' "$work/batches" >/dev/null ||
	fault "ls was not recorded as it ran: $(jq -c '.executions[]? | select(.argv[0] == "/bin/ls")' "$work/batches")"
jq -es '[.[].losses[]?] | length == 0' "$work/batches" >/dev/null || fault "records were lost"
echo "kernel $series: $(grep -o 'GUEST: kernel .*' "$work/output" | cut -c15-), ls recorded with all its figures"
