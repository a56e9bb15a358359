// SPDX-License-Identifier: Apache-2.0
import { instant } from "../lib/format";
import type { Bar, Layout } from "./gantt_layout";
import type { CriticalPath } from "../lib/model_flow";

// Where the critical path lies in the timeline. Pure.

/** One task of it. Times are milliseconds. */
export interface PathPlace {
	bar: Bar;
	/** The middle of its row, and half of its height. */
	y: number;
	half: number;
	/** When what it waited for was closed; null: the first. */
	ready: number | null;
}

/** In the order of the path; tasks that are not drawn are left out. */
export function pathPlaces(plan: Layout, path: CriticalPath | null): PathPlace[] {
	if (path === null || path.links.length < 2) return [];
	const wanted = new Set(path.links.map((link) => link.task_id));
	const found = new Map<string, { bar: Bar; y: number; half: number }>();
	for (const row of plan.rows) {
		if (row.kind === "step" && !row.folded) continue;
		for (const bar of row.bars) if (wanted.has(bar.task.id)) found.set(bar.task.id, { bar, y: row.y + row.height / 2, half: row.height / 2 });
	}
	return path.links.flatMap((link) => {
		const place = found.get(link.task_id);
		return place ? [{ ...place, ready: instant(link.ready_at) }] : [];
	});
}
