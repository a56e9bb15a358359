/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

/* Since when it did not compute, and for the same work: who took it a minute ago loads data. */
static int64_t idle_since(const struct sweep_gpu *gpu)
{
	int64_t at = gpu->busy_until > gpu->since_at ? gpu->busy_until : gpu->since_at;

	return gpu->reserved && gpu->reserved_at > at ? gpu->reserved_at : at;
}

static bool is_idle(const struct sweep_input *input, const struct sweep_host *host,
		    const struct sweep_gpu *gpu)
{
	return gpu->known && gpu->since_at > 0 && host_text_is_known(gpu->uuid) &&
	       host_known_until(input, host) - idle_since(gpu) >=
		       sweep_limit_ns(input, SWEEP_GPU_PATIENCE_S);
}

static bool is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
			const struct sweep_host *host, const struct sweep_gpu *gpu)
{
	const struct sweep_concerns concerns = {
		.kind = finder->name,
		.user = gpu->user,
		.hostname = host->hostname,
		.labels = gpu->labels,
		.tags = host->tags,
	};

	return sweep_policy_exempts(input->policy, &concerns);
}

/* Where it is not known what of its host's price is the GPU's: an equal part for each GPU, the
 * most that it can be. */
static int64_t price(const struct sweep_host *host, const struct sweep_gpu *gpu)
{
	if (gpu->nusd_hour > 0)
		return gpu->nusd_hour;
	return host->nusd_hour < 0 ? -1 : host->nusd_hour / (int64_t)host->gpu_count;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_host *host,
			   const struct sweep_gpu *gpu)
{
	CLEANUP(freep) char *holder = NULL;
	char idle[32];

	text_duration((uint64_t)(input->now_at - idle_since(gpu)), idle, sizeof(idle));
	if (!gpu->reserved)
		holder = host_copy("No process has it open.");
	else
		holder = host_printf(
			"It is reserved by %s%s%s.",
			host_text_is_known(gpu->work) ? gpu->work : "a process that is not tracked",
			host_text_is_known(gpu->user) ? " of " : "",
			host_text_is_known(gpu->user) ? gpu->user : "");
	if (!holder)
		return NULL;
	return host_printf("The GPU %s of %s did not compute for %s. %s",
			   host_text_is_known(gpu->name) ? gpu->name : gpu->uuid, host_name(host),
			   idle, holder);
}

static char *write_evidence(const struct sweep_gpu *gpu)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "gpu", gpu->uuid);
	waste_evidence_text(&evidence, "gpu_name", gpu->name);
	waste_evidence_i64(&evidence, "known_since_at", gpu->since_at);
	if (gpu->busy_until > 0)
		waste_evidence_i64(&evidence, "busy_until_at", gpu->busy_until);
	if (gpu->reserved && gpu->reserved_at > 0)
		waste_evidence_i64(&evidence, "reserved_since_at", gpu->reserved_at);
	return waste_evidence_end(&evidence);
}

static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_host *host, const struct sweep_gpu *gpu, struct wastes *ret)
{
	struct waste waste = {
		.subject = WASTE_GPU,
		.id = host_copy(gpu->uuid),
		.name = host_printf("%s of %s",
				    host_text_is_known(gpu->name) ? gpu->name : gpu->uuid,
				    host_name(host)),
		.host_id = host_copy(host->id),
		.run_id = host_copy(gpu->run_id),
		.task_id = host_copy(gpu->task_id),
		.who = host_copy(host_text_is_known(gpu->user) ? gpu->user : host->users),
		.since_at = idle_since(gpu),
		.nusd_hour = price(host, gpu),
		.confidence = CONFIDENCE_HIGH,
		.summary = write_summary(input, host, gpu),
		.evidence = write_evidence(gpu),
		.advice = host_copy(gpu->reserved
					    ? "Ask for no GPU in this step, or end what holds it."
					    : "Move the work of this host to one without GPUs."),
	};

	if (gpu->reserved && gpu->pid > 1)
		waste.command = host_printf("kill %lld", (long long)gpu->pid);
	return waste_add(finder, input, waste, ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; i < input->host_count; i++) {
		const struct sweep_host *host = &input->hosts[i];

		if (host->by_design || !sweep_host_is_fresh(input, host))
			continue;
		for (size_t n = 0; rc == 0 && n < host->gpu_count; n++) {
			const struct sweep_gpu *gpu = &host->gpus[n];

			if (is_idle(input, host, gpu) && !is_exempted(finder, input, host, gpu))
				rc = add(finder, input, host, gpu, ret);
		}
	}
	return rc;
}

extern const struct waste_finder waste_gpu_idle;
const struct waste_finder waste_gpu_idle = {
	.name = "gpu_idle",
	.title = "GPU idle",
	.find = find,
};
