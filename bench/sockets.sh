#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Moves known bytes through sockets, and says what: sockets.sh DRIVER [WIRE_DRIVER NAMESPACE DEVICE IPV4 IPV6]
#
#     # LABEL FIGURE    of the rows that follow: the figure that counts these bytes (net, net_loopback, net_unix), and how they moved
#     PID RX_BYTES TX_BYTES …     a process, as the driver (tests/bpf/lib/network_driver.c) says of itself
#     = CONNECTS ACCEPTS CONNECT_FAILURES RESETS    of all processes since the label
#     ~ SEGMENTS    that were sent again, of all processes since the label
#
# The other end of a wire: DEVICE in NAMESPACE, which has these addresses.
driver=$1 wire_driver=$2 space=$3 device=$4 v4=$5 v6=$6

# way FIGURE CONNECTIONS LABEL SCENARIO…
way() {
	echo "# $3 $1"
	connections=$2
	shift 3
	"$driver" "$@"
	echo "= $connections"
}

# wire CONNECTIONS LABEL tcp|udp ADDRESS: begins when standard input says so.
wire() {
	echo "# $2 net"
	said=$(mktemp)
	ip netns exec "$space" "$wire_driver" serve "$3" 2346000 >"$said" </dev/null &
	until [ -s "$said" ]; do sleep 0.05; done
	"$wire_driver" fetch "$3" "$4" "$(head -n 1 "$said")" 2346000 || kill $!
	wait
	sed 1d "$said"
	rm "$said"
	echo "= $1"
}

way net_loopback "1 1 0 0" "TCP, IPv4" stream inet 12345678
way net_loopback "1 1 0 0" "TCP, IPv6" stream inet6 12345678
way net_loopback "1 1 0 0" "TCP, IPv4 through an IPv6 socket" stream mapped 12345678
way net_loopback "1 1 0 0" "TCP, by sendfile and splice" file inet 3456789
way net_loopback "0 0 0 0" "UDP, IPv4" dgram inet named 1357
way net_loopback "0 0 0 0" "UDP, IPv4, connected" dgram inet connected 1357
way net_loopback "0 0 0 0" "UDP, IPv6" dgram inet6 named 1357
way net_loopback "0 0 0 0" "UDP, IPv6, connected" dgram inet6 connected 1357
way net_unix "0 0 0 0" "UNIX, stream" stream unix 7654321
way net_unix "0 0 0 0" "UNIX, by sendfile and splice" file unix 3456789
way net_unix "0 0 0 0" "UNIX, datagrams" dgram unix connected 2468
way net_unix "0 0 0 0" "peeked at, would block" nothing_moved
way net_loopback "0 0 1 0" "refused" refuse
way net_loopback "1 1 0 2" "reset" reset exit
# Once the two are connected the other end goes away for a while: what it is given is sent again.
away() {
	sleep 0.5
	ip -n "$space" addr del "$v4/30" dev "$device"
	echo
	sleep 0.7
	ip -n "$space" addr add "$v4/30" dev "$device"
}

[ -n "$space" ] || exit 0
echo | wire "1 1 0 0" "TCP over a wire, IPv4" tcp "$v4"
echo | wire "1 1 0 0" "TCP over a wire, IPv6" tcp "$v6"
echo | wire "0 0 0 0" "UDP over a wire, IPv4" udp "$v4"
echo | wire "0 0 0 0" "UDP over a wire, IPv6" udp "$v6"
away | wire "1 1 0 0" "TCP, the other end away for a while" tcp "$v4"
