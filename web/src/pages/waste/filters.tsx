// SPDX-License-Identifier: Apache-2.0
import { count, plain, usd } from "../../lib/format";
import { setQuery } from "../../lib/route";
import type { WasteAnswer, WasteRow } from "../../lib/waste/model_waste";
import { allUsers, DAYS, daysText, hostNames, hourOf, isFiltered, kindsOf, NO_USER, STATES, stateText } from "../../lib/waste/waste";
import type { Asked } from "../../lib/waste/waste";
import { Choice } from "../../lib/widgets";

// Which findings are shown. The address has it.

interface FiltersProps {
	asked: Asked;
	answer: WasteAnswer;
	rows: readonly WasteRow[];
}

interface PickProps {
	title: string;
	all: string;
	options: readonly (readonly [string, string])[];
	value: string | null;
	onChange: (value: string | null) => void;
}

const Pick = ({ title, all, options, value, onChange }: PickProps) => (
	<label class="waste-pick">
		{title}{" "}
		<select value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value || null)}>
			<option value="">{all}</option>
			{options.map(([name, words]) => (
				<option key={name} value={name}>
					{words}
				</option>
			))}
		</select>
	</label>
);

/** How much of everything the filters leave. */
function Left({ asked, answer, rows }: FiltersProps) {
	if (!isFiltered(asked)) return null;
	const hour = hourOf(rows);
	return (
		<span class="muted" role="status">
			{count(rows.length)} of {count(answer.count)} findings{hour === null ? "" : `, ${usd(hour)} an hour`}
		</span>
	);
}

export function Filters({ asked, answer, rows }: FiltersProps) {
	const users = allUsers(answer.waste, asked.user).map((name) => [name, name === NO_USER ? "(not known)" : plain(name)] as const);
	return (
		<div class="tools-row">
			<Choice label="State" options={STATES} value={asked.state} onChange={(state) => setQuery({ state: stateText(state), finding: null })} />
			<Choice<string> label="Time" options={DAYS} value={asked.days} onChange={(days) => setQuery({ days: daysText(days) })} />
			<Pick title="Kind" all="all" options={kindsOf(answer.waste, asked.kind)} value={asked.kind} onChange={(kind) => setQuery({ kind })} />
			<Pick title="User" all="all" options={users} value={asked.user} onChange={(user) => setQuery({ user })} />
			{asked.host !== null && (
				<span class="chip cost-filter">
					Host {plain(hostNames(answer).get(asked.host)) || plain(asked.host)}
					<button type="button" class="as-link" aria-label="All hosts" onClick={() => setQuery({ host: null })}>
						×
					</button>
				</span>
			)}
			<Left {...{ asked, answer, rows }} />
		</div>
	);
}
