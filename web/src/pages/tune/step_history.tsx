// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { BoxPlot } from "../../charts/box_plot";
import { address, useGet } from "../../lib/api";
import { bytes, count, exact, nanoseconds, plain, when } from "../../lib/format";
import { pipelineAddress, runAddress, setQuery } from "../../lib/route";
import { changesOf, matters, plotsOf, runsOf, toolsChanged } from "../../lib/tune/boxes";
import type { Change, PastRun, Plot } from "../../lib/tune/boxes";
import type { Box, StepHistory, StepsAnswer } from "../../lib/tune/model_steps";
import { Choice, Failure, Loading, Tile } from "../../lib/widgets";

// A step of a pipeline: its history, a box plot of each figure over its runs.

const NO_BOXES: readonly Box[] = [];
const SHOWN = [["", "Last 30 runs"], ["100", "Last 100"], ["300", "Last 300"]] as const;
const DEFAULT_SHOWN = 30;

function Tiles({ step }: { step: StepHistory }) {
	const ended = [...(step.failed > 0 ? [`${count(step.failed)} failed`] : []), ...(step.out_of_memory > 0 ? [`${count(step.out_of_memory)} out of memory`] : [])];
	const spread = (text: string) => `95 % of its tasks below ${text}`;
	return (
		<div class="tiles">
			<Tile title="Runs">{count(step.runs)}</Tile>
			<Tile title="Attempts of tasks" note={ended.length > 0 ? <b class="bad">{ended.join(", ")}</b> : "none failed"}>
				{count(step.tasks)}
			</Tile>
			<Tile title="Wall time" exact={exact.ns(step.wall_ns_median)} note={spread(nanoseconds(step.wall_ns_p95))}>
				{nanoseconds(step.wall_ns_median)}
			</Tile>
			<Tile title="CPU time" exact={exact.ns(step.cpu_ns_median)} note={spread(nanoseconds(step.cpu_ns_p95))}>
				{nanoseconds(step.cpu_ns_median)}
			</Tile>
			<Tile title="Peak memory" exact={exact.bytes(step.memory_peak_bytes_median)} note={spread(bytes(step.memory_peak_bytes_p95))}>
				{bytes(step.memory_peak_bytes_median)}
			</Tile>
			<Tile title="Input" exact={exact.bytes(step.input_bytes_median)} note={spread(bytes(step.input_bytes_p95))}>
				{bytes(step.input_bytes_median)}
			</Tile>
		</div>
	);
}

function ChangeText({ change }: { change: Change }) {
	if (change.what === "host type") {
		return (
			<>
				host type {plain(change.from)} → <b>{plain(change.to)}</b>
			</>
		);
	}
	const { gone, come } = toolsChanged(change.from, change.to);
	return (
		<>
			tools {gone.map(plain).join(", ") || "none"} → <b>{come.map(plain).join(", ") || "none"}</b>
		</>
	);
}

/** Where the host type or the tools change; the numbers are those in the plots. */
function ChangeList({ changes, runs }: { changes: readonly Change[]; runs: readonly PastRun[] }) {
	if (changes.length === 0) return <p class="muted unchanged">Host type and tools are the same in all of these runs, as far as they are known.</p>;
	return (
		<section class="change-list" aria-label="What changed between runs">
			<h2>What changed</h2>
			<ol>
				{changes.map((change, n) => {
					const run = runs[change.at];
					return (
						<li key={n}>
							<b>{n + 1}</b>
							<span>
								<ChangeText change={change} />, from {run && <a href={runAddress(run.id)}>the run of {when(run.started_at)}</a>} on
							</span>
						</li>
					);
				})}
			</ol>
		</section>
	);
}

const Key = () => (
	<p class="muted box-key">
		A box a run, the newest at the right: its box holds the middle half of the tasks, the line in it is the median, the whiskers reach from the least to
		95 % of them, the dot is the most. The dashed line is the median over all runs. Only tasks that succeeded count.
	</p>
);

