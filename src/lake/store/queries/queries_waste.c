/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries of sweeps: parameters and columns. What each answers is said in its .sql file. Those of
 * $now_at are as of that instant. */

QUERY(waste_gpus, PARAMS(TIME(since_at), TIME(now_at)),
      COLUMNS(TEXT(host_id), TEXT(uuid), TEXT(name), TIME(known_since), TIME(known_until),
	      TIME(busy_until), TIME(reserved_at), TEXT(run_id), TEXT(task_id), TEXT(work),
	      TEXT(user), JSON(labels), I64(pid)));

QUERY(waste_folders, PARAMS(TIME(now_at), TIME(unused_since), I64(bytes), I64(limit)),
      COLUMNS(TEXT(host_id), TEXT(path), TEXT(run_name), TEXT(run_id), TEXT(user), TEXT(pipeline),
	      JSON(labels), I64(files), I64(bytes), BOOL(scratch), TIME(written_at), TIME(read_at),
	      TIME(known_since)));

QUERY(waste_heard, PARAMS(TIME(before_at)), COLUMNS(TIME(heard_until)));

QUERY(waste_hosts, PARAMS(TIME(since_at), TIME(now_at)),
      COLUMNS(TEXT(id), TEXT(hostname), I64(cpus), I64(memory_bytes), TEXT(provider), TEXT(region),
	      TEXT(zone), TEXT(instance_type), TEXT(instance_id), TEXT(purchase), JSON(tags),
	      TIME(up_since), TIME(seen_at), TIME(used_until), TEXT(worker), TEXT(daemon),
	      TEXT(node), TIME(job_until)));

QUERY(waste_hours, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(host_id), TIME(at), DOUBLE(known_s), DOUBLE(used_s), DOUBLE(cpu_mean),
	      DOUBLE(cpu_peak), DOUBLE(tracked_mean), DOUBLE(tracked_peak), DOUBLE(memory_peak),
	      DOUBLE(net_bytes)));

QUERY(waste_minutes, PARAMS(TIME(since_at), TIME(now_at)),
      COLUMNS(TEXT(host_id), TIME(at), DOUBLE(lasted_s), DOUBLE(cpu), DOUBLE(tracked),
	      DOUBLE(memory), DOUBLE(disk_bytes_s), DOUBLE(net_bytes_s)));

QUERY(waste_repeats, PARAMS(TIME(since_at), TIME(now_at), I64(limit)),
      COLUMNS(TEXT(id), TEXT(pipeline), TEXT(step), TEXT(tool), TEXT(version), TEXT(first_run_id),
	      TEXT(first_run), TEXT(first_user), TIME(first_ended_at), TEXT(run_id), TEXT(run_name),
	      TEXT(task_id), TEXT(users), I64(tasks), I64(inputs), I64(input_bytes),
	      BOOL(same_files), BOOL(same_outputs), BOOL(rewritten), TIME(since_at), TIME(until_at),
	      DOUBLE(wall_s), TEXT(engine), JSON(labels), TEXT(command), TEXT(folder),
	      TEXT(host_id), DOUBLE(cpu_s), DOUBLE(byte_s), DOUBLE(gpu_s)));

QUERY(waste_tasks, PARAMS(TIME(now_at), I64(limit)),
      COLUMNS(TEXT(id), TEXT(run_id), TEXT(host_id), TEXT(step), TEXT(name), TEXT(sample),
	      TEXT(user), TEXT(engine), TEXT(pipeline), JSON(labels), TEXT(run_name),
	      TEXT(run_status), TIME(run_ended_at), TEXT(runtime), TEXT(job_id), TEXT(container),
	      TEXT(pids), I64(pid), TIME(started_at), TIME(progress_at), TIME(known_until),
	      BOOL(complete), I64(wakes), TEXT(stall), TEXT(wait), DOUBLE(cpus_requested),
	      I64(memory_requested_bytes), I64(memory_bytes), DOUBLE(cpus), I64(history),
	      DOUBLE(wall_p95_s), DOUBLE(wait_max_s), BOOL(alone)));

QUERY(waste_queues, PARAMS(TIME(now_at)),
      COLUMNS(TEXT(run_id), TEXT(run_name), TEXT(engine), TEXT(user), TEXT(host_id),
	      I64(task_limit), I64(tasks), TIME(queued_at), DOUBLE(cpus), I64(memory_bytes),
	      I64(running), TEXT(waits_for)));

QUERY(waste_sessions, PARAMS(TIME(now_at)),
      COLUMNS(TEXT(run_id), TEXT(host_id), TEXT(user), TEXT(command), JSON(labels),
	      TIME(started_at), TIME(used_until), I64(memory_bytes), I64(pid), BOOL(notebook)));

QUERY(waste_work, PARAMS(TIME(since_at), TIME(now_at)),
      COLUMNS(TEXT(host_id), TEXT(users), BOOL(runs_engine), I64(tasks_ended),
	      I64(tasks_restartable), DOUBLE(task_p95_s)));

QUERY(wastes, PARAMS(TIME(since_at), I64(limit)),
      COLUMNS(TEXT(kind), TEXT(id), TIME(since_at), TIME(found_at), TIME(ended_at), TEXT(outcome),
	      TEXT(host_id), DOUBLE(usd_hour), DOUBLE(counted_usd_hour), TEXT(subject),
	      DOUBLE(paid_share), TEXT(name), TEXT(run_id), TEXT(task_id), TEXT(who),
	      TEXT(confidence), TEXT(summary), JSON(evidence), TEXT(advice), TEXT(command),
	      TIME(up_again_at), TIME(host_seen_at)));
