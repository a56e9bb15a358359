// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { address } from "../src/lib/api";
import { zoomed } from "../src/charts/gantt";
import { bounded } from "../src/charts/zoom";
import { merge, unlessNewer } from "../src/lib/live";
import type { RunRow } from "../src/lib/model";
import { parseRoute, runAddress } from "../src/lib/route";

const run = (id: string, status: string) => ({ id, status }) as RunRow;

describe("merge", () => {
	it("replaces a run's row by the later one and keeps the rest", () => {
		const known = merge(new Map(), [run("a", "running"), run("b", "failed")]);
		const next = merge(known, [run("a", "succeeded")]);
		expect([next.get("a")?.status, next.get("b")?.status]).toEqual(["succeeded", "failed"]);
		expect(known.get("a")?.status).toBe("running");
	});
});

describe("a list that comes late", () => {
	it("does not replace what the stream sent after it was asked for", () => {
		const then = merge(new Map(), [run("a", "running"), run("b", "running")]);
		const now = merge(then, [run("b", "failed"), run("c", "running")]);
		const list = ["a", "b", "c", "d"].map((id) => run(id, "queued"));
		expect(unlessNewer(list, then, now).map(({ id }) => id)).toEqual(["a", "d"]);
	});
});

describe("addresses", () => {
	it("bear any id", () => {
		const address = runAddress("a/b ?#é", { tab: "tasks" });
		expect(address).toBe("/runs/a%2Fb%20%3F%23%C3%A9?tab=tasks");
		expect(parseRoute(address.split("?")[0] ?? "", "?tab=tasks").path).toEqual(["runs", "a/b ?#é"]);
	});
	it("survive a broken escape", () => expect(parseRoute("/runs/%zz", "").path).toEqual(["runs", "%zz"]));
	it("of the API leave out what is not asked", () => {
		expect(address("/runs", { limit: 5, cursor: null, status: "" })).toBe("/runs?limit=5");
	});
});

describe("zooming", () => {
	const whole = { from: 0, to: 100 };
	it("keeps what is under the pointer in its place", () => {
		expect(zoomed(whole, whole, 50, 0.5)).toEqual({ from: 25, to: 75 });
		expect(zoomed(whole, whole, 0, 0.5)).toEqual({ from: 0, to: 50 });
	});
	it("out ends with the whole", () => expect(zoomed({ from: 25, to: 75 }, whole, 50, 4)).toBeNull());
	it("stays within the whole", () => {
		expect(bounded({ from: -20, to: 30 }, whole)).toEqual({ from: 0, to: 50 });
		expect(bounded({ from: 80, to: 130 }, whole)).toEqual({ from: 50, to: 100 });
	});
});
