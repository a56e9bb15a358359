/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_input.h"
#include "sweep/waste.h"

/*
 * What became of a waste that was found before and is not found now. Pure.
 */
enum waste_outcome {
	WASTE_OPEN,     /* not known yet: its host has been silent for a short time, or its account
			 * is not listed completely */
	WASTE_STOPPED,  /* what was paid for is gone: nothing is paid since */
	WASTE_ENDED,    /* the task, or the session, ended, and its host is up; or nothing is known
			 * any more */
	WASTE_USED,     /* it is there and works again, or is used otherwise */
	WASTE_SILENCED, /* it goes on, and an exemption leaves it out since */
	WASTE_REPLACED, /* it goes on as another one, which says more of why */
};

struct waste_past {
	const char *kind, *id;
	const char *host_id; /* "": none */
	enum waste_subject subject;
};

/* found: by sweep_find in this input; unexempted: without the policy's exemptions. *ret_ended_at:
 * when it ended, of all but WASTE_OPEN; of WASTE_REPLACED since when the other one is. */
enum waste_outcome sweep_outcome(const struct sweep_input *input, const struct wastes *found,
				 const struct wastes *unexempted, const struct waste_past *past,
				 int64_t *ret_ended_at);
/* "stopped", "ended", "used", "silenced", "replaced"; "" of WASTE_OPEN. */
const char *waste_outcome_name(enum waste_outcome outcome);

/* How long a saving is counted, from the end of a waste on. */
#define WASTE_SAVING_NS ((int64_t)30 * 86400 * 1000 * 1000 * 1000)
