// SPDX-License-Identifier: Apache-2.0
import { bytes, cpus, duration, ending, nanoseconds, percent, plain, positive, when } from "../lib/format";
import type { Hit } from "./gantt";
import { queuedText } from "../lib/queued";
import { waitText } from "../lib/states";
import { Badge } from "../pages/status";

// What the pointer rests on in the timeline.

interface TipProps {
	target: Hit;
	x: number;
	y: number;
	width: number;
	top: number;
	now: number;
	queued: ReadonlyMap<string, number>;
	/** What it waited for is shown of threads, not of wall time. */
	threads: boolean;
}

export function Tip({ target, x, y, width, top, ...rest }: TipProps) {
	const side = x > width / 2 ? { right: `${width - x + 14}px` } : { left: `${x + 14}px` };
	return (
		<div class="tip" role="tooltip" style={{ ...side, top: `${y + top + 14}px` }}>
			{target.bar ? <TaskTip target={target} {...rest} /> : plain(target.title)}
		</div>
	);
}

function TaskTip({ target, now, queued: waits, threads }: Pick<TipProps, "target" | "now" | "queued" | "threads">) {
	const bar = target.bar;
	if (!bar) return null;
	const { task } = bar;
	const seconds = (bar.to - bar.from) / 1000;
	const cpu = task.user_ns + task.kernel_ns;
	const rows: [string, string][] = [
		["ran", `${duration(seconds)}${bar.open ? " so far" : ""}`],
		["CPU", `${nanoseconds(cpu)} (${cpus(seconds > 0 ? cpu / 1e9 / seconds : null)} CPUs)`],
		["waited for a CPU", `${nanoseconds(task.runnable_ns)}${share(task.runnable_ns, cpu)}`],
		["waited mostly on", waitText(task, threads) || "nothing"],
		["peak memory", bytes(positive(task.memory_peak_bytes))],
		["started", when(task.started_at, now)],
	];
	const idle = waits.get(task.id);
	if (idle !== undefined) rows.unshift(["its input was there before", duration(idle)]);
	if (task.queued_s !== null) rows.unshift(["queued", queuedText(task)]);
	return (
		<>
			<b class="tip-title">{plain(task.name || task.id)}</b>
			<div>
				<Badge status={task.status} /> {ending(task.exit_code, task.signal)}
			</div>
			<dl>
				{rows.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			{task.tools.length > 0 && <div class="tip-tools">{task.tools.slice(0, 6).map(plain).join(" · ")}</div>}
		</>
	);
}

const share = (waiting: number, cpu: number): string =>
	waiting + cpu > 0 && waiting > 0 ? ` (${percent(waiting / (waiting + cpu))})` : "";
