// SPDX-License-Identifier: Apache-2.0
import type { Loss } from "./model";
import type { Finding } from "./model_findings";

// Objects of the API about hosts and their GPUs (docs/openapi.yaml). A null is "unknown", never 0.

export interface HostSample {
	since_at: string | null;
	until_at: string | null;
	cpu_user_ns: number;
	cpu_kernel_ns: number;
	cpu_iowait_ns: number;
	cpu_steal_ns: number;
	cpu_idle_ns: number;
	cpu_tracked_ns: number;
	memory_used_bytes: number;
	memory_available_bytes: number;
	swap_used_bytes: number;
	disk_read_bytes: number;
	disk_write_bytes: number;
	net_rx_bytes: number;
	net_tx_bytes: number;
	cpu_pressure_ns: number;
	memory_pressure_ns: number;
	io_pressure_ns: number;
	cpu_pressure_full_ns: number;
	memory_pressure_full_ns: number;
	io_pressure_full_ns: number;
	block_requests: number;
	block_tracked_requests: number;
	tracked_processes: number;
	agent_cpu_ns: number;
	agent_rss_bytes: number;
}

export interface Host extends Partial<HostSample> {
	id: string;
	hostname: string;
	kernel: string;
	arch: string;
	os?: string;
	cpus: number | null;
	memory_bytes: number | null;
	instance_type: string | null;
	provider: string | null;
	region: string | null;
	zone?: string | null;
	/** As the provider calls this machine, and its bill. */
	instance_id?: string | null;
	account_id?: string | null;
	purchase?: string | null;
	tags?: Record<string, string>;
	price_usd_hour: number | null;
	price_source: string | null;
	status: "up" | "down" | "silent";
	booted_at: string | null;
	seen_at: string | null;
	agent_version: string | null;
	/** Of the last 7 days. */
	losses?: Loss[];
}

export interface HostWaste {
	id?: string;
	host_id?: string;
	hostname?: string;
	up_s: number | null;
	tracked_s: number | null;
	idle_s: number | null;
	idle_usd: number | null;
}

export interface Waste {
	findings: Finding[];
	hosts: HostWaste[];
}

export interface Gpu {
	/** In the list of a run: the host of the GPU. */
	host_id?: string;
	host?: string | null;
	uuid: string;
	index: number;
	name: string;
	driver: string;
	memory_bytes: number | null;
	process_busy_known: boolean;
	gone_at: string | null;
}

export interface GpuSample {
	host_id: string;
	uuid: string;
	since_at: string | null;
	until_at: string | null;
	sample_s: number;
	busy_ns: number | null;
	busy_known_ns: number;
	memory_used_bytes: number | null;
	power_mean_mw: number | null;
	temperature_peak_celsius: number | null;
	throttled_ns: number | null;
	throttled_known_ns: number;
	throttle_reasons: string[];
	processes: number;
	tracked_busy_ns: number;
	tracked_memory_bytes: number;
}

export interface GpuList {
	gpus: Gpu[];
	gpu_samples: GpuSample[];
}
