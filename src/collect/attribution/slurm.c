/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/slurm.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "collect/cgroup/cgroup_name.h"
#include "collect/cgroup/cgroup_walk.h"
#include "collect/procfs/procfs.h"
#include "collect/attribution/identifiers.h"
#include "collect/cgroup/cgroup.h"
#include "collect/process/exec_context.h"
#include "probe/api/probe.h"

#define TITLE "slurmstepd: ["

/* As slurmstepd and cgroups write a step: the script's own has a name. */
static void set_step(struct job *job, const char *step, size_t len)
{
	if (len != strlen("batch") || strncmp(step, "batch", len) != 0)
		(void)snprintf(job->step, sizeof(job->step), "%.*s", (int)len, step);
}

bool slurm_title(const char *title, struct job *ret)
{
	const char *id = title + strlen(TITLE), *step;
	size_t id_len, step_len;

	*ret = (struct job){ 0 };
	if (!text_starts_with(title, TITLE))
		return false;
	id_len = strspn(id, "0123456789");
	step = id + id_len + 1;
	step_len = id[id_len] == '.' ? strspn(step, "0123456789abcdefghijklmnopqrstuvwxyz+") : 0;
	if (!id_len || !step_len || step[step_len] != ']' || id_len >= sizeof(ret->id) ||
	    step_len >= sizeof(ret->step))
		return false;
	(void)snprintf(ret->id, sizeof(ret->id), "%.*s", (int)id_len, id);
	set_step(ret, step, step_len);
	return true;
}

static bool read_parent(uint32_t pid, struct job *ret)
{
	struct procfs_process parent;
	bool has_job;

	if (pid <= 1 || procfs_read(pid, &parent) < 0)
		return false;
	has_job = text_starts_with(text_basename(parent.exe), "slurmstepd") && parent.argc > 0 &&
		  slurm_title(parent.argv[0], ret);
	procfs_clear(&parent);
	return has_job;
}

bool slurm_holds_jobs(const char *path)
{
	const char *name = text_basename(path);
	struct cgroup_name known;

	cgroup_name(path, &known);
	return (strcmp(known.runtime, "slurm") == 0 && *known.job_id) ||
	       strcmp(name, "slurm") == 0 || text_starts_with(name, "slurm_") ||
	       text_ends_with(name, "slurmstepd.scope");
}

static bool follow_one(const char *path, uint64_t id, void *context)
{
	if (slurm_holds_jobs(path))
		(void)probe_follow_cgroups(context, id);
	return true;
}

void slurm_follow_all(struct probe *probe)
{
	struct cgroup_trees trees;

	if (probe && cgroup_trees_read(&trees) == 0)
		cgroup_walk(&trees, CGROUP_MEMORY, follow_one, probe);
}

void slurm_made(struct probe *probe, const struct probe_cgroup *cgroup)
{
	if (probe)
		(void)follow_one(cgroup->path, cgroup->id, probe);
}

static bool name_of(const struct cgroup *cgroup, struct cgroup_name *ret)
{
	if (!cgroup)
		return false;
	cgroup_name(cgroup->path, ret);
	return strcmp(ret->runtime, "slurm") == 0;
}

bool slurm_has_job(const struct cgroup *cgroup)
{
	struct cgroup_name name;

	return name_of(cgroup, &name) && *name.job_id;
}

static void read_cgroup(const struct cgroup *cgroup, struct job *job)
{
	struct cgroup_name name;

	if (!name_of(cgroup, &name))
		return;
	(void)snprintf(job->node, sizeof(job->node), "%s", name.node);
	if (*job->id)
		return;
	(void)snprintf(job->id, sizeof(job->id), "%s", name.job_id);
	set_step(job, name.step_id, strlen(name.step_id));
}

static void set_unless(char *text, size_t size, const char *value)
{
	if (!*text)
		(void)snprintf(text, size, "%s", value);
}

/* What the environment says of this job; that of another (a process that a job left running, a
 * shell that was given a job) is not asked. */
static void read_environment(const struct identifiers *identifiers, const struct probe_image *image,
			     struct job *job)
{
	static const struct {
		const char *name;
		size_t offset, size;
	} texts[] = {
		{ "SLURM_JOB_ID", offsetof(struct job, id), sizeof(job->id) },
		{ "SLURM_ARRAY_JOB_ID", offsetof(struct job, array), sizeof(job->array) },
		{ "SLURM_ARRAY_TASK_ID", offsetof(struct job, index), sizeof(job->index) },
		{ "SLURM_JOB_NAME", offsetof(struct job, name), sizeof(job->name) },
		{ "SLURM_CLUSTER_NAME", offsetof(struct job, cluster), sizeof(job->cluster) },
		{ "SLURMD_NODENAME", offsetof(struct job, node), sizeof(job->node) },
	};
	struct identifier_values values;
	const char *id;

	if (identifiers_read(identifiers, image->key.pid, image->key.start_ns, &values) < 0)
		return;
	id = identifiers_get(identifiers, &values, "SLURM_JOB_ID");
	if (*job->id && strcmp(job->id, id) != 0)
		return;
	if (!*job->id)
		set_unless(job->step, sizeof(job->step),
			   identifiers_get(identifiers, &values, "SLURM_STEP_ID"));
	for (size_t i = 0; *id && i < sizeof(texts) / sizeof(*texts); i++)
		set_unless((char *)job + texts[i].offset, texts[i].size,
			   identifiers_get(identifiers, &values, texts[i].name));
}

bool slurm_job(const struct exec_context *exec, const struct identifiers *identifiers,
	       struct job *ret)
{
	if (!read_parent(exec->image->parent.pid, ret))
		*ret = (struct job){ 0 };
	read_cgroup(exec->cgroup, ret);
	read_environment(identifiers, exec->image, ret);
	return *ret->id;
}
