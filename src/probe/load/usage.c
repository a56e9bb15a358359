/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "probe/abi/process.h"
#include "probe/api/usage.h"
#include "probe/load/open_probe.h"
#include "process.skel.h"

/* Map sizes are read once in so many calls: each is a file to read. */
#define MAPS_USAGES 12

/* The memory of a map as the kernel reports it; if the kernel does not, the size of its values. */
static uint64_t map_bytes(const struct bpf_map *map)
{
	char path[64], line[128];
	uint64_t bytes = 0;
	CLEANUP(fclosep) FILE *file = NULL;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (text_starts_with(line, "memlock:"))
			bytes = strtoull(line + strlen("memlock:"), NULL, 10);
	return bytes ? bytes : (uint64_t)bpf_map__value_size(map) * bpf_map__max_entries(map);
}

uint64_t probe_map_bytes(const struct probe *probe)
{
	const struct bpf_map *map;
	uint64_t bytes = 0;

	bpf_object__for_each_map(map, probe->skel->obj) bytes += map_bytes(map);
	return bytes;
}

/* With kernel.bpf_stats_enabled = 1 the kernel measures each call, which costs time: only on
 * request. */
bool probe_programs_counted(void)
{
	CLEANUP(closep)
	int fd = open("/proc/sys/kernel/bpf_stats_enabled", O_RDONLY | O_CLOEXEC);
	char digit = '0'; /* not readable: unknown is not zero */

	return fd >= 0 && read(fd, &digit, 1) == 1 && digit != '0';
}

void probe_programs(const struct probe *probe, probe_program_function *function, void *context)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, probe->skel->obj)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);

		if (bpf_program__fd(program) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
			function(context, &(struct probe_program){
						  .name = bpf_program__name(program),
						  .calls = info.run_cnt,
						  .run_ns = info.run_time_ns,
					  });
	}
}

static void add(void *sum, const struct probe_program *program)
{
	*(uint64_t *)sum += program->run_ns;
}

static uint64_t programs_ns(const struct probe *probe)
{
	uint64_t ns = 0;

	probe_programs(probe, add, &ns);
	return ns;
}

void probe_usage(struct probe *probe, struct probe_usage *ret)
{
	struct usage_cache *cache = &probe->usage;
	bool counted = probe_programs_counted();

	if (cache->calls++ % MAPS_USAGES == 0)
		cache->map_bytes = probe_map_bytes(probe);
	if (counted || cache->counted) /* once more after counting was turned off */
		cache->programs_ns = programs_ns(probe);
	cache->counted = counted;
	*ret = (struct probe_usage){
		.map_bytes = cache->map_bytes,
		.ring_bytes = bpf_map__max_entries(probe->skel->maps.ring),
		.ring_peak_bytes = probe->skel->bss->ring_peak_bytes,
		.programs_ns = cache->programs_ns,
	};
	probe->skel->bss->ring_peak_bytes = 0;
}
