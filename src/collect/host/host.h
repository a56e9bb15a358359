/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * The host's own counters, from /proc: what of the whole is not explained by tracked work is the
 * difference. Read at each sample interval; files stay open. Whatever a kernel does not have (no
 * pressure, no swap) reads 0.
 */
struct host_reader;

#define HOST_DISKS 64 /* whole disks followed; more are added into the last */

struct host_disk {
	char name[32];
	uint64_t busy_ns;
};

/* Cumulative counters and current levels. */
struct host_counters {
	uint64_t cpu_user_ns, cpu_kernel_ns, cpu_iowait_ns, cpu_steal_ns, cpu_idle_ns;
	uint64_t memory_total_bytes, memory_available_bytes, swap_used_bytes;
	uint64_t disk_read_bytes, disk_write_bytes, disk_reads, disk_writes;
	uint64_t net_rx_bytes, net_tx_bytes;
	uint64_t cpu_pressure_ns, memory_pressure_ns, io_pressure_ns;
	uint64_t cpu_pressure_full_ns, memory_pressure_full_ns, io_pressure_full_ns;
	uint64_t agent_cpu_ns, agent_rss_bytes;
	struct host_disk disks[HOST_DISKS];
	size_t disk_count;
};

int host_reader_new(struct host_reader **ret);
void host_reader_free(struct host_reader *reader); /* NULL is fine */
/* Reads all. Never fails: what cannot be read stays 0. */
void host_read(struct host_reader *reader, struct host_counters *ret);

/* The sample between two readings; counters that fell (a disk was taken out) count 0. The part that
 * needs the process table (tracked) and the instants are the caller's. Pure. */
void host_sample(const struct host_counters *earlier, const struct host_counters *later,
		 Signal__HostSample *ret);

/* The parsers, each for the text of one file, pure; fields that are not there stay as they are. */
void host_parse_stat(const char *text, uint64_t tick_ns, struct host_counters *ret);
void host_parse_meminfo(const char *text, struct host_counters *ret);
/* counts(name): whether a device counts (a whole disk; an interface with hardware). */
typedef _Bool host_counts(const char *name);
void host_parse_diskstats(const char *text, host_counts *counts, struct host_counters *ret);
void host_parse_net(const char *text, host_counts *counts, struct host_counters *ret);
/* The totals of a pressure file's lines "some" and "full" (of cpu since 5.13), ns; 0 without one.
 */
void host_parse_pressure(const char *text, uint64_t *ret_some_ns, uint64_t *ret_full_ns);
