// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { failedColumn, figureColumns } from "../lib/columns";
import { count, duration, exact, plain, usd } from "../lib/format";
import type { Step } from "../lib/model";
import { setQuery, stepAddress, viewAddress } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";
import { Unknown } from "../lib/widgets";

// The steps of a run: its tasks, grouped by kind.

const wall = (key: "min" | "median" | "max", title: string): Column<Step> => ({
	key: `wall_${key}`,
	title,
	number: true,
	value: (s) => s.wall_s[key],
	cell: (s) => duration(s.wall_s[key]),
	exact: (s) => exact.seconds(s.wall_s[key]),
});

/** Leads to the page of the step. */
const historyColumn = (id: string, pipeline: string): Column<Step> => ({
	key: "history",
	title: "History",
	help: "The step in the other runs of its pipeline",
	value: (s) => s.name,
	cell: (s) => (s.name ? <a href={stepAddress(pipeline, s.name, id)} aria-label={`History of ${plain(s.name)}`}>History</a> : <Unknown />),
});

const columnsOf = (id: string, pipeline: string, steps: readonly Step[], threads: boolean): Column<Step>[] => [
	{
		key: "name",
		title: "Step",
		wide: true,
		value: (s) => s.name,
		cell: (s) => <a href={viewAddress(id, { tab: "tasks", filter: s.name })}>{plain(s.name) || "(no step)"}</a>,
		exact: (s) => plain(s.name),
	},
	...(pipeline ? [historyColumn(id, pipeline)] : []),
	{ key: "tasks", title: "Tasks", number: true, value: (s) => s.tasks, cell: (s) => count(s.tasks) },
	failedColumn<Step>(),
	wall("min", "Shortest"),
	wall("median", "Median"),
	wall("max", "Longest"),
	...figureColumns(steps, threads),
	{ key: "cost_usd", title: "Cost", number: true, value: (s) => s.cost_usd, cell: (s) => usd(s.cost_usd), exact: (s) => exact.usd(s.cost_usd) },
];

export function Steps({ id, pipeline, steps, query }: { id: string; pipeline: string; steps: readonly Step[]; query: URLSearchParams }) {
	const threads = wantsThreads(query);
	const columns = useMemo(() => columnsOf(id, pipeline, steps, threads), [id, pipeline, steps, threads]);
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
