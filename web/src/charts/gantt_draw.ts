// SPDX-License-Identifier: Apache-2.0
import { isBad, isLost, shares, tickLabel, ticks } from "./gantt_layout";
import type { Bar, Layout, Row, Shade } from "./gantt_layout";
import type { PathPlace } from "./gantt_path";
import type { Theme } from "../lib/theme";
import { stripes } from "../lib/theme";

// Draws the part of a layout that is in view. What waits for a CPU is striped, what runs is solid, the rest pale.

export const AXIS = 26;

export interface View {
	width: number;
	height: number;
	gutter: number;
	top: number;
	from: number;
	to: number;
	/** Time 0 of the axis. */
	origin: number;
	ratio: number;
}

export interface Marks {
	selected: string | null;
	/** Edges of the range that is being selected on the axis, as positions. */
	drag: [number, number] | null;
	/** The critical path. */
	path: readonly PathPlace[];
}

interface Pen {
	context: CanvasRenderingContext2D;
	view: View;
	theme: Theme;
	colors: ReadonlyMap<string, string>;
	shades: ReadonlyMap<string, Shade[]>;
	marks: Marks;
	waiting: Map<string, CanvasPattern | string>;
}

export const xOf = (view: View, at: number): number =>
	view.gutter + ((at - view.from) / (view.to - view.from)) * (view.width - view.gutter);

export const timeAt = (view: View, x: number): number =>
	view.from + ((x - view.gutter) / (view.width - view.gutter)) * (view.to - view.from);

export function draw(
	context: CanvasRenderingContext2D,
	layout: Layout,
	view: View,
	theme: Theme,
	colors: ReadonlyMap<string, string>,
	shades: ReadonlyMap<string, Shade[]>,
	marks: Marks,
): void {
	const pen: Pen = { context, view, theme, colors, shades, marks, waiting: new Map() };
	context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
	context.clearRect(0, 0, view.width, view.height);
	const low = view.top;
	const high = view.top + view.height - AXIS;
	const seen = layout.rows.filter((row) => row.y + row.height > low && row.y < high);
	for (const row of seen) drawGround(pen, row);
	drawGrid(pen);
	clipped(pen, view.gutter, AXIS, view.width - view.gutter, view.height - AXIS, () => {
		for (const row of seen) drawBars(pen, row);
		drawPath(pen);
	});
	clipped(pen, 0, AXIS, view.gutter, view.height - AXIS, () => {
		for (const row of seen) drawLabel(pen, row);
	});
	drawAxis(pen);
}

function clipped(pen: Pen, x: number, y: number, width: number, height: number, inside: () => void): void {
	pen.context.save();
	pen.context.beginPath();
	pen.context.rect(x, y, width, height);
	pen.context.clip();
	inside();
	pen.context.restore();
}

const topOf = (pen: Pen, row: Row): number => row.y - pen.view.top + AXIS;

function drawGround(pen: Pen, row: Row): void {
	const { context, view, theme, marks } = pen;
	const y = topOf(pen, row);
	const chosen = row.task !== null && row.task.id === marks.selected;
	if (row.kind !== "step" && !chosen) return;
	context.fillStyle = row.kind === "step" ? theme.raised : theme.faint;
	context.fillRect(0, Math.max(AXIS, y), view.width, row.height - Math.max(0, AXIS - y));
}

function axisTicks(view: View) {
	return ticks(view.from - view.origin, view.to - view.origin, view.width - view.gutter, 84);
}

function drawGrid(pen: Pen): void {
	const { context, view, theme } = pen;
	context.strokeStyle = theme.line;
	context.lineWidth = 1;
	context.beginPath();
	for (const at of axisTicks(view).at) {
		const x = Math.round(xOf(view, at + view.origin)) + 0.5;
		if (x <= view.gutter) continue;
		context.moveTo(x, AXIS);
		context.lineTo(x, view.height);
	}
	context.stroke();
}

function drawAxis(pen: Pen): void {
	const { context, view, theme, marks } = pen;
	const { step, at: all } = axisTicks(view);
	context.fillStyle = theme.surface;
	context.fillRect(0, 0, view.width, AXIS);
	context.fillStyle = theme.muted;
	context.font = `11px ${theme.font}`;
	context.textBaseline = "middle";
	for (const at of all) {
		const x = xOf(view, at + view.origin);
		if (x < view.gutter) continue;
		const text = tickLabel(at, step);
		const half = context.measureText(text).width / 2;
		context.fillText(text, Math.min(view.width - 2 * half - 2, Math.max(view.gutter, x - half)), AXIS / 2);
	}
	context.strokeStyle = theme.line;
	context.beginPath();
	context.moveTo(0, AXIS - 0.5);
	context.lineTo(view.width, AXIS - 0.5);
	context.moveTo(view.gutter - 0.5, 0);
	context.lineTo(view.gutter - 0.5, view.height);
	context.stroke();
	if (!marks.drag) return;
	const [a, b] = marks.drag;
	context.globalAlpha = 0.18;
	context.fillStyle = theme.accent;
	context.fillRect(Math.min(a, b), 0, Math.abs(b - a), view.height);
	context.globalAlpha = 1;
}

