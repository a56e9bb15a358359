/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_phase.h"

#include <assert.h>
#include <stdint.h>

#include "base/log.h"

#define NOT_ALLOWED 0 /* else the phase and 1 */
#define TO(phase)   ((phase) + 1)

static const uint8_t transitions[PROCESS_PHASES][PROCESS_EVENTS] = {
	[PHASE_BEGUN] = { [EVENT_CHANGE] = TO(PHASE_BEGUN),
			  [EVENT_RECORD] = TO(PHASE_REPORTED),
			  [EVENT_UNPLACED] = TO(PHASE_REPORTED),
			  [EVENT_IMAGE] = TO(PHASE_BEGUN),
			  [EVENT_END] = TO(PHASE_ENDED) },
	[PHASE_REPORTED] = { [EVENT_CHANGE] = TO(PHASE_CHANGED),
			     [EVENT_RECORD] = TO(PHASE_REPORTED),
			     [EVENT_UNPLACED] = TO(PHASE_REPORTED),
			     [EVENT_IMAGE] = TO(PHASE_BEGUN),
			     [EVENT_END] = TO(PHASE_ENDED) },
	[PHASE_CHANGED] = { [EVENT_CHANGE] = TO(PHASE_CHANGED),
			    [EVENT_RECORD] = TO(PHASE_REPORTED),
			    [EVENT_UNPLACED] = TO(PHASE_REPORTED),
			    [EVENT_IMAGE] = TO(PHASE_BEGUN),
			    [EVENT_END] = TO(PHASE_ENDED) },
	/* An exec of a process that was taken to be gone: it is alive. */
	[PHASE_ENDED] = { [EVENT_RECORD] = TO(PHASE_ENDED),
			  [EVENT_UNPLACED] = TO(PHASE_UNPLACED),
			  [EVENT_IMAGE] = TO(PHASE_BEGUN) },
	[PHASE_UNPLACED] = { [EVENT_RECORD] = TO(PHASE_ENDED),
			     [EVENT_UNPLACED] = TO(PHASE_UNPLACED),
			     [EVENT_IMAGE] = TO(PHASE_BEGUN) },
};

_Bool process_phase_allows(enum process_phase phase, enum process_event event)
{
	return transitions[phase][event] != NOT_ALLOWED;
}

enum process_phase process_phase_next(enum process_phase phase, enum process_event event)
{
	if (!process_phase_allows(phase, event)) {
		log_error("a process that is %s cannot have the event %s",
			  process_phase_name(phase), process_event_name(event));
		assert(!"a transition that is not in the table");
		return phase;
	}
	return (enum process_phase)(transitions[phase][event] - 1);
}

const char *process_phase_name(enum process_phase phase)
{
	static const char *const names[PROCESS_PHASES] = { [PHASE_BEGUN] = "begun",
							   [PHASE_REPORTED] = "reported",
							   [PHASE_CHANGED] = "changed",
							   [PHASE_ENDED] = "ended",
							   [PHASE_UNPLACED] = "unplaced" };

	return names[phase];
}

const char *process_event_name(enum process_event event)
{
	static const char *const names[PROCESS_EVENTS] = { [EVENT_CHANGE] = "change",
							   [EVENT_RECORD] = "record",
							   [EVENT_UNPLACED] = "record, unplaced",
							   [EVENT_IMAGE] = "image",
							   [EVENT_END] = "end" };

	return names[event];
}
