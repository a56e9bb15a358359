/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

void process_move(struct process *process, enum process_event event)
{
	process->phase = process_phase_next(process->phase, event);
}

bool process_is_alive(const struct process *process)
{
	return process->phase < PHASE_ENDED;
}

bool process_is_reported(const struct process *process)
{
	return process->phase == PHASE_REPORTED || process->phase == PHASE_CHANGED;
}

bool process_is_noise(const struct process *process)
{
	return process->own && !process->attribution.run;
}

int64_t process_ended_at(const struct process *process)
{
	if (process->ended_ns <= process->image_at_ns)
		return process->started_at;
	return process->started_at + (int64_t)(process->ended_ns - process->image_at_ns);
}

void process_seen(const struct process *process, struct counters *ret)
{
	counters_recall(process->seen ? process->seen : process->carried, ret);
}

int process_carry(struct process *process, const struct counters *carried)
{
	free(TAKE_PTR(process->sent));
	free(TAKE_PTR(process->seen));
	free(TAKE_PTR(process->carried));
	process->all_sent = false;
	return carried ? counters_keep(&process->carried, carried) : 0;
}

int process_see(struct process *process, const struct counters *now)
{
	struct kept *before = process->all_sent ? process->seen : NULL;

	if (before)
		process->seen = NULL;
	if (counters_keep(&process->seen, now) < 0) {
		if (before)
			process->seen = before;
		return -ENOMEM;
	}
	if (process->all_sent) {
		free(process->sent);
		process->sent = before;
		process->all_sent = false;
	}
	return 0;
}

bool process_sent(const struct process *process, struct counters *ret)
{
	const struct kept *sent = process->all_sent ? process->seen : process->sent;

	counters_recall(sent, ret);
	return sent;
}

void process_send(struct process *process)
{
	struct counters seen;

	if (!process->seen) { /* its image was not read yet */
		process_seen(process, &seen);
		process_see(process, &seen);
	}
	free(TAKE_PTR(process->sent));
	process->all_sent = true;
}
