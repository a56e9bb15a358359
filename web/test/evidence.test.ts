// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { causeOf, chainOf, concernedOf, figuresOf, firstFailed, inOrder, pairsText, placesOf, runBefore, titleOf, unitName } from "../src/lib/evidence";
import type { Finding } from "../src/lib/model_findings";
import type { Task } from "../src/lib/model";

const finding = (own: Partial<Finding>): Finding => ({
	kind: "exit_code", severity: "critical", subject: "task a", summary: "", evidence: {}, advice: "", saves_usd: null, saves_s: null, confidence: "high", ...own,
});
const task = (id: string, own: Partial<Task> = {}) => ({ id, name: `name of ${id}`, status: "failed", ended_at: "2026-11-27T06:00:09Z", ...own }) as Task;
const RUN = { started_at: "2026-11-27T06:00:00Z", timeline: true };

describe("the places of a finding", () => {
	const places = (evidence: Finding["evidence"], run = RUN) => placesOf(finding({ evidence }), run);
	it("are an instant of a task, as far into the run as the timeline has it, and its process", () =>
		expect(places({ task_id: "t/1", at: "2026-11-27T06:02:05Z", pid: 42, start_ns: 7, tool: "bwa mem" })).toEqual([
			{ text: "Timeline, at 2m 05s", query: { task: "t/1", zoom: "2026-11-27T06:02:05Z" } },
			{ text: "Process 42 (bwa mem)", query: { tab: "processes", task: "t/1", pid: "42", start: "7" } },
		]));
	it("are a span, before an instant", () =>
		expect(places({ since_at: "2026-11-27T06:00:01Z", until_at: "2026-11-27T06:00:03.5Z", at: "2026-11-27T06:02:05Z" })).toEqual([
			{ text: "Timeline, 1.00 s to 3.50 s", query: { zoom: "2026-11-27T06:00:01Z/2026-11-27T06:00:03.5Z" } },
		]));
	it("are the task alone where no time is named", () => expect(places({ task_id: "t" })).toEqual([{ text: "Timeline", query: { task: "t", zoom: "task" } }]));
	it("lead to the task that failed first", () =>
		expect(places({ failed_task_id: "u", failed_task: "align 2" })).toEqual([{ text: "The task that failed first: align 2", query: { task: "u", zoom: "task" } }]));
	it("are not on a timeline that is not there", () =>
		expect(places({ task_id: "t", at: "2026-11-27T06:02:05Z", pid: 1 }, { ...RUN, timeline: false }).map(({ text }) => text)).toEqual(["Process 1"]));
	it("are none of what is of another kind than expected", () =>
		expect(places({ task_id: 7, at: "soon", pid: "42", since_at: null, until_at: [], failed_task_id: {} })).toEqual([]));
});

describe("the chain of processes", () => {
	it("goes from the reporter to the cause, with how each ended", () =>
		expect(chainOf(finding({ evidence: { task_id: "t", chain: [{ pid: 1, tool: "bash", exit_code: 137 }, { pid: 2, start_ns: 9, tool: "bwa mem", signal: 9 }] } }))).toEqual([
			{ tool: "bash", end: "exit 137", query: { tab: "processes", task: "t", pid: "1" }, times: 1 },
			{ tool: "bwa mem", end: "SIGKILL", query: { tab: "processes", task: "t", pid: "2", start: "9" }, times: 1 },
		]));
	it("takes signals by name, and leaves out what is no process", () =>
		expect(chainOf(finding({ evidence: { chain: [null, "x", {}, { tool: "a\u202eb", signal: "SIGSEGV" }] } }))).toEqual([{ tool: "a⟨U+202E⟩b", end: "SIGSEGV", query: null, times: 1 }]));
	it("has a wrapper that calls itself once, and the cause by itself", () =>
		expect(
			chainOf(finding({ evidence: { chain: ["run", "run", "run", "sh", "run", "run"].map((tool) => ({ tool, exit_code: 7 })) } })).map(({ tool, times }) => `${tool} ${times}`),
		).toEqual(["run 3", "sh 1", "run 1", "run 1"]));
	it("is none without evidence of it", () => expect(chainOf(finding({ evidence: { chain: "bash" } }))).toEqual([]));
	it("is bounded", () => expect(chainOf(finding({ evidence: { chain: Array.from({ length: 500 }, (_, n) => ({ pid: n + 1, tool: `sh ${n}` })) } }))).toHaveLength(64));
});

