#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two hosts, each in a network of its own: a lake with TLS on one, `tracer up --lake` on the other. First what is wrong (a port without
# a lake, another authority, another name, another token), which leaves nothing; then a run; then a certificate that is replaced, and one
# that expired.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tag=j$$
clean_up_own() {
	local status=0 host
	unset -f tracer
	for host in lake node; do ip netns del "$tag-$host" || status=1; done
	return "$status"
}
for host in lake node; do
	ip netns add "$tag-$host"
	ip -n "$tag-$host" link set lo up
done
ip link add "$tag-l" netns "$tag-lake" type veth peer name "$tag-n" netns "$tag-node"
ip -n "$tag-lake" addr add 10.78.0.1/24 dev "$tag-l" && ip -n "$tag-lake" addr add 10.78.0.9/24 dev "$tag-l"
ip -n "$tag-lake" link set "$tag-l" up
ip -n "$tag-node" addr add 10.78.0.2/24 dev "$tag-n" && ip -n "$tag-node" link set "$tag-n" up
tracer() { nsenter --net="/run/netns/$tag-node" "$build/tracer" "$@"; }

# --- certificates, as docs/operate.md makes them
tls=$work/tls
mkdir -m 700 "$tls"
authority() { # NAME
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$1" -keyout "$tls/$1.key" -out "$tls/$1.pem" \
		2>>"$tls/log"
}
# certificate NOT-AFTER: of the lake, put in place as certbot does. (`openssl ca` alone takes an end in the past.)
certificate() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=lake" -keyout "$tls/new.key" -out "$tls/new.csr" 2>>"$tls/log"
	printf '[ca]\ndefault_ca=d\n[d]\ndatabase=%s/index\nserial=%s/serial\nnew_certs_dir=%s\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n' \
		"$tls" "$tls" "$tls" >"$tls/ca.conf"
	touch "$tls/index"
	openssl ca -batch -notext -create_serial -config "$tls/ca.conf" -cert "$tls/ca.pem" -keyfile "$tls/ca.key" -in "$tls/new.csr" \
		-out "$tls/new.pem" -startdate 20250101000000Z -enddate "$1" -extfile <(echo subjectAltName=IP:10.78.0.1) 2>>"$tls/log"
	mv "$tls/new.pem" "$tls/lake.pem"
	mv "$tls/new.key" "$tls/lake.key"
}
authority ca
authority other
certificate 20350101000000Z

mkdir -p "$work/lake"
start_lake() {
	rm -f "$work/url"
	nsenter --net="/run/netns/$tag-lake" "$build/tracer-lake" --listen 0.0.0.0:8717 --data-folder "$work/lake/store" \
		--tokens-folder "$work/lake/tokens" --url-file "$work/url" --tls-certificate-file "$tls/lake.pem" \
		--tls-key-file "$tls/lake.key" 2>>"$work/lake.log" &
	lake=$!
	soon "the lake listens" test -s "$work/url"
}
start_lake
echo "not-a-token-of-this-lake" >"$work/wrong"
new_token() { "$build/tracer-lake" token create --data-folder "$work/lake/store" --tokens-folder "$work/lake/tokens" --scope "$@"; }
(
	umask 077
	new_token ingest --name node >"$work/node.token"
	new_token ingest --host 11111111-1111-4111-8111-111111111111 >"$work/foreign.token"
	new_token read --name node >"$work/read.token"
) 2>"$tls/log"
kill -HUP "$lake"
token_is_known() {
	nsenter --net="/run/netns/$tag-lake" curl -fsS --cacert "$tls/ca.pem" -H "Authorization: Bearer $(cat "$1")" https://10.78.0.1:8717/api/v1/runs
}
soon "the lake knows its new tokens" token_is_known "$work/read.token"

# --- what is wrong is said in one line, and nothing stays
# refused WHAT WORDS OPTION…
refused() {
	local what=$1 words=$2 status=0
	shift 2
	tracer up "$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = 1 ] || fault "$what: exit status $status: $(cat "$work/err")"
	if [ "$(wc -l <"$work/err")" != 1 ] || ! grep -qF -- "$words" "$work/err"; then
		fault "$what: not one line with \"$words\": $(cat "$work/err")"
	fi
	if [ -e "$TRACER_DATA/joined/url" ] || [ -e "$TRACER_DATA/agent.pid" ] || [ -e "$TRACER_DATA/lake.pid" ]; then
		fault "$what: it left $(ls "$TRACER_DATA" "$TRACER_DATA/joined")"
	fi
	echo "ok: $what: $(cat "$work/err")"
}
url=https://10.78.0.1:8717
refused "no lake there" "does the lake run there" --lake https://10.78.0.1:8718 --token-file "$work/lake/tokens/ingest" --tls-ca-file "$tls/ca.pem"
refused "without TLS" "https://" --lake http://10.78.0.1:8717 --token-file "$work/lake/tokens/ingest"
refused "another authority" "does not trust its issuer \"ca\"; give" --lake $url --token-file "$work/lake/tokens/ingest" \
	--tls-ca-file "$tls/other.pem"
