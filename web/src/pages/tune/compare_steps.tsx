// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { signed } from "../../charts/waterfall";
import { bytes, count, exact, nanoseconds, plain } from "../../lib/format";
import type { DiffFact, DiffFigure, DiffStep, RunDiff } from "../../lib/tune/model_diff";
import { setQuery } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import { Unknown } from "../../lib/widgets";

// The steps of two runs side by side.

/** A step with what is known of it in both runs. */
interface Compared {
	step: DiffStep;
	figures: ReadonlyMap<string, DiffFigure>;
	differs: readonly DiffFact[];
}

function compared(diff: RunDiff): Compared[] {
	const figures = new Map(diff.steps.map((step) => [step.name, new Map<string, DiffFigure>()]));
	const differs = new Map(diff.steps.map((step) => [step.name, [] as DiffFact[]]));
	for (const figure of diff.figures) figures.get(figure.step)?.set(figure.figure, figure);
	for (const fact of diff.differs) differs.get(fact.step)?.push(fact);
	return diff.steps.map((step) => ({ step, figures: figures.get(step.name) ?? new Map(), differs: differs.get(step.name) ?? [] }));
}

const STATES: Record<DiffStep["state"], string | null> = {
	both: null,
	renamed: "renamed",
	new: "new",
	removed: "gone",
	not_yet: "not yet in both",
};

const CHANGES: Record<string, { sign: string; tone: string }> = {
	more: { sign: "▲", tone: "is-more" },
	less: { sign: "▼", tone: "is-less" },
};

interface PairProps {
	from: number | null;
	to: number | null;
	change: string | null;
	show: (value: number | null) => string;
}

/** "40 s → 1m 20s": unknown sides are dashes. */
function Pair({ from, to, change, show }: PairProps) {
	const mark = change === null ? undefined : CHANGES[change];
	if (from === null && to === null) return <Unknown />;
	return (
		<span class={`pair ${mark?.tone ?? ""}`}>
			{from === to ? show(to) : `${show(from)} → ${show(to)}`}
			{mark && <span class="pair-sign"> {mark.sign}</span>}
		</span>
	);
}

const figureColumn = (key: string, title: string, help: string, show: (value: number | null) => string, say: (value: number | null) => string): Column<Compared> => ({
	key,
	title,
	help,
	number: true,
	value: (row) => row.figures.get(key)?.to_median ?? row.figures.get(key)?.from_median ?? null,
	cell: (row) => {
		const figure = row.figures.get(key);
		return <Pair from={figure?.from_median ?? null} to={figure?.to_median ?? null} change={figure?.change ?? null} show={show} />;
	},
	exact: (row) => {
		const figure = row.figures.get(key);
		return `before ${say(figure?.from_median ?? null)}, now ${say(figure?.to_median ?? null)}${figure?.confidence && figure.change !== "same" ? `; ${figure.confidence} confidence` : ""}`;
	},
});

const others = (row: Compared): string => row.differs.filter((fact) => !fact.is_reason).map((fact) => plain(fact.words)).join("; ");

const COLUMNS: Column<Compared>[] = [
	{
		key: "name",
		title: "Step",
		wide: true,
		value: ({ step }) => step.name,
		cell: ({ step }) => (
			<>
				{plain(step.name) || "(no step)"} {STATES[step.state] && <span class="chip">{STATES[step.state]}</span>}
			</>
		),
		exact: ({ step }) => (step.state === "renamed" ? `${plain(step.from_name)} before` : plain(step.name)),
	},
	{
		key: "difference_ns",
		title: "Of the difference",
		help: "How much of the difference of the runs it is",
		number: true,
		value: ({ step }) => step.difference_ns,
		cell: ({ step }) => signed(step.difference_ns),
		exact: ({ step }) => exact.ns(step.difference_ns),
	},
	{
		key: "tasks",
		title: "Tasks",
		number: true,
		value: ({ step }) => step.to_tasks,
		cell: ({ step }) => <Pair from={step.from_tasks} to={step.to_tasks} change={null} show={count} />,
	},
	figureColumn("wall_ns", "Time", "Wall time of a task, the median", nanoseconds, exact.ns),
	figureColumn("cpu_ns", "CPU time", "CPU time of a task, the median", nanoseconds, exact.ns),
	figureColumn("memory_peak_bytes", "Peak memory", "Of a task, the median", bytes, exact.bytes),
	figureColumn("input_bytes", "Input", "Of a task, the median", bytes, exact.bytes),
	{
		key: "reason",
		title: "Why",
		wide: true,
		value: ({ step }) => step.reason,
		cell: ({ step }) => (step.reason === null ? "" : plain(step.reason)),
		exact: ({ step }) => plain(step.reason),
	},
	{ key: "differs", title: "What else differs", wide: true, value: others, cell: others, exact: others },
];

export function CompareSteps({ diff, query }: { diff: RunDiff; query: URLSearchParams }) {
	const rows = useMemo(() => compared(diff), [diff]);
	// Without an order of the reader's own: as the lake has them, the largest difference first, whichever its sign.
	const order = parseOrder(query.get("sort"), { key: "", down: true });
	return (
		<Table
			name="Steps"
			columns={COLUMNS}
			rows={rows}
			keyOf={(row) => row.step.name}
			order={order}
			onOrder={(next) => setQuery({ sort: orderText(next) })}
			empty="Neither run has tasks."
		/>
	);
}
