/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/batch_job.h"

#include "base/text.h"
#include "correlate/command/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where batch systems put a job's script, by their manuals: Grid Engine sge_conf(5)
 * (execd_spool_dir), sge_shepherd(8); OpenPBS and Torque mom_priv/jobs; LSF's ~/.lsbatch. The id is
 * what the file is called, less an ending.
 */
static const struct spool {
	const char *system, *folder;
	const char *ending; /* NULL: none */
	bool dated;         /* "TIME.ID" */
} spools[] = {
	{ "sge", "/job_scripts/", NULL, false },
	{ "pbs", "/mom_priv/jobs/", ".SC", false },
	{ "lsf", "/.lsbatch/", ".shell", true },
	{ "lsf", "/.lsbatch/", NULL, true },
};

/* The name of the file in such a folder; 0: it lies elsewhere. */
static size_t id_in(const struct spool *spool, const char *path, const char **ret)
{
	const char *base = text_basename(path);
	size_t folder = strlen(spool->folder), len = strlen(base);
	size_t ending = spool->ending ? strlen(spool->ending) : 0;

	if ((size_t)(base - path) < folder || len <= ending ||
	    strncmp(base - folder, spool->folder, folder) != 0)
		return 0;
	if (ending && strcmp(base + len - ending, spool->ending) != 0)
		return 0;
	len -= ending;
	if (spool->dated) {
		size_t digits = strspn(base, "0123456789");

		if (!digits || base[digits] != '.')
			return 0;
		base += digits + 1;
		len -= digits + 1;
	}
	*ret = base;
	return isdigit((unsigned char)*base) ? len : 0;
}

/* A call that Cromwell's server started, or another machine's Cromwell. */
static bool cromwell_job(const char *path, struct batch_job *ret)
{
	struct batch_call call;

	if (!batch_call_of(path, &call))
		return false;
	ret->system = "cromwell";
	memcpy(ret->id, call.id, sizeof(ret->id));
	memcpy(ret->pipeline, call.workflow, sizeof(ret->pipeline));
	return true;
}

bool batch_job_of(const char *path, struct batch_job *ret)
{
	for (size_t i = 0; i < sizeof(spools) / sizeof(*spools); i++) {
		const char *id;
		size_t len = id_in(&spools[i], path, &id);

		if (!len)
			continue;
		ret->system = spools[i].system;
		ret->pipeline[0] = '\0';
		name_copy(id, len, ret->id, sizeof(ret->id));
		return true;
	}
	return cromwell_job(path, ret);
}

/* The component before one; NULL: there is none. */
static const char *before(const char *path, const char *at)
{
	if (at <= path + 1)
		return NULL;
	for (at--; at > path && at[-1] != '/';)
		at--;
	return at;
}

/* The innermost component that begins so; NULL: none. */
static const char *innermost(const char *path, const char *prefix)
{
	const char *found = NULL;

	for (const char *at = path; (at = strstr(at, prefix)); at++)
		found = at + 1;
	return found;
}

bool batch_call_of(const char *path, struct batch_call *ret)
{
	const char *call = innermost(path, "/call-"), *id = call ? before(path, call) : NULL;
	const char *workflow = id ? before(path, id) : NULL;
	const char *rest = call ? call + strcspn(call, "/") : "";
	size_t len;

	if (!workflow || strcspn(id, "/") != 36)
		return false;
	*ret = (struct batch_call){ .attempt = 1 };
	if (text_starts_with(rest, "/shard-")) {
		len = strcspn(rest + 1, "/");
		name_copy(rest + 1, len, ret->shard, sizeof(ret->shard));
		rest += 1 + len;
	}
	if (text_starts_with(rest, "/attempt-")) {
		ret->attempt = (uint32_t)strtoul(rest + strlen("/attempt-"), NULL, 10);
		rest += 1 + strcspn(rest + 1, "/");
	}
	if (!text_starts_with(rest, "/execution/script"))
		return false;
	name_copy(workflow, strcspn(workflow, "/"), ret->workflow, sizeof(ret->workflow));
	name_copy(id, 36, ret->id, sizeof(ret->id));
	call += strlen("call-");
	name_copy(call, strcspn(call, "/"), ret->name, sizeof(ret->name));
	return true;
}
