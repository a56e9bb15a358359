// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { axisOf, changesOf, matters, plotsOf, runsOf, toolsChanged } from "../src/lib/tune/boxes";
import type { Box } from "../src/lib/tune/model_steps";
import { boxesOf, steps } from "./tune_fixtures";

const boxes = steps.boxes as Box[];
const runs = runsOf(boxes);
const plots = plotsOf(boxes, runs);

describe("the plots of a step", () => {
	it("have a box a run, the earliest first, whatever the order of the answer", () => {
		expect(runs).toHaveLength(14);
		expect(runsOf([...boxes].reverse()).map((run) => run.id)).toEqual(runs.map((run) => run.id));
		expect(plots[0]?.runs.map((run) => run?.run_id)).toEqual(runs.map((run) => run.id));
	});
	it("begin with wall time, CPU and memory; classes of wall time follow", () =>
		expect(plots.map((plot) => plot.title)).toEqual(["Wall time", "CPU time", "Peak memory", "Computing", "Reading or writing disk", "Lock", "Input", "Read from storage"]));
	it("have the median over all runs beside them", () => expect(plots[0]?.median).toBe(60e9));
	it("leave out a run of which the figure is not known, and a figure that is 0 in all", () => {
		const none: Box = { ...(boxes[1] as Box), tasks: 0, min: null, q1: null, median: null, q3: null, p95: null, max: null };
		expect(plotsOf([none, boxes[2] as Box], runs)[0]?.runs.slice(0, 2).map((run) => run?.run_id)).toEqual([undefined, "run-1"]);
		expect(plotsOf(boxesOf("wall_disk_ns", 0), runs)).toEqual([]);
	});
	it("show a class of wall time first where it took a good part of a run", () =>
		expect(plots.filter((plot) => !matters(plot, plots)).map((plot) => plot.title)).toEqual(["Lock"]));
	it("show a figure that has no name yet by the lake's", () => expect(plotsOf(boxesOf("new_bytes", 5), runs)[0]?.title).toBe("new_bytes"));
});

describe("what changed between runs", () => {
	it("are host types and tools, at the run that has the new one", () =>
		expect(changesOf(runs).map(({ at, what, to }) => [at, what, to])).toEqual([
			[3, "host type", "8 CPUs, 32 GiB"],
			[7, "tools", "bwa 0.7.18, samtools 1.19"],
		]));
	it("is nothing where they are not known", () => {
		const [first] = runs;
		if (!first) throw new Error("no run");
		expect(changesOf([first, { ...first, host_type: null, tools: null }, first])).toEqual([]);
	});
	it("names only the tools that differ", () =>
		expect(toolsChanged("bwa 0.7.17, samtools 1.19", "samtools 1.19, bwa 0.7.18")).toEqual({ gone: ["bwa 0.7.17"], come: ["bwa 0.7.18"] }));
});

describe("an axis", () => {
	it("has round marks in the unit of the figure, and holds the largest value", () => {
		expect(axisOf("wall_ns", 95e9, 4).marks.map(({ text }) => text)).toEqual(["0", "30 s", "1m 00s", "1m 30s", "2m 00s"]);
		expect(axisOf("memory_peak_bytes", 5.2 * 2 ** 30, 4).marks.map(({ text }) => text)).toEqual(["0", "2 GiB", "4 GiB", "6 GiB"]);
		expect(axisOf("wall_ns", 3.3e6, 4).marks.map(({ text }) => text)).toEqual(["0", "1 ms", "2 ms", "3 ms", "4 ms"]);
		expect(axisOf("tasks", 7, 4).most).toBe(8);
	});
	it("has an end where all is 0", () => expect(axisOf("wall_ns", 0, 4).most).toBeGreaterThan(0));
});
