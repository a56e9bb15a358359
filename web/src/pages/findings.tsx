// SPDX-License-Identifier: Apache-2.0
import { byName, exact, duration, label, plain, usd } from "../lib/format";
import type { Finding } from "../lib/model";
import { Copy } from "../lib/widgets";
import { Shape } from "./status";

// The findings of a run: advice with its evidence.

const WEIGHT: Record<string, number> = { critical: 0, warning: 1, info: 2 };

/** One piece of evidence as text; of a list its first items. */
function shown(name: string, value: unknown): string {
	if (!Array.isArray(value)) return byName(name, value);
	const first = value.slice(0, 2).map((one) => byName(name, one));
	return first.join(", ") + (value.length > 2 ? ` and ${value.length - 2} more` : "");
}

function Evidence({ finding }: { finding: Finding }) {
	const entries = Object.entries(finding.evidence ?? {}).filter(
		([, value]) => !(typeof value === "string" && finding.subject.includes(value)),
	);
	const lists = (value: unknown): number => (typeof value === "number" ? 0 : 1);
	entries.sort(([, a], [, b]) => lists(a) - lists(b));
	if (entries.length === 0) return null;
	return (
		<dl class="evidence">
			{entries.map(([name, value]) => (
				<div key={name} title={`${plain(name)} = ${plain(JSON.stringify(value))}`}>
					<dt>{label(name)}</dt>
					<dd>{shown(name, value)}</dd>
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

function Card({ finding }: { finding: Finding }) {
	return (
		<article class={`finding is-${plain(finding.severity)}`} data-finding={finding.kind}>
			<header>
				<span class={`badge is-${plain(finding.severity)}`}>
					<Shape of={finding.severity} />
					{plain(finding.severity)}
				</span>
				<h2>{plain(finding.subject)}</h2>
				<Savings finding={finding} />
			</header>
			<p>{plain(finding.summary)}</p>
			<Evidence finding={finding} />
			{finding.advice && (
				<div class="advice">
					<span class="advice-title">What to do</span>
					<p class="advice-text">
						{finding.advice.split("\n").map((line, n) => (
							<span key={n}>{plain(line)}</span>
						))}
					</p>
					<Copy text={finding.advice} />
				</div>
			)}
		</article>
	);
}

/** A limit, so that the tabs below the findings stay visible. */
const MOST = 4;

export function Findings({ findings }: { findings: readonly Finding[] }) {
	if (findings.length === 0) return null;
	const ordered = [...findings].sort((a, b) => (WEIGHT[a.severity] ?? 3) - (WEIGHT[b.severity] ?? 3));
	const cards = ordered.map((finding, n) => <Card key={`${finding.kind} ${finding.subject} ${n}`} finding={finding} />);
	const more = cards.slice(MOST);
	return (
		<>
			<section class="findings" aria-label="Findings">
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
