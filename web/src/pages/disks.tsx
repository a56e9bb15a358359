// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { address, get, useLoad } from "../lib/api";
import { bytes, count, exact, nanoseconds, plain } from "../lib/format";
import { differing, groupsOf, sumBy } from "../lib/groups";
import type { IoList, IoRow } from "../lib/model";
import { Choice, Failure, Loading } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The requests of a run to disks, and how long they took: by disk, tool or task.

const MOST = 10_000;
/** The buckets of IoLatency in proto/signal.proto: below 1 µs, then from 2^(k-1) to 2^k µs; the last has no end. */
const BUCKETS = 24;

type Sum = "requests" | "bytes" | "failures" | "unfinished" | "latency_ns";
const SUMS: readonly Sum[] = ["requests", "bytes", "failures", "unfinished", "latency_ns"];

export type DiskGroup = Record<Sum, number | null> & { name: string; tools: string[]; latencies: number[] };

/** "vda read" */
export const diskOf = (row: Pick<IoRow, "device" | "operation">): string => `${row.device ?? "no disk"} ${row.operation}`;

/** The largest sum of latencies first. */
export function diskGroups(rows: readonly IoRow[], nameOf: (row: IoRow) => string): DiskGroup[] {
	const groups = groupsOf(rows, nameOf).map(({ key, rows: own }): DiskGroup => {
		const sums = Object.fromEntries(SUMS.map((name) => [name, sumBy(own, (row) => row[name])])) as Record<Sum, number | null>;
		const latencies = Array.from({ length: BUCKETS }, (_, k) => own.reduce((sum, row) => sum + (row.latencies[k] ?? 0), 0));
		return { name: key, tools: differing(own.map((row) => row.tool)), latencies, ...sums };
	});
	return groups.sort((a, b) => (b.latency_ns ?? 0) - (a.latency_ns ?? 0));
}

/** The end of the bucket within which this share of the requests stays, in nanoseconds; null: none, or the last, which has no end. */
export function within(latencies: readonly number[], share: number): number | null {
	const all = latencies.reduce((sum, one) => sum + one, 0);
	let seen = 0;
	for (let k = 0; k < latencies.length - 1; k++) {
		seen += latencies[k] ?? 0;
		if (all > 0 && seen >= share * all) return 1000 * 2 ** k;
	}
	return null;
}

const bucketName = (k: number): string =>
	k === 0 ? "below 1 µs" : k === BUCKETS - 1 ? `${nanoseconds(1000 * 2 ** (k - 1))} and more` : `${nanoseconds(1000 * 2 ** (k - 1))} to ${nanoseconds(1000 * 2 ** k)}`;

const summaryOf = (latencies: readonly number[]): string =>
	latencies.map((one, k) => (one > 0 ? `${bucketName(k)}: ${count(one)}` : "")).filter((line) => line !== "").join("\n");

function Histogram({ latencies }: { latencies: readonly number[] }) {
	const most = Math.max(1, ...latencies);
	return (
		<svg class="histogram" viewBox={`0 0 ${BUCKETS * 5} 20`} width={BUCKETS * 5} height="20" role="img" aria-label={summaryOf(latencies)}>
			<title>{summaryOf(latencies)}</title>
			{latencies.map((one, k) => {
				const height = one > 0 ? Math.max(1.5, (one / most) * 20) : 0.5;
				return <rect key={k} x={k * 5} y={20 - height} width="4" height={height} class={one > 0 ? "full" : "none"} />;
			})}
		</svg>
	);
}

const mean = (g: DiskGroup): number | null => (g.requests && g.latency_ns !== null ? Math.round(g.latency_ns / g.requests) : null);

const time = (key: string, title: string, help: string, of: (g: DiskGroup) => number | null): Column<DiskGroup> => ({
	key,
	title,
	number: true,
	help,
	value: of,
	cell: (g) => nanoseconds(of(g)),
	exact: (g) => exact.ns(of(g)),
});

const bad = (key: Sum, title: string, help: string): Column<DiskGroup> => ({
	key,
	title,
	number: true,
	help,
	value: (g) => g[key],
	cell: (g) => ((g[key] ?? 0) > 0 ? <b class="bad">{count(g[key])}</b> : count(g[key])),
});

const BY = [["disk", "By disk"], ["tool", "By tool"], ["task", "By task"]] as const;
type By = (typeof BY)[number][0];

const columnsOf = (by: By): Column<DiskGroup>[] => [
	{ key: "name", title: by === "disk" ? "Disk" : by === "tool" ? "Tool" : "Task", wide: true, value: (g) => g.name, cell: (g) => plain(g.name), exact: (g) => plain(g.name) },
	{ key: "requests", title: "Requests", number: true, help: "That came back", value: (g) => g.requests, cell: (g) => count(g.requests) },
	{ key: "bytes", title: "Bytes", number: true, help: "Of those that did not fail", value: (g) => g.bytes, cell: (g) => bytes(g.bytes), exact: (g) => exact.bytes(g.bytes) },
	time("latency_ns", "Time", "How long they took, added; several may be under way at once", (g) => g.latency_ns),
	time("mean", "Mean", "How long one took, on average", mean),
	time("half", "Half within", "Half of them came back within this time", (g) => within(g.latencies, 0.5)),
	time("most", "99 % within", "99 of a hundred came back within this time; none: some took more than 4 s", (g) => within(g.latencies, 0.99)),
	{ key: "latencies", title: "1 µs … 4 s", help: "Requests by how long they took, each bar twice the time of the one before", value: mean, cell: (g) => <Histogram latencies={g.latencies} />, exact: (g) => summaryOf(g.latencies) },
	bad("failures", "Failed", "Came back with an error"),
	bad("unfinished", "Unfinished", "Not seen to come back before their program ended"),
	...(by === "tool" ? [] : [{ key: "tools", title: "Tools", value: (g: DiskGroup) => g.tools.join(" "), cell: (g: DiskGroup) => g.tools.map(plain).join(" · "), exact: (g: DiskGroup) => g.tools.map(plain).join("\n") }]),
];

interface DisksProps {
	path: string;
	names: ReadonlyMap<string, string>;
	query: URLSearchParams;
	every: number;
}

export function Disks({ path, names, query, every }: DisksProps) {
	const list = useLoad(`${path}/io`, (signal) => get<IoList>(address(`${path}/io`, { limit: MOST }), signal), every);
	const by = BY.find(([name]) => name === query.get("by"))?.[0] ?? "disk";
	const rows = list.data?.io ?? [];
	const groups = useMemo(() => {
		const taskOf = (row: IoRow) => (row.task_id ? (names.get(row.task_id) ?? row.task_id) : "the engine itself");
		return diskGroups(rows, by === "disk" ? diskOf : by === "tool" ? (row) => row.tool : taskOf);
	}, [rows, by, names]);
	if (list.error && !list.data) return <Failure error={list.error} retry={list.reload} />;
	if (!list.data) return <Loading what="the disks" />;
	return (
		<>
			<div class="tools-row">
				<Choice label="Rows" options={BY} value={by} onChange={(value) => setQuery({ by: value === "disk" ? null : value })} />
				<span class="muted">Writeback, which the kernel does later, belongs to no process and is not shown.</span>
				{rows.length >= MOST && <span class="muted">Only the {count(MOST)} that took longest are summed here.</span>}
			</div>
			<Table
				name="Disks"
				columns={columnsOf(by)}
				rows={groups}
				keyOf={(group) => group.name}
				order={parseOrder(query.get("sort"), { key: "latency_ns", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty="Nothing of this run waited for a disk's answer, as far as was seen: what it read was in memory already."
			/>
		</>
	);
}
