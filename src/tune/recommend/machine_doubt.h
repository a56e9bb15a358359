/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/machine.h"

/*
 * What is not known of how fast a machine is, compared with the one that was measured: as fast is
 * assumed, and the interval is wider. Pure.
 */
enum machine_doubt {
	DOUBT_MEASURED_UNKNOWN, /* what the measured machine was */
	DOUBT_ARCH,
	DOUBT_FAMILY,  /* another family or generation */
	DOUBT_CLOCK,   /* another clock in the same family */
	DOUBT_THREADS, /* a CPU is a core here and was a thread there, or the other way round */
	DOUBT_BURST,   /* of a burstable one: for how long it is as fast */
	MACHINE_DOUBTS
};

/* A bit for each. */
unsigned machine_doubts(const struct recommend_machine *measured,
			const struct recommend_machine *machine);
/* Standard deviation of the logarithm of the time that they add. */
double machine_doubt_spread(unsigned doubts);
/* A sentence. */
const char *machine_doubt_words(enum machine_doubt doubt);
