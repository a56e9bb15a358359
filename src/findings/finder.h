/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "findings/input.h"
#include "findings/threshold.h"
#include "signal/finding.h"

/*
 * A finder judges one subject and adds at most one finding about it. Each is a file of this folder
 * (NOUN.c) that defines `const struct finder finder_NOUN`, and a line in finders.c.
 */
enum subject_kind { SUBJECT_TASK, SUBJECT_STEP, SUBJECT_RUN, SUBJECT_BUDGET };

/* Of the four the one of the finder's kind is set; of a task, step or run also the run. */
struct subject {
	const struct finder *finder;
	const struct finding_run *run;
	const struct finding_task *task;
	const struct finding_step *step;
	const struct finding_budget *budget;
};

struct finder {
	const char *name; /* the kind of its findings: "memory_overrequested" */
	enum subject_kind subject;
	/* 0, also where nothing is found; else an error of finding_add or -ENOMEM. */
	int (*find)(const struct subject *subject, struct findings *ret);
};

/* Adds a finding, with the kind of the finder and the text of the subject ("step NAME"). Takes the
 * texts. Errors as of findings_add. */
int finding_add(const struct subject *subject, struct finding finding, struct findings *ret);

/* The evidence: an object that begins with what identifies the subject. The finder adds its figures
 * in between. */
struct evidence {
	struct buffer out;
	struct json json;
};
void evidence_begin(struct evidence *evidence, const struct subject *subject);
/* The text of the object, owned by the caller; NULL: no memory. */
char *evidence_end(struct evidence *evidence);
