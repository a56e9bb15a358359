/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "../cost/chance.h"
#include "site.h"

/*
 * What happened on some machines, as a person would describe it; and what of it is waste. Stories
 * name all their things "sNNNNN-…", by which a finding leads to its story.
 */
struct story {
	const struct story_plan *plan;
	unsigned number;
	struct chance chance;
	struct site *site;
	/* When the waste begins, and when a sweep has to know: that much later. */
	int64_t onset_at, due_at;
	int64_t also_at; /* from when on plan->also is right; 0: from the onset on */
	int64_t early;   /* a finding may be so much earlier than due: the kind counts in hours */
	struct machine *machine; /* the main one; NULL: none */
};

struct story_plan {
	const char *kind; /* of the waste; NULL: all is well, there is none */
	const char *name;
	const char *also; /* further kinds that are right from the onset on; NULL: none */
	void (*make)(struct story *story);
	bool alone;  /* other stories of its site would be part of it */
	bool marked; /* in Tracer, as right: other tools do not know of it */
};

extern const struct story_plan STORIES_IDLE[], STORIES_LOW[], STORIES_GPU[], STORIES_SESSION[],
	STORIES_QUEUE[], STORIES_TASK[], STORIES_KEPT[], STORIES_CLOUD[]; /* each ends with {0} */

double story_share(struct story *story); /* from 0 to below 1 */
double story_between(struct story *story, double least, double most);
int64_t story_time(struct story *story, int64_t least, int64_t most);
bool story_chance(struct story *story, double share);
/* "s00012-NAME". */
const char *story_name(struct story *story, const char *name);
const char *story_user(struct story *story);
/* Puts the onset so that a sweep has to know within the time that is swept, after `patience`. */
int64_t story_onset(struct story *story, int64_t patience);
int64_t story_patience(const struct story *story, enum sweep_threshold threshold);

/* A machine of a provider, on for days, with daemons; it does nothing else yet. */
struct machine *story_machine(struct story *story, const char *name);
/* The same machine with other CPUs: its daemons take as much of them. */
void story_resize(struct machine *machine, double cpus);
/* It did tracked work on most of its CPUs, from its start to `until`: with pauses, but none in the
 * last so long, nor since an hour before the sweeps. */
void story_busy_until(struct story *story, struct machine *machine, int64_t until, int64_t lasts);
/* Until the end of the sweeps: for ever. */
void story_busy(struct story *story, struct machine *machine, int64_t since, int64_t until);
