// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { trimmed } from "../lib/format";
import type { Range } from "./timeline";
import { stripes, useTheme } from "../lib/theme";
import type { Theme } from "../lib/theme";

// Stacked curves over time, with a line for the capacity. The time axis is that of the timeline above it.

export interface ChartCurve {
	name: string;
	color: string;
	/** Upper edge of its area, bottom curve first; gaps are null. */
	edge: readonly (number | null)[];
	/** Its own values. */
	values: readonly (number | null)[];
	dashed?: boolean;
	striped?: boolean;
	/** The class of its mark in the legend, where several curves have its colour. */
	mark?: string;
}

export interface ChartProps {
	name: string;
	title: string;
	times: readonly number[];
	curves: readonly ChartCurve[];
	capacity: number | null;
	format: (value: number | null) => string;
	/** Round steps of the axis: those of numbers, or of bytes. */
	binary?: boolean;
	range: Range;
	/** Time 0 of the axis, in milliseconds; null: the axis shows the time of day. */
	origin: number | null;
	onRange?: (range: Range | null) => void;
	tickLabel: (seconds: number, step: number) => string;
}

const HEIGHT = 168;
/** Pixels at the right in which a label would be cut off. */
const EDGE = 14;
export const CHART_AXIS = 62;

const binarySteps = (): number[] => {
	const steps: number[] = [];
	for (let power = 0; power < 50; power++) steps.push(2 ** power);
	return steps;
};

function axesOf(props: ChartProps, theme: Theme): uPlot.Axis[] {
	const common = {
		stroke: theme.muted,
		font: `11px ${theme.font}`,
		grid: { stroke: theme.line, width: 1 },
		ticks: { show: false },
	};
	const origin = (props.origin ?? 0) / 1000;
	return [
		{
			...common,
			size: 24,
			space: 84,
			splits: (plot, _axis, min, max, step) => splitsFrom(origin, min, max, step, plot.bbox.width),
			values: (plot, splits) => {
				const step = splits.length > 1 ? (splits[1] as number) - (splits[0] as number) : 1;
				const right = plot.bbox.width / (window.devicePixelRatio || 1) - EDGE;
				return splits.map((at) => (plot.valToPos(at, "x") > right ? "" : props.tickLabel(at - origin, step)));
			},
		},
		{
			...common,
			size: CHART_AXIS,
			space: 32,
			gap: 6,
			...(props.binary ? { incrs: binarySteps() } : {}),
			values: (_plot, splits) => splits.map((value) => trimmed(props.format(value))),
		},
	];
}

const STEPS = [
	1e-6, 1e-5, 1e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
	10800, 21600, 43200, 86400, 172800, 604800,
];

function splitsFrom(origin: number, min: number, max: number, _step: number, width: number): number[] {
	const least = ((max - min) * 84 * (window.devicePixelRatio || 1)) / Math.max(1, width);
	const step = STEPS.find((size) => size >= least) ?? 2592000;
	const splits: number[] = [];
	for (let n = Math.ceil((min - origin) / step); origin + n * step <= max && splits.length < 500; n++) {
		splits.push(origin + n * step);
	}
	return splits;
}

const fillOf = (curve: ChartCurve, theme: Theme): uPlot.Series.Fill =>
	curve.striped ? (plot) => stripes(plot.ctx, curve.color, theme.surface) : curve.color;

function seriesOf(props: ChartProps, theme: Theme): uPlot.Series[] {
	const paths = uPlot.paths.stepped?.({ align: 1 });
	const areas = [...props.curves].reverse().map((curve) => ({
		label: curve.name,
		stroke: curve.color,
		width: curve.dashed ? 1 : 0,
		...(curve.dashed ? { dash: [4, 3] } : { fill: fillOf(curve, theme) }),
		points: { show: false },
		...(paths ? { paths } : {}),
	}));
	const line = { label: "capacity", stroke: theme.muted, width: 1.5, dash: [6, 4], points: { show: false } };
	return [{}, ...areas, ...(props.capacity !== null ? [line] : [])];
}

function dataOf(props: ChartProps): uPlot.AlignedData {
	const edges = [...props.curves].reverse().map((curve) => [...curve.edge]);
	const capacity = props.capacity;
	const line = capacity !== null ? [props.times.map(() => capacity)] : [];
	return [[...props.times], ...edges, ...line] as uPlot.AlignedData;
}

