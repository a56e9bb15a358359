/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/network_decode.h"

#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/abi/process.h"
#include "probe/api/probe.h"
#include "probe/decode/peer_text.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

static const struct {
	const char *family, *protocol;
} flows[NETWORK_FLOWS] = {
	[0] = { "inet", "tcp" },
	[NETWORK_LOOPBACK] = { "inet", "tcp" },
	[NETWORK_UDP] = { "inet", "udp" },
	[NETWORK_UDP | NETWORK_LOOPBACK] = { "inet", "udp" },
	[NETWORK_INET6] = { "inet6", "tcp" },
	[NETWORK_INET6 | NETWORK_LOOPBACK] = { "inet6", "tcp" },
	[NETWORK_INET6 | NETWORK_UDP] = { "inet6", "udp" },
	[NETWORK_INET6 | NETWORK_UDP | NETWORK_LOOPBACK] = { "inet6", "udp" },
	[NETWORK_UNIX_STREAM] = { "unix", "stream" },
	[NETWORK_UNIX_DGRAM] = { "unix", "dgram" },
	[NETWORK_OTHER] = { "other", "other" },
};

static struct probe_network network_of(const struct probe_key *key, uint64_t image_seq,
				       uint32_t flow, const struct network_counts *counts,
				       const struct network_peer *peer)
{
	struct probe_network ret = {
		.key = *key,
		.image_seq = image_seq,
		.family = flows[flow].family,
		.protocol = flows[flow].protocol,
		.loopback = flow < NETWORK_UNIX_STREAM && flow & NETWORK_LOOPBACK,
		.rx_bytes = counts->rx_bytes,
		.tx_bytes = counts->tx_bytes,
		.rx_calls = counts->rx_calls,
		.tx_calls = counts->tx_calls,
		.connects = counts->connects,
		.accepts = counts->accepts,
		.connect_failures = counts->connect_failures,
		.resets = counts->resets,
		.retransmits = counts->retransmits,
		.connect_ns = counts->connect_ns,
	};

	if (peer->known)
		peer_text(peer->address, peer->port, flow & NETWORK_INET6, ret.peer);
	return ret;
}

void network_decode_figures(struct probe_figures *ret, const struct network_sums *sums)
{
	ret->net_rx_bytes = sums->rx_bytes;
	ret->net_tx_bytes = sums->tx_bytes;
	ret->net_loopback_rx_bytes = sums->loopback_rx_bytes;
	ret->net_loopback_tx_bytes = sums->loopback_tx_bytes;
	ret->net_unix_rx_bytes = sums->unix_rx_bytes;
	ret->net_unix_tx_bytes = sums->unix_tx_bytes;
	ret->net_connects = sums->connects;
	ret->net_accepts = sums->accepts;
	ret->net_connect_failures = sums->connect_failures;
	ret->net_resets = sums->resets;
	ret->net_retransmits = sums->retransmits;
	ret->net_connect_ns = sums->connect_ns;
}

int network_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_network_record *record = bytes;
	struct probe_network network;
	struct probe_key key;

	if (size < sizeof(*record) || record->flow >= NETWORK_FLOWS)
		return -EBADMSG;
	key = (struct probe_key){ .pid = record->head.pid, .start_ns = record->head.start_ns };
	network = network_of(&key, record->head.image_seq, record->flow, &record->counts,
			     &record->peer);
	network.replaced = record->replaced;
	if (handler->on_network)
		handler->on_network(handler->context, &network);
	return 0;
}

int probe_networks(struct probe *probe, const struct probe_key *key, uint64_t image_seq)
{
	const struct bpf_map *map = probe->skel->maps.networks;
	int count = 0;

	for (uint32_t flow = 0; flow < NETWORK_FLOWS; flow++) {
		const struct network_key of = { .pid = key->pid,
						.flow = flow,
						.start_ns = key->start_ns };
		struct network_entry entry;
		struct probe_network network;
		int code = bpf_map__lookup_elem(map, &of, sizeof(of), &entry, sizeof(entry), 0);

		if (code == -ENOENT)
			continue;
		if (code)
			return code;
		network = network_of(key, image_seq, flow, &entry.counts, &entry.peer);
		if (probe->handler.on_network)
			probe->handler.on_network(probe->handler.context, &network);
		count++;
	}
	return count;
}
