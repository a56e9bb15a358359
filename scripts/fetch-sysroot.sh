#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches the static libraries that the arm64 build links, and a busybox for its test machine, into build/sysroot/arm64.
# Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/foreign.sh
source scripts/foreign.sh

sysroot=build/sysroot/arm64
packages=(busybox-static libbpf-dev libelf-dev libevent-dev libjansson-dev libnghttp2-dev libprotobuf-c-dev libssl-dev
	libyaml-dev libzstd-dev zlib1g-dev)
[ "${packages[*]}" != "$(cat $sysroot/packages 2>/dev/null)" ] || exit 0
foreign_update arm64
rm -rf $sysroot.part
foreign_fetch arm64 $sysroot.part "${packages[@]}"
echo "${packages[*]}" >$sysroot.part/packages
rm -rf $sysroot
mv $sysroot.part $sysroot
