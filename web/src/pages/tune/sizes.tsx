// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useGet } from "../../lib/api";
import { count, cpus, exact, plain } from "../../lib/format";
import { setQuery } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import type { Kind, Sizes, StepSize } from "../../lib/tune/model_sizes";
import { amountOf, basisText, basisWord, cpusUsedText, figure, gbHours, historyText, riskText, savedBy, savedByAll, secondTryText } from "../../lib/tune/sizes";
import type { Amount } from "../../lib/tune/sizes";
import { Failure, Loading, Unknown } from "../../lib/widgets";
import { Settings } from "./size_settings";
import { StepSizePanel } from "./size_panel";

// What to request for the steps of a run, beside what is requested and what was used.

/** "8 GiB → 2 GiB", the bars of both with what was used, and words about that. */
function Size(props: { requested: number | null; used: number | null; advised: number | null; show: (n: number | null) => string; words: ComponentChildren; title: string }) {
	const { requested, used, advised, show } = props;
	const most = Math.max(requested ?? 0, used ?? 0, advised ?? 0);
	const width = (n: number | null) => ({ width: `${n !== null && most > 0 ? (n / most) * 100 : 0}%` });
	const same = requested !== null && advised === requested;
	return (
		<div class="size" title={props.title}>
			<span class="size-text">
				{requested === null ? <span class="muted">none</span> : show(requested)}
				{advised !== null && !same && (
					<>
						{" → "}
						<b>{show(advised)}</b>
					</>
				)}
				{same && <span class="muted"> as now</span>}
				{advised === null && <span class="muted"> → not known</span>}
			</span>
			<span class="asked-bar" aria-hidden="true">
				{requested !== null && <span class="asked-whole" style={width(requested)} />}
				{used !== null && <span class={`asked-used${requested !== null && used > requested ? " over" : ""}`} style={width(used)} />}
				{advised !== null && <span class="size-advised" style={width(advised)} />}
			</span>
			<span class="size-used">{props.words}</span>
		</div>
	);
}

function amountColumn(kind: Kind, title: string, help: string): Column<StepSize> {
	const of = (step: StepSize) => amountOf(step, kind);
	return {
		key: kind,
		title,
		help,
		value: (s) => of(s).advised ?? of(s).highest,
		cell: (s) => {
			const amount = of(s);
			const words = amount.highest === null ? "use not known" : `${kind === "time" ? "took" : "used"} ${figure(kind, amount.highest)}`;
			const title = `requested ${figure(kind, amount.requested)}, used at most ${figure(kind, amount.highest)}, advised ${figure(kind, amount.advised)} (${basisText(amount)})`;
			return <Size requested={amount.requested} used={amount.highest} advised={amount.advised} show={(n) => figure(kind, n)} {...{ words, title }} />;
		},
	};
}

const cpuColumn: Column<StepSize> = {
	key: "cpus",
	title: "CPUs",
	help: "Requested → advised; how many its tasks keep busy",
	value: (s) => s.cpus_advised ?? s.cpus_used_median,
	cell: (s) => (
		<Size
			requested={s.cpus_requested}
			used={s.cpus_used_median}
			advised={s.cpus_advised}
			show={(n) => (Number.isInteger(n) ? count(n) : cpus(n))}
			words={
				<>
					{cpusUsedText(s)}
					{s.cpus_wants_more && <b class="size-more"> wants more</b>}
				</>
			}
			title={`requested ${exact.count(s.cpus_requested)}, used ${exact.count(s.cpus_used_median)} by half of its tasks, ${exact.count(s.cpus_used_p95)} by one in twenty, advised ${exact.count(s.cpus_advised)}`}
		/>
	),
};

/** "12 GB·h less", "0.4 GB·h more". */
function Saves({ step }: { step: StepSize }) {
	const saved = savedBy(step);
	if (saved === null) return <Unknown />;
	if (saved === 0) return <>0</>;
	return saved > 0 ? <span class="size-saves">{gbHours(saved)} less</span> : <span class="warn">{gbHours(-saved)} more</span>;
}

const Basis = ({ amount }: { amount: Amount }) => (
	<span class="size">
		<span class="size-text">{basisWord(amount)}</span>
		<span class={amount.enough ? "size-used" : "size-used warn"}>{amount.enough ? `history ${historyText(amount)}` : historyText(amount)}</span>
	</span>
);

