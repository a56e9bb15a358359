#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Static analysis by the compile commands of a build: analyze.sh TOOL BUILD [changed]
# TOOL: gcc (-fanalyzer) or clang-tidy. With "changed" only the C files of src/ that differ from where this branch left its
# upstream (TRACER_BASE names another commit; where neither is there, the commit before), and those that include a header
# that differs.
set -euo pipefail
tool=$1 build=$(realpath "$2") which=${3:-all}
cd "$(dirname "$0")/../.."
mapfile -t files < <(jq -r --arg src "$PWD/src/" '.[].file | select(startswith($src))' "$build/compile_commands.json" | sort -u)
[ "${#files[@]}" -gt 20 ] || { echo "only ${#files[@]} files in $build/compile_commands.json" >&2; exit 1; }

# changed_sources: of the paths on standard input, the C files of src/, and the C files that include one of its headers.
changed_sources() {
	local path
	while read -r path; do
		case $path in
		src/*.c) if [ -e "$path" ]; then echo "$PWD/$path"; fi ;;
		src/*.h) grep -rlF --include='*.c' "#include \"${path#src/}\"" src | sed "s|^|$PWD/|" || [ $? = 1 ] ;;
		esac
	done
}
if [ "$which" = changed ]; then
	base=${TRACER_BASE:-$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)}
	if [ -z "$base" ] || [ "$(git rev-parse "$base")" = "$(git rev-parse HEAD)" ]; then base=HEAD~1; fi
	all=("${files[@]}")
	mapfile -t files < <(comm -12 <(git diff --name-only "$base" | changed_sources | sort -u) <(printf '%s\n' "${all[@]}"))
	[ "${#files[@]}" -gt 0 ] || { echo "no C file of src/ differs from $base"; exit 0; }
fi

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
