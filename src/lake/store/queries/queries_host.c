/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries about hosts, and over all runs and agents: parameters and columns. What each answers is
 * said in its .sql file. */

QUERY(activity_hosts, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(id), TEXT(hostname), I64(cpus), I64(memory_bytes), TEXT(instance_type),
	      TEXT(provider), TEXT(region), DOUBLE(price_usd_hour), TIME(since_at), TIME(until_at),
	      DOUBLE(up_s), I64(cpu_busy_ns), I64(cpu_tracked_ns), I64(cpu_idle_ns)));

QUERY(activity_up, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(host_id), TIME(since_at), TIME(until_at)));

QUERY(activity_used, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(host_id), TIME(since_at), TIME(until_at)));

QUERY(boundary_hosts, PARAMS(TEXT(host), TEXT(boot), I64(limit)),
      COLUMNS(TEXT(host_id), TEXT(boot_id), I64(cpus), I64(memory_bytes), TIME(booted_at)));

QUERY(boundary_lifetimes, PARAMS(TEXT(host), TEXT(pids)),
      COLUMNS(I64(pid), I64(start_ns), I64(image_seq), TIME(started_at), TIME(ended_at)));

QUERY(gpu_samples, PARAMS(TEXT(host), TIME(since_at), TIME(until_at), I64(interval_s)),
      GPU_COLUMNS);

QUERY(gpus, PARAMS(TEXT(host)),
      COLUMNS(TEXT(uuid), I64(index), TEXT(name), TEXT(driver), I64(memory_bytes),
	      BOOL(process_busy_known), TIME(seen_at), TIME(gone_at)));

QUERY(host_samples, PARAMS(I64(interval_s), TEXT(host), TIME(since_at), TIME(until_at)),
      COLUMNS(TIME(at), DOUBLE(sample_s), I64(cpu_user_ns), I64(cpu_kernel_ns), I64(cpu_iowait_ns),
	      I64(cpu_steal_ns), I64(cpu_idle_ns), I64(cpu_tracked_ns), I64(memory_used_bytes),
	      I64(memory_available_bytes), I64(swap_used_bytes), I64(disk_read_bytes),
	      I64(disk_write_bytes), I64(disk_reads), I64(disk_writes), I64(disk_busy_ns),
	      I64(net_rx_bytes), I64(net_tx_bytes), I64(cpu_pressure_ns), I64(memory_pressure_ns),
	      I64(io_pressure_ns), I64(cpu_pressure_full_ns), I64(memory_pressure_full_ns),
	      I64(io_pressure_full_ns), I64(block_requests), I64(block_tracked_requests),
	      I64(tracked_processes), I64(agent_cpu_ns), I64(agent_rss_bytes), I64(agent_map_bytes),
	      I64(agent_ring_bytes), I64(agent_ring_peak_bytes), I64(agent_spool_bytes),
	      I64(agent_programs_ns)));

QUERY(hold_runs, PARAMS(TIME(since_at), TIME(until_at)),
      COLUMNS(TEXT(id), TEXT(name), TEXT(pipeline), TEXT(engine), TEXT(user), TEXT(cwd),
	      JSON(labels), TIME(started_at), TIME(ended_at)));

QUERY(holds_count, PARAMS(TIME(since_at), TIME(until_at)), COLUMNS(I64(holds)));

QUERY(holds, PARAMS(TIME(since_at), TIME(until_at), I64(part), I64(parts)),
      COLUMNS(TEXT(run_id), TEXT(host_id), TEXT(task_id), TEXT(step), TEXT(name), TEXT(sample),
	      TEXT(container), TEXT(pod), TEXT(tools), TIME(since_at), TIME(until_at), I64(cpu_ns),
	      DOUBLE(cpus_requested), I64(memory_bytes), I64(memory_requested_bytes),
	      I64(gpu_busy_ns), I64(gpus), I64(input_bytes)));

