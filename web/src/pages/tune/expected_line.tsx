// SPDX-License-Identifier: Apache-2.0
import { Fragment } from "preact";
import { plain } from "../../lib/format";
import { stepAddress, viewAddress } from "../../lib/route";
import { endText, judgementOf, remainingText, sureText, typicalText } from "../../lib/tune/expected";
import type { Expected, ExpectedRun, Unusual } from "../../lib/tune/model_expected";
import { Prose } from "../../lib/prose";
import { Shape } from "../status";

// In the head of a run: whether it is as usual, and when it ends.

const SHAPES = { "as usual": "succeeded", "not as usual": "warning", "not enough history": "info" } as const;
/** Steps that are named in the line. */
const MOST_NAMES = 4;

function StepNames({ steps, run, pipeline }: { steps: readonly string[]; run: string; pipeline: string }) {
	if (steps.length === 0) return null;
	return (
		<>
			{": "}
			{steps.slice(0, MOST_NAMES).map((step, n) => (
				<Fragment key={step}>
					{n > 0 && ", "}
					<a href={stepAddress(pipeline, step, run)}>{plain(step)}</a>
				</Fragment>
			))}
			{steps.length > MOST_NAMES && ` and ${steps.length - MOST_NAMES} more`}
		</>
	);
}

function UnusualList({ unusual, run }: { unusual: readonly Unusual[]; run: string }) {
	if (unusual.length === 0) return null;
	return (
		<details class="unusual">
			<summary>What is not as usual</summary>
			<ul>
				{unusual.map((one, n) => (
					<li key={n} data-unusual={one.kind} title={typicalText(one)}>
						<b>{plain(one.task_name ?? one.step)}:</b> {one.text ? <Prose text={one.text} /> : typicalText(one)}
						{one.so_far && " (so far)"} <span class="muted">{sureText(one.confidence)}</span>
						{one.task_id && <> <a href={viewAddress(run, { task: one.task_id, zoom: "task" })}>Timeline</a></>}
					</li>
				))}
			</ul>
		</details>
	);
}

function Ends({ run, now }: { run: ExpectedRun; now: number }) {
	const share = run.progress === null ? null : Math.min(1, Math.max(0, run.progress));
	const text = endText(run, now);
	return (
		<p class="ends" data-expected-end={run.expected_end_at ?? ""}>
			{share !== null && (
				<>
					<span class="ends-bar" role="progressbar" aria-label="Progress of the run" aria-valuenow={Math.round(share * 100)} aria-valuemin={0} aria-valuemax={100}>
						<i style={{ width: `${share * 100}%` }} />
					</span>
					<b>{Math.floor(share * 100)} %</b>
				</>
			)}
			<span title={run.low_at ? "Of a hundred such intervals 80 hold the end" : undefined}>
				{text.charAt(0).toUpperCase() + text.slice(1)}
			</span>
			{run.expected_end_at && <span class="muted">{remainingText(run, now)}</span>}
		</p>
	);
}

interface ExpectedLineProps {
	expected: Expected;
	pipeline: string;
	now: number;
}

export function ExpectedLine({ expected, pipeline, now }: ExpectedLineProps) {
	const judged = judgementOf(expected);
	const runs = expected.status === "running" ? (expected.run ?? null) : null;
	if (!judged && !runs) return null;
	return (
		<div class="run-expected">
			{judged && (
				<div class={`usual is-${judged.usual.replace(/ /g, "-")}`} data-usual={judged.usual}>
					<Shape of={SHAPES[judged.usual]} />
					<span>
						{judged.text}
						<StepNames steps={judged.steps} run={expected.id} pipeline={pipeline} />
					</span>
					<UnusualList unusual={expected.unusual} run={expected.id} />
				</div>
			)}
			{runs && <Ends run={runs} now={now} />}
		</div>
	);
}
