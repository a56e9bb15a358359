#!/usr/bin/env bash
# Fetches Debian's newest 6.1 and 6.12 cloud kernels into build/kernels/SERIES/vmlinuz. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
for series in 6.1 6.12; do
	folder=build/kernels/$series
	[ ! -e "$folder/vmlinuz" ] || continue
	package=$(apt-cache search --names-only "^linux-image-${series//./\\.}\\.[0-9]+.*-cloud-amd64\$|^linux-image-${series//./\\.}\\.0-[0-9]+-cloud-amd64\$" |
		awk '{print $1}' | sort -V | tail -n 1)
	[ -n "$package" ] || {
		echo "no package linux-image-$series…-cloud-amd64: is bookworm-security among the apt sources? (apt-get update)" >&2
		exit 1
	}
	rm -rf "$folder" && mkdir -p "$folder"
	(cd "$folder" && apt-get download -q "$package")
	dpkg-deb --fsys-tarfile "$folder"/*.deb | tar -x -O --wildcards './boot/vmlinuz-*' >"$folder/vmlinuz.part"
	rm "$folder"/*.deb
	mv "$folder/vmlinuz.part" "$folder/vmlinuz"
	echo "$package"
done
