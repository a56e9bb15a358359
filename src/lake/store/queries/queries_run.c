/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries about runs, and of one run: parameters and columns. What each answers is said in its .sql
 * file. */

/* Of samples: their resident memory and its kinds. */
#define MEMORY_COLUMNS                                                                  \
	I64(rss_bytes), I64(rss_anon_bytes), I64(rss_file_bytes), I64(rss_shmem_bytes), \
		I64(swap_bytes)

QUERY(containers, PARAMS(TEXT(run), I64(limit)),
      COLUMNS(TEXT(host_id), TEXT(host), I64(cgroup_id), TEXT(path), TEXT(runtime), TEXT(id),
	      TEXT(name), TEXT(image), TEXT(pod), TEXT(pod_name), TEXT(namespace), TEXT(qos),
	      TEXT(job_id), TEXT(step_id), TEXT(node), TEXT(unit), BOOL(limits_known),
	      I64(memory_limit_bytes), DOUBLE(cpu_limit), TIME(started_at), TIME(ended_at),
	      I64(executions), I64(cpu_ns), I64(cpu_periods), I64(cpu_throttled_periods),
	      I64(cpu_throttled_ns), I64(memory_peak_bytes), I64(memory_high_events),
	      I64(memory_max_events), I64(memory_oom_events), I64(memory_oom_kills),
	      I64(cpu_pressure_ns), I64(memory_pressure_ns), I64(io_pressure_ns),
	      I64(memory_pressure_full_ns), I64(io_pressure_full_ns), I64(cpu_pressure_full_ns)));

QUERY(dataflow, PARAMS(TEXT(run), I64(limit)),
      COLUMNS(TEXT(from_id), TEXT(to_id), I64(files), I64(size_bytes), I64(written_bytes),
	      I64(read_bytes), TIME(closed_at), TEXT(path)));

QUERY(dataflow_tasks, PARAMS(TEXT(run), I64(limit)),
      COLUMNS(TEXT(id), TEXT(step), TEXT(name), TEXT(sample), TIME(started_at), TIME(ended_at),
	      I64(untold_opens)));

QUERY(engine_reports, NO_PARAMS, COLUMNS(BOOL(reported)));

QUERY(events, PARAMS(TEXT(run), I64(limit)),
      COLUMNS(TIME(happened_at), TEXT(kind), I64(pid), I64(start_ns), TEXT(task_id), TEXT(summary),
	      I64(sender_pid), I64(sender_uid), TEXT(sender), I64(code), TEXT(detail), TEXT(path),
	      I64(limit_bytes), I64(used_bytes), TEXT(host_id)));

QUERY(files, PARAMS(TEXT(run), TEXT(task), TEXT(kind), TEXT(tool), TEXT(cursor), I64(limit)),
      COLUMNS(TEXT(kind), TEXT(path), I64(opens), I64(failures), I64(moved_bytes), I64(size_bytes),
	      BOOL(reads), BOOL(writes), BOOL(mapped), I64(error), TIME(first_at), TIME(last_at),
	      TEXT(tool), TEXT(task_id), I64(pid), I64(start_ns), I64(image_seq), TEXT(host_id),
	      TEXT(host), TEXT(cursor)));

QUERY(io_latencies, PARAMS(TEXT(run), TEXT(task), TEXT(tool), I64(limit)),
      COLUMNS(I64(pid), I64(start_ns), I64(image_seq), TEXT(tool), TEXT(task_id), TEXT(host_id),
	      TEXT(host), TEXT(device), TEXT(operation), I64(requests), I64(bytes), I64(failures),
	      I64(unfinished), I64(latency_ns), JSON(latencies)));

QUERY(ledger_ranges, NO_PARAMS,
      COLUMNS(TEXT(host_id), TEXT(agent_id), TEXT(boot_id), I64(first), I64(last)));

