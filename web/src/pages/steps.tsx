// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { failedColumn, figureColumns } from "../lib/columns";
import { count, duration, exact, percent, plain, usd } from "../lib/format";
import type { Step } from "../lib/model";
import { setQuery, stepAddress, viewAddress } from "../lib/route";
import { orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { toGoRange, toGoText, usualText } from "../lib/tune/expected";
import type { Expected } from "../lib/tune/model_expected";
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

/** Whether each step is as usual, and what it has to go. */
function expectedColumns(expected: Expected): Column<Step>[] {
	const known = new Map(expected.steps.map((step) => [step.step, step]));
	const of = (s: Step) => known.get(s.name);
	const usual: Column<Step> = {
		key: "usual",
		title: "As usual",
		help: "Beside the step's own history",
		value: (s) => of(s)?.usual ?? null,
		cell: (s) => {
			const step = of(s);
			return step ? <span class={step.usual === "not as usual" ? "warn" : undefined}>{usualText(step)}</span> : <Unknown />;
		},
		exact: (s) => {
			const noticeable = of(s)?.noticeable;
			return noticeable ? `a wall time ${percent(noticeable - 1)} above the usual one would be noticed` : "";
		},
	};
	const toGo: Column<Step> = {
		key: "to_go",
		title: "To go",
		help: "How much of it is done, and the time that is left",
		value: (s) => of(s)?.remaining_s ?? null,
		cell: (s) => {
			const step = of(s);
			return (step && toGoText(step)) || <Unknown />;
		},
		exact: (s) => {
			const step = of(s);
			return step ? toGoRange(step) : "";
		},
	};
	return expected.status === "running" ? [usual, toGo] : [usual];
}

/** Leads to the page of the step. */
const historyColumn = (id: string, pipeline: string): Column<Step> => ({
	key: "history",
	title: "History",
	help: "The step in the other runs of its pipeline",
	value: (s) => s.name,
	cell: (s) => (s.name ? <a href={stepAddress(pipeline, s.name, id)} aria-label={`History of ${plain(s.name)}`}>History</a> : <Unknown />),
});

const columnsOf = (id: string, pipeline: string, steps: readonly Step[], expected: Expected | null, threads: boolean): Column<Step>[] => [
	{
		key: "name",
		title: "Step",
		wide: true,
		value: (s) => s.name,
		cell: (s) => <a href={viewAddress(id, { tab: "tasks", filter: s.name })}>{plain(s.name) || "(no step)"}</a>,
		exact: (s) => plain(s.name),
	},
	...(pipeline ? [historyColumn(id, pipeline)] : []),
	...(expected && expected.steps.length > 0 ? expectedColumns(expected) : []),
	{ key: "tasks", title: "Tasks", number: true, value: (s) => s.tasks, cell: (s) => count(s.tasks) },
	failedColumn<Step>(),
	wall("min", "Shortest"),
	wall("median", "Median"),
	wall("max", "Longest"),
	...figureColumns(steps, threads),
	{ key: "cost_usd", title: "Cost", number: true, value: (s) => s.cost_usd, cell: (s) => usd(s.cost_usd), exact: (s) => exact.usd(s.cost_usd) },
];

interface StepsProps {
	id: string;
	pipeline: string;
	steps: readonly Step[];
	/** null: not known yet. */
	expected: Expected | null;
	query: URLSearchParams;
}

export function Steps({ id, pipeline, steps, expected, query }: StepsProps) {
	const threads = wantsThreads(query);
	const columns = useMemo(() => columnsOf(id, pipeline, steps, expected, threads), [id, pipeline, steps, expected, threads]);
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
