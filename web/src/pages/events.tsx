// SPDX-License-Identifier: Apache-2.0
import { bytes, count, exact, plain, when } from "../lib/format";
import { LossLine } from "./losses";
import type { Loss, Task, TracerEvent } from "../lib/model";
import { viewAddress, setQuery } from "../lib/route";

// The events of a run, and its missing records.

export function Losses({ count: lost, losses }: { count: number; losses: readonly Loss[] }) {
	return (
		<section class="notice is-warning" role="note" data-losses={lost}>
			<b>What is not known about this run</b>
			<p>
				{lost > 0 ? `${count(lost)} record${lost === 1 ? " was" : "s were"} lost` : "An unknown number of records was lost"}{" "}
				while it ran. Figures below may be too small; none is made up.
			</p>
			{losses.length > 0 && (
				<ul>
					{losses.slice(0, 20).map((loss, n) => (
						<LossLine key={n} loss={loss} />
					))}
				</ul>
			)}
		</section>
	);
}

export interface Part {
	name: string;
	text: string;
	/** The exact value. */
	title?: string;
}

const person = (event: TracerEvent): string => {
	const who = [event.sender_pid ? `pid ${event.sender_pid}` : "", event.sender_uid !== null ? `uid ${event.sender_uid}` : ""].filter(Boolean);
	return `${plain(event.sender) || "a process"}${who.length > 0 ? ` (${who.join(", ")})` : ""}`;
};

/** What was full: a cgroup, or, where none is named, the host. */
const full = (event: TracerEvent): string => plain(event.path) || "the host: it had no memory left";

/** What the path of an event is, by kind; of others a path. */
const pathNames: Readonly<Record<string, string>> = { exec_failed: "program", connect_failed: "address" };

/** The details of an event by name: who, how, what, which limit. Pure. */
export function partsOf(event: TracerEvent): Part[] {
	const oom = event.kind === "oom_kill";
	const parts: Part[] = [];
	if (event.sender || event.sender_pid) parts.push({ name: oom ? "asked for memory" : "by", text: person(event) });
	if (event.detail) parts.push({ name: "how", text: plain(event.detail) });
	else if (event.code !== null) parts.push({ name: event.kind === "exit_failed" ? "exit code" : "code", text: String(event.code) });
	if (oom) parts.push({ name: "full", text: full(event) });
	else if (event.path) parts.push({ name: pathNames[event.kind] ?? "path", text: plain(event.path) });
	if (event.limit_bytes) parts.push({ name: "limit", text: bytes(event.limit_bytes), title: exact.bytes(event.limit_bytes) });
	if (event.used_bytes) parts.push({ name: "used", text: bytes(event.used_bytes), title: exact.bytes(event.used_bytes) });
	return parts;
}

export function EventLine({ event, id, task }: { event: TracerEvent; id: string; task: string | null }) {
	const parts = partsOf(event);
	return (
		<li class={event.expected ? "expected" : ""}>
			<time dateTime={event.happened_at ?? ""} title={event.happened_at ?? "unknown"}>
				{when(event.happened_at)}
			</time>
			<span class="chip">{kindOf(event)}</span>
			<span class="event-text">{plain(event.summary)}</span>
			{task !== null && event.task_id && <a href={viewAddress(id, { tab: "tasks", task: event.task_id })}>{task}</a>}
			{(event.pid ?? 0) > 0 && <span class="muted">pid {event.pid}</span>}
			{parts.length > 0 && (
				<dl class="event-parts">
					{parts.map((part) => (
						<div key={part.name} title={part.title}>
							<dt>{part.name}</dt>
							<dd>{part.text}</dd>
						</div>
					))}
				</dl>
			)}
		</li>
	);
}

const kindOf = (event: TracerEvent): string => plain(event.kind).replace(/_/g, " ");

/** Which kinds there are, and how many of each, the most frequent first. */
function kindsOf(events: readonly TracerEvent[]): [string, number][] {
	const kinds = new Map<string, number>();
	for (const event of events) kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1);
	return [...kinds].sort((a, b) => b[1] - a[1]);
}

const MOST = 1000;

interface EventsProps {
	events: readonly TracerEvent[];
	tasks: readonly Task[];
	id: string;
	query: URLSearchParams;
}

export const foldedText = (number: number): string => `${count(number)} expected failure${number === 1 ? " is" : "s are"} folded`;

/** Of those on which nothing depended only a line, until the reader asks for them. */
function Folded({ number, shown }: { number: number; shown: boolean }) {
	if (number === 0) return null;
	return (
		<p class="folded" title="Nothing depended on them: an answer that is an exit code, a look for a file, a clean-up" data-expected={number}>
			{shown ? `${count(number)} expected failure${number === 1 ? " is" : "s are"} shown` : foldedText(number)}:{" "}
			<button type="button" class="as-link" onClick={() => setQuery({ expected: shown ? null : "show" })}>
				{shown ? "fold" : "show"}
			</button>
		</p>
	);
}

export function Events({ events, tasks, id, query }: EventsProps) {
	const names = new Map(tasks.map((task) => [task.id, plain(task.name) || task.id]));
	const all = query.get("expected") === "show";
	const mattering = events.filter((event) => !event.expected);
	const listed = all ? events : mattering;
	const kinds = kindsOf(listed);
	const kind = kinds.find(([name]) => name === query.get("kind"))?.[0] ?? "";
	const some = kind === "" ? listed : listed.filter((event) => event.kind === kind);
	if (events.length === 0) return <div class="empty">Nothing struck this run: no failure, no kill.</div>;
	const folded = <Folded number={events.length - mattering.length} shown={all} />;
	if (listed.length === 0) {
		return (
			<div class="empty" data-events={0}>
				<p>Nothing struck this run that was not expected.</p>
				{folded}
			</div>
		);
	}
	return (
		<>
			<div class="tools-row">
				<select aria-label="Kind of event" value={kind} onChange={(event) => setQuery({ kind: event.currentTarget.value || null })}>
					<option value="">All kinds ({count(listed.length)})</option>
					{kinds.map(([name, number]) => (
						<option key={name} value={name}>
							{plain(name).replace(/_/g, " ")} ({count(number)})
						</option>
					))}
				</select>
				{folded}
				{some.length > MOST && <span class="muted">the first {count(MOST)} are shown</span>}
			</div>
			<ol class="events" tabIndex={0} aria-label="Events" data-events={some.length}>
				{some.slice(0, MOST).map((event, n) => (
					<EventLine key={n} event={event} id={id} task={event.task_id ? (names.get(event.task_id) ?? plain(event.task_id)) : null} />
				))}
			</ol>
		</>
	);
}
