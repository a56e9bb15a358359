/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries about what slowed a run: parameters and columns. What each answers is said in its .sql
 * file. */

QUERY(slowness_hosts, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(id), TEXT(name), DOUBLE(cpus), DOUBLE(own_ns), DOUBLE(sampled_ns),
	      DOUBLE(busy_ns), DOUBLE(steal_ns), DOUBLE(inside_ns), DOUBLE(inside_idle_ns),
	      DOUBLE(tracked_ns), DOUBLE(agent_ns), DOUBLE(disk_busy_ns), DOUBLE(block_requests),
	      DOUBLE(block_tracked_requests), DOUBLE(memory_pressure_ns), DOUBLE(io_pressure_ns)));

QUERY(slowness_others, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(host_id), BOOL(is_run), TEXT(name), DOUBLE(cpu_ns)));

QUERY(slowness_tasks, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(task_id), TEXT(step), TEXT(name), TIME(started_at), TIME(ended_at),
	      DOUBLE(cpus_requested), TEXT(requested_by), DOUBLE(widest), DOUBLE(longest_ns),
	      TEXT(host_id), I64(cgroup_id), I64(executions) FIGURES(FIGURE)));

QUERY(slowness_tools, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(step), TEXT(name), I64(executions) FIGURES(FIGURE)));

QUERY(slowness_devices, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(step), TEXT(name), TEXT(operation), I64(requests), I64(bytes),
	      I64(latency_ns), JSON(latencies)));

QUERY(slowness_files, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(step), TEXT(path), I64(moved_bytes), BOOL(reads), BOOL(writes)));

QUERY(slowness_peers, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(step), TEXT(peer), I64(connects), I64(bytes)));

QUERY(slowness_pipes, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(task_id), TEXT(step), TEXT(tool), I64(pipe_in), I64(pipe_out),
	      BOOL(reads), BOOL(writes), TIME(started_at), TIME(ended_at), I64(wall_pipe_read_ns),
	      I64(wall_pipe_write_ns), I64(wall_computing_ns), I64(cpu_ns)));

QUERY(slowness_stalls, PARAMS(TEXT(run_ids), I64(limit)),
      COLUMNS(TEXT(run_id), TEXT(task_id), I64(pid), I64(start_ns), TEXT(summary), TIME(since_at),
	      TIME(until_at)));
