// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { address, get, getAll, useGet, useLoad } from "../lib/api";
import { Containers } from "./containers";
import { Disks } from "./disks";
import { Events, Losses } from "./events";
import { Files } from "./files";
import { Findings } from "./findings";
import { count, plain, when } from "../lib/format";
import { useLive, useNow } from "../lib/live";
import type { Candidate, EventList, RunReport, SyscallList, SyscallRow, Task, TaskList, Tool } from "../lib/model";
import type { Host } from "../lib/model_host";
import { Network } from "./network";
import { Failure, Loading } from "../lib/widgets";
import { Processes } from "./processes";
import { go, runAddress, setQuery, viewAddress } from "../lib/route";
import { RunFigures, RunHeader } from "./run_header";
import { firstFailed } from "../lib/evidence";
import type { Finding, FindingsAnswer } from "../lib/model_findings";
import type { Expected } from "../lib/tune/model_expected";
import { isBad } from "../charts/gantt_layout";
import { wantsThreads } from "../lib/states";
import { Badge } from "./status";
import { Steps } from "./steps";
import { MOST_SYSCALLS, Syscalls } from "./syscalls";
import { Tasks } from "./tasks";
import { Timeline } from "../charts/timeline";
import { Tools } from "./tools";
import { SizesTab } from "./tune/sizes";
import { WhatIfTab } from "./tune/whatif";

// One run: its verdict, its findings, its figures and its tabs.

const TABS = ["timeline", "tasks", "steps", "sizes", "whatif", "tools", "processes", "files", "disks", "network", "syscalls", "containers", "events"] as const;
type Tab = (typeof TABS)[number];

const TITLES: Record<Tab, string> = {
	timeline: "Timeline",
	tasks: "Tasks",
	steps: "Steps",
	sizes: "Sizes",
	whatif: "What if",
	tools: "Tools",
	processes: "Processes",
	files: "Files",
	disks: "Disks",
	network: "Network",
	syscalls: "System calls",
	containers: "Containers",
	events: "Events",
};

/** Tabs that name tasks. */
const NAMES_TASKS: readonly Tab[] = ["timeline", "tasks", "processes", "files", "disks", "network", "events"];

const REFRESH = 3000;
const MOST_TASKS = 20_000;

interface TabsProps {
	id: string;
	tab: Tab;
	counts: Partial<Record<Tab, number>>;
	hidden: readonly Tab[];
}

function Tabs({ id, tab, counts, hidden }: TabsProps) {
	const bar = useRef<HTMLElement>(null);
	// On a narrow screen the bar of tabs scrolls: scroll the open tab into view.
	useLayoutEffect(() => {
		const element = bar.current;
		const current = element?.querySelector<HTMLElement>("[aria-current]");
		if (element && current) element.scrollLeft = current.offsetLeft - element.offsetLeft - (element.clientWidth - current.clientWidth) / 2;
	}, [tab, Object.keys(counts).length]);
	return (
		<nav class="tabs" aria-label="Lists of the run" ref={bar}>
			{TABS.filter((name) => name === tab || !hidden.includes(name)).map((name) => (
				<a
					key={name}
					href={viewAddress(id, name === "timeline" ? {} : { tab: name })}
					aria-current={name === tab ? "page" : undefined}
				>
					{TITLES[name]}
					{counts[name] !== undefined && <span class="tally">{count(counts[name])}</span>}
				</a>
			))}
		</nav>
	);
}

function useTasks(path: string, wanted: boolean, every: number) {
	return useLoad(
		wanted ? `tasks ${path}` : null,
		(signal) => getAll<TaskList, Task>(`${path}/tasks`, {}, (page) => page.tasks, MOST_TASKS, signal),
		every,
	);
}

const NO_TASKS: readonly Task[] = [];
const NO_SYSCALLS: readonly SyscallRow[] = [];

/** Most runs have none: system calls are counted only on request. */
function useSyscalls(path: string, wanted: boolean, every: number): readonly SyscallRow[] {
	const list = useLoad(
		wanted ? `syscalls ${path}` : null,
		(signal) => get<SyscallList>(address(`${path}/syscalls`, { limit: MOST_SYSCALLS }), signal),
		every,
	);
	return list.data?.syscalls ?? NO_SYSCALLS;
}

