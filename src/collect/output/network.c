/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/network.h"

#include "collect/output/outbox.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"

/* Messages take char *, and the outbox copies them without writing. */
#define TEXT(value) ((char *)(uintptr_t)(value))

static void send(struct outbox *outbox, const struct process *process,
		 const struct probe_network *moved)
{
	Signal__Network message = SIGNAL__NETWORK__INIT;

	message.pid = moved->key.pid;
	message.start_ns = moved->key.start_ns;
	message.image_seq = moved->image_seq;
	message.run_id = TEXT(attribution_run_id(&process->attribution));
	message.task_id = TEXT(attribution_task_id(&process->attribution));
	message.family = TEXT(moved->family);
	message.protocol = TEXT(moved->protocol);
	message.loopback = moved->loopback;
	message.rx_bytes = moved->rx_bytes;
	message.tx_bytes = moved->tx_bytes;
	message.rx_calls = moved->rx_calls;
	message.tx_calls = moved->tx_calls;
	message.connects = moved->connects;
	message.accepts = moved->accepts;
	message.connect_failures = moved->connect_failures;
	message.resets = moved->resets;
	message.retransmits = moved->retransmits;
	message.connect_ns = moved->connect_ns;
	message.peer = TEXT(moved->peer);
	outbox_add(outbox, &message.base);
}

/* Of a fork that execs it is the forking program's, as its bytes are: of no record. */
void network_record(const struct network *network, const struct probe_network *moved)
{
	const struct process *process = process_table_get(network->processes, &moved->key);

	if (!process || process_is_noise(process))
		return;
	if (moved->replaced && !process->executed && process->phase == PHASE_BEGUN)
		return;
	send(network->outbox, process, moved);
}

static void on_sample(void *context, struct process *process)
{
	const struct network *network = context;
	struct counters seen;
	uint64_t sum;

	process_seen(process, &seen);
	sum = counters_network(&seen);
	if (sum == process->network_sent || !network->probe)
		return;
	process->network_sent = sum;
	probe_networks(network->probe, &process->key, process->image_seq);
}

const struct listener network_listener = { .sample = on_sample };
