/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define FILE_BYTES (128u << 10) /* of one file; what is longer is cut at a whole line */

enum { STAT, MEMINFO, DISKSTATS, NET, CPU_PRESSURE, MEMORY_PRESSURE, IO_PRESSURE, STATM, FILES };

static const char *const paths[FILES] = {
	[STAT] = "/proc/stat",
	[MEMINFO] = "/proc/meminfo",
	[DISKSTATS] = "/proc/diskstats",
	[NET] = "/proc/net/dev",
	[CPU_PRESSURE] = "/proc/pressure/cpu",
	[MEMORY_PRESSURE] = "/proc/pressure/memory",
	[IO_PRESSURE] = "/proc/pressure/io",
	[STATM] = "/proc/self/statm",
};

struct host_reader {
	int fds[FILES]; /* -1: not on this kernel */
	uint64_t tick_ns, page_bytes;
	char text[FILE_BYTES];
};

int host_reader_new(struct host_reader **ret)
{
	struct host_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return -ENOMEM;
	reader->tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	reader->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	for (int i = 0; i < FILES; i++)
		reader->fds[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
	*ret = reader;
	return 0;
}

void host_reader_free(struct host_reader *reader)
{
	if (!reader)
		return;
	for (int i = 0; i < FILES; i++)
		closep(&reader->fds[i]);
	free(reader);
}

/* The file's text now, or "". /proc gives at most a page or so a read: read until the end. */
static const char *text_of(struct host_reader *reader, int file)
{
	size_t len = 0;
	ssize_t got = 0;
	char *last;

	do {
		len += (size_t)got;
		got = reader->fds[file] < 0 ? 0
					    : pread(reader->fds[file], reader->text + len,
						    FILE_BYTES - 1 - len, (off_t)len);
	} while (got > 0);
	reader->text[len] = '\0';
	last = strrchr(reader->text, '\n');
	if (last)
		last[1] = '\0';
	return reader->text;
}

/* Whole disks: partitions are not in /sys/block; what lies on other disks would count twice. */
static bool is_disk(const char *name)
{
	static const char *const stacked[] = { "loop", "ram", "zram", "dm-", "md", "drbd", "nbd" };
	char path[64];

	for (size_t i = 0; i < sizeof(stacked) / sizeof(*stacked); i++) {
		if (strncmp(name, stacked[i], strlen(stacked[i])) == 0)
			return false;
	}
	(void)snprintf(path, sizeof(path), "/sys/block/%s", name);
	return access(path, F_OK) == 0;
}

/* Interfaces with hardware: bridges and container links carry the same bytes again. */
static bool is_hardware(const char *name)
{
	char path[80];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/device", name);
	return access(path, F_OK) == 0;
}

static bool is_not_loopback(const char *name)
{
	return strcmp(name, "lo") != 0;
}

static uint64_t agent_cpu_ns(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return 0;
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

void host_read(struct host_reader *reader, struct host_counters *ret)
{
	const char *text;

	memset(ret, 0, sizeof(*ret));
	host_parse_stat(text_of(reader, STAT), reader->tick_ns, ret);
	host_parse_meminfo(text_of(reader, MEMINFO), ret);
	host_parse_diskstats(text_of(reader, DISKSTATS), is_disk, ret);
	text = text_of(reader, NET);
	host_parse_net(text, is_hardware, ret);
	if (!ret->net_rx_bytes && !ret->net_tx_bytes)
		host_parse_net(text, is_not_loopback, ret); /* a container's own network */
	host_parse_pressure(text_of(reader, CPU_PRESSURE), &ret->cpu_pressure_ns,
			    &ret->cpu_pressure_full_ns);
	host_parse_pressure(text_of(reader, MEMORY_PRESSURE), &ret->memory_pressure_ns,
			    &ret->memory_pressure_full_ns);
	host_parse_pressure(text_of(reader, IO_PRESSURE), &ret->io_pressure_ns,
			    &ret->io_pressure_full_ns);
	ret->agent_cpu_ns = agent_cpu_ns();
	text = strchr(text_of(reader, STATM), ' ');
	ret->agent_rss_bytes = text ? strtoull(text, NULL, 10) * reader->page_bytes : 0;
}
