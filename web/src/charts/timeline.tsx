// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, get, getAll, useGet, useLoad } from "../lib/api";
import type { Loaded } from "../lib/api";
import { CriticalPathBox, worthTelling } from "../pages/critical_path";
import { bytes, cpus, plain } from "../lib/format";
import { Gantt } from "./gantt";
import { barOf, layout, shadesByTask, tickLabel } from "./gantt_layout";
import type { Bar, Shade } from "./gantt_layout";
import { Gpus } from "../pages/gpus";
import type { Process, ProcessList, RunReport, Sample, SampleList, ShareSample, Task } from "../lib/model";
import type { Dataflow } from "../lib/model_flow";
import type { GpuList, Host } from "../lib/model_host";
import { Choice, Loading } from "../lib/widgets";
import { Chart } from "./chart";
import { setQuery } from "../lib/route";
import { wantsThreads } from "../lib/states";
import { cpuOf, curves, diskOf, gridOf, kindCurves, memoryOf, OTHERS, stacked, waitOf } from "./series";
import { StatesChart } from "./states_chart";
import type { Curves } from "./series";
import { TaskPanel } from "../pages/task_panel";
import type { Known } from "../pages/task_panel";
import { useNarrow } from "../lib/media";
import { SERIES, useTheme } from "../lib/theme";
import type { Theme } from "../lib/theme";
import { zoomOf } from "./zoom";

// The first tab of a run: what ran when, and the resources it used, on one time axis.

/** A range of time, in milliseconds since 1970. */
export interface Range {
	from: number;
	to: number;
}

export interface TimelineProps {
	id: string;
	report: RunReport;
	tasks: readonly Task[];
	hosts: readonly Host[] | null;
	query: URLSearchParams;
	now: number;
	every: number;
	known: Known;
}

const MANY = 200;
const MOST_CURVES = 8;

const useSamples = <S = Sample,>(id: string | null, by: string, figures: string, every: number) =>
	useLoad(
		id === null ? null : `samples ${id} ${by}`,
		(signal) => get<SampleList<S>>(address(`/runs/${encodeURIComponent(id ?? "")}/samples`, { by, figures }), signal),
		every,
	);

/** The lake reads all files of the run for it: rarely, while the run is running. */
function useFlow(id: string, every: number) {
	const flow = useGet<Dataflow>(`/runs/${encodeURIComponent(id)}/dataflow?limit=1`, every * 10).data;
	const queued = useMemo(() => {
		const known = (flow?.tasks ?? []).flatMap((task) => (task.queue_s === null ? [] : [[task.id, task.queue_s] as const]));
		return new Map(known);
	}, [flow]);
	return { path: flow?.critical_path ?? null, queued };
}

/** Steps in the order in which they began, each with its own colour as long as there are enough colours. */
export function colorsOf(steps: readonly string[], theme: Theme): Map<string, string> {
	return new Map(steps.map((step, n) => [step, theme.series[n % SERIES] ?? theme.other]));
}

/** The processes of tasks that were opened. */
function useOpened(id: string, ids: readonly string[], every: number): ReadonlyMap<string, readonly Process[]> {
	const key = ids.length > 0 ? `opened ${id} ${ids.join(" ")}` : null;
	const load = async (signal: AbortSignal) => {
		const path = `/runs/${encodeURIComponent(id)}/processes`;
		const lists = ids.map(async (task) => {
			const list = await getAll<ProcessList, Process>(path, { task }, (page) => page.processes, 3000, signal);
			return [task, list.rows] as const;
		});
		return new Map(await Promise.all(lists));
	};
	return useLoad(key, load, every).data ?? NONE;
}

const NONE: ReadonlyMap<string, readonly Process[]> = new Map();

function toggled<T>(set: ReadonlySet<T>, member: T): Set<T> {
	const next = new Set(set);
	if (!next.delete(member)) next.add(member);
	return next;
}

function wholeOf(report: RunReport, tasks: readonly Task[], now: number): Range {
	const plan = layout(tasks, { now, packed: true, folded: new Set(), opened: NONE });
	const run = barOf({ ...report.run, queued_at: null } as unknown as Task, now);
	const from = Math.min(plan.from, run?.from ?? Infinity);
	const to = Math.max(plan.to, run?.to ?? -Infinity);
	if (!Number.isFinite(from) || !Number.isFinite(to)) return { from: now - 1000, to: now };
	// Some space at the end for marks behind the last bar.
	return { from, to: to + Math.max(1, (to - from) * 0.015) };
}

