// SPDX-License-Identifier: Apache-2.0
// The order of rows in a table: by which column, as the address names it ("-wall_s"), and how its values compare.

export type Value = number | string | null | undefined;

export interface Order {
	key: string;
	down: boolean;
}

export function parseOrder(text: string | null | undefined, otherwise: Order): Order {
	if (!text) return otherwise;
	return text.startsWith("-") ? { key: text.slice(1), down: true } : { key: text, down: false };
}

export const orderText = (order: Order): string => (order.down ? "-" : "") + order.key;

const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Numbers by size, words as people sort them (sample2 before sample10). */
export function compare(a: Value, b: Value): number {
	if (typeof a === "number" && typeof b === "number") return a - b;
	return words.compare(String(a), String(b));
}

const unknown = (value: Value): boolean =>
	value === null || value === undefined || value === "" || (typeof value === "number" && Number.isNaN(value));

/** A sorted copy. Rows with an unknown value come last in both directions; equal rows keep their order. */
export function sorted<R>(rows: readonly R[], value: (row: R) => Value, down: boolean): R[] {
	const sign = down ? -1 : 1;
	return rows
		.map((row, index) => ({ row, index, value: value(row) }))
		.sort((a, b) => {
			const nowhere = Number(unknown(a.value)) - Number(unknown(b.value));
			if (nowhere !== 0) return nowhere;
			if (unknown(a.value)) return a.index - b.index;
			return sign * compare(a.value, b.value) || a.index - b.index;
		})
		.map((entry) => entry.row);
}

/** Whether each word of the filter occurs in one of the texts. */
export function matches(filter: string, texts: readonly (string | null | undefined)[]): boolean {
	const all = texts.join("\n").toLowerCase();
	return filter.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
