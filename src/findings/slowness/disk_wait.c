/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/slowness/slow_memory.h"
#include "findings/threshold.h"

static double lost_ns(const struct slowness_facts *facts, const struct slow_link *link)
{
	switch (slow_memory_of(facts, link)) {
	case MEMORY_SHORT_GROUP:
		return 0;
	case MEMORY_ENOUGH:
		return link->wall.ns[WALL_DISK] + link->wall.ns[WALL_PAGING];
	default:
		return link->wall.ns[WALL_DISK];
	}
}

/* Mostly for pages of programs and mapped files. */
static bool is_for_pages(const struct slow_group *group)
{
	const struct wall *wall = &group->most->wall;

	return slow_memory_of(group->facts, group->most) == MEMORY_ENOUGH &&
	       wall->ns[WALL_PAGING] > wall->ns[WALL_DISK];
}

static bool is_of(const struct slow_group *group, const char *step)
{
	return strcmp(slow_task_of(group->facts, group->most)->step, step) == 0;
}

/* The device with the most time of requests; those of one step have that order. NULL: no request is
 * known. */
static const struct slow_device *device_of(const struct slow_group *group)
{
	for (size_t i = 0; i < group->facts->device_count; i++)
		if (is_of(group, group->facts->devices[i].step))
			return &group->facts->devices[i];
	return NULL;
}

/* Of the files that the step read (or wrote, if it mostly wrote to devices) the one of which it
 * moved most, where that is at least half of what its tasks moved from and to devices: else it
 * waited for others. Of pages no path is recorded. */
static const struct slow_file *file_of(const struct slow_group *group)
{
	struct slow_figures sum = slow_sum(group);
	double disk_bytes = sum.disk_read_bytes + sum.disk_write_bytes;
	bool wrote = sum.disk_write_bytes > sum.disk_read_bytes;

	if (is_for_pages(group))
		return NULL;
	for (size_t i = 0; i < group->facts->file_count; i++) {
		const struct slow_file *file = &group->facts->files[i];

		if (is_of(group, file->step) && (wrote ? file->writes : file->reads))
			return file->moved_bytes >= disk_bytes / 2 ? file : NULL;
	}
	return NULL;
}

static const char *kind_of(const struct slow_figures *sum)
{
	if (sum->disk_shared_ns > sum->disk_ns / 2)
		return "a file system of another machine";
	return sum->disk_fuse_ns > sum->disk_ns / 2 ? "a FUSE file system" : "storage";
}

/* All requests of its tasks took less than half of the wait. */
static bool is_held_back(const struct slow_group *group)
{
	double ns = 0;

	for (size_t i = 0; i < group->facts->device_count; i++)
		if (is_of(group, group->facts->devices[i].step))
			ns += group->facts->devices[i].latency_ns;
	return ns < group->lost_ns / 2;
}

/* Many requests at once, or few that take long. */
static char *device_text(const struct slow_group *group)
{
	const struct slow_device *device = device_of(group);
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	char mean[32], quiet[32], *text = NULL;
	bool busy = host && host->sampled_ns > 0 &&
		    host->disk_busy_ns >= threshold(SLOW_BUSY_DISK) * host->sampled_ns;
	int len;

	if (!device)
		return strdup("no request to a device is recorded");
	text_duration((uint64_t)(device->latency_ns / device->requests), mean, sizeof(mean));
	text_duration((uint64_t)device->quiet_ns, quiet, sizeof(quiet));
	len = asprintf(&text,
		       "%.0f requests to %s to %s took %s each, the fastest less than %s%s%s",
		       device->requests, device->operation, device->name, mean, quiet,
		       busy ? "; the disk was busy all the time" : "",
		       is_held_back(group)
			       ? "; most of the wait was before they began, as with an I/O limit"
			       : "");
	return len < 0 ? NULL : text;
}

static int write(const struct slow_group *group, struct slow_words *ret)
{
	bool pages = is_for_pages(group);
	const struct slow_tool *tool =
		slow_most_of(group->facts, group->most,
			     pages ? SLOW_FIGURE_AT(wall_paging_ns) : SLOW_FIGURE_AT(wall_disk_ns));
	const struct slow_file *file = file_of(group);
	struct slow_figures sum = slow_sum(group);
	CLEANUP(freep) char *where = slow_where(group, tool), *device = device_text(group);
	char lost[32], wall[32];

	text_duration((uint64_t)group->lost_ns, lost, sizeof(lost));
	text_duration((uint64_t)group->facts->wall_ns, wall, sizeof(wall));
	ret->confidence = !pages && (device_of(group) || sum.disk_shared_ns > 0)
				  ? CONFIDENCE_HIGH
				  : CONFIDENCE_MEDIUM;
	if (!where || !device ||
	    asprintf(&ret->headline, "%s of it waiting for storage", lost) < 0 ||
	    asprintf(&ret->summary, "%s waited %s of %s for %s%s%s: %s.", where, lost, wall,
		     kind_of(&sum),
		     pages  ? ", mostly to read programs and mapped files"
		     : file ? ", most of its data in "
			    : "",
		     file ? file->path : "", device) < 0 ||
	    asprintf(&ret->advice,
		     "Put its files on faster storage (a local disk), or read them once and keep "
		     "them in memory; compress what is written.") < 0)
		return -ENOMEM;
	return 0;
}

static void evidence(const struct slow_group *group, struct json *json)
{
	const struct slow_device *device = device_of(group);
	const struct slow_file *file = file_of(group);
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	struct slow_figures sum = slow_sum(group);

	slow_evidence_count(json, "disk_read_bytes", sum.disk_read_bytes);
	slow_evidence_count(json, "disk_write_bytes", sum.disk_write_bytes);
	slow_evidence_ns(json, "shared_ns", sum.disk_shared_ns);
	slow_evidence_ns(json, "fuse_ns", sum.disk_fuse_ns);
	if (file)
		slow_evidence_text(json, "path", file->path);
	if (device) {
		slow_evidence_text(json, "device", device->name);
		slow_evidence_text(json, "operation", device->operation);
		slow_evidence_count(json, "requests", device->requests);
		slow_evidence_count(json, "bytes", device->bytes);
		slow_evidence_ns(json, "latency_mean_ns", device->latency_ns / device->requests);
		slow_evidence_ns(json, "latency_quiet_ns", device->quiet_ns);
	}
	if (host && host->sampled_ns > 0)
		slow_evidence_number(json, "disk_busy_share",
				     host->disk_busy_ns / host->sampled_ns);
}

const struct slow_kind slow_kind_disk_wait = {
	.name = "disk_wait",
	.lost_ns = lost_ns,
	.write = write,
	.evidence = evidence,
};
