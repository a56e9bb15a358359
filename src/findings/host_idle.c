/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/text.h"
#include "cost/price.h"
#include "findings/finder.h"
#include "findings/host_use.h"

static char *write_evidence(const struct subject *subject, const struct host_use *use)
{
	const struct finding_host *host = subject->host;
	struct evidence evidence;
	struct json *json = &evidence.json;
	evidence_begin(&evidence, subject);
	json_key(json, "up_ns");
	json_u64(json, use->up_ns);
	json_key(json, "tracked_ns");
	json_u64(json, use->tracked_ns);
	json_key(json, "idle_ns");
	json_u64(json, use->idle_ns);
	json_key(json, "longest_idle_ns");
	json_u64(json, use->longest_idle_ns);
	json_key(json, "tracked_cpu_ns");
	json_u64(json, host->tracked_cpu_ns);
	if (cost_is_known(host->usd_hour)) {
		json_key(json, "price_usd_hour");
		json_double(json, host->usd_hour);
		json_key(json, "idle_usd");
		json_double(json, use->idle_usd);
	}
	return evidence_end(&evidence);
}

static char *write_summary(const struct host_use *use, double share)
{
	char idle[32], up[32], *text = NULL;
	text_duration(use->idle_ns, idle, sizeof(idle));
	text_duration(use->up_ns, up, sizeof(up));
	if (use->tracked_ns == 0) {
		if (asprintf(&text, "It was up for %s and no tracked work used it.", up) < 0)
			return NULL;
	} else if (asprintf(&text,
			    "No tracked work used it for %s of the %s that it was up (%.0f %%).",
			    idle, up, share * 100) < 0) {
		return NULL;
	}
	return text;
}

static char *write_advice(const struct host_use *use)
{
	char longest[32], *text = NULL;
	text_duration(use->longest_idle_ns, longest, sizeof(longest));
	if (asprintf(&text,
		     "Stop it when nothing runs (its longest pause was %s), or give its work to a "
		     "host that is up anyway.",
		     longest) < 0)
		return NULL;
	return text;
}

static int find(const struct subject *subject, struct findings *ret)
{
	struct host_use use;
	int rc = host_use_make(subject->host, &use);
	if (rc != 0)
		return rc;
	double share = use.up_ns > 0 ? (double)use.idle_ns / (double)use.up_ns : 0;
	if (use.idle_ns < (uint64_t)threshold(HOST_IDLE) || share < threshold(HOST_IDLE_SHARE))
		return 0;
	bool warn = share >= threshold(HOST_WARN_SHARE);
	return finding_add(subject,
			   (struct finding){
				   .severity = warn ? FINDING_WARNING : FINDING_INFO,
				   .confidence = CONFIDENCE_HIGH,
				   .summary = write_summary(&use, share),
				   .evidence = write_evidence(subject, &use),
				   .advice = write_advice(&use),
				   .saves_usd = use.idle_usd,
				   .saves_s = -1,
			   },
			   ret);
}

const struct finder finder_host_idle = {
	.name = "host_idle",
	.subject = SUBJECT_HOST,
	.find = find,
};
