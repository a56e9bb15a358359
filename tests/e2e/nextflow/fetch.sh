#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Nextflow, the real one that tests drive, from Maven Central: the jars of jars.txt into build/nextflow, those of
# jars_weblog.txt into build/nextflow_weblog, each once its checksum is the one written there. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."

# fetch LIST FOLDER
fetch() {
	local sum path jar
	mkdir -p "$2"
	while read -r sum path; do
		jar=$2/${path##*/}
		[ ! -e "$jar" ] || continue
		curl --fail --silent --show-error --location --retry 3 --output "$jar.part" "https://repo1.maven.org/maven2/$path"
		echo "$sum  $jar.part" | sha256sum --check --quiet
		mv "$jar.part" "$jar"
	done < <(grep -v '^#' "$1")
}
fetch tests/e2e/nextflow/jars.txt build/nextflow
fetch tests/e2e/nextflow/jars_weblog.txt build/nextflow_weblog
