/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/concerned.h"
#include "findings/request_advice.h"
#include "findings/step_sure.h"

#define MB 1000000.0

/* The highest peak of all that ended, failed ones too: they needed at least that. */
static uint64_t highest_peak(const struct finding_step *step)
{
	uint64_t peak = 0;
	for (size_t i = 0; i < step->count; i++)
		if (step->tasks[i]->ended && step->tasks[i]->memory_peak_bytes > peak)
			peak = step->tasks[i]->memory_peak_bytes;
	return peak;
}

/* By the history of the step. Where that is too short to be sure, a multiple of the most that was
 * seen, which is the larger the fewer tasks there were. */
static double wanted_bytes(const struct finding_step *step)
{
	const struct size_amount *memory = step->size ? &step->size->memory : NULL;
	double highest = (double)highest_peak(step);

	if (!memory || memory->highest <= 0)
		return highest * threshold(MEMORY_HEADROOM);
	if (memory->enough)
		return memory->advised;
	return fmax(memory->highest, highest) * size_caution(memory->tasks);
}

static void choose(const struct finding_step *step, uint64_t advised_bytes,
		   struct concerned *concerned)
{
	for (size_t i = 0; i < step->count; i++) {
		const struct finding_task *task = step->tasks[i];
		if (task->ended && task->succeeded && task->memory_peak_bytes > 0 &&
		    (double)task->memory_requested_bytes >=
			    threshold(MEMORY_OVER) * (double)advised_bytes &&
		    task->memory_requested_bytes >=
			    advised_bytes + (uint64_t)threshold(MEMORY_EXCESS))
			concerned->tasks[concerned->count++] = task;
	}
}

static const struct finding_task *greediest(const struct concerned *concerned)
{
	const struct finding_task *most = concerned->tasks[0];
	for (size_t i = 1; i < concerned->count; i++)
		if (concerned->tasks[i]->memory_requested_bytes > most->memory_requested_bytes)
			most = concerned->tasks[i];
	return most;
}

static uint64_t peak_of(const struct concerned *concerned)
{
	uint64_t peak = 0;
	for (size_t i = 0; i < concerned->count; i++)
		if (concerned->tasks[i]->memory_peak_bytes > peak)
			peak = concerned->tasks[i]->memory_peak_bytes;
	return peak;
}

static char *write_evidence(const struct subject *subject, const struct concerned *concerned,
			    uint64_t advised_bytes)
{
	struct evidence evidence;
	struct json *json = &evidence.json;
	step_evidence_begin(&evidence, subject, concerned);
	json_key(json, "memory_requested_bytes");
	json_u64(json, greediest(concerned)->memory_requested_bytes);
	json_key(json, "memory_peak_bytes");
	json_u64(json, peak_of(concerned));
	json_key(json, "memory_peak_bytes_of_step");
	json_u64(json, highest_peak(subject->step));
	json_key(json, "memory_advised_bytes");
	json_u64(json, advised_bytes);
	if (subject->step->size)
		step_sure_evidence(&subject->step->size->memory, json);
	return evidence_end(&evidence);
}

static char *write_summary(const struct finding_step *step, const struct concerned *concerned)
{
	char asked[32], used[32], *text = NULL;
	CLEANUP(freep) char *who = step_how_many(step, concerned);
	text_bytes(greediest(concerned)->memory_requested_bytes, asked, sizeof(asked));
	text_bytes(peak_of(concerned), used, sizeof(used));
	CLEANUP(freep) char *sure = step_sure_words(step->size ? &step->size->memory : NULL);

	if (!who || !sure ||
	    asprintf(&text, "%s asked for %s%s of memory and used at most %s.%s", who,
		     concerned->count > 1 ? "up to " : "", asked, used, sure) < 0)
		return NULL;
	return text;
}

static int find(const struct subject *subject, struct findings *ret)
{
	const struct finding_step *step = subject->step;
	CLEANUP(concerned_clear) struct concerned concerned = { 0 };
	double wanted = wanted_bytes(step);
	uint64_t megabytes =
		(uint64_t)(ceil(wanted / MB / threshold(MEMORY_STEP)) * threshold(MEMORY_STEP));
	uint64_t advised_bytes = (uint64_t)((double)megabytes * MB);
	int rc = concerned_make(&concerned, step);
	if (rc != 0)
		return rc;
	choose(step, advised_bytes, &concerned);
	if (concerned.count == 0)
		return 0;
	const struct finding_task *most = greediest(&concerned);
	bool warn = (double)most->memory_requested_bytes >=
			    threshold(MEMORY_WARN_OVER) * (double)advised_bytes &&
		    most->memory_requested_bytes >=
			    advised_bytes + (uint64_t)threshold(MEMORY_WARN_EXCESS);
	return finding_add(
		subject,
		(struct finding){
			.severity = warn ? FINDING_WARNING : FINDING_INFO,
			.confidence = step_sure_confidence(step->size ? &step->size->memory : NULL),
			.summary = write_summary(step, &concerned),
			.evidence = write_evidence(subject, &concerned, advised_bytes),
			.advice =
				memory_advice(subject->run->engine, most->requested_by, megabytes),
			.saves_usd = step_saving_usd(&concerned, 0, advised_bytes),
			.saves_s = -1,
		},
		ret);
}

const struct finder finder_step_memory = {
	.name = "memory_overrequested",
	.subject = SUBJECT_STEP,
	.find = find,
};
