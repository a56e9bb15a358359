/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/cgroup_decode.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "probe/abi/cgroup.h"

static uint64_t bytes_of(uint64_t pages)
{
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int cgroup_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		  const struct probe_handler *handler)
{
	const struct process_cgroup_record *record = bytes;
	struct probe_cgroup cgroup = { 0 };

	if (size < sizeof(*record))
		return -EBADMSG;
	cgroup.id = record->head.cgroup_id;
	cgroup.memory_peak_bytes = bytes_of(record->memory_peak_pages);
	if (record->head.kind == PROCESS_CGROUP_GONE)
		cgroup.gone_ns = record->head.at_ns;
	else
		cgroup.made_ns = record->head.at_ns;
	memcpy(cgroup.path, record->path, sizeof(cgroup.path) - 1);
	if (handler->on_cgroup)
		handler->on_cgroup(handler->context, &cgroup);
	return 0;
}
