// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { askedOf, costAddress, costPath, csvAddress, isAsked, overOf, rowAddress, runCostAddress, taskPath } from "../src/lib/cost/asked";
import type { CostAnswer, CostPoint, CostRow } from "../src/lib/cost/model_cost";
import { costCurves, hoursOf, NO_KEY, OTHER_KEYS, utcLabel } from "../src/lib/cost/series";
import { hostCost } from "../src/lib/cost/task";

const NOW = Date.UTC(2026, 0, 15, 12);
const of = (text: string) => new URLSearchParams(text);
const path = (text: string) => decodeURIComponent(costPath(askedOf(of(text)), NOW));
const row = (key: string, id: string | null = null): CostRow => ({
	key, id, runs: 1, tasks: 1, samples: 0, cpu_s: 1, input_bytes: null, used_usd: 1, unused_usd: 0, idle_usd: 0, cost_usd: 1, unallocated_usd: null, usd_per_sample: null,
	usd_per_gb: null, instance_id: null, price_usd_hour: null, price_source: null,
});

describe("what is asked for", () => {
	it("is the pipelines of the last 30 days", () => expect(path("")).toBe("/cost?by=pipeline&days=30&over=day"));
	it("may be another time, as the API takes it", () => {
		expect(path("time=7")).toContain("days=7");
		expect(path("time=month")).toBe("/cost?by=pipeline&since=2026-01-01&over=day");
		expect(path("time=last-month")).toBe("/cost?by=pipeline&since=2025-12-01&until=2026-01-01&over=day");
		expect(path("time=7&since=2026-01-02&until=2026-01-03")).toBe("/cost?by=pipeline&since=2026-01-02&until=2026-01-03&over=hour");
	});
	it("has curves by the hour up to three days", () => {
		expect(["since=2026-01-13", "since=2026-01-12", "since=2026-01-13&over=day", "since=nonsense"].map((text) => overOf(askedOf(of(text)), NOW))).toEqual(["hour", "day", "day", "day"]);
	});
	it("is what the address has, with any characters", () =>
		expect(path("by=task&run=r1&step=A%26B&label=project:x:y&split=aws")).toBe("/cost?by=task&days=30&label=project:x:y&run=r1&step=A&B&split=aws&over=day"));
	it("is by pipeline where the address names no key", () => expect([path("by=nonsense"), path("by=label:project")].map((text) => of(text.slice(6)).get("by"))).toEqual(["pipeline", "label:project"]));
	it("is nothing yet where the label has no name", () => expect([isAsked(askedOf(of("by=label:"))), isAsked(askedOf(of("by=label:a")))]).toEqual([false, true]));
	it("may be one task of it by another key", () =>
		expect(taskPath(askedOf(of("by=task&run=r&split=aws")), NOW, "t 1", "tool", true)).toBe("/cost?by=tool&days=30&run=r&split=aws&task=t+1&over=hour"));
	it("has a file of the same rows", () => expect(csvAddress(askedOf(of("by=run&pipeline=demo&chart=key")), NOW)).toBe("/api/v1/cost.csv?by=run&days=30&pipeline=demo&limit=10000"));
});

