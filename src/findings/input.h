/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/budget/budget.h"

/*
 * The input of all finders: plain structs that the caller fills from the lake's queries
 * (server/findings/finding_input.c). 0, "" or NULL is "unknown" everywhere.
 */
struct finding_task {
	const char *id, *step, *name;
	bool ended;     /* with a known end; the use of a running task is not complete */
	bool succeeded; /* others count for what they used, and get no advice to request less */
	double cpus_requested;
	uint64_t memory_requested_bytes;
	const char *requested_by;   /* as in signal.proto: "tracer run", "cgroup" */
	uint64_t memory_peak_bytes; /* an upper bound */
	uint64_t cpu_ns, wall_ns;
	double host_cpus; /* of the host it ran on */
	uint64_t host_memory_bytes;
	double host_usd_hour;
};

/* The tasks of a run that have one step (findings/steps.h). */
struct step_size;
struct finding_step {
	const char *name;
	const struct finding_task *const *tasks;
	size_t count;
	const struct step_size *size; /* by the history of its pipeline; NULL: there is none */
};

struct finding_run {
	const char *id, *name;
	const char *engine; /* "snakemake", "tracer run", …: advice is in its words */
	const char *status; /* runs.status */
	int exit_code, signal;
	int64_t started_at, ended_at; /* ended_at: now while it runs */
	uint64_t wall_ns;
	double cost_usd; /* < 0: not known */
};

struct finding_budget {
	const char *name;
	const char *key, *value; /* "pipeline", "user", "cost_centre", "label:KEY"; a pattern */
	int64_t nusd_month;
	struct budget_forecast forecast;
};

/* A list that is empty has no findings: a request about budgets has no run, no tasks and no steps.
 */
struct failure_facts;
struct slowness_facts;
struct usual_steps;

struct finding_input {
	const struct finding_run *run;         /* NULL: none */
	const struct failure_facts *failure;   /* NULL: none */
	const struct slowness_facts *slowness; /* NULL: none */
	const struct usual_steps *usual;       /* NULL: none */
	const struct finding_task *tasks;      /* of the run, any order */
	size_t task_count;
	const struct finding_step *steps; /* of the run */
	size_t step_count;
	const struct finding_budget *budgets;
	size_t budget_count;
};
