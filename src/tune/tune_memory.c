/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tune/tune_step.h"

#define MB  1000000.0
#define MIB ((uint64_t)1 << 20)

static const struct {
	double headroom;       /* over the highest peak: samples differ; what Princeton's jobstats
				  advises, too */
	double step_mb;        /* requests are round figures */
	double over;           /* times what is advised: less is ordinary caution */
	uint64_t excess_bytes; /* smaller ones are not worth a person's time */
	double warn_over;      /* from here the request decides how many tasks fit on a host … */
	uint64_t warn_excess_bytes; /* … if it is big enough to */
} threshold = { .headroom = 1.2,
		.step_mb = 100,
		.over = 2,
		.excess_bytes = 256 * MIB,
		.warn_over = 4,
		.warn_excess_bytes = 1024 * MIB };

/* The highest peak of all that ended, failed ones too: they needed at least that. */
static uint64_t highest_peak(const struct tune_step *step)
{
	uint64_t peak = 0;
	for (size_t i = 0; i < step->count; i++)
		if (step->tasks[i]->ended && step->tasks[i]->memory_peak_bytes > peak)
			peak = step->tasks[i]->memory_peak_bytes;
	return peak;
}

static void choose(const struct tune_step *step, uint64_t advised_bytes,
		   struct tune_concerned *concerned)
{
	for (size_t i = 0; i < step->count; i++) {
		const struct tune_task *task = step->tasks[i];
		if (task->ended && task->succeeded && task->memory_peak_bytes > 0 &&
		    (double)task->memory_requested_bytes >=
			    threshold.over * (double)advised_bytes &&
		    task->memory_requested_bytes >= advised_bytes + threshold.excess_bytes)
			concerned->tasks[concerned->count++] = task;
	}
}

static const struct tune_task *greediest(const struct tune_concerned *concerned)
{
	const struct tune_task *most = concerned->tasks[0];
	for (size_t i = 1; i < concerned->count; i++)
		if (concerned->tasks[i]->memory_requested_bytes > most->memory_requested_bytes)
			most = concerned->tasks[i];
	return most;
}

static uint64_t peak_of(const struct tune_concerned *concerned)
{
	uint64_t peak = 0;
	for (size_t i = 0; i < concerned->count; i++)
		if (concerned->tasks[i]->memory_peak_bytes > peak)
			peak = concerned->tasks[i]->memory_peak_bytes;
	return peak;
}

static char *write_evidence(const struct tune_step *step, const struct tune_concerned *concerned,
			    uint64_t advised_bytes)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct json json;
	buffer_init(&out, 0);
	json_init(&json, &out, false);
	tune_evidence_begin(&json, step, concerned);
	json_key(&json, "memory_requested_bytes");
	json_u64(&json, greediest(concerned)->memory_requested_bytes);
	json_key(&json, "memory_peak_bytes");
	json_u64(&json, peak_of(concerned));
	json_key(&json, "memory_peak_bytes_of_step");
	json_u64(&json, highest_peak(step));
	json_key(&json, "memory_advised_bytes");
	json_u64(&json, advised_bytes);
	json_object_end(&json);
	return buffer_take(&out);
}

static char *write_summary(const struct tune_step *step, const struct tune_concerned *concerned)
{
	char asked[32], used[32], *text = NULL;
	CLEANUP(freep) char *who = tune_how_many(step, concerned);
	text_bytes(greediest(concerned)->memory_requested_bytes, asked, sizeof(asked));
	text_bytes(peak_of(concerned), used, sizeof(used));
	if (!who || asprintf(&text, "%s asked for %s%s of memory and used at most %s.", who,
			     concerned->count > 1 ? "up to " : "", asked, used) < 0)
		return NULL;
	return text;
}

int tune_memory(const struct tune_step *step, struct findings *ret)
{
	CLEANUP(tune_concerned_clear) struct tune_concerned concerned = { 0 };
	double wanted = (double)highest_peak(step) * threshold.headroom;
	uint64_t megabytes = (uint64_t)(ceil(wanted / MB / threshold.step_mb) * threshold.step_mb);
	uint64_t advised_bytes = (uint64_t)((double)megabytes * MB);
	int rc = tune_concerned_make(&concerned, step);
	if (rc != 0)
		return rc;
	choose(step, advised_bytes, &concerned);
	if (concerned.count == 0)
		return 0;
	const struct tune_task *most = greediest(&concerned);
	bool warn = (double)most->memory_requested_bytes >=
			    threshold.warn_over * (double)advised_bytes &&
		    most->memory_requested_bytes >= advised_bytes + threshold.warn_excess_bytes;
	return findings_add(
		ret, (struct finding){
			     .kind = "memory_overrequested",
			     .severity = warn ? FINDING_WARNING : FINDING_INFO,
			     .subject = tune_subject(step),
			     .summary = write_summary(step, &concerned),
			     .evidence = write_evidence(step, &concerned, advised_bytes),
			     .advice = tune_memory_advice(step, most->requested_by, megabytes),
			     .saves_usd = tune_saving_usd(&concerned, 0, advised_bytes),
			     .saves_s = -1,
		     });
}
