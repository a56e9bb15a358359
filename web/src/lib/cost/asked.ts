// SPDX-License-Identifier: Apache-2.0
import { address } from "../api";
import { FILTERS, keyOf, LABEL } from "./keys";
import type { CostRow } from "./model_cost";

// What the page of costs was asked for: the address has it. Days and months are those of UTC, as in bills. Pure.

export interface Asked {
	by: string;
	/** One of TIMES, where no dates are given. */
	time: string;
	/** Dates, or instants; "until" is not in it. null: not given. */
	since: string | null;
	until: string | null;
	over: string | null;
	split: string | null;
	filters: readonly (readonly [string, string])[];
}

export const TIMES = [
	["7", "7 days"],
	["30", "30 days"],
	["90", "90 days"],
	["month", "This month"],
	["last-month", "Last month"],
] as const;

const DEFAULT_TIME = "30";
export const DAY_MS = 86_400_000;
/** So many days have a curve by the hour. */
const HOURLY_DAYS = 3;

export function askedOf(query: URLSearchParams): Asked {
	const by = query.get("by") ?? "";
	const time = query.get("time");
	return {
		by: keyOf(by) ? by : "pipeline",
		time: TIMES.find(([name]) => name === time)?.[0] ?? DEFAULT_TIME,
		since: query.get("since"),
		until: query.get("until"),
		over: query.get("over"),
		split: query.get("split"),
		filters: FILTERS.flatMap(([name]) => (query.get(name) ? [[name, query.get(name) as string] as const] : [])),
	};
}

/** Whether the reader chose dates. */
export const ownDates = (asked: Asked): boolean => asked.since !== null || asked.until !== null;

/** The date in UTC, as 2026-11-30. */
export const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const monthOf = (now: number, back: number): string => {
	const date = new Date(now);
	return dateText(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1));
};

/** The time as the API takes it. */
export function timeQuery(asked: Asked, now: number): Record<string, string | null> {
	if (ownDates(asked)) return { since: asked.since, until: asked.until };
	if (asked.time === "month") return { since: monthOf(now, 0) };
	if (asked.time === "last-month") return { since: monthOf(now, 1), until: monthOf(now, 0) };
	return { days: asked.time };
}

/** How long that is; for a time that begins nowhere, long. */
function lengthOf(time: Record<string, string | null>, now: number): number {
	if (time.days) return Number(time.days) * DAY_MS;
	const length = (time.until ? Date.parse(time.until) : now) - Date.parse(time.since ?? "");
	return Number.isNaN(length) ? Infinity : length;
}

export function overOf(asked: Asked, now: number): "hour" | "day" {
	if (asked.over === "hour" || asked.over === "day") return asked.over;
	return lengthOf(timeQuery(asked, now), now) <= HOURLY_DAYS * DAY_MS ? "hour" : "day";
}

/** "label:" without a key asks for nothing yet. */
export const isAsked = (asked: Asked): boolean => asked.by !== LABEL;

const sameQuery = (asked: Asked, now: number) => ({ by: asked.by, ...timeQuery(asked, now), ...Object.fromEntries(asked.filters), split: asked.split });

export const costPath = (asked: Asked, now: number): string => address("/cost", { ...sameQuery(asked, now), over: overOf(asked, now) });

/** The API's most. */
const MOST_ROWS = 10_000;

/** The rows as a file. */
export const csvAddress = (asked: Asked, now: number): string => address("/api/v1/cost.csv", { ...sameQuery(asked, now), limit: MOST_ROWS });

/** All hosts in that time. */
export const hostsPath = (asked: Asked, now: number): string => address("/cost", { by: "host", ...timeQuery(asked, now), split: asked.split });

/** What one task cost by another key in that time, by the hour if that is wanted. */
export function taskPath(asked: Asked, now: number, task: string, by: string, hourly = false): string {
	return address("/cost", { ...sameQuery({ ...asked, by }, now), task, over: hourly ? "hour" : null });
}

/** The page with other parts of the address; null removes one. Order of rows and the open task are of one table: they go. */
export function costAddress(query: URLSearchParams, parts: Record<string, string | null>): string {
	const next = new URLSearchParams(query);
	for (const name of ["sort", "task"]) next.delete(name);
	for (const [name, value] of Object.entries(parts)) {
		if (value === null || value === "") next.delete(name);
		else next.set(name, value);
	}
	const text = next.toString();
	return text ? `/cost?${text}` : "/cost";
}

/** What the steps of a run cost, from the day on which it began. */
export const runCostAddress = (run: { id: string; started_at: string | null }): string =>
	address("/cost", { by: "step", run: run.id, since: run.started_at?.slice(0, 10) ?? null });

const nextDay = (day: string): string => dateText(Date.parse(day) + DAY_MS);

/** Where a row leads: its parts, or the page of the host. null: nowhere. */
export function rowAddress(query: URLSearchParams, by: string, row: CostRow): string | null {
	const key = keyOf(by);
	if (!key || row.key === "") return null;
	if (by === "host") return row.id ? `/hosts/${encodeURIComponent(row.id)}` : null;
	if (by === "day") return costAddress(query, { by: null, since: row.key, until: nextDay(row.key) });
	// What an engine did itself is no step: no task is in it.
	if (key.filter === null || key.next === null || (by === "step" && row.tasks === 0)) return null;
	const value = by.startsWith(LABEL) ? `${by.slice(LABEL.length)}:${row.key}` : by === "run" ? (row.id ?? row.key) : row.key;
	return costAddress(query, { by: key.next, [key.filter]: value });
}
