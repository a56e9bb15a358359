// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { address, useGet } from "../lib/api";
import { isBad } from "../charts/gantt_layout";
import { causeOf, titleOf } from "../lib/evidence";
import { bytes, commandLine, count, cpus, duration, ending, exact, instant, nanoseconds, plain, positive, usd, when } from "../lib/format";
import type { Process, ProcessList, Task, TracerEvent } from "../lib/model";
import type { Finding } from "../lib/model_findings";
import { Prose, ProseLines } from "../lib/prose";
import { Copy, Unknown } from "../lib/widgets";
import { queuedText } from "../lib/queued";
import { viewAddress, setQuery } from "../lib/route";
import { StateBar } from "../charts/state_bar";
import { Chain } from "./chain";
import { EventLine, foldedText } from "./events";
import { Badge } from "./status";

// All that is known about the task that is selected in the timeline or the table.

export const Fact = ({ name, title, children }: { name: string; title?: string | undefined; children: ComponentChildren }) => (
	<div title={title}>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</div>
);

export function cpusUsed(task: { user_ns: number; kernel_ns: number }, seconds: number | null): number | null {
	return seconds !== null && seconds > 0 ? (task.user_ns + task.kernel_ns) / 1e9 / seconds : null;
}

export function wallOf(task: Task, now: number): number | null {
	const started = instant(task.started_at);
	if (task.ended_at === null && task.status === "running" && started !== null) return Math.max(0, (now - started) / 1000);
	return task.wall_s;
}

const orUnknown = (text: string | null | undefined): ComponentChildren => plain(text) || <Unknown />;

/** What is known about the run that a task belongs to. */
export interface Known {
	findings: readonly Finding[];
	/** null: not loaded. */
	events: readonly TracerEvent[] | null;
}

interface PanelProps {
	run: string;
	task: Task;
	now: number;
	threads: boolean;
	known: Known;
}

export function TaskPanel({ run, task, now, threads, known }: PanelProps) {
	const cause = causeOf(known.findings, task);
	return (
		<section class={`panel${isBad(task.status) ? " is-bad" : ""}`} aria-label={`Task ${plain(task.name)}`} data-task={task.id}>
			<header>
				<Badge status={task.status} />
				<h2>{plain(task.name) || task.id}</h2>
				<a href={viewAddress(run, { tab: "processes", task: task.id })}>
					{count(task.executions)} process{task.executions === 1 ? "" : "es"}
				</a>
				<button type="button" class="small" onClick={() => setQuery({ task: null, zoom: null })} aria-label="Close this task">
					Close
				</button>
			</header>
			{cause && <Cause run={run} finding={cause} />}
			<TaskCommand run={run} task={task} />
			{known.events && <TaskEvents run={run} events={known.events.filter((event) => event.task_id === task.id)} />}
			<StateBar times={task} title="Where its time went" threads={threads} />
			<Facts task={task} now={now} />
		</section>
	);
}

/** The finding that says why this task failed. The card above the tabs has its figures. */
function Cause({ run, finding }: { run: string; finding: Finding }) {
	return (
		<div class="cause" data-cause={finding.kind}>
			<p>
				<b>{titleOf(finding)}.</b> <Prose text={finding.summary} />
			</p>
			<Chain run={run} finding={finding} />
			{finding.advice && (
				<p class="cause-advice">
					<ProseLines text={finding.advice} />
				</p>
			)}
		</div>
	);
}

const FIRST = 20;

/** The program that the first process of a task became. */
export function firstCommand(processes: readonly Process[]): Process | null {
	const [first] = processes;
	if (!first) return null;
	return processes.filter((one) => one.pid === first.pid && one.start_ns === first.start_ns && one.host === first.host).at(-1) ?? first;
}

function TaskCommand({ run, task }: { run: string; task: Task }) {
	const list = useGet<ProcessList>(address(`/runs/${encodeURIComponent(run)}/processes`, { task: task.id, limit: FIRST }));
	const first = firstCommand(list.data?.processes ?? []);
	const words = first ? commandLine(first.argv) : "";
	if (!words) return null;
	return (
		<div class="command" data-command={first?.pid}>
			<code title={first ? `in ${plain(first.cwd)}` : ""} tabIndex={0}>{words}</code>
			<Copy text={words} />
		</div>
	);
}

const MOST_EVENTS = 20;

