// SPDX-License-Identifier: Apache-2.0
import { Chain } from "./chain";
import { concernedOf, figuresOf, inOrder, pairsText, placesOf, runBefore, titleOf, unitName } from "../lib/evidence";
import type { RunPlace } from "../lib/evidence";
import { byName, exact, duration, label, plain, usd } from "../lib/format";
import type { Finding } from "../lib/model_findings";
import { certainty } from "../lib/tune/expected";
import { Prose, ProseLines } from "../lib/prose";
import { compareAddress, viewAddress } from "../lib/route";
import { Copy } from "../lib/widgets";
import { Shape } from "./status";

// The findings of a run: what happened, why, what to do, and where to see it.

/** One piece of evidence as text; of a list its first items. */
function shown(name: string, value: unknown): string {
	if (name === "sure" && typeof value === "number") return certainty(value);
	if (!Array.isArray(value)) return pairsText(value) ?? byName(name, value);
	const first = value.slice(0, 2).map((one) => byName(name, one));
	return first.join(", ") + (value.length > 2 ? ` and ${value.length - 2} more` : "");
}

export function Evidence({ finding }: { finding: Pick<Finding, "evidence" | "subject"> }) {
	const entries = figuresOf(finding);
	const lists = (value: unknown): number => (typeof value === "number" ? 0 : 1);
	entries.sort(([, a], [, b]) => lists(a) - lists(b));
	if (entries.length === 0) return null;
	return (
		<dl class="evidence">
			{entries.map(([name, value]) => (
				<div key={name} title={`${plain(name)} = ${plain(JSON.stringify(value))}`}>
					<dt>{label(name)}</dt>
					<dd>{shown(unitName(finding.evidence, name), value)}</dd>
				</div>
			))}
		</dl>
	);
}

function Savings({ finding }: { finding: Finding }) {
	const parts: string[] = [];
	if (finding.saves_usd !== null && finding.saves_usd > 0) parts.push(usd(finding.saves_usd));
	if (finding.saves_s !== null && finding.saves_s > 0) parts.push(duration(finding.saves_s));
	if (parts.length === 0) return null;
	return (
		<span class="saves" title={finding.saves_usd !== null ? exact.usd(finding.saves_usd) : undefined}>
			could save {parts.join(" and ")}
		</span>
	);
}

const CONFIDENCE: Record<string, string> = {
	medium: "It follows from the records with one assumption",
	low: "Nothing speaks against it, and no more",
};

/** Only of what the records do not show outright. */
function Confidence({ of }: { of: string }) {
	if (of === "high" || !of) return null;
	return (
		<span class="chip" title={CONFIDENCE[of]} data-confidence={of}>
			{plain(of)} confidence
		</span>
	);
}

const MOST_NAMES = 3;

function Concerned({ run, finding }: { run: RunPlace; finding: Finding }) {
	const { names, more } = concernedOf(finding);
	if (names.length === 0) return null;
	const rest = more + Math.max(0, names.length - MOST_NAMES);
	return (
		<p class="concerned">
			{names.slice(0, MOST_NAMES).map((name, n) => (
				<span key={n}>
					<a href={viewAddress(run.id, { tab: "tasks", filter: name })}>{plain(name)}</a>
				</span>
			))}
			{rest > 0 && <span class="muted">and {rest} more</span>}
		</p>
	);
}

function Places({ run, finding }: { run: RunPlace; finding: Finding }) {
	const places = placesOf(finding, run);
	const before = runBefore(finding);
	if (places.length === 0 && !before) return null;
	return (
		<p class="places">
			{places.map((place) => (
				<a key={place.text} href={viewAddress(run.id, place.query)}>
					{place.text} <span aria-hidden="true">→</span>
				</a>
			))}
			{before && (
				<a href={compareAddress(run.id, before)}>
					Compare with the run before <span aria-hidden="true">→</span>
				</a>
			)}
		</p>
	);
}

export function Advice({ text }: { text: string }) {
	return (
		<div class="advice">
			<span class="advice-title">What to do</span>
			<p class="advice-text">
				<ProseLines text={text} />
			</p>
			<Copy text={text} />
		</div>
	);
}

interface CardProps {
	/** null: it is about no single run, and there is nothing to lead to. */
	run: RunPlace | null;
	finding: Finding;
}

function Card({ run, finding }: CardProps) {
	/** On its own page a run need not be named. */
	const own = run !== null && finding.subject.startsWith("run ");
	const command = finding.evidence.command;
	return (
		<article class={`finding is-${plain(finding.severity)}`} data-finding={finding.kind} data-severity={finding.severity}>
			<header>
				<span class={`finding-sign is-${plain(finding.severity)}`} title={plain(finding.severity)}>
					<Shape of={finding.severity} />
					<span class="unseen">{plain(finding.severity)}:</span>
				</span>
				<h2>{titleOf(finding)}</h2>
				{!own && <span class="finding-subject">{plain(finding.subject)}</span>}
				<Confidence of={finding.confidence} />
				<Savings finding={finding} />
			</header>
			<p class="finding-text">
				<Prose text={finding.summary} />
			</p>
			{run !== null && <Chain run={run.id} finding={finding} />}
			{typeof command === "string" && command !== "" && (
				<code class="finding-command" tabIndex={0}>
					{plain(command)}
				</code>
			)}
			{run !== null && <Concerned run={run} finding={finding} />}
			<Evidence finding={finding} />
			{run !== null && <Places run={run} finding={finding} />}
			{finding.advice && <Advice text={finding.advice} />}
		</article>
	);
}

/** A limit, so that the tabs below the findings stay visible. */
const MOST = 4;

interface FindingsProps {
	run?: RunPlace | null;
	findings: readonly Finding[];
}

export function Findings({ run = null, findings }: FindingsProps) {
	if (findings.length === 0) return null;
	const cards = inOrder(findings).map((finding, n) => <Card key={`${finding.kind} ${finding.subject} ${n}`} {...{ run, finding }} />);
	const more = cards.slice(MOST);
	return (
		<>
			<section class={`findings${cards.length === 1 ? " only" : ""}`} aria-label="Findings">
				{cards.slice(0, MOST)}
			</section>
			{more.length > 0 && (
				<details class="more-findings">
					<summary>
						{more.length} more finding{more.length === 1 ? "" : "s"}
					</summary>
					<div class="findings">{more}</div>
				</details>
			)}
		</>
	);
}
