#!/usr/bin/env bash
# Static analysis of every C file of src/ by the compile commands of a build: analyze.sh TOOL BUILD
# TOOL: gcc (-fanalyzer) or clang-tidy.
set -euo pipefail
tool=$1 build=$(realpath "$2")
cd "$(dirname "$0")/../.."
mapfile -t files < <(jq -r --arg src "$PWD/src/" '.[].file | select(startswith($src))' "$build/compile_commands.json" | sort -u)
[ "${#files[@]}" -gt 20 ] || { echo "only ${#files[@]} files in $build/compile_commands.json" >&2; exit 1; }
export build
analyze_gcc() {
	local command
	command=$(jq -r --arg f "$1" '[.[] | select(.file == $f)][0].command' "$build/compile_commands.json")
	# Sanitizers are for the tests; the analyzer looks at plain code.
	command=$(sed -E 's/-fsanitize=[^ ]*//g; s/-fno-sanitize[^ ]*//g; s/ -o [^ ]+/ -o \/dev\/null/' <<<"$command")
	(cd "$build" && eval "$command -O1 -fanalyzer")
}
analyze_clang_tidy() { clang-tidy --quiet -p "$build" "$1" 2>/dev/null; }
export -f analyze_gcc analyze_clang_tidy
# shellcheck disable=SC2016
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'analyze_'"${tool//-/_}"' "$0"'
echo "${#files[@]} files analysed by $tool, no finding"
