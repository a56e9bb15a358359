#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The costs of every recorded run as a FOCUS file: the FOCUS project's own validator accepts it, its amounts add up to what the lake
# says, as a whole and by run, those of days to those of hours, and those of the bill that it is once it is imported.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

validator=$root/build/focus_validator
cat >"$work/cost.yaml" <<'EOF'
machines:
  - hosts: "*"
    usd_year: 4200
    power_w: 400
    usd_kwh: 0.15
EOF
chmod 644 "$work/cost.yaml"
export TRACER_COST_FILE=$work/cost.yaml
settled_lake

# valid FILE: whether the validator accepts it. (It finds its list of currencies only in its own folder, and its exit status is 0.)
valid() {
	(cd "$validator"/lib/python3*/site-packages && "$validator/bin/focus-validator" --validate-version 1.0 \
		--override-file "$root/tests/recorded/focus_validator/known_faults.yaml" --data-file "$1") >"$work/validation" 2>&1 ||
		fault "the validator itself fails: $(cat "$work/validation")"
	grep -qx 'Validation succeeded\.' "$work/validation"
}
# sums FILE COLUMN [TAG]: the exact sum of a column, or a line "VALUE SUM" for each value of a tag.
sums() {
	python3 - "$@" <<'EOF'
import collections, csv, decimal, json, sys
sums = collections.Counter()
for row in csv.DictReader(open(sys.argv[1], newline="")):
    key = json.loads(row["Tags"]).get(sys.argv[3], "") if len(sys.argv) > 3 else "all"
    sums[key] += decimal.Decimal(row[sys.argv[2]])
for key, value in sorted(sums.items()):
    print(key, value)
EOF
}

# From the day before the earliest run.
days=$(tracer runs --json | jq '[.runs[].started_at[:10] + "T00:00:00Z" | fromdate] | (now - min) / 86400 | ceil + 1')
since=$(jq -n --argjson days "$days" 'now - $days * 86400 | todate' -r)
api "/cost/focus?since=$since" >"$work/days.csv"
api "/cost/focus?since=$since&over=hour" >"$work/hours.csv"
[ "$(wc -l <"$work/days.csv")" -gt 100 ] || fault "there are hardly any rows: $(cat "$work/days.csv")"
valid "$work/days.csv" || fault "the validator refuses the file by day: $(cat "$work/validation")"
valid "$work/hours.csv" || fault "the validator refuses the file by hour: $(cat "$work/validation")"
echo "ok: the FOCUS project's validator accepts $(($(wc -l <"$work/days.csv") - 1)) rows by day and $(($(wc -l <"$work/hours.csv") - 1)) by hour"

sed '1s/,BilledCost,/,BilledAmount,/' "$work/days.csv" >"$work/broken.csv"
if valid "$work/broken.csv"; then fault "the validator accepts a file without BilledCost"; fi
echo "ok: it refuses one without BilledCost"

for column in BilledCost EffectiveCost ListCost ContractedCost; do
	[ "$(sums "$work/days.csv" $column)" = "$(sums "$work/hours.csv" $column)" ] || fault "$column: days and hours differ"
done
[ "$(sums "$work/days.csv" BilledCost tracer:run_id)" = "$(sums "$work/hours.csv" BilledCost tracer:run_id)" ] || fault "days and hours differ by run"
echo "ok: days and hours add up to the same, $(sums "$work/days.csv" BilledCost | cut -d' ' -f2) USD"

api "/cost?by=run&days=$days" >"$work/cost"
whole=$(sums "$work/days.csv" BilledCost | cut -d' ' -f2)
expect "the file adds up to the cost of all hosts" "(.whole_usd - $whole | fabs) < 1e-12" "$work/cost"
sums "$work/days.csv" BilledCost tracer:run_id >"$work/by_run"
python3 - "$work/by_run" "$work/cost" <<'EOF' || fault "by run the file and the costs differ: $(cat "$work/by_run" "$work/cost")"
import json, sys
cost = json.load(open(sys.argv[2]))
shown = {row["id"]: row["cost_usd"] for row in cost["rows"]} | {"": cost["unallocated_usd"]}
filed = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in open(sys.argv[1])}
sys.exit(shown.keys() != filed.keys() or any(abs(shown[key] - filed[key]) > 1e-12 for key in shown))
EOF
echo "ok: so it does for each of $(jq '.rows | length' "$work/cost") runs, and for what hosts cost while nothing was held"

tracer cost --focus "$work/command.csv" --days "$days"
cmp -s "$work/days.csv" "$work/command.csv" || [ "$(sums "$work/days.csv" BilledCost)" = "$(sums "$work/command.csv" BilledCost)" ] ||
	fault "tracer cost --focus writes something else"
tracer cost --focus - --days 1 | head -n 1 | cmp -s - <(head -n 1 "$work/days.csv") || fault "tracer cost --focus - has no header"
echo "ok: tracer cost --focus writes the same"

curl -fsS -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/admin")" -H 'Content-Type: application/octet-stream' --data-binary @"$work/days.csv" \
	"$(cat "$TRACER_DATA/lake.url")/api/v1/bills?name=days.csv" >"$work/imported"
expect "the lake takes its own file as a bill of FOCUS 1.2" ".format == \"FOCUS 1.2\" and .lines == $(($(wc -l <"$work/days.csv") - 1))" "$work/imported"
# Recordings of two months are two billing periods.
api /bills | jq -r '.bills[].billed' >"$work/billed"
python3 - "$whole" "$work/billed" <<'EOF' || fault "the bill adds up to something else than $whole USD: $(cat "$work/billed")"
import decimal, sys
sys.exit(decimal.Decimal(sys.argv[1]) != sum(map(decimal.Decimal, open(sys.argv[2]).read().split())))
EOF
echo "ok: the bill that was imported adds up to the same"
