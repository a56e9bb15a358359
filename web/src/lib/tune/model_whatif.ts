// SPDX-License-Identifier: Apache-2.0

// What a run would have taken otherwise (docs/sizes.md, What if). A null is "not known", of limits "none".

export interface WhatIfMeasured {
	wall_s: number;
	host_cpus: number | null;
	host_memory_bytes: number | null;
	/** That it could use. */
	cores: number | null;
	/** From what its threads used. */
	cores_inferred: boolean;
	slots: number | null;
	/** Its replay as it was, uncorrected. */
	replayed_s: number | null;
	cost_usd: number | null;
	price_usd_hour: number | null;
}

export interface WhatIfPredicted {
	wall_s: number;
	/** Of an interval of 90 %. */
	wall_low_s: number;
	wall_high_s: number;
	cores: number;
	slots: number | null;
	/** The sum of the peaks of tasks at once, at most. */
	memory_peak_bytes: number | null;
	cost_usd: number | null;
	cost_low_usd: number | null;
	cost_high_usd: number | null;
}

export interface WhatIfTask {
	id: string;
	step: string;
	name: string;
	/** Seconds since the run began; null: it did not run. */
	began_s: number | null;
	ended_s: number | null;
	predicted_began_s: number | null;
	predicted_ended_s: number | null;
}

export interface WhatIfGain {
	name: string;
	tasks: number;
	/** What the run gains if this step takes half. */
	saves_s: number;
}

export interface WhatIf {
	/** Why there is no answer. */
	refused: string | null;
	measured: WhatIfMeasured;
	predicted: WhatIfPredicted | null;
	/** That which saves most first. */
	steps: WhatIfGain[];
	tasks: WhatIfTask[];
	assumptions: { text: string }[];
}
