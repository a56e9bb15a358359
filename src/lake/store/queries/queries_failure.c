/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries of the analysis of failures: parameters and columns. What each answers is said in its
 * .sql file. */

QUERY(failure_events, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(kind), TIME(happened_at), TEXT(host_id), I64(pid), I64(start_ns),
	      I64(code), TEXT(detail), TEXT(path), TEXT(sender), I64(sender_pid), I64(sender_uid),
	      I64(limit_bytes), I64(used_bytes), I64(host_memory_bytes), TEXT(container)));

QUERY(failure_opens, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(host_id), I64(pid), I64(start_ns), TEXT(path), I64(error),
	      I64(failures), TIME(last_at), TIME(opened_at)));

QUERY(failure_processes, PARAMS(TEXT(run_ids), I64(limit), I64(offset)),
      COLUMNS(TEXT(run_id), TEXT(host_id), I64(pid), I64(start_ns), I64(ppid), I64(parent_start_ns),
	      TEXT(tool), TEXT(tool_kind), TEXT(argv), TEXT(status), I64(exit_code), I64(signal),
	      TEXT(task_id), TIME(started_at), TIME(ended_at), I64(pipe_in), I64(pipe_out),
	      I64(rss_peak_bytes)));

QUERY(failure_run, PARAMS(TEXT(run_ids)),
      COLUMNS(TEXT(run_id), TEXT(id), TEXT(name), TEXT(engine), TEXT(user), I64(uid), TEXT(status),
	      I64(exit_code), I64(signal), TEXT(host_id), I64(pid), I64(start_ns), TIME(started_at),
	      TIME(ended_at), TEXT(last_task), TEXT(last_task_id), TIME(last_task_ended_at),
	      I64(tasks), I64(tasks_failed), TEXT(inner_id), TEXT(inner_name), I64(inner_exit_code),
	      I64(processes_failed), I64(lost_records)));

QUERY(failure_tasks, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(id), TEXT(step), TEXT(name), TEXT(sample), TEXT(host_id), I64(pid),
	      I64(start_ns), TEXT(status), I64(exit_code), I64(signal), I64(attempt),
	      I64(memory_requested_bytes), TEXT(requested_by), TIME(started_at), TIME(ended_at),
	      TEXT(later_id), I64(later_attempts), BOOL(later_succeeded), BOOL(host_gone),
	      TEXT(instance_type), TEXT(notice)));
