// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { diskGroups, diskOf, within } from "../src/pages/disks";
import { fileGroups } from "../src/pages/files";
import { differing, groupsOf, sumBy } from "../src/lib/groups";
import type { FileRow, IoRow, NetworkRow, SyscallRow } from "../src/lib/model";
import { networkGroups, protocolOf } from "../src/pages/network";
import { classOf, outcomeOf, syscallGroups } from "../src/pages/syscalls";

describe("groups", () => {
	it("keep the order of their keys and of their rows", () => {
		expect(groupsOf(["b1", "a1", "b2"], (word) => word.charAt(0))).toEqual([
			{ key: "b", rows: ["b1", "b2"] },
			{ key: "a", rows: ["a1"] },
		]);
	});
	it("sum what is known, and are unknown where nothing is", () => {
		expect(sumBy([1, null, 2], (n) => n)).toBe(3);
		expect(sumBy([null, undefined], (n) => n)).toBeNull();
		expect(sumBy([0], (n) => n)).toBe(0);
	});
	it("name each word once", () => expect(differing(["b", null, "a", "b", ""])).toEqual(["a", "b"]));
});

describe("the network", () => {
	const row = (own: Partial<NetworkRow>): NetworkRow => ({ tool: "curl", family: "inet", protocol: "tcp", loopback: false, ...own }) as NetworkRow;
	it.each([
		[{}, "TCP with other hosts"],
		[{ family: "inet6", protocol: "udp", loopback: true }, "UDP (IPv6) within the host"],
		[{ family: "unix", protocol: "stream" }, "UNIX stream"],
		[{ family: "other", protocol: "other" }, "other sockets (raw, netlink, …)"],
	])("%j is %s", (own, name) => expect(protocolOf(row(own))).toBe(name));
	it("is summed, the most bytes first, and what was not counted stays unknown", () => {
		const rows = [row({ rx_bytes: 1, tx_bytes: 2 }), row({ rx_bytes: 50, loopback: true, tool: "wget" }), row({ rx_bytes: 10, resets: 1 })];
		const groups = networkGroups(rows, protocolOf);
		expect(groups.map((one) => [one.name, one.rx_bytes, one.tx_bytes, one.resets])).toEqual([
			["TCP within the host", 50, null, null],
			["TCP with other hosts", 11, 2, 1],
		]);
		expect(groups[0]?.tools).toEqual(["wget"]);
	});
});

describe("system calls", () => {
	const row = (own: Partial<SyscallRow>): SyscallRow => ({ tool: "bwa", class: "read", error: null, calls: 1, time_ns: 10, executions: 1, ...own });
	it("are summed by kind, what took longest first, with what failed and how", () => {
		const rows = [row({ calls: 5 }), row({ error: "EAGAIN", calls: 3, time_ns: 1 }), row({ class: "lock", time_ns: 99, tool: "sh" }), row({ error: "other", calls: 2, time_ns: 1 })];
		expect(syscallGroups(rows, classOf)).toEqual([
			{ name: "locks (futex)", calls: 1, failed: 0, time_ns: 99, errors: [], tools: ["sh"] },
			{ name: "read", calls: 10, failed: 5, time_ns: 12, errors: ["EAGAIN", "other"], tools: ["bwa"] },
		]);
	});
	it.each([
		[null, "did not fail"],
		["ENOENT", "failed: ENOENT"],
		["other", "failed for other reasons"],
		["a\u202eb", "failed: a⟨U+202E⟩b"],
	])("that ended as %j say so", (error, words) => expect(outcomeOf(row({ error }))).toBe(words));
	it("that were not counted stay unknown", () => expect(syscallGroups([row({ calls: null, time_ns: null })], classOf)[0]).toMatchObject({ calls: null, time_ns: null }));
});

