/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * What tune and sweep conclude: a sentence a person can act on, with the figures it rests on. Texts
 * are owned by the finding (freed by findings_clear).
 */
enum finding_severity { FINDING_INFO, FINDING_WARNING, FINDING_CRITICAL };

/* How sure it is. High: the records show it; medium: it follows from them with one assumption; low:
 * nothing speaks against it. */
enum finding_confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

struct finding {
	const char *kind; /* static: "memory_overrequested", "out_of_memory" … */
	enum finding_severity severity;
	enum finding_confidence confidence;
	char *subject;  /* "step bwa mem | samtools sort", "budget rnaseq" */
	char *headline; /* a few words for lists and the verdict: "`salmon quant` was out of memory
			   (limit 4 GiB)"; NULL: none */
	char *summary;  /* one paragraph */
	char *evidence; /* a JSON object: figures with units in their names */
	char *advice;   /* what to do; ready to paste where it can be */
	double saves_usd, saves_s; /* < 0: unknown */
};

struct findings {
	struct finding *items;
	size_t count, capacity;
};

/* Appends a finding, taking the texts. -ENOMEM (texts are freed), -ENOSPC beyond 10,000. */
int findings_add(struct findings *findings, struct finding finding);
/* Removes the finding with this index; the others keep their order. */
void findings_remove(struct findings *findings, size_t index);
void findings_clear(struct findings *findings);
const char *finding_severity_name(enum finding_severity severity);
const char *finding_confidence_name(enum finding_confidence confidence);
