// SPDX-License-Identifier: Apache-2.0
import { duration, ending, instant, label, plain, when } from "./format";
import type { Finding } from "./model_findings";
import type { Task } from "./model";

// What the evidence of a finding points to: tasks, processes, stretches of time. Pure. Evidence is outside data: a key of another
// type than expected is left out.

type Query = Record<string, string>;

export interface Place {
	text: string;
	query: Query;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const timeOf = (value: unknown): string => (instant(textOf(value)) === null ? "" : textOf(value));

/** The query of a process in the list of processes. */
export function processQuery(pid: number, start_ns: number | null, task: string): Query {
	return { tab: "processes", ...(task ? { task } : {}), pid: String(pid), ...(start_ns !== null ? { start: String(start_ns) } : {}) };
}

/** How far into the run, as the timeline counts; without its start, the time of day. */
function into(text: string, started: number | null): string {
	const at = instant(text);
	return at !== null && started !== null ? duration(Math.max(0, at - started) / 1000) : when(text);
}

/** Where on the timeline: an instant, a span. */
function zoomQuery(evidence: Finding["evidence"], started: number | null): { text: string; zoom: string } | null {
	const [since, until, at] = [timeOf(evidence.since_at), timeOf(evidence.until_at), timeOf(evidence.at)];
	if (since && until) return { text: `${into(since, started)} to ${into(until, started)}`, zoom: `${since}/${until}` };
	return at ? { text: `at ${into(at, started)}`, zoom: at } : null;
}

/** Of the run that a finding is about. */
export interface RunPlace {
	id: string;
	started_at: string | null;
	/** Whether there is a timeline to lead to. */
	timeline: boolean;
}

/** The places that a finding names, the timeline first. */
export function placesOf({ evidence }: Finding, run: Omit<RunPlace, "id">): Place[] {
	const places: Place[] = [];
	const task = textOf(evidence.task_id);
	const of = task ? { task } : {};
	const zoom = run.timeline ? zoomQuery(evidence, instant(run.started_at)) : null;
	if (zoom) places.push({ text: `Timeline, ${zoom.text}`, query: { ...of, zoom: zoom.zoom } });
	else if (task && run.timeline) places.push({ text: "Timeline", query: { ...of, zoom: "task" } });
	const pid = numberOf(evidence.pid);
	if (pid !== null && pid > 0) {
		const tool = plain(textOf(evidence.tool));
		places.push({ text: `Process ${pid}${tool ? ` (${tool})` : ""}`, query: processQuery(pid, numberOf(evidence.start_ns), task) });
	}
	const cause = textOf(evidence.failed_task_id);
	if (cause) places.push({ text: `The task that failed first: ${plain(textOf(evidence.failed_task)) || plain(cause)}`, query: { task: cause, zoom: "task" } });
	return places;
}

export interface Concerned {
	names: string[];
	/** Of how many more the names are not given. */
	more: number;
}

/** The tasks that a finding of several tasks is about. */
export function concernedOf({ evidence }: Finding): Concerned {
	const names = Array.isArray(evidence.tasks) ? evidence.tasks.filter((one): one is string => typeof one === "string" && one !== "") : [];
	return { names, more: Math.max(0, (numberOf(evidence.tasks_concerned) ?? names.length) - names.length) };
}

export interface ChainLink {
	tool: string;
	/** "exit 1", "SIGKILL"; empty: not known. */
	end: string;
	query: Query | null;
	/** Of so many in a row that are called and ended the same. */
	times: number;
}

const MOST_LINKS = 64;

/** The processes from the one that reported the failure to the one that caused it. */
export function chainOf({ evidence }: Finding): ChainLink[] {
	if (!Array.isArray(evidence.chain)) return [];
	const task = textOf(evidence.task_id);
	const links = evidence.chain.slice(0, MOST_LINKS).flatMap((one: unknown): ChainLink[] => {
		if (typeof one !== "object" || one === null) return [];
		const { pid, start_ns, tool, exit_code, signal } = one as Record<string, unknown>;
		const number = numberOf(pid);
		const named = plain(textOf(tool)) || (number !== null ? `process ${number}` : "");
		if (!named) return [];
		const end = typeof signal === "string" ? plain(signal) : ending(numberOf(exit_code), numberOf(signal));
		return [{ tool: named, end, query: number !== null && number > 0 ? processQuery(number, numberOf(start_ns), task) : null, times: 1 }];
	});
	return withoutRepeats(links);
}

/** A wrapper that calls itself is one link, the cause remains its own. */
function withoutRepeats(links: readonly ChainLink[]): ChainLink[] {
	const kept: ChainLink[] = [];
	for (const [n, link] of links.entries()) {
		const last = kept.at(-1);
		if (last && n < links.length - 1 && last.tool === link.tool && last.end === link.end) last.times++;
		else kept.push({ ...link });
	}
	return kept;
}

/** Shown as links, or in words elsewhere on the card. */
const PLACES = new Set([
	"run_id", "task_id", "task", "host_id", "pid", "start_ns", "at", "since_at", "until_at", "chain", "tasks", "tasks_concerned", "failed_task", "failed_task_id",
	"command", "inner", "reader", "run_before",
]);

/** Their unit is that of the figure that the evidence names. */
const OF_FIGURE = new Set(["value", "typical_low", "typical_median", "typical_high"]);

/** The name that says the unit of a piece of evidence. */
export const unitName = (evidence: Finding["evidence"], name: string): string => (OF_FIGURE.has(name) && textOf(evidence.figure) ? textOf(evidence.figure) : name);

const isEmpty = (value: unknown): boolean => value === null || value === "" || (typeof value === "object" && Object.keys(value as object).length === 0);

/** The rest: figures and words, without what the subject says already. */
export const figuresOf = ({ evidence, subject }: Pick<Finding, "evidence" | "subject">): [string, unknown][] =>
	Object.entries(evidence ?? {}).filter(
		([name, value]) =>
			!PLACES.has(name) && !(name === "tool" && (evidence.pid || evidence.chain)) && !(name === "figure" && "typical_median" in evidence) && !isEmpty(value) && !(typeof value === "string" && subject.includes(value)),
	);

/** "tools: bwa 0.7.17 → bwa 0.7.18; host type: …": of an object of pairs, before and now; null: it is none. */
export function pairsText(value: unknown): string | null {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
	const known = Object.entries(value).filter((pair): pair is [string, [string, string]] => Array.isArray(pair[1]) && pair[1].length === 2 && pair[1].every((one: unknown) => typeof one === "string"));
	if (known.length === 0 || known.length < Object.keys(value).length) return null;
	return known.map(([name, [from, to]]) => `${label(name)}: ${plain(from) || "unknown"} → ${plain(to) || "unknown"}`).join("; ");
}

/** The run before, with which this one can be compared; empty: none is named. */
export const runBefore = ({ evidence }: Finding): string => textOf(evidence?.run_before);

/** Why something failed, in words that head a card. Of other kinds the kind itself is read as words. */
const TITLES: Record<string, string> = {
	crash: "Crashed",
	killed: "Killed",
	stopped_by_engine: "Stopped by its engine",
	io_error: "Input or output error",
	exit_code: "Ended with an error of its own",
	masked_failure: "Failed unnoticed",
	retried: "Failed, then tried again",
	unknown_failure: "Failed: why is not known",
	serial: "One thread at work",
	cpu_contention: "CPUs used by others",
	cpu_limit: "Held at its CPU limit",
	slot_wait: "Waited for a free slot",
	disk_wait: "Waited for storage",
	network_wait: "Waited for the network",
	pipe_limit: "Held up by one member of its pipe",
	lock_contention: "Waited for locks",
	sleeping: "Slept by design",
	oversubscribed: "More threads than CPUs",
};

function kindTitle(kind: string): string {
	const known = Object.hasOwn(TITLES, kind) ? TITLES[kind] : undefined;
	const words = plain(kind).replace(/_/g, " ");
	return known ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function titleOf({ kind, evidence }: Finding): string {
	const inner = textOf(evidence?.inner);
	const title = kindTitle(kind);
	return inner ? `${title}: ${kindTitle(inner).toLowerCase()}` : title;
}

const WEIGHT: Record<string, number> = { critical: 0, warning: 1, info: 2 };
const FAILURES = new Set([
	"out_of_memory", "crash", "killed", "time_limit", "spot_interruption", "stopped_by_engine", "disk_full", "io_error", "file_missing",
	"permission_denied", "command_not_found", "name_not_resolved", "connection_failed", "broken_pipe", "output_missing", "exit_code",
	"masked_failure", "retried", "unknown_failure",
]);

const rank = ({ kind, severity }: Finding): number => (WEIGHT[severity] ?? 3) * 2 + (FAILURES.has(kind) ? 0 : 1);

/** What failed comes first; otherwise in the order of the lake. */
export const inOrder = (findings: readonly Finding[]): Finding[] => [...findings].sort((a, b) => rank(a) - rank(b));

/** Why this task failed, where a finding says it. */
export function causeOf(findings: readonly Finding[], task: Task): Finding | null {
	const failures = findings.filter((one) => FAILURES.has(one.kind));
	return failures.find((one) => one.evidence?.task_id === task.id) ?? failures.find((one) => concernedOf(one).names.includes(task.name)) ?? null;
}

const BAD = ["failed", "killed"];
const endOf = (task: Task): number => instant(task.ended_at) ?? Infinity;

/** The task to show of a run that failed: the one that the first finding names; otherwise the first that failed. */
export function firstFailed(findings: readonly Finding[], tasks: readonly Task[]): Task | null {
	const failed = tasks.filter((task) => BAD.includes(task.status));
	for (const finding of inOrder(findings)) {
		if (finding.severity !== "critical" || finding.kind === "stopped_by_engine") continue;
		const named = tasks.find((task) => task.id === finding.evidence?.task_id) ?? failed.find((task) => concernedOf(finding).names.includes(task.name));
		if (named) return named;
	}
	return failed.reduce<Task | null>((first, task) => (first === null || endOf(task) < endOf(first) ? task : first), null);
}