QUERY(linked_runs, PARAMS(TEXT(batches)),
      COLUMNS(TEXT(kind), TEXT(value), TEXT(run_id), TEXT(merged_id), BOOL(lead), BOOL(is_new),
	      TEXT(host_id), TEXT(engine), TEXT(command_digest), TIME(started_at), TIME(until_at)));

QUERY(merged_runs, PARAMS(TEXT(cursor), I64(limit)),
      COLUMNS(TEXT(part_id), TEXT(run_id), TEXT(cursor)));

QUERY(networks, PARAMS(TEXT(run), TEXT(task), TEXT(tool), I64(limit)),
      COLUMNS(I64(pid), I64(start_ns), I64(image_seq), TEXT(tool), TEXT(task_id), TEXT(host_id),
	      TEXT(host), TEXT(family), TEXT(protocol), BOOL(loopback), I64(rx_bytes),
	      I64(tx_bytes), I64(rx_calls), I64(tx_calls), I64(connects), I64(accepts),
	      I64(connect_failures), I64(resets), I64(retransmits), I64(connect_ns), TEXT(peer)));

QUERY(parts, PARAMS(TEXT(run)),
      COLUMNS(TEXT(id), TEXT(host_id), TEXT(host), TEXT(engine), TEXT(status), TIME(started_at),
	      TIME(ended_at), TEXT(reason), TEXT(value), TIME(joined_at), TIME(host_seen_at),
	      I64(clock_offset_ns), I64(clock_error_ns)));

QUERY(processes, PARAMS(TEXT(run), TEXT(task), TEXT(tool), TEXT(status), TEXT(cursor), I64(limit)),
      COLUMNS(I64(pid), I64(ppid), I64(start_ns), I64(image_seq), TEXT(tool), TEXT(version),
	      TEXT(exe), JSON(argv), I64(argv_missing_bytes), TEXT(cwd), TEXT(task_id),
	      TEXT(host_id), TEXT(host), I64(uid), TEXT(status), TIME(started_at), TIME(ended_at),
	      DOUBLE(wall_s), I64(exit_code), I64(signal), BOOL(peak_exact), BOOL(found),
	      DOUBLE(coverage), I64(work_ns) FIGURES(FIGURE), TEXT(cursor)));

QUERY(recording, PARAMS(TEXT(run)),
      COLUMNS(TEXT(agent_id), TEXT(boot_id), I64(sequence), TEXT(host_id), BOOL(inside),
	      TIME(since_at), TIME(last_at)));

QUERY(recording_scope, PARAMS(TEXT(run)), COLUMNS(TEXT(run_id), I64(cgroup_id)));

QUERY(resolve, PARAMS(TEXT(run), TEXT(reader)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(engine_run_name), TEXT(pipeline), TEXT(status),
	      TIME(started_at), I64(matches)));

QUERY(resolve_id, PARAMS(TEXT(run)), COLUMNS(TEXT(id)));

QUERY(run, PARAMS(TEXT(run)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(pipeline), TEXT(engine), TEXT(status), TEXT(user),
	      TIME(started_at), TIME(ended_at), DOUBLE(wall_s), JSON(hosts), JSON(labels),
	      TEXT(told_by), TEXT(engine_run_id), TEXT(engine_run_name), TEXT(parent_run),
	      TEXT(command), TEXT(cwd), I64(tasks), I64(tasks_failed), I64(tasks_lost),
	      I64(tasks_running), I64(executions) FIGURES(FIGURE), DOUBLE(coverage), I64(work_ns),
	      I64(file_bytes), I64(lost_records)));

QUERY(run_gpu_samples, PARAMS(TEXT(run), I64(interval_s)), GPU_COLUMNS);

QUERY(run_gpus, PARAMS(TEXT(run)),
      COLUMNS(TEXT(host_id), TEXT(host), TEXT(uuid), I64(index), TEXT(name), TEXT(driver),
	      I64(memory_bytes), BOOL(process_busy_known), TIME(seen_at), TIME(gone_at)));