function capacityOf(hosts: readonly Host[] | null, names: readonly string[]): { cpus: number | null; memory: number | null } {
	const own = (hosts ?? []).filter((host) => names.includes(host.hostname) || names.includes(host.id));
	if (own.length === 0 || own.length < names.length) return { cpus: null, memory: null };
	const sum = (values: (number | null)[]) =>
		values.reduce<number | null>((total, value) => (total === null || !value ? null : total + value), 0);
	return { cpus: sum(own.map((host) => host.cpus)), memory: sum(own.map((host) => host.memory_bytes)) };
}

function Legend() {
	return (
		<ul class="gantt-legend" aria-label="How bars are shaded">
			<li title="Share of the time in which it was on a CPU">
				<i class="key-run" aria-hidden="true" /> on a CPU
			</li>
			<li title="Ready to run, but every CPU was taken">
				<i class="key-wait" aria-hidden="true" /> waiting for a CPU
			</li>
			<li title="Reading, writing, or waiting for another process">
				<i class="key-rest" aria-hidden="true" /> waiting for something else
			</li>
			<li title="Failed or killed; a dashed outline: lost, it ended unseen">
				<i class="key-bad" aria-hidden="true" /> ✕ did not succeed
			</li>
			<li title="Each of them waited for what the one before wrote">
				<i class="key-path" aria-hidden="true" /> on the critical path
			</li>
		</ul>
	);
}

interface ToolbarProps {
	packed: boolean;
	onPacked: (packed: boolean) => void;
	zoomed: boolean;
	onZoom: (factor: number | null) => void;
	onFoldAll: () => void;
	allFolded: boolean;
}

function Toolbar(props: ToolbarProps) {
	return (
		<div class="tools-row">
			<Choice
				label="Rows"
				options={[["each", "A row a task"], ["packed", "Compact"]] as const}
				value={props.packed ? "packed" : "each"}
				onChange={(value) => props.onPacked(value === "packed")}
			/>
			<button type="button" onClick={props.onFoldAll}>
				{props.allFolded ? "Unfold steps" : "Fold steps"}
			</button>
			<div class="choice" role="group" aria-label="Zoom">
				<button type="button" aria-label="Zoom in" onClick={() => props.onZoom(0.6)}>
					+
				</button>
				<button type="button" aria-label="Zoom out" disabled={!props.zoomed} onClick={() => props.onZoom(1 / 0.6)}>
					−
				</button>
				<button type="button" disabled={!props.zoomed} onClick={() => props.onZoom(null)}>
					Whole run
				</button>
			</div>
			<Legend />
			<span class="hint" title="Drag on the time axis to zoom to a stretch, double click to see all again">Drag pans, Ctrl + wheel zooms</span>
		</div>
	);
}

interface ChartsProps {
	samples: SampleList;
	/** Separates tasks from the engine. */
	byShare: SampleList<ShareSample> | null;
	by: By;
	colors: ReadonlyMap<string, string>;
	tasks: readonly Task[];
	threads: boolean;
	capacity: { cpus: number | null; memory: number | null };
	range: Range;
	whole: Range;
	onRange: (range: Range | null) => void;
	theme: Theme;
}

function colorOf(key: string, n: number, theme: Theme, colors: ReadonlyMap<string, string>): string {
	if (key === OTHERS) return theme.other;
	return key === "" ? theme.engine : (colors.get(key) ?? theme.series[n % SERIES] ?? theme.other);
}

function chartCurves(data: Curves, theme: Theme, nameOf: (key: string) => string, colors: ReadonlyMap<string, string>) {
	const edges = stacked(data.curves.map((curve) => curve.values));
	return data.curves.map((curve, n) => ({
		name: curve.key === OTHERS ? `${data.others} others` : nameOf(curve.key),
		color: colorOf(curve.key, n, theme, colors),
		edge: edges[n] ?? [],
		values: curve.values,
	}));
}

const NO_COLORS: ReadonlyMap<string, string> = new Map();

