// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { bytes, count, cpus, duration, ending, exact, instant, nanoseconds, plain, positive, usd, when } from "../lib/format";
import type { Task } from "../lib/model";
import { Unknown } from "../lib/widgets";
import { queuedText } from "../lib/queued";
import { viewAddress, setQuery } from "../lib/route";
import { StateBar } from "../charts/state_bar";
import { Badge } from "./status";

// All that is known about the task that is selected in the timeline or the table.

const Fact = ({ name, title, children }: { name: string; title?: string | undefined; children: ComponentChildren }) => (
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

export function TaskPanel({ run, task, now, threads }: { run: string; task: Task; now: number; threads: boolean }) {
	return (
		<section class="panel" aria-label={`Task ${plain(task.name)}`} data-task={task.id}>
			<header>
				<Badge status={task.status} />
				<h2>{plain(task.name) || task.id}</h2>
				<a href={viewAddress(run, { tab: "processes", task: task.id })}>
					{count(task.executions)} process{task.executions === 1 ? "" : "es"}
				</a>
				<button type="button" class="small" onClick={() => setQuery({ task: null })} aria-label="Close this task">
					Close
				</button>
			</header>
			<StateBar times={task} title="Where its time went" threads={threads} />
			<Facts task={task} now={now} />
		</section>
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