/** The events of the task on which something depended; where there are none, none. */
function TaskEvents({ run, events }: { run: string; events: readonly TracerEvent[] }) {
	const shown = events.filter((event) => !event.expected);
	const folded = events.length - shown.length;
	if (shown.length === 0) return null;
	return (
		<>
			<ol class="events few" aria-label="Events of this task" tabIndex={0} data-task-events={shown.length}>
				{shown.slice(0, MOST_EVENTS).map((event, n) => (
					<EventLine key={n} event={event} id={run} task={null} />
				))}
			</ol>
			{(folded > 0 || shown.length > MOST_EVENTS) && (
				<p class="muted folded">
					{shown.length > MOST_EVENTS && `the first ${MOST_EVENTS} of ${count(shown.length)}; `}
					{folded > 0 && foldedText(folded)} <a href={viewAddress(run, { tab: "events", expected: "show" })}>All events</a>
				</p>
			)}
		</>
	);
}

function Facts({ task, now }: { task: Task; now: number }) {
	const wall = wallOf(task, now);
	const asked = positive(task.memory_requested_bytes);
	const peak = positive(task.memory_peak_bytes);
	return (
		<dl class="facts">
			<Fact name="Step">{orUnknown(task.step)}</Fact>
			<Fact name="Sample">{orUnknown(task.sample)}</Fact>
			<Fact name="Host">{orUnknown(task.host)}</Fact>
			<Fact name="Container" title={plain(task.container)}>{orUnknown(task.container_name ?? task.container)}</Fact>
			<Fact name="Image" title={plain(task.container_image)}>{orUnknown(task.container_image)}</Fact>
			<Fact name="Ended">{ending(task.exit_code, task.signal) || (task.status === "running" ? "not yet" : <Unknown />)}</Fact>
			{task.queued_s !== null && (
				<Fact name="Queued" title={exact.seconds(task.queued_s)}>
					{queuedText(task)}
				</Fact>
			)}
			<Fact name="Started" title={task.started_at ?? "unknown"}>{when(task.started_at, now)}</Fact>
			<Fact name="Wall" title={exact.seconds(wall)}>{duration(wall)}</Fact>
			<Fact name="CPU time" title={exact.ns(task.user_ns + task.kernel_ns)}>
				{nanoseconds(task.user_ns + task.kernel_ns)}
			</Fact>
			<Fact name="of it in the kernel" title={exact.ns(task.kernel_ns)}>{nanoseconds(task.kernel_ns)}</Fact>
			<Fact name="Waited for a CPU" title={exact.ns(task.runnable_ns)}>{nanoseconds(task.runnable_ns)}</Fact>
			<Fact name="CPUs used / requested">
				{cpus(cpusUsed(task, wall))} / {cpus(positive(task.cpus_requested))}
			</Fact>
			<Fact name="Memory peak / requested" title={`${exact.bytes(peak)} / ${exact.bytes(asked)}`}>
				{bytes(peak)} / {bytes(asked)}
			</Fact>
			<Fact name="Storage read / written" title={`${exact.bytes(task.disk_read_bytes)} / ${exact.bytes(task.disk_write_bytes)}`}>
				{bytes(task.disk_read_bytes)} / {bytes(task.disk_write_bytes)}
			</Fact>
			<Fact name="Read / written by calls" title={`${exact.bytes(task.read_chars_bytes)} / ${exact.bytes(task.write_chars_bytes)}`}>
				{bytes(task.read_chars_bytes)} / {bytes(task.write_chars_bytes)}
			</Fact>
			<Fact name="Page faults, major / minor">
				{count(task.major_faults)} / {count(task.minor_faults)}
			</Fact>
			{(task.gpu_busy_ns > 0 || task.gpu_memory_peak_bytes > 0) && (
				<Fact name="GPU time / memory" title={`${exact.ns(positive(task.gpu_busy_ns))} / ${exact.bytes(positive(task.gpu_memory_peak_bytes))}`}>
					{nanoseconds(positive(task.gpu_busy_ns))} / {bytes(positive(task.gpu_memory_peak_bytes))}
				</Fact>
			)}
			<Fact name="Most threads">{count(positive(task.threads_peak))}</Fact>
			<Fact name="Cost" title={exact.usd(task.cost_usd)}>{usd(task.cost_usd)}</Fact>
			<Fact name="Tools">{task.tools.length > 0 ? task.tools.map(plain).join(" · ") : <Unknown />}</Fact>
		</dl>
	);
}
