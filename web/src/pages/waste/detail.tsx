// SPDX-License-Identifier: Apache-2.0
import { ago, plain, when } from "../../lib/format";
import { Prose } from "../../lib/prose";
import { silenceLines } from "../../lib/waste/silence";
import type { WasteRow } from "../../lib/waste/model_waste";
import { CONFIDENCE, isOpen, OUTCOMES, placesOf } from "../../lib/waste/waste";
import { Copy } from "../../lib/widgets";
import { Advice, Evidence } from "../findings";

// A finding in full: what is known of it, what to do, how to end it, how to silence it.

/** Text to copy as it is. */
function Block({ name, text }: { name: string; text: string }) {
	return (
		<div class="waste-block">
			<pre tabIndex={0} aria-label={name}>
				<code>{text.split("\n").map(plain).join("\n")}</code>
			</pre>
			<Copy text={text} />
		</div>
	);
}

function Command({ row, runOn }: { row: WasteRow; runOn: string }) {
	if (!row.command) return null;
	return (
		<section class="waste-part" aria-label="The command that ends it" data-command>
			<h2>This would end it</h2>
			<p class="muted">
				Tracer never runs it. Read it, and run it yourself
				{runOn && (
					<>
						{" "}
						on <b>{plain(runOn)}</b>
					</>
				)}{" "}
				if it is right.
			</p>
			<Block name="Command" text={row.command} />
		</section>
	);
}

function Silence({ row, hostname }: { row: WasteRow; hostname: string }) {
	return (
		<details class="waste-part" data-silence>
			<summary>How to silence this</summary>
			<p class="muted">
				In <code>/etc/tracer/waste.yaml</code> on the host of the lake, which reads it when it starts. Leave <code>kind</code> out to silence all kinds.
			</p>
			<Block name="Lines of waste.yaml" text={silenceLines(row, hostname)} />
		</details>
	);
}

function Course({ row, now }: { row: WasteRow; now: number }) {
	const outcome = OUTCOMES[row.outcome ?? ""];
	return (
		<p class="muted">
			Since {when(row.since_at, now)}
			{row.found_at !== null && `, found ${ago(row.found_at, now)}`}.{" "}
			{!isOpen(row) && `Ended ${ago(row.ended_at, now)}: ${outcome ? `${outcome[0].toLowerCase()}. ${outcome[1]}` : plain(row.outcome) || "why is not known"}. `}
			{row.confidence !== "high" && CONFIDENCE[row.confidence] && `Confidence ${plain(row.confidence)}: ${CONFIDENCE[row.confidence]?.toLowerCase()}.`}
		</p>
	);
}

function Places({ row }: { row: WasteRow }) {
	const places = placesOf(row);
	if (places.length === 0) return null;
	return (
		<p class="places">
			{places.map(([text, href]) => (
				<a key={text} href={href}>
					{text} <span aria-hidden="true">→</span>
				</a>
			))}
		</p>
	);
}

export function Detail({ row, hostname, runOn, now }: { row: WasteRow; hostname: string; runOn: string; now: number }) {
	return (
		<article class="waste-detail" data-detail={row.kind}>
			<p class="finding-text">
				<Prose text={row.summary} />
			</p>
			<Course {...{ row, now }} />
			<Evidence finding={{ evidence: row.evidence, subject: row.name }} />
			<Places row={row} />
			{row.advice && <Advice text={row.advice} />}
			<Command {...{ row, runOn }} />
			<Silence {...{ row, hostname }} />
		</article>
	);
}
