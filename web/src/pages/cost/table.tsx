// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { csvAddress, rowAddress } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import { keyOf } from "../../lib/cost/keys";
import type { Key } from "../../lib/cost/keys";
import type { CostAnswer, CostRow } from "../../lib/cost/model_cost";
import { money, rowTexts, sumOf } from "../../lib/cost/money";
import { bytes, count, duration, exact, percent, plain, positive } from "../../lib/format";
import { runAddress, setQuery } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import { Unknown } from "../../lib/widgets";
import { PARTS, wholeOf } from "./head";
import { TaskCost } from "./task_cost";

// What each pipeline, run, … costs; a name leads to what it consists of.

const NO_PRICE = "unknown: no price is known for its hosts";
const AMOUNTS = ["used_usd", "unused_usd", "idle_usd"] as const;

const nameOf = (row: CostRow, key: Key): string => plain(row.key) || `(${key.none})`;
const idOf = (row: CostRow): string => row.id || row.key;

/** With what its hosts cost while no task was on them. */
const allOf = (row: CostRow): number | null => (row.cost_usd === null ? null : sumOf([row.cost_usd, row.unallocated_usd]));

function amountColumn(n: number, title: string): Column<CostRow> {
	const part = AMOUNTS[n] ?? "used_usd";
	return {
		key: part, title, help: PARTS[n]?.help ?? "", number: true, value: (r) => r[part],
		cell: (r) => (r[part] === null ? <Unknown why={NO_PRICE} /> : rowTexts(r).parts[n]), exact: (r) => exact.usd(r[part]),
	};
}

interface Figure {
	/** Where the text rests on more than the value. */
	cell?: (row: CostRow) => string;
	key: string;
	title: string;
	help?: string;
	value: (row: CostRow) => number | null;
	text: (n: number | null) => string;
	exactly: (n: number | null) => string;
}

const figureColumn = ({ key, title, help, value, text, exactly, cell }: Figure): Column<CostRow> => ({
	key, title, number: true, value, cell: (r) => (value(r) === null ? <Unknown /> : (cell?.(r) ?? text(value(r)))), exact: (r) => exactly(value(r)), ...(help ? { help } : {}),
});

const FIGURES: readonly Figure[] = [
	{ key: "usd_per_sample", title: "A sample", help: "Cost by sample", value: (r) => r.usd_per_sample, text: money, exactly: exact.usd },
	{ key: "usd_per_gb", title: "A GB of input", help: "Cost by gigabyte that was read as input", value: (r) => r.usd_per_gb, text: money, exactly: exact.usd },
	{ key: "runs", title: "Runs", value: (r) => r.runs, text: count, exactly: exact.count },
	{ key: "tasks", title: "Tasks", value: (r) => r.tasks, text: count, exactly: exact.count },
	{ key: "samples", title: "Samples", help: "A dash: no task names one", value: (r) => positive(r.samples), text: count, exactly: exact.count },
	{ key: "cpu_s", title: "CPU time", value: (r) => r.cpu_s, text: duration, exactly: exact.seconds },
	{ key: "input_bytes", title: "Input", value: (r) => r.input_bytes, text: bytes, exactly: exact.bytes },
];

/** Where rows are hosts, in part or as a whole. */
const HOST_FIGURES: readonly Figure[] = [
	{ key: "unallocated_usd", title: "Without tasks", help: "Hosts that were up while no task was on them", value: (r) => r.unallocated_usd, text: money, exactly: exact.usd, cell: (r) => rowTexts(r).none },
	{ key: "all_usd", title: "All", help: "Its cost, and without tasks", value: allOf, text: money, exactly: exact.usd, cell: (r) => rowTexts(r).all },
];

/** The row's parts, as long as its share of the largest row. */
function Share({ row, most, all }: { row: CostRow; most: number; all: number }) {
	const own = allOf(row);
	if (own === null) return <Unknown why={NO_PRICE} />;
	const width = (usd: number | null) => ({ width: `${most > 0 ? ((usd ?? 0) / most) * 100 : 0}%` });
	return (
		<span class="cost-share">
			<span class="cost-share-bar" aria-hidden="true">
				<i class="tone-cost-used" style={width(row.used_usd)} />
				<i class="tone-cost-unused" style={width(row.unused_usd)} />
				<i class="tone-cost-idle" style={width(row.idle_usd)} />
				<i class="tone-cost-none" style={width(row.unallocated_usd)} />
			</span>
			<span class="cost-share-text">{percent(all > 0 ? own / all : null)}</span>
		</span>
	);
}

