// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { byName, label, when } from "../src/lib/format";
import type { WasteRow } from "../src/lib/waste/model_waste";
import { pattern, scalar, silenceLines } from "../src/lib/waste/silence";
import { allUsers, askedOf, besideName, chosen, commandHost, daysText, hostNames, hourOf, isLate, keyOf, kindsOf, lengthOf, NO_USER, placeOf, placesOf, stateText, sumOf, titleOf, usersOf, wastePath } from "../src/lib/waste/waste";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const row = (parts: Partial<WasteRow>): WasteRow => ({
	kind: "host_idle", title: "Host idle", subject: "host", id: "h1", name: "node-1", host_id: "h1", run_id: null, task_id: null, who: null,
	since_at: "2026-11-29T10:00:00Z", found_at: "2026-11-29T10:15:00Z", ended_at: null, outcome: null, usd_hour: 0.5, counted: true, wasted_usd: 1, saved_usd: null,
	confidence: "high", summary: "", evidence: {}, advice: "", command: null, ...parts,
});

const ended = row({ id: "h2", who: "bob", ended_at: "2026-11-29T11:00:00Z", outcome: "stopped" });
const stuck = row({ kind: "task_stuck", title: "", subject: "task", id: "t1", run_id: "r1", task_id: "t1", who: "ann, bob", usd_hour: 0.25, counted: false });
const unpriced = row({ id: "h3", usd_hour: null });

describe("what is asked", () => {
	it("is what the address has; what cannot be read is the default", () => {
		expect(askedOf(new URLSearchParams("state=ended&days=7&kind=host_idle&user=ann&finding=host_idle:h1"))).toEqual({ state: "ended", days: "7", kind: "host_idle", user: "ann", host: null, open: "host_idle:h1" });
		expect(askedOf(new URLSearchParams("state=gone&days=-1"))).toEqual({ state: "open", days: "14", kind: null, user: null, host: null, open: null });
	});
	it("leaves the default out of the address", () => expect([daysText("14"), daysText("7"), stateText("open"), stateText("all")]).toEqual([null, "7", null, "all"]));
	it("asks for all findings: filters choose from one answer", () => expect(wastePath(askedOf(new URLSearchParams("state=ended&kind=x&days=30")))).toBe("/waste?days=30&state=all&limit=10000"));
});

describe("the findings", () => {
	const all = [row({}), ended, stuck, unpriced];
	it("are chosen by state, kind and user", () => {
		const ids = (parts: Partial<Parameters<typeof chosen>[1]>) => chosen(all, { state: "all", kind: null, user: null, host: null, ...parts }).map(({ id }) => id);
		expect(ids({ state: "open" })).toEqual(["h1", "t1", "h3"]);
		expect(ids({ state: "ended" })).toEqual(["h2"]);
		expect(ids({ kind: "task_stuck" })).toEqual(["t1"]);
		expect(ids({ user: "bob" })).toEqual(["h2", "t1"]);
		expect(ids({ user: NO_USER })).toEqual(["h1", "h3"]);
		expect(ids({ user: "bo" })).toEqual([]);
		expect([ids({ host: "h1" }).length, ids({ host: "h9" })]).toEqual([4, []]);
	});
	it("name the kinds and users that there are, and those that are asked", () => {
		expect(kindsOf(all, "gpu_idle")).toEqual([["gpu_idle", "Gpu idle"], ["host_idle", "Host idle"], ["task_stuck", "Task stuck"]]);
		expect(allUsers(all, "zoe")).toEqual(["ann", "bob", "zoe", NO_USER]);
		expect(allUsers([stuck], null)).toEqual(["ann", "bob"]);
		expect(usersOf({ who: " ann ,, bob" })).toEqual(["ann", "bob"]);
	});
	it("have a title where the lake gives none", () => expect(titleOf(stuck)).toBe("Task stuck"));
	it("have a key of their own when they go on and when they ended before", () => {
		expect(keyOf(row({}))).toBe("host_idle:h1");
		expect(keyOf(row({ ended_at: "2026-11-29T11:00:00Z" }))).not.toBe(keyOf(row({})));
	});
	it("cost an hour what the sums count: not what ended, not what another finding has", () => {
		expect(hourOf(all)).toBe(0.5);
		expect(hourOf([unpriced, ended])).toBeNull();
		expect(hourOf([row({ usd_hour: 0 })])).toBe(0);
	});
	it("add up to nothing that is known where none has a price", () => {
		expect([sumOf(0, [null, null]), sumOf(0, []), sumOf(0, [0, null])]).toEqual([null, 0, 0]);
		expect(hostNames({ hosts: [{ id: "h1", hostname: "node-1", up_s: 1, tracked_s: 1, idle_s: 0, idle_usd: null }] }).get("h1")).toBe("node-1");
	});
	it("say their host once", () => {
		expect([besideName(row({ name: "x" }), "n1"), besideName(row({ name: "n1" }), "n1"), besideName(row({ name: "shell on n1" }), "n1")]).toEqual(["n1", "", ""]);
	});
	it("have a command for one host where it means a process or a folder", () => {
		const names = new Map([["h1", "n1"]]);
		expect(commandHost(row({ subject: "task", host_id: "h1" }), names)).toBe("n1");
		expect(commandHost(row({ subject: "folder", host_id: null, evidence: { host_id: "h1" } }), names)).toBe("n1");
		expect(commandHost(row({ subject: "host", host_id: "h1" }), names)).toBe("");
		expect(commandHost(row({ subject: "task", host_id: "h2" }), names)).toBe("");
	});
	it("last until now, or until they ended", () => {
		expect([lengthOf(row({}), NOW), lengthOf(ended, NOW), lengthOf(row({ since_at: null }), NOW)]).toEqual([7200, 3600, null]);
	});
	it("lead to what they are about", () => {
		expect(placeOf(row({}))).toBe("/hosts/h1");
		expect(placeOf(stuck)).toBe("/runs/r1?task=t1");
		expect(placesOf(stuck)).toEqual([["Host", "/hosts/h1"], ["Run", "/runs/r1"]]);
		expect(placeOf(row({ subject: "machine" }))).toBeNull();
		expect(placeOf(row({ subject: "volume", host_id: null }))).toBeNull();
	});
	it("are old once no sweep came for minutes", () => {
		expect(isLate({ at: "2026-11-29T11:59:00Z" }, NOW)).toBe(false);
		expect(isLate({ at: "2026-11-29T11:54:00Z" }, NOW)).toBe(true);
		expect(isLate({ at: "soon" }, NOW)).toBe(false);
	});
});

