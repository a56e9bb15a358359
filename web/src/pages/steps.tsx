// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { failedColumn, figureColumns } from "../lib/columns";
import { count, duration, exact, plain, usd } from "../lib/format";
import type { Step } from "../lib/model";
import { viewAddress, setQuery } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The steps of a run: its tasks, grouped by kind.

const wall = (key: "min" | "median" | "max", title: string): Column<Step> => ({
	key: `wall_${key}`,
	title,
	number: true,
	value: (s) => s.wall_s[key],
	cell: (s) => duration(s.wall_s[key]),
	exact: (s) => exact.seconds(s.wall_s[key]),
});

const columnsOf = (id: string, steps: readonly Step[], threads: boolean): Column<Step>[] => [
	{
		key: "name",
		title: "Step",
		wide: true,
		value: (s) => s.name,
		cell: (s) => <a href={viewAddress(id, { tab: "tasks", filter: s.name })}>{plain(s.name) || "(no step)"}</a>,
		exact: (s) => plain(s.name),
	},
	{ key: "tasks", title: "Tasks", number: true, value: (s) => s.tasks, cell: (s) => count(s.tasks) },
	failedColumn<Step>(),
	wall("min", "Shortest"),
	wall("median", "Median"),
	wall("max", "Longest"),
	...figureColumns(steps, threads),
	{ key: "cost_usd", title: "Cost", number: true, value: (s) => s.cost_usd, cell: (s) => usd(s.cost_usd), exact: (s) => exact.usd(s.cost_usd) },
];

export function Steps({ id, steps, query }: { id: string; steps: readonly Step[]; query: URLSearchParams }) {
	const threads = wantsThreads(query);
	const columns = useMemo(() => columnsOf(id, steps, threads), [id, steps, threads]);
	return (
		<Table
			name="Steps"
			columns={columns}
			rows={steps}
			keyOf={(step) => step.name}
			order={parseOrder(query.get("sort"), { key: "cpu", down: true })}
			onOrder={(next) => setQuery({ sort: orderText(next) })}
			empty="No step was seen in this run yet."
		/>
	);
}
