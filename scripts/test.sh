#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs missing packages, builds, and runs the tests. Ends with the ten slowest tests and one line of totals.
#
#     sudo scripts/test.sh [--all] [--repeat N] [CTEST OPTIONS…]       e.g. sudo scripts/test.sh -L unit
#
# --all       also runs tests that take long: the other kernels, arm64, ThreadSanitizer, end-to-end tests under ASan and UBSan,
#             full-size runs, gcc -fanalyzer, and clang-tidy over every file
# --repeat N  runs each test N times, until it fails
#
# Where this host or user cannot load eBPF programs, the tests that need none run, and one line names the others
# and says why (exit status 0; with CI=true in the environment 1). Can be repeated: installed packages and builds are kept.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

all=
repeat=1
options=()
while [ $# -gt 0 ]; do
	case $1 in
	--all) all=1 ;;
	--repeat) repeat=${2:?--repeat needs a number}; shift ;;
	-h | --help) sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
	*) options+=("$1") ;;
	esac
	shift
done

started=$SECONDS
install_packages build demo test
fetch_libraries
# What tests use that Debian does not have: fetched beside the builds, since it waits for the network; packages of Python, which take
# a CPU, beside the rest.
fetch_archives() {
	if [ -n "$all" ]; then
		step "fetch test kernels" "$root/tests/vm/fetch-kernels.sh"
	else
		step "fetch the test kernel" "$root/tests/vm/fetch-kernels.sh" 6.1-amd64
	fi
	step "fetch Nextflow" "$root/tests/e2e/nextflow/fetch.sh"
}
fetch_python() {
	step "fetch Snakemake 9" "$root/tests/e2e/snakemake/fetch.sh"
	step "fetch Luigi" "$root/tests/e2e/luigi/fetch.sh"
	step "fetch moto" "$root/tests/e2e/metadata/fetch.sh"
	step "fetch FOCUS validator" "$root/tests/recorded/focus_validator/fetch.sh"
	step "fetch reuse" "$root/tests/check/reuse/fetch.sh"
}
fetch_archives &
fetching=($!)
fetch_python &
fetching+=($!)
trap 'kill "${fetching[@]}" 2>/dev/null' EXIT # a build that fails ends them, too
build release
build debug
trap - EXIT
for one in "${fetching[@]}"; do
	wait "$one" || fail "something that tests use was not fetched: the error is further up"
done
if [ -n "$all" ]; then
	step "fetch arm64 libraries" "$root/scripts/fetch-sysroot.sh"
	build release-arm64 tracer
	build tsan threads
	export TRACER_LONG=1
fi

# The labels of tests that do not run: those of --all, and those that need eBPF where it cannot be used.
skipped=()
[ -n "$all" ] || skipped+=(all)
no_ebpf=$(ebpf_missing) || skipped+=(ebpf)
exclude=$(IFS='|'; echo "${skipped[*]}")
# More tests at a time than two a CPU: many wait more than they compute.
tests=(ctest --test-dir "$root/build/debug" -j $((2 * $(nproc) + 1)) --resource-spec-file "$root/tests/resources.json" --no-tests=error)
[ -z "$exclude" ] || tests+=(-LE "^($exclude)\$")

# not_run: names the tests that need eBPF, one word for each kind.
not_run() {
	ctest --test-dir "$root/build/debug" -N -L '^ebpf$' -LE "^(${all:+no_}all)\$" "${options[@]}" | sed -nE 's/^ *Test +#[0-9]+: //p' |
		sed -E 's/^(bpf|e2e|unit_[a-z]+)_.*/\1_*/' | sort | uniq -c | awk '{ printf "%s%s (%s)", separator, $2, $1; separator = ", " }'
}
# totals LOG: the ten slowest tests of ctest's output, and how many passed, failed and were skipped. A test that runs ctest itself
# and fails has rows of its own below it, of another number of tests than the first row's. One that fails when it is repeated has a
# row without a number.
totals() {
	local row='Test +#[0-9]+: ([^ ]+) \.*( *|\*\*\*)(Passed|Failed|Skipped|Timeout|Not Run|Exception[^0-9]*|Not Run[^0-9]*) +([0-9.]+) sec.*'
	sed -nE "s/^ *[0-9]+\/([0-9]+) $row/\5 \2 \4 of \1/p; t; s/^ +$row/\4 \1 \3 repeated/p" "$1" |
		awk '$NF == "repeated" ? $3 != "Passed" : (all = all ? all : $NF) == $NF' >"$1.rows"
	echo "The ten slowest tests:"
	sort -rn "$1.rows" | awk 'NR <= 10 { printf "  %7.1f s  %s\n", $1, $2 }' # all is read: `head` may end sort by SIGPIPE
	awk -v wall=$((SECONDS - started)) '{ count[$3]++ } END { printf "%d tests: %d passed, %d failed, %d skipped, in %d s (with builds)\n",
		NR, count["Passed"], NR - count["Passed"] - count["Skipped"], count["Skipped"], wall }' "$1.rows"
}

# failures LOG: the last lines of each failed test, where a reader of the end of a long log finds them. A test that is repeated has
# rows without a number (totals).
failures() {
	awk 'function show() { for (i = count > 20 ? count - 20 : 0; i < count; i++) print lines[i]; count = failed = 0 }
		/^ *([0-9]+\/[0-9]+|) Test +#[0-9]+: / { show(); if (/\*\*\*/) { failed = 1; sub(/.*#[0-9]+: /, ""); print "\nThe end of what " $1 " printed:" } next }
		/^ +Start +[0-9]+: / || / tests passed, / { show() }
		failed && NF { lines[count++] = "  " $0 }
		END { show() }' "$1"
}

say "tests (build/debug; what a failing test prints is shown)"
log=$logs/tests.log
status=0
"${tests[@]}" --output-on-failure --repeat until-fail:"$repeat" "${options[@]}" 2>&1 | tee "$log" || status=$?
echo
if [ -n "$no_ebpf" ]; then
	echo "Not run: $(not_run): this host or user cannot load eBPF programs ($no_ebpf)."
	[ "${CI:-}" != true ] || status=1
fi
failures "$log"
totals "$log"
exit "$status"
