/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_case.h"
#include "findings/failure/failure_words.h"
#include "signal/finding.h"

/*
 * What caused a failure. The kinds are a table in the order in which they are asked (causes.c);
 * each is a file of causes/, several that are alike share one. The first that finds something is
 * the cause.
 */
struct cause_kind;

struct cause {
	const struct cause_kind *kind;
	size_t process; /* which it struck */
	size_t culprit; /* of the failure that it was found for */
	int64_t at;     /* 0: not known */
	enum finding_confidence confidence;
	const struct failure_event *event; /* these, where the kind has them */
	const struct failed_open *open;
	const struct failure_task *other;
	int number;       /* an exit code, a signal, an errno */
	int64_t limit_ns; /* of time */
	const char *text; /* static, or of the facts */
	char address[256];
};

struct cause_kind {
	const char *name;
	/* Fills ret, in which process is the culprit, at its end and confidence that of the chain.
	 */
	bool (*find)(const struct failure_case *failure, struct cause *ret);
	/* Writes what goes on after the subject: " was killed …." */
	void (*tell)(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out);
	/* The same in a few words: " ran out of memory (limit 4.0 GiB)". */
	void (*headline)(const struct failure_case *failure, const struct cause *cause,
			 struct buffer *out);
	void (*evidence)(const struct failure_case *failure, const struct cause *cause,
			 struct json *json);
	void (*advise)(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out);
	/* What two failures must share to be one finding, besides the kind: a bit of each. */
	unsigned shared;
};

#define SHARED_STEP    1u
#define SHARED_TOOL    2u
#define SHARED_PATH    4u /* of event or open */
#define SHARED_SENDER  8u
#define SHARED_OTHER   16u
#define SHARED_NUMBER  32u
#define SHARED_ADDRESS 64u

extern const struct cause_kind cause_crash, cause_unknown_failure;

/* Always finds one: the last of the table is unknown_failure. */
void cause_find(const struct failure_case *failure, struct cause *ret);
/* Another cause that struck the same task or run, in a process that is not on the chain: false
 * where there is none. */
bool cause_find_other(const struct failure_case *failure, const struct cause *cause,
		      struct cause *ret);
/* What ended this process, whatever it meant. */
void cause_of_process(const struct failure_case *failure, size_t process, struct cause *ret);
