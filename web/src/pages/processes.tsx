// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, get, useLoad } from "../lib/api";
import type { ApiError } from "../lib/api";
import { figureColumns } from "../lib/columns";
import { commandLine, count, duration, ending, exact, instant, plain, ticking, when } from "../lib/format";
import type { Process, ProcessList, Task } from "../lib/model";
import { Failure, Loading, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { matches, orderText, parseOrder } from "../lib/sort";
import { wantsThreads } from "../lib/states";
import { Badge } from "./status";
import { Table } from "../lib/table";
import type { Column } from "../lib/table";

// The processes of a run, one page at a time: there can be a hundred thousand.

const PAGE = 500;
/** The page in which one process is looked for. */
const PAGE_OF_ONE = 10_000;

const keyOf = (p: Process): string => `${p.host} ${p.pid} ${p.start_ns} ${p.image_seq}`;

function wallOf(p: Process, now: number): number | null {
	const started = instant(p.started_at);
	if (p.status === "running" && p.ended_at === null && started !== null) return Math.max(0, (now - started) / 1000);
	return p.wall_s;
}

function columnsOf(rows: readonly Process[], names: ReadonlyMap<string, string>, now: number, threads: boolean): Column<Process>[] {
	return [
		{ key: "status", title: "Status", value: (p) => p.status, cell: (p) => <Badge status={p.status} /> },
		{ key: "pid", title: "PID", number: true, value: (p) => p.pid, cell: (p) => p.pid, exact: (p) => `parent ${p.ppid}, image ${p.image_seq}` },
		{ key: "tool", title: "Tool", value: (p) => p.tool, cell: (p) => plain(p.tool) || <Unknown />, exact: (p) => plain(p.exe) },
		{
			key: "argv",
			title: "Command",
			wide: true,
			value: (p) => p.argv.join(" "),
			cell: (p) => <code>{commandLine(p.argv).slice(0, 400) || <Unknown />}</code>,
			exact: (p) => `${commandLine(p.argv).slice(0, 4000)}\n\nin ${plain(p.cwd)}`,
		},
		{
			key: "task_id",
			title: "Task",
			value: (p) => names.get(p.task_id) ?? p.task_id,
			cell: (p) => (p.task_id ? plain(names.get(p.task_id) ?? p.task_id) : <span class="muted">engine</span>),
			exact: (p) => plain(names.get(p.task_id) ?? p.task_id),
		},
		{ key: "ending", title: "Ended", value: (p) => ending(p.exit_code, p.signal), cell: (p) => endingOf(p) },
		{
			key: "started_at",
			title: "Started",
			number: true,
			value: (p) => instant(p.started_at),
			cell: (p) => when(p.started_at, now),
			exact: (p) => p.started_at ?? "unknown",
		},
		{
			key: "wall_s",
			title: "Wall",
			number: true,
			value: (p) => wallOf(p, now),
			cell: (p) => (p.status === "running" ? ticking(wallOf(p, now)) : duration(wallOf(p, now))),
			exact: (p) => exact.seconds(wallOf(p, now)),
		},
		...figureColumns(rows, threads).map((column) => (column.key === "rss_peak_bytes" ? peak(column) : column)),
	];
}

/** A peak that is only an upper bound is marked so. */
const peak = (column: Column<Process>): Column<Process> => ({
	...column,
	help: "The peak of this program image; ≤ marks an upper bound",
	cell: (p) => <>{!p.peak_exact && p.rss_peak_bytes > 0 ? "≤ " : ""}{column.cell(p)}</>,
});

function endingOf(p: Process) {
	if (p.status === "running") return "";
	if (p.status === "replaced") return "exec";
	return ending(p.exit_code, p.signal) || <Unknown />;
}

interface ProcessesProps {
	id: string;
	tasks: readonly Task[];
	query: URLSearchParams;
	now: number;
}

/** The one process that an address asks for (pid=, start=). */
export interface Asked {
	pid: number;
	/** Of several processes with that pid this one; null: all of them. */
	start: number | null;
}

export function askedOf(query: URLSearchParams): Asked | null {
	const pid = Number(query.get("pid") ?? NaN);
	const start = Number(query.get("start") ?? NaN);
	return Number.isInteger(pid) && pid > 0 ? { pid, start: Number.isFinite(start) && start > 0 ? start : null } : null;
}

const isAsked = (p: Process, asked: Asked | null): boolean =>
	asked === null || (p.pid === asked.pid && (asked.start === null || p.start_ns === asked.start));

function usePages(id: string, task: string | null, limit: number) {
	const path = `/runs/${encodeURIComponent(id)}/processes`;
	const page = (cursor: string | null, signal?: AbortSignal) =>
		get<ProcessList>(address(path, { limit, task, cursor }), signal);
	const first = useLoad(`${path} ${task ?? ""} ${limit}`, (signal) => page(null, signal));
	const [more, setMore] = useState<{ rows: Process[]; next: string | null; error: string; busy: boolean } | null>(null);
	useEffect(() => setMore(null), [first.data]);
	const next = more ? more.next : (first.data?.next ?? null);
	const rows = useMemo(() => [...(first.data?.processes ?? []), ...(more?.rows ?? [])], [first.data, more]);
	const load = async () => {
		const was = more ?? { rows: [], next, error: "", busy: false };
		setMore({ ...was, busy: true });
		try {
			const got = await page(next);
			setMore({ rows: [...was.rows, ...got.processes], next: got.next ?? null, error: "", busy: false });
		} catch (cause) {
			setMore({ ...was, error: (cause as ApiError).message, busy: false });
		}
	};
	return { first, rows, next, load, busy: more?.busy ?? false, error: more?.error ?? "" };
}

function More({ pages, limit }: { pages: ReturnType<typeof usePages>; limit: number }) {
	return (
		<p class="more">
			<button type="button" onClick={pages.load} disabled={pages.busy}>
				{pages.busy ? "Loading …" : `Load ${count(limit)} more`}
			</button>{" "}
			{pages.error}
		</p>
	);
}

export function Processes({ id, tasks, query, now }: ProcessesProps) {
	const task = query.get("task");
	const filter = query.get("filter") ?? "";
	const asked = askedOf(query);
	const limit = asked ? PAGE_OF_ONE : PAGE;
	const pages = usePages(id, task, limit);
	const box = useRef<HTMLDivElement>(null);
	const one = asked && pages.first.data ? `${asked.pid} ${asked.start}` : null;
	useLayoutEffect(() => {
		if (one !== null) box.current?.scrollIntoView({ block: "start" });
	}, [one]);
	const names = useMemo(() => new Map(tasks.map((one) => [one.id, one.name || one.id])), [tasks]);
	const threads = wantsThreads(query);
	const columns = useMemo(() => columnsOf(pages.rows, names, now, threads), [pages.rows, names, now, threads]);
	const rows = useMemo(
		() => pages.rows.filter((p) => isAsked(p, asked) && matches(filter, [p.tool, p.exe, String(p.pid), p.status, ...p.argv])),
		[pages.rows, filter, asked?.pid, asked?.start],
	);
	if (pages.first.error) return <Failure error={pages.first.error} retry={pages.first.reload} />;
	if (!pages.first.data) return <Loading what="processes" />;
	return (
		<>
			<div class="tools-row" ref={box}>
				<input
					type="search"
					placeholder="Filter the loaded ones by tool, command, pid"
					aria-label="Filter processes"
					value={filter}
					onInput={(event) => setQuery({ filter: event.currentTarget.value })}
				/>
				{task && (
					<button type="button" onClick={() => setQuery({ task: null })} title="Show the processes of all tasks">
						Only task {plain(names.get(task) ?? task)} ✕
					</button>
				)}
				{asked && (
					<button type="button" onClick={() => setQuery({ pid: null, start: null })} title="Show the others, too">
						Only pid {asked.pid} ✕
					</button>
				)}
				<span class="muted">{count(rows.length)} shown</span>
				<button type="button" onClick={pages.first.reload}>
					Refresh
				</button>
			</div>
			<Table
				name="Processes"
				columns={columns}
				rows={rows}
				keyOf={keyOf}
				order={parseOrder(query.get("sort"), { key: "started_at", down: false })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty="No process matches."
			/>
			{pages.next !== null && <More pages={pages} limit={limit} />}
		</>
	);
}
