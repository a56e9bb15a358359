// SPDX-License-Identifier: Apache-2.0
import { useGet } from "../../lib/api";
import { hostsPath } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import type { CostAnswer } from "../../lib/cost/model_cost";
import { money, moneyParts } from "../../lib/cost/money";
import { count, exact, plain } from "../../lib/format";
import { StackedBar, Unknown } from "../../lib/widgets";
import type { Part } from "../../lib/widgets";

// The sum, and what it consists of.

export const PARTS = [
	{ key: "used", name: "used", help: "What tasks used of what they held", tone: "used" },
	{ key: "unused", name: "reserved but unused", help: "What tasks asked for and did not use", tone: "unused" },
	{ key: "idle", name: "idle beside tasks", help: "What no task held of a host that had tasks: divided among them", tone: "idle" },
	{ key: "none", name: "hosts without tasks", help: "Hosts that were up while no task was on them", tone: "none" },
] as const;

/** Of all hosts; where only some costs are shown, their sum. null: nothing of it is known. */
export const wholeOf = (answer: CostAnswer): number | null => answer.whole_usd ?? answer.cost_usd;

const source = (answer: CostAnswer): string =>
	answer.billed ? "as billed, as far as there is a bill; else by the prices of the hosts" : "by the prices of the hosts: there is no bill of this time";

/** Hosts without a price, by name. */
function Unpriced({ answer, asked, now }: HeadProps) {
	const hosts = (useGet<CostAnswer>(hostsPath(asked, now)).data?.rows ?? []).filter((row) => row.cost_usd === null);
	const n = answer.unpriced_hosts;
	return (
		<div class="notice" data-unpriced={n}>
			<b>
				No price is known for {count(n)} host{n === 1 ? "" : "s"}, at least for a part of this time: what {n === 1 ? "it costs" : "they cost"} then is not in the sum.
			</b>
			{hosts.length > 0 && (
				<p>
					{hosts.slice(0, MOST_HOSTS).map((host, at) => (
						<>
							{at > 0 && ", "}
							{host.id ? <a href={`/hosts/${encodeURIComponent(host.id)}`}>{plain(host.key) || host.id}</a> : plain(host.key)}
						</>
					))}
					{hosts.length > MOST_HOSTS && ` and ${count(hosts.length - MOST_HOSTS)} more`}
				</p>
			)}
			<p>
				<code>tracer prices</code> on a host says which price is used for it, and why. Give one with <code>price_usd_hour</code> in
				tracer.yaml, or for many machines in cost.yaml.
			</p>
		</div>
	);
}

const MOST_HOSTS = 12;

interface HeadProps {
	answer: CostAnswer;
	asked: Asked;
	now: number;
}

export function Head({ answer, asked, now }: HeadProps) {
	const whole = wholeOf(answer);
	const parts = [answer.used_usd, answer.unused_usd, answer.idle_usd, answer.whole_usd === null ? null : answer.unallocated_usd];
	const texts = moneyParts(whole, parts);
	const bar = PARTS.flatMap(({ name, tone, help }, n): Part[] => {
		const value = parts[n] ?? null;
		// A part that no row of this answer can have is left out; one that is 0 is not.
		if (value === null) return [];
		return [{ name, value, text: texts[n] ?? "", exact: `${exact.usd(value)}. ${help}`, tone: `cost-${tone}` }];
	});
	return (
		<>
			<div class="cost-head" data-whole={whole ?? ""}>
				<p class="cost-whole">
					<b title={exact.usd(whole)}>{whole === null ? <Unknown why="no price is known" /> : money(whole)}</b>
					{whole !== null && <span class="muted"> {source(answer)}</span>}
				</p>
				<StackedBar parts={bar} label="The sum, by part" />
			</div>
			{answer.unpriced_hosts > 0 && <Unpriced {...{ answer, asked, now }} />}
		</>
	);
}