describe("files", () => {
	const row = (own: Partial<FileRow>): FileRow =>
		({ kind: "file", path: "/d/a", host_id: "h", opens: 1, failures: 0, moved_bytes: 0, size_bytes: null, reads: false, writes: false, mapped: false, first_at: null, last_at: null, tool: "sh", task_id: null, ...own }) as FileRow;
	it("are one row each, whoever used them, with the size they had last", () => {
		const [file] = fileGroups(
			[
				row({ moved_bytes: 5, writes: true, size_bytes: 5, last_at: "2026-11-21T00:00:01Z", task_id: "t1" }),
				row({ moved_bytes: 7, reads: true, size_bytes: 9, last_at: "2026-11-21T00:00:03Z", tool: "bwa", first_at: "2026-11-21T00:00:02Z" }),
				row({ size_bytes: null, last_at: "2026-11-21T00:00:04Z" }),
			],
			new Map([["t1", "align"]]),
		);
		expect(file).toMatchObject({ name: "/d/a", moved_bytes: 12, opens: 3, how: "read, written", size_bytes: 9, tools: ["bwa", "sh"], tasks: ["align"] });
		expect([file?.first_at, file?.last_at]).toEqual(["2026-11-21T00:00:02Z", "2026-11-21T00:00:04Z"]);
	});
	it("of one path on two hosts are two", () => expect(fileGroups([row({}), row({ host_id: "g" })], new Map()).length).toBe(2));
	it("that could not be opened are grouped by the error", () => {
		const failed = (error: number | null) => row({ kind: "failed", path: null, error, failures: 1 });
		expect(fileGroups([failed(2), failed(13), failed(2), failed(4000), failed(null)], new Map()).map((one) => [one.name, one.failures])).toEqual([
			["could not be opened: not there (ENOENT)", 2],
			["could not be opened: no permission (EACCES)", 1],
			["could not be opened: error 4000", 1],
			["could not be opened: unknown why", 1],
		]);
	});
	it("without a path are named by their kind, and hostile paths are text", () => {
		expect(fileGroups([row({ kind: "pipe", path: null })], new Map())[0]?.name).toBe("pipes");
		expect(fileGroups([row({ path: "/a\u202eb" })], new Map())[0]?.name).toBe("/a⟨U+202E⟩b");
	});
});

describe("disks", () => {
	const latencies = (own: Record<number, number>) => Array.from({ length: 24 }, (_, k) => own[k] ?? 0);
	const row = (own: Partial<IoRow>): IoRow =>
		({ tool: "sort", task_id: null, device: "vda", operation: "read", requests: 0, bytes: 0, failures: 0, unfinished: 0, latency_ns: 0, latencies: latencies({}), ...own }) as IoRow;
	it("are summed by device and operation, with their histograms, what took longest first", () => {
		const groups = diskGroups(
			[
				row({ requests: 2, latency_ns: 5, latencies: latencies({ 3: 2 }) }),
				row({ requests: 1, latency_ns: 9, latencies: latencies({ 23: 1 }), operation: "write", tool: "dd" }),
				row({ requests: 1, latency_ns: 1, latencies: latencies({ 3: 1 }), tool: "dd" }),
			],
			diskOf,
		);
		expect(groups.map((one) => [one.name, one.requests, one.latency_ns, one.latencies[3], one.tools])).toEqual([
			["vda write", 1, 9, 0, ["dd"]],
			["vda read", 3, 6, 3, ["dd", "sort"]],
		]);
		expect(diskOf(row({ device: null, operation: "other" }))).toBe("no disk other");
	});
	it("answer within the end of a bucket, and the last has none", () => {
		expect(within(latencies({ 0: 1 }), 0.5)).toBe(1000);
		expect(within(latencies({ 4: 98, 10: 2 }), 0.5)).toBe(16_000);
		expect(within(latencies({ 4: 98, 10: 2 }), 0.99)).toBe(1_024_000);
		expect(within(latencies({ 23: 1 }), 0.5)).toBeNull();
		expect(within(latencies({}), 0.5)).toBeNull();
	});
});
