// SPDX-License-Identifier: Apache-2.0
import { bytes, count, exact, nanoseconds, positive } from "./format";
import type { Figures, Times } from "./model";
import { StateCell } from "../charts/state_bar";
import { barOf, largestWait, linesOf } from "./states";
import type { Column } from "./table";

// Columns that steps, tools and processes share: resource use.

/** Where the time went; sorted by how much of it the largest wait took. `threads`: the time of threads, not wall time. */
export function timeColumn<R extends Times>(threads: boolean): Column<R> {
	return {
		key: "times",
		title: "Where time went",
		help: threads
			? "Each state's share of the threads' time at work, and the largest wait. Waiting for children and sleep are left out."
			: "What it did at each instant, and the largest wait. Thread time, where no wall time is known.",
		value: (r) => largestWait(r, threads)?.share ?? null,
		cell: (r) => <StateCell times={r} threads={threads} />,
		exact: (r) => {
			const known = barOf(r, threads);
			return known ? linesOf(known).join("\n") : "unknown";
		},
	};
}

export function cpuColumn<R extends Figures>(): Column<R> {
	return {
		key: "cpu",
		title: "CPU time",
		number: true,
		help: "User and kernel time of all its processes",
		value: (r) => r.user_ns + r.kernel_ns,
		cell: (r) => nanoseconds(r.user_ns + r.kernel_ns),
		exact: (r) => `user ${exact.ns(r.user_ns)}, kernel ${exact.ns(r.kernel_ns)}`,
	};
}

export function runnableColumn<R extends Figures>(): Column<R> {
	return {
		key: "runnable_ns",
		title: "CPU wait",
		number: true,
		help: "Ready to run, but no CPU was free",
		value: (r) => r.runnable_ns,
		cell: (r) => nanoseconds(r.runnable_ns),
		exact: (r) => exact.ns(r.runnable_ns),
	};
}

export function peakColumn<R extends Figures>(): Column<R> {
	return {
		key: "rss_peak_bytes",
		title: "Peak memory",
		number: true,
		help: "The largest single process",
		value: (r) => positive(r.rss_peak_bytes),
		cell: (r) => bytes(positive(r.rss_peak_bytes)),
		exact: (r) => exact.bytes(positive(r.rss_peak_bytes)),
	};
}

export function storageColumn<R extends Figures>(): Column<R> {
	return {
		key: "disk",
		title: "Storage r / w",
		number: true,
		help: "Bytes that storage had to read, and to write",
		value: (r) => r.disk_read_bytes + r.disk_write_bytes,
		cell: (r) => `${bytes(r.disk_read_bytes)} / ${bytes(r.disk_write_bytes)}`,
		exact: (r) => `read ${exact.bytes(r.disk_read_bytes)}, written ${exact.bytes(r.disk_write_bytes)}`,
	};
}

/** Where any of the rows used a GPU. */
export function gpuColumns<R extends Figures>(rows: readonly R[]): Column<R>[] {
	if (!rows.some((r) => r.gpu_busy_ns > 0 || r.gpu_memory_peak_bytes > 0)) return [];
	return [
		{
			key: "gpu_busy_ns",
			title: "GPU time",
			number: true,
			help: "Time in which its work ran on a GPU; the sum over several GPUs. A dash: unknown, or none",
			value: (r) => positive(r.gpu_busy_ns),
			cell: (r) => nanoseconds(positive(r.gpu_busy_ns)),
			exact: (r) => exact.ns(positive(r.gpu_busy_ns)),
		},
		{
			key: "gpu_memory_peak_bytes",
			title: "GPU memory",
			number: true,
			help: "The largest reading of one process",
			value: (r) => positive(r.gpu_memory_peak_bytes),
			cell: (r) => bytes(positive(r.gpu_memory_peak_bytes)),
			exact: (r) => exact.bytes(positive(r.gpu_memory_peak_bytes)),
		},
	];
}

export function figureColumns<R extends Figures>(rows: readonly R[], threads: boolean): Column<R>[] {
	return [
		timeColumn<R>(threads),
		cpuColumn<R>(),
		runnableColumn<R>(),
		peakColumn<R>(),
		...gpuColumns(rows),
		{
			key: "chars",
			title: "Calls r / w",
			number: true,
			help: "Bytes through read and write calls, whatever the descriptor",
			value: (r) => r.read_chars_bytes + r.write_chars_bytes,
			cell: (r) => `${bytes(r.read_chars_bytes)} / ${bytes(r.write_chars_bytes)}`,
			exact: (r) => `read ${exact.bytes(r.read_chars_bytes)}, written ${exact.bytes(r.write_chars_bytes)}`,
		},
		storageColumn<R>(),
		{
			key: "threads_peak",
			title: "Threads",
			number: true,
			help: "The most at once in one process",
			value: (r) => positive(r.threads_peak),
			cell: (r) => count(positive(r.threads_peak)),
		},
	];
}

export function failedColumn<R extends { failed: number; lost: number }>(): Column<R> {
	return {
		key: "failed",
		title: "Failed",
		number: true,
		value: (r) => r.failed,
		cell: (r) => (
			<>
				{r.failed > 0 ? <b class="bad">{count(r.failed)}</b> : "0"}
				{r.lost > 0 && <span title="Ended while no agent ran"> + {count(r.lost)} lost</span>}
			</>
		),
	};
}
