// SPDX-License-Identifier: Apache-2.0
import { address, get, getAll, useLoad } from "../../lib/api";
import type { CostRow } from "../../lib/cost/model_cost";
import { money, moneyParts } from "../../lib/cost/money";
import { hostCost, toolTimes } from "../../lib/cost/task";
import { bytes, count, cpus, duration, exact, nanoseconds, percent, plain, positive, when } from "../../lib/format";
import type { ProcessList, Task, TaskList } from "../../lib/model";
import type { Host } from "../../lib/model_host";
import { runAddress, setQuery } from "../../lib/route";
import { Failure, StackedBar, Unknown } from "../../lib/widgets";
import { cpusUsed, Fact } from "../task_panel";
import { PARTS } from "./head";

// One task's cents: the parts of its cost, and what they rest on.

const MOST_TASKS = 20_000;
const MOST_PROCESSES = 1000;

interface Basis {
	task: Task | undefined;
	host: Host | undefined;
	processes: ProcessList["processes"];
}

async function basisOf(run: string, step: string | null, id: string, signal: AbortSignal): Promise<Basis> {
	const path = `/runs/${encodeURIComponent(run)}`;
	const [tasks, hosts, list] = await Promise.all([
		getAll<TaskList, Task>(`${path}/tasks`, step ? { step } : {}, (page) => page.tasks, MOST_TASKS, signal),
		get<{ hosts: Host[] }>("/hosts", signal),
		get<ProcessList>(address(`${path}/processes`, { task: id, limit: MOST_PROCESSES }), signal),
	]);
	const task = tasks.rows.find((one) => one.id === id);
	return { task, host: hosts.hosts.find((one) => task && [one.hostname, one.id].includes(task.host)), processes: list.processes };
}

/** "$0.40 for all of node-1 in that time: this task pays 12.5 % of it." */
function Reckoning({ row, task, host }: { row: CostRow; task: Task; host: Host | undefined }) {
	const all = hostCost(task, host?.price_usd_hour);
	if (all === null || host === undefined || row.cost_usd === null) return null;
	const used = cpusUsed(task, task.wall_s);
	return (
		<p class="cost-reckoning" data-host-cost={all}>
			{plain(host.hostname)} costs {money(host.price_usd_hour)} an hour: {money(all)} for all of it in the {duration(task.wall_s)} of this task,
			which pays <b>{money(row.cost_usd)}</b>, {percent(row.cost_usd / all)} of that. It used {cpus(used)} of {count(positive(host.cpus))} CPUs
			{task.cpus_requested ? ` (requested ${cpus(task.cpus_requested)})` : ""} and {bytes(positive(task.memory_peak_bytes))} of{" "}
			{bytes(positive(host.memory_bytes))}
			{task.memory_requested_bytes ? ` (requested ${bytes(task.memory_requested_bytes)})` : ""} of memory at most.
		</p>
	);
}

function Tools({ basis, row }: { basis: Basis; row: CostRow }) {
	const tools = toolTimes(basis.processes, row.cost_usd);
	const amounts = moneyParts(row.cost_usd, tools.map((tool) => tool.cost_usd));
	if (tools.length === 0) return null;
	return (
		<div class="size-table" tabIndex={0} role="region" aria-label="Tools of this task">
			<table data-tools={tools.length}>
				<thead>
					<tr>
						<th scope="col">Tool</th>
						<th scope="col" class="number">CPU time</th>
						<th scope="col" class="number">Share of it</th>
						<th scope="col" class="number">Cost</th>
					</tr>
				</thead>
				<tbody>
					{tools.map(({ tool, cpu_ns, share }, n) => (
						<tr key={tool}>
							<td>{plain(tool) || <Unknown />}</td>
							<td class="number" title={exact.ns(cpu_ns)}>{nanoseconds(cpu_ns)}</td>
							<td class="number">{percent(share)}</td>
							<td class="number">{amounts[n]}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function Facts({ task, host, row }: { task: Task; host: Host | undefined; row: CostRow }) {
	return (
		<dl class="facts">
			<Fact name="Host">{host ? <a href={`/hosts/${encodeURIComponent(host.id)}`}>{plain(host.hostname)}</a> : plain(task.host) || <Unknown />}</Fact>
			<Fact name="Machine">{plain(host?.instance_type) || <Unknown />}</Fact>
			<Fact name="Price, an hour" title={exact.usd(host?.price_usd_hour)}>{money(positive(host?.price_usd_hour))}</Fact>
			<Fact name="Started" title={task.started_at ?? "unknown"}>{when(task.started_at)}</Fact>
			<Fact name="Ended" title={task.ended_at ?? "unknown"}>{when(task.ended_at)}</Fact>
			<Fact name="On the host for" title={exact.seconds(task.wall_s)}>{duration(task.wall_s)}</Fact>
			<Fact name="Sample">{plain(task.sample) || <Unknown />}</Fact>
			<Fact name="Input" title={exact.bytes(row.input_bytes)}>{bytes(row.input_bytes)}</Fact>
			<Fact name="A GB of input">{money(row.usd_per_gb)}</Fact>
			<Fact name="CPU time" title={exact.seconds(row.cpu_s)}>{duration(row.cpu_s)}</Fact>
			<Fact name="Price from">{plain(host?.price_source) || <Unknown />}</Fact>
		</dl>
	);
}

function Why({ row, run, step }: { row: CostRow; run: string; step: string | null }) {
	const id = row.id ?? "";
	const basis = useLoad<Basis>(`cost of ${run} ${id}`, (signal) => basisOf(run, step, id, signal));
	if (basis.error && !basis.data) return <Failure error={basis.error} retry={basis.reload} />;
	const task = basis.data?.task;
	if (!basis.data) return <p class="muted">…</p>;
	if (!task) return <p class="muted">The lake does not have this task any more: only its cost is kept.</p>;
	return (
		<>
			<Reckoning {...{ row, task }} host={basis.data.host} />
			<Tools basis={basis.data} row={row} />
			<Facts {...{ row, task }} host={basis.data.host} />
		</>
	);
}

/** `run`: the run of the task; null: the address does not say it. */
export function TaskCost({ row, run, step }: { row: CostRow; run: string | null; step: string | null }) {
	const name = plain(row.key) || row.id || "";
	const amounts = [row.used_usd, row.unused_usd, row.idle_usd];
	const texts = moneyParts(row.cost_usd, amounts);
	const parts = amounts.flatMap((value, n) => {
		const part = PARTS[n];
		return value === null || !part ? [] : [{ name: part.name, value, text: texts[n] ?? "", exact: `${exact.usd(value)}. ${part.help}`, tone: `cost-${part.tone}` }];
	});
	return (
		<section class="panel cost-task" aria-label={`Cost of ${name}`} data-task-cost={row.id}>
			<header>
				<h2>
					{name}: <span title={exact.usd(row.cost_usd)}>{money(row.cost_usd)}</span>
				</h2>
				{run && <a href={runAddress(run, { tab: "tasks", task: row.id ?? "" })}>the task in its run</a>}
				<button type="button" class="small" onClick={() => setQuery({ task: null })}>
					Close
				</button>
			</header>
			<StackedBar parts={parts} label="Cost of the task, by part" />
			{run && <Why {...{ row, run, step }} />}
		</section>
	);
}
