// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { barOf, layout, pack, rowAt, shadesByTask, shares, shortName, tickLabel, ticks, toolSpans } from "../src/charts/gantt_layout";
import type { Bar, LayoutOptions } from "../src/charts/gantt_layout";
import type { Process, Sample, Task } from "../src/lib/model";

const ORIGIN = Date.UTC(2026, 10, 21);
const at = (s: number) => new Date(ORIGIN + s * 1000).toISOString();

function task(id: string, step: string, from: number, to: number | null, more: Partial<Task> = {}): Task {
	const times = { started_at: at(from), ended_at: to === null ? null : at(to), queued_at: null };
	return { id, step, name: id, sample: "", status: to === null ? "running" : "succeeded", tools: [], ...times, ...more } as Task;
}

const plain: LayoutOptions = { now: ORIGIN + 100_000, packed: false, folded: new Set(), opened: new Map() };

describe("layout", () => {
	const tasks = [task("b2", "sort", 30, 40), task("a1", "align", 0, 20), task("a2", "align", 10, 50), task("c", "call", 60, null)];
	it("has a bar for every task, in steps by their first start", () => {
		const plan = layout(tasks, plain);
		expect(plan.bars).toBe(4);
		expect(plan.steps).toEqual(["align", "sort", "call"]);
		expect(plan.rows.map((row) => row.kind)).toEqual(["step", "task", "task", "step", "task", "step", "task"]);
		expect([plan.from, plan.to]).toEqual([ORIGIN, ORIGIN + 100_000]);
	});
	it("stacks rows without a gap", () => {
		const plan = layout(tasks, plain);
		let y = 0;
		for (const row of plan.rows) {
			expect(row.y).toBe(y);
			y += row.height;
		}
		expect(plan.height).toBe(y);
	});
	it("counts folded and packed bars all the same", () => {
		expect(layout(tasks, { ...plain, folded: new Set(["align"]) }).bars).toBe(4);
		expect(layout(tasks, { ...plain, packed: true }).bars).toBe(4);
	});
	it("counts failures of a step", () => {
		const plan = layout([task("x", "s", 0, 1, { status: "killed" }), task("y", "s", 0, 1)], plain);
		expect(plan.rows[0]?.failed).toBe(1);
	});
	it("counts what was lost by itself: it neither failed nor is it fine", () => {
		const plan = layout([task("x", "s", 0, 1, { status: "lost" }), task("y", "s", 0, 1, { status: "failed" })], plain);
		expect([plan.rows[0]?.failed, plan.rows[0]?.lost]).toEqual([1, 1]);
	});
	it("shows an opened task's tools, a row each", () => {
		const processes = [
			{ pid: 1, tool: "bwa mem", status: "succeeded", started_at: at(1), ended_at: at(5) },
			{ pid: 2, tool: "samtools sort", status: "failed", started_at: at(0), ended_at: at(6) },
			{ pid: 3, tool: "bwa mem", status: "running", started_at: at(7), ended_at: null },
		] as Process[];
		const plan = layout(tasks, { ...plain, opened: new Map([["a1", processes]]) });
		const tools = plan.rows.filter((row) => row.kind === "tool");
		expect(tools.map((row) => [row.label, row.spans.length])).toEqual([["samtools sort", 1], ["bwa mem", 2]]);
		expect(tools[0]?.spans[0]?.failed).toBe(true);
		expect(toolSpans(processes, plain.now).get("bwa mem")?.[1]?.to).toBe(plain.now);
	});
	it("leaves out a task of unknown times, and has no bounds without any", () => {
		const plan = layout([task("x", "s", 0, 1, { started_at: null, ended_at: null })], plain);
		expect(plan.bars).toBe(0);
		expect(plan.from).toBe(Infinity);
	});
	it("names a task by what differs from others of its step", () => {
		const named = (name: string, step: string) => shortName({ id: "7", name, step, sample: "" });
		expect(named("bwa mem | samtools sort (liver_1)", "bwa mem | samtools sort")).toBe("liver_1");
		expect(named("bwa index", "bwa index")).toBe("bwa index");
		expect(named("align s1", "map")).toBe("align s1");
		expect(named("", "map")).toBe("7");
	});
	it("makes hostile names harmless", () => {
		expect(layout([task("x", "<b>\nevil", 0, 1)], plain).rows[0]?.label).toBe("<b>↵evil");
	});
	it("lays out ten thousand tasks in less than a second", () => {
		const many = Array.from({ length: 10_000 }, (_, n) => task(`t${n}`, `s${n % 7}`, n / 10, n / 10 + 30));
		const begun = performance.now();
		expect(layout(many, { ...plain, packed: true }).bars).toBe(10_000);
		expect(performance.now() - begun).toBeLessThan(1000);
	});
});

