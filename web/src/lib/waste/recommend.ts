// SPDX-License-Identifier: Apache-2.0
import { address } from "../api";
import { DASH, duration, instant, percent, usd } from "../format";
import type { Candidate, MeasuredHosts, RecommendAnswer } from "./model_recommend";

// What is asked of recommendations, as the address has it, and words about the answer. Pure.

/** Parameters of the address, and of the API. */
const ABOUT = ["run", "pipeline"] as const;
export const LIMITS = ["by", "within", "below", "purchase", "arch", "providers", "regions", "types", "families", "machine", "headroom", "burstable", "bare_metal"] as const;
export type Limit = (typeof LIMITS)[number];
export type Limits = Record<Limit, string | null>;

export interface Asked extends Limits {
	run: string | null;
	pipeline: string | null;
	/** How far back, of a pipeline and of all hosts. */
	days: string;
	/** Not only the front. */
	all: boolean;
	/** The candidate that is marked. */
	mark: string | null;
}

export const DAYS = [
	["7", "7 days"],
	["30", "30 days"],
	["90", "90 days"],
] as const;

/** Candidates, at most. */
const MOST = 100;

const given = (query: URLSearchParams, name: string): string | null => query.get(name) || null;

export function askedOf(query: URLSearchParams): Asked {
	const limits = Object.fromEntries(LIMITS.map((name) => [name, given(query, name)])) as Limits;
	const run = given(query, "run");
	return { ...limits, run, pipeline: run === null ? given(query, "pipeline") : null, days: DAYS.find(([days]) => days === query.get("days"))?.[0] ?? DAYS[0][0], all: query.get("show") === "all", mark: given(query, "mark") };
}

export const asksNothing = (asked: Limits): boolean => LIMITS.every((name) => !asked[name]);

export const recommendPath = (asked: Asked): string =>
	address("/recommend", { ...Object.fromEntries([...ABOUT, ...LIMITS].map((name) => [name, asked[name]])), days: asked.run === null ? asked.days : null, limit: MOST });

/** What would be rented instead for a run; null: for all hosts. */
export const recommendAddress = (about: { run?: string; pipeline?: string } = {}): string =>
	address("/recommend", { run: about.run ?? null, pipeline: about.pipeline ?? null });

const UNITS: Record<string, number> = { s: 1, m: 60, min: 60, h: 3600, d: 86400 };

/** "5h", "1h 30m", "90" (minutes) in seconds; null: not to be read. */
export function secondsOf(text: string): number | null {
	const words = text.trim().toLowerCase();
	if (/^\d+(\.\d+)?$/.test(words)) return Number(words) * 60;
	if (!/^(\d+(\.\d+)?\s*(s|m|min|h|d)\s*)+$/.test(words)) return null;
	return [...words.matchAll(/(\d+(?:\.\d+)?)\s*(min|s|m|h|d)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS[unit ?? ""] ?? 0), 0);
}

/** Seconds as secondsOf reads them: "1h 30m". */
export function withinText(seconds: string | null): string {
	const all = Number(seconds);
	if (seconds === null || !Number.isFinite(all) || all <= 0) return "";
	const parts: [number, string][] = [[Math.floor(all / 3600), "h"], [Math.floor((all % 3600) / 60), "m"], [Math.round(all % 60), "s"]];
	return parts.filter(([n]) => n > 0).map(([n, unit]) => `${n}${unit}`).join(" ");
}

const two = (n: number): string => String(n).padStart(2, "0");

