// SPDX-License-Identifier: Apache-2.0
// A run replayed otherwise, beside what the API says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUntil, settled } from "./browser.mjs";
import { HEAD, reading } from "./reader.mjs";

const query = (page) => new URL(page.url()).searchParams;

/** The page shows the answer to what its address asks. */
async function answered(reader, browser) {
	const { page, path } = reader.now();
	const asked = new URLSearchParams([...query(page)].filter(([name]) => ["cores", "memory", "step", "no_queue"].includes(name)));
	const answer = await browser.api(`${path}/whatif?${asked}`);
	const tiles = page.locator(".whatif .tiles");
	const predicted = answer.predicted ? String(answer.predicted.wall_s) : "";
	await reader.shows(() => tiles.getAttribute("data-predicted"), predicted, `what is predicted of ${asked}`);
	if (answer.refused) assert.ok((await page.innerText("[data-refused]")).includes(answer.refused), "the refusal in its own words");
	else {
		for (const name of ["measured", "predicted"]) {
			const drawn = answer.tasks.filter((task) => task[name === "measured" ? "began_s" : "predicted_began_s"] !== null).length;
			await reader.shows(() => page.getAttribute(`[data-lanes=${name}]`, "data-bars").then(Number), drawn, `a bar for each task, ${name}`);
		}
		const gains = await page.locator("[data-gain]").evaluateAll((all) => all.map((one) => one.dataset.gain));
		assert.deepEqual(gains.slice(0, answer.steps.length), answer.steps.map((step) => step.name), "the step that saves most first");
		const words = await page.innerText(".assumptions");
		for (const { text } of answer.assumptions) assert.ok(words.includes(text.replaceAll("`", "")), text);
	}
	// An answer that equals the one before may still be on its way.
	await page.waitForFunction(() => document.querySelector(".whatif")?.ariaBusy !== "true", undefined, { polling: 100 });
	return answer;
}

export function whatif(browser, world) {
	reading(browser, world, "what if", (reader) => {
		test("a run is replayed as it was, then otherwise: the address keeps what is asked", async () => {
			const { page, report } = reader.now();
			await browser.visit(page, reader.here("whatif"));
			const button = page.getByRole("button", { name: "As it was" });
			assert.equal(await button.isDisabled(), true, "nothing is asked");
			await answered(reader, browser);
			const cores = page.getByRole("slider", { name: "Cores" });
			const before = await cores.getAttribute("aria-valuetext");
			await cores.focus();
			await page.keyboard.press("End");
			await readUntil(page, () => query(page).get("cores"), (value) => value !== null);
			assert.notEqual(await cores.getAttribute("aria-valuetext"), before, "the slider says what it stands at");
			await answered(reader, browser);
			await page.getByRole("checkbox", { name: /No queue/ }).check();
			await reader.shows(() => query(page).get("no_queue"), "true", "in the address");
			const step = report.steps.find((one) => one.name && !one.name.includes(","))?.name;
			await page.locator(`[data-gain="${step}"] select`).selectOption("0.5");
			await reader.shows(() => query(page).get("step"), `${step}:0.5`, "in the address, too");
			const answer = await answered(reader, browser);
			await reader.served("run-whatif", HEAD);
			await page.reload();
			await settled(page);
			await page.waitForSelector(".whatif .tiles");
			assert.equal(await page.locator(`[data-gain="${step}"] select`).inputValue(), "0.5", "a link shows the same");
			await reader.shows(() => page.getAttribute(".whatif .tiles", "data-predicted"), answer.predicted ? String(answer.predicted.wall_s) : "", "and says the same");
			await button.click();
			await reader.shows(() => button.isDisabled(), true, "as it was");
			assert.equal(query(page).get("step"), null);
		});

		test("what cannot be predicted is refused in words, and can be taken back", async () => {
			const { page, path } = reader.now();
			await reader.turnTo(`${reader.here("whatif")}&cores=100000`);
			const { refused } = await browser.api(`${path}/whatif?cores=100000`);
			assert.ok(refused, "so many cores are beyond what was seen");
			assert.ok((await page.innerText("[data-refused]")).includes(refused));
			await answered(reader, browser);
			await reader.served("run-whatif-refused", HEAD);
			await page.getByRole("button", { name: "As it was" }).click();
			await reader.shows(() => query(page).get("cores"), null, "taken back");
		});

		test("an address that asks for what cannot be read says what is wrong", async () => {
			const page = await browser.page(browser.session, ["400"]);
			await browser.visit(page, `${reader.here("whatif")}&cores=many`);
			await page.waitForSelector("text=cores must be a number");
			await page.getByRole("button", { name: "As it was" }).click();
			await page.waitForSelector(".whatif .tiles");
			await page.close();
		});
	});
}
