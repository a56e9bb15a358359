/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep_outcome.h"

#include <string.h>

#include "sweep/finder.h"
#include "sweep/sweep_supersede.h"

static enum waste_outcome of_task(const struct sweep_input *input, const char *id)
{
	for (size_t i = 0; i < input->task_count; i++)
		if (strcmp(input->tasks[i].id, id) == 0)
			return WASTE_USED;
	return WASTE_ENDED;
}

static enum waste_outcome of_session(const struct sweep_input *input, const char *id)
{
	for (size_t i = 0; i < input->session_count; i++)
		if (strcmp(input->sessions[i].run_id, id) == 0)
			return WASTE_USED;
	return WASTE_ENDED;
}

static enum waste_outcome of_listed(enum sweep_listed listed, bool by_design)
{
	static const enum waste_outcome OUTCOMES[] = {
		[SWEEP_LISTED] = WASTE_USED,
		[SWEEP_GONE] = WASTE_STOPPED,
		[SWEEP_UNKNOWN] = WASTE_OPEN,
	};

	return listed == SWEEP_LISTED && by_design ? WASTE_SILENCED : OUTCOMES[listed];
}

/* One of which nothing was listed for a month is not kept: whether it was stopped is not known, and
 * nothing is saved. */
static enum waste_outcome of_machine(const struct sweep_input *input, const char *id)
{
	for (size_t i = 0; i < input->machine_count; i++)
		if (strcmp(input->machines[i].id, id) == 0)
			return of_listed(input->machines[i].listed, input->machines[i].by_design);
	return WASTE_ENDED;
}

static enum waste_outcome of_volume(const struct sweep_input *input, const char *id)
{
	for (size_t i = 0; i < input->volume_count; i++)
		if (strcmp(input->volumes[i].id, id) == 0)
			return of_listed(input->volumes[i].listed, input->volumes[i].by_design);
	return WASTE_ENDED;
}

/* What became of each subject, where its host (if it has one) is up; NULL: it is used. */
static enum waste_outcome (*const SUBJECTS[])(const struct sweep_input *input, const char *id) = {
	[WASTE_HOST] = NULL,          [WASTE_GPU] = NULL,         [WASTE_TASK] = of_task,
	[WASTE_RUN] = of_session,     [WASTE_STEP] = NULL,        [WASTE_FOLDER] = NULL,
	[WASTE_MACHINE] = of_machine, [WASTE_VOLUME] = of_volume,
};

static bool is_found(const struct wastes *wastes, const struct waste_past *past)
{
	for (size_t i = 0; i < wastes->count; i++)
		if (strcmp(wastes->items[i].kind, past->kind) == 0 &&
		    strcmp(wastes->items[i].id, past->id) == 0)
			return true;
	return false;
}

/* Whether another one of its host explains it. */
static bool is_replaced(const struct sweep_input *input, const struct wastes *found,
			const struct waste_past *past, int64_t *ret_since_at)
{
	const struct sweep_host *host = sweep_host_find(input, past->host_id);

	for (size_t i = 0; host && i < found->count; i++) {
		const struct waste *waste = &found->items[i];

		if (sweep_is_explained(past->kind, waste) &&
		    waste_has_host(waste, past->host_id, (size_t)(host - input->hosts))) {
			*ret_since_at = waste->since_at;
			return true;
		}
	}
	return false;
}

/* Its host, where it is not up: since its last sample, if that was long enough ago, and could have
 * been followed by another one. */
static enum waste_outcome of_silent_host(const struct sweep_input *input,
					 const struct sweep_host *host, int64_t *ret_ended_at)
{
	int64_t silent_since =
		host->seen_at > input->heard_since ? host->seen_at : input->heard_since;

	if (input->now_at - silent_since < sweep_limit_ns(input, SWEEP_GONE_S))
		return WASTE_OPEN;
	*ret_ended_at = host->seen_at;
	return WASTE_STOPPED;
}

enum waste_outcome sweep_outcome(const struct sweep_input *input, const struct wastes *found,
				 const struct wastes *unexempted, const struct waste_past *past,
				 int64_t *ret_ended_at)
{
	const struct sweep_host *host = sweep_host_find(input, past->host_id);

	*ret_ended_at = input->now_at;
	if (is_replaced(input, found, past, ret_ended_at))
		return WASTE_REPLACED;
	if (is_found(unexempted, past) || (host && host->by_design))
		return WASTE_SILENCED;
	if (*past->host_id && !host)
		return WASTE_STOPPED;
	if (host && !sweep_host_is_fresh(input, host))
		return of_silent_host(input, host, ret_ended_at);
	return SUBJECTS[past->subject] ? SUBJECTS[past->subject](input, past->id) : WASTE_USED;
}

const char *waste_outcome_name(enum waste_outcome outcome)
{
	static const char *const NAMES[] = {
		[WASTE_OPEN] = "",     [WASTE_STOPPED] = "stopped",   [WASTE_ENDED] = "ended",
		[WASTE_USED] = "used", [WASTE_SILENCED] = "silenced", [WASTE_REPLACED] = "replaced",
	};

	return NAMES[outcome];
}
