#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Debian's newest cloud kernels of some series into build/kernels/SERIES-ARCHITECTURE: vmlinuz, and modules/ with
# what a virtio disk needs, named in the order in which they are to be loaded; in modules/nfs/ what an NFS server and its
# client need. Nothing is installed.
#     fetch-kernels.sh [SERIES-ARCHITECTURE…]    e.g. 6.1-amd64, which every run of the tests needs; without arguments: those of --all
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=scripts/foreign.sh
source scripts/foreign.sh

# module TREE FOLDER NAME: copies it behind what it rests on; what a kernel has built in is no file.
module() {
	local tree=$1 folder=$2 file other
	file=$(find "$tree" -name "${3//_/[_-]}.ko")
	[ -n "$file" ] && [ -z "$(find "$folder" -name "*-$3.ko")" ] || return 0
	for other in $(modinfo -F depends "$file" | tr , ' '); do module "$tree" "$folder" "$other"; done
	cp "$file" "$folder/$(printf '%02d' "$(find "$folder" -name '*.ko' | wc -l)")-$3.ko"
}

# fetch SERIES ARCHITECTURE
fetch() {
	local series=$1 architecture=$2 folder=build/kernels/$1-$2 package part name
	[ ! -e "$folder/modules/nfs" ] || return 0
	foreign_update "$architecture"
	package=$(foreign apt-cache "$architecture" search --names-only "^linux-image-${series//./\\.}\\.[.0-9]+[-+].*-cloud-$architecture\$" |
		awk '{print $1}' | sort -V | tail -n 1)
	[ -n "$package" ] || {
		echo "no package linux-image-$series…-cloud-$architecture: is bookworm-security among the apt sources?" >&2
		exit 1
	}
	part=$folder.part
	rm -rf "$part"
	foreign_fetch "$architecture" "$part/package" "$package"
	cp "$part"/package/boot/vmlinuz-* "$part/vmlinuz"
	find "$part/package" -name '*.ko.xz' -exec xz -d {} +
	mkdir -p "$part/modules/nfs"
	for name in virtio_pci virtio_mmio virtio_blk; do module "$part/package/lib/modules" "$part/modules" "$name"; done
	for name in nfs nfsv4 nfsd; do module "$part/package/lib/modules" "$part/modules/nfs" "$name"; done
	rm -rf "$part/package" "$folder"
	mv "$part" "$folder"
	echo "$package"
}

[ $# -gt 0 ] || set -- 6.1-amd64 6.12-amd64 6.1-arm64
mkdir -p build/kernels
for kernel in "$@"; do fetch "${kernel%-*}" "${kernel##*-}"; done
