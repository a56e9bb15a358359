// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, duration, plain } from "../lib/format";
import { useWidth } from "../lib/media";
import { useTheme } from "../lib/theme";
import type { Theme } from "../lib/theme";
import { lanesOf } from "../lib/tune/whatif";
import type { Span } from "../lib/tune/whatif";
import { tickLabel, ticks } from "./gantt_layout";

// Tasks over time in as few lanes as possible: a small timeline to put beside another one of the same scale.

const AXIS = 20;
const LANE_MOST = 14;
const HEIGHT_MOST = 200;

export interface LanesProps {
	title: string;
	/** Beside the title. */
	words: string;
	spans: readonly Span[];
	/** The end of the run. */
	wall_s: number;
	/** Between these the end is expected. */
	range?: readonly [number, number];
	/** Of the time axis, which begins at 0. */
	to: number;
	colors: ReadonlyMap<string, string>;
	name: string;
}

interface Frame {
	width: number;
	height: number;
	lane: number;
	to: number;
}

const xOf = ({ width, to }: Frame, at: number): number => (to > 0 ? (at / to) * width : 0);

function drawAxis(pen: CanvasRenderingContext2D, frame: Frame, theme: Theme): void {
	const { step, at } = ticks(0, frame.to * 1000, frame.width, 90);
	pen.fillStyle = theme.muted;
	pen.strokeStyle = theme.line;
	pen.font = `11px ${theme.font}`;
	for (const ms of at) {
		const x = Math.round(xOf(frame, ms / 1000)) + 0.5;
		pen.beginPath();
		pen.moveTo(x, AXIS - 4);
		pen.lineTo(x, frame.height);
		pen.stroke();
		if (x < frame.width - 34) pen.fillText(tickLabel(ms, step), x + (ms === 0 ? 0 : 3), 12);
	}
}

function draw(pen: CanvasRenderingContext2D, lanes: readonly Span[][], frame: Frame, props: LanesProps, theme: Theme): void {
	pen.clearRect(0, 0, frame.width, frame.height);
	if (props.range) {
		const [low, high] = props.range.map((at) => xOf(frame, at)) as [number, number];
		pen.fillStyle = theme.faint;
		pen.fillRect(low, AXIS - 4, high - low, frame.height);
	}
	drawAxis(pen, frame, theme);
	const gap = frame.lane > 4 ? 1 : 0;
	for (const [n, lane] of lanes.entries()) {
		for (const { task, from, to } of lane) {
			pen.fillStyle = props.colors.get(task.step) ?? theme.other;
			pen.fillRect(xOf(frame, from), AXIS + n * frame.lane, Math.max(1, xOf(frame, to) - xOf(frame, from) - 0.5), Math.max(0.5, frame.lane - gap));
		}
	}
	pen.strokeStyle = theme.text;
	pen.lineWidth = 1.5;
	pen.beginPath();
	pen.moveTo(xOf(frame, props.wall_s), AXIS - 4);
	pen.lineTo(xOf(frame, props.wall_s), frame.height);
	pen.stroke();
}

interface Pointed {
	span: Span;
	x: number;
	y: number;
}

function Tip({ span: { task }, x, y, width }: Pointed & { width: number }) {
	const took = (from: number | null, to: number | null) => (from === null || to === null ? "–" : `${duration(to - from)}, from ${duration(from)} on`);
	const side = x > width / 2 ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` };
	return (
		<div class="tip" role="tooltip" style={{ ...side, top: `${y + 14}px` }}>
			<b class="tip-title">{plain(task.name) || task.id}</b>
			<dl>
				<div>
					<dt>measured</dt>
					<dd>{took(task.began_s, task.ended_s)}</dd>
				</div>
				<div>
					<dt>predicted</dt>
					<dd>{took(task.predicted_began_s, task.predicted_ended_s)}</dd>
				</div>
			</dl>
		</div>
	);
}

export function Lanes(props: LanesProps) {
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const width = useWidth(box);
	const theme = useTheme();
	const lanes = useMemo(() => lanesOf(props.spans), [props.spans]);
	const [pointed, setPointed] = useState<Pointed | null>(null);
	const lane = Math.min(LANE_MOST, HEIGHT_MOST / Math.max(1, lanes.length));
	const frame: Frame = { width, height: AXIS + Math.ceil(lane * lanes.length) + 4, lane, to: props.to };
	const ratio = window.devicePixelRatio || 1;
	const [low, high] = props.range ?? [0, 0];
	useLayoutEffect(() => {
		const pen = canvas.current?.getContext("2d");
		if (!pen) return;
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		draw(pen, lanes, frame, props, theme);
	}, [lanes, width, ratio, theme, props.colors, props.to, props.wall_s, low, high]);
	const point = (event: PointerEvent) => {
		const at = (event.offsetX / width) * props.to;
		const slack = (3 / width) * props.to;
		const span = lanes[Math.floor((event.offsetY - AXIS) / lane)]?.find(({ from, to }) => from - slack <= at && at <= to + slack);
		setPointed(span ? { span, x: event.offsetX, y: event.offsetY } : null);
	};
	return (
		<figure class="lanes" data-lanes={props.name} data-bars={props.spans.length}>
			<figcaption>
				<b>{props.title}</b> <span class="muted">{props.words}</span>
			</figcaption>
			<div class="lanes-box" ref={box}>
				<canvas
					ref={canvas}
					width={Math.round(width * ratio)}
					height={Math.round(frame.height * ratio)}
					style={{ width: `${width}px`, height: `${frame.height}px` }}
					role="img"
					aria-label={`${props.title}: ${count(props.spans.length)} tasks in ${duration(props.wall_s)}, at most ${count(lanes.length)} at once`}
					onPointerMove={point}
					onPointerLeave={() => setPointed(null)}
				/>
				{pointed && <Tip {...pointed} width={width} />}
			</div>
		</figure>
	);
}
