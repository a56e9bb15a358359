// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { exact, nanoseconds, percent } from "../lib/format";
import type { AnyTimes, Summed } from "../lib/model";
import { Choice, Unknown } from "../lib/widgets";
import { setQuery } from "../lib/route";
import { barOf, COVERAGE, doubtText, lineOf, linesOf, waitText } from "../lib/states";
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
					title={lineOf(one)}
				/>
			))}
		</span>
	);
}

const UNKNOWN = "where its time went is not known";

/** The bar of one row and its largest wait. The title of the cell lists all states. */
export function StateCell({ times, threads }: { times: AnyTimes; threads: boolean }) {
	const known = barOf(times, threads);
	if (!known) return <Unknown why={UNKNOWN} />;
	return (
		<span class="state-cell">
			<Bar known={known} />
			<span class="state-cell-wait">{waitText(times, threads)}</span>
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

/** "12m 3s of wall time", "50m 2s at work" */
function amountOf(known: Breakdown, times: AnyTimes & Partial<Summed>, whole = false): string {
	if (known.wall) return `${nanoseconds(known.shown_ns)} of wall time`;
	return whole ? `${nanoseconds(times.threads_ns)} of threads' time` : `${nanoseconds(times.work_ns)} at work`;
}

/** The time of the engine itself, on one line. */
function Engine({ times, threads }: { times: Summed; threads: boolean }) {
	const known = barOf(times, threads);
	if (!known) return null;
	return (
		<p class="state-engine" title={linesOf(known).join("\n")}>
			<span data-figure="engine">
				The engine itself: <span title={exact.ns(known.wall ? known.shown_ns : times.work_ns)}>{amountOf(known, times)}</span>
			</span>
			<StateCell times={times} threads={threads} />
		</p>
	);
}

/** What is not sure about a bar. */
function Doubts({ known }: { known: Breakdown }) {
	return (
		<>
			{known.coverage < COVERAGE && (
				<span class="state-coverage" title="The states shown, of the lives of all threads">
					{percent(known.coverage)} explained
				</span>
			)}
			{known.assumed_ns > 0 && (
				<span class="muted" title="The classes of processes that count for a part of their life only are taken to be spread evenly over it">
					{doubtText(known)}
				</span>
			)}
		</>
	);
}

const TIMES = [["", "Wall time"], ["threads", "Thread time"]] as const;
const SHOWN = [["work", "At work"], ["all", "All"]] as const;

interface StateBarProps {
	times: AnyTimes & Partial<Summed>;
	title: string;
	threads: boolean;
	/** The time of the engine, shown on a line of its own. */
	engine?: Summed | null;
}

export function StateBar({ times, title, threads, engine }: StateBarProps) {
	const [shown, setShown] = useState<(typeof SHOWN)[number][0]>("work");
	const known = barOf(times, threads, shown === "all");
	return (
		<section class="state-box" aria-label={title} data-states={known?.slices.length ?? 0}>
			<div class="state-head">
				<b class="state-title">{title}</b>
				{known ? (
					<span class="muted" title={known.wall ? "From begin to end; of several tasks, added up" : "The time of all threads, added up"} data-figure={known.wall ? "wall" : "at-work"}>
						{amountOf(known, times, shown === "all")}
					</span>
				) : threads ? (
					<span class="muted">the time of its threads is not known</span>
				) : (
					<Unknown why={UNKNOWN} />
				)}
				{known && <Doubts known={known} />}
				{known && !known.wall && <Choice label="What the bar shows" options={SHOWN} value={shown} onChange={setShown} />}
				{(threads || known?.wall) && (
					<Choice label="Kind of time" options={TIMES} value={threads ? "threads" : ""} onChange={(time) => setQuery({ time })} />
				)}
			</div>
			{known && <Bar known={known} />}
			{known && <Legend known={known} />}
			{engine && <Engine times={engine} threads={threads} />}
		</section>
	);
}
