// SPDX-License-Identifier: Apache-2.0
import { useGet } from "../../lib/api";
import { costPath } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import type { CostAnswer } from "../../lib/cost/model_cost";
import { money, moneyParts, sumOf } from "../../lib/cost/money";
import { count, exact, percent, plain } from "../../lib/format";
import { StackedBar, Unknown } from "../../lib/widgets";
import type { Part } from "../../lib/widgets";

// The sum, and what it consists of.

export const PARTS = [
	{ key: "used", name: "used", help: "What tasks used of what they held", tone: "used" },
	{ key: "unused", name: "reserved but unused", help: "What tasks asked for and did not use", tone: "unused" },
	{ key: "idle", name: "idle beside tasks", help: "What no task held of a host that had tasks: divided among them", tone: "idle" },
	{ key: "none", name: "hosts without tasks", help: "Hosts that were up while no task was on them", tone: "none" },
] as const;

/** null: nothing of it is known. Who may read only some runs sees their sum. */
export function wholeOf(answer: CostAnswer): { whole: number | null; parts: (number | null)[] } {
	const own = (part: "used_usd" | "unused_usd" | "idle_usd") => answer[part] ?? sumOf(answer.rows.map((row) => row[part]));
	const parts = [own("used_usd"), own("unused_usd"), own("idle_usd"), answer.nobody_usd];
	return { whole: answer.whole_usd ?? sumOf(parts), parts };
}

/** How much of it a bill says. */
function source(answer: CostAnswer, whole: number): string {
	const billed = answer.billed_usd ?? 0;
	if (billed <= 0) return "by list price";
	return billed >= whole ? "as billed" : `${money(billed)} (${percent(billed / whole)}) as billed, the rest by list price`;
}

/** Hosts without a price, by name. */
function Unpriced({ answer, asked, now }: HeadProps) {
	const byHost = answer.by === "host";
	const other = useGet<CostAnswer>(byHost ? null : costPath({ ...asked, by: "host", over: "day" }, now)).data;
	const hosts = ((byHost ? answer : other)?.rows ?? []).filter((row) => row.cost_usd === null);
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
	const { whole, parts } = wholeOf(answer);
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
					{whole !== null && <span class="muted"> {plain(answer.currency) === "USD" ? "" : plain(answer.currency)} {source(answer, whole)}</span>}
				</p>
				<StackedBar parts={bar} label="The sum, by part" />
			</div>
			{answer.unpriced_hosts > 0 && <Unpriced {...{ answer, asked, now }} />}
		</>
	);
}
