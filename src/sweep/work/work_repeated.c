/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sweep/shell_quote.h"
#include "sweep/work/work_words.h"

#define HOUR_NS INT64_C(3600000000000)

/* What an hour of doing it again cost since that began, of a day at least. */
static int64_t price(const struct sweep_input *input, const struct sweep_repeat *repeat)
{
	int64_t lasted = input->now_at - repeat->since_at;

	if (repeat->wasted_nusd < 0)
		return -1;
	if (lasted < 24 * HOUR_NS)
		lasted = 24 * HOUR_NS;
	return (int64_t)((__int128)repeat->wasted_nusd * HOUR_NS / lasted);
}

static char *write_summary(const struct sweep_repeat *repeat)
{
	char wall[32], bytes[32], *text = NULL;

	text_duration((uint64_t)(repeat->wall_s * 1e9), wall, sizeof(wall));
	text_bytes(repeat->input_bytes, bytes, sizeof(bytes));
	return asprintf(
		       &text,
		       "%s ran %zu more %s (%s, last in %s) after %s had done the same in %s: %s%s%s "
		       "with the same arguments, on %s (%zu %s, %s). Together they took %s.",
		       *work_text(repeat->step) ? repeat->step : "The same work", repeat->tasks,
		       repeat->tasks == 1 ? "time" : "times", work_text(repeat->users),
		       work_text(repeat->run_name), work_text(repeat->first_user),
		       work_text(repeat->first_run), work_text(repeat->tool),
		       *work_text(repeat->version) ? " " : "", work_text(repeat->version),
		       repeat->same_files ? "the very same files"
					  : "files of the same names and sizes",
		       repeat->inputs, repeat->inputs == 1 ? "file" : "files", bytes, wall) < 0
		       ? NULL
		       : text;
}

static char *write_evidence(const struct sweep_repeat *repeat)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_i64(&evidence, "tasks", (int64_t)repeat->tasks);
	waste_evidence_number(&evidence, "wall_s", repeat->wall_s);
	waste_evidence_i64(&evidence, "inputs", (int64_t)repeat->inputs);
	waste_evidence_i64(&evidence, "input_bytes", (int64_t)repeat->input_bytes);
	waste_evidence_text(&evidence, "same_files", repeat->same_files ? "yes" : "not known");
	waste_evidence_text(&evidence, "same_output_bytes", repeat->same_outputs ? "yes" : "no");
	waste_evidence_text(&evidence, "rewritten", repeat->rewritten ? "yes" : "no");
	waste_evidence_text(&evidence, "tool", work_text(repeat->tool));
	waste_evidence_text(&evidence, "version", work_text(repeat->version));
	waste_evidence_text(&evidence, "first_run_id", work_text(repeat->first_run_id));
	waste_evidence_text(&evidence, "first_user", work_text(repeat->first_user));
	waste_evidence_text(&evidence, "users", work_text(repeat->users));
	return waste_evidence_end(&evidence);
}

/* What an engine has against it. */
static const struct {
	const char *engine, *command, *behind, *advice;
	bool by_step; /* the command names the step; else the pipeline */
} CACHES[] = {
	{ "nextflow", "nextflow run ", " -resume",
	  "Start the pipeline with -resume, from one folder (or with one work folder and cache for "
	  "all who run it): what is done is taken from there.",
	  false },
	{ "snakemake", "SNAKEMAKE_OUTPUT_CACHE=/SHARED/FOLDER snakemake --cache ", "",
	  "Let the users share the results of the step: Snakemake's cache between workflows keeps "
	  "them by inputs, parameters and software.",
	  true },
	{ "cwltool", "cwltool --cachedir /SHARED/FOLDER ", "",
	  "Give all runs one folder of results by --cachedir.", false },
	{ "miniwdl", "MINIWDL__CALL_CACHE__GET=true MINIWDL__CALL_CACHE__PUT=true miniwdl run ", "",
	  "Switch the call cache on, with a folder that all users share.", false },
};
#define CACHES_COUNT (sizeof(CACHES) / sizeof(CACHES[0]))

static size_t cache_of(const struct sweep_repeat *repeat)
{
	size_t i = 0;

	while (i < CACHES_COUNT && strcmp(CACHES[i].engine, work_text(repeat->engine)) != 0)
		i++;
	return i;
}

static char *write_command(const struct sweep_repeat *repeat)
{
	size_t i = cache_of(repeat);
	const char *name = i < CACHES_COUNT && CACHES[i].by_step ? repeat->step : repeat->pipeline;
	struct buffer text;

	if (i == CACHES_COUNT || !*work_text(name))
		return NULL;
	buffer_init(&text, 0);
	buffer_append_text(&text, CACHES[i].command);
	shell_name(&text, name);
	buffer_append_text(&text, CACHES[i].behind);
	char *command = buffer_take(&text);
	buffer_clear(&text);
	return command;
}

static const char *advice(const struct sweep_repeat *repeat)
{
	size_t i = cache_of(repeat);

	return i < CACHES_COUNT ? CACHES[i].advice
				: "Keep the first result where all who need it can read it.";
}

static bool is_waste(const struct waste_finder *finder, const struct sweep_input *input,
		     const struct sweep_repeat *repeat)
{
	return repeat->tasks > 0 && repeat->inputs > 0 &&
	       repeat->wall_s >= sweep_limit(input, SWEEP_REPEAT_WALL_S) &&
	       !sweep_policy_exempts(input->policy, &(struct sweep_concerns){
							    .kind = finder->name,
							    .user = repeat->users,
							    .pipeline = repeat->pipeline,
							    .labels = repeat->labels,
						    });
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->repeat_count; i++) {
		const struct sweep_repeat *repeat = &input->repeats[i];
		bool sure = repeat->same_files && repeat->same_outputs && !repeat->rewritten;

		if (!is_waste(finder, input, repeat))
			continue;
		rc = waste_add(finder, input,
			       (struct waste){
				       .subject = WASTE_STEP,
				       .id = work_copy(repeat->id),
				       .name = strdup(*work_text(repeat->step) ? repeat->step
									       : repeat->id),
				       .run_id = work_copy(repeat->run_id),
				       .task_id = work_copy(repeat->task_id),
				       .who = work_copy(repeat->users),
				       .since_at = repeat->since_at,
				       .nusd_hour = price(input, repeat),
				       .wasted_nusd = repeat->wasted_nusd,
				       .confidence = sure                ? CONFIDENCE_HIGH
						     : repeat->rewritten ? CONFIDENCE_LOW
									 : CONFIDENCE_MEDIUM,
				       .summary = write_summary(repeat),
				       .evidence = write_evidence(repeat),
				       .advice = strdup(advice(repeat)),
				       .command = write_command(repeat),
			       },
			       ret);
	}
	return rc;
}

extern const struct waste_finder waste_work_repeated;
const struct waste_finder waste_work_repeated = {
	.name = "work_repeated",
	.title = "Work done again",
	.find = find,
};