export function topOf(props: Pick<ChartProps, "curves" | "capacity">): number {
	let top = 0;
	for (const curve of props.curves) for (const value of curve.edge) if (value !== null && value > top) top = value;
	// A capacity far above what was used would press the curves flat: then it stays out of view.
	const { capacity } = props;
	if (capacity !== null && capacity <= Math.max(top * 8, 1)) top = Math.max(top, capacity);
	return top > 0 ? top * 1.06 : 1;
}

function optionsOf(props: () => ChartProps, theme: Theme, width: number, legend: (n: number | null) => void): uPlot.Options {
	const now = props();
	return {
		width,
		height: HEIGHT,
		padding: [10, 0, 0, 0],
		legend: { show: false },
		cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
		scales: {
			x: { time: false, range: () => [props().range.from / 1000, props().range.to / 1000] },
			y: { range: () => [0, topOf(props())] },
		},
		axes: axesOf(now, theme),
		series: seriesOf(now, theme),
		hooks: {
			setCursor: [(plot) => legend(plot.cursor.idx ?? null)],
			setSelect: [
				(plot) => {
					if (plot.select.width < 4) return;
					const from = plot.posToVal(plot.select.left, "x") * 1000;
					const to = plot.posToVal(plot.select.left + plot.select.width, "x") * 1000;
					plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
					props().onRange?.({ from, to });
				},
			],
		},
	};
}

/** The legend's figures follow the pointer; they are written as text nodes, past Preact, at the pointer's pace. */
function useLegend(props: ChartProps) {
	const list = useRef<HTMLUListElement>(null);
	const latest = useRef(props);
	latest.current = props;
	const show = (n: number | null) => {
		const { curves, format } = latest.current;
		list.current?.querySelectorAll("[data-value]").forEach((element, at) => {
			const value = n === null ? null : (curves[at]?.values[n] ?? null);
			element.textContent = n === null ? "" : format(value);
		});
	};
	return { list, show };
}

function Mark({ curve }: { curve: ChartCurve }) {
	if (curve.mark) return <i class={curve.mark} aria-hidden="true" />;
	const style = curve.dashed ? { borderColor: curve.color } : { background: curve.color };
	return <i style={style} class={curve.dashed ? "dashed" : ""} aria-hidden="true" />;
}

export function Chart(props: ChartProps) {
	const box = useRef<HTMLDivElement>(null);
	const plot = useRef<uPlot | null>(null);
	const theme = useTheme();
	const latest = useRef(props);
	latest.current = props;
	const { list, show } = useLegend(props);
	const shape = `${props.curves.map((curve) => `${curve.name}\t${curve.color}`).join("\n")}\n${props.capacity}\n${props.origin}`;
	useLayoutEffect(() => {
		const element = box.current;
		if (!element) return;
		const made = new uPlot(optionsOf(() => latest.current, theme, element.clientWidth, show), dataOf(latest.current), element);
		plot.current = made;
		const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
		observer.observe(element);
		return () => {
			observer.disconnect();
			made.destroy();
			plot.current = null;
		};
	}, [theme, shape]);
	useEffect(() => plot.current?.setData(dataOf(props)), [props.times, props.curves, props.range.from, props.range.to]);
	return (
		<figure class="chart" data-chart={props.name} data-points={props.times.length} data-curves={props.curves.length}>
			<figcaption>
				<b>{props.title}</b>
				<ul ref={list}>
					{props.curves.map((curve) => (
						<li key={curve.name} title={curve.name}>
							<Mark curve={curve} />
							<span>{curve.name}</span>
							<em data-value />
						</li>
					))}
					{props.capacity !== null && (
						<li title="What the hosts have">
							<i class="dashed" aria-hidden="true" />
							<span>
								capacity {trimmed(props.format(props.capacity))}
								{props.capacity > topOf(props) ? " ↑" : ""}
							</span>
						</li>
					)}
				</ul>
			</figcaption>
			<div class="chart-plot" ref={box} role="img" aria-label={props.title} onDblClick={() => props.onRange?.(null)} />
		</figure>
	);
}
