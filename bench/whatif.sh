#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether a run takes on other cores what Tracer predicts: pipelines really run on one core (by taskset, and by a control group's quota) and
# on two, each predicted from the other; with a step really made shorter, and with memory really limited. Prints a table; exit 1 when a bar
# is missed. Takes about 24 minutes on a quiet machine, longer on another one.
#
#     sudo bench/whatif.sh [--quick] [--turns N] [--patience SECONDS] [--repeats N] [--only WORKLOAD] [--keep DIR] [--record] [--write]
#
# Needs a machine of two CPUs or more that does nothing else: a run beside which others used CPUs, or that took 5 % more CPU time than the same
# work once did (a virtual machine beside others), is made again. The runs take turns, so that a machine that becomes slower is so for
# all. Runs use the first two CPUs.
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

main() { PYTHONDONTWRITEBYTECODE=1 python3 "$root/bench/whatif/main.py" "$@"; }
case " $* " in *" --help "* | *" -h "*)
	main "$@"
	exit
	;;
esac
need_root
install_packages build demo test
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { fetch_libraries; build release tracer tracer-lake; }
[ -d "$root/build/nextflow" ] || "$root/tests/e2e/nextflow/fetch.sh"

TRACER_FINDINGS_WORK=$(mktemp -d)
chmod 711 "$TRACER_FINDINGS_WORK" # the lake, which is not root, passes it
export TRACER_FINDINGS_WORK TRACER_DATA=$TRACER_FINDINGS_WORK/data PATH=$build:$PATH
mount -t tmpfs -o mode=755 whatif "$TRACER_FINDINGS_WORK"
leave() {
	tracer down >/dev/null
	echo end >"$TRACER_FINDINGS_WORK/jobs"
	umount --lazy "$TRACER_FINDINGS_WORK" && rmdir "$TRACER_FINDINGS_WORK"
}
trap leave EXIT
mkfifo "$TRACER_FINDINGS_WORK/jobs"
setsid --fork "$root/bench/findings/launcher.sh" "$TRACER_FINDINGS_WORK/jobs"
tracer up --port 0 --price-usd-hour 0.096 >/dev/null
# The demo calls it; a recording names no folder of this machine.
mkdir "$TRACER_FINDINGS_WORK/bin"
cp "$build/tracer" "$TRACER_FINDINGS_WORK/bin"
PATH=$TRACER_FINDINGS_WORK/bin:${PATH#"$build:"}
main "$@"