QUERY(run_head, PARAMS(TEXT(run)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(pipeline), TEXT(owner), JSON(labels), TEXT(engine),
	      TEXT(status), I64(exit_code), I64(signal), TIME(started_at), TIME(ended_at),
	      DOUBLE(wall_s)));

QUERY(run_stamps, PARAMS(TEXT(run), I64(limit)), COLUMNS(TEXT(id), BOOL(open), I64(stamp)));

QUERY(run_owners, PARAMS(TEXT(runs)), COLUMNS(TEXT(run_id), TEXT(host_id)));

QUERY(run_previous, PARAMS(TEXT(run), TEXT(reader)), COLUMNS(TEXT(id)));

QUERY(run_span, PARAMS(TEXT(run)), COLUMNS(TIME(started_at), TIME(ended_at)));

QUERY(runs_readable, PARAMS(TEXT(runs), TEXT(reader)), COLUMNS(TEXT(run_id)));

QUERY(runs,
      PARAMS(TEXT(sort), TEXT(status), TEXT(pipeline), TEXT(reader), TEXT(cursor), I64(limit)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(pipeline), TEXT(engine), TEXT(status), TEXT(user),
	      TIME(started_at), TIME(ended_at), DOUBLE(wall_s), JSON(hosts), JSON(labels),
	      I64(tasks), I64(tasks_failed), I64(tasks_lost), I64(tasks_running),
	      I64(executions) FIGURES_BUT_WALL(FIGURE), TEXT(told_by), TEXT(engine_run_id),
	      TEXT(engine_run_name), TEXT(parent_run), TEXT(cursor)));

QUERY(runs_costs,
      PARAMS(TEXT(sort), TEXT(status), TEXT(pipeline), TEXT(reader), TEXT(cursor), I64(limit)),
      COLUMNS(TEXT(id), TIME(started_at), TIME(ended_at), TEXT(cost)));

QUERY(costs_stale, PARAMS(I64(limit)), COLUMNS(TEXT(run_id)));

QUERY(samples, PARAMS(TEXT(by), TEXT(run), I64(interval_s)),
      COLUMNS(TIME(at), TEXT(key) FIGURES(GROWTH), MEMORY_COLUMNS));

QUERY(samples_interval, PARAMS(TEXT(run)), COLUMNS(I64(interval_s)));

QUERY(samples_shares, PARAMS(TEXT(run), I64(interval_s)),
      COLUMNS(TIME(at), TEXT(key) FIGURES(GROWTH), MEMORY_COLUMNS));

QUERY(samples_use, PARAMS(TEXT(by), TEXT(run), I64(interval_s)),
      COLUMNS(TIME(at), TEXT(key), I64(user_ns), I64(kernel_ns), I64(runnable_ns),
	      I64(disk_read_bytes), I64(disk_write_bytes), MEMORY_COLUMNS));

QUERY(shares, PARAMS(TEXT(run)),
      COLUMNS(BOOL(of_tasks), I64(executions), DOUBLE(coverage), I64(work_ns) FIGURES(FIGURE)));

#define STEP_TASK_COLUMNS                                                                       \
	COLUMNS(TEXT(run_id), TEXT(id), TEXT(step), TEXT(name), TEXT(status), TIME(started_at), \
		TIME(ended_at), TIME(queued_at), I64(attempt), DOUBLE(wall_s), I64(user_ns),    \
		I64(kernel_ns), I64(input_bytes), I64(read_bytes), I64(output_bytes),           \
		I64(memory_charged_bytes), I64(disk_read_bytes), I64(disk_write_bytes),         \
		I64(net_rx_bytes), I64(net_tx_bytes), DOUBLE(cpus_requested),                   \
		I64(memory_requested_bytes), TEXT(requested_by), I64(host_cpus),                \
		I64(host_memory_bytes), TEXT(host_type), TEXT(versions), TEXT(arguments),       \
		BOOL(out_of_memory), BOOL(out_of_time), JSON(wall))