interface BodyProps {
	id: string;
	path: string;
	tab: Tab;
	report: RunReport;
	query: URLSearchParams;
	every: number;
	now: number;
	events: EventList | null;
	/** null: not loaded. */
	expected: Expected | null;
	/** null: not loaded. */
	findings: readonly Finding[] | null;
	calls: readonly SyscallRow[];
	/** The reader has just opened the page, on no tab. */
	fresh: { current: boolean };
}

const NO_FINDINGS: readonly Finding[] = [];

/** A run that had failed when the page was opened opens on the task that failed, unless the address asks for something else. */
function useFailedFirst(report: RunReport, fresh: { current: boolean }, findings: readonly Finding[] | null, tasks: readonly Task[]) {
	useEffect(() => {
		if (!isBad(report.run.status)) fresh.current = false;
		if (!fresh.current || findings === null || tasks.length === 0) return;
		fresh.current = false;
		const task = firstFailed(findings, tasks);
		const query = new URLSearchParams(location.search);
		if (task && !query.has("tab") && !query.has("task")) setQuery({ task: task.id });
	}, [findings, tasks]);
}

function Body({ id, path, tab, report, query, every, now, events, expected, findings, calls, fresh }: BodyProps) {
	const needsTasks = NAMES_TASKS.includes(tab);
	const tasks = useTasks(path, needsTasks, every);
	const tools = useGet<{ tools: Tool[] }>(tab === "tools" ? `${path}/tools` : null, every);
	const hosts = useGet<{ hosts: Host[] }>(tab === "timeline" ? "/hosts" : null);
	const rows = tasks.data?.rows ?? NO_TASKS;
	const names = useMemo(() => new Map(rows.map((task) => [task.id, task.name || task.id])), [rows]);
	const steps = useMemo(() => report.steps.map((step) => step.name), [report]);
	useFailedFirst(report, fresh, findings, rows);
	const known = useMemo(() => ({ findings: findings ?? NO_FINDINGS, events: events?.events ?? null }), [findings, events]);
	const error = [tasks, tools].find((one) => one.error && !one.data)?.error;
	if (error) return <Failure error={error} />;
	if (needsTasks && !tasks.data) return <Loading what="tasks" />;
	if (tab === "timeline") {
		return <Timeline {...{ id, report, query, now, every, known }} tasks={rows} hosts={hosts.data?.hosts ?? null} />;
	}
	if (tab === "tasks") return <Tasks {...{ id, query, now, known, expected }} tasks={rows} complete={tasks.data?.complete ?? true} />;
	if (tab === "steps") return <Steps steps={report.steps} pipeline={report.run.pipeline} {...{ id, query, expected }} />;
	if (tab === "sizes") return <SizesTab pipeline={report.run.pipeline} {...{ path, query, every }} />;
	if (tab === "whatif") return <WhatIfTab {...{ path, query }} steps={steps} />;
	if (tab === "tools") return tools.data ? <Tools tools={tools.data.tools} query={query} /> : <Loading what="tools" />;
	if (tab === "processes") return <Processes {...{ id, query, now }} tasks={rows} />;
	if (tab === "files") return <Files {...{ path, names, query, every }} />;
	if (tab === "disks") return <Disks {...{ path, names, query, every }} />;
	if (tab === "network") return <Network {...{ path, names, query, every }} />;
	if (tab === "syscalls") return <Syscalls rows={calls} query={query} />;
	if (tab === "containers") return <Containers {...{ path, query, every }} />;
	return events ? <Events events={events.events} tasks={rows} id={id} query={query} /> : <Loading what="events" />;
}

function useReport(path: string, id: string) {
	const live = useLive().runs.get(id);
	const first = useGet<RunReport>(path);
	const running = (live?.status ?? first.data?.run.status) === "running";
	const again = useGet<RunReport>(running ? `${path}` : null, REFRESH);
	// When the stream reports the end of the run, query its final figures.
	useEffect(() => {
		if (first.data && !running) first.reload();
	}, [running]);
	const report = running ? (again.data ?? first.data) : first.data;
	return { report, error: first.error, loading: first.loading, reload: first.reload, running };
}

