import { bytes, count, exact, nanoseconds, positive } from "./format";
import type { Figures } from "./model";
import type { Column } from "./table";

// Columns that steps, tools and processes share: what was consumed.

export function figureColumns<R extends Figures>(): Column<R>[] {
	return [
		{
			key: "cpu",
			title: "CPU time",
			number: true,
			value: (r) => r.user_ns + r.kernel_ns,
			cell: (r) => nanoseconds(r.user_ns + r.kernel_ns),
			exact: (r) => `user ${exact.ns(r.user_ns)}, kernel ${exact.ns(r.kernel_ns)}`,
		},
		{
			key: "runnable_ns",
			title: "CPU wait",
			number: true,
			help: "Ready to run, but no CPU was free",
			value: (r) => r.runnable_ns,
			cell: (r) => nanoseconds(r.runnable_ns),
			exact: (r) => exact.ns(r.runnable_ns),
		},
		{
			key: "rss_peak_bytes",
			title: "Peak memory",
			number: true,
			help: "The largest single process",
			value: (r) => positive(r.rss_peak_bytes),
			cell: (r) => bytes(positive(r.rss_peak_bytes)),
			exact: (r) => exact.bytes(positive(r.rss_peak_bytes)),
		},
		{
			key: "chars",
			title: "Calls r / w",
			number: true,
			help: "Bytes through read and write calls, whatever the descriptor",
			value: (r) => r.read_chars_bytes + r.write_chars_bytes,
			cell: (r) => `${bytes(r.read_chars_bytes)} / ${bytes(r.write_chars_bytes)}`,
			exact: (r) => `read ${exact.bytes(r.read_chars_bytes)}, written ${exact.bytes(r.write_chars_bytes)}`,
		},
		{
			key: "disk",
			title: "Storage r / w",
			number: true,
			help: "Bytes that storage had to read, and to write",
			value: (r) => r.disk_read_bytes + r.disk_write_bytes,
			cell: (r) => `${bytes(r.disk_read_bytes)} / ${bytes(r.disk_write_bytes)}`,
			exact: (r) => `read ${exact.bytes(r.disk_read_bytes)}, written ${exact.bytes(r.disk_write_bytes)}`,
		},
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

export function failedColumn<R extends { failed: number }>(): Column<R> {
	return {
		key: "failed",
		title: "Failed",
		number: true,
		value: (r) => r.failed,
		cell: (r) => (r.failed > 0 ? <b class="bad">{count(r.failed)}</b> : "0"),
	};
}
