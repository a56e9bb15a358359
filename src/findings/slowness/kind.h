/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "findings/slowness/slowness_facts.h"
#include "signal/finding.h"

/*
 * A kind of slowness: what limits a run. Each is a file of this folder (NAME.c) that defines `const
 * struct slow_kind slow_kind_NAME`, and a line of slowness.c.
 */
struct slow_group;

/* What the words of a finding say. Texts are owned by the finding. */
struct slow_words {
	char *summary, *advice, *headline;
	enum finding_confidence confidence;
};

struct slow_kind {
	const char *name;
	bool by_step;     /* it is in the work itself: each step has a finding of its own */
	bool is_ordinary; /* it may be meant: never a warning */
	/* By how much the run would be shorter without it, of this link. */
	double (*lost_ns)(const struct slowness_facts *facts, const struct slow_link *link);
	/* Of all links of the group; NULL: the sum. < 0: it is not known; 0: no finding. */
	double (*saves_ns)(const struct slow_group *group);
	int (*write)(const struct slow_group *group, struct slow_words *ret); /* 0, or -ENOMEM */
	void (*evidence)(const struct slow_group *group, struct json *json);  /* its figures */
};

/* The links of a run for which a kind of slowness has the same thing to say. */
struct slow_group {
	const struct slowness_facts *facts;
	const struct slow_kind *kind;
	const char *step; /* NULL: several */
	double lost_ns, saves_ns;
	double span_ns, assumed_ns;     /* of the links */
	const struct slow_link **links; /* those that lost something, by time */
	size_t count;
	const struct slow_link *most; /* that lost most */
};

/* The task of a link; that of the engine where it is of none. Never NULL. */
const struct slow_task *slow_task_of(const struct slowness_facts *facts,
				     const struct slow_link *link);
/* NULL: not known. */
const struct slow_host *slow_host_of(const struct slowness_facts *facts,
				     const struct slow_link *link);
const struct slow_cgroup *slow_cgroup_of(const struct slowness_facts *facts,
					 const struct slow_link *link);
/* Whether a step is that of the group, or of a link of it. */
bool slow_is_of(const struct slow_group *group, const char *step);
/* The tool of the group with most of a figure; "": not known. */
#define SLOW_FIGURE_AT(name) offsetof(struct slow_figures, name)
const struct slow_tool *slow_tool_of(const struct slow_group *group, size_t figure);
/* The same within the step of a link: of a group of several steps the tool that its words name. */
const struct slow_tool *slow_most_of(const struct slowness_facts *facts,
				     const struct slow_link *link, size_t figure);
/* "`samtools index`", with the step where it is not named so; an owned text, NULL: no memory. */
char *slow_where(const struct slow_group *group, const struct slow_tool *tool);
/* Whether the threads of a link took turns under a lock (lock_contention.c). */
bool slow_takes_turns(const struct slowness_facts *facts, const struct slow_link *link);
/* A link of a run that hangs (stalled.c): it is not judged by its waits. */
bool slow_is_stuck(const struct slowness_facts *facts, const struct slow_link *link);
double slow_cpu_ns(const struct slow_figures *figures);
/* Sums of the tasks of the group's links (each once). */
struct slow_figures slow_sum(const struct slow_group *group);
