/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/link.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "collect/attribution/shared_folder.h"
#include "collect/attribution/attributor_private.h"
#include "collect/attribution/identifiers.h"
#include "collect/cgroup/cgroup.h"
#include "collect/output/outbox.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define MOUNTINFO_BYTES (4u << 20)

static void send(const struct attributor *attributor, const Signal__Run *run, const char *kind,
		 const char *value, bool lead)
{
	Signal__Link record = SIGNAL__LINK__INIT;
	struct buffer masked CLEANUP(buffer_clear) = { 0 };

	buffer_init(&masked, SHARED_FOLDER_SIZE * 2);
	if (redact_text(value, &masked)) /* "***" would join what has nothing in common */
		return;
	if (masked.failed)
		return;
	record.run_id = run->run_id;
	record.kind = (char *)(uintptr_t)kind;
	record.value = masked.data;
	record.lead = lead;
	outbox_add(attributor->parts.outbox, &record.base);
}

/* NULL: not to be had. One that is gone: as the agent sees it. */
static char *read_mountinfo(uint32_t pid)
{
	char path[48], *text;
	size_t len;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/mountinfo", pid);
	if (file_read(AT_FDCWD, path, MOUNTINFO_BYTES, &text, &len) == 0)
		return text;
	return file_read(AT_FDCWD, "/proc/self/mountinfo", MOUNTINFO_BYTES, &text, &len) == 0
		       ? text
		       : NULL;
}

static void send_folder(const struct attributor *attributor, const Signal__Run *run,
			const char *folder, bool part)
{
	CLEANUP(freep) char *mountinfo = read_mountinfo(run->pid);
	char value[SHARED_FOLDER_SIZE];

	if (mountinfo && shared_folder(mountinfo, folder, attributor->parts.boot_id, value))
		send(attributor, run, "folder", value, !part);
}

/* A job's number means something with its cluster's name alone. Of an array all jobs are one. */
static void send_slurm(const struct attributor *attributor, const Signal__Run *run,
		       const char *cluster, const char *job, bool part)
{
	char value[2 * IDENTIFIER_VALUE_LIMIT + 16];

	if (!*cluster || !*job)
		return;
	(void)snprintf(value, sizeof(value), "slurm %s %s", cluster, job);
	send(attributor, run, "job", value, !part);
}

static const char *label(const Signal__Run *run, const char *key)
{
	for (size_t i = 0; i < run->n_labels; i++)
		if (strcmp(run->labels[i]->key, key) == 0)
			return run->labels[i]->value;
	return "";
}

/* The run is a job of Slurm, and says so itself: it need have no process that would. */
static bool is_job(const Signal__Run *run)
{
	return *label(run, "slurm_job_id");
}

static void send_identifiers(const struct attributor *attributor, const Signal__Run *run, bool part)
{
	const struct identifiers *list = attributor->parts.identifiers;
	struct identifier_values values;
	const char *text;

	if (identifiers_read(list, run->pid, run->start_ns, &values) < 0)
		return;
	text = identifiers_get(list, &values, "SLURM_ARRAY_JOB_ID");
	if (!*text)
		text = identifiers_get(list, &values, "SLURM_JOB_ID");
	if (!is_job(run))
		send_slurm(attributor, run, identifiers_get(list, &values, "SLURM_CLUSTER_NAME"),
			   text, part);
	text = identifiers_get(list, &values, "AWS_BATCH_JOB_ID");
	if (*text) {
		char value[IDENTIFIER_VALUE_LIMIT + 16];

		(void)snprintf(value, sizeof(value), "aws-batch %s", text);
		send(attributor, run, "job", value, !part);
	}
	text = identifiers_get(list, &values, "TRACER_TRACE_ID");
	if (*text)
		send(attributor, run, "trace", text, !part);
}

/* The same container, seen by agents inside it and out of it. */
static void send_container(const struct attributor *attributor, const Signal__Run *run, bool part)
{
	const struct probe_key key = { .pid = run->pid, .start_ns = run->start_ns };
	const struct process *root = process_table_get(attributor->parts.processes, &key);
	const struct cgroup *cgroup =
		root ? cgroups_find(attributor->parts.cgroups, root->cgroup_id) : NULL;

	if (cgroup && strlen(cgroup->container_id) == 64)
		send(attributor, run, "container", cgroup->container_id, !part);
}

void link_send(const struct attributor *attributor, const Signal__Run *run,
	       const struct tree_link *link)
{
	if (link->folder && *link->folder)
		send_folder(attributor, run, link->folder, link->part);
	if (link->workflow)
		send(attributor, run, "workflow", link->workflow, !link->part);
	if (is_job(run))
		send_slurm(attributor, run, label(run, "slurm_cluster"), label(run, "slurm_job_id"),
			   link->part);
	send_identifiers(attributor, run, link->part);
	send_container(attributor, run, link->part);
}
