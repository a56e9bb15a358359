// SPDX-License-Identifier: Apache-2.0
// What GET /api/v1/cost answers. An amount that is null is not known; amounts are dollars, whole in billionths of one.

/** used + unused + idle = cost. */
export interface CostParts {
	used_usd: number | null;
	/** Reserved, but not used. */
	unused_usd: number | null;
	idle_usd: number | null;
	cost_usd: number | null;
}

export interface CostRow extends CostParts {
	/** Its name; "" where it has none, as what is in no step has no name of a step. */
	key: string;
	/** Of runs, tasks and hosts. */
	id?: string | null;
	runs: number | null;
	tasks: number | null;
	samples: number | null;
	cpu_s: number | null;
	input_bytes: number | null;
	usd_per_sample: number | null;
	usd_per_gb: number | null;
	/** Of hosts: as the provider calls the machine, and where its price is from. */
	instance_id?: string | null;
	price_source?: string | null;
}

export interface CostPoint extends CostParts {
	at: string;
	/** null: of no key, hosts on which no task was. */
	key: string | null;
}

export interface CostAnswer {
	by: string;
	since_at: string;
	until_at: string;
	split: string;
	currency: string;
	/** null: not for who may read only some runs, or no price is known. */
	whole_usd: number | null;
	used_usd: number | null;
	unused_usd: number | null;
	idle_usd: number | null;
	/** Hosts while no task was on them. */
	nobody_usd: number | null;
	unpriced_hosts: number;
	/** How much of the whole a bill of the provider says. */
	billed_usd?: number | null;
	rows: CostRow[];
	series?: CostPoint[];
}