refused "another name" "is for 10.78.0.1, and not for 10.78.0.9" --lake https://10.78.0.9:8717 --token-file "$work/lake/tokens/ingest" \
	--tls-ca-file "$tls/ca.pem"
refused "a wrong token" "refuses the token (401)" --lake $url --token-file "$work/wrong" --tls-ca-file "$tls/ca.pem"
refused "a token of another scope" "(403)" --lake $url --token-file "$work/lake/tokens/read" --tls-ca-file "$tls/ca.pem"
refused "no token" "--token-file" --lake $url --tls-ca-file "$tls/ca.pem"
refused "a token of another host" "takes nothing of this host" --lake $url --token-file "$work/foreign.token" --tls-ca-file "$tls/ca.pem"
refused "a wrong read token" "refuses the read token" --lake $url --token-file "$work/lake/tokens/ingest" --read-token-file "$work/wrong" \
	--tls-ca-file "$tls/ca.pem"

# --- joined: the agent alone
tracer up --lake $url --token-file "$work/node.token" --read-token-file "$work/read.token" --tls-ca-file "$tls/ca.pem"
[ ! -e "$TRACER_DATA/lake.pid" ] || fault "a second lake runs"
[ "$(stat -c %a "$TRACER_DATA" "$TRACER_DATA/joined" "$TRACER_DATA/joined/ingest" | xargs)" = "700 700 600" ] || fault "modes: $(stat -c '%a %n' "$TRACER_DATA"/*)"
tracer up >/dev/null || fault "a second up of a joined host"
nsenter --net="/run/netns/$tag-node" "$build/tracer" run --name "joined-$tag" -- sleep 0.2
wait_for "the run is there" run_is "joined-$tag" succeeded
tracer report "joined-$tag" >"$work/report"
grep -q "joined-$tag" "$work/report" || fault "the report has another run: $(cat "$work/report")"
tracer status --json >"$work/status"
expect "the status is that of the lake of the other host" '.lake.state == "remote" and .lake.url == "https://10.78.0.1:8717" and
	.lake.tls.expires_days > 1000 and (.lake.hosts | length) == 1 and .agent.uploader.batches > 0' "$work/status"

# --- the lake's certificate is replaced while both run
pid=$(agent_pid)
certificate 20340101000000Z
days_are() { tracer status --json | jq -e ".lake.tls.expires_at[:4] == \"$1\""; }
soon "the new certificate" days_are 2034
nsenter --net="/run/netns/$tag-node" "$build/tracer" run --name "renewed-$tag" -- sleep 0.1
wait_for "a run under the new certificate" run_is "renewed-$tag" succeeded

# --- it expires: the agent keeps what it has, says why, and sends it once there is a new one
kill "$lake" && wait "$lake"
certificate 20260101000000Z
start_lake
nsenter --net="/run/netns/$tag-node" "$build/tracer" run --name "kept-$tag" -- sleep 0.1
says_expired() {
	tracer status --json | jq -e '.agent.spool.entries > 0 and (.agent.uploader.last_error | contains("expired at 2026-01-01"))'
}
soon "the agent says what is wrong" says_expired
certificate 20350101000000Z
wait_for "what was kept is there" run_is "kept-$tag" succeeded
[ "$(agent_pid)" = "$pid" ] || fault "the agent was started again"
echo "ok: the agent went on over an expired certificate"

# --- after a restart of the host, while the lake is away: the agent runs
tracer down
[ -e "$TRACER_DATA/joined/url" ] || fault "down forgot the lake"
kill "$lake" && wait "$lake"
tracer up >"$work/out" 2>"$work/err" || fault "a joined host does not start while its lake is away: $(cat "$work/err")"
grep -q "keeps its batches" "$work/err" || fault "nothing is said of the lake that is away: $(cat "$work/err")"
tracer down
