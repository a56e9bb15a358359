# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts: progress, installing packages, building. Sourced, never run.

set -euo pipefail
# The folder of the clone. Every script that sources this uses it.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
# The caller's locale or PATH (another Python) must not change what runs here.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }
fail() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

need_root() { [ "$(id -u)" = 0 ] || fail "must be root (eBPF and package installation need it). Run: sudo $0"; }

# load_error: why the kernel refuses a minimal eBPF program; empty if it loads one. It needs no compiler: perl is on every Debian,
# python3 is the fallback.
load_error() {
	local number=321
	[ "$(uname -m)" != aarch64 ] || number=280
	# BPF_PROG_LOAD of a BPF_PROG_TYPE_RAW_TRACEPOINT of two instructions: r0 = 0; exit.
	if command -v perl >/dev/null; then
		perl -e '
			my ($code, $license) = (pack("CCsl CCsl", 0xb7, 0, 0, 0, 0x95, 0, 0, 0), "GPL\0");
			my $attributes = pack("LLQQLLQLL", 17, 2, unpack("Q", pack("P", $code)), unpack("Q", pack("P", $license)), (0) x 5);
			print "$!" if syscall($ARGV[0] + 0, 5, $attributes, length $attributes) < 0' "$number"
	elif command -v python3 >/dev/null; then
		python3 -c '
import ctypes, os, struct, sys
code, license = ctypes.create_string_buffer(struct.pack("=BBhiBBhi", 0xb7, 0, 0, 0, 0x95, 0, 0, 0)), ctypes.create_string_buffer(b"GPL")
attributes = ctypes.create_string_buffer(struct.pack("=IIQQIIQII", 17, 2, ctypes.addressof(code), ctypes.addressof(license), 0, 0, 0, 0, 0))
if ctypes.CDLL(None, use_errno=True).syscall(int(sys.argv[1]), 5, attributes, ctypes.c_uint(48)) < 0:
    print(os.strerror(ctypes.get_errno()), end="")' "$number"
	elif [ $((0x$(sed -n 's/^CapEff:\t//p' /proc/self/status) >> 21 & 1)) = 0 ]; then
		printf 'no CAP_SYS_ADMIN'
	fi
}

# ebpf_missing: prints in one line why eBPF cannot be used here, exit status 1; nothing and exit status 0 if it can.
# It checks what `tracer doctor` checks, and works before Tracer is built.
ebpf_missing() {
	local release major minor refused lacks=()
	release=$(uname -r)
	IFS=.- read -r major minor _ <<<"$release"
	[ $((major * 1000 + minor)) -ge 5015 ] || lacks+=("Linux $release is older than 5.15")
	[ "$(id -u)" = 0 ] || lacks+=("not root (uid $(id -u))")
	[ -r /sys/kernel/btf/vmlinux ] || lacks+=("no kernel BTF (/sys/kernel/btf/vmlinux)")
	if grep -qs '\[confidentiality\]' /sys/kernel/security/lockdown; then lacks+=("lockdown=confidentiality"); fi
	refused=$(load_error)
	[ -z "$refused" ] || lacks+=("the kernel loads no eBPF program ($refused: no CAP_BPF and CAP_PERFMON, or not allowed)")
	[ ${#lacks[@]} -gt 0 ] || return 0
	printf '%s' "${lacks[0]}"
	[ ${#lacks[@]} = 1 ] || printf '; %s' "${lacks[@]:1}"
	printf '\n'
	return 1
}

# step NAME COMMAND…: runs a command with its output in a log and prints how long it took; on failure the end and the path of the log.
step() {
	local name=$1 log started status=0
	shift
	mkdir -p "$logs"
	log=$logs/${name//[^a-zA-Z0-9]/-}.log
	started=$SECONDS
	if [ -t 1 ]; then printf '%s %-34s …\r' "$(date +%H:%M:%S)" "$name"; else say "$name …"; fi
	"$@" >"$log" 2>&1 </dev/null || status=$?
	if [ "$status" != 0 ]; then
		printf '%s %-34s FAILED after %s s\n' "$(date +%H:%M:%S)" "$name" $((SECONDS - started))
		tail -n 30 "$log" >&2
		fail "'$name' failed (exit $status). Its output is in $log. Fix the error above and run $0 again; finished steps are kept."
	fi
	printf '%s %-34s %s s\n' "$(date +%H:%M:%S)" "$name" $((SECONDS - started))
}

# install_packages LIST…: installs the packages of scripts/packages/LIST that are missing. A line is a package, or a package and a
# command: if the command exists, from any source, the package is not needed.
install_packages() {
	local list package command missing=()
	for list in "$@"; do
		while read -r package command; do
			if [ -n "$command" ] && command -v "$command" >/dev/null; then
				continue
			fi
			dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
		done < <(sed 's/#.*//; /^[[:space:]]*$/d' "$root/scripts/packages/$list")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || fail "packages are missing, and only root can install them. Run: sudo apt-get install ${missing[*]}, then $0 again"
	[ -r /etc/debian_version ] || fail "this script installs packages with apt-get, which this system does not have. Install by hand: ${missing[*]}"
	step "update package lists" apt-get update -q
	step "install ${#missing[@]} packages" apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# fetch_libraries: what a build needs and Debian does not have.
fetch_libraries() { step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"; }

# build PRESET [TARGET…]: configures if needed, and builds.
build() {
	local preset=$1
	shift
	[ -e "$root/build/$preset/build.ninja" ] || step "configure $preset" cmake -S "$root" --preset "$preset"
	step "build $preset" ninja -C "$root/build/$preset" "$@"
}

# write_table STATUS NOUN TITLE FILE writes the table in FILE to NOUN.md in docs/design/measurements. STATUS is the exit status of the
# command that printed the table: 0, or 3 if a row misses its budget. Any other means that the table is incomplete: it is not written.
write_table() {
	if [ "$1" != 0 ] && [ "$1" != 3 ]; then
		echo "the table is incomplete (exit status $1): docs/design/measurements/$2.md is not changed" >&2
		return 0
	fi
	{
		printf '# %s\n\nMade by bench/%s, on Linux %s with %s CPUs; not written by hand.\n\n' "$3" "$(basename "$0")" "$(uname -r)" "$(nproc)"
		sed 's/^/    /' "$4"
	} >"$root/docs/design/measurements/$2.md"
}
