// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { partsOf } from "../src/pages/events";
import type { TracerEvent } from "../src/lib/model";

const parts = (own: Partial<TracerEvent>) =>
	partsOf({ sender: null, sender_pid: null, sender_uid: null, code: null, detail: null, path: null, limit_bytes: null, used_bytes: null, ...own } as TracerEvent).map(
		({ name, text }) => `${name}: ${text}`,
	);

describe("an event's parts", () => {
	it("say who killed, and how", () =>
		expect(parts({ kind: "killed", sender: "bash", sender_pid: 7, sender_uid: 0, code: 9, detail: "SIGKILL by a process" })).toEqual([
			"by: bash (pid 7, uid 0)",
			"how: SIGKILL by a process",
		]));
	it("say who asked, which cgroup was full, and its limit", () =>
		expect(parts({ kind: "oom_kill", sender: "sort", sender_pid: 8, sender_uid: 5, path: "/a", limit_bytes: 1 << 20, used_bytes: 1 << 20 })).toEqual([
			"asked for memory: sort (pid 8, uid 5)",
			"full: /a",
			"limit: 1.00 MiB",
			"used: 1.00 MiB",
		]));
	it("name the host where no cgroup was full", () => expect(parts({ kind: "oom_kill" })).toEqual(["full: the host: it had no memory left"]));
	it("name the program that could not be run, and why", () =>
		expect(parts({ kind: "exec_failed", path: "/no/such", code: 2, detail: "ENOENT" })).toEqual(["how: ENOENT", "program: /no/such"]));
	it("name the address that could not be reached, and why", () =>
		expect(parts({ kind: "connect_failed", path: "192.0.2.1:443", code: 111, detail: "ECONNREFUSED" })).toEqual(["how: ECONNREFUSED", "address: 192.0.2.1:443"]));
	it("show an exit code, and nothing where nothing is known", () => {
		expect(parts({ kind: "exit_failed", code: 3 })).toEqual(["exit code: 3"]);
		expect(parts({ kind: "stall_begin" })).toEqual([]);
	});
	it("obey no character of what was observed", () => expect(parts({ kind: "killed", sender: "a\u202eb" })).toEqual(["by: a⟨U+202E⟩b"]));
});
