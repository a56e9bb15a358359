/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "cost/cost_part.h"
#include "cost/interval.h"
#include "cost/split.h"

/*
 * Who pays for what in a time: hosts with their prices by time, what runs held of them, and what
 * that cost (cost/split.h), by task and bucket of time. Amounts are nano-dollars, instants are ns
 * since the epoch. Filled by sheet_fill.h; texts are owned by the sheet, "" is unknown.
 */
struct map;

enum sheet_bucket { SHEET_WINDOW, SHEET_HOUR, SHEET_DAY }; /* UTC */

struct sheet_price {                /* of a host */
	int64_t since_at, until_at; /* until_at: of billed ones; others hold until the next one */
	int64_t nusd_hour;
	const char *source;
	bool known;
};

struct sheet_host {
	char *id, *hostname, *provider, *region, *zone, *instance_type, *instance_id, *account_id,
		*purchase;
	struct cost_host machine;
	double cpus; /* 0: unknown */
	uint64_t memory_bytes;
	struct sheet_price *prices; /* by time */
	struct sheet_price *bills;  /* of the provider's bill, by time: these go first */
	size_t price_count, bill_count;
	/* filled in by the split: in this time at all, all of it priced, some of it by the bill */
	bool up, priced, billed;
	int64_t up_ns, whole_nusd, unallocated_nusd;
	size_t last_up; /* of its intervals + 1 */
};

struct sheet_run {
	char *id, *name, *pipeline, *user, *engine, *cwd;
	char *labels;  /* a JSON object */
	uint64_t hash; /* of its id: the same in every process */
};

struct sheet_task { /* of a run on a host */
	size_t host, run;
	uint64_t hash; /* of the ids of its run and its own */
	char *id;      /* "": what is in no task: the engine */
	char *name;
	const char *step, *sample, *container, *pod; /* equal texts are one */
	int64_t input_bytes;                         /* < 0: unknown */
	uint64_t cpu_ns;                             /* the part within the time */
	size_t first_tool;                           /* SIZE_MAX: none */
	size_t tool_count;
	/* filled in by the split */
	struct cost_part part;
	bool priced;  /* all of it */
	bool shared;  /* it was on several hosts, each of which has one: */
	size_t first; /* the first of these; else itself */
};

struct sheet_tool { /* of a task */
	const char *name;
	uint64_t cpu_ns; /* also beyond the time of the sheet */
	size_t next;     /* the next one of the task; SIZE_MAX: none */
};

struct sheet_hold {
	size_t task;
	uint64_t cpu_ns;
	struct cost_hold hold;
};

struct sheet_entry { /* of a task, in a bucket of time */
	size_t task;
	int64_t since_at, until_at;
	struct cost_part part;
	uint64_t cpu_ns;
	bool priced; /* all of it */
};

struct sheet_up { /* of a host, in a bucket of time */
	size_t host;
	int64_t since_at, until_at;
	int64_t up_ns, whole_nusd, unallocated_nusd;
	bool priced;
};

struct sheet {
	int64_t since_at, until_at;
	enum sheet_bucket bucket;
	struct sheet_host *hosts;
	struct sheet_run *runs;
	struct sheet_task *tasks;
	struct sheet_tool *tools;
	struct sheet_entry *entries; /* each task and bucket once */
	struct sheet_up *ups;        /* of a host by time */
	size_t host_count, run_count, task_count, tool_count, entry_count, up_count;
	/* The input of the split. */
	struct interval *intervals; /* when hosts were up */
	struct sheet_hold *holds;
	char **sources, **texts; /* of prices, of others */
	size_t interval_count, hold_count, source_count, text_count;
	struct map *host_index, *run_index; /* index + 1 */
	/* Of what is in no task, of tools of tasks with many, of texts. */
	struct map *task_index, *tool_index, *text_index;
};

void sheet_free(struct sheet *sheet); /* NULL is fine */
DEFINE_CLEANUP(struct sheet *, sheet_free)

/* SIZE_MAX: it has no host, or run, of this id. */
size_t sheet_host(const struct sheet *sheet, const char *id);
size_t sheet_run(const struct sheet *sheet, const char *id);
/* What an hour costs at the end of the time, without bills. NULL: nothing is known. */
const struct sheet_price *sheet_last_price(const struct sheet_host *host);
