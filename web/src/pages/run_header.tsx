// SPDX-License-Identifier: Apache-2.0
import { bytes, count, cpus, duration, exact, nanoseconds, percent, plain, positive, ticking, when } from "../lib/format";
import type { RunReport } from "../lib/model";
import type { Expected } from "../lib/tune/model_expected";
import type { Verdict } from "../lib/model_findings";
import { Copy, Tile, Unknown } from "../lib/widgets";
import { compareAddress, pipelineAddress, runAddress } from "../lib/route";
import { recommendAddress } from "../lib/waste/recommend";
import { secondsOf } from "./runs";
import { StateBar } from "../charts/state_bar";
import { CostTile } from "./cost/run_cost";
import { Badge } from "./status";
import { ExpectedLine } from "./tune/expected_line";
import { VerdictLine } from "./verdict";

// The head of the page of a run: its name and status, the resources it used, its cost.

function Facts({ report, now }: { report: RunReport; now: number }) {
	const { run } = report;
	const labels = Object.entries(run.labels ?? {});
	return (
		<p class="run-facts">
			<span>{run.pipeline ? <a href={pipelineAddress(run.pipeline)} title="What its steps usually take">{plain(run.pipeline)}</a> : <Unknown />}</span>
			<span>
				{plain(run.engine) || <Unknown />} by {plain(run.user) || <Unknown />}
			</span>
			<span>on {run.hosts.length > 0 ? run.hosts.map(plain).join(", ") : <Unknown />}</span>
			<span title={`${run.started_at ?? "unknown"} to ${run.ended_at ?? (run.status === "running" ? "now" : "unknown")}`}>
				{when(run.started_at, now)} → {run.ended_at ? when(run.ended_at, now) : run.status === "running" ? "now" : <Unknown />}
			</span>
			{run.parent_run && (
				<span>
					in <a href={runAddress(run.parent_run)}>{run.parent_run.slice(0, 8)}</a>
				</span>
			)}
			<span class="run-id" title="The run's id">
				{run.id}
			</span>
			{run.pipeline && (
				<span>
					<a href={compareAddress(run.id)}>compare with the run before</a>
				</span>
			)}
			<span>
				<a href={recommendAddress({ run: run.id })}>what to rent instead</a>
			</span>
			{labels.map(([key, value]) => (
				<span class="chip" key={key}>
					{plain(key)}={plain(value)}
				</span>
			))}
		</p>
	);
}

function RunCommand({ run }: { run: RunReport["run"] }) {
	if (!run.command) return null;
	return (
		<div class="command">
			<code title={plain(run.cwd)} tabIndex={0}>{plain(run.command)}</code>
			<Copy text={run.command} />
		</div>
	);
}

/** Bytes in and bytes out: two figures, which are not added up. */
function Moved({ title, help, ways }: { title: string; help: string; ways: readonly [[string, number], [string, number]] }) {
	const [[into, first], [out, second]] = ways;
	return (
		<Tile
			title={title}
			exact={`${help}. ${into} ${exact.bytes(first)}, ${out} ${exact.bytes(second)}`}
			note={
				<>
					{into}, <b>{bytes(second)}</b> {out}
				</>
			}
		>
			{bytes(first)}
		</Tile>
	);
}

