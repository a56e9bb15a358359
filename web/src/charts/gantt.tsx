// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { AXIS, draw, timeAt, xOf } from "./gantt_draw";
import type { View } from "./gantt_draw";
import { layout, rowAt } from "./gantt_layout";
import { pathPlaces } from "./gantt_path";
import type { Bar, Layout, Row, Shade } from "./gantt_layout";
import { Tip } from "./gantt_tip";
import type { Process, Task } from "../lib/model";
import type { CriticalPath } from "../lib/model_flow";
import type { Range } from "./timeline";
import { useWidth } from "../lib/media";
import { useTheme } from "../lib/theme";
import { bounded } from "./zoom";

// The timeline of a run: steps, their tasks, and the tools of opened tasks. One canvas, which draws only what is in view.

export interface GanttProps {
	tasks: readonly Task[];
	shades: ReadonlyMap<string, Shade[]>;
	colors: ReadonlyMap<string, string>;
	opened: ReadonlyMap<string, readonly Process[]>;
	onOpen: (task: string) => void;
	selected: string | null;
	onSelect: (task: string | null) => void;
	/** The range of the unzoomed time axis, which begins at 0. */
	whole: Range;
	range: Range;
	onRange: (range: Range | null) => void;
	now: number;
	packed: boolean;
	folded: ReadonlySet<string>;
	onFold: (step: string) => void;
	gutter: number;
	path: CriticalPath | null;
	/** Seconds that tasks waited with all their input there. */
	queued: ReadonlyMap<string, number>;
	threads: boolean;
	/** Instants to mark. */
	marks: readonly number[];
	/** What asked for the task that is selected: when it changes, its row is scrolled into view. */
	reveal: string | null;
}

const NEAR = 4;

export interface Hit {
	row: Row | null;
	bar: Bar | null;
	title: string;
}

/** The bar or heading at a position of the canvas. */
export function hit(plan: Layout, view: View, x: number, y: number): Hit {
	const row = y > AXIS ? (plan.rows[rowAt(plan.rows, y - AXIS + view.top)] ?? null) : null;
	if (!row || x < view.gutter) return { row, bar: null, title: "" };
	const slack = ((view.to - view.from) / Math.max(1, view.width - view.gutter)) * 3;
	const at = timeAt(view, x);
	const inside = (from: number, to: number) => at >= from - slack && at <= to + slack;
	const drawn = row.kind !== "step" || row.folded;
	const bar = drawn ? (row.bars.find((candidate) => inside(candidate.from, candidate.to)) ?? null) : null;
	const span = row.spans.find((candidate) => inside(candidate.from, candidate.to));
	return { row, bar, title: span?.title ?? "" };
}

export function zoomed(range: Range, whole: Range, at: number, factor: number): Range | null {
	const from = at - (at - range.from) * factor;
	const to = at + (range.to - at) * factor;
	return bounded({ from, to }, whole);
}

interface Grab {
	x: number;
	axis: boolean;
	moved: boolean;
	range: Range;
}

/** Control and wheel zoom at the pointer; a horizontal wheel pans. */
function useWheel(canvas: RefObject<HTMLCanvasElement>, view: View, props: GanttProps): void {
	const latest = useRef({ view, props });
	latest.current = { view, props };
	useEffect(() => {
		const element = canvas.current;
		if (!element) return;
		const wheel = (event: WheelEvent) => {
			const { view: now, props: given } = latest.current;
			const sideways = event.shiftKey ? event.deltaY : event.deltaX;
			if (event.ctrlKey || event.metaKey) {
				event.preventDefault();
				given.onRange(zoomed(given.range, given.whole, timeAt(now, event.offsetX), Math.exp(event.deltaY / 300)));
			} else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
				event.preventDefault();
				const shift = (sideways / (now.width - now.gutter)) * (now.to - now.from);
				given.onRange(bounded({ from: now.from + shift, to: now.to + shift }, given.whole));
			}
		};
		element.addEventListener("wheel", wheel, { passive: false });
		return () => element.removeEventListener("wheel", wheel);
	}, []);
}

