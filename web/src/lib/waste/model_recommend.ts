// SPDX-License-Identifier: Apache-2.0

// Objects of GET /api/v1/recommend (docs/openapi.yaml). A null is "unknown", never 0.

export interface Candidate {
	/** null: a machine that the question described. */
	provider: string | null;
	type: string;
	region: string | null;
	/** "on_demand", "spot". */
	purchase: string | null;
	hosts: number;
	/** Of each host. */
	cpus: number;
	memory_bytes: number | null;
	arch: string | null;
	/** Of a host. */
	usd_hour: number | null;
	/** Otherwise it is estimated. */
	price_exact: boolean;
	wall_s: number;
	wall_low_s: number;
	wall_high_s: number;
	cost_usd: number | null;
	cost_low_usd: number | null;
	cost_high_usd: number | null;
	/** No other candidate is both faster and cheaper, or none of those that are not taken back. */
	front: boolean;
	/** The first of choices. */
	choice: string | null;
	/** "cheapest_in_time", "fastest_below", "cheapest", "fastest", with commas. */
	choices: string | null;
	/** The part of its memory that stays free at the peak. */
	memory_headroom: number | null;
	/** How many such machines the provider takes back within a month: "5 to 10 %". */
	interruption: string | null;
	/** Of the wall time, what that costs on average. */
	interruption_loss_s: number | null;
	/** Data that would have to be moved there. */
	move_bytes: number | null;
	same_arch: boolean | null;
	notes: string[];
}

export interface MeasuredHosts {
	type: string | null;
	region: string | null;
	hosts: number;
	cpus: number | null;
	memory_bytes?: number | null;
	purchase?: string | null;
	wall_s: number | null;
	cost_usd: number | null;
}

export interface RecommendAnswer {
	run: { id: string; name: string | null; pipeline: string | null } | null;
	/** That was asked for: run is the one with the median wall time. */
	pipeline: string | null;
	/** Of the pipeline, or of the last days; null: one run was asked for. */
	runs: number | null;
	measured: MeasuredHosts | null;
	/** Why there is no recommendation. */
	refused: string | null;
	candidates: Candidate[];
	/** Places of the front in candidates. */
	front: number[];
	assumptions: { text: string }[];
}