function hostColumns(rows: readonly CostRow[]): Column<CostRow>[] {
	const columns: Column<CostRow>[] = [];
	const price = figureColumn({ key: "price_usd_hour", title: "Price, an hour", help: "At the end of the time", value: (r) => positive(r.price_usd_hour), text: money, exactly: exact.usd });
	if (rows.some((r) => r.price_usd_hour !== null)) columns.push(price);
	for (const [key, title, help] of [["price_source", "Price from", "Where the price is from"], ["instance_id", "Instance id", "As on the provider's bill"]] as const) {
		if (rows.some((r) => r[key])) columns.push({ key, title, help, value: (r) => r[key], cell: (r) => plain(r[key]) || <Unknown />, exact: (r) => plain(r[key]) });
	}
	return columns;
}

/** By which column rows are sorted, as in the answer. */
const FIRST_BY: Record<string, string> = { day: "key", host: "all_usd", instance: "all_usd" };

/** What is the same in each row. */
const LEFT_OUT: Record<string, readonly string[]> = { run: ["runs"], task: ["runs", "tasks", "samples", "usd_per_sample"], sample: ["samples", "usd_per_sample"] };

function columnsOf(answer: CostAnswer, key: Key, name: (row: CostRow) => ComponentChildren): Column<CostRow>[] {
	const { rows } = answer;
	const most = Math.max(0, ...rows.map((row) => allOf(row) ?? 0));
	const all = wholeOf(answer) ?? 0;
	const byHost = rows.some((row) => row.unallocated_usd !== null);
	const columns: Column<CostRow>[] = [
		{ key: "key", title: key.title, wide: true, value: (r) => r.key, cell: name, exact: (r) => [plain(r.key), plain(r.id)].filter(Boolean).join(", ") },
		{ key: "cost_usd", title: "Cost", number: true, help: "Used, reserved but unused, and idle beside it", value: (r) => r.cost_usd, cell: (r) => (r.cost_usd === null ? <Unknown why={NO_PRICE} /> : <b>{rowTexts(r).cost}</b>), exact: (r) => exact.usd(r.cost_usd) },
		{ key: "share", title: "Share", help: "Of the sum above; the parts of the bar are those of the sum", value: allOf, cell: (r) => <Share row={r} {...{ most, all }} /> },
		amountColumn(0, "Used"),
		amountColumn(1, "Reserved, unused"),
		amountColumn(2, "Idle"),
		...(byHost ? HOST_FIGURES : []).map(figureColumn),
		...FIGURES.map(figureColumn),
		...hostColumns(rows),
	];
	return columns.filter((column) => !LEFT_OUT[answer.by]?.includes(column.key));
}

interface CostTableProps {
	answer: CostAnswer;
	asked: Asked;
	query: URLSearchParams;
	now: number;
}

function Name({ row, by, name, to }: { row: CostRow; by: string; name: string; to: string | null }) {
	if (by === "task" && row.id) return <button type="button" class="as-link" aria-label={`Cost of ${name}`}>{name}</button>;
	return (
		<>
			{to ? <a href={to}>{name}</a> : name}
			{by === "run" && row.id && <a class="cost-aside" href={runAddress(row.id)}>its page</a>}
		</>
	);
}

function Title({ answer, asked, now, name }: Omit<CostTableProps, "query"> & { name: string }) {
	const { rows, row_count } = answer;
	return (
		<div class="tools-row">
			<h2>By {name}</h2>
			{row_count > rows.length && <span class="muted">the {count(rows.length)} most expensive of {count(row_count)}</span>}
			<a class="cost-csv" href={csvAddress(asked, now)} download>
				Download as CSV
			</a>
		</div>
	);
}

export function CostTable({ answer, asked, query, now }: CostTableProps) {
	const { by, rows } = answer;
	const key = keyOf(by);
	const task = by === "task" ? query.get("task") : null;
	const columns = useMemo(() => {
		const name = (row: CostRow) => key && <Name row={row} by={by} name={nameOf(row, key)} to={rowAddress(query, by, row)} />;
		return key ? columnsOf(answer, key, name) : [];
	}, [answer, query]);
	const open = task === null ? undefined : rows.find((row) => row.id === task);
	return (
		<>
			{open && <TaskCost key={task} row={open} {...{ asked, now }} />}
			<Title {...{ answer, asked, now }} name={key?.title.toLowerCase() ?? ""} />
			<Table
				name="Costs"
				columns={columns}
				rows={rows}
				keyOf={idOf}
				order={parseOrder(query.get("sort"), { key: FIRST_BY[by] ?? "cost_usd", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={task}
				{...(by === "task" ? { onSelect: (row: CostRow) => setQuery({ task: row.id && row.id !== task ? row.id : null }) } : {})}
				empty="Nothing was seen in this time that could cost anything."
			/>
		</>
	);
}
