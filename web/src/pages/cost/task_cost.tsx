// SPDX-License-Identifier: Apache-2.0
import { get, getAll, useLoad } from "../../lib/api";
import { taskPath } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import type { CostAnswer, CostParts, CostRow } from "../../lib/cost/model_cost";
import { costTexts, money } from "../../lib/cost/money";
import { hostCost } from "../../lib/cost/task";
import { bytes, count, cpus, duration, exact, percent, plain, positive, when } from "../../lib/format";
import type { Task, TaskList } from "../../lib/model";
import type { Host } from "../../lib/model_host";
import { runAddress, setQuery } from "../../lib/route";
import { Failure, StackedBar, Unknown } from "../../lib/widgets";
import { cpusUsed, Fact } from "../task_panel";
import { PARTS } from "./head";

// One task's cents: the parts of its cost, by tool and by hour, and what they rest on.

const MOST_TASKS = 20_000;
const MOST_HOURS = 72;

interface Basis {
	run: string | null;
	tools: CostRow[];
	/** By the hour. */
	hosts: CostAnswer;
	/** null: the lake does not have it any more. */
	task: Task | null;
	machine: Host | null;
}

async function taskOf(run: string | null, step: string | null, id: string, signal: AbortSignal): Promise<Task | null> {
	if (run === null) return null;
	const list = await getAll<TaskList, Task>(`/runs/${encodeURIComponent(run)}/tasks`, step ? { step } : {}, (page) => page.tasks, MOST_TASKS, signal);
	return list.rows.find((one) => one.id === id) ?? null;
}

async function basisOf(asked: Asked, now: number, id: string, signal: AbortSignal): Promise<Basis> {
	const by = (key: string, hourly = false) => get<CostAnswer>(taskPath(asked, now, id, key, hourly), signal);
	const [tools, hosts, runs, known] = await Promise.all([by("tool"), by("host", true), by("run"), get<{ hosts: Host[] }>("/hosts", signal)]);
	const run = runs.rows[0]?.id ?? null;
	const step = asked.filters.find(([name]) => name === "step")?.[1] ?? null;
	const machine = known.hosts.find((one) => one.id === hosts.rows[0]?.id) ?? null;
	return { run, tools: tools.rows, hosts, task: await taskOf(run, step, id, signal), machine };
}

