// SPDX-License-Identifier: Apache-2.0

// What to request for the steps of a run (docs/sizes.md, Sizes). A null is "not known", never 0.

export type Basis = "constant" | "linear in input" | "as requested" | "cautious" | "unknown";

/** Things of which an amount is requested, with the unit of their figures. */
export const KINDS = { memory: "bytes", time: "ns", disk: "bytes" } as const;
export type Kind = keyof typeof KINDS;

type Amounts<K extends Kind> = Record<`${K}_${"requested" | "highest" | "advised" | "intercept"}_${(typeof KINDS)[K]}`, number | null> &
	Record<`${K}_${"slope" | "factor" | "risk"}`, number | null> &
	Record<`${K}_${"tasks" | "needs_tasks" | "needs_runs"}`, number> &
	Record<`${K}_basis`, Basis> &
	Record<`${K}_enough`, boolean>;

export interface StepSize extends Amounts<"memory">, Amounts<"time">, Amounts<"disk"> {
	step: string;
	/** Of the run, and of all runs that were looked at. */
	tasks: number;
	tasks_of_history: number;
	cpus_requested: number | null;
	cpus_used_median: number | null;
	cpus_used_p95: number | null;
	cpus_advised: number | null;
	/** The wall time with the advised CPUs relative to now, at worst. */
	cpus_slowdown: number | null;
	cpus_wants_more: boolean | null;
	/** By how much the memory and time of the first try are multiplied in the second and the third. */
	second_try_factor: number | null;
	third_try_factor: number | null;
	/** Attempts that were killed for memory. */
	out_of_memory: number;
	/** GB * h a task that are requested and not used, now and with what is advised. */
	wasted_now_gb_h: number | null;
	wasted_then_gb_h: number | null;
	/** How its program is given the memory of the request. */
	program_memory?: string | null;
}

export const ENGINES = ["nextflow", "snakemake", "snakemake7", "slurm"] as const;
export type SettingsOf = (typeof ENGINES)[number];

export interface Sizes {
	id: string;
	engine: string | null;
	/** That the sizes rest on, this one with them. */
	runs: number;
	/** That the first try of a task needs more memory than is advised. */
	risk: number | null;
	steps: StepSize[];
	/** Text to copy. */
	settings?: Partial<Record<SettingsOf, string | null>> | null;
}