function Charts({ samples, byShare, by, colors, tasks, threads, capacity, range, whole, onRange, theme }: ChartsProps) {
	const names = useMemo(() => new Map(tasks.map((task) => [task.id, task.name || task.id])), [tasks]);
	const nameOf = (key: string) => plain(by === "task" ? (names.get(key) ?? key) : key) || "the engine itself";
	const own = by === "step" ? colors : NO_COLORS;
	const steps = useMemo(() => new Map(tasks.map((task) => [task.id, task.step])), [tasks]);
	const groupOf = (key: string) => (by === "step" ? (steps.get(key) ?? "") : key);
	const drawn = useMemo(() => {
		const grid = gridOf(samples);
		const { interval_s } = grid;
		const cpu = curves(grid, cpuOf(interval_s), MOST_CURVES, groupOf);
		const wait = curves(grid, waitOf(interval_s), 0, () => "");
		const memory = curves(grid, memoryOf(by !== "tool"), MOST_CURVES, groupOf);
		const disk = curves(grid, diskOf(interval_s), MOST_CURVES, groupOf);
		const kinds = kindCurves(grid, by !== "tool");
		const kindEdges = stacked(kinds.map((kind) => kind.values));
		const busy = chartCurves(cpu, theme, nameOf, own);
		const below = busy[busy.length - 1]?.edge ?? [];
		const waiting = (wait.curves[0]?.values ?? []).slice();
		const edge = cpu.times.map((_, n) => (below[n] ?? 0) + (waiting[Math.min(n, waiting.length - 1)] ?? 0));
		const wanted = { name: "waiting for a CPU", color: theme.wait, edge, values: waiting, dashed: true };
		return {
			cpu: { times: cpu.times, curves: [...busy, wanted] },
			memory: { times: memory.times, curves: chartCurves(memory, theme, nameOf, own) },
			kinds: {
				times: memory.times,
				curves: kinds.map((kind, n) => ({ ...kind, color: theme.series[n % SERIES] ?? theme.other, edge: kindEdges[n] ?? [] })),
			},
			disk: { times: disk.times, curves: chartCurves(disk, theme, nameOf, own) },
		};
	}, [samples, theme, by, names, own, steps]);
	const common = { range, origin: whole.from, onRange, tickLabel: (s: number, step: number) => tickLabel(s * 1000, step * 1000) };
	return (
		<div class="charts">
			<Chart name="cpu" title="CPUs in use" {...drawn.cpu} capacity={capacity.cpus} format={cpus} {...common} />
			<Chart name="memory" title="Memory" {...drawn.memory} capacity={capacity.memory} format={bytes} binary {...common} />
			<Chart name="memory-kinds" title="Memory, by what it consists of" {...drawn.kinds} capacity={null} format={bytes} binary {...common} />
			<Chart name="disk" title="Storage, a second" {...drawn.disk} capacity={null} format={bytes} binary {...common} />
			{byShare && <StatesChart samples={byShare} {...{ threads, range, whole, onRange, theme }} />}
		</div>
	);
}

const BY = [["step", "By step"], ["tool", "By tool"], ["task", "By task"]] as const;
type By = (typeof BY)[number][0];

function useShades(list: SampleList | null, tasks: readonly Task[], now: number): ReadonlyMap<string, Shade[]> {
	return useMemo(() => {
		const bars = new Map<string, Bar>();
		for (const task of tasks) {
			const bar = barOf(task, now);
			if (bar) bars.set(task.id, bar);
		}
		return list ? shadesByTask(list, bars) : new Map<string, Shade[]>();
	}, [list, tasks, now]);
}

function Resources(props: Omit<ChartsProps, "samples"> & { source: Loaded<SampleList> }) {
	const samples = props.source.data;
	return (
		<>
			<div class="tools-row">
				<h2>Resources over time</h2>
				<Choice label="Curves" options={BY} value={props.by} onChange={(value) => setQuery({ by: value === "step" ? null : value })} />
			</div>
			{props.source.loading && <Loading what="samples" />}
			{samples && samples.samples.length === 0 && (
				<div class="empty">No sample was taken: every process ended before the first second was over.</div>
			)}
			{samples && samples.samples.length > 0 && <Charts {...props} samples={samples} />}
		</>
	);
}

/**
 * The zoom. The address may ask for one (zoom=, of the task task=): then the timeline is scrolled into view, and the tools of that
 * task are shown. Once the reader zooms, the address asks for none.
 */