/** Dragging pans; dragging on the axis selects a range to zoom to. */
function usePointer(canvas: RefObject<HTMLCanvasElement>, view: View, plan: Layout, props: GanttProps) {
	const [hover, setHover] = useState<{ hit: Hit; x: number; y: number } | null>(null);
	const [drag, setDrag] = useState<[number, number] | null>(null);
	const grab = useRef<Grab | null>(null);
	useWheel(canvas, view, props);
	const down = (event: PointerEvent) => {
		if (event.button !== 0) return;
		grab.current = { x: event.offsetX, axis: event.offsetY < AXIS, moved: false, range: props.range };
		(event.currentTarget as Element).setPointerCapture(event.pointerId);
	};
	const move = (event: PointerEvent) => {
		const held = grab.current;
		if (!held) {
			setHover({ hit: hit(plan, view, event.offsetX, event.offsetY), x: event.offsetX, y: event.offsetY });
			return;
		}
		if (Math.abs(event.offsetX - held.x) > NEAR) held.moved = true;
		if (!held.moved) return;
		setHover(null);
		if (held.axis) return setDrag([Math.max(view.gutter, held.x), Math.max(view.gutter, event.offsetX)]);
		const shift = ((held.x - event.offsetX) / (view.width - view.gutter)) * (held.range.to - held.range.from);
		props.onRange(bounded({ from: held.range.from + shift, to: held.range.to + shift }, props.whole));
	};
	const up = (event: PointerEvent) => {
		const held = grab.current;
		grab.current = null;
		setDrag(null);
		if (!held) return;
		if (held.moved && held.axis) {
			const [a, b] = [timeAt(view, Math.max(view.gutter, held.x)), timeAt(view, Math.max(view.gutter, event.offsetX))];
			props.onRange(bounded({ from: Math.min(a, b), to: Math.max(a, b) }, props.whole));
		} else if (!held.moved) pick(hit(plan, view, event.offsetX, event.offsetY), event.offsetX < view.gutter, props);
	};
	return { hover, setHover, drag, down, move, up };
}

function pick(target: Hit, onLabel: boolean, props: GanttProps): void {
	const { row, bar } = target;
	if (bar) return props.onSelect(bar.task.id);
	if (row?.kind === "step" && onLabel) return props.onFold(row.step);
	if (row?.kind === "task" && row.task && onLabel) return props.onOpen(row.task.id);
	props.onSelect(null);
}

/** The bars in reading order, for those who go through them by keyboard. */
const barsOf = (plan: Layout): { bar: Bar; row: Row }[] =>
	plan.rows.flatMap((row) => (row.kind === "step" && !row.folded ? [] : row.bars.map((bar) => ({ bar, row }))));

function useKeys(plan: Layout, props: GanttProps, scroll: (row: Row) => void) {
	return (event: KeyboardEvent) => {
		const { range, whole, selected } = props;
		const middle = (range.from + range.to) / 2;
		const pan = (share: number) => {
			const shift = (range.to - range.from) * share;
			props.onRange(bounded({ from: range.from + shift, to: range.to + shift }, whole));
		};
		const step = (by: number) => {
			const all = barsOf(plan);
			const at = all.findIndex((entry) => entry.bar.task.id === selected);
			const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
			if (!next) return;
			props.onSelect(next.bar.task.id);
			scroll(next.row);
		};
		const keys: Record<string, () => void> = {
			"+": () => props.onRange(zoomed(range, whole, middle, 0.6)),
			"=": () => props.onRange(zoomed(range, whole, middle, 0.6)),
			"-": () => props.onRange(zoomed(range, whole, middle, 1 / 0.6)),
			"0": () => props.onRange(null),
			ArrowLeft: () => pan(-0.2),
			ArrowRight: () => pan(0.2),
			ArrowDown: () => step(1),
			ArrowUp: () => step(-1),
			Enter: () => selected && props.onOpen(selected),
			Escape: () => props.onSelect(null),
		};
		const act = keys[event.key];
		if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		act();
	};
}

/** Scrolls to the task that an address asks for, once. */
function useRevealed(plan: Layout, { reveal, selected }: GanttProps, scroll: (row: Row) => void): void {
	useLayoutEffect(() => {
		const row = reveal === null ? undefined : barsOf(plan).find((entry) => entry.bar.task.id === selected)?.row;
		if (row) scroll(row);
	}, [reveal]);
}

/** Instants that a finding names, as lines over the canvas. */
function Marked({ view, marks }: { view: View; marks: readonly number[] }) {
	const seen = marks.filter((at) => at >= view.from && at <= view.to);
	return (
		<>
			{seen.map((at, n) => (
				<i key={n} class="gantt-mark" aria-hidden="true" data-mark={at} style={{ left: `${xOf(view, at)}px`, top: `${AXIS}px`, height: `${Math.max(0, view.height - AXIS)}px` }} />
			))}
		</>
	);
}

