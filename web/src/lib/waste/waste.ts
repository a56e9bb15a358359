// SPDX-License-Identifier: Apache-2.0
import { address } from "../api";
import { instant, plain } from "../format";
import { runAddress } from "../route";
import type { WasteAnswer, WasteRow } from "./model_waste";

// What the page of waste was asked for, as the address has it, and which findings that leaves. Pure.

export const STATES = [
	["open", "Now"],
	["ended", "Ended"],
	["all", "All"],
] as const;
export type State = (typeof STATES)[number][0];

export const DAYS = [
	["1", "1 day"],
	["7", "7 days"],
	["14", "14 days"],
	["30", "30 days"],
] as const;
const DEFAULT_DAYS = "14";

/** Findings of no known user. */
export const NO_USER = "-";

export interface Asked {
	state: State;
	days: string;
	kind: string | null;
	user: string | null;
	/** The id of one. */
	host: string | null;
	/** The key of the finding that is open. */
	open: string | null;
}

export function askedOf(query: URLSearchParams): Asked {
	const state = query.get("state");
	const days = query.get("days") ?? "";
	return {
		state: STATES.find(([name]) => name === state)?.[0] ?? "open",
		days: /^[1-9]\d{0,3}$/.test(days) ? days : DEFAULT_DAYS,
		kind: query.get("kind"),
		user: query.get("user"),
		host: query.get("host"),
		open: query.get("finding"),
	};
}

/** As the address has it: the default is not in it. */
export const daysText = (days: string): string | null => (days === DEFAULT_DAYS ? null : days);
export const stateText = (state: State): string | null => (state === "open" ? null : state);

/** The most that the lake gives. */
const MOST = 10_000;

/** All of them: filters choose from one answer, so that the sums stay those of everything. */
export const wastePath = ({ days }: Asked): string => address("/waste", { days, state: "all", limit: MOST });

export const isOpen = (row: WasteRow): boolean => row.ended_at === null;
/** One of each kind and thing goes on at a time, but it can have ended before. */
export const keyOf = (row: WasteRow): string => `${row.kind}:${row.id}${isOpen(row) ? "" : `:${row.since_at ?? ""}`}`;