function useZoom(query: URLSearchParams, whole: Range, tasks: readonly Task[], now: number, show: (task: string) => void) {
	const text = query.get("zoom");
	const task = text === null ? undefined : tasks.find((candidate) => candidate.id === query.get("task"));
	const asked = text === null ? null : `${task?.id ?? ""} ${text}`;
	const [zoom, setZoom] = useState<Range | null>(null);
	const [marks, setMarks] = useState<readonly number[]>([]);
	const box = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		if (asked === null) return;
		const { range, marks: at } = zoomOf(text, whole, task ? barOf(task, now) : null);
		setZoom(range);
		setMarks(at);
		if (task) show(task.id);
		box.current?.scrollIntoView({ block: "start" });
	}, [asked]);
	const onRange = (range: Range | null) => {
		setZoom(range);
		if (asked !== null) setQuery({ zoom: null });
	};
	return { zoom, marks, asked, box, onRange };
}

export function Timeline({ id, report, tasks, hosts, query, now, every, known }: TimelineProps) {
	const theme = useTheme();
	const narrow = useNarrow();
	const by = BY.find(([name]) => name === query.get("by"))?.[0] ?? "step";
	const selected = query.get("task");
	const threads = wantsThreads(query);
	const whole = useMemo(() => wholeOf(report, tasks, now), [report, tasks, now]);
	const [packed, setPacked] = useState(tasks.length > MANY);
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const { zoom, marks, asked, box, onRange } = useZoom(query, whole, tasks, now, (one) => setOpen(new Set([one])));
	const byTask = useSamples(id, "task", "use", every);
	const byTool = useSamples(by === "tool" ? id : null, "tool", "use", every);
	const byShare = useSamples<ShareSample>(id, "share", "all", every).data;
	const gpus = useGet<GpuList>(`/runs/${encodeURIComponent(id)}/gpus`, every).data;
	const opened = useOpened(id, [...open], every);
	const { path, queued } = useFlow(id, every);
	const range = zoom ?? whole;
	const steps = useMemo(() => layout(tasks, { now, packed: true, folded: new Set(), opened: NONE }).steps, [tasks]);
	const colors = useMemo(() => colorsOf(steps, theme), [steps, theme]);
	const shades = useShades(byTask.data, tasks, now);
	const task = tasks.find((candidate) => candidate.id === selected);
	const gutter = narrow ? 120 : 250;
	const onZoom = (factor: number | null) => {
		if (factor === null) return onRange(null);
		const middle = (range.from + range.to) / 2;
		const half = ((range.to - range.from) / 2) * factor;
		onRange(half * 2 >= whole.to - whole.from ? null : { from: middle - half, to: middle + half });
	};
	if (tasks.length === 0) return <div class="empty">No task was seen in this run yet.</div>;
	return (
		<div class={`timeline${narrow ? " narrow" : ""}`} ref={box}>
			<Toolbar
				packed={packed}
				onPacked={setPacked}
				zoomed={zoom !== null}
				onZoom={onZoom}
				allFolded={folded.size >= steps.length}
				onFoldAll={() => setFolded(folded.size >= steps.length ? new Set() : new Set(steps))}
			/>
			<Gantt
				{...{ tasks, shades, colors, opened, selected, whole, range, now, packed, folded, gutter, path, queued, threads }}
				onOpen={(one) => setOpen(toggled(open, one))}
				onSelect={(one) => setQuery({ task: one, zoom: null })}
				onRange={onRange}
				marks={marks}
				reveal={asked}
				onFold={(step) => setFolded(toggled(folded, step))}
			/>
			{task && <TaskPanel run={id} {...{ task, now, threads, known }} />}
			{worthTelling(path) && <CriticalPathBox {...{ path, colors, selected, threads }} onSelect={(one) => setQuery({ task: one, zoom: null })} />}
			<Resources {...{ by, colors, tasks, threads, range, whole, theme }} byShare={byShare} source={by === "tool" ? byTool : byTask} capacity={capacityOf(hosts, report.run.hosts)} onRange={onRange} />
			{gpus && (
				<Gpus
					gpus={gpus.gpus}
					samples={gpus.gpu_samples}
					axis={{ range, origin: whole.from, onRange, tickLabel: (s, step) => tickLabel(s * 1000, step * 1000) }}
				/>
			)}
		</div>
	);
}
