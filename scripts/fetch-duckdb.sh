#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts DuckDB, the embedded store, under third_party/duckdb: include/duckdb.h, lib/libduckdb.so, LICENSE.
#
#     scripts/fetch-duckdb.sh
#
# Both come from npm, in the versions and with the checksums of third_party/duckdb/package-lock.json. No package's
# script is run. Done at once when they are there already; needs no root.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$root/third_party/duckdb
case $(uname -m) in
x86_64) bindings=@duckdb/node-bindings-linux-x64 ;;
aarch64) bindings=@duckdb/node-bindings-linux-arm64 ;;
*) fail "DuckDB offers no library for $(uname -m). Tracer's lake runs on x86_64 and aarch64." ;;
esac

# locked PACKAGE FIELD: what the lockfile says of it.
locked() {
	node -p 'const [file, name, field] = process.argv.slice(1); JSON.parse(fs.readFileSync(file))
		.packages["node_modules/" + name][field]' "$folder/package-lock.json" "$1" "$2"
}

# fetch PACKAGE FILE…: takes files out of a package, once its checksum is the lockfile's.
fetch() {
	local package=$1 version tarball expected found
	shift
	version=$(locked "$package" version)
	expected=$(locked "$package" integrity)
	tarball=$(cd "$work" && npm pack --silent --ignore-scripts "$package@$version" 2>npm.log) ||
		fail "npm cannot fetch $package@$version: $(tail -n 1 "$work/npm.log"). Is the network there? Run $0 again."
	found=sha512-$(node -p 'crypto.createHash("sha512").update(fs.readFileSync(process.argv[1])).digest("base64")' \
		"$work/$tarball")
	[ "$found" = "$expected" ] ||
		fail "$package@$version is not what third_party/duckdb/package-lock.json expects ($found). Nothing was taken."
	tar -C "$work" -xzf "$work/$tarball" --strip-components=1 "${@/#/package/}"
}

command -v npm >/dev/null || fail "npm is missing. Run: apt-get install npm"
wanted=$(for package in "$bindings" duckdb; do echo "$package $(locked "$package" integrity)"; done)
if [ "$wanted" = "$(cat "$folder/fetched" 2>/dev/null)" ] && [ -s "$folder/include/duckdb.h" ] &&
	[ -s "$folder/lib/libduckdb.so" ]; then
	say "DuckDB is there"
	exit 0
fi

work=$(mktemp -d "$folder/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
say "fetching DuckDB (35 MB)"
fetch duckdb src/duckdb/src/include/duckdb.h
fetch "$bindings" libduckdb.so LICENSE
install -D -m 644 "$work/src/duckdb/src/include/duckdb.h" "$folder/include/duckdb.h"
install -D -m 755 "$work/libduckdb.so" "$folder/lib/libduckdb.so"
install -m 644 "$work/LICENSE" "$folder/LICENSE"
echo "$wanted" >"$folder/fetched"
say "DuckDB $(locked "$bindings" version) is in third_party/duckdb"
