// SPDX-License-Identifier: Apache-2.0
import { count, plain, when } from "../lib/format";
import type { Loss } from "../lib/model";
import type { Host } from "../lib/model_host";

// Missing records and why they are missing: of a run while it ran, of hosts within a week.

export function LossLine({ loss, host }: { loss: Loss; host?: string }) {
	const number = loss.count === null || loss.count === 0 ? "an unknown number of" : count(loss.count);
	return (
		<li>
			{host !== undefined && `${host}: `}
			{number} <b>{plain(loss.what)}</b> record{loss.count === 1 ? "" : "s"}, {when(loss.since_at)} to {when(loss.until_at)}:{" "}
			{plain(loss.why)}
		</li>
	);
}

const SHOWN = 20;

/** The losses of each host, the most records first. */
export function lossesOf(hosts: readonly Host[]): { host: string; loss: Loss }[] {
	return hosts
		.flatMap((host) => (host.losses ?? []).map((loss) => ({ host: plain(host.hostname) || host.id, loss })))
		.sort((a, b) => (b.loss.count ?? 0) - (a.loss.count ?? 0));
}

export function HostLosses({ hosts }: { hosts: readonly Host[] }) {
	const all = lossesOf(hosts);
	if (all.length === 0) return null;
	return (
		<section class="notice is-warning" role="note" data-host-losses={all.length}>
			<b>What is not known, of the last 7 days</b>
			<p>Lost on the way, or kept out because it cannot be. Figures of that time may be too small; none is made up.</p>
			<ul>
				{all.slice(0, SHOWN).map(({ host, loss }, n) => (
					<LossLine key={n} loss={loss} host={host} />
				))}
				{all.length > SHOWN && <li>and {count(all.length - SHOWN)} more</li>}
			</ul>
		</section>
	);
}
