// SPDX-License-Identifier: Apache-2.0
// Hosts and GPUs, beside what the API says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, settled } from "./browser.mjs";
import { accessible, reading } from "./reader.mjs";

/** The page shows each GPU that has a sample, with the curves of the figures that its driver reports. */
export async function gpusOf(page, { gpus, gpu_samples: samples }) {
	const seen = gpus.filter((gpu) => samples.some((sample) => sample.uuid === gpu.uuid));
	if (seen.length === 0) return assert.equal(await page.locator("[data-gpus]").count(), 0);
	await page.waitForSelector(`[data-gpus="${seen.length}"]`);
	for (const gpu of seen) {
		const own = samples.filter((sample) => sample.uuid === gpu.uuid);
		const reported = (key) => (own.some((sample) => sample[key] !== null) ? 1 : 0);
		const section = page.locator(`[data-gpu="${gpu.uuid}"]`);
		assert.equal(await section.locator("[data-chart=gpu-busy]").count(), reported("busy_ns"));
		assert.equal(await section.locator("[data-chart=gpu-memory]").count(), reported("memory_used_bytes"));
		assert.equal(await section.locator("[data-chart=gpu-power]").count(), reported("power_mean_mw"));
		assert.equal(/held back/.test(await section.innerText()), own.some((sample) => sample.throttled_ns > 0));
	}
}

export function hosts(browser, world) {
	reading(browser, world, "hosts", (reader) => {
		test("hosts show their use and price", async () => {
			const { page } = reader.now();
			const { hosts: all } = await browser.api("/hosts");
			await browser.visit(page, "/hosts");
			assert.equal(await rowsOf(page, "Hosts"), all.length);
			const losses = all.flatMap((host) => host.losses);
			assert.equal(await page.locator("[data-host-losses] li").count(), Math.min(losses.length, 20), "what is not known of the hosts");
			for (const { why } of losses.slice(0, 3)) assert.ok((await page.innerText("[data-host-losses]")).includes(why), why);
			const waste = await browser.api("/waste?days=7");
			const idle = waste.hosts.filter((host) => host.idle_s !== null).length;
			const known = () => page.locator('td[data-column="idle"]').allInnerTexts().then((cells) => cells.filter((text) => text.trim() !== "–").length);
			await reader.shows(known, idle, "hosts of which the idle time is known");
			await reader.served("hosts");
			await page.click('td[data-column="hostname"] a');
			await settled(page);
			await page.waitForSelector("[data-page=host]");
			await page.waitForSelector("[data-chart=cpu], .empty");
			await reader.served("host");
		});

		test("the GPUs of each host are shown over time", async () => {
			const { page } = reader.now();
			for (const { id } of (await browser.api("/hosts")).hosts) {
				const host = await browser.api(`/hosts/${encodeURIComponent(id)}?hours=1`);
				await reader.turnTo(`/hosts/${encodeURIComponent(id)}`);
				if (host.samples.length >= 2) await gpusOf(page, host);
				await browser.shot(page, host.gpu_samples.length > 0 ? "host-gpus" : "host-plain");
				await accessible(page);
			}
		});
	});
}
