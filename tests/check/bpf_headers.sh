#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each header of the kernel programs compiles by itself: it includes what it uses, so the order in which process.bpf.c
# includes them means nothing. Headers of src/probe/abi must compile for BPF and for user space.
#   bpf_headers.sh ROOT CC COMPILE...     COMPILE: clang for the BPF target with its flags (src/probe/CMakeLists.txt)
set -u
root=$1 cc=$2
shift 2
cd "$root/src" || exit 1
# try HEADER COMPILE...: compiles a file that only includes the header.
try() {
	local header=$1
	shift
	"$@" -fsyntax-only -x c - <<<"#include \"$header\"" || echo "$header does not compile by itself: $1" >&2
}
export -f try
mapfile -t headers < <(find probe/abi probe/bpf -name '*.h' | sort)
mapfile -t abi < <(find probe/abi -name '*.h' | sort)
if [ ${#headers[@]} -lt 60 ] || [ ${#abi[@]} -lt 10 ]; then
	echo "only ${#headers[@]} headers found: is this a checkout?"
	exit 1
fi
faults=$({
	printf '%s\0' "${headers[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'try "$@"' try {} "$@" -Wno-unused-function
	printf '%s\0' "${abi[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'try "$@"' try {} "$cc" -I. -Wall -Wextra -Werror
} 2>&1)
[ -z "$faults" ] || { echo "$faults"; exit 1; }
echo "${#headers[@]} headers compile by themselves"
