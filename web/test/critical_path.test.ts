// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { longest, stretches, worthTelling } from "../src/pages/critical_path";
import { layout } from "../src/charts/gantt_layout";
import { pathPlaces } from "../src/charts/gantt_path";
import type { Task } from "../src/lib/model";
import { barOf } from "../src/lib/states";
import { WALL_ROWS } from "../src/lib/states_table";
import type { WallKey } from "../src/lib/states_table";
import type { CriticalLink, CriticalPath } from "../src/lib/model_flow";

const ORIGIN = Date.UTC(2026, 10, 21);
const at = (s: number) => new Date(ORIGIN + s * 1000).toISOString();

const NO_WALL = {
	...(Object.fromEntries(WALL_ROWS.map(({ key }) => [`${key}_ns`, 0])) as Record<`${WallKey}_ns`, number>),
	wall_serial_ns: 0,
	wall_assumed_ns: 0,
};

const link = (task_id: string, ready: number | null, waiting_s: number, running_s: number): CriticalLink => ({
	task_id,
	step: task_id[0] ?? "",
	name: task_id,
	sample: null,
	ready_at: ready === null ? null : at(ready),
	waiting_s,
	running_s,
	path: null,
	...NO_WALL,
});

const pathOf = (links: CriticalLink[]): CriticalPath => ({ wall_s: 100, before_s: 10, waiting_s: 20, running_s: 60, after_s: 10, links, ...NO_WALL });
const path = pathOf([link("a1", null, 0, 20), link("b1", 30, 20, 40)]);

const task = (id: string, from: number, to: number): Task =>
	({ id, step: id[0], name: id, sample: "", status: "succeeded", tools: [], started_at: at(from), ended_at: at(to), queued_at: null }) as unknown as Task;
const tasks = [task("a1", 10, 30), task("a2", 12, 20), task("b1", 50, 90)];
const options = { now: ORIGIN, packed: false, folded: new Set<string>(), opened: new Map() };

describe("the critical path's bar", () => {
	it("is the whole run, and leaves out what took no time", () => {
		expect(stretches(path).map((one) => [one.kind, one.seconds])).toEqual([
			["beside", 10],
			["running", 20],
			["waiting", 20],
			["running", 40],
			["beside", 10],
		]);
	});
	it("is in classes of wall time, of which no time of threads is known", () => {
		const known = { ...path, wall_computing_ns: 27e9, wall_runnable_ns: 33e9 };
		expect(barOf(known, false)?.slices.map((one) => [one.state.key, one.share])).toEqual([
			["wall_computing", 0.45],
			["wall_runnable", 0.55],
		]);
		expect(barOf(known, true)).toBeNull();
	});
	it("is shown from two tasks on", () => {
		expect([null, pathOf([]), pathOf([link("a", null, 0, 1)]), path].map(worthTelling)).toEqual([false, false, false, true]);
	});
	it("shows the longest links, in their order", () => {
		const links = [link("a", null, 0, 5), link("b", 0, 0, 1), link("c", 0, 9, 0), link("d", 0, 1, 1)];
		expect(longest(links, 2).map((one) => one.task_id)).toEqual(["a", "c"]);
	});
});

describe("the critical path in the timeline", () => {
	it("lies in the rows of its tasks", () => {
		const plan = layout(tasks, options);
		const rows = new Map(plan.rows.filter((row) => row.kind === "task").map((row) => [row.task?.id, row]));
		const places = pathPlaces(plan, path);
		expect(places.map((place) => place.bar.task.id)).toEqual(["a1", "b1"]);
		for (const place of places) {
			const row = rows.get(place.bar.task.id);
			expect(place.y).toBe((row?.y ?? NaN) + (row?.height ?? NaN) / 2);
		}
		expect(places.map((place) => place.ready)).toEqual([null, ORIGIN + 30_000]);
	});
	it("lies in the row of a folded step, and in packed lanes", () => {
		const folded = layout(tasks, { ...options, folded: new Set(["a"]) });
		expect(pathPlaces(folded, path)[0]?.y).toBe((folded.rows[0]?.height ?? NaN) / 2);
		expect(pathPlaces(layout(tasks, { ...options, packed: true }), path)).toHaveLength(2);
	});
	it("is not drawn for a path of one task, and leaves out tasks that are not drawn", () => {
		const plan = layout(tasks, options);
		expect(pathPlaces(plan, null)).toEqual([]);
		expect(pathPlaces(plan, pathOf([link("a1", null, 0, 20)]))).toEqual([]);
		expect(pathPlaces(plan, pathOf([link("gone", null, 0, 20), link("b1", 30, 20, 40)])).map((place) => place.bar.task.id)).toEqual(["b1"]);
	});
});
