// SPDX-License-Identifier: Apache-2.0
import type { WallTimes } from "./model";

// Objects of the API about the dataflow of a run: which task read what another one wrote (docs/openapi.yaml).

export interface ReadyTask {
	id: string;
	ready_at: string | null;
	queue_s: number | null;
	fed_by: number;
	feeds: number;
	untold_opens: number;
}

/** With where its running time went. */
export interface CriticalLink extends WallTimes {
	task_id: string;
	step: string;
	name: string;
	sample: string | null;
	/** When what it waited for was closed; null: the first of the path. */
	ready_at: string | null;
	waiting_s: number;
	running_s: number;
	path: string | null;
}

/** With the sums of its links. */
export interface CriticalPath extends WallTimes {
	wall_s: number;
	before_s: number;
	waiting_s: number;
	running_s: number;
	after_s: number;
	links: CriticalLink[];
}

/** Without its edges: limit=1. */
export interface Dataflow {
	tasks: ReadyTask[];
	edges_known: number;
	complete: boolean;
	critical_path: CriticalPath | null;
}
