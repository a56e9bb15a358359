-- SPDX-License-Identifier: Apache-2.0
-- When tracked work used each host, between two instants (NULL: no bound), cut to them. A process of a run counts for its lifetime.
-- Processes of no run (a Python daemon sleeps for weeks) and those that wait for a person to type (the shell of a session,
-- the kernel of a notebook) count where they used 1 % of a CPU or more. Gaps of less than a second are closed.
WITH intervals AS (
	SELECT host_id, since_at, until_at FROM settled_activity_used
	UNION ALL
	SELECT host_id, started_at AS since_at, greatest(coalesce(ended_at, now_at()), started_at) AS until_at
	FROM work_besides() ANTI JOIN waiting_work USING (run_id, task_id)
	WHERE started_at IS NOT NULL
	UNION ALL
	SELECT host_id, since_at, until_at
	FROM waits_now SEMI JOIN (FROM waiting_work ANTI JOIN settled_activity USING (run_id)) USING (run_id, task_id)
), ran AS ( -- intervals that begin in the same second merge anyway: this leaves few rows to sort
	SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM intervals
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
	GROUP BY host_id, epoch_us(intervals.since_at) // 1000000
), parted AS (
	SELECT *, since_at - max(until_at) OVER (PARTITION BY host_id ORDER BY since_at
			ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > INTERVAL 1 SECOND AS is_gap
	FROM ran
), numbered AS (
	SELECT *, sum(coalesce(is_gap, false)::INTEGER) OVER (PARTITION BY host_id ORDER BY since_at
		ROWS UNBOUNDED PRECEDING) AS number
	FROM parted
)
SELECT host_id, greatest(min(since_at), $since_at::TIMESTAMP) AS since_at, least(max(until_at), $until_at::TIMESTAMP) AS until_at
FROM numbered GROUP BY host_id, number ORDER BY host_id, 2;
