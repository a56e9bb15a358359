// SPDX-License-Identifier: Apache-2.0
import { barOf, budgetAddress, byUrgency, keyText, outlook, STATE_WORDS } from "../../lib/cost/budget";
import type { Budget } from "../../lib/cost/budget";
import { money } from "../../lib/cost/money";
import { count, exact, plain } from "../../lib/format";
import { setQuery } from "../../lib/route";
import { Shape } from "../status";

// The budgets of this month: what is spent of them, and what is forecast.

const SHAPES = { ok: "succeeded", at_risk: "warning", exceeded: "failed" } as const;
const CLASSES = { ok: "is-succeeded", at_risk: "is-warning", exceeded: "is-failed" } as const;

function Card({ budget }: { budget: Budget }) {
	const bar = barOf(budget);
	const percent = (share: number) => `${share * 100}%`;
	const to = budgetAddress(budget);
	const name = plain(budget.name) || keyText(budget);
	const title = `spent ${exact.usd(budget.spent_usd)} of ${exact.usd(budget.usd_month)}, forecast ${exact.usd(budget.forecast_low_usd)} to ${exact.usd(budget.forecast_high_usd)}`;
	return (
		<li class="budget" data-budget={budget.state ?? ""} title={title}>
			<p class="budget-name">
				{to ? <a href={to}>{name}</a> : <b>{name}</b>}
				{budget.state && (
					<span class={`badge ${CLASSES[budget.state] ?? ""}`}>
						<Shape of={SHAPES[budget.state] ?? ""} />
						{STATE_WORDS[budget.state] ?? plain(budget.state)}
					</span>
				)}
			</p>
			<p>
				<b>{money(budget.spent_usd)}</b> <span class="muted">of {money(budget.usd_month)} in {plain(budget.month)}</span>
			</p>
			<div class={`budget-bar is-${budget.state ?? "unknown"}`} aria-hidden="true">
				<i class="budget-forecast" style={{ left: percent(bar.spent), width: percent(bar.high - bar.spent) }} />
				<i class="budget-low" style={{ left: percent(bar.spent), width: percent(bar.low - bar.spent) }} />
				<i class="budget-spent" style={{ width: percent(bar.spent) }} />
				<i class="budget-limit" style={{ left: percent(bar.limit) }} />
			</div>
			<p class="muted">{outlook(budget)}</p>
		</li>
	);
}

const MOST = 8;

/** Nothing where there is no budget. */
export function Budgets({ budgets, all }: { budgets: readonly Budget[]; all: boolean }) {
	if (budgets.length === 0) return null;
	const shown = byUrgency(budgets).slice(0, all ? budgets.length : MOST);
	return (
		<section aria-label="Budgets of this month" class="budgets">
			<ul data-budgets={budgets.length}>
				{shown.map((budget) => (
					<Card key={`${budget.name} ${budget.key} ${budget.value}`} budget={budget} />
				))}
			</ul>
			{budgets.length > MOST && (
				<p class="more">
					<button type="button" aria-pressed={all} onClick={() => setQuery({ budgets: all ? null : "all" })}>
						{all ? `Only ${count(MOST)} budgets` : `All ${count(budgets.length)} budgets`}
					</button>
				</p>
			)}
		</section>
	);
}
