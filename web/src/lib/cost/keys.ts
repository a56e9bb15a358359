// SPDX-License-Identifier: Apache-2.0
// By what costs are divided, and where a click on a row leads: a table. Pure.

export interface Key {
	/** As the API names it. */
	name: string;
	title: string;
	/** What a row without a name is. */
	none: string;
	/** The filter that a row becomes; null: there is none. */
	filter: string | null;
	/** By what that row is then divided. */
	next: string | null;
}

const key = (name: string, title: string, none: string, filter: string | null = null, next: string | null = null): Key => ({ name, title, none, filter, next });

export const KEYS: readonly Key[] = [
	key("pipeline", "Pipeline", "no pipeline", "pipeline", "run"),
	key("run", "Run", "no run", "run", "step"),
	key("step", "Step", "no step", "step", "task"),
	key("task", "Task", "no task"),
	key("tool", "Tool", "no tool known"),
	key("sample", "Sample", "no sample", "sample", "run"),
	key("user", "User", "no user known", "user", "pipeline"),
	key("host", "Host", "no name"),
	key("instance", "Instance", "not known"),
	key("container", "Container", "no container"),
	key("pod", "Pod", "no pod"),
	key("day", "Day", "no day"),
	key("cost_centre", "Cost centre", "no cost centre"),
];

export const LABEL = "label:";

/** "label:project" is the label "project"; an unknown name is that of no key. */
export function keyOf(by: string): Key | null {
	if (by.startsWith(LABEL)) return key(by, `Label ${by.slice(LABEL.length)}`, "without it", "label", "pipeline");
	return KEYS.find((one) => one.name === by) ?? null;
}

/** What the filters of the address are called, from the widest to the narrowest. */
export const FILTERS = [
	["label", "Label"],
	["user", "User"],
	["pipeline", "Pipeline"],
	["run", "Run"],
	["sample", "Sample"],
	["step", "Step"],
	["host", "Host"],
] as const;
