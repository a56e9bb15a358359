#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/operate.md as a newcomer follows it: its commands, as they are written there, bring up a lake with TLS on one host, a second host
# that joins it, and a backup that is restored. A host is a network and folders of its own (/etc, /root, /usr/local, /var). What the
# test has instead of systemd is below; all other programs are the real ones. No command of the page may be left over at the end.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

page=$root/docs/operate.md
tag=o$$
clean_up_own() {
	local status=0 host pid
	for host in lakehost node7; do
		on "$host" "[ ! -e /usr/local/bin/tracer ] || tracer down; [ ! -e /run/tracer-$tag.pid ] || systemctl stop tracer-lake" >/dev/null || status=1
		pid=$(cat "$work/$host.pid") && kill "$pid" || status=1
		ip netns del "$tag-$host" || status=1
	done
	return "$status"
}

# --- the page's blocks of commands, each once: blocks/SECTION.N
mkdir "$work/blocks"
awk -v folder="$work/blocks" '
	/^## / { section = tolower(substr($0, 4)); gsub(/[^a-z]+/, "-", section); count = open = 0; next }
	/^    / { if (!open) { open = 1; count++ } print substr($0, 5) >(folder "/" section "." count); next }
	NF { open = 0 }' "$page"
# take SECTION.N: prints the block, which counts as run then. $backup is the name of a backup, as the page has one.
take() {
	[ -e "$work/blocks/$1" ] || fault "docs/operate.md has no block $1 any more: change this test with it"
	sed -E "s|tracer-[0-9]{8}T[0-9]{6}Z.duckdb|${backup##*/}|; s|sudo tracer down|${down:-&}|; s|sudo tracer up\$|${up:-&}|" "$work/blocks/$1"
	rm "$work/blocks/$1"
}
backup=

# --- two hosts
# shellcheck disable=SC2016
make_host='
	host=$1 work=$2 tag=$3
	hostname "$host"
	mount -t tmpfs -o mode=755 none "$work/$host"
	for folder in etc root usr/local var; do
		upper=$work/$host/${folder#*/}
		mkdir -m 755 "$upper" "$upper.work"
		mount -t overlay -o "lowerdir=/$folder,upperdir=$upper,workdir=$upper.work" none "/$folder"
	done
	rm -rf /var/lib/tracer /etc/tracer
	tr -d - </proc/sys/kernel/random/uuid >/etc/machine-id
	echo "192.0.2.10 lake.example" >>/etc/hosts
	mkdir -p /etc/systemd/system /var/log
	touch "$work/$host.ready"
	exec sleep infinity'
add_host() { # NAME ADDRESS
	ip netns add "$tag-$1"
	ip -n "$tag-$1" link set lo up
	mkdir "$work/$1"
	nsenter --net="/run/netns/$tag-$1" unshare --mount --uts bash -euc "$make_host" - "$1" "$work" "$tag" &
	echo $! >"$work/$1.pid"
}
add_host lakehost
add_host node7
ip link add "$tag-l" netns "$tag-lakehost" type veth peer name "$tag-n" netns "$tag-node7"
ip -n "$tag-lakehost" addr add 192.0.2.10/24 dev "$tag-l" && ip -n "$tag-lakehost" link set "$tag-l" up
ip -n "$tag-node7" addr add 192.0.2.77/24 dev "$tag-n" && ip -n "$tag-node7" link set "$tag-n" up
soon "the hosts are there" test -e "$work/lakehost.ready" -a -e "$work/node7.ready"

# on HOST COMMANDS: as root in the folder $folder there; the first command that fails ends it.
folder=/root
on() {
	# shellcheck disable=SC2016
	nsenter --target "$(cat "$work/$1.pid")" --mount --net --uts env -i HOME=/root LC_ALL=C.UTF-8 NO_COLOR=1 \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -euo pipefail -c 'cd "$0" && eval "$1"' "$folder" "$2"
}
# put HOST PATH: a program of the host, from stdin.
put() { on "$1" "cat >$2 && chmod 755 $2"; }
for host in lakehost node7; do put "$host" /usr/local/bin/sudo <<<$'#!/bin/sh\nexec "$@"'; done
# systemctl enable|start|stop|show … tracer-lake, of the unit that the page writes: the service runs in a session of its own.
put lakehost /usr/local/bin/systemctl <<END
#!/bin/bash
set -eu
pid=/run/tracer-$tag.pid log=/var/log/tracer-lake.service
case \$1 in
enable | start)
	read -r -a command < <(sed -n 's/^ExecStart=//p' /etc/systemd/system/tracer-lake.service)
	: >\$log
	setsid "\${command[@]}" >>\$log 2>&1 </dev/null &
	echo \$! >\$pid
	until grep -q serves \$log; do [ -e "/proc/\$(cat \$pid)" ] || { cat \$log >&2; exit 1; }; sleep 0.05; done ;;
stop)
	kill "\$(cat \$pid)"
	while [ -e "/proc/\$(cat \$pid)" ]; do sleep 0.05; done
	rm \$pid ;;
show) cat \$pid ;;
esac
END
put lakehost /usr/local/bin/journalctl <<<$'#!/bin/sh\ntail -n 3 /var/log/tracer-lake.service'

