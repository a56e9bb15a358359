#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What watching costs: workloads with and without the agent, interleaved, tracked and not tracked, beside the budgets.
# Each row is judged twice (docs/design/measurements/README.md, Overhead): by wall time, and by the account of all CPU time that Tracer used.
#
#     sudo bench/overhead.sh [--quick]     a few minutes (--quick: one, for a first look)
#
# TRACER_BUILD names another build folder (default build/release). Exit 1 when a row misses its budget.
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

need_root
install_packages build demo bench
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { fetch_libraries; build release tracer tracer-lake; }

work=$(mktemp -d)
chmod 711 "$work" # the lake, which is not root, passes it
export PATH=$build:$PATH
before=$(cat /proc/sys/kernel/bpf_stats_enabled)
finish() {
	TRACER_DATA=$work/data tracer down >/dev/null
	echo "$before" >/proc/sys/kernel/bpf_stats_enabled
	rm -rf "$work"
}
trap finish EXIT
gcc -O2 -static -o "$work/workload" "$root/bench/drivers/workload.c"
for program in empty floor; do
	clang -g -O2 -target bpf -I"/usr/include/$(uname -m)-linux-gnu" -c "$root/bench/drivers/$program.bpf.c" -o "$work/$program.bpf.o"
done
gcc -O2 -o "$work/empty" "$root/bench/drivers/empty.c" -lbpf

# Who starts the workloads must itself be untracked, and a Python script is not: it asks this shell to. The script's own
# interpreter goes by another name, for while anything tracked lives system calls are watched.
cp "$(readlink -f "$(command -v python3)")" "$work/judge"
mkfifo "$work/ask" "$work/answer"
# Its output goes to a file: a pipe that has no reader yet would block the workload.
while read -r -a command; do
	"${command[@]}" >"$work/said"
	cat "$work/said" >"$work/answer"
done <"$work/ask" &
status=0
"$work/judge" "$root/bench/overhead.py" "$work" "$root" "$@" | tee "$work/table" || status=$?
[ "${1:-}" = --quick ] || write_table "$status" overhead "What watching costs" "$work/table"
[ "$status" = 0 ]
