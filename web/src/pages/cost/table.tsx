// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { csvAddress, rowAddress } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import { keyOf } from "../../lib/cost/keys";
import type { Key } from "../../lib/cost/keys";
import type { CostAnswer, CostRow } from "../../lib/cost/model_cost";
import { money, moneyParts } from "../../lib/cost/money";
import { bytes, count, duration, exact, percent, plain } from "../../lib/format";
import { runAddress, setQuery } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import { Unknown } from "../../lib/widgets";
import { PARTS } from "./head";
import { TaskCost } from "./task_cost";

// What each pipeline, run, … costs; a name leads to what it consists of.

const NO_PRICE = "unknown: no price is known for its hosts";

const nameOf = (row: CostRow, key: Key): string => plain(row.key) || `(${key.none})`;
const idOf = (row: CostRow): string => row.id || row.key;

type Amount = "used_usd" | "unused_usd" | "idle_usd";

/** The parts as they add up to the cost of the row. */
const partText = (row: CostRow, part: Amount): string =>
	moneyParts(row.cost_usd, [row.used_usd, row.unused_usd, row.idle_usd])[["used_usd", "unused_usd", "idle_usd"].indexOf(part)] ?? "";

function amountColumn(part: Amount, title: string, help: string): Column<CostRow> {
	return { key: part, title, help, number: true, value: (r) => r[part], cell: (r) => (r[part] === null ? <Unknown why={NO_PRICE} /> : partText(r, part)), exact: (r) => exact.usd(r[part]) };
}

function figureColumn(key: string, title: string, value: (row: CostRow) => number | null, text: (n: number | null) => string, exactly: (n: number | null) => string, help?: string): Column<CostRow> {
	return { key, title, number: true, value, cell: (r) => (value(r) === null ? <Unknown /> : text(value(r))), exact: (r) => exactly(value(r)), ...(help ? { help } : {}) };
}

/** The row's parts, as long as its share of the largest row. */
function Share({ row, most, all }: { row: CostRow; most: number; all: number }) {
	if (row.cost_usd === null) return <Unknown why={NO_PRICE} />;
	const width = (usd: number | null) => ({ width: `${most > 0 ? ((usd ?? 0) / most) * 100 : 0}%` });
	return (
		<span class="cost-share">
			<span class="cost-share-bar" aria-hidden="true">
				<i class="tone-cost-used" style={width(row.used_usd)} />
				<i class="tone-cost-unused" style={width(row.unused_usd)} />
				<i class="tone-cost-idle" style={width(row.idle_usd)} />
			</span>
			<span class="cost-share-text">{percent(all > 0 ? row.cost_usd / all : null)}</span>
		</span>
	);
}

function hostColumns(rows: readonly CostRow[]): Column<CostRow>[] {
	const some = (of: (row: CostRow) => string | null | undefined) => rows.some((row) => of(row));
	const column = (key: "instance_id" | "price_source", title: string, help: string): Column<CostRow> => ({
		key, title, help, value: (r) => r[key], cell: (r) => plain(r[key]) || <Unknown />, exact: (r) => plain(r[key]),
	});
	return [
		...(some((r) => r.instance_id) ? [column("instance_id", "Instance id", "As on the provider's bill")] : []),
		...(some((r) => r.price_source) ? [column("price_source", "Price from", "Where the price of the host is from")] : []),
	];
}

/** What is the same in each row. */
const LEFT_OUT: Record<string, readonly string[]> = { run: ["runs"], task: ["runs", "tasks", "samples", "usd_per_sample"], sample: ["samples", "usd_per_sample"] };

function columnsOf(answer: CostAnswer, key: Key, name: (row: CostRow) => ComponentChildren): Column<CostRow>[] {
	const costs = answer.rows.map((row) => row.cost_usd ?? 0);
	const most = Math.max(0, ...costs);
	const all = answer.whole_usd ?? costs.reduce((sum, usd) => sum + usd, 0);
	return [
		{ key: "key", title: key.title, wide: true, value: (r) => r.key, cell: name, exact: (r) => [plain(r.key), plain(r.id)].filter(Boolean).join(", ") },
		{ key: "cost_usd", title: "Cost", number: true, help: "Used, reserved but unused, and idle", value: (r) => r.cost_usd, cell: (r) => (r.cost_usd === null ? <Unknown why={NO_PRICE} /> : <b>{money(r.cost_usd)}</b>), exact: (r) => exact.usd(r.cost_usd) },
		{ key: "share", title: "Share", help: "Its share of the sum; the bar is used, reserved but unused, idle", value: (r) => r.cost_usd, cell: (r) => <Share row={r} {...{ most, all }} /> },
		amountColumn("used_usd", "Used", PARTS[0].help),
		amountColumn("unused_usd", "Reserved, unused", PARTS[1].help),
		amountColumn("idle_usd", "Idle", PARTS[2].help),
		figureColumn("usd_per_sample", "A sample", (r) => r.usd_per_sample, money, exact.usd, "Cost by sample"),
		figureColumn("usd_per_gb", "A GB of input", (r) => r.usd_per_gb, money, exact.usd, "Cost by gigabyte that was read as input"),
		figureColumn("runs", "Runs", (r) => r.runs, count, exact.count),
		figureColumn("tasks", "Tasks", (r) => r.tasks, count, exact.count),
		figureColumn("samples", "Samples", (r) => r.samples, count, exact.count),
		figureColumn("cpu_s", "CPU time", (r) => r.cpu_s, duration, exact.seconds),
		figureColumn("input_bytes", "Input", (r) => r.input_bytes, bytes, exact.bytes),
		...hostColumns(answer.rows),
	];
}

interface CostTableProps {
	answer: CostAnswer;
	asked: Asked;
	query: URLSearchParams;
	now: number;
}

export function CostTable({ answer, asked, query, now }: CostTableProps) {
	const key = keyOf(answer.by);
	const task = query.get("task");
	const columns = useMemo(() => {
		if (!key) return [];
		const name = (row: CostRow) => {
			const to = rowAddress(query, answer.by, row);
			const words = nameOf(row, key);
			if (answer.by === "task" && row.id) return <button type="button" class="as-link" aria-label={`Cost of ${words}`}>{words}</button>;
			return (
				<>
					{to ? <a href={to}>{words}</a> : words}
					{answer.by === "run" && row.id && <a class="cost-aside" href={runAddress(row.id)}>its page</a>}
				</>
			);
		};
		return columnsOf(answer, key, name).filter((column) => !LEFT_OUT[answer.by]?.includes(column.key));
	}, [answer, query]);
	const byTask = answer.by === "task";
	const open = byTask && task !== null ? answer.rows.find((row) => row.id === task) : undefined;
	const filter = (name: string) => asked.filters.find(([own]) => own === name)?.[1] ?? null;
	return (
		<>
			{open && <TaskCost key={task} row={open} run={filter("run")} step={filter("step")} />}
			<div class="tools-row">
				<h2>By {answer.by.startsWith("label:") ? plain(answer.by.slice(6)) : (key?.title.toLowerCase() ?? "")}</h2>
				<a class="cost-csv" href={csvAddress(asked, now)} download>
					Download as CSV
				</a>
			</div>
			<Table
				name="Costs"
				columns={columns}
				rows={answer.rows}
				keyOf={idOf}
				order={parseOrder(query.get("sort"), { key: "cost_usd", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={task}
				{...(byTask ? { onSelect: (row: CostRow) => setQuery({ task: row.id && row.id !== task ? row.id : null }) } : {})}
				empty="Nothing was seen in this time that could cost anything."
			/>
		</>
	);
}
