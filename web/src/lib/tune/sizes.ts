// SPDX-License-Identifier: Apache-2.0
import { bytes, count, cpus, nanoseconds, percent } from "../format";
import { ENGINES, KINDS } from "./model_sizes";
import type { Basis, Kind, SettingsOf, Sizes, StepSize } from "./model_sizes";

// Words about what to request. Pure.

/** One thing that a step requests. */
export interface Amount {
	kind: Kind;
	requested: number | null;
	highest: number | null;
	advised: number | null;
	basis: Basis;
	intercept: number | null;
	slope: number | null;
	factor: number | null;
	risk: number | null;
	enough: boolean;
	tasks: number;
	needs_tasks: number;
	needs_runs: number;
}

export function amountOf(step: StepSize, kind: Kind): Amount {
	const of = step as unknown as Record<string, never>;
	const unit = KINDS[kind];
	return {
		kind,
		requested: of[`${kind}_requested_${unit}`] ?? null,
		highest: of[`${kind}_highest_${unit}`] ?? null,
		advised: of[`${kind}_advised_${unit}`] ?? null,
		basis: of[`${kind}_basis`] ?? "unknown",
		intercept: of[`${kind}_intercept_${unit}`] ?? null,
		slope: of[`${kind}_slope`] ?? null,
		factor: of[`${kind}_factor`] ?? null,
		risk: of[`${kind}_risk`] ?? null,
		enough: of[`${kind}_enough`] ?? false,
		tasks: of[`${kind}_tasks`] ?? 0,
		needs_tasks: of[`${kind}_needs_tasks`] ?? 0,
		needs_runs: of[`${kind}_needs_runs`] ?? 0,
	};
}

/** A figure of the kind, for people. */
export const figure = (kind: Kind, value: number | null): string => (KINDS[kind] === "ns" ? nanoseconds(value) : bytes(value));

const times = (n: number): string => `× ${n.toFixed(2)}`;

/** "200 MiB + 1.25 × input, × 1.10": what a task of the step needs. */
function formula({ kind, intercept, slope, factor }: Amount): string {
	if (intercept === null || slope === null) return "grows with the input";
	const grows = KINDS[kind] === "ns" ? `${nanoseconds(slope * 2 ** 30)} for each GiB of input` : `${slope.toPrecision(3)} × input`;
	const least = figure(kind, Math.abs(intercept));
	const sum = Math.abs(intercept) < 1 ? grows : intercept > 0 ? `${least} + ${grows}` : `${grows} − ${least}`;
	return factor === null || factor === 1 ? sum : `${sum}, ${times(factor)}`;
}

const BASES: Record<Basis, string> = {
	constant: "the same for each task",
	"linear in input": "grows with the input",
	"as requested": "as requested: there is too little history",
	cautious: "well above the most that was seen: there is too little history",
	unknown: "not known: nothing was measured",
};

export const basisText = (amount: Amount): string => (amount.basis === "linear in input" ? formula(amount) : BASES[amount.basis]);

/** The same in a word or two. */
export const basisWord = ({ basis }: Amount): string =>
	({ constant: "constant", "linear in input": "by input", "as requested": "as requested", cautious: "cautious", unknown: "not known" })[basis];

const more = (n: number, noun: string): string => `${count(n)} more ${noun}${n === 1 ? "" : "s"}`;

/** What history lacks: "3 more tasks", "3 more tasks and 1 more run"; empty: nothing. */
export function missingText({ needs_tasks, needs_runs }: Amount): string {
	const parts = [...(needs_tasks > 0 ? [more(needs_tasks, "task")] : []), ...(needs_runs > 0 ? [more(needs_runs, "run")] : [])];
	return parts.join(" and ");
}

/** Whether the history is enough, and what it lacks. */
export function historyText(amount: Amount): string {
	const missing = missingText(amount);
	if (!amount.enough) return missing ? `needs ${missing}` : "not enough";
	return missing ? `enough, surer after ${missing}` : "enough";
}

/** "0.4 %"; a risk that was never seen is small, not none. */
export const riskText = (risk: number | null): string => (risk === 0 ? "< 0.1 %" : percent(risk));

/** What the risk of all tasks together means. */
export const secondTryText = (risk: number): string =>
	risk < 0.001 ? "Hardly any task would need a second try with more memory." : `About ${Number((risk * 100).toPrecision(1))} of a hundred tasks would need a second try with more memory.`;

/** "12.35 GB·h"; little of it by the second, "0.11 GB·s". */
export function gbHours(n: number | null): string {
	if (n === null) return "–";
	if (n === 0 || Math.abs(n) >= 0.01) return `${n.toFixed(2)} GB·h`;
	return `${Number((n * 3600).toPrecision(2))} GB·s`;
}

/** GB * h that the tasks of the step in this run would have saved (below 0: cost more); null: not known. */
export const savedBy = ({ tasks, wasted_now_gb_h, wasted_then_gb_h }: StepSize): number | null =>
	wasted_now_gb_h === null || wasted_then_gb_h === null ? null : (wasted_now_gb_h - wasted_then_gb_h) * tasks;

/** Of all steps of which it is known; null: of none. */
export function savedByAll(steps: readonly StepSize[]): { saved: number; now: number } | null {
	const known = steps.filter((step) => savedBy(step) !== null);
	if (known.length === 0) return null;
	const sum = (of: (step: StepSize) => number | null) => known.reduce((all, step) => all + (of(step) ?? 0), 0);
	return { saved: sum(savedBy), now: sum((step) => (step.wasted_now_gb_h ?? 0) * step.tasks) };
}

/** "uses 1.25 CPUs, 1.80 at most times" is too long for a cell: "uses 1.25, at times 1.80". */
export function cpusUsedText({ cpus_used_median: median, cpus_used_p95: high }: StepSize): string {
	if (median === null) return "use not known";
	return high === null || high < median * 1.1 ? `uses ${cpus(median)}` : `uses ${cpus(median)}, at times ${cpus(high)}`;
}

/** What the advised CPUs do to the wall time; empty where nothing is to be said. */
export function slowdownText({ cpus_advised, cpus_requested, cpus_slowdown, cpus_wants_more }: StepSize): string {
	if (cpus_wants_more) return "It uses all the CPUs that it has, or waits for them: it may gain by more.";
	if (cpus_advised === null || cpus_slowdown === null || cpus_advised === cpus_requested) return "";
	return cpus_slowdown <= 1.001 ? "With the advised CPUs it takes no longer." : `With the advised CPUs it takes at most ${percent(cpus_slowdown - 1)} longer.`;
}

/** "× 1.50 in the second try, × 3.00 in the third"; empty where each try is the same. */
export function escalationText({ second_try_factor: second, third_try_factor: third }: StepSize): string {
	const tries = [...(second !== null && second > 1 ? [`${times(second)} in the second try`] : []), ...(third !== null && third > 1 ? [`${times(third)} in the third`] : [])];
	return tries.join(", ");
}

/** The engine of which settings are shown: the one that is asked for, else that of the run. */
export function settingsOf(asked: string | null, { engine, settings }: Pick<Sizes, "engine" | "settings">): SettingsOf {
	const named = (name: string | null) => ENGINES.find((one) => one === name);
	return named(asked) ?? named(engine) ?? ENGINES.find((one) => settings?.[one]) ?? "nextflow";
}
