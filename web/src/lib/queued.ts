// SPDX-License-Identifier: Apache-2.0
import { duration } from "./format";
import type { Task } from "./model";

// Text about what a task waited for before it began.

const LACKS = { cores: "for cores", memory: "for memory", executor: "held back by its executor" };

/** "3m 02s, for cores". */
export function queuedText({ queued_s, queued_for }: Pick<Task, "queued_s" | "queued_for">): string {
	return queued_for === null ? duration(queued_s) : `${duration(queued_s)}, ${LACKS[queued_for]}`;
}