interface PlotsProps {
	plots: readonly Plot[];
	changes: readonly Change[];
	here: string | null;
	all: boolean;
}

function Plots({ plots, changes, here, all }: PlotsProps) {
	const shown = plots.filter((plot) => all || matters(plot, plots));
	const hidden = plots.length - plots.filter((plot) => matters(plot, plots)).length;
	return (
		<>
			<div class="box-plots">
				{shown.map((plot) => (
					<BoxPlot key={plot.figure} {...{ plot, changes, here }} />
				))}
			</div>
			{hidden > 0 && (
				<p class="more">
					<button type="button" aria-pressed={all} onClick={() => setQuery({ classes: all ? null : "all" })}>
						{all ? "Without the classes of wall time that took little" : `${count(hidden)} more class${hidden === 1 ? "" : "es"} of wall time that took little`}
					</button>
				</p>
			)}
		</>
	);
}

function History({ boxes, query }: { boxes: readonly Box[]; query: URLSearchParams }) {
	const asked = SHOWN.find(([value]) => value === query.get("runs"))?.[0] ?? "";
	const most = Number(asked) || DEFAULT_SHOWN;
	const known = useMemo(() => runsOf(boxes), [boxes]);
	const runs = useMemo(() => known.slice(-most), [known, most]);
	const plots = useMemo(() => plotsOf(boxes, runs), [boxes, runs]);
	const changes = useMemo(() => changesOf(runs), [runs]);
	if (plots.length === 0) return <p class="empty">No task of this step has succeeded yet: there is nothing to draw.</p>;
	return (
		<>
			<div class="tools-row">
				{known.length > DEFAULT_SHOWN && <Choice label="Runs" options={SHOWN} value={asked} onChange={(value) => setQuery({ runs: value })} />}
				<span class="muted">
					{count(runs.length)} of {count(known.length)} runs
				</span>
			</div>
			<ChangeList changes={changes} runs={runs} />
			<Plots plots={plots} changes={changes} here={query.get("run")} all={query.get("classes") === "all"} />
			<Key />
		</>
	);
}

function NoStep({ pipeline, step }: { pipeline: string; step: string }) {
	return (
		<section class="empty" data-page="missing">
			<h1>There is no history of {plain(step)}</h1>
			<p>No task of a step of this name was seen in a run of {plain(pipeline)}, or the lake has let go of it.</p>
			<p>
				<a href={pipelineAddress(pipeline)}>Steps of {plain(pipeline)}</a>
			</p>
		</section>
	);
}

export function StepPage({ pipeline, step, query }: { pipeline: string; step: string; query: URLSearchParams }) {
	const answer = useGet<StepsAnswer>(address("/steps", { pipeline, step }));
	const from = query.get("run");
	useEffect(() => void (document.title = `${plain(step)} · Tracer`), [step]);
	const own = answer.data?.steps.find((one) => one.step === step);
	if (answer.error && !answer.data) return <Failure error={answer.error} retry={answer.reload} />;
	if (!answer.data) return <Loading what="the history of the step" />;
	if (!own) return <NoStep pipeline={pipeline} step={step} />;
	return (
		<section data-page="step" data-step={step} data-runs={own.runs}>
			<header class="run-head">
				<p class="trail">
					<a href="/">Runs</a> <span aria-hidden="true">/</span> <a href={pipelineAddress(pipeline)}>{plain(pipeline)}</a> <span aria-hidden="true">/</span>
					{from && (
						<>
							{" "}
							<a href={runAddress(from)}>the run</a> <span aria-hidden="true">/</span>
						</>
					)}
				</p>
				<h1>{plain(step)}</h1>
				<p class="run-facts">
					<span>a step of {plain(pipeline)}</span>
					{answer.data.cut && <span>only its latest runs were looked at</span>}
				</p>
			</header>
			<Tiles step={own} />
			<History boxes={answer.data.boxes ?? NO_BOXES} query={query} />
		</section>
	);
}