function usePlan(props: GanttProps): Layout {
	const { tasks, now, packed, folded, opened } = props;
	return useMemo(() => layout(tasks, { now, packed, folded, opened }), [tasks, now, packed, folded, opened]);
}

/** Redraws when the view changed, not when only the pointer moved. */
function useDrawn(
	canvas: RefObject<HTMLCanvasElement>,
	plan: Layout,
	view: View,
	{ colors, shades, selected, range, whole, path: critical }: GanttProps,
	drag: [number, number] | null,
): void {
	const theme = useTheme();
	const [left, right] = drag ?? [0, 0];
	const path = useMemo(() => pathPlaces(plan, critical), [plan, critical]);
	const seen = [view.width, view.height, view.top, view.ratio, range.from, range.to, whole.from];
	useLayoutEffect(() => {
		const context = canvas.current?.getContext("2d");
		if (context) draw(context, plan, view, theme, colors, shades, { selected, drag, path });
	}, [plan, theme, colors, shades, selected, path, left, right, ...seen]);
}

export function Gantt(props: GanttProps) {
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const width = useWidth(box);
	const [top, setTop] = useState(0);
	const plan = usePlan(props);
	const height = Math.min(Math.max(460, innerHeight * 0.7), plan.height + AXIS + 2);
	const ratio = window.devicePixelRatio || 1;
	const { range, whole, gutter } = props;
	const view: View = { width, height, gutter, top, from: range.from, to: range.to, origin: whole.from, ratio };
	const pointer = usePointer(canvas, view, plan, props);
	useDrawn(canvas, plan, view, props, pointer.drag);
	const scroll = (row: Row) => {
		const element = box.current;
		if (!element) return;
		if (row.y < element.scrollTop) element.scrollTop = row.y;
		else if (row.y + row.height > element.scrollTop + height - AXIS) element.scrollTop = row.y + row.height - height + AXIS;
	};
	const keys = useKeys(plan, props, scroll);
	useRevealed(plan, props, scroll);
	const words = `Timeline of ${plan.bars} tasks in ${plan.steps.length} steps. Arrow keys go through the tasks, Enter opens one, plus and minus zoom. The table of tasks holds the same figures.`;
	const pointing = pointer.hover?.hit.bar || (pointer.hover && pointer.hover.x < gutter && pointer.hover.hit.row);
	return (
		<div class="gantt-box" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)} style={{ height: `${height}px` }}>
			<canvas
				ref={canvas}
				class={`gantt${pointing ? " pointing" : ""}`}
				width={Math.round(width * ratio)}
				height={Math.round(height * ratio)}
				style={{ width: `${width}px`, height: `${height}px` }}
				role="application"
				aria-label={words}
				tabIndex={0}
				data-bars={plan.bars}
				data-rows={plan.rows.length}
				data-steps={plan.steps.length}
				data-at={props.selected ? positionOf(plan, view, props.selected) : undefined}
				onKeyDown={keys}
				onPointerDown={pointer.down}
				onPointerMove={pointer.move}
				onPointerUp={pointer.up}
				onPointerLeave={() => pointer.setHover(null)}
				onDblClick={() => props.onRange(null)}
			/>
			<Marked view={view} marks={props.marks} />
			<div class="gantt-space" style={{ height: `${Math.max(0, plan.height + AXIS + 2 - height)}px` }} />
			{pointer.hover && (pointer.hover.hit.bar || pointer.hover.hit.title) && (
				<Tip target={pointer.hover.hit} x={pointer.hover.x} y={pointer.hover.y} {...{ width, top }} now={props.now} queued={props.queued} threads={props.threads} />
			)}
		</div>
	);
}

/** The middle of the bar of a task on the canvas, "x,y". */
function positionOf(plan: Layout, view: View, id: string): string | undefined {
	const found = barsOf(plan).find((entry) => entry.bar.task.id === id);
	if (!found) return undefined;
	const x = (xOf(view, found.bar.from) + xOf(view, found.bar.to)) / 2;
	return `${Math.round(x)},${Math.round(found.row.y - view.top + AXIS + found.row.height / 2)}`;
}