export const usersOf = (row: Pick<WasteRow, "who">): string[] => (row.who ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");

const ofUser = (row: WasteRow, user: string): boolean => (user === NO_USER ? usersOf(row).length === 0 : usersOf(row).includes(user));

export function chosen(rows: readonly WasteRow[], asked: Pick<Asked, "state" | "kind" | "user" | "host">): WasteRow[] {
	return rows.filter(
		(row) =>
			(asked.state === "all" || isOpen(row) === (asked.state === "open")) &&
			(asked.kind === null || row.kind === asked.kind) &&
			(asked.user === null || ofUser(row, asked.user)) &&
			(asked.host === null || row.host_id === asked.host),
	);
}

/** "host_idle" as "Host idle", where the lake gives no title. */
const titleOfKind = (kind: string): string => {
	const words = plain(kind).replace(/_/g, " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
};

export const titleOf = ({ title, kind }: Pick<WasteRow, "title" | "kind">): string => plain(title) || titleOfKind(kind);

/** The kinds that there are, with their titles; the asked one too. */
export function kindsOf(rows: readonly WasteRow[], asked: string | null): [string, string][] {
	const kinds = new Map(rows.map((row) => [row.kind, titleOf(row)]));
	if (asked !== null && !kinds.has(asked)) kinds.set(asked, titleOfKind(asked));
	return [...kinds].sort(([, a], [, b]) => a.localeCompare(b));
}

/** The users that there are, the asked one too; NO_USER where a finding has none. */
export function allUsers(rows: readonly WasteRow[], asked: string | null): string[] {
	const names = new Set(rows.flatMap(usersOf));
	if (asked !== null && asked !== NO_USER) names.add(asked);
	const sorted = [...names].sort((a, b) => a.localeCompare(b));
	return asked === NO_USER || rows.some((row) => usersOf(row).length === 0) ? [...sorted, NO_USER] : sorted;
}

export const OUTCOMES: Record<string, readonly [string, string]> = {
	stopped: ["Stopped", "What was paid for is gone: what that saves counts since then, for 30 days at most"],
	ended: ["Ended", "The task, or the session, ended, and its host is up"],
	used: ["Used again", "It does work again: nothing is saved, nothing is wasted"],
	replaced: ["Replaced", "Another finding says more of it since then"],
	silent: ["Silent", "Its host sends nothing since then: whether it goes on is not known yet"],
	silenced: ["Silenced", "An exemption in waste.yaml fits it since then"],
};

export const CONFIDENCE: Record<string, string> = {
	high: "The records show it",
	medium: "It follows from the records with one assumption",
	low: "Nothing speaks against it, and no more",
};

/** Seconds from its beginning until its end, or until now. */
export function lengthOf(row: WasteRow, now: number): number | null {
	const since = instant(row.since_at);
	const until = row.ended_at === null ? now : instant(row.ended_at);
	return since === null || until === null ? null : Math.max(0, until - since) / 1000;
}

/** Where it is to be looked at; null: it has no page here. */
export function placeOf(row: WasteRow): string | null {
	if (row.subject === "task" && row.run_id && row.task_id) return runAddress(row.run_id, { task: row.task_id });
	if (["run", "step", "task", "folder"].includes(row.subject) && row.run_id) return runAddress(row.run_id);
	return row.host_id && row.subject !== "machine" && row.subject !== "volume" ? `/hosts/${encodeURIComponent(row.host_id)}` : null;
}

/** Further pages about it, by what they are called. */
export function placesOf(row: WasteRow): [string, string][] {
	const first = placeOf(row);
	const all: [string, string | null][] = [
		["Host", row.host_id ? `/hosts/${encodeURIComponent(row.host_id)}` : null],
		["Run", row.run_id ? runAddress(row.run_id) : null],
		["Task", row.run_id && row.task_id ? runAddress(row.run_id, { task: row.task_id }) : null],
	];
	return all.filter((place): place is [string, string] => place[1] !== null && place[1] !== first);
}

/** A sweep is due each minute. */
const LATE_MS = 5 * 60_000;

/** Whether it is asked for some only. */
export const isFiltered = (asked: Pick<Asked, "kind" | "user" | "host">): boolean => asked.kind !== null || asked.user !== null || asked.host !== null;

/** What is wasted of a host. */
export const hostWaste = (id: string): string => `/waste?${new URLSearchParams({ host: id })}`;

/** Whether the lake should have looked again. */
export const isLate = ({ at }: Pick<WasteAnswer, "at">, now: number): boolean => now - (instant(at) ?? now) > LATE_MS;

/** The names of hosts by id. */
export const hostNames = ({ hosts }: Pick<WasteAnswer, "hosts">): ReadonlyMap<string, string> => new Map(hosts.map((host) => [host.id ?? host.host_id ?? "", host.hostname ?? ""]));

/** What is behind its name: its host, where the name does not say it. */
export const besideName = (row: WasteRow, hostname: string): string => (plain(row.name).endsWith(plain(hostname)) ? "" : plain(hostname));

const OF_ONE_HOST = ["task", "run", "gpu", "folder"];

/** Where its command is to be run: a process or a folder of this name is elsewhere another one. Empty for what anyone may run. */
export function commandHost(row: WasteRow, names: ReadonlyMap<string, string>): string {
	if (!OF_ONE_HOST.includes(row.subject)) return "";
	// A folder makes no one pay for its host: that is evidence alone.
	return names.get(row.host_id ?? String(row.evidence.host_id ?? "")) ?? "";
}

/** A sum of amounts of which none is known is unknown, whatever the lake adds up to. */
export const sumOf = (sum: number, amounts: readonly (number | null)[]): number | null => (amounts.length > 0 && amounts.every((one) => one === null) ? null : sum);

/** What of the findings costs an hour, as the sums count it; null: of none a price is known. */
export function hourOf(rows: readonly WasteRow[]): number | null {
	const known = rows.filter((row) => isOpen(row) && row.counted && row.usd_hour !== null);
	return known.length > 0 ? known.reduce((sum, row) => sum + (row.usd_hour ?? 0), 0) : null;
}
