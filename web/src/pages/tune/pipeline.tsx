// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { address, useGet } from "../../lib/api";
import { byName, count, exact, plain } from "../../lib/format";
import { setQuery, stepAddress } from "../../lib/route";
import { orderText, parseOrder } from "../../lib/sort";
import { Table } from "../../lib/table";
import type { Column } from "../../lib/table";
import type { StepFigure, StepHistory, StepsAnswer } from "../../lib/tune/model_steps";
import { Failure, Loading } from "../../lib/widgets";

// A pipeline: what each of its steps usually takes.

const figure = (name: StepFigure, title: string, help: string): Column<StepHistory> => {
	const [median, high] = [`${name}_median`, `${name}_p95`] as const;
	return {
		key: name,
		title,
		number: true,
		help: `${help}: the median of its tasks, and what 95 % of them stay below`,
		value: (s) => s[median],
		cell: (s) => (
			<>
				{byName(name, s[median])} <span class="muted">/ {byName(name, s[high])}</span>
			</>
		),
		exact: (s) => `median ${exact.count(s[median])}, 95 % below ${exact.count(s[high])} ${name.endsWith("_ns") ? "ns" : "bytes"}`,
	};
};

const bad = (key: "failed" | "out_of_memory", title: string): Column<StepHistory> => ({
	key,
	title,
	number: true,
	value: (s) => s[key],
	cell: (s) => (s[key] > 0 ? <b class="bad">{count(s[key])}</b> : "0"),
});

const columnsOf = (pipeline: string): Column<StepHistory>[] => [
	{
		key: "step",
		title: "Step",
		wide: true,
		value: (s) => s.step,
		cell: (s) => (s.step ? <a href={stepAddress(pipeline, s.step)}>{plain(s.step)}</a> : "(no step)"),
		exact: (s) => plain(s.step),
	},
	{ key: "runs", title: "Runs", number: true, value: (s) => s.runs, cell: (s) => count(s.runs) },
	{ key: "tasks", title: "Tasks", number: true, help: "Attempts of tasks", value: (s) => s.tasks, cell: (s) => count(s.tasks) },
	bad("failed", "Failed"),
	bad("out_of_memory", "Out of memory"),
	figure("wall_ns", "Wall", "From begin to end"),
	figure("cpu_ns", "CPU time", "User and kernel time of all its processes"),
	figure("memory_peak_bytes", "Peak memory", "What a memory limit would have been charged with at most"),
	figure("input_bytes", "Input", "Sizes of the files that it read and did not write"),
	figure("disk_read_bytes", "Storage r", "What storage had to read"),
	figure("disk_write_bytes", "Storage w", "What storage had to write"),
];

export function PipelinePage({ pipeline, query }: { pipeline: string; query: URLSearchParams }) {
	const answer = useGet<StepsAnswer>(address("/steps", { pipeline }));
	const columns = useMemo(() => columnsOf(pipeline), [pipeline]);
	useEffect(() => void (document.title = `${plain(pipeline)} · Tracer`), [pipeline]);
	if (answer.error && !answer.data) return <Failure error={answer.error} retry={answer.reload} />;
	if (!answer.data) return <Loading what="the steps of the pipeline" />;
	return (
		<section data-page="pipeline" data-runs={answer.data.runs}>
			<header class="run-head">
				<p class="trail">
					<a href="/">Runs</a> <span aria-hidden="true">/</span>
				</p>
				<h1>{plain(pipeline)}</h1>
				<p class="run-facts">
					<span>
						what its steps usually take, by {count(answer.data.runs)} run{answer.data.runs === 1 ? "" : "s"}
					</span>
					{answer.data.cut && <span>only the latest runs were looked at</span>}
				</p>
			</header>
			<Table
				name="Steps of the pipeline"
				columns={columns}
				rows={answer.data.steps}
				keyOf={(step) => step.step}
				order={parseOrder(query.get("sort"), { key: "wall_ns", down: true })}
				onOrder={(next) => setQuery({ sort: orderText(next) })}
				empty="No run of this pipeline has shown a step yet."
			/>
		</section>
	);
}
