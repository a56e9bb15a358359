/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/analysis.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "findings/failure/failure_analysis.h"
#include "findings/finders.h"
#include "findings/slowness/slowness.h"
#include "server/findings/analysis_document.h"
#include "server/findings/finding_input.h"
#include "server/query/process_key.h"
#include "server/query/run_cache.h"
#include "server/steps/run_expectation.h"
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
	for (size_t i = 0; i < analysis->process_count; i++)
		free(analysis->processes[i].host_id);
	free(analysis->processes);
	json_decref(analysis->document);
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
	return weight + analysis->process_count * 2 * sizeof(struct analysis_process);
}

static bool is_asked(const struct finding_input *input)
{
	for (size_t i = 0; i < input->task_count; i++)
		if (input->tasks[i].cpus_requested > 0 || input->tasks[i].memory_requested_bytes)
			return true;
	return false;
}

int analysis_make_room(struct analysis *analysis, size_t processes)
{
	analysis->outcomes = map_new(sizeof(struct process_key), processes + 1);
	analysis->processes = calloc(processes + 1, sizeof(*analysis->processes));
	analysis->process_room = processes;
	return analysis->outcomes && analysis->processes ? 0 : -ENOMEM;
}

int analysis_add_process(struct analysis *analysis, const char *host_id, int64_t pid,
			 int64_t start_ns, enum process_outcome outcome)
{
	struct process_key key = process_key(host_id, pid, start_ns);
	struct analysis_process *process = &analysis->processes[analysis->process_count];

	if (outcome == OUTCOME_FINE || analysis->process_count == analysis->process_room)
		return 0;
	*process = (struct analysis_process){ strdup(host_id), pid, start_ns, outcome };
	if (!process->host_id)
		return -ENOMEM;
	analysis->process_count++;
	return map_put(analysis->outcomes, &key, (void *)(uintptr_t)(1 + outcome));
}

static size_t count_outcomes(const struct failure_analysis *failures, size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += failures->outcomes[i] != OUTCOME_FINE;
	return found;
}

static int keep_outcomes(struct analysis *analysis, const struct failure_facts *facts)
{
	CLEANUP(failure_analysis_clear) struct failure_analysis failures = { 0 };
	size_t count = facts ? facts->process_count : 0;
	int rc = facts ? failure_analysis_make(facts, &failures) : 0;

	if (rc)
		return rc;
	if (facts)
		analysis->verdict.failed_tools = failure_analysis_failed_tools(&failures);
	rc = analysis_make_room(analysis, count ? count_outcomes(&failures, count) : 0);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		const struct failure_process *process = &facts->process_facts[i];

		rc = analysis_add_process(analysis, process->host_id, process->pid,
					  process->start_ns, failures.outcomes[i]);
	}
	return rc;
}

/* Which outcome makes an event of a kind one that was expected. Of the others none does. */
static const struct {
	const char *kind;
	bool fine, expected;
} EXPECTED_EVENTS[] = {
	{ "exit_failed", false, true }, { "killed", false, true },
	{ "exec_failed", true, true },  { "connect_failed", true, true },
	{ "open_failed", true, true },
};

bool analysis_is_expected(const struct analysis *analysis, const char *kind,
			  const struct process_key *process)
{
	uintptr_t known = (uintptr_t)map_get(analysis->outcomes, process);
	enum process_outcome outcome = known ? (enum process_outcome)(known - 1) : OUTCOME_FINE;

	for (size_t i = 0; i < sizeof(EXPECTED_EVENTS) / sizeof(EXPECTED_EVENTS[0]); i++)
		if (strcmp(EXPECTED_EVENTS[i].kind, kind) == 0)
			return (outcome == OUTCOME_FINE && EXPECTED_EVENTS[i].fine) ||
			       (outcome == OUTCOME_EXPECTED && EXPECTED_EVENTS[i].expected);
	return false;
}

/* What its wall time mostly was; NULL: not known. */
static const char *word_of(const struct finding_input *input)
{
	return input->slowness ? slowness_word(input->slowness) : NULL;
}

static int find(struct analysis *analysis, const struct finding_input *input)
{
	int rc = findings_find(input, &analysis->findings);

	if (rc)
		return rc;
	rc = keep_outcomes(analysis, input->failure);
	if (rc)
		return rc;
	analysis->asked = is_asked(input);
	findings_order(input->run, &analysis->findings);
	return verdict_make(input->run, &analysis->findings, analysis->verdict.failed_tools,
			    word_of(input), &analysis->verdict);
}

static int expect(struct analysis *analysis, const struct run_usual *usual)
{
	CLEANUP(run_expectation_clear) struct run_expectation expectation = { 0 };
	const struct remaining *run = &expectation.remaining.run;
	int rc = run_expectation_make(usual, analysis->made_at, &expectation);

	if (rc || !expectation.runs)
		return rc;
	analysis->expected.progress = run->progress;
	if (!run->known)
		return 0;
	analysis->expected = (struct analysis_end){
		.known = true,
		.low_at = analysis->made_at + (int64_t)run->low_ns,
		.end_at = analysis->made_at + (int64_t)run->median_ns,
		.high_at = analysis->made_at + (int64_t)run->high_ns,
		.progress = run->progress,
	};
	return 0;
}

struct analysis *analysis_new(void)
{
	struct analysis *analysis = calloc(1, sizeof(*analysis));