describe("a row", () => {
	it("leads from pipeline to runs to steps to tasks", () => {
		expect(rowAddress(of("time=7"), "pipeline", row("a b"))).toBe("/cost?time=7&by=run&pipeline=a+b");
		expect(rowAddress(of("pipeline=a&by=run"), "run", row("name", "id-1"))).toBe("/cost?pipeline=a&by=step&run=id-1");
		expect(rowAddress(of("run=id-1&by=step&sort=key"), "step", row("ALIGN"))).toBe("/cost?run=id-1&by=task&step=ALIGN");
		expect(rowAddress(of("by=task"), "task", row("t", "t1"))).toBeNull();
	});
	it("leads to its host, its day, its label", () => {
		expect(rowAddress(of("by=host"), "host", row("node", "h/1"))).toBe("/hosts/h%2F1");
		expect(rowAddress(of("by=day&time=90"), "day", row("2026-01-31"))).toBe("/cost?time=90&since=2026-01-31&until=2026-02-01");
		expect(rowAddress(of("by=label:project"), "label:project", row("x:y"))).toBe("/cost?by=pipeline&label=project%3Ax%3Ay");
	});
	it("of the engine itself is in no step", () => expect(rowAddress(of(""), "step", { ...row("(snakemake itself)"), tasks: 0 })).toBeNull());
	it("of no key leads nowhere", () => expect(["step", "pipeline", "user", "day"].map((by) => rowAddress(of(""), by, row("")))).toEqual([null, null, null, null]));
	it("on the page of a run leads to its steps, however long ago it was", () =>
		expect([runCostAddress({ id: "r1", started_at: "2025-03-04T23:59:59.5Z" }), runCostAddress({ id: "r1", started_at: null })]).toEqual(["/cost?by=step&run=r1&since=2025-03-04", "/cost?by=step&run=r1"]));
	it("is closed by another table", () => expect(costAddress(of("by=task&task=t1&sort=key&time=7"), { by: "step" })).toBe("/cost?by=step&time=7"));
});

describe("the curves", () => {
	const parts = (used_usd: number, unused_usd: number, idle_usd: number) => ({ used_usd, unused_usd, idle_usd, cost_usd: used_usd + unused_usd + idle_usd });
	const point = (at: string, key: string | null, own: Partial<CostPoint>): CostPoint => ({ at, key, ...parts(0, 0, 0), ...own });
	const answer = (series: CostPoint[]): CostAnswer => ({
		by: "pipeline", since_at: "2026-01-01T06:00:00Z", until_at: "2026-01-03T01:00:00Z", split: "held", currency: "USD", whole_usd: null, used_usd: null, unused_usd: null,
		idle_usd: null, cost_usd: null, unallocated_usd: null, unpriced_hosts: 0, billed: false, row_count: 0, rows: [], series,
	});
	const all = answer([
		point("2026-01-01T00:00:00Z", "a", parts(1, 0.5, 0.25)), point("2026-01-01T06:00:00Z", "b", parts(4, 0, 0)), point("2026-01-03T00:00:00Z", "a", parts(1, 0, 0)),
		point("2026-01-02T00:00:00Z", null, { idle_usd: 9, cost_usd: 9 }), point("2026-01-02T00:00:00Z", OTHER_KEYS, parts(20, 0, 0)), point("2026-02-02T00:00:00Z", "a", parts(99, 0, 0)),
	]);
	it("have a place for each day, and add the keys of a part", () => {
		const { times, curves } = costCurves(all, "day", "part");
		expect(times.map((at) => new Date(at * 1000).toISOString().slice(5, 10))).toEqual(["01-01", "01-02", "01-03", "01-04"]);
		expect(curves).toEqual([
			{ key: "used", values: [5, 20, 1] }, { key: "unused", values: [0.5, 0, 0] }, { key: "idle", values: [0.25, 0, 0] }, { key: "none", values: [0, 9, 0] },
		]);
	});
	it("by key are the largest first, then the others, then no key", () => expect(costCurves(all, "day", "key").curves.map(({ key }) => key)).toEqual(["b", "a", OTHER_KEYS, NO_KEY]));
	it("may be by the hour", () => expect(costCurves(all, "hour", "part").times.length).toBe(44));
	it("are none without a time", () => expect(costCurves({ ...answer([]), until_at: "" }, "day", "part")).toEqual({ times: [], curves: [] }));
	it("have labels in UTC", () => expect([utcLabel(Date.UTC(2026, 0, 5, 13) / 1000, 3600), utcLabel(Date.UTC(2026, 0, 5) / 1000, 3600)]).toEqual(["13:00", "5 Jan"]));
	it("are cut at whole hours", () => expect(hoursOf(NOW + 60e3, NOW + 120e3)).toEqual({ since: "2026-01-15T12:00:00Z", until: "2026-01-15T13:00:00Z" }));
});

describe("one task", () => {
	it("is a part of what its host costs in that time", () => expect([hostCost(1800, 0.5), hostCost(null, 0.5), hostCost(1, 0), hostCost(1, null)]).toEqual([0.25, null, null, null]));
});
