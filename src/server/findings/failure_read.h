/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_facts.h"
#include "server/findings/failure_processes.h"

/* What the analysis of failures knows of a run, with what owns it. */
struct failure_source {
	struct failure_facts facts;
	struct failure_processes processes; /* facts.processes has their order */
	struct failure_task *tasks;
	struct failure_event *events;
	struct failed_open *opens;
	struct store_rows *run_row, *task_rows, *event_rows, *open_rows; /* own the texts */
};

/* Reads it. *ret_any is false, and nothing more is read, where nothing failed. Errors as of
 * query_named; -ENOMEM, or -ENOENT with words. failure_source_clear in any case. */
int failure_read(struct server *server, const char *run, struct failure_source *ret, bool *ret_any,
		 struct error *err);
void failure_source_clear(struct failure_source *source);
