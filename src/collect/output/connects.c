/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/connects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "collect/output/record.h"
#include "collect/process/agent_clock.h"
#include "collect/process/process_table.h"

/* The parts of an event; addresses are at most PROBE_PEER_MAX long. */
struct parts {
	char path[PROBE_PEER_MAX + 8];
	char detail[96];
	char summary[640];
};

/* "curl (pid 12) could not connect to 192.0.2.1:443: Connection refused" */
static void fill(struct parts *ret, const struct probe_connect_failure *failure, const char *who)
{
	const char *name = strerrorname_np(failure->error);
	const char *words = strerrordesc_np(failure->error);
	char waited[64], times[48] = "";

	(void)snprintf(ret->path, sizeof(ret->path), "%s%s", failure->peer,
		       failure->udp ? "/udp" : "");
	if (failure->count > 1)
		(void)snprintf(times, sizeof(times), ", the last of %" PRIu32 " attempts",
			       failure->count);
	if (!failure->error) {
		text_duration(failure->waited_ns, waited, sizeof(waited));
		(void)snprintf(ret->detail, sizeof(ret->detail), "no answer in %s", waited);
		(void)snprintf(ret->summary, sizeof(ret->summary),
			       "%.300s gave up connecting to %s: no answer in %s%s", who, ret->path,
			       waited, times);
		return;
	}
	if (name)
		(void)snprintf(ret->detail, sizeof(ret->detail), "%s", name);
	else
		(void)snprintf(ret->detail, sizeof(ret->detail), "errno %d", failure->error);
	(void)snprintf(ret->summary, sizeof(ret->summary), "%.300s could not %s %s: %s%s", who,
		       failure->udp ? "reach" : "connect to", ret->path,
		       words ? words : ret->detail, times);
}

void connects_failed(const struct connects *connects, const struct probe_connect_failure *failure)
{
	const struct process *process = process_table_get(connects->processes, &failure->key);
	Signal__Event record = SIGNAL__EVENT__INIT;
	struct parts parts;
	char who[512];

	if (!process || process_is_noise(process) || !*attribution_run_id(&process->attribution))
		return;
	fill(&parts, failure, process_words(process, who, sizeof(who)));
	record.happened_at = agent_clock_real(connects->clock, failure->at_ns);
	record.kind = (char *)(uintptr_t) "connect_failed";
	record.code = failure->error;
	record.detail = parts.detail;
	record.path = parts.path;
	record.summary = parts.summary;
	record_process_event(connects->recorder, process, &record);
}
