/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/engine_slots.h"
#include "tune/replay/replay_run.h"

/*
 * What a measured run would have taken otherwise: on other cores, with less memory, with a step
 * made shorter, with as many slots as it has tasks. Its graph is simulated (replay_schedule.h),
 * first as it was: what that takes longer or shorter than the run did corrects every other answer,
 * and is a part of its uncertainty. Pure.
 */
#define WHATIF_TASKS_MAX 100000
#define WHATIF_STEPS_MAX 16 /* that are made shorter, and that are ranked */
#define WHATIF_NOTES_MAX 12
#define WHATIF_WORDS     200

struct whatif_step {
	const char *step;
	double factor; /* its tasks take this part of their time */
};

struct whatif_ask {
	double cores;        /* 0: as many as it had */
	double memory_bytes; /* 0: as much as tasks need at once */
	double slots;        /* 0: as its engine would set them */
	bool no_queue;       /* every task begins when its inputs are there */
	const struct whatif_step *steps;
	size_t step_count;
	const double *waits_ns; /* beside the run's tasks: added to their waits; NULL: none */
	bool brief;             /* without spans and gains */
};

/* Where the interval comes from: standard deviations of the logarithm of the wall time. */
struct whatif_spread {
	double runs;      /* the same work at another time */
	size_t runs_seen; /* earlier runs that this follows from; 0: from tasks of the same step */
	double calibration; /* the run replayed as it was */
	double unknown;     /* wall time of tasks of which it is not known what it was */
	double cores;       /* what is not known of how tasks scale */
};

struct whatif_span {
	double begin_ns, end_ns; /* since the run began */
};

/* What the run gains if this step takes half, on the cores that were asked for. */
struct whatif_gain {
	const char *step;
	size_t tasks;
	double saves_ns;
};

struct whatif {
	char refused[WHATIF_WORDS];                 /* why there is no answer; "": there is one */
	char notes[WHATIF_NOTES_MAX][WHATIF_WORDS]; /* what is assumed, and what is not known */
	size_t note_count;

	double measured_cores;
	bool cores_inferred;             /* from the use of CPUs: its host has more */
	double measured_ns, replayed_ns; /* the run; its replay on the same cores, uncorrected */
	double measured_slots;

	double cores, slots;             /* INFINITY: any number */
	double wall_ns, low_ns, high_ns; /* 90 % */
	double memory_peak_bytes;        /* of its tasks at once, at most */
	struct whatif_spread spread;
	struct whatif_span *spans; /* beside the run's tasks; both 0: it did not run */
	struct whatif_gain gains[WHATIF_STEPS_MAX]; /* the largest first */
	size_t gain_count;
};

/* The logarithm of what the replay of the run as it was is off. */
double whatif_off(const struct whatif *whatif);
/* Texts stay the run's. 0, also where the answer is refused; -ENOMEM. Freed by whatif_clear. */
int whatif_find(const struct replay_run *run, const struct whatif_ask *ask, struct whatif *ret);
void whatif_clear(struct whatif *whatif);
