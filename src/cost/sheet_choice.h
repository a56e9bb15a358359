/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet.h"

/* What of a sheet is to be shown, and by which key. */
struct cost_policy;

struct sheet_choice {
	const char *by;    /* a name that sheet_key_find() knows */
	const char *label; /* by "label": the key of the label */
	/* Only what fits all of these; NULL: anything does. run, host, task: an id. */
	const char *pipeline, *run, *step, *user, *host, *sample, *task, *label_key, *label_value;
	const bool *readable;             /* by run: the others are left out; NULL: none is */
	bool points;                      /* by the buckets of the sheet, too */
	const struct cost_policy *policy; /* of cost centres; NULL: there are none */
};

/* What a key is a property of. */
enum sheet_level { SHEET_OF_RUN, SHEET_OF_TASK, SHEET_OF_HOST, SHEET_OF_TIME, SHEET_OF_TOOL };

struct sheet_key {
	const char *name;
	enum sheet_level level;
	/* The text, and the id ("" for none) of a run, task or host; owned by the sheet. */
	const char *(*of_run)(const struct sheet_run *run);
	const char *(*of_task)(const struct sheet_task *task);
	const char *(*of_host)(const struct sheet_host *host);
};

/* NULL: there is no such key. Their names for people are SHEET_KEYS_WORDS. */
#define SHEET_KEYS_WORDS                                                                       \
	"pipeline, run, step, task, tool, sample, user, host, instance, container, pod, day, " \
	"cost_centre or label:KEY"
const struct sheet_key *sheet_key_find(const char *name);

/* Of each run of the sheet: whether it is shown, and its key where that is of a run. -ENOMEM.
 * sheet_chosen_clear in any case. */
struct sheet_chosen {
	const struct sheet_key *key;
	bool *runs;
	char **keys; /* by run; NULL where the key is not of a run */
	size_t count;
};
int sheet_choose(const struct sheet *sheet, const struct sheet_choice *choice,
		 struct sheet_chosen *ret);
void sheet_chosen_clear(struct sheet_chosen *chosen);
/* "(snakemake itself)": the step of what is in no task. */
#define SHEET_ENGINE_SIZE 256
void sheet_engine_name(const struct sheet_run *run, char ret[SHEET_ENGINE_SIZE]);
/* Whether a task, of a run that is shown, is shown. */
bool sheet_chooses(const struct sheet *sheet, const struct sheet_choice *choice,
		   const struct sheet_task *task);
/* Whether something else than a host is chosen: then hosts as a whole are not. */
bool sheet_is_partial(const struct sheet_choice *choice);
