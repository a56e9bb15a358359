/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_command.h"
#include "sweep/host/host_pauses.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

static char *write_summary(const struct sweep_input *input, const struct sweep_host *host,
			   const struct host_rest *rest)
{
	CLEANUP(freep) char *words = host_words(host);
	char lasted[32];

	text_duration((uint64_t)(input->now_at - rest->since_at), lasted, sizeof(lasted));
	if (!words)
		return NULL;
	return host_printf(
		"%s did nothing for %s: no tracked work used it%s, and its CPUs were busy for "
		"%.1f %% on average (%.1f %% in the busiest minute).",
		words, lasted, host->used_until ? "" : " since it is up", rest->window.cpu * 100,
		rest->window.cpu_peak * 100);
}

static char *write_evidence(const struct sweep_host *host, const struct host_rest *rest)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_i64(&evidence, "up_since_at", host->up_since);
	if (host->used_until > 0)
		waste_evidence_i64(&evidence, "used_until_at", host->used_until);
	host_window_evidence(&rest->window, &evidence);
	return waste_evidence_end(&evidence);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->host_count; i++) {
		const struct sweep_host *host = &input->hosts[i];
		struct host_rest rest;
		struct waste waste;

		if (!host_is_concerned(finder, input, host) ||
		    !host_is_at_rest(input, host, host->used_until,
				     host_idle_patience_ns(input, host), &rest))
			continue;
		waste = host_waste(host);
		waste.since_at = rest.since_at;
		waste.summary = write_summary(input, host, &rest);
		waste.evidence = write_evidence(host, &rest);
		waste.advice = host_copy("Stop it, and start it again when there is work for it.");
		waste.command = host_stop_command(host);
		rc = waste_add(finder, input, waste, ret);
	}
	return rc;
}

extern const struct waste_finder waste_host_idle;
const struct waste_finder waste_host_idle = {
	.name = "host_idle",
	.title = "Host idle",
	.find = find,
};
