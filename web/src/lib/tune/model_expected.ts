// SPDX-License-Identifier: Apache-2.0

// Whether a run is as usual, and when it ends (docs/sizes.md). A null is "not known".

export type Usual = "as usual" | "not as usual" | "not enough history" | "not begun";

export interface Remaining {
	/** From 0 to 1. */
	progress: number | null;
	remaining_s: number | null;
	/** The ends of a range that holds 80 of a hundred. */
	remaining_low_s: number | null;
	remaining_high_s: number | null;
}

export interface ExpectedStep extends Remaining {
	step: string;
	usual: Usual;
	/** So many more are needed to say so; 0: enough. */
	runs_missing: number | null;
	/** The least factor of wall time that would be noticed. */
	noticeable: number | null;
	done: number;
	running: number;
	expected_tasks: number | null;
}

export interface ExpectedTask extends Remaining {
	id: string;
	step: string;
	name: string;
}

export interface ExpectedRun extends Remaining {
	expected_end_at: string | null;
	low_at: string | null;
	high_at: string | null;
	why_unknown: string | null;
}

/** What is not as usual: a figure beside what it typically is. */
export interface Unusual {
	kind: string;
	step: string;
	/** null: the step as a whole. */
	task_id: string | null;
	task_name: string | null;
	figure: string;
	above: boolean;
	/** It runs: more may come. */
	so_far: boolean;
	value: number | null;
	typical_low: number | null;
	typical_median: number | null;
	typical_high: number | null;
	/** From 0 to 1. */
	confidence: number | null;
	history_runs: number;
	text: string;
}

export interface Expected {
	id: string;
	status: string;
	/** Of the history. */
	runs: number;
	/** null: it does not run. */
	run?: ExpectedRun | null;
	steps: ExpectedStep[];
	/** Those that run. */
	tasks?: ExpectedTask[];
	unusual: Unusual[];
}
