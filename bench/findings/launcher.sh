#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# launcher.sh FIFO: begins each job that is written there (a file for sh) apart from all others, as a scheduler does. It is no tool
# and starts none, so that what it begins is not taken for a part of its work. Ends at the line "end".
exec 3<>"$1"
while read -r job <&3 && [ "$job" != end ]; do
	# shellcheck disable=SC2016
	setsid --fork sh -c 'while read -r name 2>/dev/null <"/proc/$PPID/comm" && [ "$name" = setsid ]; do :; done; . "$1"' apart "$job"
done
