// SPDX-License-Identifier: Apache-2.0

// Objects of GET /api/v1/recommend (docs/openapi.yaml). A null is "unknown", never 0.

export interface Candidate {
	provider: string;
	type: string;
	region: string;
	/** "on_demand", "spot". */
	purchase: string;
	hosts: number;
	/** Of each host. */
	cpus: number;
	memory_bytes: number | null;
	arch: string;
	wall_s: number;
	wall_low_s: number;
	wall_high_s: number;
	cost_usd: number | null;
	cost_low_usd: number | null;
	cost_high_usd: number | null;
	/** No other candidate is both faster and cheaper. */
	front: boolean;
	/** "cheapest", "fastest", "cheapest_in_time", "fastest_below". */
	choice: string | null;
	/** The part of its memory that stays free at the peak. */
	memory_headroom: number | null;
	/** How often the provider takes such machines back, of spot: "<5 %". */
	interruption: string | null;
	/** What one of them would lose. */
	interruption_loss_s: number | null;
	/** Data that would have to be moved there. */
	move_bytes: number | null;
	same_arch: boolean;
	notes: string[];
}

export interface MeasuredHosts {
	type: string | null;
	region: string | null;
	hosts: number;
	cpus: number | null;
	wall_s: number | null;
	cost_usd: number | null;
}

export interface RecommendAnswer {
	run: { id: string; name: string; pipeline: string | null } | null;
	pipeline: string | null;
	measured: MeasuredHosts | null;
	/** Why there is no recommendation. */
	refused: string | null;
	candidates: Candidate[];
	/** Places of the front in candidates. */
	front: number[];
	assumptions: { text: string }[];
}
