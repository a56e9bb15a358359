/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signal/finding.h"
#include "tune/diff/step_fact.h"

/*
 * Why a step took longer or less. A fact is named only where it differs, belongs to the factor that
 * most of the difference is of, and works in the direction of the difference. Pure.
 */
enum reason_kind {
	REASON_NONE,    /* there is hardly a difference */
	REASON_FACTOR,  /* the factor says it: a new step, more tasks, more input */
	REASON_FACT,    /* what differs */
	REASON_SPREAD,  /* its tasks differ as much within a run */
	REASON_UNKNOWN, /* the records show where the time went, but not why */
};

#define FACT_NONE SIZE_MAX

struct step_reason {
	enum reason_kind kind;
	enum diff_factor factor; /* with the largest part of the difference */
	int64_t ns;              /* this part */
	size_t fact;             /* of REASON_FACT, the number of the fact; else FACT_NONE */
	size_t second; /* of one that fits as well, about another subject; FACT_NONE: none */
	enum finding_confidence confidence;
};

#define STEP_REASON_NONE \
	((struct step_reason){ REASON_NONE, 0, 0, FACT_NONE, FACT_NONE, CONFIDENCE_LOW })

struct reason_case {
	const int64_t *factors; /* DIFF_FACTORS, of the difference */
	const struct step_fact *facts;
	size_t fact_count;
	bool spread; /* the tasks of one run differ among each other as much */
	bool clear;  /* so large a difference is hardly one by chance */
};

struct step_reason step_reason_find(const struct reason_case *of);
/* Static: the name in the API. */
const char *step_reason_key(enum reason_kind kind);
