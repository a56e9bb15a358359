// SPDX-License-Identifier: Apache-2.0
// Groups rows by a key. Pure.

export interface Group<R> {
	key: string;
	rows: R[];
}

/** In the order in which each key first occurs. */
export function groupsOf<R>(rows: readonly R[], keyOf: (row: R) => string): Group<R>[] {
	const groups = new Map<string, Group<R>>();
	for (const row of rows) {
		const key = keyOf(row);
		const group = groups.get(key);
		if (group) group.rows.push(row);
		else groups.set(key, { key, rows: [row] });
	}
	return [...groups.values()];
}

/** null only where it is unknown for all rows. */
export function sumBy<R>(rows: readonly R[], valueOf: (row: R) => number | null | undefined): number | null {
	let sum: number | null = null;
	for (const row of rows) {
		const value = valueOf(row);
		if (value !== null && value !== undefined) sum = (sum ?? 0) + value;
	}
	return sum;
}

/** The different ones, in order. */
export const differing = (words: readonly (string | null)[]): string[] =>
	[...new Set(words.filter((word): word is string => !!word))].sort();
