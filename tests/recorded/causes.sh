#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recorded runs with a label (tests/data/runs/causes/labels.tsv), replayed into one lake: what is found first is one of the
# kinds that are right for its cause, and nothing is found of a run without a cause.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

causes=$root/tests/data/runs/causes
tracer up --replay --port 0 >/dev/null

# An analysis takes 0.4 s of a CPU: each cause is looked at once, and every fourth run without one; in the long form all are.
labels() { grep -v '^#' "$causes/labels.tsv" | if long; then cat; else awk -F'\t' '$2 == "none" ? clean++ % 4 == 0 : !seen[$2]++'; fi; }
while IFS=$'\t' read -r file _; do
	tracer replay --json "$causes/$file.rec" | jq -r --arg file "$file" '[$file, .run] | @tsv'
done < <(labels) >"$work/runs"

count=0
while IFS=$'\t' read -r file run; do
	IFS=$'\t' read -r _ cause kinds engine _ < <(labels | grep "^$file"$'\t')
	api "/runs/$run/findings" >"$work/findings"
	found=$(jq -r 'if .findings == [] then "none" else .findings[0].kind end' "$work/findings")
	if [[ ,$kinds, == *,$found,* ]]; then
		echo "ok: $file ($cause, $engine): $found"
	else
		echo "MISS: $file ($cause, $engine): $kinds is right, found $found: $(jq -r '.findings[0].summary // "nothing"' "$work/findings")" |
			tee -a "$work/missed"
	fi
	count=$((count + 1))
done <"$work/runs"
labelled=$(grep -vc '^#' "$causes/labels.tsv")
[ "$labelled" = "$(find "$causes" -name '*.rec' | wc -l)" ] || fault "$labelled labels, but $(find "$causes" -name '*.rec' | wc -l) recordings"
[ "$count" -gt 0 ] || fault "there are no recordings in $causes"
[ ! -e "$work/missed" ] || fault "$(wc -l <"$work/missed") of $count recorded runs get another finding than their label says"
