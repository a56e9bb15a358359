// SPDX-License-Identifier: Apache-2.0
import { useGet } from "../lib/api";
import { bytes, count, cpus, exact, nanoseconds, plain, percent, when } from "../lib/format";
import type { Container } from "../lib/model";
import { Failure, Loading, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The control groups of the processes of a run: containers, jobs, services, with their limits and how often these were hit.

const nameOf = (c: Container): string => plain(c.name ?? c.pod_name ?? c.job_id ?? c.unit ?? c.id ?? c.path);

const throttledShare = (c: Container): number | null =>
	c.cpu_periods !== null && c.cpu_periods > 0 && c.cpu_throttled_periods !== null ? c.cpu_throttled_periods / c.cpu_periods : null;

/** A limit as text: "none" and "unknown" differ. */
function limit(c: Container, value: number | null, text: string) {
	if (value !== null) return text;
	return c.limits_known ? <span class="muted">no limit</span> : <Unknown why="it was gone before its limits were read" />;
}

const FULL = {
	cpu_pressure_ns: "cpu_pressure_full_ns",
	memory_pressure_ns: "memory_pressure_full_ns",
	io_pressure_ns: "io_pressure_full_ns",
} as const;

const pressure = (key: "cpu_pressure_ns" | "memory_pressure_ns" | "io_pressure_ns", title: string, help: string): Column<Container> => ({
	key,
	title,
	number: true,
	help,
	value: (c) => c[key],
	cell: (c) => nanoseconds(c[key]),
	exact: (c) => `${exact.ns(c[key])}; all of it at once: ${nanoseconds(c[FULL[key]])}`,
});

const COLUMNS: Column<Container>[] = [
	{ key: "name", title: "Name", wide: true, value: nameOf, cell: nameOf, exact: (c) => `${plain(c.path)}\n${plain(c.id)}` },
	{ key: "runtime", title: "By", value: (c) => c.runtime, cell: (c) => plain(c.runtime) || <Unknown /> },
	{ key: "image", title: "Image", value: (c) => c.image, cell: (c) => plain(c.image) || <Unknown />, exact: (c) => plain(c.image) },
	{ key: "executions", title: "Processes", number: true, help: "Of this run", value: (c) => c.executions, cell: (c) => count(c.executions) },
	{ key: "cpu_ns", title: "CPU time", number: true, help: "Of all work in it while the run lasted", value: (c) => c.cpu_ns, cell: (c) => nanoseconds(c.cpu_ns), exact: (c) => exact.ns(c.cpu_ns) },
	{ key: "cpu_limit", title: "CPU limit", number: true, help: "In CPUs", value: (c) => c.cpu_limit, cell: (c) => limit(c, c.cpu_limit, cpus(c.cpu_limit)) },
	{
		key: "throttled",
		title: "Throttled",
		number: true,
		help: "Share of the limit's periods in which it was used up before their end",
		value: throttledShare,
		cell: (c) => percent(throttledShare(c)),
		exact: (c) => `${exact.count(c.cpu_throttled_periods)} of ${exact.count(c.cpu_periods)} periods, ${exact.ns(c.cpu_throttled_ns)}`,
	},
	{ key: "memory_peak_bytes", title: "Memory peak", number: true, value: (c) => c.memory_peak_bytes, cell: (c) => bytes(c.memory_peak_bytes), exact: (c) => exact.bytes(c.memory_peak_bytes) },
	{ key: "memory_limit_bytes", title: "Memory limit", number: true, value: (c) => c.memory_limit_bytes, cell: (c) => limit(c, c.memory_limit_bytes, bytes(c.memory_limit_bytes)), exact: (c) => exact.bytes(c.memory_limit_bytes) },
	{
		key: "memory_oom_kills",
		title: "OOM kills",
		number: true,
		help: "Processes that the kernel killed because its memory was full",
		value: (c) => c.memory_oom_kills,
		cell: (c) => ((c.memory_oom_kills ?? 0) > 0 ? <b class="bad">{count(c.memory_oom_kills)}</b> : count(c.memory_oom_kills)),
	},
	pressure("cpu_pressure_ns", "Short of CPU", "Time in which some of it waited for a CPU"),
	pressure("memory_pressure_ns", "Short of memory", "Time in which some of it waited for memory"),
	pressure("io_pressure_ns", "Short of I/O", "Time in which some of it waited for a disk"),
	{ key: "started_at", title: "Started", number: true, value: (c) => c.started_at, cell: (c) => when(c.started_at), exact: (c) => c.started_at ?? "unknown" },
];

export function Containers({ path, query, every }: { path: string; query: URLSearchParams; every: number }) {
	const list = useGet<{ containers: Container[] }>(`${path}/containers`, every);
	if (list.error && !list.data) return <Failure error={list.error} retry={list.reload} />;
	if (!list.data) return <Loading what="containers" />;
	return (
		<Table
			name="Containers"
			columns={COLUMNS}
			rows={list.data.containers}
			keyOf={(c) => `${c.host_id} ${c.cgroup_id} ${c.path}`}
			order={parseOrder(query.get("sort"), { key: "executions", down: true })}
			onOrder={(next) => setQuery({ sort: orderText(next) })}
			empty="No container, job or service was seen around this run's processes."
		/>
	);
}
