/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tune/diff/input_slope.h"
#include "tune/diff/step_side.h"

/*
 * What is not the same of a step in two runs, and may be why it took longer or less. Pure.
 */
enum step_fact_kind {
	FACT_RUNNABLE,
	FACT_SHARED_DISK,
	FACT_CPUS_REQUESTED,
	FACT_TOOLS,
	FACT_ARGUMENTS,
	FACT_HOST_TYPE,
	FACT_HOST_CPUS,
	FACT_HOST_MEMORY,
	FACT_MEMORY_REQUESTED,
	FACT_INPUT,
	FACT_FAILED,
	FACT_SLOTS,
	FACT_RUN_CPUS,
	FACT_BUSY_CPUS,
	STEP_FACTS,
};

enum fact_unit { FACT_TEXT, FACT_COUNT, FACT_BYTES, FACT_SHARE };

struct step_fact {
	enum step_fact_kind kind;
	const char *from_text, *to_text; /* of FACT_TEXT; their owner is the run */
	double from, to;                 /* of the other units */
	int toward;                      /* 1: it makes a step slower, -1: faster, 0: either */
	uint32_t explains;               /* factors, by DIFF_BIT */
};

/* Of both runs, by "from" and "to". */
struct fact_case {
	const struct diff_run *runs[2];
	const struct step_side *sides[2];
	const struct input_slope *slope;
};

/* Sets ret; how many there are. */
size_t step_facts_find(const struct fact_case *of, struct step_fact ret[STEP_FACTS]);

/* Static: the name in the API, and in words ("requested CPUs"). */
const char *step_fact_key(enum step_fact_kind kind);
const char *step_fact_words(enum step_fact_kind kind);
enum fact_unit step_fact_unit(enum step_fact_kind kind);
/* Facts of one subject are one cause: the type of the host and its CPUs. FACT_SYMPTOM: it follows
 * from a cause, and is named where no cause is found. */
#define FACT_SYMPTOM 0
unsigned step_fact_subject(enum step_fact_kind kind);
