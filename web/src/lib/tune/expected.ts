// SPDX-License-Identifier: Apache-2.0
import { byName, count, duration, instant, percent, plain, when } from "../format";
import type { Expected, ExpectedRun, ExpectedStep, Remaining, Unusual, Usual } from "./model_expected";

// Words about whether a run is as usual, and when it ends. Pure.

export interface Judgement {
	usual: Exclude<Usual, "not begun">;
	/** Begins a line; the names of the steps follow where `steps` has some. */
	text: string;
	/** That are not as usual. */
	steps: string[];
}

const runs = (n: number): string => `${count(n)} more run${n === 1 ? "" : "s"}`;
const stepsText = (n: number): string => `${count(n)} step${n === 1 ? "" : "s"}`;

function lackText(steps: readonly ExpectedStep[]): string {
	const missing = Math.max(0, ...steps.map((step) => step.runs_missing ?? 0));
	return missing > 0 ? ` (${runs(missing)} needed)` : "";
}

/** null: no step was seen yet. */
export function judgementOf(expected: Pick<Expected, "steps">): Judgement | null {
	const steps = expected.steps.filter((step) => step.usual !== "not begun");
	if (steps.length === 0) return null;
	const of = (usual: Usual) => steps.filter((step) => step.usual === usual);
	const [unusual, unknown] = [of("not as usual"), of("not enough history")];
	const rest = unknown.length > 0 ? `; of ${stepsText(unknown.length)} there is not enough history${lackText(unknown)}` : "";
	if (unusual.length > 0) return { usual: "not as usual", text: `${stepsText(unusual.length)} not as usual${rest}`, steps: unusual.map((step) => step.step) };
	if (unknown.length === steps.length) return { usual: "not enough history", text: `Not enough history to say whether this is as usual${lackText(unknown)}`, steps: [] };
	return { usual: "as usual", text: `As usual${rest}`, steps: [] };
}

const minutes = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** An instant to come: to the minute, to the second where it is near. */
function clock(text: string | null, now: number, near: boolean): string {
	const at = instant(text);
	if (at === null) return "–";
	const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
	return sameDay && !near ? minutes.format(at) : when(text, now);
}

/** An interval narrower than this is given to the second. */
const NEAR_MS = 10 * 60_000;

/** "ends about 14:35, between 14:20 and 15:05"; why that is not known. */
export function endText(run: ExpectedRun, now: number): string {
	const [end, low, high] = [run.expected_end_at, run.low_at, run.high_at].map(instant);
	if (end === null || end === undefined) return `when it ends is not known${run.why_unknown ? `: ${plain(run.why_unknown)}` : ""}`;
	const near = (high ?? end) - (low ?? end) < NEAR_MS && end - now < 6 * NEAR_MS;
	const about = `ends about ${clock(run.expected_end_at, now, near)}`;
	return run.low_at && run.high_at ? `${about}, between ${clock(run.low_at, now, near)} and ${clock(run.high_at, now, near)}` : about;
}

/** "62 %, ends about 14:35": of a run in a list; empty: neither is known. */
export function briefly({ progress, expected_end_at }: Pick<ExpectedRun, "expected_end_at"> & { progress?: number | null | undefined }, now: number): string {
	const end = instant(expected_end_at);
	const parts = [...(typeof progress === "number" ? [`${Math.floor(Math.min(1, Math.max(0, progress)) * 100)} % done`] : []), ...(end === null ? [] : [`ends about ${clock(expected_end_at, now, end - now < NEAR_MS)}`])];
	return parts.join(", ");
}

/** "40 %, 10m 00s to go": of a step or a task; empty: nothing of it is known. */
export function toGoText({ progress, remaining_s }: Remaining): string {
	const parts = [...(progress === null ? [] : [`${Math.floor(Math.min(1, Math.max(0, progress)) * 100)} %`]), ...(remaining_s === null ? [] : [`${duration(remaining_s)} to go`])];
	return parts.join(", ");
}

/** "between 6m 40s and 15m 00s to go, in 80 of 100 cases"; empty: not known. */
export const toGoRange = ({ remaining_low_s: low, remaining_high_s: high }: Remaining): string =>
	low === null || high === null ? "" : `between ${duration(low)} and ${duration(high)} to go, in 80 of 100 cases`;

/** Whether a step is as usual, and what that takes. */
export function usualText({ usual, runs_missing }: Pick<ExpectedStep, "usual" | "runs_missing">): string {
	return usual === "not enough history" && (runs_missing ?? 0) > 0 ? `needs ${runs(runs_missing ?? 0)}` : usual;
}

/** "12m 30s to go": by the clock of the reader; empty: not known. */
export function remainingText(run: ExpectedRun, now: number): string {
	const end = instant(run.expected_end_at);
	if (end === null) return "";
	return end <= now ? "should end any moment" : `${duration(Math.round((end - now) / 1000))} to go`;
}

/** "above the typical 3.21 s to 4.00 s (median 3.50 s, 12 runs)": of what is not as usual, where a text does not say it. */
export function typicalText({ figure, value, typical_low, typical_median, typical_high, history_runs }: Unusual): string {
	if (value === null || typical_median === null) return "";
	const range = typical_low !== null && typical_high !== null && typical_low !== typical_high ? `typically ${byName(figure, typical_low)} to ${byName(figure, typical_high)}` : `typically ${byName(figure, typical_median)}`;
	return `${byName(figure, value)}, ${range}, by ${count(history_runs)} run${history_runs === 1 ? "" : "s"}`;
}

/** Rounded down: nothing is quite sure. */
export const certainty = (confidence: number): string => percent(Math.min(0.999, Math.floor(confidence * 1000) / 1000));

export const sureText = (confidence: number | null): string => (confidence === null ? "" : `${certainty(confidence)} sure`);