# --- a lake with TLS
folder=$build
install=$(take install-and-start.1)
on lakehost "$install"
folder=/root
on lakehost "$(take serve-other-hosts-with-tls.1)"
on lakehost "$(take serve-other-hosts-with-tls.2)" 2>"$work/openssl.log" || fault "certificates: $(cat "$work/openssl.log")"
folder=/root/tracer-ca
on lakehost "$(take serve-other-hosts-with-tls.3)" >"$work/serves"
grep -q 'serves https://' "$work/serves" || fault "the lake does not say what it serves: $(cat "$work/serves")"
folder=/root
if on lakehost "tracer status" >"$work/status"; then fault "status ends with 0 where no agent runs"; fi
grep -q 'tracer up --lake URL' "$work/status" || fault "status does not say how to join the lake's own host: $(cat "$work/status")"
down="sudo systemctl stop tracer-lake" up="sudo systemctl start tracer-lake"

# --- it has no rights: the page's own commands show what the page says
take rights.1 >"$work/rights"
on lakehost "$(sed -n 's/^\$ //p' "$work/rights")" >"$work/shown"
[ "$(sed -n '2s/ .*//p' "$work/shown")" = tracer ] || fault "the lake is not of the account tracer: $(cat "$work/shown")"
names='^(Groups|Cap...|NoNewPrivs|Seccomp):'
diff -w <(grep -E "$names" "$work/rights") <(grep -E "$names" "$work/shown") || fault "the lake has other rights than docs/operate.md says"
[ "$(grep -c . "$work/shown")" = "$(grep -vc '^\$' "$work/rights")" ] || fault "the page shows other lines: $(cat "$work/shown")"
expect_uid=$(on lakehost "id -u tracer")
grep -qx "Uid:$(printf '\t%s' "$expect_uid" "$expect_uid" "$expect_uid" "$expect_uid")" "$work/shown" || fault "another user: $(cat "$work/shown")"
echo "ok: the lake is of the account tracer, without capabilities, confined"

# --- a second host, and the lake's own
on lakehost "$(take join-a-second-host.1)" 2>>"$work/openssl.log"
for file in node7.token node7-read.token ca.pem; do on lakehost "cat tracer-ca/$file" | on node7 "umask 077; cat >$file"; done
folder=$build
on node7 "$(sed '/tracer up/d; /tracer status/d' <<<"$install")"
folder=/root
join=$(take join-a-second-host.2)
on node7 "$join" >"$work/joined"
grep -q "The first batch of this host arrived" "$work/joined" || fault "not joined: $(cat "$work/joined")"
on lakehost "tracer-lake token create --scope ingest --name lake >lake.token; tracer-lake token create --scope read --name lake >lake-read.token
	cp tracer-ca/ca.pem .; ${join//node7/lake}" >"$work/joined" 2>>"$work/openssl.log"
# has_run HOST RUN: the host's commands show it, from the lake.
has_run() { on "$1" "tracer runs --json" | jq -e --arg run "$2" 'any(.runs[]; .name == $run and .status == "succeeded")'; }
for host in lakehost node7; do
	on "$host" "tracer run --name $host-$tag -- sleep 0.1"
	wait_for "the run of $host is there" has_run node7 "$host-$tag"
	on "$host" "tracer report $host-$tag" >"$work/report"
	grep -q "Run $host-$tag" "$work/report" || fault "the report is of another run: $(cat "$work/report")"
done
on node7 "tracer status --json" >"$work/status"
expect "both hosts send to the lake" '[.lake.hosts[] | select(.status == "up") | .hostname] | sort == ["lakehost", "node7"]' "$work/status"

# --- a backup, restored
on lakehost "$(take backup-and-restore.1)" >"$work/backup"
backup=$(sed -n 's/^\(.*\.duckdb\) has [0-9]* batches, and was read back$/\1/p' "$work/backup")
[ "${backup%/*}" = /var/backups ] || fault "no backup: $(cat "$work/backup")"
on node7 "tracer run --name after-$tag -- sleep 0.1"
wait_for "a run after the backup" has_run node7 "after-$tag"
on lakehost "$(take backup-and-restore.3)" >"$work/try" # another folder: the lake goes on
grep -q "the store is sound" "$work/try" || fault "the backup cannot be tried: $(cat "$work/try")"
on lakehost "$(take backup-and-restore.2)" >"$work/restored"
grep -q "^restored [0-9]* batches; what was there before: /var/lib/tracer/lake/" "$work/restored" || fault "not restored: $(cat "$work/restored")"
wait_for "the run of before the backup" has_run node7 "node7-$tag"
! has_run node7 "after-$tag" >/dev/null || fault "the run after the backup is there: it was not restored"
on node7 "tracer run --name again-$tag -- sleep 0.1"
wait_for "a run after the restoration" has_run lakehost "again-$tag"
echo "ok: the backup was restored"

# --- and the rest of the page
on lakehost "$(take check-and-compact.1)" >"$work/out"
grep -q "the store is sound" "$work/out" || fault "check: $(cat "$work/out")"
take forget-a-run-a-user-a-host.1 | sed -n "s/--run RUN/--run again-$tag/p" >"$work/forget"
on lakehost "$(cat "$work/forget")" >"$work/out"
grep -q "would forget" "$work/out" || fault "forget: $(cat "$work/out")"
folder=$build
on lakehost "$(take upgrade.1)" >"$work/out"
folder=/root
wait_for "the lake runs after the upgrade" has_run node7 "again-$tag"
take tokens.1 >/dev/null            # as in join-a-second-host
take users-without-root.1 >/dev/null # shown by the unit tests of the socket
take retention-and-size.1 >/dev/null # DuckDB's own program, which is not here
left=$(ls "$work/blocks")
[ -z "$left" ] || fault "docs/operate.md has commands that this test does not run: $left"
