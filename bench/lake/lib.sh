# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the benches of the lake: builds the lake and the drivers that send to it. Sourced, never run.

# shellcheck source-path=SCRIPTDIR/../..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
venv=$root/build/bench-venv
export TRACER_BUILD=${TRACER_BUILD:-$root/build/release}

# prepare: what a bench needs. Another build folder must have the programs and drivers already.
prepare() {
	install_packages build bench
	[ "$TRACER_BUILD" = "$root/build/release" ] || return 0
	fetch_libraries
	build release tracer tracer-lake lake_load lake_append lake_sql
}
