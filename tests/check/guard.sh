#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What tests/guard.c promises of a test that fails, that leaks, that hangs: guard.sh GUARD
set -eu
guard=$1 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fault() {
	echo "FAULT: $*" >&2
	exit 1
}
# ends CODE COMMAND…: under the guard.
ends() {
	expected=$1 code=0
	shift
	"$guard" "$@" 2>"$work/words" || code=$?
	[ "$code" = "$expected" ] || fault "$* ended with $code, not $expected: $(cat "$work/words")"
}
is_gone() { ! kill -0 "$(cat "$work/pid")" 2>/dev/null; }

ends 0 true
ends 3 sh -c 'exit 3'
ends 137 sh -c 'kill -KILL $$'
ends 127 "$work/no-such-program"

# A daemon of a test that fails: ended, and reported.
daemon="setsid sh -c 'echo \$\$ >$work/pid; sleep 600' & while [ ! -s $work/pid ]; do sleep 0.1; done"
ends 4 sh -c "$daemon; exit 4"
is_gone || fault "a failed test's daemon still runs"
grep -q 'left behind: .*sleep 600' "$work/words" || fault "it is not reported: $(cat "$work/words")"

# One of a test that succeeds is a failure.
rm "$work/pid"
ends 1 sh -c "$daemon; exit 0"
is_gone || fault "a good test's daemon still runs"

# A child that ends a little later is not.
ends 0 sh -c 'setsid sleep 0.5 & exit 0'

# The caller's lock is none of the test's.
exec 9>"$work/lock"
flock -n 9 || fault "no lock"
ends 0 sh -c '[ ! -e /proc/$$/fd/9 ]'

# A signal ends the guard: all of the test ends with it.
rm "$work/pid"
"$guard" sh -c "$daemon; sleep 600" 2>"$work/words" &
while [ ! -s "$work/pid" ]; do sleep 0.1; done
kill -TERM $!
code=0
wait $! || code=$?
[ "$code" = 143 ] || fault "a guard that got SIGTERM ended with $code"
is_gone || fault "a daemon outlives a guard that got SIGTERM"

# The guard is killed: so is the test.
rm "$work/pid"
"$guard" sh -c "echo \$\$ >$work/pid; exec sleep 600" &
while [ ! -s "$work/pid" ]; do sleep 0.1; done
kill -KILL $!
if wait $! 2>/dev/null; then fault "a killed guard succeeded"; fi
for _ in $(seq 600); do is_gone && break; sleep 0.1; done
is_gone || fault "a test outlives its guard by 60 s"
echo "guard: all is well"
