/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_case.h"
#include "base/buffer.h"

/* Who sent a signal, as far as the event says. */
enum sender_kind {
	SENDER_UNKNOWN,
	SENDER_KERNEL,
	SENDER_SELF,
	SENDER_ENGINE,   /* a process of the run that is of no task, or its root */
	SENDER_RUN,      /* another process of the run */
	SENDER_PERSON,   /* a shell or `kill` outside of the run */
	SENDER_OUTSIDER, /* another program outside of the run */
};

/* event: EVENT_KILLED, or NULL. */
enum sender_kind sender_kind(const struct failure_case *failure, const struct failure_event *event);
/* The sender is the script that an engine wrote around the task, which ends its own commands when
 * it is asked to end, and then ends with 128 + that signal. Who asked is not in the records. */
bool sender_was_asked(const struct failure_case *failure, const struct failure_event *event);
/* "the user maria with `kill`", "Slurm (`slurmstepd`)", "its parent `bash`". */
void words_sender(struct buffer *out, const struct failure_case *failure,
		  const struct failure_event *event);