	if (!analysis)
		return NULL;
	analysis->references = 1;
	analysis->expected.progress = -1;
	return analysis;
}

static int make(struct analysis *analysis, struct server *server, const char *id, struct error *err)
{
	CLEANUP(finding_source_clear) struct finding_source source = { 0 };
	int rc = finding_source_of_run(server, id, &source, err);

	if (rc)
		return rc;
	analysis->made_at = clock_real_ns();
	analysis->cost = source.cost;
	analysis->costed = true;
	rc = find(analysis, &source.input);
	if (rc == 0 && source.usual.history.head)
		rc = expect(analysis, &source.usual);
	analysis->short_history = source.usual.steps.runs_missing > 0;
	return rc ? error_set(err, rc, "no memory for the findings of the run") : 0;
}

/* That of a settled run is stored. */
static int obtain(struct analysis **ret, struct server *server, const char *id, struct error *err)
{
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	int rc = analysis_document(ret, server, id, err);

	if (rc || *ret)
		return rc;
	analysis = analysis_new();
	if (!analysis)
		return error_set(err, -ENOMEM, "out of memory");
	rc = make(analysis, server, id, err);
	if (rc == 0)
		*ret = TAKE_PTR(analysis);
	return rc;
}

/* Of a run with this stamp, of which none is kept. */
static int make_kept(struct analysis **ret, struct server *server, const char *id,
		     const struct run_stamp *stamp, struct error *err)
{
	uint64_t began_ns = clock_monotonic_ns();
	struct analysis *analysis = NULL;
	int rc = obtain(&analysis, server, id, err);

	if (rc)
		return rc;
	run_cache_put(server->analyses, id, stamp, analysis, weight_of(analysis), began_ns);
	*ret = analysis;
	return 0;
}

int analysis_get_stamped(struct analysis **ret, struct server *server, const char *id,
			 const struct run_stamp *stamp, struct error *err)
{
	CLEANUP(analysis_putp)
	struct analysis *analysis =
		run_cache_get(server->analyses, id, stamp, clock_monotonic_ns());

	if (!analysis || analysis->end_alone)
		return make_kept(ret, server, id, stamp, err);
	*ret = TAKE_PTR(analysis);
	return 0;
}

/* The expected end of a run; *ret NULL: it does not run. */
static int make_end(struct analysis **ret, struct server *server, const char *id, struct error *err)
{
	CLEANUP(run_usual_clear) struct run_usual usual = { 0 };
	CLEANUP(analysis_putp) struct analysis *analysis = analysis_new();
	int rc = run_usual_read(server, id, HISTORY_OF_ANYONE, NULL, &usual, err);

	*ret = NULL;
	if (rc || strcmp(row_text(usual.history.head, "status"), "running") != 0)
		return rc;
	if (!analysis)
		return error_set(err, -ENOMEM, "out of memory");
	analysis->made_at = clock_real_ns();
	analysis->end_alone = true;
	rc = expect(analysis, &usual);
	if (rc)
		return error_set(err, rc, "no memory for the expected end of the run");
	*ret = TAKE_PTR(analysis);
	return 0;
}

int analysis_get_listed(struct analysis **ret, struct server *server, const char *id,
			const struct run_stamp *stamp, struct error *err)
{
	uint64_t began_ns = clock_monotonic_ns();
	struct analysis *analysis = run_cache_get(server->analyses, id, stamp, began_ns);
	int rc = 0;

	if (!analysis && stamp->open) {
		rc = make_end(&analysis, server, id, err);
		if (analysis)
			run_cache_put(server->analyses, id, stamp, analysis, weight_of(analysis),
				      began_ns);
	}
	if (rc == 0 && !analysis)
		return make_kept(ret, server, id, stamp, err);
	*ret = analysis;
	return rc;
}

struct analysis *analysis_last(struct server *server, const char *id, bool runs)
{
	CLEANUP(analysis_putp)
	struct analysis *analysis = run_cache_last(server->analyses, id);

	return analysis && analysis->end_alone && !runs ? NULL : TAKE_PTR(analysis);
}

static int read_stamp(struct server *server, const char *id, struct run_stamp *ret,
		      struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_I64("limit", 1) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "run_stamps", params, &rows, err);

	if (rc)
		return rc;
	if (!store_next(rows))
		return error_set(err, -ENOENT, "the run is gone");
	*ret = (struct run_stamp){ row_i64(rows, "stamp"), row_bool(rows, "open") };
	return 0;
}

int analysis_get(struct analysis **ret, struct server *server, const char *id, struct error *err)
{
	struct run_stamp stamp = { 0 };
	int rc = read_stamp(server, id, &stamp, err);

	return rc ? rc : analysis_get_stamped(ret, server, id, &stamp, err);
}

int analysis_get_again(struct analysis **ret, struct server *server, const char *id,
		       struct error *err)
{
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	struct run_stamp stamp = { 0 };
	int rc = read_stamp(server, id, &stamp, err);

	if (rc == 0)
		analysis = run_cache_get(server->analyses, id, &stamp, clock_monotonic_ns());
	if (rc)
		return rc;
	if (!analysis || analysis->short_history || analysis->end_alone)
		return make_kept(ret, server, id, &stamp, err);
	*ret = TAKE_PTR(analysis);
	return 0;
}