describe("what a card shows", () => {
	it("is figures, not what is linked, in the subject, or unknown", () =>
		expect(figuresOf(finding({ subject: "task align (A)", evidence: { task_id: "t", sample: "A", limit_bytes: 5, pid: 1, tool: "bwa", path: null, scope: "task group" } }))).toEqual([
			["limit_bytes", 5],
			["scope", "task group"],
		]));
	it("names a tool that nothing leads to", () => expect(figuresOf(finding({ evidence: { tool: "bwa" } }))).toEqual([["tool", "bwa"]]));
	it("is headed by its kind in words", () =>
		expect([["out_of_memory"], ["masked_failure", "crash"], ["sl\u200bow"], ["constructor"]].map(([kind, inner]) => titleOf(finding({ kind: kind ?? "", evidence: inner ? { inner } : {} })))).toEqual([
			"Out of memory", "Failed unnoticed: crashed", "Sl⟨U+200B⟩ow", "Constructor",
		]));
	it("counts the tasks of which no name is given", () => {
		expect(concernedOf(finding({ evidence: { tasks: ["a", 5, "", "b"], tasks_concerned: 12 } }))).toEqual({ names: ["a", "b"], more: 10 });
		expect(concernedOf(finding({ evidence: { tasks: "a" } }))).toEqual({ names: [], more: 0 });
	});
});

describe("the order of findings", () => {
	it("is failures first, the rest as the lake has it", () =>
		expect(
			inOrder([
				finding({ kind: "serial", severity: "warning" }),
				finding({ kind: "host_idle", severity: "info" }),
				finding({ kind: "masked_failure", severity: "warning" }),
				finding({ kind: "crash" }),
				finding({ kind: "slot_wait", severity: "warning" }),
				finding({ kind: "stopped_by_engine" }),
			]).map(({ kind }) => kind),
		).toEqual(["crash", "stopped_by_engine", "masked_failure", "serial", "slot_wait", "host_idle"]));
});

describe("a failed task's cause", () => {
	const all = [finding({ kind: "serial", evidence: { task_id: "a" } }), finding({ kind: "crash", evidence: { task_id: "a" } }), finding({ kind: "disk_full", evidence: { tasks: ["name of b"] } })];
	it("is the failure that names it", () => expect(causeOf(all, task("a"))?.kind).toBe("crash"));
	it("is the one that lists it among others", () => expect(causeOf(all, task("b"))?.kind).toBe("disk_full"));
	it("is not known where none does", () => expect(causeOf(all, task("c"))).toBeNull());
});

describe("a failed run opens on", () => {
	const tasks = [task("ok", { status: "succeeded" }), task("late"), task("early", { ended_at: "2026-11-27T06:00:05Z" }), task("open", { ended_at: null })];
	it("the task of its first critical finding", () =>
		expect(firstFailed([finding({ kind: "serial", severity: "warning", evidence: { task_id: "ok" } }), finding({ evidence: { task_id: "late" } })], tasks)?.id).toBe("late"));
	it("the one that failed, not those that were stopped after it", () =>
		expect(firstFailed([finding({ kind: "stopped_by_engine", evidence: { task_id: "late" } }), finding({ evidence: { task_id: "open" } })], tasks)?.id).toBe("open"));
	it("the first that failed, where no finding names one", () => {
		expect(firstFailed([], tasks)?.id).toBe("early");
		expect(firstFailed([finding({ evidence: { task_id: "gone" } })], tasks)?.id).toBe("early");
	});
	it("nothing, where no task failed", () => expect(firstFailed([], [task("ok", { status: "succeeded" })])).toBeNull());
});

describe("what is not as usual", () => {
	const evidence = { figure: "throughput_bytes_per_s", value: 2 ** 20, typical_low: 2 ** 21, typical_median: 2 ** 21, typical_high: 2 ** 22, sure: 0.99, differs_from_run_before: {}, run_before: "run-1" };
	it("has its figures in their own unit, and leaves out what is empty", () => {
		expect(figuresOf(finding({ evidence })).map(([name]) => [name, unitName(evidence, name)])).toEqual([
			["value", "throughput_bytes_per_s"], ["typical_low", "throughput_bytes_per_s"], ["typical_median", "throughput_bytes_per_s"], ["typical_high", "throughput_bytes_per_s"], ["sure", "sure"],
		]);
		expect(unitName({ value: 1 }, "value")).toBe("value");
	});
	it("says what differs from the run before", () => {
		expect(pairsText({ tools: ["bwa 0.7.17", "bwa 0.7.18"], host_type: ["", "c6i"] })).toBe("tools: bwa 0.7.17 → bwa 0.7.18; host type: unknown → c6i");
		expect([pairsText({}), pairsText({ tools: ["a"] }), pairsText(["a", "b"]), pairsText("a"), pairsText(null)]).toEqual([null, null, null, null, null]);
	});
	it("leads to the run before", () => expect([runBefore(finding({ evidence })), runBefore(finding({ evidence: { run_before: 7 } }))]).toEqual(["run-1", ""]));
});
