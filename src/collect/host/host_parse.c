/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of /proc say (proc(5), Documentation/admin-guide/iostats.rst, accounting/psi.rst):
 * pure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "collect/procfs/fields.h"
#include "collect/host/host.h"

#define SECTOR_BYTES 512 /* of diskstats, whatever the disk's own is */

/* cpu user nice system idle iowait irq softirq steal (guest is in user); old kernels have fewer. */
void host_parse_stat(const char *text, uint64_t tick_ns, struct host_counters *ret)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COUNT };
	uint64_t ticks[COUNT] = { 0 };
	char word[8];

	if (!fields_word(&text, word, sizeof(word)) || strcmp(word, "cpu") != 0 ||
	    !fields_u64s(&text, ticks, IDLE + 1))
		return;
	fields_u64s(&text, &ticks[IOWAIT], COUNT - IOWAIT);
	ret->cpu_user_ns = (ticks[USER] + ticks[NICE]) * tick_ns;
	ret->cpu_kernel_ns = (ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ]) * tick_ns;
	ret->cpu_iowait_ns = ticks[IOWAIT] * tick_ns;
	ret->cpu_steal_ns = ticks[STEAL] * tick_ns;
	ret->cpu_idle_ns = ticks[IDLE] * tick_ns;
}

/* "Name:   123 kB" at the start of a line. */
static uint64_t meminfo_field(const char *text, const char *name)
{
	size_t len = strlen(name);

	while (text && *text) {
		if (strncmp(text, name, len) == 0 && text[len] == ':')
			return strtoull(text + len + 1, NULL, 10) * 1024;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return 0;
}

void host_parse_meminfo(const char *text, struct host_counters *ret)
{
	uint64_t swap = meminfo_field(text, "SwapTotal"),
		 swap_free = meminfo_field(text, "SwapFree");

	ret->memory_total_bytes = meminfo_field(text, "MemTotal");
	ret->memory_available_bytes = meminfo_field(text, "MemAvailable");
	ret->swap_used_bytes = swap > swap_free ? swap - swap_free : 0;
}

static const char *next_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end ? end + 1 : text + strlen(text);
}

static void add_disk(struct host_counters *ret, const char *name, uint64_t busy_ns)
{
	struct host_disk *disk;

	if (ret->disk_count == HOST_DISKS) {
		ret->disks[HOST_DISKS - 1].busy_ns += busy_ns;
		return;
	}
	disk = &ret->disks[ret->disk_count++];
	(void)snprintf(disk->name, sizeof(disk->name), "%s", name);
	disk->busy_ns = busy_ns;
}

/* major minor name reads merged sectors ms writes merged sectors ms in-flight busy-ms … */
void host_parse_diskstats(const char *text, host_counts *counts, struct host_counters *ret)
{
	enum { READS, READ_SECTORS = 2, WRITES = 4, WRITE_SECTORS = 6, BUSY_MS = 9, COUNT };

	for (; *text; text = next_line(text)) {
		const char *line = text;
		uint64_t of[COUNT];
		char name[32];

		if (!fields_skip(&line, 2) || !fields_word(&line, name, sizeof(name)) ||
		    !fields_u64s(&line, of, COUNT) || !counts(name))
			continue;
		ret->disk_reads += of[READS];
		ret->disk_writes += of[WRITES];
		ret->disk_read_bytes += of[READ_SECTORS] * SECTOR_BYTES;
		ret->disk_write_bytes += of[WRITE_SECTORS] * SECTOR_BYTES;
		add_disk(ret, name, of[BUSY_MS] * NS_PER_MS);
	}
}

/* "  eth0: rx-bytes packets errs drop fifo frame compressed multicast tx-bytes …" */
void host_parse_net(const char *text, host_counts *counts, struct host_counters *ret)
{
	enum { RX, TX = 8, COUNT };

	for (; *text; text = next_line(text)) {
		const char *line = text + strspn(text, " ");
		size_t len = strcspn(line, ": \n");
		uint64_t of[COUNT];
		char name[32];

		if (line[len] != ':' || len >= sizeof(name))
			continue;
		memcpy(name, line, len);
		name[len] = '\0';
		line += len + 1;
		if (!fields_u64s(&line, of, COUNT) || !counts(name))
			continue;
		ret->net_rx_bytes += of[RX];
		ret->net_tx_bytes += of[TX];
	}
}

/* some avg10=0.60 avg60=0.64 avg300=1.10 total=32049398 */
static uint64_t pressure_total(const char *text, const char *kind)
{
	static const char total[] = "total=";
	const char *found = NULL;
	uint64_t total_us;

	while (*text && strncmp(text, kind, strlen(kind)) != 0)
		text = next_line(text);
	found = strstr(text, total);
	if (!found || found > text + strcspn(text, "\n"))
		return 0;
	found += sizeof(total) - 1;
	return fields_u64(&found, &total_us) ? total_us * NS_PER_US : 0;
}

void host_parse_pressure(const char *text, uint64_t *ret_some_ns, uint64_t *ret_full_ns)
{
	*ret_some_ns = pressure_total(text, "some ");
	*ret_full_ns = pressure_total(text, "full ");
}

static uint64_t growth(uint64_t earlier, uint64_t later)
{
	return later > earlier ? later - earlier : 0;
}

static uint64_t busiest(const struct host_counters *earlier, const struct host_counters *later)
{
	uint64_t most = 0;

	for (size_t i = 0; i < later->disk_count; i++) {
		const struct host_disk *disk = &later->disks[i];

		for (size_t j = 0; j < earlier->disk_count; j++) {
			uint64_t busy = growth(earlier->disks[j].busy_ns, disk->busy_ns);

			if (strcmp(disk->name, earlier->disks[j].name) == 0 && busy > most)
				most = busy;
		}
	}
	return most;
}

#define HOST_GROWING(F)       \
	F(cpu_user_ns)        \
	F(cpu_kernel_ns)      \
	F(cpu_iowait_ns)      \
	F(cpu_steal_ns)       \
	F(cpu_idle_ns)        \
	F(disk_read_bytes)    \
	F(disk_write_bytes)   \
	F(disk_reads)         \
	F(disk_writes)        \
	F(net_rx_bytes)       \
	F(net_tx_bytes)       \
	F(cpu_pressure_ns)    \
	F(memory_pressure_ns) \
	F(io_pressure_ns)     \
	F(cpu_pressure_full_ns) F(memory_pressure_full_ns) F(io_pressure_full_ns) F(agent_cpu_ns)

void host_sample(const struct host_counters *earlier, const struct host_counters *later,
		 Signal__HostSample *ret)
{
	signal__host_sample__init(ret);
#define GROWTH(name) ret->name = growth(earlier->name, later->name);
	HOST_GROWING(GROWTH)
#undef GROWTH
	ret->memory_available_bytes = later->memory_available_bytes;
	ret->memory_used_bytes = growth(later->memory_available_bytes, later->memory_total_bytes);
	ret->swap_used_bytes = later->swap_used_bytes;
	ret->disk_busy_ns = busiest(earlier, later);
	ret->agent_rss_bytes = later->agent_rss_bytes;
}
