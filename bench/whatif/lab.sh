# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Where bench/whatif.sh and bench/recommend.sh run pipelines: a Tracer of their own, on a file system in memory. Sourced by them, after
# scripts/lib.sh.

# lab_begin NAME BUILD ROOT: with the programs of a build folder; it ends with the script.
lab_begin() {
	local build=$2 root=$3
	need_root
	install_packages build demo test
	[ -x "$build/tracer" ] || { fetch_libraries; build release tracer tracer-lake; }
	[ -d "$root/build/nextflow" ] || "$root/tests/e2e/nextflow/fetch.sh"
	TRACER_FINDINGS_WORK=$(mktemp -d)
	chmod 711 "$TRACER_FINDINGS_WORK" # the lake, which is not root, passes it
	export TRACER_FINDINGS_WORK TRACER_DATA=$TRACER_FINDINGS_WORK/data PATH=$build:$PATH
	mount -t tmpfs -o mode=755 "$1" "$TRACER_FINDINGS_WORK"
	trap lab_end EXIT
	mkfifo "$TRACER_FINDINGS_WORK/jobs"
	setsid --fork "$root/bench/findings/launcher.sh" "$TRACER_FINDINGS_WORK/jobs"
	tracer up --port 0 --price-usd-hour 0.096 >/dev/null
	# The demo calls it; a recording names no folder of this machine.
	mkdir "$TRACER_FINDINGS_WORK/bin"
	cp "$build/tracer" "$TRACER_FINDINGS_WORK/bin"
	PATH=$TRACER_FINDINGS_WORK/bin:${PATH#"$build:"}
}

lab_end() {
	tracer down >/dev/null
	echo end >"$TRACER_FINDINGS_WORK/jobs"
	umount --lazy "$TRACER_FINDINGS_WORK" && rmdir "$TRACER_FINDINGS_WORK"
}