QUERY(host_prices, NO_PARAMS,
      COLUMNS(TEXT(host_id), TIME(since_at), DOUBLE(usd_hour), TEXT(source), TEXT(reason)));

QUERY(hosts, PARAMS(TEXT(host)),
      COLUMNS(TEXT(id), TEXT(hostname), TEXT(kernel), TEXT(arch), TEXT(os), I64(cpus),
	      I64(memory_bytes), TEXT(instance_type), TEXT(provider), TEXT(region), TEXT(zone),
	      TEXT(instance_id), TEXT(account_id), TEXT(purchase), JSON(tags),
	      DOUBLE(price_usd_hour), TEXT(price_source), TEXT(status), TIME(booted_at),
	      TIME(seen_at), TEXT(agent_version), I64(clock_offset_ns), I64(clock_error_ns),
	      TIME(sampled_at), DOUBLE(sample_s), I64(cpu_user_ns), I64(cpu_kernel_ns),
	      I64(cpu_iowait_ns), I64(cpu_steal_ns), I64(cpu_idle_ns), I64(cpu_tracked_ns),
	      I64(memory_used_bytes), I64(memory_available_bytes), I64(swap_used_bytes),
	      I64(disk_read_bytes), I64(disk_write_bytes), I64(disk_reads), I64(disk_writes),
	      I64(disk_busy_ns), I64(net_rx_bytes), I64(net_tx_bytes), I64(cpu_pressure_ns),
	      I64(memory_pressure_ns), I64(io_pressure_ns), I64(cpu_pressure_full_ns),
	      I64(memory_pressure_full_ns), I64(io_pressure_full_ns), I64(block_requests),
	      I64(block_tracked_requests), I64(tracked_processes), I64(agent_cpu_ns),
	      I64(agent_rss_bytes), I64(agent_map_bytes), I64(agent_ring_bytes),
	      I64(agent_ring_peak_bytes), I64(agent_spool_bytes), I64(agent_programs_ns),
	      JSON(losses)));

QUERY(losses, PARAMS(TEXT(run), I64(limit)),
      COLUMNS(TEXT(what), I64(count), TIME(since_at), TIME(until_at), TEXT(why)));

QUERY(metrics, NO_PARAMS,
      COLUMNS(I64(hosts), I64(runs), I64(runs_running), I64(tasks), I64(executions), I64(samples),
	      I64(host_samples), I64(events), I64(lost_records), I64(batches)));

QUERY(metrics_agents, NO_PARAMS,
      COLUMNS(TEXT(host), DOUBLE(cpu_ratio), I64(rss_bytes), I64(map_bytes), I64(ring_bytes),
	      I64(ring_peak_bytes), I64(spool_bytes), DOUBLE(programs_cpu_ratio), I64(lost_records),
	      I64(tracked_processes)));

QUERY(price_lists, NO_PARAMS,
      COLUMNS(TEXT(provider), TEXT(list), TIME(valid_from), TIME(imported_at), I64(prices),
	      I64(regions)));

QUERY(priced_hosts, NO_PARAMS,
      COLUMNS(TEXT(id), TEXT(hostname), I64(cpus), I64(memory_bytes), TEXT(instance_type),
	      TEXT(provider), TEXT(region), TEXT(zone), TEXT(instance_id), TEXT(account_id),
	      TEXT(purchase), I64(gpus), DOUBLE(price_usd_hour)));

QUERY(prices, NO_PARAMS,
      COLUMNS(TEXT(id), TEXT(host), TEXT(provider), TEXT(region), TEXT(instance_type),
	      TEXT(purchase), DOUBLE(usd_hour), TEXT(source), TEXT(reason), TIME(since_at)));

QUERY(untracked, PARAMS(TEXT(host), TIME(since_at), TIME(until_at), I64(limit)),
      COLUMNS(TEXT(kind), TEXT(path), I64(cgroups), I64(cpu_ns), I64(difference_ns), DOUBLE(share),
	      I64(memory_bytes), DOUBLE(sample_s)));
