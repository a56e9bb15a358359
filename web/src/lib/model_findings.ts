// SPDX-License-Identifier: Apache-2.0

// What Tracer concludes of a run (docs/findings.md).

export interface Finding {
	kind: string;
	severity: string;
	subject: string;
	summary: string;
	evidence: Record<string, unknown>;
	advice: string;
	saves_usd: number | null;
	saves_s: number | null;
	confidence: string;
}

export interface Verdict {
	/** One sentence. */
	text: string;
	/** A few words, for lists. */
	short: string;
	/** Tools that failed though the run succeeded. */
	failed_tools: number;
}

export interface FindingsAnswer {
	verdict: Verdict;
	findings: Finding[];
	/** Whether a task has a request, with which its use can be compared. */
	asked: boolean;
}
