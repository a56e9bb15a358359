// SPDX-License-Identifier: Apache-2.0
import { DASH } from "../format";
import type { CostParts } from "./model_cost";

// Amounts of money that add up as they are shown: cents, and four significant digits of what is less than a dollar. Pure.

type Maybe = number | null | undefined;

const known = (usd: Maybe): usd is number => typeof usd === "number" && Number.isFinite(usd);
const NANO = 1e9;
const MOST_DECIMALS = 9;

/** Whole billionths of a dollar: the unit in which all amounts are whole. */
export const nanos = (usd: number): number => Math.round(usd * NANO);

/** Digits after the point with which an amount of so many billionths is shown. */
export function decimalsOf(amount: number): number {
	const size = Math.abs(amount) / NANO;
	if (size === 0 || size >= 0.99995) return 2;
	return Math.min(MOST_DECIMALS, 3 - Math.floor(Math.log10(size)));
}

const text = (units: number, decimals: number): string =>
	`${units < 0 ? "-" : ""}$${(Math.abs(units) / 10 ** decimals).toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`;

/** What is something, but less than the last digit, is not shown as nothing. */
function shown(units: number, amount: number, decimals: number): string {
	if (amount === 0) return text(0, 2);
	if (units !== 0) return text(units, decimals);
	return amount > 0 ? `< ${text(1, decimals)}` : `> ${text(-1, decimals)}`;
}

export function money(usd: Maybe): string {
	if (!known(usd)) return DASH;
	const amount = nanos(usd);
	const decimals = decimalsOf(amount);
	return text(Math.round(amount / 10 ** (MOST_DECIMALS - decimals)), decimals);
}

/** Units of the last digit by part, `whole` together: rounded down, and those that are missing where most was cut off. */
function unitsOf(amounts: readonly number[], whole: number, unit: number): number[] {
	const units = amounts.map((amount) => Math.floor(amount / unit));
	const cut = amounts.map((amount, n) => ({ n, rest: amount - (units[n] ?? 0) * unit })).sort((a, b) => b.rest - a.rest || a.n - b.n);
	let missing = whole - units.reduce((sum, one) => sum + one, 0);
	for (const { n } of cut) if (missing-- > 0) units[n] = (units[n] ?? 0) + 1;
	return units;
}

/**
 * The parts of an amount, in text with as many digits as the amount has, so that the texts add up to it. Parts that do not add up to
 * it are each rounded by themselves: nothing is made to fit. A part that is not known is a dash.
 */
export function moneyParts(whole: Maybe, parts: readonly Maybe[]): string[] {
	if (!known(whole)) return parts.map(money);
	const amount = nanos(whole);
	const decimals = decimalsOf(amount);
	const unit = 10 ** (MOST_DECIMALS - decimals);
	const amounts = parts.map((part) => (known(part) ? nanos(part) : 0));
	const fits = amounts.reduce((sum, one) => sum + one, 0) === amount;
	const units = fits ? unitsOf(amounts, Math.round(amount / unit), unit) : amounts.map((one) => Math.round(one / unit));
	return parts.map((part, n) => (known(part) ? shown(units[n] ?? 0, amounts[n] ?? 0, decimals) : DASH));
}

/** Used, unused and idle as they add up to the cost. */
export const costTexts = (parts: CostParts): string[] => moneyParts(parts.cost_usd, [parts.used_usd, parts.unused_usd, parts.idle_usd]);

export interface RowTexts {
	/** Used, unused, idle. */
	parts: string[];
	cost: string;
	/** What its hosts cost without tasks. */
	none: string;
	/** cost and none together. */
	all: string;
}

/** The amounts of a row with as many digits as the largest one has: the parts add up to the cost, and cost and none to all. */
export function rowTexts(row: CostParts & { unallocated_usd: number | null }): RowTexts {
	const { cost_usd, unallocated_usd } = row;
	const own = [row.used_usd, row.unused_usd, row.idle_usd];
	if (!known(cost_usd) || !known(unallocated_usd) || !own.every(known)) {
		return { parts: costTexts(row), cost: money(cost_usd), none: money(unallocated_usd), all: money(known(cost_usd) ? sumOf([cost_usd, unallocated_usd]) : null) };
	}
	const pair = [nanos(cost_usd), nanos(unallocated_usd)];
	const whole = nanos(cost_usd) + nanos(unallocated_usd);
	const decimals = decimalsOf(whole);
	const unit = 10 ** (MOST_DECIMALS - decimals);
	const [cost = 0, none = 0] = unitsOf(pair, Math.round(whole / unit), unit);
	const amounts = own.map((usd) => nanos(usd ?? 0));
	const units = unitsOf(amounts, cost, unit);
	return {
		parts: amounts.map((amount, n) => shown(units[n] ?? 0, amount, decimals)),
		cost: shown(cost, pair[0] ?? 0, decimals),
		none: shown(none, pair[1] ?? 0, decimals),
		all: text(cost + none, decimals),
	};
}

/** The sum of the amounts that are known; null: none is. */
export function sumOf(amounts: readonly Maybe[]): number | null {
	const all = amounts.filter(known);
	return all.length > 0 ? all.reduce((sum, one) => sum + nanos(one), 0) / NANO : null;
}