describe("bars", () => {
	it("of running tasks end now, of queued ones begin when they queued", () => {
		expect(barOf(task("x", "s", 5, null), ORIGIN + 9000)).toMatchObject({ to: ORIGIN + 9000, open: true });
		const waiting = task("x", "s", 0, null, { started_at: null, queued_at: at(2) });
		expect(barOf(waiting, ORIGIN + 9000)?.from).toBe(ORIGIN + 2000);
	});
	it("are packed into as few lanes as overlap needs", () => {
		const bars = [task("a", "s", 0, 10), task("b", "s", 5, 15), task("c", "s", 10, 20), task("d", "s", 15, 16)].map(
			(one) => barOf(one, 0) as Bar,
		);
		expect(pack(bars).map((lane) => lane.map((bar) => bar.task.id))).toEqual([["a", "c"], ["b", "d"]]);
	});
	it("are found by height", () => {
		const { rows } = layout([task("a", "s", 0, 1), task("b", "s", 0, 1)], plain);
		expect(rowAt(rows, 0)).toBe(0);
		expect(rowAt(rows, (rows[2]?.y ?? 0) + 1)).toBe(2);
		expect(rowAt(rows, 10_000)).toBe(-1);
		expect(rowAt(rows, -1)).toBe(-1);
	});
});

describe("shading", () => {
	it("is a share of the time, or of the threads' wishes where they are more", () => {
		expect(shares(5e8, 0, 1000)).toEqual({ running: 0.5, waiting: 0 });
		expect(shares(3e9, 1e9, 1000)).toEqual({ running: 0.75, waiting: 0.25 });
		expect(shares(0, 0, 0)).toEqual({ running: 0, waiting: 0 });
	});
	it("counts of an interval only the part in which the task lived", () => {
		const bar = barOf(task("a", "s", 2, 3), 0) as Bar;
		const sample = { at: at(0), key: "a", user_ns: 5e8, kernel_ns: 0, runnable_ns: 5e8 } as Sample;
		const shades = shadesByTask({ interval_s: 5, samples: [sample, { ...sample, key: "gone" }] }, new Map([["a", bar]]));
		expect([...shades.keys()]).toEqual(["a"]);
		expect(shades.get("a")).toEqual([{ from: ORIGIN + 2000, to: ORIGIN + 3000, running: 0.5, waiting: 0.5 }]);
	});
});

describe("ticks", () => {
	it("are at round times, far enough apart", () => {
		expect(ticks(0, 60_000, 600, 80)).toEqual({ step: 10_000, at: [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000] });
		expect(ticks(0, 30 * 86400e3, 600, 80).at.length).toBeLessThanOrEqual(8);
		expect(ticks(0, 0.3, 600, 80).step).toBe(0.05);
	});
	it.each([
		[0, 1000, "0"],
		[0.25, 0.05, "250 µs"],
		[250, 50, "250 ms"],
		[1500, 500, "1.5 s"],
		[61_500, 500, "1m 1.5 s"],
		[90_000, 30_000, "1m 30s"],
		[3_600_000, 600_000, "1h"],
		[3_900_000, 300_000, "1h 05m"],
	])("%d ms by %d reads %s", (ms, step, text) => expect(tickLabel(ms, step)).toBe(text));
});
