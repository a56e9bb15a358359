/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_command.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

/* Of each scheduler: what it is called, and what ends idle workers for good. */
static const struct {
	const char *name, *advice;
} schedulers[WORKERS] = {
	[WORKER_SLURM] = { "Slurm",
			   "Drain it and stop it. Slurm's power saving (SuspendTime) stops nodes "
			   "that are idle by itself." },
	[WORKER_ECS] = { "ECS", "Drain it, and lower the least number of instances of its capacity "
				"provider, or the least vCPUs of its compute environment, to 0." },
	[WORKER_KUBERNETES] = { "Kubernetes",
				"Drain it and remove it. The cluster autoscaler removes nodes that "
				"are idle if their group may shrink." },
	[WORKER_OTHER] = { "its scheduler", "Take it out of its queue and stop it." },
};

/* Of others the daemon's name is all that is known. */
static const char *scheduler_of(const struct sweep_host *host)
{
	return host->worker == WORKER_OTHER && host_text_is_known(host->worker_name)
		       ? host->worker_name
		       : schedulers[host->worker].name;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_host *host,
			   const struct host_rest *rest)
{
	CLEANUP(freep) char *words = host_words(host);
	char lasted[32];

	text_duration((uint64_t)(input->now_at - rest->since_at), lasted, sizeof(lasted));
	if (!words)
		return NULL;
	return host_printf("%s takes jobs of %s, and has had none %s%s: its CPUs were busy for "
			   "%.1f %% on average.",
			   words, scheduler_of(host),
			   host->job_until ? "for " : "since it is up, for ", lasted,
			   rest->window.cpu * 100);
}

static char *write_evidence(const struct sweep_host *host, const struct host_rest *rest)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "worker",
			    host_text_is_known(host->worker_name) ? host->worker_name
								  : schedulers[host->worker].name);
	waste_evidence_i64(&evidence, "up_since_at", host->up_since);
	if (host->job_until > 0)
		waste_evidence_i64(&evidence, "job_until_at", host->job_until);
	host_window_evidence(&rest->window, &evidence);
	return waste_evidence_end(&evidence);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int64_t patience_ns = sweep_limit_ns(input, SWEEP_WORKER_PATIENCE_S);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->host_count; i++) {
		const struct sweep_host *host = &input->hosts[i];
		int64_t busy_until =
			host->job_until > host->used_until ? host->job_until : host->used_until;
		struct host_rest rest;
		struct waste waste;

		if (host->worker == WORKER_NONE || !host_is_concerned(finder, input, host) ||
		    !host_is_at_rest(input, host, busy_until, patience_ns, &rest))
			continue;
		waste = host_waste(host);
		waste.since_at = rest.since_at;
		waste.summary = write_summary(input, host, &rest);
		waste.evidence = write_evidence(host, &rest);
		waste.advice = host_copy(schedulers[host->worker].advice);
		waste.command = host_drain_command(host);
		rc = waste_add(finder, input, waste, ret);
	}
	return rc;
}

extern const struct waste_finder waste_worker_idle;
const struct waste_finder waste_worker_idle = {
	.name = "worker_idle",
	.title = "Worker without jobs",
	.find = find,
};
