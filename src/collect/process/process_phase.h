/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The phase of a process: what the lake was sent of the image that it runs, or ran last. One table
 * says which event leads from which phase to which (docs/design/states.md prints it); an event that
 * is not in it is a bug, which ends a debug build.
 */
enum process_phase {
	PHASE_BEGUN,    /* it is alive, and no record of this image was sent */
	PHASE_REPORTED, /* it is alive, and its record is as it was sent */
	PHASE_CHANGED,  /* it is alive, and its record is to be sent again */
	PHASE_ENDED,    /* it has ended, with a record that is final */
	PHASE_UNPLACED, /* it has ended; its run or task was not final in its record */
	PROCESS_PHASES
};

enum process_event {
	EVENT_CHANGE,   /* what its record says has changed, or it is to be sent again */
	EVENT_RECORD,   /* its record was sent, with the ids of its run and task, or with none */
	EVENT_UNPLACED, /* its record was sent while its run or task was not final */
	EVENT_IMAGE,    /* an exec replaces its image: what follows is of the new one */
	EVENT_END,      /* it exited, was found to be gone, or is not tracked any more */
	PROCESS_EVENTS
};

/* The phase to which the event leads. One that is not in the table: the phase stays, and a debug
 * build aborts. */
enum process_phase process_phase_next(enum process_phase phase, enum process_event event);
/* Whether the event is in the table. */
_Bool process_phase_allows(enum process_phase phase, enum process_event event);
/* As in docs/design/states.md. */
const char *process_phase_name(enum process_phase phase);
const char *process_event_name(enum process_event event);