function columnsOf(steps: readonly StepSize[]): Column<StepSize>[] {
	const memory = (s: StepSize) => amountOf(s, "memory");
	const disk = steps.some((s) => s.disk_requested_bytes !== null);
	return [
		{
			key: "step",
			title: "Step",
			wide: true,
			value: (s) => s.step,
			cell: (s) => (
				<button type="button" class="as-link" aria-label={`Details of ${plain(s.step) || "tasks of no step"}`}>
					{plain(s.step) || "(no step)"}
				</button>
			),
			exact: (s) => plain(s.step),
		},
		{
			key: "tasks",
			title: "Tasks",
			number: true,
			help: "Of this run, of all runs that were looked at",
			value: (s) => s.tasks,
			cell: (s) => (
				<>
					{count(s.tasks)} <span class="muted">of {count(s.tasks_of_history)}</span>
				</>
			),
		},
		cpuColumn,
		amountColumn("memory", "Memory", "Requested → advised; the most that a task used"),
		amountColumn("time", "Time", "Requested → advised; the longest that a task took"),
		...(disk ? [amountColumn("disk", "Disk", "Requested → advised; the most that a task wrote")] : []),
		{
			key: "saves",
			title: "Saves",
			number: true,
			help: "Memory × time that is requested and not used, failed tries included: how much less, in a run like this",
			value: savedBy,
			cell: (s) => <Saves step={s} />,
			exact: (s) => `wasted a task: ${gbHours(s.wasted_now_gb_h)} now, ${gbHours(s.wasted_then_gb_h)} with what is advised`,
		},
		{
			key: "basis",
			title: "Memory rests on",
			help: "How the memory was found, and whether the history is enough for it",
			value: (s) => (memory(s).enough ? 0 : 1) * 1e9 + memory(s).needs_tasks,
			cell: (s) => <Basis amount={memory(s)} />,
			exact: (s) => `${basisText(memory(s))}; history: ${historyText(memory(s))}`,
		},
		{
			key: "risk",
			title: "Risk",
			number: true,
			help: "That the first try of a task needs more memory than is advised",
			value: (s) => memory(s).risk,
			cell: (s) => (memory(s).risk === null ? <Unknown /> : riskText(memory(s).risk)),
		},
	];
}

function Summary({ sizes }: { sizes: Sizes }) {
	const all = savedByAll(sizes.steps);
	const lacking = sizes.steps.filter((step) => !step.memory_enough).length;
	return (
		<p class="size-summary" data-size-runs={sizes.runs}>
			By {count(sizes.runs)} run{sizes.runs === 1 ? "" : "s"} of this pipeline.
			{all !== null && all.saved > 0 && (
				<>
					{" "}
					With what is advised a run like this wastes <b>{gbHours(all.saved)}</b> less of the {gbHours(all.now)} of memory that are requested and not used.
				</>
			)}
			{sizes.risk !== null && ` ${secondTryText(sizes.risk)}`}
			{lacking > 0 && (
				<>
					{" "}
					Of {count(lacking)} of {count(sizes.steps.length)} steps there is not enough history for memory.
				</>
			)}
		</p>
	);
}

const Key = () => (
	<p class="gantt-legend size-key" aria-hidden="true">
		<span>
			<i class="key-asked" /> requested
		</span>
		<span>
			<i class="key-run" /> used
		</span>
		<span>
			<i class="key-advised" /> advised
		</span>
	</p>
);

export function SizesTab({ path, pipeline, query, every }: { path: string; pipeline: string; query: URLSearchParams; every: number }) {
	const answer = useGet<Sizes>(`${path}/sizes`, every === 0 ? 0 : 10_000);
	const sizes = answer.data;
	const columns = useMemo(() => columnsOf(sizes?.steps ?? []), [sizes]);
	if (answer.error && !sizes) return <Failure error={answer.error} retry={answer.reload} />;
	if (!sizes) return <Loading what="what to request" />;
	const selected = query.get("step");
	const step = sizes.steps.find((one) => one.step === selected);
	return (
		<>
			{sizes.steps.length > 0 && <Summary sizes={sizes} />}
			{step && <StepSizePanel step={step} {...{ run: sizes.id, pipeline }} />}
			<Table
				name="Sizes"
				columns={columns}
				rows={sizes.steps}
				keyOf={(one) => one.step}
				tall
				order={parseOrder(query.get("sort"), { key: "saves", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				selected={selected}
				onSelect={(one) => setQuery({ step: one.step === selected ? null : one.step })}
				empty="No step of this run was seen yet: there is nothing to advise."
			/>
			{sizes.steps.length > 0 && <Key />}
			{sizes.steps.length > 0 && sizes.settings && <Settings sizes={sizes} asked={query.get("for")} />}
		</>
	);
}