QUERY(step_history,
      PARAMS(TEXT(pipeline), TEXT(step), TEXT(except), TIME(before), TEXT(owner), TEXT(labels),
	     TEXT(reader), I64(runs), I64(limit)),
      STEP_TASK_COLUMNS);

QUERY(step_tasks, PARAMS(TEXT(run), TEXT(step), I64(limit)), STEP_TASK_COLUMNS);

QUERY(steps, PARAMS(TEXT(run)),
      COLUMNS(TEXT(name), I64(tasks), I64(failed), I64(lost), DOUBLE(coverage), I64(work_ns),
	      I64(executions) FIGURES(FIGURE), JSON(wall_s)));

QUERY(syscalls, PARAMS(TEXT(run), TEXT(task), TEXT(class), TEXT(tool), I64(limit)),
      COLUMNS(TEXT(tool), TEXT(class), TEXT(error), I64(calls), I64(time_ns), I64(executions)));

QUERY(tasks, PARAMS(TEXT(run), TEXT(step), TEXT(status), TEXT(cursor), I64(limit)),
      COLUMNS(TEXT(id), TEXT(step), TEXT(name), TEXT(sample), TEXT(host_id), TEXT(host),
	      TEXT(container), TEXT(container_name), TEXT(container_image), TEXT(status),
	      I64(exit_code), I64(signal), TIME(started_at), TIME(ended_at), TIME(queued_at),
	      DOUBLE(queued_s), TEXT(queued_for), TEXT(told_by), DOUBLE(wall_s), I64(attempt),
	      DOUBLE(cpus_requested), I64(memory_requested_bytes), TEXT(requested_by), TEXT(folder),
	      I64(memory_peak_bytes), DOUBLE(coverage), I64(work_ns),
	      I64(executions) FIGURES(FIGURE), JSON(tools), TEXT(cursor)));

QUERY(tools, PARAMS(TEXT(run), TEXT(all)),
      COLUMNS(TEXT(name), TEXT(kind), JSON(versions), I64(failed), I64(lost), DOUBLE(wall_s),
	      DOUBLE(coverage), I64(work_ns), I64(executions) FIGURES(FIGURE)));

QUERY(wall_images, PARAMS(TEXT(run_ids), I64(limit), I64(offset)),
      COLUMNS(TEXT(run_id), TEXT(task_id), TEXT(step), TIME(task_began_at), TIME(task_ended_at),
	      BOOL(task_runs), TEXT(host_id), I64(pid), I64(start_ns), I64(ppid),
	      I64(parent_start_ns), TIME(started_at), TIME(ended_at), I64(wall_ns), I64(pipe_in),
	      I64(pipe_out), BOOL(helper), BOOL(by_signal) WALL_FIGURES(FIGURE)));

QUERY(wall_stamp, PARAMS(TEXT(run)), COLUMNS(BOOL(open), I64(stamp)));

/* Of settled runs (docs/lake.md). */
QUERY(settle_due, PARAMS(I64(quiet_s), TIME(since_at), I64(limit)),
      COLUMNS(TEXT(run_id), BOOL(settled), I64(executions), I64(samples)));

QUERY(settled_children, PARAMS(TEXT(run)), COLUMNS(TEXT(run_id)));

QUERY(run_costs, PARAMS(TEXT(run)), COLUMNS(TEXT(text)));

QUERY(cost_causes, PARAMS(TEXT(run), TIME(since_at)),
      COLUMNS(TEXT(what), TEXT(name), TEXT(source), TIME(at)));

QUERY(settled_document, PARAMS(TEXT(run), TEXT(kind), TEXT(maker)), COLUMNS(TEXT(text)));

QUERY(settled_runs, PARAMS(TEXT(cursor), I64(limit)), COLUMNS(TEXT(run_id), TEXT(cursor)));

QUERY(settled_touched, PARAMS(TEXT(batches)), COLUMNS(TEXT(run_id)));