/** Text cut to a width, with an ellipsis. */
function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
	const head = text.length > 120 ? text.slice(0, 120) : text;
	if (context.measureText(head).width <= width) return head;
	let low = 0;
	let high = head.length;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (context.measureText(`${head.slice(0, middle)}…`).width <= width) low = middle;
		else high = middle - 1;
	}
	return `${head.slice(0, low)}…`;
}

function drawLabel(pen: Pen, row: Row): void {
	const { context, view, theme } = pen;
	const middle = topOf(pen, row) + row.height / 2;
	context.textBaseline = "middle";
	if (row.kind === "lane") return;
	if (row.kind === "step") {
		drawTriangle(pen, 12, middle, row.folded);
		context.fillStyle = theme.muted;
		context.font = `11px ${theme.font}`;
		const tally =
			String(row.tasks) + (row.failed > 0 ? ` · ${row.failed} failed` : "") + (row.lost > 0 ? ` · ${row.lost} lost` : "");
		const width = context.measureText(tally).width;
		if (row.failed > 0) context.fillStyle = theme.bad;
		context.fillText(tally, view.gutter - width - 10, middle);
		context.fillStyle = theme.text;
		context.font = `600 12px ${theme.font}`;
		context.fillText(fit(context, row.label, view.gutter - width - 42), 24, middle);
		return;
	}
	const left = row.kind === "task" ? 34 : 48;
	if (row.kind === "task") drawTriangle(pen, 24, middle, row.folded);
	context.fillStyle = row.kind === "task" ? theme.text : theme.muted;
	context.font = row.kind === "task" ? `12px ${theme.font}` : `11px ${theme.font}`;
	context.fillText(fit(context, row.label, view.gutter - left - 8), left, middle);
}

function drawTriangle(pen: Pen, x: number, y: number, folded: boolean): void {
	const { context, theme } = pen;
	context.fillStyle = theme.muted;
	context.beginPath();
	if (folded) {
		context.moveTo(x - 2, y - 4);
		context.lineTo(x + 3, y);
		context.lineTo(x - 2, y + 4);
	} else {
		context.moveTo(x - 4, y - 2);
		context.lineTo(x + 4, y - 2);
		context.lineTo(x, y + 3);
	}
	context.fill();
}

function drawBars(pen: Pen, row: Row): void {
	const y = topOf(pen, row);
	if (row.kind === "step") {
		if (!row.folded) return drawSummary(pen, row, y);
		drawLane(pen, row.bars, y + 5, row.height - 10);
		return;
	}
	if (row.kind === "tool") return drawSpans(pen, row, y);
	const inset = row.kind === "lane" ? 1 : 4;
	drawLane(pen, row.bars, y + inset, row.height - 2 * inset);
}

/** Draws one of the bars that end within the same pixel; failed and selected bars are always drawn. */
function drawLane(pen: Pen, bars: readonly Bar[], y: number, height: number): void {
	let drawn = -Infinity;
	for (const bar of bars) {
		const right = xOf(pen.view, bar.to);
		if (right < drawn + 1 && !isBad(bar.task.status) && bar.task.id !== pen.marks.selected) continue;
		drawBar(pen, bar, y, height);
		drawn = right;
	}
}

/** An unfolded step from its first task to its last, as a thin line. */
function drawSummary(pen: Pen, row: Row, y: number): void {
	const { context, view, theme, colors } = pen;
	const from = Math.min(...row.bars.slice(0, 20_000).map((bar) => bar.from));
	const to = Math.max(...row.bars.slice(0, 20_000).map((bar) => bar.to));
	context.fillStyle = colors.get(row.step) ?? theme.other;
	context.globalAlpha = 0.55;
	context.fillRect(xOf(view, from), y + row.height / 2 - 1.5, Math.max(2, xOf(view, to) - xOf(view, from)), 3);
	context.globalAlpha = 1;
}

function drawBar(pen: Pen, bar: Bar, y: number, height: number): void {
	const { context, view, theme, colors, marks } = pen;
	const left = xOf(view, bar.from);
	const right = xOf(view, bar.to);
	if (right < view.gutter || left > view.width) return;
	const width = Math.max(2, right - left);
	const bad = isBad(bar.task.status);
	const lost = isLost(bar.task.status);
	const color = bad ? theme.bad : lost ? theme.muted : (colors.get(bar.task.step) ?? theme.other);
	if (bar.queued !== null && bar.queued < bar.from) drawQueue(pen, bar, left, y + height / 2);
	context.fillStyle = color;
	context.globalAlpha = 0.3;
	context.fillRect(left, y, width, height);
	context.globalAlpha = 1;
	drawShades(pen, bar, color, left, width, y, height);
	const chosen = bar.task.id === marks.selected;
	if (bad || lost || chosen) {
		context.strokeStyle = bad ? theme.bad : lost && !chosen ? theme.muted : theme.text;
		context.lineWidth = chosen ? 2 : 1.5;
		context.setLineDash(lost ? [4, 3] : []);
		context.strokeRect(left + 0.5, y + 0.5, Math.max(1, width - 1), height - 1);
		context.setLineDash([]);
	}
	if (bad && height >= 8) drawCross(pen, right + 7, y + height / 2);
	if (bar.open) drawOpenEnd(pen, right, y, height, color);
}

