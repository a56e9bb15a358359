-- SPDX-License-Identifier: Apache-2.0
-- When tracked work used each host, between two instants (NULL: no bound). A process of a run counts for its lifetime.
-- Processes of no run (a Python daemon sleeps for weeks) and those that wait for a person to type (the shell of a session,
-- the kernel of a notebook) count where they used 1 % of a CPU or more. Gaps of less than a second are closed.
WITH sessions AS (
	SELECT run_id, host_id, pid, start_ns FROM runs WHERE engine = 'session'
), own_tasks AS ( -- work of the kernel of a notebook itself; what it starts are other tasks
	SELECT task_id FROM tasks JOIN sessions USING (run_id, host_id, pid, start_ns)
), waiting AS ( -- runs and tasks with processes that may only wait; task '': all of the run that is in no task
	SELECT run_id, '' AS task_id FROM sessions
	UNION ALL SELECT run_id, task_id FROM own_tasks JOIN tasks USING (task_id)
	UNION ALL SELECT '', ''
), intervals AS (
	SELECT host_id, started_at AS since_at, greatest(coalesce(ended_at, now_at()), started_at) AS until_at
	FROM execution_work ANTI JOIN waiting USING (run_id, task_id)
	WHERE started_at IS NOT NULL AND run_id <> ''
	UNION ALL
	SELECT host_id, since_at, until_at FROM samples SEMI JOIN waiting USING (run_id, task_id)
	WHERE (user_ns + kernel_ns) * 100 >= epoch_ns(until_at) - epoch_ns(since_at)
	UNION ALL -- short executions have no sample
	SELECT host_id, started_at, greatest(ended_at, started_at)
	FROM executions SEMI JOIN waiting USING (run_id, task_id) ANTI JOIN (
			FROM samples SEMI JOIN waiting USING (run_id, task_id)
			WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at::TIMESTAMP - INTERVAL 1 MINUTE)
				AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at::TIMESTAMP + INTERVAL 1 MINUTE)
		) USING (host_id, pid, start_ns, image_seq)
	WHERE ended_at < started_at + INTERVAL 1 MINUTE
		AND ($since_at::TIMESTAMP IS NULL OR ended_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR started_at < $until_at)
		AND (user_ns + kernel_ns) * 100 >= epoch_ns(ended_at) - epoch_ns(started_at)
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
SELECT host_id, min(since_at) AS since_at, max(until_at) AS until_at FROM numbered
GROUP BY host_id, number ORDER BY host_id, 2;
