// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from "preact/hooks";
import { plain } from "../../lib/format";
import { useLive } from "../../lib/live";
import { setQuery } from "../../lib/route";
import { TextInput } from "../../lib/text_input";
import type { RecommendAnswer } from "../../lib/waste/model_recommend";
import { asksNothing, DAYS, fieldOf, instantOf, LIMITS, secondsOf, withinText } from "../../lib/waste/recommend";
import type { Asked, Limit } from "../../lib/waste/recommend";
import { Choice } from "../../lib/widgets";

// What is to be done elsewhere, when it has to end, what it may cost, and what may be rented. The address has it.

const PURCHASES = [["", "Both"], ["on_demand", "On demand"], ["spot", "Spot"]] as const;
const ARCHES = [["", "As measured"], ["x86_64", "x86-64"], ["arm64", "arm64"], ["any", "Any"]] as const;

const LISTS: readonly (readonly [Limit, string, string])[] = [
	["types", "Types", "as c7*, m6i.2xlarge"],
	["families", "Families", "as c7i, n2"],
	["regions", "Regions", "as measured; * for all"],
	["providers", "Providers", "as aws"],
	["machine", "A machine of your own", "cpus=16,memory=64G,usd_hour=0.3"],
];

const CHECKS: readonly (readonly [Limit, string])[] = [
	["burstable", "Burstable types, too"],
	["bare_metal", "Bare metal, too"],
];

interface FieldProps {
	title: string;
	type: "text" | "number" | "datetime-local";
	value: string;
	hint?: string;
	/** null: it cannot be read, and nothing is asked. */
	read: (text: string) => Record<string, string | null> | null;
	wrong?: string;
}

function Field({ title, type, value, hint, read, wrong }: FieldProps) {
	const [bad, setBad] = useState(false);
	useEffect(() => setBad(false), [value]);
	const change = (text: string) => {
		const parts = read(text);
		setBad(parts === null);
		if (parts) setQuery({ ...parts, mark: null });
	};
	return (
		<label class={`recommend-field is-${type}`}>
			{title}{" "}
			<TextInput {...{ type, value }} placeholder={hint} aria-invalid={bad} onDone={change} {...(type === "number" ? { min: "0", step: "any" } : {})} />
			{bad && (
				<span class="bad" role="alert">
					{wrong}
				</span>
			)}
		</label>
	);
}

const within = (text: string): Record<string, string | null> | null => {
	if (text.trim() === "") return { within: null };
	const seconds = secondsOf(text);
	return seconds === null || seconds <= 0 ? null : { within: String(Math.round(seconds)), by: null };
};

const below = (text: string): Record<string, string | null> | null => (text.trim() === "" ? { below: null } : Number(text) > 0 ? { below: text.trim() } : null);

const headroom = (text: string): Record<string, string | null> | null => {
	if (text.trim() === "") return { headroom: null };
	return /^\d{1,2}$/.test(text.trim()) && Number(text) <= 90 ? { headroom: text.trim() } : null;
};

const ALL = "all";

/** Of which work: a run, a pipeline, all hosts. */
function Work({ asked, answer }: { asked: Asked; answer: RecommendAnswer | null }) {
	const { runs } = useLive();
	const pipelines = useMemo(() => {
		const names = [...runs.values()].flatMap((run) => (run.pipeline ? [run.pipeline] : []));
		const own = [asked.pipeline, answer?.run?.pipeline].filter((name): name is string => Boolean(name));
		return [...new Set([...own, ...names])].sort((a, b) => a.localeCompare(b));
	}, [runs, asked.pipeline, answer?.run?.pipeline]);
	const value = asked.run !== null ? `run:${asked.run}` : asked.pipeline !== null ? `pipeline:${asked.pipeline}` : ALL;
	const choose = (text: string) => {
		const [kind, name] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
		setQuery({ run: kind === "run" ? name : null, pipeline: kind === "pipeline" ? name : null, mark: null });
	};
	return (
		<label class="waste-pick">
			For{" "}
			<select value={value} onChange={(event) => choose(event.currentTarget.value)}>
				{asked.run !== null && <option value={value}>this run</option>}
				<option value={ALL}>all hosts</option>
				{pipelines.map((name) => (
					<option key={name} value={`pipeline:${name}`}>
						{plain(name)}
					</option>
				))}
			</select>
		</label>
	);
}

export const Unlimited = ({ asked }: { asked: Asked }) => (
	<button type="button" disabled={asksNothing(asked)} onClick={() => setQuery({ ...Object.fromEntries(LIMITS.map((name) => [name, null])), mark: null })}>
		Without limits
	</button>
);

export function Form({ asked, answer }: { asked: Asked; answer: RecommendAnswer | null }) {
	const set = (name: Limit) => (value: string) => setQuery({ [name]: value || null, mark: null });
	const listed = [...LISTS, ...CHECKS].some(([name]) => asked[name] !== null) || asked.headroom !== null;
	return (
		<form class="whatif-controls recommend-form" aria-label="What is needed" onSubmit={(event) => event.preventDefault()}>
			<Work {...{ asked, answer }} />
			{asked.run === null && <Choice<string> label="How far back" options={DAYS} value={asked.days} onChange={(days) => setQuery({ days: days === DAYS[0][0] ? null : days, mark: null })} />}
			<Field title="Ends within" type="text" value={withinText(asked.within)} hint="as 5h 30m" read={within} wrong="Write it as 5h 30m" />
			<Field title="or by" type="datetime-local" value={fieldOf(asked.by)} read={(text) => ({ by: instantOf(text), ...(text ? { within: null } : {}) })} />
			<Field title="Costs less than $" type="number" value={Number(asked.below) > 0 ? (asked.below ?? "") : ""} read={below} wrong="A number of dollars" />
			<Choice<string> label="Purchase" options={PURCHASES} value={asked.purchase ?? ""} onChange={set("purchase")} />
			<Choice<string> label="Architecture" options={ARCHES} value={asked.arch ?? ""} onChange={set("arch")} />
			<Unlimited asked={asked} />
			<details class="recommend-lists" open={listed}>
				<summary>What may be rented</summary>
				<div>
					{LISTS.map(([name, title, hint]) => (
						<Field key={name} type="text" value={asked[name] ?? ""} read={(text) => ({ [name]: text.trim() || null })} {...{ title, hint }} />
					))}
					<Field title="Memory kept free, %" type="number" value={/^\d+$/.test(asked.headroom ?? "") ? (asked.headroom ?? "") : ""} hint="10" read={headroom} wrong="0 to 90" />
					{CHECKS.map(([name, title]) => (
						<label key={name} class="check">
							<input type="checkbox" checked={asked[name] === "true"} onChange={(event) => set(name)(event.currentTarget.checked ? "true" : "")} />
							{title}
						</label>
					))}
				</div>
			</details>
		</form>
	);
}
