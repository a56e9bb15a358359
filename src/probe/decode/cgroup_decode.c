/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/abi/cgroup.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/load/probe_private.h"
#include "process.skel.h"

static int mark(struct probe *probe, uint64_t cgroup_id, uint32_t more)
{
	const struct bpf_map *map = probe->skel->maps.cgroups_marked;
	uint32_t marks = 0;

	(void)bpf_map__lookup_elem(map, &cgroup_id, sizeof(cgroup_id), &marks, sizeof(marks), 0);
	marks |= more;
	return bpf_map__update_elem(map, &cgroup_id, sizeof(cgroup_id), &marks, sizeof(marks),
				    BPF_ANY);
}

int probe_watch_cgroup(struct probe *probe, uint64_t cgroup_id)
{
	return mark(probe, cgroup_id, CGROUP_WATCHED);
}

int probe_follow_cgroup(struct probe *probe, uint64_t cgroup_id)
{
	*(volatile bool *)&probe->skel->bss->cgroups_follow = true;
	return mark(probe, cgroup_id, CGROUP_FOLLOWED);
}

int probe_follow_cgroups(struct probe *probe, uint64_t cgroup_id)
{
	*(volatile bool *)&probe->skel->bss->cgroups_follow = true;
	return mark(probe, cgroup_id, CGROUP_FOLLOWED | CGROUP_HANDED);
}

bool probe_follows_cgroup(struct probe *probe, uint64_t cgroup_id)
{
	uint32_t marks = 0;

	return bpf_map__lookup_elem(probe->skel->maps.cgroups_marked, &cgroup_id, sizeof(cgroup_id),
				    &marks, sizeof(marks), 0) == 0 &&
	       marks & CGROUP_FOLLOWED;
}

static uint64_t bytes_of(uint64_t pages)
{
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool probe_cgroup_told(struct probe *probe, uint64_t cgroup_id, struct probe_cgroup *ret)
{
	struct cgroup_born born;

	if (bpf_map__lookup_elem(probe->skel->maps.cgroups_born, &cgroup_id, sizeof(cgroup_id),
				 &born, sizeof(born), 0))
		return false;
	*ret = (struct probe_cgroup){ .id = cgroup_id,
				      .made_ns = born.made_ns,
				      .gone_ns = born.gone_ns,
				      .memory_peak_bytes = bytes_of(born.memory_peak_pages) };
	memcpy(ret->path, born.path, sizeof(ret->path));
	ret->path[sizeof(ret->path) - 1] = '\0';
	return true;
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