function Tiles({ report, now }: { report: RunReport; now: number }) {
	const { run, totals } = report;
	const wall = secondsOf(run, now);
	const cpu = totals.user_ns + totals.kernel_ns;
	const wanted = cpu + totals.runnable_ns;
	const failed = totals.tasks_failed;
	const lost = totals.tasks_lost;
	const ended = [...(failed > 0 ? [`${count(failed)} failed`] : []), ...(lost > 0 ? [`${count(lost)} lost`] : [])].join(", ");
	return (
		<div class="tiles">
			<Tile title="Wall" exact={exact.seconds(wall)} note={run.status === "running" ? "and counting" : undefined}>
				{run.status === "running" ? ticking(wall) : duration(wall)}
			</Tile>
			<CostTile run={run} cost={report.cost} />
			<Tile title="Tasks" note={ended ? <b class="bad">{ended}</b> : `in ${count(report.steps.length)} steps`}>
				{count(totals.tasks)}
			</Tile>
			<Tile
				title="CPU time"
				exact={exact.ns(cpu)}
				note={wall !== null && wall > 0 ? `${cpus(cpu / 1e9 / wall)} CPUs on average` : undefined}
			>
				{nanoseconds(cpu)}
			</Tile>
			<Tile
				title="Waited for a CPU"
				exact={exact.ns(totals.runnable_ns)}
				note={wanted > 0 ? `${percent(totals.runnable_ns / wanted)} of the time it wanted` : undefined}
			>
				{nanoseconds(totals.runnable_ns)}
			</Tile>
			<Tile title="Peak memory" exact={exact.bytes(positive(totals.rss_peak_bytes))} note="the largest process">
				{bytes(positive(totals.rss_peak_bytes))}
			</Tile>
			<Moved title="Storage" help="What storage had to give and to take" ways={[["read", totals.disk_read_bytes], ["written", totals.disk_write_bytes]]} />
			<Tile title="Files" exact={exact.bytes(totals.file_bytes)} note="read and written by position">
				{bytes(totals.file_bytes)}
			</Tile>
			<Moved
				title="Calls"
				help="Through read and write calls: files, pipes, sockets, whatever the descriptor"
				ways={[["read", totals.read_chars_bytes], ["written", totals.write_chars_bytes]]}
			/>
			<Moved title="Network" help="Through sockets, with other hosts" ways={[["received", totals.net_rx_bytes], ["sent", totals.net_tx_bytes]]} />
			{(totals.gpu_busy_ns > 0 || totals.gpu_memory_peak_bytes > 0) && (
				<Tile title="GPU time" exact={exact.ns(positive(totals.gpu_busy_ns))} note={`${bytes(positive(totals.gpu_memory_peak_bytes))} of GPU memory, the largest process`}>
					{nanoseconds(positive(totals.gpu_busy_ns))}
				</Tile>
			)}
			<Tile title="Processes" note={`${count(totals.major_faults)} major page faults`}>
				{count(totals.executions)}
			</Tile>
		</div>
	);
}

/** The time of all tasks, and of the engine separately: it waits while tasks work, which would hide what they wait for. */
function Time({ report, threads }: { report: RunReport; threads: boolean }) {
	const { tasks, engine } = report.shares;
	if (!tasks) return <StateBar times={report.totals} title="Where the time went" threads={threads} />;
	return <StateBar times={tasks} title="Where the tasks' time went" {...{ engine, threads }} />;
}

interface HeaderProps {
	report: RunReport;
	now: number;
	/** null: not known yet. */
	verdict: Verdict | null;
	/** null: not known yet. */
	expected: Expected | null;
	/** Tools that failed though the run succeeded; null: not known. */
	failedTools: number | null;
}

/** What it was and how it went. */
export function RunHeader({ report, now, verdict, expected, failedTools }: HeaderProps) {
	const { run } = report;
	return (
		<header class="run-head">
			<p class="trail">
				<a href="/">Runs</a> <span aria-hidden="true">/</span>
			</p>
			<h1>
				{plain(run.name) || run.id} <Badge status={run.status} failedTools={failedTools} big />
			</h1>
			{verdict && <VerdictLine status={run.status} verdict={verdict} />}
			{expected && <ExpectedLine expected={expected} pipeline={run.pipeline} now={now} />}
			<Facts report={report} now={now} />
		</header>
	);
}

/** What it used, and where its time went. */
export function RunFigures({ report, now, threads }: { report: RunReport; now: number; threads: boolean }) {
	return (
		<div class="run-figures">
			<RunCommand run={report.run} />
			<Tiles report={report} now={now} />
			<Time report={report} threads={threads} />
		</div>
	);
}
