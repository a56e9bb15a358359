// SPDX-License-Identifier: Apache-2.0
import { chainOf } from "../lib/evidence";
import type { ChainLink } from "../lib/evidence";
import { plain } from "../lib/format";
import type { Finding } from "../lib/model_findings";
import { viewAddress } from "../lib/route";
import { Shape } from "./status";

// The processes from the one that reported a failure to the one that caused it: "bash › bwa mem ✗".

function Link({ run, link, last }: { run: string; link: ChainLink; last: boolean }) {
	const name = <code>{link.tool}</code>;
	return (
		<li class={last ? "chain-cause" : ""}>
			{link.query ? <a href={viewAddress(run, link.query)}>{name}</a> : name}
			{link.times > 1 && <span class="chain-end">× {link.times}</span>}
			{link.end && <span class="chain-end">{link.end}</span>}
			{last && <Shape of="failed" />}
		</li>
	);
}

/** Of one process there is no chain. */
export function Chain({ run, finding }: { run: string; finding: Finding }) {
	const links = chainOf(finding);
	const reader = typeof finding.evidence.reader === "string" ? plain(finding.evidence.reader) : "";
	if (links.length < 2 && reader === "") return null;
	return (
		<ol class="chain" aria-label="From the process that reported the failure to the one that caused it" data-chain={links.length}>
			{links.map((link, n) => (
				<Link key={n} run={run} link={link} last={n === links.length - 1} />
			))}
			{reader && (
				<li class="chain-reader">
					<code>{reader}</code>
					<span class="chain-end">ended first</span>
				</li>
			)}
		</ol>
	);
}
