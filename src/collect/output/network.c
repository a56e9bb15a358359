/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/network.h"

/* Messages take char *, and the outbox copies them without writing. */
#define TEXT(value) ((char *)(uintptr_t)(value))

static void record(struct tracker *tracker, const struct process *process,
		   const struct probe_network *network)
{
	Signal__Network message = SIGNAL__NETWORK__INIT;

	message.pid = network->key.pid;
	message.start_ns = network->key.start_ns;
	message.image_seq = network->image_seq;
	message.run_id = TEXT(attribution_run_id(&process->attribution));
	message.task_id = TEXT(attribution_task_id(&process->attribution));
	message.family = TEXT(network->family);
	message.protocol = TEXT(network->protocol);
	message.loopback = network->loopback;
	message.rx_bytes = network->rx_bytes;
	message.tx_bytes = network->tx_bytes;
	message.rx_calls = network->rx_calls;
	message.tx_calls = network->tx_calls;
	message.connects = network->connects;
	message.accepts = network->accepts;
	message.connect_failures = network->connect_failures;
	message.resets = network->resets;
	message.retransmits = network->retransmits;
	message.connect_ns = network->connect_ns;
	outbox_add(tracker->outbox, &message.base);
}

/* Of a fork that execs it is the forking program's, as its bytes are: of no record. */
void network_moved(void *context, const struct probe_network *network)
{
	struct tracker *tracker = context;
	const struct process *process = table_get(tracker->table, &network->key);

	if (!process || tracker_is_noise(process))
		return;
	if (network->replaced && !process->executed && !process->reported)
		return;
	record(tracker, process, network);
}

void network_send(struct process *process, struct probe *probe)
{
	struct counters seen;
	uint64_t sum;

	counters_recall(process->seen, &seen);
	sum = counters_network(&seen);
	if (sum == process->network_sent)
		return;
	process->network_sent = sum;
	probe_networks(probe, &process->key, process->image_seq);
}
