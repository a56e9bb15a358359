/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries of recommendations: parameters and columns. What each answers is said in its .sql file.
 */

QUERY(recommend_inputs, PARAMS(TEXT(run)), COLUMNS(I64(input_bytes)));

QUERY(recommend_tasks, PARAMS(TIME(since_at), TEXT(reader), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(engine), TIME(run_started_at), TIME(run_ended_at), TEXT(id),
	      TEXT(step), TEXT(host_id), TIME(started_at), TIME(ended_at), TIME(queued_at),
	      I64(cpu_ns), DOUBLE(cpus_requested), I64(memory_requested_bytes),
	      I64(memory_charged_bytes), I64(host_cpus), I64(host_memory_bytes)));
