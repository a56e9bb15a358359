/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/io_decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/abi/process.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

_Static_assert(IO_BUCKETS == PROBE_IO_BUCKETS, "both sides cut latencies alike");

static const char *const operations[IO_OPERATIONS] = {
	[IO_READ] = "read",
	[IO_WRITE] = "write",
	[IO_FLUSH] = "flush",
	[IO_OTHER] = "other",
};

int io_decode(struct process_decoder *decoder, const void *bytes, size_t size,
	      const struct probe_handler *handler)
{
	const struct process_io_record *record = bytes;
	struct probe_io io;

	if (size < sizeof(*record) || record->io.operation >= IO_OPERATIONS ||
	    !memchr(record->io.device, '\0', sizeof(record->io.device)))
		return -EBADMSG;
	io = (struct probe_io){
		.key = { .pid = record->head.pid, .start_ns = record->head.start_ns },
		.image_seq = record->head.image_seq,
		.device = record->io.device,
		.operation = operations[record->io.operation],
		.bytes = record->io.counts.bytes,
		.failures = record->io.counts.failures,
		.unfinished = record->io.unfinished,
		.latency_ns = record->io.counts.latency_ns,
	};
	for (size_t i = 0; i < IO_BUCKETS; i++)
		io.requests += io.latencies[i] = record->io.counts.latencies[i];
	if (handler->on_io)
		handler->on_io(handler->context, &io);
	return 0;
}

int probe_io_sums(struct probe *probe, struct probe_io_sums *ret)
{
	const struct bpf_map *map = probe->skel->maps.io_sums;
	int cpus = libbpf_num_possible_cpus();
	const uint32_t zero = 0;
	struct io_sums *parts;
	int code;

	if (cpus < 1)
		return -EINVAL;
	parts = calloc((size_t)cpus, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	code = bpf_map__lookup_elem(map, &zero, sizeof(zero), parts, (size_t)cpus * sizeof(*parts),
				    0);
	*ret = (struct probe_io_sums){ 0 };
	for (int i = 0; i < cpus && !code; i++) {
		ret->requests += parts[i].requests;
		ret->tracked += parts[i].tracked;
	}
	free(parts);
	return code;
}
