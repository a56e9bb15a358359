# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Packages of another architecture, downloaded with package lists of their own: the system's lists stay as they are. Sourced, never run.
foreign_lists=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/apt

# foreign TOOL ARCHITECTURE ARGUMENTS…: apt-get or apt-cache, with this architecture's packages.
foreign() {
	local tool=$1 architecture=$2
	shift 2
	"$tool" -q -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" \
		-o "Dir::State::Lists=$foreign_lists/$architecture" -o Dir::State::status=/dev/null \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}

# foreign_update ARCHITECTURE: fetches the lists, once an hour at most.
foreign_update() {
	[ -z "$(find "$foreign_lists/$1.stamp" -mmin -60 2>/dev/null)" ] || return 0
	mkdir -p "$foreign_lists/$1/partial"
	foreign apt-get "$1" update
	touch "$foreign_lists/$1.stamp"
}

# foreign_fetch ARCHITECTURE FOLDER PACKAGE…: downloads and unpacks into FOLDER.
foreign_fetch() {
	local architecture=$1 folder=$2 work package
	shift 2
	work=$(mktemp -d)
	(cd "$work" && foreign apt-get "$architecture" download "$@")
	mkdir -p "$folder"
	for package in "$work"/*.deb; do dpkg-deb -x "$package" "$folder"; done
	rm -r "$work"
}
