// SPDX-License-Identifier: Apache-2.0
import { bytes, count, cpus, duration, percent, usd } from "../format";
import type { WhatIf, WhatIfGain, WhatIfMeasured, WhatIfPredicted, WhatIfTask } from "./model_whatif";

// What is asked of a run replayed otherwise, as the address has it, and words about the answer. Pure.

/** Parameters of the address, and of the API. */
export const ASKED = ["cores", "memory", "step", "no_queue"] as const;
export type Asked = Record<(typeof ASKED)[number], string | null>;

export const askedOf = (query: URLSearchParams): Asked => ({
	cores: query.get("cores"),
	memory: query.get("memory"),
	step: query.get("step"),
	no_queue: query.get("no_queue") === "true" ? "true" : null,
});

export const asksNothing = (asked: Asked): boolean => ASKED.every((key) => !asked[key]);

/** The part of its time that each step is to take: "map:0.5,sort:0.25". A name may have colons. */
export function factorsOf(text: string | null): Map<string, string> {
	const factors = new Map<string, string>();
	for (const one of (text ?? "").split(",")) {
		const colon = one.lastIndexOf(":");
		if (colon > 0) factors.set(one.slice(0, colon), one.slice(colon + 1));
	}
	return factors;
}

/** The same with another factor of a step; "" takes it back. null: nothing is left. */
export function withFactor(text: string | null, step: string, factor: string): string | null {
	const factors = factorsOf(text);
	if (factor === "") factors.delete(step);
	else factors.set(step, factor);
	return factors.size > 0 ? [...factors].map(([name, own]) => `${name}:${own}`).join(",") : null;
}

/** A comma separates steps in the address. */
export const canBeAsked = (step: string): boolean => step !== "" && !step.includes(",");

/** The run's own scaling is not known beyond so many times its cores. */
const SEEN = 4;

/** The largest number of cores that can be chosen, by the lake's own bound. */
export function mostCores({ cores, host_cpus }: Pick<WhatIfMeasured, "cores" | "host_cpus">, asked: string | null): number {
	return Math.max(2, Math.floor(SEEN * (cores ?? host_cpus ?? 1)), Math.ceil(Number(asked) || 0));
}

const MIB = 2 ** 20;
const UNITS = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 } as const;

/** "512M" in bytes; null: none, or not to be read. */
export function memoryOf(text: string | null): number | null {
	const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?$/i.exec(text ?? "") ?? [];
	if (digits === undefined) return null;
	return Number(digits) * (unit ? UNITS[unit.toUpperCase() as keyof typeof UNITS] : 1);
}

/** As the address has it: "24G", "512M". */
export const memoryText = (size: number): string => (size % UNITS.G === 0 ? `${size / UNITS.G}G` : `${Math.ceil(size / MIB)}M`);

/** Sizes to choose from, each twice the one before: from less than a task needs to what the host has. */
export function memoryStops(host: number | null, asked: number | null): number[] {
	const most = Math.max(host ?? 0, asked ?? 0, 64 * 2 ** 30);
	const stops: number[] = [];
	for (let size = 16 * MIB; size < most * 2 && stops.length < 40; size *= 2) stops.push(size);
	return stops;
}

/** The stop that is nearest to a size. */
export function stopOf(stops: readonly number[], size: number): number {
	let nearest = 0;
	for (const [n, stop] of stops.entries()) if (Math.abs(Math.log2(stop / size)) < Math.abs(Math.log2((stops[nearest] ?? 1) / size))) nearest = n;
	return nearest;
}

/** "2 cores of 8 CPUs": what the run had. */
export function coresText({ cores, host_cpus, cores_inferred }: WhatIfMeasured): string {
	const had = cores === null ? "cores not known" : `${Number.isInteger(cores) ? count(cores) : cpus(cores)} core${cores === 1 ? "" : "s"}`;
	if (host_cpus === null || host_cpus === cores) return had;
	return `${had} of ${count(host_cpus)} CPUs${cores_inferred ? ", by what it used" : ""}`;
}

/** "2.10 s less (16 %)". Within the interval it is no difference. */
export function differenceText(measured: WhatIfMeasured, predicted: WhatIfPredicted): string {
	const less = measured.wall_s - predicted.wall_s;
	if (predicted.wall_low_s <= measured.wall_s && measured.wall_s <= predicted.wall_high_s) return "no difference that is sure";
	const share = percent(Math.abs(less) / measured.wall_s);
	return `${duration(Math.abs(less))} ${less > 0 ? "less" : "more"} (${share})`;
}

export const intervalText = ({ wall_low_s, wall_high_s }: WhatIfPredicted): string => `${duration(wall_low_s)} to ${duration(wall_high_s)} in 90 of 100 runs`;

export const costText = ({ cost_low_usd, cost_high_usd }: WhatIfPredicted): string =>
	cost_low_usd === null || cost_high_usd === null ? "no price is known" : `${usd(cost_low_usd)} to ${usd(cost_high_usd)}`;

export const slotsText = (slots: number | null): string => (slots === null ? "not limited" : Number.isInteger(slots) ? count(slots) : cpus(slots));

export const peakText = (predicted: WhatIfPredicted): string => bytes(predicted.memory_peak_bytes);

/** Steps to choose from: those that are ranked; where there is no answer those of the run. */
export function ranked(answer: Pick<WhatIf, "steps">, names: readonly string[], asked: ReadonlyMap<string, string>): (Omit<WhatIfGain, "saves_s"> & { saves_s: number | null })[] {
	const known = new Set(answer.steps.map((step) => step.name));
	const others = answer.steps.length > 0 ? [...asked.keys()] : [...names, ...asked.keys()];
	const rest = [...new Set(others)].filter((name) => name !== "" && !known.has(name));
	return [...answer.steps, ...rest.map((name) => ({ name, tasks: 0, saves_s: null }))];
}

/** When a task was there: as measured, or as predicted. */
export interface Span {
	task: WhatIfTask;
	from: number;
	to: number;
}

export function spansOf(tasks: readonly WhatIfTask[], predicted: boolean): Span[] {
	return tasks.flatMap((task) => {
		const [from, to] = predicted ? [task.predicted_began_s, task.predicted_ended_s] : [task.began_s, task.ended_s];
		return from === null || to === null ? [] : [{ task, from, to: Math.max(from, to) }];
	});
}

/** Spans in as few lanes as possible without overlap. */
export function lanesOf(spans: readonly Span[]): Span[][] {
	const lanes: { spans: Span[]; end: number }[] = [];
	for (const span of [...spans].sort((a, b) => a.from - b.from)) {
		const lane = lanes.find(({ end }) => end <= span.from + 1e-9);
		if (lane) {
			lane.spans.push(span);
			lane.end = span.to;
		} else lanes.push({ spans: [span], end: span.to });
	}
	return lanes.map((lane) => lane.spans);
}
