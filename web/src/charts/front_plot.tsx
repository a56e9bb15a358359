// SPDX-License-Identifier: Apache-2.0
import type { TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { duration, exact, usd } from "../lib/format";
import { useWidth } from "../lib/media";
import { placeOn } from "../lib/waste/front";
import type { FrontPlot, Priced, Scale } from "../lib/waste/front";
import type { MeasuredHosts } from "../lib/waste/model_recommend";
import { choiceText, costInterval, keyOf, machineText, risksOf, wallInterval } from "../lib/waste/recommend";

// Cost against wall time: the candidates as points, those of the front with their intervals and a line, what was measured as a diamond.

const HEIGHT = 340;
const TOP = 38;
const BOTTOM = 40;
const LEFT = 66;
const RIGHT = 18;
const NARROWEST = 220;

interface Frame {
	width: number;
	x: Scale;
	y: Scale;
}

const xOf = ({ width, x }: Frame, value: number): number => LEFT + Math.min(1, Math.max(0, placeOn(x, value))) * (width - LEFT - RIGHT);
const yOf = ({ y }: Frame, value: number): number => HEIGHT - BOTTOM - Math.min(1, Math.max(0, placeOn(y, value))) * (HEIGHT - BOTTOM - TOP);

function Grid({ frame }: { frame: Frame }) {
	// Texts need some 62 pixels each.
	const every = Math.ceil((frame.x.marks.length * 62) / Math.max(1, frame.width - LEFT - RIGHT));
	return (
		<g aria-hidden="true">
			{frame.y.marks.map(({ value, text }) => (
				<g key={value}>
					<line class="box-grid" x1={LEFT} x2={frame.width - RIGHT} y1={yOf(frame, value)} y2={yOf(frame, value)} />
					<text class="box-mark" x={LEFT - 7} y={yOf(frame, value) + 4} text-anchor="end">
						{text}
					</text>
				</g>
			))}
			{frame.x.marks
				.filter((_, n) => n % every === 0)
				.map(({ value, text }) => (
					<g key={value}>
						<line class="box-grid" x1={xOf(frame, value)} x2={xOf(frame, value)} y1={TOP} y2={HEIGHT - BOTTOM} />
						<text class="box-mark" x={xOf(frame, value)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
							{text}
						</text>
					</g>
				))}
			<text class="front-axis" x={LEFT} y={12}>
				Cost{frame.y.log ? ", logarithmic" : ""}
			</text>
			<text class="front-axis" x={frame.width - RIGHT} y={HEIGHT - 5} text-anchor="end">
				Wall time{frame.x.log ? ", logarithmic" : ""} →
			</text>
		</g>
	);
}

/** The time until which it has to end, and the cost that it may have. */
function Limits({ limits: { wall_s, cost_usd }, frame }: { limits: FrontPlotProps["limits"]; frame: Frame }) {
	return (
		<g aria-hidden="true">
			{wall_s !== null && wall_s <= frame.x.to && <line class="front-limit" x1={xOf(frame, wall_s)} x2={xOf(frame, wall_s)} y1={TOP} y2={HEIGHT - BOTTOM} />}
			{cost_usd !== null && cost_usd <= frame.y.to && <line class="front-limit" x1={LEFT} x2={frame.width - RIGHT} y1={yOf(frame, cost_usd)} y2={yOf(frame, cost_usd)} />}
		</g>
	);
}

/** The interval of 90 of 100 runs, both ways. */
function Interval({ one, frame }: { one: Priced; frame: Frame }) {
	const [x, y] = [xOf(frame, one.wall_s), yOf(frame, one.cost_usd)];
	return (
		<g class="front-interval">
			<line x1={xOf(frame, one.wall_low_s)} x2={xOf(frame, one.wall_high_s)} y1={y} y2={y} />
			{one.cost_low_usd !== null && one.cost_high_usd !== null && <line x1={x} x2={x} y1={yOf(frame, one.cost_low_usd)} y2={yOf(frame, one.cost_high_usd)} />}
		</g>
	);
}

const wordsOf = (one: Priced): string =>
	`${choiceText(one) ? `${choiceText(one)}: ` : ""}${machineText(one)}: ${duration(one.wall_s)} (${wallInterval(one)}), ${usd(one.cost_usd)} (${costInterval(one)})`;

interface PointProps {
	one: Priced;
	frame: Frame;
	marked: boolean;
	/** Whether the tabulator key stops at it. */
	stop: boolean;
	/** The address that marks it. */
	href: string;
	onMark: (key: string) => void;
	onPoint: (one: Priced | null) => void;
}

function Point({ one, frame, marked, stop, href, onMark, onPoint }: PointProps) {
	const [x, y] = [xOf(frame, one.wall_s), yOf(frame, one.cost_usd)];
	const text = choiceText(one);
	const right = x > frame.width - 150;
	const mark = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
		if (event.metaKey || event.ctrlKey || event.shiftKey) return;
		event.preventDefault();
		onMark(keyOf(one));
	};
	return (
		<a
			href={href}
			class={`front-point${one.choice ? " is-choice" : ""}${marked ? " here" : ""}`}
			aria-label={wordsOf(one)}
			tabIndex={stop ? 0 : -1}
			data-point={keyOf(one)}
			onClick={mark}
			onMouseEnter={() => onPoint(one)}
			onMouseLeave={() => onPoint(null)}
			onFocus={() => onPoint(one)}
			onBlur={() => onPoint(null)}
		>
			<Interval {...{ one, frame }} />
			<circle class="front-reach" cx={x} cy={y} r="11" />
			<circle class="front-dot" cx={x} cy={y} r={one.choice ? 6 : 4.5} />
			{text && (
				<text class="front-name" x={right ? x - 11 : x + 11} y={y - 9} text-anchor={right ? "end" : "start"}>
					{text}
				</text>
			)}
		</a>
	);
}

function Measured({ wall_s, cost_usd, frame }: { wall_s: number; cost_usd: number; frame: Frame }) {
	const [x, y] = [xOf(frame, wall_s), yOf(frame, cost_usd)];
	return (
		<g class="front-measured" role="img" aria-label={`Measured: ${duration(wall_s)}, ${usd(cost_usd)}`} data-point="measured">
			<path d={`M${x} ${y - 7}l7 7l-7 7l-7 -7z`} />
			<text class="front-name" x={x} y={y - 12} text-anchor={x > frame.width - 60 ? "end" : "middle"}>
				Measured
			</text>
		</g>
	);
}

function Tip({ one, frame }: { one: Priced; frame: Frame }) {
	const [x, y] = [xOf(frame, one.wall_s), yOf(frame, one.cost_usd)];
	const side = x > frame.width / 2 ? { right: `${frame.width - x + 16}px` } : { left: `${x + 16}px` };
	const rows: [string, string][] = [
		["wall time", `${duration(one.wall_s)} (${wallInterval(one)})`],
		["cost", `${usd(one.cost_usd)} (${costInterval(one)})`],
		...risksOf(one).map((risk): [string, string] => ["risk", risk]),
	];
	return (
		<div class="tip" role="tooltip" style={{ ...side, top: `${Math.min(y, HEIGHT - 150)}px` }} title={exact.usd(one.cost_usd)}>
			<b class="tip-title">{machineText(one)}</b>
			<dl>
				{rows.map(([name, value]) => (
					<div key={name + value}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
		</div>
	);
}

const STEPS: Record<string, (at: number, last: number) => number> = {
	ArrowLeft: (at) => at - 1,
	ArrowUp: (at) => at - 1,
	ArrowRight: (at) => at + 1,
	ArrowDown: (at) => at + 1,
	Home: () => 0,
	End: (_, last) => last,
};

/** The arrow keys go from point to point of the front. */
function stepOnKey(event: TargetedKeyboardEvent<SVGSVGElement>): void {
	const links = [...event.currentTarget.querySelectorAll<SVGAElement>("a")];
	const at = links.indexOf(document.activeElement as unknown as SVGAElement);
	const next = at < 0 ? undefined : STEPS[event.key]?.(at, links.length - 1);
	if (next === undefined) return;
	event.preventDefault();
	links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
}

interface FrontPlotProps {
	plot: FrontPlot;
	measured: MeasuredHosts | null;
	/** Of what is asked; null: none. */
	limits: { wall_s: number | null; cost_usd: number | null };
	/** The key of the candidate that is marked. */
	mark: string | null;
	addressOf: (key: string) => string;
	onMark: (key: string) => void;
}

const pathOf = (points: readonly Priced[], frame: Frame): string => points.map((one, n) => `${n === 0 ? "M" : "L"}${xOf(frame, one.wall_s)} ${yOf(frame, one.cost_usd)}`).join("");

export function FrontPlotChart({ plot, measured, limits, mark, addressOf, onMark }: FrontPlotProps) {
	const box = useRef<HTMLDivElement>(null);
	const width = Math.max(NARROWEST, useWidth(box, 700)); // 0 when the page goes
	const [pointed, setPointed] = useState<Priced | null>(null);
	const frame: Frame = { width, x: plot.x, y: plot.y };
	const stop = Math.max(0, plot.front.findIndex((one) => keyOf(one) === mark));
	const words = `Cost against wall time, ${plot.front.length} candidates of the front from the fastest to the cheapest. Arrow keys go from point to point, Enter opens one in the table, which has the same figures.`;
	const away = [plot.beyond > 0 && `${plot.beyond} more are slower or more expensive than this plot shows`, plot.unpriced > 0 && `${plot.unpriced} have no price`].filter(Boolean).join("; ");
	return (
		<figure class="front-plot" data-front={plot.front.length} data-others={plot.others.length}>
			<figcaption>
				<b>Cost against wall time</b>{" "}
				<span class="muted">lower and further left is better; bars are what 90 of 100 runs stay within{plot.steady.length > 0 ? "; dashed: without spot" : ""}</span>
			</figcaption>
			<div class="box-area" ref={box}>
				<svg width={width} height={HEIGHT} role="group" aria-label={words} onKeyDown={stepOnKey}>
					<Grid frame={frame} />
					<Limits {...{ limits, frame }} />
					<g aria-hidden="true">
						{plot.others.map((one) => (
							<circle key={keyOf(one)} class="front-other" cx={xOf(frame, one.wall_s)} cy={yOf(frame, one.cost_usd)} r="3">
								<title>{wordsOf(one)}</title>
							</circle>
						))}
						<path class="front-line" d={pathOf(plot.line, frame)} />
						<path class="front-line is-steady" d={pathOf(plot.steady, frame)} />
					</g>
					{measured && measured.wall_s !== null && measured.cost_usd !== null && <Measured wall_s={measured.wall_s} cost_usd={measured.cost_usd} frame={frame} />}
					{plot.front.map((one, n) => (
						<Point key={keyOf(one)} {...{ one, frame, onMark }} marked={keyOf(one) === mark} stop={n === stop} href={addressOf(keyOf(one))} onPoint={setPointed} />
					))}
				</svg>
				{pointed && <Tip one={pointed} frame={frame} />}
			</div>
			{away && <p class="muted">{away}.</p>}
		</figure>
	);
}
