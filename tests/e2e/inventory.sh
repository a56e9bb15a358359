#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What providers list, over HTTP: EC2 and STS of moto, with a role that is assumed and several pages; faults of AWS, and Compute Engine as of
# Google's reference, by tests/e2e/inventory/service.py, which checks every signature. A lake lists both in a process apart, and finds the
# machines without an agent and the volumes attached to nothing.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

clean_up_own() {
	local own
	for own in "${moto:-}" "${service:-}"; do
		if [ -n "$own" ] && [ -e "/proc/$own" ]; then kill -KILL "$own"; fi
	done
	if [ "$1" != 0 ]; then tail -n 20 "$work"/*.log >&2; fi
}

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
moto_url=http://127.0.0.1:$port
"$root/build/moto/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 &
moto=$!
mkdir "$work/service"
"$root/build/moto/bin/python" -B "$root/tests/e2e/inventory/service.py" "$work/service" >"$work/service.log" 2>&1 &
service=$!
soon "the service listens" test -e "$work/service/url"
url=$(cat "$work/service/url")
secrets='wJalrXUtnFEMI|renewed/Secret|session/Token|ya29\.|PRIVATE KEY'

cat >"$work/faults.yaml" <<END
accounts:
  - {name: amazon, provider: aws, credentials-file: $work/service/aws, profile: tracer, endpoint: "$url", timeout: 1s}
  - {name: google, provider: gcp, credentials-file: $work/service/key.json, endpoint: "$url", timeout: 1s}
END

# list MODE ACCOUNT [FILE]: what is listed, in $work/lines; its words in $work/words, its exit status in $status.
list() {
	echo "$1" >"$work/service/mode"
	status=0
	tracer-lake inventory --file "${3:-$work/faults.yaml}" --account "$2" >"$work/out" 2>"$work/words" || status=$?
	jq -s . "$work/out" >"$work/lines"
	if grep -E "$secrets" "$work/out" "$work/words"; then fault "a secret is in what $1 of $2 gives"; fi
}
# listed WHAT FILTER; refused WHAT WORDS FILTER
listed() { [ "$status" = 0 ] || fault "$1: $(cat "$work/words")" && expect "$1" "$2" "$work/lines"; }
refused() {
	[ "$status" = 1 ] || fault "$1: status $status"
	grep -q "$2" "$work/words" || fault "$1: other words: $(cat "$work/words")"
	expect "$1" "$3" "$work/lines"
}
aws_machines='map(select(.kind == "machine").id)'
all_aws='["i-us-east-1-1", "i-us-east-1-2", "i-eu-south-1-1", "i-eu-south-1-2"]'
parts='map(select(.kind == "region") | [.region, .what, .complete])'

# AWS.
list well amazon
listed "all pages of all regions are listed, with groups" "$aws_machines == $all_aws and
	(.[0] | .group == \"AWS Batch, compute environment genomes\" and .owner == \"ann\" and .purchase == \"spot\" and .zone == \"us-east-1a\" and
	.launched_at == \"2026-01-01T00:00:00.000000Z\") and (.[-1] | .kind == \"listing\" and .complete and .account_id == \"123456789012\")"
list throttles amazon
listed "what is throttled is asked again" "$aws_machines == $all_aws"
list expires amazon
listed "credentials that expire meanwhile are read again" "$aws_machines == $all_aws"
cp "$work/service/aws" "$work/renewed"
sed -i 's|renewed/Secret+1|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|' "$work/service/aws"
list expired amazon
refused "credentials that stay expired are said" "renew credentials-file" 'length == 1 and .[0].complete == false'
cp "$work/renewed" "$work/service/aws"
list wrong amazon
refused "a wrong secret is said, without what AWS quotes" "secret of the key is wrong" 'length == 1'
sed -i 's|renewed/Secret+1|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|' "$work/service/aws"
list refuses amazon
refused "a region that is refused is said, and the others are listed" "in eu-south-1: AuthFailure: the region refuses" \
	"$aws_machines == [\"i-us-east-1-1\", \"i-us-east-1-2\"] and $parts == [[\"us-east-1\", \"machines\", true], [\"us-east-1\", \"volumes\", true],
	[\"eu-south-1\", \"machines\", false], [\"eu-south-1\", \"volumes\", false]]"
list denies amazon
refused "a right that is missing is said" "UnauthorizedOperation: the policy" "$aws_machines == $all_aws and
	($parts | map(select(.[1] == \"volumes\")[2])) == [false, false]"
list bomb amazon
refused "entities are refused" "it has a document type" "$aws_machines == [] and ($parts | map(select(.[1] == \"volumes\")[2])) == [true, true]"
for mode in truncated:'transfer closed' huge:'more than 16 MiB' silent:'timed out' lies:'another form'; do
	list "${mode%%:*}" amazon
	refused "an answer of mode ${mode%%:*} makes a part incomplete" "${mode#*:}" "$aws_machines == $all_aws and
		($parts | map(select(.[1] == \"volumes\")[2])) == [false, false]"
done
sed 's|credentials-file.*profile: tracer|metadata-endpoint: "'"$url"'"|; /google/d' "$work/faults.yaml" >"$work/role.yaml"
list well amazon "$work/role.yaml"
listed "without a file the role of the machine is used" "$aws_machines == $all_aws"

# Google.
google_machines='map(select(.kind == "machine").name)'
all_google='["workers-x1y2", "stopped", "gke-n"]'
list well google
listed "Compute Engine is listed, with its pages and groups" "$google_machines == $all_google and
	(.[0] | .id == \"4520031799277581759\" and .type == \"n2-standard-4\" and .purchase == \"spot\" and .group == \"instance group pool\" and
	.region == \"us-central1\" and .launched_at == \"2026-01-02T08:00:00.000000Z\" and .tags[\"tracer:idle\"] == \"by-design\") and
	(map(select(.kind == \"volume\") | [.name, .attached_to, .detached_at])) == [[\"used\", \"workers-x1y2\", \"\"],
	[\"left\", \"\", \"2026-02-01T00:00:00.000000Z\"], [\"never\", \"\", \"2026-01-01T08:00:00.000000Z\"]]"
for mode in throttles expires; do
	list "$mode" google
	listed "a service of mode $mode is asked again" "$google_machines == $all_google"
done
list expired google
refused "a token that is refused is said" "status 401" 'length == 1'
list unreachable google
refused "a zone that Google does not reach makes its region incomplete" "did not reach" "$google_machines == $all_google and
	($parts | map(select(.[1] == \"machines\"))) == [[\"us-central1\", \"machines\", true], [\"europe-west4\", \"machines\", false]]"
for mode in truncated:'transfer closed' huge:'more than 16 MiB' lies:'no JSON'; do
	list "${mode%%:*}" google
	refused "an answer of mode ${mode%%:*} is said" "${mode#*:}" "$google_machines == $all_google and (.[-1].complete | not)"
done
sed 's|credentials-file: [^,]*key.json|projects: [other, my-project], metadata-endpoint: "'"$url"'"|; /amazon/d' "$work/faults.yaml" >"$work/role.yaml"
list refuses google "$work/role.yaml"
refused "one project of two that is refused is said" "project other: status 403" "$google_machines == $all_google"
if grep -E 'metadata/items|startup' "$work/service/asked"; then fault "a secret was asked for"; fi

# Settings.
printf 'accounts:\n  - {name: a, provider: aws, credentials-file: %s, profile: tracer, endpoint: "http://192.0.2.1"}\n' "$work/service/aws" >"$work/far.yaml"
list well a "$work/far.yaml"
refused "http to another host is refused" "only https" 'length == 1'
printf 'accounts:\n  - {name: a, provider: aws, region: [x]}\n' >"$work/typo.yaml"
if tracer-lake inventory --file "$work/typo.yaml" 2>"$work/words" || [ $? != 2 ]; then fault "a wrong key has no status 2"; fi
grep -q "typo.yaml:2:.*regions" "$work/words" || fault "a wrong key: $(cat "$work/words")"

# A lake lists moto's machines, of the account of a role, and Google's.
soon "moto listens" curl -fsS -o "$work/moto.id" "$moto_url/latest/meta-data/instance-id"
read -r account machine volume < <("$root/build/moto/bin/python" -B "$root/tests/e2e/inventory/make.py" "$moto_url")
printf '[default]\naws_access_key_id = AKIDOWN\naws_secret_access_key = session/Token-of-moto\n' >"$work/moto.aws"
cat >"$work/inventory.yaml" <<END
accounts:
  - name: moto
    provider: aws
    credentials-file: $work/moto.aws
    role: arn:aws:iam::$account:role/tracer-inventory
    regions: [us-east-1]
    page-size: 5
    interval: 5s
    endpoint: $moto_url
  - {name: google, provider: gcp, credentials-file: $work/service/key.json, endpoint: "$url", interval: 5s}
END
printf 'thresholds: {agent_patience_s: 0, volume_patience_s: 0}\n' >"$work/waste.yaml"
echo well >"$work/service/mode"
install -d -o 61998 -g 61998 -m 700 "$TRACER_DATA"
tracer-lake --listen 127.0.0.1:0 --data-folder "$TRACER_DATA" --tokens-folder "$TRACER_DATA/tokens" --url-file "$TRACER_DATA/lake.url" \
	--inventory-file "$work/inventory.yaml" --waste-file "$work/waste.yaml" --log-level debug 2>"$work/lake.log" &
lake=$!
soon "the lake listens" test -s "$TRACER_DATA/lake.url"
both() {
	api "/waste?days=1" >"$work/waste" &&
		jq -e '[.waste[] | select(.kind == "machine_without_agent").evidence.account] | unique == ["google", "moto"]' "$work/waste" >/dev/null
}
wait_for "both accounts are listed" both
expect "machines without an agent are found, with price and owner, but those by design, stopped or ended" \
	"[.waste[] | select(.kind == \"machine_without_agent\" and .evidence.account == \"moto\")] | length == 4 and
	any(.[]; .id == \"$machine\" and .usd_hour == 0.096 and .who == \"ann\" and .counted == false and
	.evidence.account_id == \"$account\" and .command == \"aws ec2 stop-instances --region us-east-1 --instance-ids $machine\")" "$work/waste"
expect "and of Google" '[.waste[] | select(.kind == "machine_without_agent" and .evidence.account == "google").name] == ["gke-n (3)"]' "$work/waste"
expect "volumes attached to nothing are found, with their price" "any(.waste[]; .kind == \"volume_unused\" and .id == \"$volume\" and
	(.usd_hour * 730 * 100 | round) == 800) and ([.waste[] | select(.kind == \"volume_unused\" and .evidence.account == \"google\").name] | sort) ==
	[\"left (12)\", \"never (13)\"]" "$work/waste"

# What takes the place of a file of credentials is read, confined or not.
cp -p "$work/service/key.json" "$work/service/key.new"
mv "$work/service/key.new" "$work/service/key.json"
listed_before=$(grep -c 'account google: ' "$work/lake.log")
listed_again() { [ "$(grep -c 'account google: ' "$work/lake.log")" -gt $((listed_before + 1)) ]; }
wait_for "the account is listed again" listed_again
if grep 'is not listed completely' "$work/lake.log"; then fault "a file of credentials that was replaced is not read"; fi

lister=$(pgrep -P "$lake")
for fact in 'Seccomp:\s*2' 'NoNewPrivs:\s*1' 'CapEff:\s*0*$' "Uid:\s*61998\s"; do
	grep -qP "^$fact" "/proc/$lister/status" || fault "the lister is not confined: $fact"
done
if find "/proc/$lister/fd" -printf '%l\n' | grep -vE '^(/dev/null|pipe:.*|.*/lake\.log|)$'; then fault "the lister has files of the lake"; fi
if grep -rqE "$secrets" "$TRACER_DATA" "$work/lake.log" "/proc/$lister/cmdline"; then fault "a secret was kept"; fi

# A machine that is gone is gone after a complete listing alone.
echo lies >"$work/service/mode"
soon "a listing fails" grep -q 'account google is not listed completely' "$work/lake.log"
both
expect "what is not listed stays" 'any(.waste[]; .name == "left (12)" and .ended_at == null)' "$work/waste"
kill -KILL "$lister"
soon "the lake says that the lister has ended" grep -q 'process that lists accounts has ended' "$work/lake.log"
curl -fsS -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/admin")" "$(cat "$TRACER_DATA/lake.url")/metrics" >"$work/metrics"
grep -q '^tracer_lake_ended_listers_total 1$' "$work/metrics" || fault "no metric says so"
api /waste >/dev/null
echo "ok: and serves on"
