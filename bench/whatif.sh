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
# shellcheck source=bench/whatif/lab.sh
source "$root/bench/whatif/lab.sh"

main() { PYTHONDONTWRITEBYTECODE=1 python3 "$root/bench/whatif/main.py" "$@"; }
case " $* " in *" --help "* | *" -h "*)
	main "$@"
	exit
	;;
esac
build=${TRACER_BUILD:-$root/build/release}
lab_begin whatif "$build" "$root"
main "$@"