/** Parts of the cost of the task, which add up to it. */
function Parts({ name, title, rows }: { name: string; title: string; rows: readonly (CostParts & { name: string; note: string })[] }) {
	return (
		<div class="size-table" tabIndex={0} role="region" aria-label={`The task's cost by ${name}`}>
			<table data-parts={name}>
				<thead>
					<tr>
						<th scope="col">{title}</th>
						<th scope="col" class="number">Used</th>
						<th scope="col" class="number">Reserved, unused</th>
						<th scope="col" class="number">Idle</th>
						<th scope="col" class="number">Cost</th>
					</tr>
				</thead>
				<tbody>
					{rows.map((row, n) => (
						<tr key={n}>
							<td>
								{row.name} <span class="muted">{row.note}</span>
							</td>
							{costTexts(row).map((text, at) => (
								<td key={at} class="number">{text}</td>
							))}
							<td class="number" title={exact.usd(row.cost_usd)}>
								<b>{money(row.cost_usd)}</b>
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

const Tools = ({ tools }: { tools: readonly CostRow[] }) => (
	<Parts name="tool" title="Tool" rows={tools.map((row) => ({ ...row, name: plain(row.key) || "(no tool known)", note: `${duration(row.cpu_s)} of CPU time` }))} />
);

const hour = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

function Hours({ hosts }: { hosts: CostAnswer }) {
	const points = hosts.series.filter((point) => point.key !== null);
	const shown = points.slice(0, MOST_HOURS).map((point) => ({ ...point, name: hour.format(Date.parse(point.at)), note: `on ${plain(point.key)}` }));
	return (
		<>
			<Parts name="hour" title="From (UTC)" rows={shown} />
			{points.length > shown.length && <p class="muted">The first {count(shown.length)} of {count(points.length)} hours.</p>}
		</>
	);
}

/** "$0.40 for all of node-1 in that time: this task pays 12.5 % of it." */
function Reckoning({ row, basis, task }: { row: CostRow; basis: Basis; task: Task }) {
	const host = basis.hosts.rows[0];
	const all = hostCost(task.wall_s, host?.price_usd_hour);
	if (!host || all === null || row.cost_usd === null) return null;
	const asks = (text: string, asked: number | null) => (asked ? ` (requested ${text})` : "");
	return (
		<p class="cost-reckoning" data-host-cost={all}>
			At {money(host.price_usd_hour)} an hour all of {plain(host.key)} costs {money(all)} in the {duration(task.wall_s)} of this task, which pays{" "}
			<b>{money(row.cost_usd)}</b>, {percent(row.cost_usd / all)} of that. It used {cpus(cpusUsed(task, task.wall_s))} of{" "}
			{count(positive(basis.machine?.cpus))} CPUs{asks(cpus(task.cpus_requested), task.cpus_requested)} and at most{" "}
			{bytes(positive(task.memory_peak_bytes))} of {bytes(positive(basis.machine?.memory_bytes))} of memory
			{asks(bytes(task.memory_requested_bytes), task.memory_requested_bytes)}.
		</p>
	);
}

function Facts({ row, basis }: { row: CostRow; basis: Basis }) {
	const { task, machine } = basis;
	const host = basis.hosts.rows[0];
	return (
		<dl class="facts">
			<Fact name="Host">{host?.id ? <a href={`/hosts/${encodeURIComponent(host.id)}`}>{plain(host.key) || host.id}</a> : <Unknown />}</Fact>
			<Fact name="Machine">{[machine?.instance_type, host?.instance_id].map(plain).filter(Boolean).join(", ") || <Unknown />}</Fact>
			<Fact name="Price, an hour" title={exact.usd(host?.price_usd_hour)}>{money(host?.price_usd_hour)}</Fact>
			<Fact name="Started" title={task?.started_at ?? "unknown"}>{when(task?.started_at)}</Fact>
			<Fact name="Ended" title={task?.ended_at ?? "unknown"}>{when(task?.ended_at)}</Fact>
			<Fact name="On the host for" title={exact.seconds(task?.wall_s)}>{duration(task?.wall_s)}</Fact>
			<Fact name="Sample">{plain(task?.sample) || <Unknown />}</Fact>
			<Fact name="Input" title={exact.bytes(row.input_bytes)}>{bytes(row.input_bytes)}</Fact>
			<Fact name="A GB of input" title={exact.usd(row.usd_per_gb)}>{money(row.usd_per_gb)}</Fact>
			<Fact name="Price from">{plain(host?.price_source) || <Unknown />}</Fact>
		</dl>
	);
}

function Why({ row, basis }: { row: CostRow; basis: Basis }) {
	return (
		<>
			{basis.task && <Reckoning {...{ row, basis }} task={basis.task} />}
			<div class="cost-task-tables">
				<Tools tools={basis.tools} />
				<Hours hosts={basis.hosts} />
			</div>
			<Facts {...{ row, basis }} />
		</>
	);
}

export function TaskCost({ row, asked, now }: { row: CostRow; asked: Asked; now: number }) {
	const id = row.id ?? "";
	const name = plain(row.key) || id;
	const basis = useLoad<Basis>(taskPath(asked, now, id, "task"), (signal) => basisOf(asked, now, id, signal));
	const texts = costTexts(row);
	const parts = [row.used_usd, row.unused_usd, row.idle_usd].flatMap((value, n) => {
		const part = PARTS[n];
		return value === null || !part ? [] : [{ name: part.name, value, text: texts[n] ?? "", exact: `${exact.usd(value)}. ${part.help}`, tone: `cost-${part.tone}` }];
	});
	const run = basis.data?.run;
	return (
		<section class="panel cost-task" aria-label={`Cost of ${name}`} data-task-cost={id}>
			<header>
				<h2>
					{name}: <span title={exact.usd(row.cost_usd)}>{money(row.cost_usd)}</span>
				</h2>
				{run && <a href={runAddress(run, { tab: "tasks", task: id })}>the task in its run</a>}
				<button type="button" class="small" onClick={() => setQuery({ task: null })}>
					Close
				</button>
			</header>
			<StackedBar parts={parts} label="Cost of the task, by part" />
			{basis.error && !basis.data && <Failure error={basis.error} retry={basis.reload} />}
			{basis.data ? <Why row={row} basis={basis.data} /> : <p class="muted">{basis.error ? "" : "…"}</p>}
		</section>
	);
}
