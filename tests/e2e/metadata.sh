#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which machine of a cloud this is, asked over HTTP: of moto's metadata service as AWS's, and of one written after Google's reference, which
# hangs at first; a notice that a spot machine is taken away is an event of the task that runs; services that do anything else cost a
# line of the doctor.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

clean_up_own() {
	local own
	for own in "${moto:-}" "${service:-}" "${work_pid:-}"; do
		if [ -n "$own" ] && [ -e "/proc/$own" ]; then kill -KILL "$own"; fi
	done
}

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$root/build/moto/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 &
moto=$!
mkdir "$work/service"
echo hangs >"$work/service/mode"
python3 "$root/tests/e2e/metadata/service.py" "$work/service" >"$work/service.log" 2>&1 &
service=$!
soon "the service listens" test -e "$work/service/url"
url=$(cat "$work/service/url")

# doctor OPTION…: the object "cloud" of the doctor's answer (which fails where Tracer cannot run).
doctor() { { tracer doctor --json "$@" || true; } | jq .cloud >"$work/doctor"; }
doctor --cloud off
expect "nothing is asked where the cloud is off" '.provider == "" and .answered == false and .by == "the option cloud is off"' "$work/doctor"
for mode in hangs:'did not answer' redirects:'status 302' lies:'form' huge:'longer' silent:'Metadata-Flavor'; do
	echo "${mode%%:*}" >"$work/service/mode"
	doctor --cloud gcp --metadata-url "$url"
	expect "a service of mode ${mode%%:*} costs a line" "(.detail | contains(\"${mode#*:}\")) and .answered == false and .instance_id == \"\"" \
		"$work/doctor"
done
if grep -q elsewhere "$work/service/asked"; then fault "a redirection was followed"; fi
if tracer doctor --cloud gcp --metadata-url http://192.0.2.1 | grep -q '^ok .*cloud'; then fault "a service far away was asked"; fi

# host_is WHAT FILTER: the one host of the lake becomes so.
host_is() {
	soon "$1" eval "api /hosts | jq -e '.hosts[0] | $2'"
	echo "ok: $1"
}

# A service that hangs holds nothing up: a run is seen meanwhile. Then it answers.
echo hangs >"$work/service/mode"
export TRACER_CLOUD=gcp TRACER_METADATA_URL=$url
tracer up --port 0 --region europe-west4 >/dev/null
mkfifo "$work/go"
# shellcheck disable=SC2016
tracer run --name spotty -- bash -c 'read -r _ <"$1"; gzip </dev/null >/dev/null' spotty "$work/go" &
work_pid=$!
wait_for "the run is seen" run_is spotty running
expect "and the agent says that it was not answered" '.agent.cloud | .answered == false and .provider == "gcp"' <(tracer status --json)
echo google >"$work/service/mode"
host_is "the host has its instance, by Google" '.instance_id == "4520031799277581759" and .account_id == "my-project" and
	.purchase == "spot" and .instance_type == "n2-standard-4" and .zone == "us-central1-a" and .region == "europe-west4" and
	.provider == "gcp" and .tags == {"cluster-name": "gke-1", "cluster-location": "us-central1"}'
expect "no event is sent without a notice" '.events | map(select(.kind | startswith("spot"))) == []' <(api "/runs/spotty/events")
echo google-preempted >"$work/service/mode"
noticed() { api /runs/spotty/events | jq -e 'any(.events[]; .kind == "spot_interruption")'; }
soon "the notice is an event" noticed
api /runs/spotty/events >"$work/events"
expect "of the task, and says what happens" '[.events[] | select(.kind == "spot_interruption")] | length == 1 and
	(.[0] | .task_id != null and .detail == "preempted" and .summary == "the cloud takes this spot instance away: preempted")' "$work/events"
echo >"$work/go"
wait "$work_pid"
work_pid=
wait_for "the run has ended" run_is spotty succeeded
if grep -E 'ssh-keys|startup-script|user-data|token|service-accounts|recursive' "$work/service/asked"; then fault "a secret was asked for"; fi
tracer down >/dev/null

# AWS, by moto.
soon "moto listens" curl -fsS -o "$work/moto.id" "http://127.0.0.1:$port/latest/meta-data/instance-id"
TRACER_CLOUD=auto TRACER_METADATA_URL=http://127.0.0.1:$port tracer up --provider aws --port 0 >/dev/null
host_is "the host has its instance, by moto" ".instance_id == \"$(cat "$work/moto.id")\" and .purchase == \"on_demand\" and
	.instance_type == \"moto.virtual\" and .zone == \"us-east-1a\" and .region == \"us-east-1\" and .account_id == null and .tags == {}"