function drawQueue(pen: Pen, bar: Bar, left: number, y: number): void {
	const { context, view, theme } = pen;
	const begin = xOf(view, bar.queued ?? bar.from);
	context.strokeStyle = theme.muted;
	context.lineWidth = 1;
	context.setLineDash([2, 2]);
	context.beginPath();
	context.moveTo(begin, y);
	context.lineTo(left, y);
	context.stroke();
	context.setLineDash([]);
	context.beginPath();
	context.moveTo(begin, y - 3);
	context.lineTo(begin, y + 3);
	context.stroke();
}

/** Shades a bar by its samples, one interval after another; without samples, all of it by the totals of the task. */
function drawShades(pen: Pen, bar: Bar, color: string, left: number, width: number, y: number, height: number): void {
	const { view, shades } = pen;
	const sampled = shades.get(bar.task.id);
	const { user_ns, kernel_ns, runnable_ns } = bar.task;
	if (!sampled || sampled.length < 3 || width < 2 * sampled.length) {
		const share = shares(user_ns + kernel_ns, runnable_ns, bar.to - bar.from);
		drawShare(pen, share.running, share.waiting, color, left, width, y, height);
		return;
	}
	for (const shade of sampled) {
		const begin = Math.max(left, xOf(view, shade.from));
		const end = Math.min(left + width, xOf(view, shade.to));
		if (end <= begin || end < view.gutter || begin > view.width) continue;
		drawShare(pen, shade.running, shade.waiting, color, begin, end - begin + 0.4, y, height);
	}
}

function drawShare(
	pen: Pen,
	running: number,
	waiting: number,
	color: string,
	x: number,
	width: number,
	y: number,
	height: number,
): void {
	const { context, theme } = pen;
	const solid = running * height;
	const striped = waiting * height;
	context.fillStyle = color;
	context.fillRect(x, y + height - solid, width, solid);
	if (striped < 0.3) return;
	let pattern = pen.waiting.get(color);
	if (!pattern) pen.waiting.set(color, (pattern = stripes(context, theme.wait, theme.surface)));
	context.fillStyle = pattern;
	context.fillRect(x, y + height - solid - striped, width, striped);
}

function drawCross(pen: Pen, x: number, y: number): void {
	const { context, theme } = pen;
	context.strokeStyle = theme.bad;
	context.lineWidth = 2;
	context.beginPath();
	context.moveTo(x - 3, y - 3);
	context.lineTo(x + 3, y + 3);
	context.moveTo(x + 3, y - 3);
	context.lineTo(x - 3, y + 3);
	context.stroke();
}

function drawOpenEnd(pen: Pen, x: number, y: number, height: number, color: string): void {
	const { context } = pen;
	context.fillStyle = color;
	context.beginPath();
	context.moveTo(x, y);
	context.lineTo(x + Math.min(6, height / 2), y + height / 2);
	context.lineTo(x, y + height);
	context.fill();
}

function drawSpans(pen: Pen, row: Row, y: number): void {
	const { context, view, theme, colors } = pen;
	for (const span of row.spans) {
		const left = xOf(view, span.from);
		const right = xOf(view, span.to);
		if (right < view.gutter || left > view.width) continue;
		context.fillStyle = span.failed ? theme.bad : (colors.get(row.step) ?? theme.other);
		context.globalAlpha = 0.75;
		context.fillRect(left, y + 4, Math.max(1.5, right - left), row.height - 8);
		context.globalAlpha = 1;
	}
}

/** A line from the time when a task closed what the next one read, to the row of the next one and on to its start. */
function drawPath(pen: Pen): void {
	const { context, view, theme, marks } = pen;
	const at = (y: number) => y - view.top + AXIS;
	context.strokeStyle = theme.accent;
	context.fillStyle = theme.accent;
	context.lineWidth = 2;
	for (const [n, place] of marks.path.entries()) {
		const left = xOf(view, place.bar.from);
		const y = at(place.y);
		const half = Math.max(4, place.half - 2);
		context.strokeRect(left - 1, y - half, Math.max(2, xOf(view, place.bar.to) - left) + 2, 2 * half);
		const before = marks.path[n - 1];
		if (!before || place.ready === null) continue;
		const x = xOf(view, place.ready);
		const down = y > at(before.y) ? 1 : -1;
		context.beginPath();
		context.moveTo(x, at(before.y) + Math.max(4, before.half - 2) * down);
		context.lineTo(x, y);
		context.lineTo(Math.max(x, left - 6), y);
		context.stroke();
		drawHead(pen, left - 1, y);
	}
}

function drawHead(pen: Pen, x: number, y: number): void {
	const { context } = pen;
	context.beginPath();
	context.moveTo(x - 7, y - 4);
	context.lineTo(x, y);
	context.lineTo(x - 7, y + 4);
	context.fill();
}
