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
	/** Its name; "" where it has none, as a task in no container. */
	key: string;
	/** Of runs, tasks and hosts. */
	id: string | null;
	runs: number;
	tasks: number;
	samples: number;
	cpu_s: number;
	input_bytes: number | null;
	usd_per_sample: number | null;
	usd_per_gb: number | null;
	/** Of hosts, instances and days: what hosts cost while no task was on them. It is not in cost_usd. */
	unallocated_usd: number | null;
	/** Of hosts and instances: as the provider calls the machine, what an hour costs, and where that is from. */
	instance_id: string | null;
	price_usd_hour: number | null;
	price_source: string | null;
}

export interface CostPoint extends CostParts {
	at: string;
	/** null: of no key, hosts on which no task was. */
	key: string | null;
}

export interface CostAnswer extends CostParts {
	by: string;
	since_at: string;
	until_at: string;
	split: string;
	currency: string;
	/** Of all hosts. null: only some costs are shown, or no price is known. */
	whole_usd: number | null;
	/** Hosts while no task was on them. */
	unallocated_usd: number | null;
	unpriced_hosts: number;
	/** Some of it is as a bill says. */
	billed: boolean;
	/** Of these, rows has the most expensive. */
	row_count: number;
	rows: CostRow[];
	series: CostPoint[];
}

/** Of a run: used + unused + idle = tasks + engine = whole. */
export interface RunCost {
	whole_usd: number;
	used_usd: number;
	unused_usd: number;
	idle_usd: number;
	tasks_usd: number;
	engine_usd: number;
	price_usd_hour: number | null;
	price_source: string | null;
	/** Since the run settled, the first one first. */
	changes: CostChange[];
}

export interface CostChange {
	at: string;
	from_usd: number | null;
	to_usd: number | null;
	why: string;
}
