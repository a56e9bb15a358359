// SPDX-License-Identifier: Apache-2.0

// What one task's cost rests on. Pure.

/** What a host costs in so many seconds by that price; null: not known. */
export function hostCost(seconds: number | null, usd_hour: number | null | undefined): number | null {
	if (seconds === null || usd_hour === null || usd_hour === undefined || usd_hour <= 0) return null;
	return (seconds / 3600) * usd_hour;
}
