// SPDX-License-Identifier: Apache-2.0
import type { Status } from "../lib/model";
import type { Verdict } from "../lib/model_findings";
import { Prose } from "../lib/prose";
import { statusClass } from "./status";

// What there is to say about a run, in one sentence.

export function VerdictLine({ status, verdict }: { status: Status; verdict: Verdict }) {
	if (!verdict.text) return null;
	return (
		<p class={`verdict ${statusClass(status, verdict.failed_tools)}`} data-verdict={verdict.short}>
			<Prose text={verdict.text} />
		</p>
	);
}
