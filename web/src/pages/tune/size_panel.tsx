// SPDX-License-Identifier: Apache-2.0
import { count, cpus, plain } from "../../lib/format";
import { setQuery, stepAddress } from "../../lib/route";
import type { Kind, StepSize } from "../../lib/tune/model_sizes";
import { amountOf, basisText, cpusUsedText, escalationText, figure, historyText, riskText, slowdownText } from "../../lib/tune/sizes";

// What a step should request, thing by thing, and what that rests on.

const KINDS: readonly (readonly [Kind, string])[] = [["memory", "Memory"], ["time", "Time"], ["disk", "Disk"]];

function AmountRow({ step, kind, name }: { step: StepSize; kind: Kind; name: string }) {
	const amount = amountOf(step, kind);
	return (
		<tr data-amount={kind}>
			<th scope="row">{name}</th>
			<td class="number">{amount.requested === null ? "none" : figure(kind, amount.requested)}</td>
			<td class="number">{figure(kind, amount.highest)}</td>
			<td class="number">
				<b>{figure(kind, amount.advised)}</b>
			</td>
			<td>{basisText(amount)}</td>
			<td class="number">{riskText(amount.risk)}</td>
			<td>{historyText(amount)}</td>
		</tr>
	);
}

function CpuRow({ step }: { step: StepSize }) {
	const whole = (n: number | null) => (n !== null && Number.isInteger(n) ? count(n) : cpus(n));
	return (
		<tr data-amount="cpus">
			<th scope="row">CPUs</th>
			<td class="number">{step.cpus_requested === null ? "none" : whole(step.cpus_requested)}</td>
			<td class="number">{cpus(step.cpus_used_p95)}</td>
			<td class="number">
				<b>{whole(step.cpus_advised)}</b>
			</td>
			<td colSpan={3}>
				{cpusUsedText(step)}. {slowdownText(step)}
			</td>
		</tr>
	);
}

/** What else is to be known before a request is changed. */
function Notes({ step }: { step: StepSize }) {
	const escalation = escalationText(step);
	return (
		<ul class="size-notes">
			{step.out_of_memory > 0 && (
				<li>
					<b class="bad">{count(step.out_of_memory)}</b> of its attempts {step.out_of_memory === 1 ? "was" : "were"} killed for lack of memory.
				</li>
			)}
			{escalation && <li>Where a try fails for lack of memory or time: {escalation}.</li>}
			{step.program_memory && (
				<li data-program-memory>
					<b>An option sets the memory of its program:</b> {plain(step.program_memory)}. With a lower request it will use less, too, and may become slower.
				</li>
			)}
		</ul>
	);
}

export function StepSizePanel({ step, run, pipeline }: { step: StepSize; run: string; pipeline: string }) {
	return (
		<section class="panel" aria-label={`Sizes of ${plain(step.step)}`} data-step-size={step.step}>
			<header>
				<h2>{plain(step.step) || "(no step)"}</h2>
				{step.step && pipeline && <a href={stepAddress(pipeline, step.step, run)}>History of this step</a>}
				<button type="button" class="small" onClick={() => setQuery({ step: null })}>
					Close
				</button>
			</header>
			<div class="size-table" tabIndex={0} role="region" aria-label="Amounts">
				<table>
					<thead>
						<tr>
							<td />
							<th scope="col" class="number">Requested</th>
							<th scope="col" class="number">Used at most</th>
							<th scope="col" class="number">Advised</th>
							<th scope="col">Rests on</th>
							<th scope="col" class="number">Risk</th>
							<th scope="col">History</th>
						</tr>
					</thead>
					<tbody>
						<CpuRow step={step} />
						{KINDS.map(([kind, name]) => (
							<AmountRow key={kind} {...{ step, kind, name }} />
						))}
					</tbody>
				</table>
			</div>
			<Notes step={step} />
		</section>
	);
}
