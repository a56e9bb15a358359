// SPDX-License-Identifier: Apache-2.0
import { instant } from "../lib/format";
import type { Range } from "./timeline";

// The part of the timeline that an address asks for (zoom=): "task", an instant, or two of them with a slash between. Pure.

export interface Zoom {
	/** null: all of it. */
	range: Range | null;
	/** The instants to mark. */
	marks: number[];
}

/** How much of a stretch is shown before and after it. */
const BESIDE = 0.15;
/** The part of the run that is shown around an instant, at most. */
const AROUND = 0.2;

/** The range cut to `whole`, at least a microsecond wide; null: all of it. */
export function bounded(range: Range, whole: Range): Range | null {
	const width = Math.max(0.001, range.to - range.from);
	if (width >= whole.to - whole.from) return null;
	const from = Math.min(Math.max(range.from, whole.from), whole.to - width);
	return { from, to: from + width };
}

function padded({ from, to }: Range, whole: Range): Range | null {
	const beside = Math.max((to - from) * BESIDE, (whole.to - whole.from) / 1e4);
	return bounded({ from: from - beside, to: to + beside }, whole);
}

function around(at: number, whole: Range, task: Range | null): Range | null {
	const most = (whole.to - whole.from) * AROUND;
	const width = task ? Math.min(most, (task.to - task.from) * (1 + 2 * BESIDE)) : most / 2;
	const half = Math.max(width, (whole.to - whole.from) / 1e4) / 2;
	return bounded({ from: at - half, to: at + half }, whole);
}

const NONE: Zoom = { range: null, marks: [] };

/** `task`: the bar of the task that is selected. What cannot be read asks for nothing. */
export function zoomOf(text: string | null, whole: Range, task: Range | null): Zoom {
	if (!text) return NONE;
	if (text === "task") return task ? { range: padded(task, whole), marks: [] } : NONE;
	const times = text.split("/", 3).map(instant);
	const [from, to] = times;
	if (from === null || from === undefined || to === null || times.length > 2) return NONE;
	if (to === undefined) return { range: around(from, whole, task), marks: [from] };
	return to >= from ? { range: padded({ from, to }, whole), marks: [from, to] } : NONE;
}
