// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { queuedText } from "../src/lib/queued";

test("what a task waited for is said where it is known", () => {
	expect(queuedText({ queued_s: 182, queued_for: "cores" })).toBe("3m 02s, for cores");
	expect(queuedText({ queued_s: 0.5, queued_for: "executor" })).toBe("500 ms, held back by its executor");
	expect(queuedText({ queued_s: 4, queued_for: null })).toBe("4.00 s");
});
