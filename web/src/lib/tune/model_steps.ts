// SPDX-License-Identifier: Apache-2.0

// The history of the steps of a pipeline (docs/sizes.md, History of a step). A null is "not known".

/** Figures of which a list of steps has the median and all but a twentieth. */
export type StepFigure = "wall_ns" | "cpu_ns" | "memory_peak_bytes" | "input_bytes" | "disk_read_bytes" | "disk_write_bytes";

export interface StepHistory extends Record<`${StepFigure}_${"median" | "p95"}`, number | null> {
	step: string;
	runs: number;
	/** Attempts of tasks. */
	tasks: number;
	failed: number;
	out_of_memory: number;
}

/** A figure over the tasks that succeeded, of a run or of all. */
export interface Box {
	figure: string;
	/** null: over all runs. */
	run_id: string | null;
	started_at: string | null;
	host_type: string | null;
	tools: string | null;
	/** That have the figure; 0: the rest is null. */
	tasks: number;
	min: number | null;
	q1: number | null;
	median: number | null;
	q3: number | null;
	p95: number | null;
	max: number | null;
}

export interface StepsAnswer {
	pipeline: string;
	runs: number;
	/** There are more runs, or tasks, than were looked at. */
	cut: boolean;
	steps: StepHistory[];
	/** Of the step that was asked for. */
	boxes?: Box[];
}
