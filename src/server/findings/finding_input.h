/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/host_use.h"
#include "cost/sheet.h"
#include "findings/input.h"
#include "findings/steps.h"
#include "server/billing/run_cost.h"
#include "server/findings/failure_read.h"
#include "server/steps/run_usual.h"
#include "tune/size/size.h"

struct server;
struct slowness_source;
struct store_rows;

/* The input of the finders with what owns it: the only place that reads it from queries. */
struct finding_source {
	struct finding_input input;
	struct sheet *sheet; /* hosts with their prices */
	struct finding_run run;
	struct run_cost cost; /* of the run */
	struct finding_task *tasks;
	struct steps steps;
	struct failure_source failure; /* input.failure, if anything failed */
	struct host_activity *hosts;   /* in the order of the sheet */
	struct host_interval *up, *used;
	struct interval *used_intervals;
	size_t used_count;
	struct slowness_source *slowness;
	struct run_usual usual;
	struct sizes sizes;
	struct store_rows *run_row, *task_rows; /* own the texts */
};

/* Reads a run with its tasks and steps, and what failed in it. Errors as of query_named; -ENOMEM,
 * or -ENOENT with words. finding_source_clear in any case. */
int finding_source_of_run(struct server *server, const char *id, struct finding_source *ret,
			  struct error *err);
/* Reads the hosts over the last days: when each was up and when tracked work used it. -ENOMEM, or
 * -EIO with words. finding_source_clear in any case. */
int finding_source_of_hosts(struct server *server, int64_t days, struct finding_source *ret,
			    struct error *err);
void finding_source_clear(struct finding_source *source);
