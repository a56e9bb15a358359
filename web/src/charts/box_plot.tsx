// SPDX-License-Identifier: Apache-2.0
import type { TargetedKeyboardEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { byName, count, plain, when } from "../lib/format";
import { useWidth } from "../lib/media";
import { runAddress } from "../lib/route";
import { axisOf } from "../lib/tune/boxes";
import type { Axis, Change, Drawn, Plot } from "../lib/tune/boxes";

// A figure of a step over its runs: a box plot a run, the newest at the right. Each box leads to its run.

const HEIGHT = 176;
const TOP = 14;
const BOTTOM = 22;
const LEFT = 66;
const NARROWEST = 160;
const SLOT_MOST = 56;
const BOX_MOST = 24;

interface Frame {
	width: number;
	slot: number;
	axis: Axis;
}

const yOf = ({ axis }: Frame, value: number): number => HEIGHT - BOTTOM - (value / axis.most) * (HEIGHT - BOTTOM - TOP);
const xOf = ({ slot }: Frame, n: number): number => LEFT + (n + 0.5) * slot;

function Grid({ frame }: { frame: Frame }) {
	return (
		<g aria-hidden="true">
			{frame.axis.marks.map(({ value, text }) => (
				<g key={value}>
					<line class="box-grid" x1={LEFT} x2={frame.width} y1={yOf(frame, value)} y2={yOf(frame, value)} />
					<text class="box-mark" x={LEFT - 7} y={yOf(frame, value) + 4} text-anchor="end">
						{text}
					</text>
				</g>
			))}
		</g>
	);
}

/** When the first and the last run began. */
function Dates({ runs, frame }: { runs: Plot["runs"]; frame: Frame }) {
	const known = runs.flatMap((run, n) => (run?.started_at ? [{ n, text: when(run.started_at) }] : []));
	const [first, last] = [known[0], known.at(-1)];
	if (!first || !last) return null;
	const far = xOf(frame, last.n) - xOf(frame, first.n) > 220;
	return (
		<g aria-hidden="true">
			<text class="box-mark" x={Math.max(LEFT, xOf(frame, first.n) - 30)} y={HEIGHT - 5}>
				{first.text}
			</text>
			{far && (
				<text class="box-mark" x={Math.min(frame.width, xOf(frame, last.n) + 34)} y={HEIGHT - 5} text-anchor="end">
					{last.text}
				</text>
			)}
		</g>
	);
}

/** Where the host type or the tools change, with their number in the list of changes. */
function Changes({ changes, frame }: { changes: readonly Change[]; frame: Frame }) {
	const places = [...new Set(changes.map(({ at }) => at))];
	return (
		<g aria-hidden="true">
			{places.map((at) => {
				const x = LEFT + at * frame.slot;
				const numbers = changes.flatMap((one, n) => (one.at === at ? [n + 1] : []));
				return (
					<g key={at}>
						<line class="box-change" x1={x} x2={x} y1={TOP - 2} y2={HEIGHT - BOTTOM} />
						<text class="box-mark" x={x + 3} y={TOP - 3}>
							{numbers.join(", ")}
						</text>
					</g>
				);
			})}
		</g>
	);
}

const textOf = (figure: string, run: Drawn): string =>
	`${when(run.started_at)}: median ${byName(figure, run.median)}, half from ${byName(figure, run.q1)} to ${byName(figure, run.q3)}, ${count(run.tasks)} task${run.tasks === 1 ? "" : "s"}`;

interface BoxProps {
	figure: string;
	run: Drawn;
	n: number;
	frame: Frame;
	here: boolean;
	/** Whether the tabulator key stops at it. */
	stop: boolean;
	onPoint: (n: number | null) => void;
}

function RunBox({ figure, run, n, frame, here, stop, onPoint }: BoxProps) {
	const x = xOf(frame, n);
	const half = Math.min(BOX_MOST, Math.max(2, frame.slot * 0.62)) / 2;
	const y = (value: number) => yOf(frame, value);
	return (
		<a
			href={runAddress(run.run_id)}
			class={`box-run${here ? " here" : ""}`}
			aria-label={textOf(figure, run)}
			tabIndex={stop ? 0 : -1}
			data-run={run.run_id}
			onMouseEnter={() => onPoint(n)}
			onMouseLeave={() => onPoint(null)}
			onFocus={() => onPoint(n)}
			onBlur={() => onPoint(null)}
		>
			<rect class="box-reach" x={x - frame.slot / 2} y={TOP} width={frame.slot} height={HEIGHT - TOP - BOTTOM} />
			<line class="box-line" x1={x} x2={x} y1={y(run.min)} y2={y(run.p95)} />
			<line class="box-line" x1={x - half / 2} x2={x + half / 2} y1={y(run.p95)} y2={y(run.p95)} />
			<line class="box-line" x1={x - half / 2} x2={x + half / 2} y1={y(run.min)} y2={y(run.min)} />
			<rect class="box-body" x={x - half} y={y(run.q3)} width={2 * half} height={Math.max(1, y(run.q1) - y(run.q3))} />
			<line class="box-median" x1={x - half} x2={x + half} y1={y(run.median)} y2={y(run.median)} />
			{run.max > run.p95 && <circle class="box-far" cx={x} cy={y(run.max)} r="1.8" />}
		</a>
	);
}

function Tip({ plot, n, frame }: { plot: Plot; n: number; frame: Frame }) {
	const run = plot.runs[n];
	if (!run) return null;
	const rows: [string, string][] = [
		["median", byName(plot.figure, run.median)],
		["half of its tasks", `${byName(plot.figure, run.q1)} to ${byName(plot.figure, run.q3)}`],
		["95 % of them", `below ${byName(plot.figure, run.p95)}`],
		["least, most", `${byName(plot.figure, run.min)}, ${byName(plot.figure, run.max)}`],
		["host type", plain(run.host_type) || "not known"],
	];
	const x = xOf(frame, n);
	const side = x > frame.width / 2 ? { right: `${frame.width - x + frame.slot / 2 + 6}px` } : { left: `${x + frame.slot / 2 + 6}px` };
	return (
		<div class="tip" role="tooltip" style={{ ...side, top: "26px" }}>
			<b class="tip-title">
				{when(run.started_at)}, {count(run.tasks)} task{run.tasks === 1 ? "" : "s"}
			</b>
			<dl>
				{rows.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			<div class="tip-tools">{plain(run.tools) || "tools not known"}</div>
		</div>
	);
}

const STEPS: Record<string, (at: number, last: number) => number> = {
	ArrowLeft: (at) => at - 1,
	ArrowRight: (at) => at + 1,
	Home: () => 0,
	End: (_, last) => last,
};

/** The arrow keys go from box to box. */
function stepOnKey(event: TargetedKeyboardEvent<SVGSVGElement>): void {
	const links = [...event.currentTarget.querySelectorAll<SVGAElement>("a")];
	const at = links.indexOf(document.activeElement as unknown as SVGAElement);
	const next = at < 0 ? undefined : STEPS[event.key]?.(at, links.length - 1);
	if (next === undefined) return;
	event.preventDefault();
	links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
}

interface BoxPlotProps {
	plot: Plot;
	changes: readonly Change[];
	/** The run that is marked. */
	here: string | null;
}

export function BoxPlot({ plot, changes, here }: BoxPlotProps) {
	const box = useRef<HTMLDivElement>(null);
	const width = Math.max(NARROWEST, useWidth(box, 460)); // 0 when the page goes
	const [pointed, setPointed] = useState<number | null>(null);
	const known = plot.runs.filter((run): run is Drawn => run !== null);
	const largest = Math.max(plot.median ?? 0, ...known.map((run) => run.max));
	const frame: Frame = { width, slot: Math.min(SLOT_MOST, (width - LEFT) / Math.max(1, plot.runs.length)), axis: axisOf(plot.figure, largest, 4) };
	const last = plot.runs.reduce((newest, run, n) => (run ? n : newest), -1);
	const words = `${plot.title} by run, ${known.length} runs, the newest at the right. Arrow keys go from run to run, Enter opens one.`;
	return (
		<figure class="box-plot" data-plot={plot.figure} data-boxes={known.length}>
			<figcaption title={plot.help}>
				<b>{plot.title}</b> <span class="muted">{plot.median === null ? "" : `usually ${byName(plot.figure, plot.median)}`}</span>
			</figcaption>
			<div class="box-area" ref={box}>
				<svg
					width={width}
					height={HEIGHT}
					role="group"
					aria-label={words}
					style={{ color: plot.tone ? `var(--state-${plot.tone})` : "var(--series-0)" }}
					onKeyDown={stepOnKey}
				>
					<Grid frame={frame} />
					<Changes changes={changes} frame={frame} />
					{plot.median !== null && <line class="box-usual" x1={LEFT} x2={width} y1={yOf(frame, plot.median)} y2={yOf(frame, plot.median)} />}
					<Dates runs={plot.runs} frame={frame} />
					{plot.runs.map((run, n) => run && <RunBox key={run.run_id} {...{ run, n, frame }} figure={plot.figure} here={run.run_id === here} stop={n === last} onPoint={setPointed} />)}
				</svg>
				{pointed !== null && <Tip plot={plot} n={pointed} frame={frame} />}
			</div>
		</figure>
	);
}
