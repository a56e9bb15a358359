/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/failure/cause.h"

/* All that ran succeeded, and the engine failed: it did not find what a task was to make. */

/* Snakemake waits 5 s for outputs (--latency-wait), Nextflow not at all; both then end. */
#define SOON_NS (15 * NS_PER_S)

static bool checks_outputs(const char *engine)
{
	static const char *const engines[] = { "snakemake", "nextflow", "cwltool", "luigi",
					       "cromwell",  "miniwdl",  "toil",    NULL };

	return text_is_one_of(engine, engines);
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	const struct failure_run *run = &failure->facts->run;

	if (failure->task || run->status != PROCESS_FAILED || run->tasks_failed > 0 ||
	    !checks_outputs(run->engine) || failure->culprit != run->root ||
	    run->root == PROCESS_NONE || !run->last_task_ended_at)
		return false;
	if (run->ended_at - run->last_task_ended_at > SOON_NS)
		return false;
	ret->at = run->last_task_ended_at;
	ret->confidence = CONFIDENCE_LOW;
	return true;
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	const struct failure_run *run = &failure->facts->run;

	buffer_printf(out,
		      " ended with exit code %d although %s succeeded. The last one was %.200s; "
		      "nothing else failed. An engine ends like this when a task did not make an "
		      "output that it declares.",
		      run->exit_code, run->tasks == 1 ? "its one task" : "all of its tasks",
		      run->last_task);
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_printf(out, " failed after %.80s had succeeded (an output may be missing)",
		      failure->facts->run.last_task);
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	json_key(json, "exit_code");
	json_i64(json, failure->facts->run.exit_code);
	evidence_text(json, "last_task", failure->facts->run.last_task);
	evidence_text(json, "last_task_id", failure->facts->run.last_task_id);
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_printf(out,
		      "Compare the outputs that the step of %.200s declares with the files that it "
		      "wrote; the engine's own message names the output.",
		      failure->facts->run.last_task);
}

const struct cause_kind cause_output_missing = {
	.name = "output_missing",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
};
