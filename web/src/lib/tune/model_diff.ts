// SPDX-License-Identifier: Apache-2.0
import type { Status } from "../model";

// What changed from one run to another: GET /runs/{run}/diff (docs/sizes.md, What changed).

export interface DiffRun {
	id: string;
	name: string | null;
	pipeline: string | null;
	engine: string | null;
	status: Status;
	started_at: string | null;
	/** null: it has not ended. */
	ended_at: string | null;
	wall_ns: number;
	tasks: number;
	cpus: number | null;
	slots: number | null;
}

/** A part of the difference; all of them add up to it. */
export interface DiffPart {
	/** null: the engine. */
	step: string | null;
	factor: string;
	words: string;
	difference_ns: number;
}

export interface DiffStep {
	name: string;
	from_name: string;
	is_rest: boolean;
	state: "both" | "renamed" | "new" | "removed" | "not_yet";
	from_tasks: number;
	to_tasks: number;
	from_failed: number;
	to_failed: number;
	from_path_tasks: number;
	to_path_tasks: number;
	from_running_ns: number;
	to_running_ns: number;
	from_waiting_ns: number;
	to_waiting_ns: number;
	difference_ns: number;
	change: "slower" | "faster" | "same" | null;
	change_confidence: string | null;
	reason_kind: string | null;
	reason_factor: string | null;
	reason: string | null;
	reason_confidence: string | null;
}

export interface DiffFigure {
	step: string;
	figure: string;
	from_median: number | null;
	to_median: number | null;
	from_sum: number | null;
	to_sum: number | null;
	from_most: number | null;
	to_most: number | null;
	change: "more" | "less" | "same" | null;
	confidence: string | null;
}

export interface DiffFact {
	step: string;
	fact: string;
	words: string;
	is_reason: boolean;
}

export interface RunDiff {
	from: DiffRun;
	to: DiffRun;
	summary: string;
	/** null: a run has not ended. */
	difference_ns: number | null;
	notes: { run_id: string | null; text: string }[];
	engine: { from_ns: number; to_ns: number; difference_ns: number };
	parts: DiffPart[];
	/** Those with the largest difference first. */
	steps: DiffStep[];
	figures: DiffFigure[];
	differs: DiffFact[];
}