describe("the lines that silence a finding", () => {
	it("name its kind and what it is about", () => {
		expect(silenceLines(row({}), "node-1")).toBe("exempt:\n  - kind: host_idle\n    host: node-1");
		expect(silenceLines(row({ subject: "folder", id: "/scratch/it's here", kind: "files_unread" }), "node-1")).toBe("exempt:\n  - kind: files_unread\n    path: \"/scratch/it's here\"");
		expect(silenceLines(row({ subject: "run", who: "ann" }), "node-1")).toBe("exempt:\n  - kind: host_idle\n    user: ann");
		expect(silenceLines(row({ subject: "step", who: "ann, bob" }), "node-1")).toBe("exempt:\n  - kind: host_idle\n    host: node-1");
		expect(silenceLines(row({ subject: "volume" }), "")).toBe("exempt:\n  - kind: host_idle");
	});
	it("are texts of YAML, whatever the name has", () => {
		expect(["node-1", "/data/x", "yes", "007", "a: b", 'say "x"\\', "- x", ""].map(scalar)).toEqual(["node-1", "/data/x", '"yes"', '"007"', '"a: b"', '"say \\"x\\"\\\\"', '"- x"', '""']);
		expect(scalar("a\u0085b")).toBe('"a\\u0085b"');
	});
	it("match the name alone", () => {
		expect(pattern("a*b?[c]\\")).toBe("a\\*b\\?\\[c]\\\\");
		expect(pattern("a\nb")).toBe("a?b");
		expect(pattern("*".repeat(9))).toBe("?".repeat(9));
		expect(pattern("x".repeat(300))).toBe(`${"x".repeat(255)}*`);
		expect(new TextEncoder().encode(pattern("ä".repeat(300))).length).toBeLessThanOrEqual(256);
	});
});

describe("evidence", () => {
	it("has instants as they are written, and as nanoseconds", () => {
		const at = "2026-11-29T10:00:00Z";
		expect([byName("used_until_at", at), byName("used_until_at", Date.parse(at) * 1e6)]).toEqual([when(at), when(at)]);
		expect([byName("ended_at", "soon"), byName("ended_at", 1e300), byName("ended_at", null)]).toEqual(['"soon"', "–", "–"]);
		expect(label("used_until_at")).toBe("used until");
	});
	it("has rates", () => expect([byName("disk_bytes_s", 2048), label("disk_bytes_s"), byName("bytes", 1024)]).toEqual(["2.00 KiB/s", "disk", "1.00 KiB"]));
});