const tallies = (report: RunReport, events: EventList | null): Partial<Record<Tab, number>> => ({
	tasks: report.totals.tasks,
	steps: report.steps.length,
	processes: report.totals.executions,
	...(events ? { events: events.events.filter((event) => !event.expected).length } : {}),
});

function NoRun({ id }: { id: string }) {
	return (
		<section class="empty" data-page="missing">
			<h1>There is no run {plain(id)}</h1>
			<p>It was never seen here, or the lake has let go of it.</p>
			<p>
				<a href="/">All runs</a>
			</p>
		</section>
	);
}

function SeveralRuns({ id, candidates }: { id: string; candidates: readonly Candidate[] }) {
	return (
		<section class="empty" data-page="several">
			<h1>Several runs begin with {plain(id)}</h1>
			<ul class="candidates">
				{candidates.map((one) => (
					<li key={one.id}>
						<a href={runAddress(one.id)}>{plain(one.name) || one.id}</a> <Badge status={one.status} />{" "}
						{[plain(one.engine_run_name), plain(one.pipeline), when(one.started_at)].filter(Boolean).join(", ")}
					</li>
				))}
			</ul>
		</section>
	);
}

/** Replaces the name of a run, or a prefix of it, in the address by the id, which always means this run. */
function useIdInAddress(asked: string, report: RunReport | null) {
	const id = report?.run.id ?? asked;
	useEffect(() => {
		if (id !== asked) go(`${runAddress(id)}${location.search}`, true);
	}, [id, asked]);
}

export function RunPage({ id, query }: { id: string; query: URLSearchParams }) {
	const path = `/runs/${encodeURIComponent(id)}`;
	const { report, error, reload, running } = useReport(path, id);
	useIdInAddress(id, report);
	const every = running ? REFRESH : 0;
	const now = useNow(running ? 1000 : 0);
	const findings = useGet<FindingsAnswer>(report ? `${path}/findings` : null, running ? 10_000 : 0);
	const expected = useGet<Expected>(report ? `${path}/expected` : null, running ? 5000 : 0).data;
	const lost = report?.totals.lost_records ?? 0;
	const events = useGet<EventList>(report ? `${path}/events` : null, every);
	const losses = events.data?.losses ?? [];
	const calls = useSyscalls(path, !!report, every);
	const fresh = useRef(!query.has("tab") && !query.has("task"));
	const answer = findings.data;
	const live = useLive().runs.get(report?.run.id ?? id);
	const failedTools = answer?.verdict?.failed_tools ?? live?.failed_tools ?? null;
	const wanted = query.get("tab") ?? "timeline";
	const tab = TABS.find((name) => name === wanted) ?? "timeline";
	const name = report ? plain(report.run.name) || report.run.id : "Run";
	useEffect(() => void (document.title = `${name} · Tracer`), [name]);
	const counts = useMemo(
		() => (report ? tallies(report, events.data) : {}),
		[report, events.data],
	);
	if (error?.status === 409 && !report) return <SeveralRuns id={id} candidates={error.candidates} />;
	if (error?.status === 404 && !report) return <NoRun id={id} />;
	if (error && !report) return <Failure error={error} retry={reload} />;
	if (!report) return <Loading what="the run" />;
	return (
		<section data-page="run" data-run={report.run.id} data-status={report.run.status} data-tasks={report.totals.tasks}>
			<RunHeader report={report} now={now} verdict={answer?.verdict ?? null} expected={expected} failedTools={failedTools} />
			{findings.error && !findings.data && <Failure error={findings.error} retry={findings.reload} />}
			{findings.loading && <Loading what="findings" />}
			{answer && <Findings run={{ id: report.run.id, started_at: report.run.started_at, timeline: report.totals.tasks > 0 }} findings={answer.findings} />}
			{(lost > 0 || losses.length > 0) && <Losses count={lost} losses={losses} />}
			<RunFigures report={report} now={now} threads={wantsThreads(query)} />
			<Tabs id={id} tab={tab} counts={counts} hidden={calls.length > 0 ? [] : ["syscalls"]} />
			<Body key={tab} {...{ id, path, tab, report, query, every, now, expected, calls, fresh }} events={events.data} findings={answer?.findings ?? (findings.error ? NO_FINDINGS : null)} />
		</section>
	);
}
