#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether Tracer finds the cause: small real pipelines with one cause each, of failure or slowness, and the same without it.
# Prints a table, what was found for which cause, and a line for each miss; exit 1 when a bar is missed.
#
#     sudo bench/findings.sh [SEED] [--list] [--only CAUSE[,CAUSE]] [--variations N] [--pairs N] [--keep DIR] [--write] [--record]
#
# The seed draws five variations of each cause: sizes, positions, engines, tools, depth of wrapping, names.
# Needs a machine that does nothing else: work of others is a cause, too. So would be a disk that others use: the files of the pipelines
# lie in memory (1 GiB or so), except the disks that a cause needs.
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

main() { PYTHONDONTWRITEBYTECODE=1 python3 "$root/bench/findings/main.py" "$@"; }
case " $* " in *" --list "* | *" --help "* | *" -h "*)
	main "$@"
	exit
	;;
esac
need_root
install_packages build demo test
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { fetch_libraries; build release tracer tracer-lake; }

TRACER_FINDINGS_WORK=$(mktemp -d) TRACER_FINDINGS_DISKS=$(mktemp -d -p /var/tmp)
chmod 711 "$TRACER_FINDINGS_WORK" # the lake, which is not root, passes it
export TRACER_FINDINGS_WORK TRACER_FINDINGS_DISKS TRACER_DATA=$TRACER_FINDINGS_WORK/data PATH=$build:$PATH
mount -t tmpfs -o mode=755 findings "$TRACER_FINDINGS_WORK"
leave() {
	tracer down >/dev/null
	echo end >"$TRACER_FINDINGS_WORK/jobs"
	rm -rf "$TRACER_FINDINGS_DISKS"
	umount --lazy "$TRACER_FINDINGS_WORK" && rmdir "$TRACER_FINDINGS_WORK"
}
trap leave EXIT
mkfifo "$TRACER_FINDINGS_WORK/jobs"
setsid --fork "$root/bench/findings/launcher.sh" "$TRACER_FINDINGS_WORK/jobs"
tracer up --port 0 >/dev/null
main "$@"
