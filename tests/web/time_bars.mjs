// SPDX-License-Identifier: Apache-2.0
// The bars of a table that say where time went.
import assert from "node:assert/strict";

export const WALLS = ["computing", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "poll", "other", "child", "sleep", "unknown"].map((name) => `wall_${name}`);
export const STATES = ["user", "kernel", "runnable", "disk", "paging", "network", "pipe_read", "pipe_write", "lock", "poll", "other"];

export const times = (rows, state) => rows.reduce((sum, row) => sum + (row[`${state}_ns`] ?? 0), 0);

/** The bar of each row names its largest wait; it is one of wall time where that is known, until thread time is asked for. */
export async function barsOf(reader, rows) {
	const { page } = reader;
	const cells = page.locator('tbody td[data-column="times"]');
	assert.ok((await cells.count()) > 0);
	const known = rows.filter((row) => row.threads_ns > 0).length;
	const ofWall = rows.filter((row) => WALLS.slice(0, -1).some((state) => row[`${state}_ns`] > 0)).length;
	const walls = () => cells.locator('.states:has([class^="state-wall_"])').count();
	if (rows.length <= 60) {
		assert.equal(await cells.locator(".states").count(), known, "a bar in each row of which times are known");
		assert.equal(await walls(), ofWall, "a bar of wall time where that is known");
		await page.locator(".run-figures").getByRole("button", { name: "Thread time" }).click();
		await reader.shows(walls, 0, "thread time");
		await page.locator(".run-figures").getByRole("button", { name: "Wall time" }).click();
		await reader.shows(walls, ofWall, "wall time again");
	}
	for (const words of await cells.allInnerTexts()) assert.match(words.trim(), /^$|^–$|^[a-z ()]+ (< )?[\d.]+ %$/i);
}
