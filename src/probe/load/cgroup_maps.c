/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/abi/cgroup.h"

#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "probe/abi/process.h"
#include "probe/api/probe.h"
#include "probe/load/open_probe.h"
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

bool probe_find_cgroup(struct probe *probe, uint64_t cgroup_id, struct probe_cgroup *ret)
{
	struct cgroup_born born;

	if (bpf_map__lookup_elem(probe->skel->maps.cgroups_born, &cgroup_id, sizeof(cgroup_id),
				 &born, sizeof(born), 0))
		return false;
	*ret = (struct probe_cgroup){ .id = cgroup_id,
				      .made_ns = born.made_ns,
				      .gone_ns = born.gone_ns,
				      .memory_peak_bytes = born.memory_peak_pages *
							   (uint64_t)sysconf(_SC_PAGESIZE) };
	memcpy(ret->path, born.path, sizeof(ret->path));
	ret->path[sizeof(ret->path) - 1] = '\0';
	return true;
}
