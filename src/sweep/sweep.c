/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "cost/price.h"

static const struct {
	uint64_t idle_ns;  /* less is how people work, not waste: a quarter of an hour to look at
			      a result and start the next run */
	double idle_share; /* of the time up; below it the host earns its keep */
	double warn_share; /* from here a smaller or a shorter-lived host would do */
} threshold = { .idle_ns = 15 * 60 * NS_PER_S, .idle_share = 0.2, .warn_share = 0.5 };

static int by_since(const void *a, const void *b)
{
	const struct sweep_interval *one = a, *other = b;
	return (one->since_at > other->since_at) - (one->since_at < other->since_at);
}

/* Sorted, without overlaps, none empty. Returns how many are left. */
static size_t unite(struct sweep_interval *list, size_t count)
{
	size_t kept = 0;
	if (count > 0)
		qsort(list, count, sizeof(*list), by_since);
	for (size_t i = 0; i < count; i++) {
		if (list[i].until_at <= list[i].since_at)
			continue;
		if (kept > 0 && list[i].since_at <= list[kept - 1].until_at) {
			if (list[i].until_at > list[kept - 1].until_at)
				list[kept - 1].until_at = list[i].until_at;
		} else {
			list[kept++] = list[i];
		}
	}
	return kept;
}

static struct sweep_interval *copy(const struct sweep_interval *list, size_t count)
{
	struct sweep_interval *mine = calloc(count + 1, sizeof(*mine));
	if (mine && count > 0)
		memcpy(mine, list, count * sizeof(*mine));
	return mine;
}

static void add_idle(struct sweep_use *use, int64_t since, int64_t until)
{
	uint64_t length = until > since ? (uint64_t)until - (uint64_t)since : 0;
	use->idle_ns += length;
	if (length > use->longest_idle_ns)
		use->longest_idle_ns = length;
}

/* Both lists united. Returns the cost of the idle time: of each interval the part that was idle, as
 * the bill has it (cost/allocation.h). */
static int64_t walk(const struct sweep_interval *up, size_t up_count,
		    const struct sweep_interval *used, size_t used_count, double usd_hour,
		    struct sweep_use *use)
{
	int64_t idle_nusd = 0;
	size_t next = 0;
	for (size_t i = 0; i < up_count; i++) {
		int64_t now = up[i].since_at, end = up[i].until_at;
		uint64_t length = (uint64_t)end - (uint64_t)now, idle_ns = use->idle_ns;
		use->up_ns += length;
		while (next < used_count && used[next].until_at <= now)
			next++;
		for (size_t k = next; k < used_count && used[k].since_at < end; k++) {
			add_idle(use, now, used[k].since_at);
			now = used[k].until_at < end ? used[k].until_at : end;
		}
		add_idle(use, now, end);
		idle_nusd += cost_part(cost_nusd(usd_hour, length), use->idle_ns - idle_ns, length);
	}
	use->tracked_ns = use->up_ns - use->idle_ns;
	return idle_nusd;
}

int sweep_host_use(const struct sweep_host *host, struct sweep_use *ret)
{
	CLEANUP(freep) struct sweep_interval *up = copy(host->up, host->up_count);
	CLEANUP(freep) struct sweep_interval *used = copy(host->used, host->used_count);
	struct sweep_use use = { .idle_usd = -1 };
	int64_t idle_nusd;
	if (!up || !used)
		return -ENOMEM;
	idle_nusd = walk(up, unite(up, host->up_count), used, unite(used, host->used_count),
			 host->usd_hour, &use);
	if (cost_is_known(host->usd_hour))
		use.idle_usd = cost_usd(idle_nusd);
	*ret = use;
	return 0;
}

static char *write_evidence(const struct sweep_host *host, const struct sweep_use *use)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct json json;
	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	json_key(&json, "host_id");
	json_text(&json, host->id);
	json_key(&json, "up_ns");
	json_u64(&json, use->up_ns);
	json_key(&json, "tracked_ns");
	json_u64(&json, use->tracked_ns);
	json_key(&json, "idle_ns");
	json_u64(&json, use->idle_ns);
	json_key(&json, "longest_idle_ns");
	json_u64(&json, use->longest_idle_ns);
	json_key(&json, "tracked_cpu_ns");
	json_u64(&json, host->tracked_cpu_ns);
	if (cost_is_known(host->usd_hour)) {
		json_key(&json, "price_usd_hour");
		json_double(&json, host->usd_hour);
		json_key(&json, "idle_usd");
		json_double(&json, use->idle_usd);
	}
	json_object_end(&json);
	return buffer_take(&out);
}

static char *write_summary(const struct sweep_use *use, double share)
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

static char *write_advice(const struct sweep_use *use)
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

static int add_finding(const struct sweep_host *host, const struct sweep_use *use, double share,
		       struct findings *ret)
{
	struct finding finding = {
		.kind = "host_idle",
		.severity = share >= threshold.warn_share ? FINDING_WARNING : FINDING_INFO,
		.summary = write_summary(use, share),
		.evidence = write_evidence(host, use),
		.advice = write_advice(use),
		.saves_usd = use->idle_usd,
		.saves_s = -1,
	};
	if (asprintf(&finding.subject, "host %s", host->hostname ? host->hostname : host->id) < 0)
		finding.subject = NULL;
	return findings_add(ret, finding);
}

int sweep_find(const struct sweep_host *hosts, size_t count, struct findings *ret)
{
	for (size_t i = 0; i < count; i++) {
		struct sweep_use use;
		int rc = sweep_host_use(&hosts[i], &use);
		if (rc != 0)
			return rc;
		double share = use.up_ns > 0 ? (double)use.idle_ns / (double)use.up_ns : 0;
		if (use.idle_ns < threshold.idle_ns || share < threshold.idle_share)
			continue;
		rc = add_finding(&hosts[i], &use, share, ret);
		if (rc != 0)
			return rc;
	}
	return 0;
}
