// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { exact, nanoseconds, percent } from "../lib/format";
import type { Summed, Times } from "../lib/model";
import { Choice, Unknown } from "../lib/widgets";
import { breakdown, COVERAGE, linesOf, waitText } from "../lib/states";
import type { Breakdown, Slice } from "../lib/states";

// Where time went, as a stacked bar: small in a table's cell, large with its legend.

const words = (known: Breakdown): string => known.slices.map((one) => `${one.state.name} ${percent(one.share)}`).join(", ");

function Bar({ known }: { known: Breakdown }) {
	return (
		<span class="states" role="img" aria-label={words(known) || "nothing"}>
			{known.slices.map((one) => (
				<i
					key={one.state.key}
					class={`state-${one.state.key}`}
					style={{ flexGrow: one.share }}
					title={`${one.state.name} ${nanoseconds(one.ns)} (${percent(one.share)})`}
				/>
			))}
		</span>
	);
}

/** The bar of one row and its largest wait. The title of the cell lists all states. */
export function StateCell({ times }: { times: Times }) {
	const known = breakdown(times);
	if (!known) return <Unknown why="the times of its threads are not known" />;
	return (
		<span class="state-cell">
			<Bar known={known} />
			<span class="state-cell-wait">{waitText(times)}</span>
		</span>
	);
}

function Item({ slice, inBar }: { slice: Slice; inBar: boolean }) {
	return (
		<li title={slice.state.help} data-state={slice.state.key}>
			<i class={`state-${slice.state.key}`} aria-hidden="true" />
			{slice.state.name} <b>{nanoseconds(slice.ns)}</b> {inBar && percent(slice.share)}
			{slice.note && ` (${slice.note})`}
		</li>
	);
}

function Legend({ known }: { known: Breakdown }) {
	return (
		<ul class="state-legend">
			{known.slices.map((one) => (
				<Item key={one.state.key} slice={one} inBar />
			))}
			{known.aside.length > 0 && <li class="state-besides">not in the bar:</li>}
			{known.aside.map((one) => (
				<Item key={one.state.key} slice={one} inBar={false} />
			))}
		</ul>
	);
}

/** The time of the engine itself, on one line. */
function Engine({ times }: { times: Summed }) {
	const known = breakdown(times);
	if (!known) return null;
	return (
		<p class="state-engine" title={linesOf(known).join("\n")}>
			<span data-figure="engine">
				The engine itself: <span title={exact.ns(times.work_ns)}>{nanoseconds(times.work_ns)}</span> at work
			</span>
			<StateCell times={times} />
		</p>
	);
}

const SHOWN = [["work", "At work"], ["all", "All"]] as const;

interface StateBarProps {
	times: Summed;
	title: string;
	/** The time of the engine, shown on a line of its own. */
	engine?: Summed | null;
}

export function StateBar({ times, title, engine }: StateBarProps) {
	const [shown, setShown] = useState<(typeof SHOWN)[number][0]>("work");
	const known = breakdown(times, shown === "all");
	return (
		<section class="state-box" aria-label={title} data-states={known?.slices.length ?? 0}>
			<div class="state-head">
				<b class="state-title">{title}</b>
				{known ? (
					<span class="muted" title="The time of all threads, added up" data-figure="at-work">
						{shown === "all" ? `${nanoseconds(times.threads_ns)} of threads' time` : `${nanoseconds(times.work_ns)} at work`}
					</span>
				) : (
					<Unknown why="the times of its threads are not known" />
				)}
				{known && known.coverage < COVERAGE && (
					<span class="state-coverage" title="The states shown, of the lives of all threads">
						{percent(known.coverage)} explained
					</span>
				)}
				{known && <Choice label="What the bar shows" options={SHOWN} value={shown} onChange={setShown} />}
			</div>
			{known && <Bar known={known} />}
			{known && <Legend known={known} />}
			{engine && <Engine times={engine} />}
		</section>
	);
}
