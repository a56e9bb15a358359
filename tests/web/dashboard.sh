#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Drives the dashboard of a running lake: tests/web/dashboard.sh LOGIN_LINK SHOTS_FOLDER [WORK_FOLDER]
# SHOTS_FOLDER is that of the pictures; "" for none, which takes half of the time.
# The lake must hold a run that ended, with two tasks or more, and a run that is running (TRACER_RUN names the former).
# TRACER_TESTS names another file of tests than dashboard.test.mjs.
# Installs what package-lock.json names into WORK_FOLDER, so that a checkout stays as it is.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
	echo "usage: $0 LOGIN_LINK SHOTS_FOLDER [WORK_FOLDER]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
shots=
if [ -n "$2" ]; then
	mkdir -p "$2"
	shots=$(cd "$2" && pwd)
fi
work=${3:-${TMPDIR:-/tmp}/tracer-web-test-$(id -u)}
mkdir -p "$work"
if ! cmp -s "$here/package-lock.json" "$work/package-lock.json" || [ ! -e "$work/node_modules/.package-lock.json" ]; then
	cp "$here/package.json" "$here/package-lock.json" "$work"
	(cd "$work" && npm ci --no-audit --no-fund --loglevel=error)
fi
cp "$here"/*.mjs "$work"
cd "$work"
TRACER_LOGIN_URL=$1 TRACER_SHOTS=$shots exec node --test --test-reporter=spec "${TRACER_TESTS:-dashboard.test.mjs}"
