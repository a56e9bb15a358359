/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/host_subject.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sweep/host/host_window.h"

char *host_copy(const char *text)
{
	return host_text_is_known(text) ? strdup(text) : NULL;
}

char *host_printf(const char *format, ...)
{
	va_list args;
	char *text;
	int rc;

	va_start(args, format);
	rc = vasprintf(&text, format, args);
	va_end(args);
	return rc < 0 ? NULL : text;
}

const char *host_name(const struct sweep_host *host)
{
	return host_text_is_known(host->hostname) ? host->hostname : host->id;
}

char *host_words(const struct sweep_host *host)
{
	bool typed = host_text_is_known(host->instance_type);

	if (!(host->cpus > 0))
		return typed ? host_printf("%s (%s)", host_name(host), host->instance_type)
			     : strdup(host_name(host));
	return host_printf("%s (%s%s%.0f CPU%s)", host_name(host), typed ? host->instance_type : "",
			   typed ? ", " : "", host->cpus, host->cpus == 1 ? "" : "s");
}

bool host_is_concerned(const struct waste_finder *finder, const struct sweep_input *input,
		       const struct sweep_host *host)
{
	const struct sweep_concerns concerns = {
		.kind = finder->name,
		.user = host->users,
		.hostname = host->hostname,
		.tags = host->tags,
	};

	return !host->by_design && sweep_host_is_fresh(input, host) &&
	       !sweep_policy_exempts(input->policy, &concerns);
}

int host_each(const struct waste_finder *finder, const struct sweep_input *input,
	      int (*find_on)(const struct waste_finder *finder, const struct sweep_input *input,
			     const struct sweep_host *host, struct wastes *ret),
	      struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->host_count; i++)
		if (host_is_concerned(finder, input, &input->hosts[i]))
			rc = find_on(finder, input, &input->hosts[i], ret);
	return rc;
}

struct waste host_waste(const struct sweep_host *host)
{
	return (struct waste){
		.subject = WASTE_HOST,
		.id = host_copy(host->id),
		.name = host_copy(host_name(host)),
		.host_id = host_copy(host->id),
		.who = host_copy(host->users),
		.nusd_hour = host->nusd_hour,
		.confidence = CONFIDENCE_HIGH,
	};
}

void host_window_evidence(const struct host_window *window, struct waste_evidence *evidence)
{
	waste_evidence_number(evidence, "covered_share", window->covered);
	waste_evidence_number(evidence, "cpu_share", window->cpu);
	waste_evidence_number(evidence, "cpu_peak_share", window->cpu_peak);
	if (window->memory_peak >= 0)
		waste_evidence_number(evidence, "memory_peak_share", window->memory_peak);
	waste_evidence_number(evidence, "disk_bytes_s", window->disk_bytes_s);
	waste_evidence_number(evidence, "net_bytes_s", window->net_bytes_s);
}
