#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether `tracer recommend` keeps what it says. The demo and a Nextflow pipeline really run on one core (by taskset, and by a control group's
# quota) and on two, each predicted from the other on a machine that the question describes; random work is packed onto random machines,
# and never takes more memory than there is; and for recorded nf-core runs (tests/data/nfcore) its choice is held against what they had,
# the largest needed, and Compute Optimizer's rule. Prints a table; exit 1 when a bar is missed. Takes about 20 minutes on a quiet machine.
#
#     sudo bench/recommend.sh [--quick] [--turns N] [--patience SECONDS] [--repeats N] [--seed N] [--part measured|packing|recorded] [--write]
#
# Only the part `measured` runs pipelines, needs root and a machine of two CPUs or more that does nothing else: a run that others disturbed is
# made again. TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
# shellcheck source=bench/whatif/lab.sh
source "$root/bench/whatif/lab.sh"

build=${TRACER_BUILD:-$root/build/release}
main() { PYTHONDONTWRITEBYTECODE=1 python3 "$root/bench/recommend/main.py" --drivers "$build/bench" "$@"; }
case " $* " in *" --help "* | *" -h "*)
	main "$@"
	exit
	;;
esac
case " $* " in *" --part packing "* | *" --part recorded "* | *" --part=packing "* | *" --part=recorded "*) ;; *) lab_begin recommend "$build" "$root" ;; esac
cmake --build "$build" --target fleet_driver pack_driver >/dev/null || fail "$build is not there: scripts/test.sh makes it"
main "$@"
