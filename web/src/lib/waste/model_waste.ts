// SPDX-License-Identifier: Apache-2.0
import type { Waste } from "../model_host";

// Objects of GET /api/v1/waste (docs/openapi.yaml). A null is "unknown", never 0.

export interface WasteRow {
	kind: string;
	title: string;
	/** "host", "gpu", "task", "run", "step", "folder", "machine", "volume". */
	subject: string;
	id: string;
	name: string;
	host_id: string | null;
	run_id: string | null;
	task_id: string | null;
	/** Users, separated by ", ". */
	who: string | null;
	since_at: string | null;
	found_at: string | null;
	ended_at: string | null;
	/** Of one that ended: "stopped", "ended", "used", "replaced", "silenced". */
	outcome: string | null;
	usd_hour: number | null;
	/** Whether usd_hour is in the sum; if not, another finding has the price of the same host. */
	counted: boolean;
	wasted_usd: number | null;
	saved_usd: number | null;
	confidence: string;
	summary: string;
	evidence: Record<string, unknown>;
	advice: string | null;
	command: string | null;
}

export interface WasteAnswer extends Waste {
	/** Of the sweep: the last one, which is a minute old at most. */
	at: string;
	currency: string;
	usd_hour: number;
	/** Within the days. */
	wasted_usd: number;
	saved_usd: number;
	/** Findings that go on, without a price. */
	unpriced: number;
	/** All, also those beyond the rows, and what of them goes on. */
	count: number;
	open: number;
	waste: WasteRow[];
}
