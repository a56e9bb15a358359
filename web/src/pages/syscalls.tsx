// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { count, exact, nanoseconds, plain } from "../lib/format";
import { differing, groupsOf, sumBy } from "../lib/groups";
import type { SyscallRow } from "../lib/model";
import { Choice } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The system calls of a run, where they were counted: by class, tool or error.

export const MOST_SYSCALLS = 10_000;

const CLASSES: Readonly<Record<string, string>> = {
	open: "open, close",
	metadata: "files' metadata",
	lock: "locks (futex)",
	socket: "sockets",
	time: "sleep, clocks",
	async: "io_uring, aio",
	signal: "signals",
	process: "processes",
	compat: "32-bit calls",
};

export const classOf = (row: Pick<SyscallRow, "class">): string => CLASSES[row.class] ?? plain(row.class);

export function outcomeOf(row: Pick<SyscallRow, "error">): string {
	if (row.error === null) return "did not fail";
	return row.error === "other" ? "failed for other reasons" : `failed: ${plain(row.error)}`;
}

export interface SyscallGroup {
	name: string;
	calls: number | null;
	failed: number;
	time_ns: number | null;
	errors: string[];
	tools: string[];
}

/** The longest time first. */
export function syscallGroups(rows: readonly SyscallRow[], nameOf: (row: SyscallRow) => string): SyscallGroup[] {
	const groups = groupsOf(rows, nameOf).map(({ key, rows: own }): SyscallGroup => {
		const failures = own.filter((row) => row.error !== null);
		return {
			name: key,
			calls: sumBy(own, (row) => row.calls),
			failed: sumBy(failures, (row) => row.calls) ?? 0,
			time_ns: sumBy(own, (row) => row.time_ns),
			errors: differing(failures.map((row) => row.error)),
			tools: differing(own.map((row) => row.tool)),
		};
	});
	return groups.sort((a, b) => (b.time_ns ?? 0) - (a.time_ns ?? 0));
}

const BY = [["class", "By kind"], ["tool", "By tool"], ["error", "By outcome"]] as const;
type By = (typeof BY)[number][0];
const TITLES: Record<By, string> = { class: "Kind", tool: "Tool", error: "Outcome" };
const NAMES: Record<By, (row: SyscallRow) => string> = { class: classOf, tool: (row) => row.tool, error: outcomeOf };

const words = (key: "errors" | "tools", title: string): Column<SyscallGroup> => ({
	key,
	title,
	value: (g) => g[key].join(" "),
	cell: (g) => g[key].map(plain).join(" · "),
	exact: (g) => g[key].map(plain).join("\n"),
});

const columnsOf = (by: By): Column<SyscallGroup>[] => [
	{ key: "name", title: TITLES[by], wide: true, value: (g) => g.name, cell: (g) => plain(g.name), exact: (g) => plain(g.name) },
	{ key: "calls", title: "Calls", number: true, help: "System calls that ended", value: (g) => g.calls, cell: (g) => count(g.calls) },
	{ key: "failed", title: "Failed", number: true, help: "Of them, those that returned an error", value: (g) => g.failed, cell: (g) => count(g.failed) },
	{
		key: "time_ns",
		title: "Time in them",
		number: true,
		help: "From each call's beginning to its end, added up: with what it waited",
		value: (g) => g.time_ns,
		cell: (g) => nanoseconds(g.time_ns),
		exact: (g) => exact.ns(g.time_ns),
	},
	{
		key: "mean",
		title: "Each",
		number: true,
		help: "How long one took, on average",
		value: (g) => mean(g),
		cell: (g) => nanoseconds(mean(g)),
		exact: (g) => exact.ns(mean(g)),
	},
	...(by === "error" ? [] : [words("errors", "Errors")]),
	...(by === "tool" ? [] : [words("tools", "Tools")]),
];

const mean = (g: SyscallGroup): number | null => (g.calls && g.time_ns !== null ? Math.round(g.time_ns / g.calls) : null);

export function Syscalls({ rows, query }: { rows: readonly SyscallRow[]; query: URLSearchParams }) {
	const by = BY.find(([name]) => name === query.get("by"))?.[0] ?? "class";
	const groups = useMemo(() => syscallGroups(rows, NAMES[by]), [rows, by]);
	return (
		<>
			<div class="tools-row">
				<Choice label="Rows" options={BY} value={by} onChange={(value) => setQuery({ by: value === "class" ? null : value })} />
				{rows.length >= MOST_SYSCALLS && <span class="muted">Only the {count(MOST_SYSCALLS)} kinds that took longest are summed here.</span>}
			</div>
			<Table
				name="System calls"
				columns={columnsOf(by)}
				rows={groups}
				keyOf={(group) => group.name}
				order={parseOrder(query.get("sort"), { key: "time_ns", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty="System calls were not counted (`syscalls: on` counts them)."
			/>
		</>
	);
}
