// SPDX-License-Identifier: Apache-2.0
import { instant, plain } from "../format";
import { money } from "./money";

// What GET /api/v1/budgets answers, and how it is said. Pure.

export interface Budget {
	name: string;
	/** "label:project", "pipeline", "user", "cost_centre". */
	key: string;
	value: string;
	/** As 2026-11. */
	month: string;
	usd_month: number;
	spent_usd: number | null;
	forecast_usd: number | null;
	forecast_low_usd: number | null;
	forecast_high_usd: number | null;
	/** When it was, or will be, exceeded; null: not in this month. */
	exceeded_at: string | null;
	/** null: not known, as no price is. */
	state: BudgetState | null;
}

export type BudgetState = "ok" | "at_risk" | "exceeded";

export const STATE_WORDS: Record<BudgetState, string> = { ok: "within budget", at_risk: "at risk", exceeded: "exceeded" };

/** Where the marks of a bar are, as shares of its length: the budget is in it, and what is forecast. */
export function barOf(budget: Budget): { spent: number; low: number; high: number; limit: number } {
	const spent = budget.spent_usd ?? 0;
	const low = Math.max(spent, budget.forecast_low_usd ?? budget.forecast_usd ?? spent);
	const high = Math.max(low, budget.forecast_high_usd ?? budget.forecast_usd ?? spent);
	const most = Math.max(high, budget.usd_month) || 1;
	return { spent: spent / most, low: low / most, high: high / most, limit: budget.usd_month / most };
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** What is to be expected of it, in a line. */
export function outlook(budget: Budget): string {
	const at = instant(budget.exceeded_at);
	if (budget.state === "exceeded") return at === null ? "exceeded" : `exceeded on ${day.format(at)}`;
	const forecast = budget.forecast_usd === null ? "no forecast before three days are known" : `forecast ${money(budget.forecast_usd)}`;
	return at === null ? forecast : `${forecast}, exceeded on ${day.format(at)} if it goes on`;
}

export const keyText = (budget: Budget): string => `${plain(budget.key).replace("_", " ").replace(/^label:/, "")} ${plain(budget.value)}`;

const URGENCY: readonly Budget["state"][] = ["exceeded", "at_risk", "ok", null];

/** Those that need attention first. */
export const byUrgency = (budgets: readonly Budget[]): Budget[] => [...budgets].sort((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));

/** The page of costs of what the budget is for; null: that is a pattern, or nothing by which costs can be filtered. */
export function budgetAddress(budget: Budget): string | null {
	const { key, value } = budget;
	if (/[*?[\\]/.test(value)) return null;
	if (key.startsWith("label:")) return `/cost?${new URLSearchParams({ time: "month", label: `${key.slice(6)}:${value}` })}`;
	return ["pipeline", "user"].includes(key) ? `/cost?${new URLSearchParams({ time: "month", by: key === "pipeline" ? "run" : "pipeline", [key]: value })}` : null;
}
