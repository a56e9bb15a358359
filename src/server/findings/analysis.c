/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/analysis.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "findings/finders.h"
#include "server/findings/finding_input.h"
#include "server/query/process_key.h"
#include "server/query/run_cache.h"
#include "server/server.h"

static void hold(void *analysis)
{
	atomic_fetch_add(&((struct analysis *)analysis)->references, 1);
}

static void release(void *analysis)
{
	analysis_put(analysis);
}

const struct run_cache_kind ANALYSIS_CACHE = { 1000, 64 << 20, hold, release };

void analysis_put(struct analysis *analysis)
{
	if (!analysis || atomic_fetch_sub(&analysis->references, 1) > 1)
		return;
	findings_clear(&analysis->findings);
	verdict_clear(&analysis->verdict);
	map_free(analysis->outcomes);
	free(analysis);
}

static size_t weight_of(const struct analysis *analysis)
{
	size_t weight = sizeof(*analysis);

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		weight += sizeof(*finding) + strlen(finding->summary) + strlen(finding->evidence) +
			  strlen(finding->advice);
	}
	return weight + (analysis->outcomes ? map_count(analysis->outcomes) : 0) *
				sizeof(struct process_key);
}

static bool is_asked(const struct finding_input *input)
{
	for (size_t i = 0; i < input->task_count; i++)
		if (input->tasks[i].cpus_requested > 0 || input->tasks[i].memory_requested_bytes)
			return true;
	return false;
}

static int find(struct analysis *analysis, const struct finding_input *input)
{
	int rc = findings_find(input, &analysis->findings);

	if (rc)
		return rc;
	analysis->asked = is_asked(input);
	findings_order(input->run, &analysis->findings);
	return verdict_make(input->run, &analysis->findings, 0, NULL, &analysis->verdict);
}

static int make(struct analysis *analysis, struct server *server, const char *id, struct error *err)
{
	CLEANUP(finding_source_clear) struct finding_source source = { 0 };
	int rc = finding_source_of_run(server, id, &source, err);

	if (rc)
		return rc;
	rc = find(analysis, &source.input);
	return rc ? error_set(err, rc, "no memory for the findings of the run") : 0;
}

int analysis_get_stamped(struct analysis **ret, struct server *server, const char *id,
			 const struct run_stamp *stamp, struct error *err)
{
	uint64_t began_ns = clock_monotonic_ns();
	struct analysis *analysis = run_cache_get(server->analyses, id, stamp, began_ns);
	int rc;

	if (analysis) {
		*ret = analysis;
		return 0;
	}
	analysis = calloc(1, sizeof(*analysis));
	if (!analysis)
		return error_set(err, -ENOMEM, "out of memory");
	analysis->references = 1;
	rc = make(analysis, server, id, err);
	if (rc) {
		analysis_put(analysis);
		return rc;
	}
	run_cache_put(server->analyses, id, stamp, analysis, weight_of(analysis), began_ns);
	*ret = analysis;
	return 0;
}

int analysis_get(struct analysis **ret, struct server *server, const char *id, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("limit", 1) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	struct run_stamp stamp = { 0 };
	int rc = QUERY(server, "run_stamps", params, &rows, err);

	if (rc)
		return rc;
	if (!store_next(rows))
		return error_set(err, -ENOENT, "the run is gone");
	stamp = (struct run_stamp){ row_i64(rows, "stamp"), row_bool(rows, "open") };
	return analysis_get_stamped(ret, server, id, &stamp, err);
}
