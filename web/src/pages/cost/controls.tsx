// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { costAddress, dateText, DAY_MS, ownDates, TIMES, timeQuery } from "../../lib/cost/asked";
import type { Asked } from "../../lib/cost/asked";
import { FILTERS, KEYS, LABEL } from "../../lib/cost/keys";
import { plain } from "../../lib/format";
import { useLive } from "../../lib/live";
import { go, setQuery } from "../../lib/route";
import { TextInput } from "../../lib/text_input";
import { Choice } from "../../lib/widgets";

// By what, of which time and by which rule costs are shown, and which of them. The address has it.

const SPLITS = [
	["held", "What was held"],
	["aws", "AWS split cost"],
] as const;

interface ControlsProps {
	asked: Asked;
	query: URLSearchParams;
	now: number;
	/** The rule of the answer; null: not known yet. */
	split: string | null;
}

/** The names of labels that runs have. */
function useLabels(): string[] {
	const { runs } = useLive();
	return useMemo(() => [...new Set([...runs.values()].flatMap((run) => Object.keys(run.labels ?? {})))].sort(), [runs]);
}

function By({ asked, query }: Pick<ControlsProps, "asked" | "query">) {
	const labels = useLabels();
	const isLabel = asked.by.startsWith(LABEL);
	const choose = (by: string) => go(costAddress(query, { by }), true);
	return (
		<>
			<label class="cost-by">
				By{" "}
				<select value={isLabel ? LABEL : asked.by} onChange={(event) => choose(event.currentTarget.value)}>
					{KEYS.map(({ name, title }) => (
						<option key={name} value={name}>
							{title}
						</option>
					))}
					<option value={LABEL}>Label …</option>
				</select>
			</label>
			{isLabel && (
				<label class="cost-by">
					<span class="unseen">Name of the label</span>
					<TextInput
						type="search"
						class="cost-label"
						list="cost-labels"
						placeholder="Label, as project"
						maxLength={128}
						value={asked.by.slice(LABEL.length)}
						onDone={(text) => choose(LABEL + text.trim())}
					/>
					<datalist id="cost-labels">
						{labels.map((label) => (
							<option key={label} value={label} />
						))}
					</datalist>
				</label>
			)}
		</>
	);
}

const dayOf = (text: string | null | undefined, shift = 0): string => {
	const at = Date.parse(text ?? "");
	return Number.isNaN(at) ? "" : dateText(at + shift);
};

/** The first and the last day. The address has the day after the last one. */
function Dates({ asked, now }: Pick<ControlsProps, "asked" | "now">) {
	const change = (parts: Record<string, string | null>) => setQuery(parts);
	const most = dateText(now);
	return (
		<span class="cost-dates">
			<label>
				From{" "}
				<input type="date" max={most} value={dayOf(asked.since)} onChange={(event) => change({ since: event.currentTarget.value || null })} />
			</label>
			<label>
				to{" "}
				<input
					type="date"
					max={most}
					value={asked.until ? dayOf(asked.until, -1) : most}
					onChange={(event) => change({ until: dayOf(event.currentTarget.value, DAY_MS) || null })}
				/>
			</label>
		</span>
	);
}

const OWN = "dates";

function Time({ asked, query, now }: Omit<ControlsProps, "split">) {
	const choose = (time: string) => {
		if (time !== OWN) return go(costAddress(query, { time, since: null, until: null, over: null }), true);
		const { since, until, days } = timeQuery(asked, now);
		go(costAddress(query, { since: since ?? dateText(now - Number(days) * DAY_MS), until: until ?? null, over: null }), true);
	};
	const chosen = ownDates(asked) ? OWN : asked.time;
	return (
		<>
			<Choice<string> label="Time" options={[...TIMES, [OWN, "Dates"]]} value={chosen} onChange={choose} />
			{chosen === OWN && <Dates {...{ asked, now }} />}
		</>
	);
}

export function Controls({ asked, query, now, split }: ControlsProps) {
	const rule = asked.split ?? split ?? "held";
	return (
		<div class="tools-row cost-controls">
			<By {...{ asked, query }} />
			<Time {...{ asked, query, now }} />
			<span class="cost-rule" title="How the price of a host is divided: by what each task held of it, or as the split cost allocation data of AWS does">
				<span class="muted" aria-hidden="true">
					Rule
				</span>{" "}
				<Choice<string> label="Rule" options={SPLITS} value={rule} onChange={(next) => setQuery({ split: next })} />
			</span>
		</div>
	);
}

/** What is shown of all costs; each filter can be removed. */
export function Trail({ asked, query }: Pick<ControlsProps, "asked" | "query">) {
	const { runs } = useLive();
	if (asked.filters.length === 0) return null;
	const titles = new Map<string, string>(FILTERS);
	const nameOf = (name: string, value: string) => (name === "run" ? runs.get(value)?.name || value.slice(0, 12) : value);
	const none = Object.fromEntries(asked.filters.map(([name]) => [name, null]));
	return (
		<nav class="cost-trail" aria-label="Only the costs of">
			<a href={costAddress(query, { ...none, by: null })}>All costs</a>
			{asked.filters.map(([name, value]) => {
				const words = `${titles.get(name)} ${plain(nameOf(name, value))}`;
				return (
					<span key={name} class="chip cost-filter" title={plain(value)}>
						{words}
						<a href={costAddress(query, { [name]: null })} aria-label={`Without the filter ${words}`}>
							×
						</a>
					</span>
				);
			})}
		</nav>
	);
}
