/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/cause.h"

/* All kinds, in the order in which they are asked: what the kernel or another process did to it
 * before what it did itself, and an event before an exit code. */
#define CAUSES(CAUSE)            \
	CAUSE(spot_interruption) \
	CAUSE(out_of_memory)     \
	CAUSE(stopped_by_engine) \
	CAUSE(time_limit)        \
	CAUSE(crash)             \
	CAUSE(killed)            \
	CAUSE(command_not_found) \
	CAUSE(disk_full)         \
	CAUSE(io_error)          \
	CAUSE(name_not_resolved) \
	CAUSE(connection_failed) \
	CAUSE(permission_denied) \
	CAUSE(file_missing)      \
	CAUSE(broken_pipe)       \
	CAUSE(output_missing)    \
	CAUSE(exit_code)         \
	CAUSE(unknown_failure)

#define DECLARE(name) extern const struct cause_kind cause_##name;
#define ENTRY(name)   &cause_##name,

CAUSES(DECLARE)
static const struct cause_kind *const kinds[] = { CAUSES(ENTRY) };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static enum finding_confidence confidence_of(const struct blame_chain *chain)
{
	static const enum finding_confidence confidences[] = {
		[BLAME_LOW] = CONFIDENCE_LOW,
		[BLAME_MEDIUM] = CONFIDENCE_MEDIUM,
		[BLAME_HIGH] = CONFIDENCE_HIGH,
	};

	return confidences[chain->confidence];
}

void cause_find(const struct failure_case *failure, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	for (size_t i = 0; i < KINDS; i++) {
		*ret = (struct cause){
			.kind = kinds[i],
			.process = failure->culprit,
			.culprit = failure->culprit,
			.at = culprit ? culprit->ended_at : case_ended_at(failure),
			.confidence = confidence_of(&failure->chain),
		};
		if (kinds[i]->find(failure, ret))
			return;
	}
}

void cause_of_process(const struct failure_case *failure, size_t process, struct cause *ret)
{
	struct failure_case own = *failure;

	own.culprit = process;
	own.chain = (struct blame_chain){ .steps = { { .process = process } },
					  .count = 1,
					  .confidence = BLAME_HIGH,
					  .noted = PROCESS_NONE };
	cause_find(&own, ret);
}

static bool is_on_chain(const struct failure_case *failure, size_t process)
{
	if (process == failure->culprit || process == failure->chain.noted)
		return true;
	for (size_t i = 0; i < failure->chain.count; i++)
		if (failure->chain.steps[i].process == process)
			return true;
	return false;
}

bool cause_find_other(const struct failure_case *failure, const struct cause *cause,
		      struct cause *ret)
{
	const struct failure_facts *facts = failure->facts;

	for (size_t i = 0; i < facts->event_count; i++) {
		const struct failure_event *event = &facts->events[i];

		if (event->kind != EVENT_OOM_KILL && event->kind != EVENT_DISK_FULL &&
		    event->kind != EVENT_IO_ERROR)
			continue;
		if (event == cause->event || is_on_chain(failure, event->process) ||
		    event->process == cause->process ||
		    failure->outcomes[event->process] == OUTCOME_EXPECTED ||
		    !case_contains(failure, event->process))
			continue;
		cause_of_process(failure, event->process, ret);
		return ret->event == event && ret->kind != cause->kind;
	}
	return false;
}
