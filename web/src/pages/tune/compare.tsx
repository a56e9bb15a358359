// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { WaterfallChart } from "../../charts/waterfall";
import { address, useGet } from "../../lib/api";
import { count, nanoseconds, plain, when } from "../../lib/format";
import type { RunRow } from "../../lib/model";
import type { DiffRun, RunDiff } from "../../lib/tune/model_diff";
import { compareAddress, runAddress, setQuery } from "../../lib/route";
import { waterfallOf } from "../../lib/tune/waterfall";
import { Failure, Loading, Unknown } from "../../lib/widgets";
import { CompareSteps } from "./compare_steps";
import { Badge } from "../status";

// Two runs: how much longer one took than the other, in parts that add up, and what differs.

const nameOf = (run: { id: string; name: string | null }): string => plain(run.name) || run.id;

function RunCard({ title, run }: { title: string; run: DiffRun }) {
	return (
		<div class="tile" data-compared={run.id}>
			<div class="tile-title">{title}</div>
			<div class="tile-value">
				<a href={runAddress(run.id)}>{nameOf(run)}</a> <Badge status={run.status} />
			</div>
			<div class="tile-note">
				{plain(run.pipeline) || <Unknown />}, {when(run.started_at)}, took <b>{nanoseconds(run.wall_ns)}</b>, {count(run.tasks)} tasks
				{run.cpus !== null && `, ${count(run.cpus)} CPUs`}
			</div>
		</div>
	);
}

const MOST_RUNS = 50;

/** Another run of the pipeline to compare with. */
function Picker({ to, from }: { to: DiffRun; from: string }) {
	const list = useGet<{ runs: RunRow[] }>(to.pipeline ? address("/runs", { pipeline: to.pipeline, limit: MOST_RUNS }) : null);
	const runs = (list.data?.runs ?? []).filter((run) => run.id !== to.id);
	if (runs.length < 2) return null;
	return (
		<label class="pick">
			Compare with{" "}
			<select value={from} onChange={(event) => setQuery({ with: event.currentTarget.value }, false)}>
				{!runs.some((run) => run.id === from) && <option value={from}>another run</option>}
				{runs.map((run) => (
					<option key={run.id} value={run.id}>
						{nameOf(run)}, {when(run.started_at)}
					</option>
				))}
			</select>
		</label>
	);
}

function Notes({ diff }: { diff: RunDiff }) {
	if (diff.notes.length === 0) return null;
	return (
		<ul class="notice compare-notes">
			{diff.notes.map((note) => (
				<li key={`${note.run_id} ${note.text}`}>
					{note.run_id === null ? "Both: " : note.run_id === diff.from.id ? "The earlier run: " : "The later run: "}
					{note.text}.
				</li>
			))}
		</ul>
	);
}

function Comparison({ diff, query }: { diff: RunDiff; query: URLSearchParams }) {
	const chart = useMemo(() => waterfallOf(diff), [diff]);
	return (
		<>
			<p class="verdict" data-summary>
				{plain(diff.summary)}
			</p>
			<div class="tiles compare-runs">
				<RunCard title="Before" run={diff.from} />
				<RunCard title="Now" run={diff.to} />
			</div>
			<p class="compare-ways">
				<Picker to={diff.to} from={diff.from.id} />
				<a href={compareAddress(diff.from.id, diff.to.id)}>Swap them</a>
			</p>
			<Notes diff={diff} />
			{chart && (
				<>
					<h2>Where the difference is</h2>
					<WaterfallChart chart={chart} />
				</>
			)}
			<h2>Steps</h2>
			<CompareSteps diff={diff} query={query} />
		</>
	);
}

export function ComparePage({ query }: { query: URLSearchParams }) {
	const run = query.get("run");
	const answer = useGet<RunDiff>(run ? address(`/runs/${encodeURIComponent(run)}/diff`, { with: query.get("with") }) : null);
	const title = answer.data ? `${nameOf(answer.data.from)} and ${nameOf(answer.data.to)}` : "Compare runs";
	useEffect(() => void (document.title = `${title} · Tracer`), [title]);
	return (
		<section data-page="compare">
			<p class="trail">
				<a href="/">Runs</a> <span aria-hidden="true">/</span>
			</p>
			<h1>What changed</h1>
			{!run && <div class="empty">The address names no run: open one, and compare it with the run before.</div>}
			{answer.error && !answer.data && <Failure error={answer.error} retry={answer.reload} />}
			{answer.loading && !answer.data && <Loading what="both runs" />}
			{answer.data && <Comparison diff={answer.data} query={query} />}
		</section>
	);
}
