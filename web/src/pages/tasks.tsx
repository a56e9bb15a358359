// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { bytes, count, cpus, duration, ending, exact, instant, plain, positive, ticking, usd, when } from "../lib/format";
import { cpuColumn, gpuColumns, runnableColumn, storageColumn, timeColumn } from "../lib/columns";
import type { Task } from "../lib/model";
import { Asked, Choice, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { isBad } from "../charts/gantt_layout";
import { matches, orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { toGoRange, toGoText } from "../lib/tune/expected";
import type { Expected, Remaining } from "../lib/tune/model_expected";
import { Badge } from "./status";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";
import { cpusUsed, TaskPanel, wallOf } from "./task_panel";
import type { Known } from "./task_panel";

// The tasks of a run: what each requested and what it used.

function Memory({ task }: { task: Task }) {
	const used = positive(task.memory_peak_bytes);
	const asked = positive(task.memory_requested_bytes);
	const text = asked === null ? bytes(used) : `${bytes(used)} / ${bytes(asked)}`;
	return <Asked {...{ used, asked, text }} title={`peak ${exact.bytes(used)}, requested ${exact.bytes(asked)}`} />;
}

function Cpus({ task, now }: { task: Task; now: number }) {
	const used = cpusUsed(task, wallOf(task, now));
	const asked = positive(task.cpus_requested);
	const text = asked === null ? cpus(used) : `${cpus(used)} / ${count(asked)}`;
	return <Asked {...{ used, asked, text }} title={`used ${used ?? "unknown"} on average, requested ${exact.count(asked)}`} />;
}

/** Of tasks that run, as far as it is known. */
const toGoColumn = (toGo: ReadonlyMap<string, Remaining>): Column<Task> => ({
	key: "to_go",
	title: "To go",
	help: "How much of it is done, and the time that is left",
	value: (t) => toGo.get(t.id)?.remaining_s ?? null,
	cell: (t) => {
		const known = toGo.get(t.id);
		return (known && toGoText(known)) || <Unknown />;
	},
	exact: (t) => {
		const known = toGo.get(t.id);
		return known ? toGoRange(known) : "";
	},
});

function columnsOf(tasks: readonly Task[], now: number, threads: boolean, toGo: ReadonlyMap<string, Remaining>): Column<Task>[] {
	return [
		{ key: "status", title: "Status", value: (t) => t.status, cell: (t) => <Badge status={t.status} />, exact: (t) => ending(t.exit_code, t.signal) },
		{
			key: "name",
			title: "Task",
			wide: true,
			value: (t) => t.name || t.id,
			cell: (t) => (
				<button type="button" class="as-link" aria-label={`Details of ${plain(t.name) || t.id}`}>
					{plain(t.name) || t.id}
				</button>
			),
			exact: (t) => `${plain(t.name)}\n${t.tools.map(plain).join(" · ")}`,
		},
		{ key: "step", title: "Step", value: (t) => t.step, cell: (t) => plain(t.step) || <Unknown />, exact: (t) => plain(t.step) },
		{ key: "sample", title: "Sample", value: (t) => t.sample, cell: (t) => plain(t.sample) || <Unknown /> },
		{
			key: "started_at",
			title: "Started",
			number: true,
			value: (t) => instant(t.started_at),
			cell: (t) => when(t.started_at, now),
			exact: (t) => t.started_at ?? "unknown",
		},
		{
			key: "wall_s",
			title: "Wall",
			number: true,
			value: (t) => wallOf(t, now),
			cell: (t) => (t.status === "running" ? ticking(wallOf(t, now)) : duration(t.wall_s)),
			exact: (t) => exact.seconds(wallOf(t, now)),
		},
		...(toGo.size > 0 ? [toGoColumn(toGo)] : []),
		timeColumn<Task>(threads),
		cpuColumn<Task>(),
		{
			key: "cpus",
			title: "CPUs used / asked",
			number: true,
			help: "CPUs kept busy on average, and requested",
			value: (t) => cpusUsed(t, wallOf(t, now)),
			cell: (t) => <Cpus task={t} now={now} />,
		},
		{
			key: "memory",
			title: "Memory peak / asked",
			number: true,
			help: "Peak of all its processes together, and requested",
			value: (t) => positive(t.memory_peak_bytes),
			cell: (t) => <Memory task={t} />,
		},
		...gpuColumns(tasks),
		runnableColumn<Task>(),
		storageColumn<Task>(),
		{ key: "cost_usd", title: "Cost", number: true, value: (t) => t.cost_usd, cell: (t) => usd(t.cost_usd), exact: (t) => exact.usd(t.cost_usd) },
	];
}

/** Whether a column has values that the other columns do not have. */
function isInformative(key: string, tasks: readonly Task[]): boolean {
	if (key === "sample") return tasks.some((task) => task.sample);
	if (key === "step") return tasks.some((task) => !task.name.startsWith(task.step));
	return true;
}

const GROUPS = [["", "All"], ["running", "Running"], ["bad", "Not succeeded"]] as const;

interface TasksProps {
	id: string;
	tasks: readonly Task[];
	complete: boolean;
	query: URLSearchParams;
	now: number;
	known: Known;
	/** null: not known yet. */
	expected: Expected | null;
}

export function Tasks({ id, tasks, complete, query, now, known, expected }: TasksProps) {
	const filter = query.get("filter") ?? "";
	const group = query.get("status") ?? "";
	const rows = useMemo(
		() =>
			tasks.filter((task) => {
				if (group === "bad" ? !isBad(task.status) : group !== "" && task.status !== group) return false;
				return matches(filter, [task.name, task.step, task.sample, task.status, task.host, ...task.tools]);
			}),
		[tasks, filter, group],
	);
	const threads = wantsThreads(query);
	const toGo = useMemo(() => new Map((expected?.tasks ?? []).map((task) => [task.id, task])), [expected]);
	const columns = useMemo(() => columnsOf(tasks, now, threads, toGo).filter((column) => isInformative(column.key, tasks)), [now, tasks, threads, toGo]);
	const order = parseOrder(query.get("sort"), { key: "started_at", down: false });
	const selected = query.get("task");
	const task = tasks.find((candidate) => candidate.id === selected);
	return (
		<>
			<div class="tools-row">
				<input
					type="search"
					placeholder="Filter by task, step, sample, tool"
					aria-label="Filter tasks"
					value={filter}
					onInput={(event) => setQuery({ filter: event.currentTarget.value })}
				/>
				<Choice label="Status" options={GROUPS} value={group} onChange={(status) => setQuery({ status })} />
				<span class="muted">
					{count(rows.length)} of {count(tasks.length)} tasks{complete ? "" : " (the first ones; the run has more)"}
				</span>
			</div>
			{task && <TaskPanel run={id} {...{ task, now, threads, known }} />}
			<Table
				name="Tasks"
				columns={columns}
				rows={rows}
				keyOf={(one) => one.id}
				order={order}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={selected}
				onSelect={(one) => setQuery({ task: one.id === selected ? null : one.id })}
				empty={tasks.length === 0 ? "No task was seen in this run yet." : "No task matches the filter."}
			/>
		</>
	);
}