/** An instant as a field of date and time has it, in the reader's time zone; "": none. */
export function fieldOf(by: string | null): string {
	const at = instant(by);
	if (at === null) return "";
	const date = new Date(at);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What such a field has, as an instant; null: nothing. */
export function instantOf(field: string): string | null {
	const at = Date.parse(field);
	return Number.isNaN(at) ? null : new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Until when, and below which cost, in the units of the plot; null: no limit. */
export function limitsOf({ within, by, below }: Limits, now: number): { wall_s: number | null; cost_usd: number | null } {
	const until = instant(by);
	const wall = within !== null ? Number(within) : until === null ? NaN : (until - now) / 1000;
	return { wall_s: wall > 0 ? wall : null, cost_usd: Number(below) > 0 ? Number(below) : null };
}

export const keyOf = (one: Candidate): string => [one.provider, one.type, one.region, one.purchase, one.hosts].join("/");

export const CHOICES: Record<string, string> = {
	cheapest: "Cheapest",
	fastest: "Fastest",
	cheapest_in_time: "Cheapest in time",
	fastest_below: "Fastest below the limit",
};

const choiceName = (choice: string): string => CHOICES[choice] ?? choice.replace(/_/g, " ");

/** The first thing that it was chosen for; "": it was not. */
export const choiceText = ({ choice }: Pick<Candidate, "choice">): string => (choice === null ? "" : choiceName(choice));

/** All of them. */
export const choicesText = (one: Pick<Candidate, "choice" | "choices">): string =>
	(one.choices ?? one.choice ?? "").split(",").filter((name) => name !== "").map((name, n) => (n === 0 ? choiceName(name) : choiceName(name).toLowerCase())).join(", ");

export const chosen = ({ candidates }: Pick<RecommendAnswer, "candidates">): Candidate[] => candidates.filter((one) => one.choice !== null);

/** What is listed: the front and what was chosen, or all of them. */
export const listed = ({ candidates }: Pick<RecommendAnswer, "candidates">, all: boolean): Candidate[] => candidates.filter((one) => all || one.front || one.choice !== null);

export const purchaseText = (purchase: string | null): string => (purchase ?? "").replace(/_/g, " ");

/** "2 × m6i.2xlarge": the hosts. */
export const hostsText = ({ hosts, type }: { hosts: number; type: string | null }): string => `${hosts > 1 ? `${hosts} × ` : ""}${type || "type not known"}`;

export const placeText = (one: Pick<Candidate, "provider" | "region">): string => [one.provider, one.region].filter(Boolean).join(" ");

/** "c7i.2xlarge, spot, aws eu-west-1". */
export const machineText = (one: Candidate): string => [hostsText(one), purchaseText(one.purchase), placeText(one)].filter((text) => text !== "").join(", ");

/** "34.0 % less"; "": one of both is not known. */
export function changeText(now: number | null | undefined, then: number | null): string {
	if (typeof now !== "number" || now <= 0 || then === null) return "";
	const change = then / now - 1;
	return Math.abs(change) < 0.0005 ? "the same" : `${percent(Math.abs(change))} ${change < 0 ? "less" : "more"}`;
}

export const wallInterval = (one: Candidate): string => `${duration(one.wall_low_s)} to ${duration(one.wall_high_s)}`;
export const costInterval = (one: Candidate): string => (one.cost_low_usd === null || one.cost_high_usd === null ? DASH : `${usd(one.cost_low_usd)} to ${usd(one.cost_high_usd)}`);

/** From this free part of the memory down, the peak may not fit. */
export const TIGHT = 0.1;

/** What speaks against it; empty: nothing that is known. */
export function risksOf(one: Candidate): string[] {
	const risks: string[] = [];
	if (one.memory_headroom === null) risks.push("memory not known");
	else if (one.memory_headroom < TIGHT) risks.push(`memory tight: ${percent(Math.max(0, one.memory_headroom))} free`);
	if (one.interruption !== null) risks.push(`${one.interruption} interrupted a month${one.interruption_loss_s ? `, ${duration(one.interruption_loss_s)} lost on average` : ""}`);
	else if (one.purchase === "spot") risks.push("interruptions not known");
	if (one.same_arch === false) risks.push(`${one.arch}: its speed is not known`);
	return risks;
}

const COLUMNS: readonly (readonly [string, (one: Candidate) => string | number | null])[] = [
	["choice", (one) => one.choices ?? one.choice], ["front", (one) => String(one.front)], ["provider", (one) => one.provider], ["type", (one) => one.type], ["region", (one) => one.region],
	["purchase", (one) => one.purchase], ["hosts", (one) => one.hosts], ["cpus", (one) => one.cpus], ["memory_bytes", (one) => one.memory_bytes], ["arch", (one) => one.arch], ["usd_hour", (one) => one.usd_hour],
	["wall_s", (one) => one.wall_s], ["wall_low_s", (one) => one.wall_low_s], ["wall_high_s", (one) => one.wall_high_s], ["cost_usd", (one) => one.cost_usd],
	["cost_low_usd", (one) => one.cost_low_usd], ["cost_high_usd", (one) => one.cost_high_usd], ["memory_headroom", (one) => one.memory_headroom],
	["interruption", (one) => one.interruption], ["interruption_loss_s", (one) => one.interruption_loss_s], ["move_bytes", (one) => one.move_bytes],
	["same_arch", (one) => (one.same_arch === null ? null : String(one.same_arch))], ["notes", (one) => one.notes.join("; ")],
];

/** A field of CSV (RFC 4180); what a spreadsheet would take for a formula is text. */
function field(value: string | number | null): string {
	const text = value === null ? "" : typeof value === "string" && /^[=+@\t\r-]/.test(value) ? `'${value}` : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

const line = (fields: readonly (string | number | null)[]): string => fields.map(field).join(",");

/** The candidates as CSV, what was measured first. */
export function csvOf(measured: MeasuredHosts | null, rows: readonly Candidate[]): string {
	const own: Record<string, string | number | null> = measured ? { choice: "measured", ...measured } : {};
	return [
		line(COLUMNS.map(([name]) => name)),
		...(measured ? [line(COLUMNS.map(([name]) => own[name] ?? null))] : []),
		...rows.map((one) => line(COLUMNS.map(([, value]) => value(one)))),
	].join("\r\n") + "\r\n";
}
