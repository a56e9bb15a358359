// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { useGet } from "../lib/api";
import { bytes, exact, nanoseconds, percent, plain } from "../lib/format";
import { Failure, Loading } from "../lib/widgets";
import type { Order } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The CPU time of a host by owner: tracked work, other work by control group, the rest.

export interface UntrackedRow {
	kind: "tracked" | "rest" | "more" | "cgroup";
	path: string | null;
	cgroups: number;
	cpu_ns: number;
	/** How far below 0 the difference of the counts was. */
	difference_ns: number;
	share: number | null;
	memory_bytes: number | null;
}

const WORDS = { tracked: "tracked work", rest: "rest: interrupts, the kernel, rounding" } as const;

export function ownerOf(row: UntrackedRow): string {
	if (row.kind === "cgroup") return plain(row.path);
	if (row.kind === "more") return `up to ${String(row.cgroups)} smaller control groups`;
	const difference = row.difference_ns > 0 ? ` (the counts of the others exceed the host's by ${nanoseconds(row.difference_ns)})` : "";
	return WORDS[row.kind] + difference;
}

const COLUMNS: Column<UntrackedRow>[] = [
	{ key: "whose", title: "Owner", wide: true, help: "A control group: the work in it that was not tracked", value: ownerOf, cell: ownerOf, exact: ownerOf },
	{ key: "cpu_ns", title: "CPU time", number: true, value: (r) => r.cpu_ns, cell: (r) => nanoseconds(r.cpu_ns), exact: (r) => exact.ns(r.cpu_ns) },
	{ key: "share", title: "Share", number: true, help: "Of the host's CPU time", value: (r) => r.share, cell: (r) => percent(r.share) },
	{
		key: "memory_bytes",
		title: "Memory",
		number: true,
		help: "Charged to it, less private memory of tracked processes",
		value: (r) => r.memory_bytes,
		cell: (r) => bytes(r.memory_bytes),
		exact: (r) => exact.bytes(r.memory_bytes),
	},
];

export function Untracked({ host, hours }: { host: string; hours: string }) {
	const answer = useGet<{ untracked: UntrackedRow[] }>(`/hosts/${encodeURIComponent(host)}/untracked?hours=${hours}`, 15000);
	const [order, setOrder] = useState<Order>({ key: "cpu_ns", down: true });
	if (answer.error && !answer.data) return <Failure error={answer.error} retry={answer.reload} />;
	if (!answer.data) return <Loading what="the CPU time by owner" />;
	return (
		<Table
			name="untracked"
			columns={COLUMNS}
			rows={answer.data.untracked}
			keyOf={(r) => `${r.kind} ${plain(r.path)}`}
			order={order}
			onOrder={setOrder}
			empty="No data yet: an agent reports once a minute."
		/>
	);
}
