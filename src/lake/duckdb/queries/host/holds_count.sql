-- SPDX-License-Identifier: Apache-2.0
-- How many rows `holds` has at most.
SELECT (
	SELECT count(*) FROM settled_holds
	WHERE ($since_at::TIMESTAMP IS NULL OR until_at > $since_at) AND ($until_at::TIMESTAMP IS NULL OR since_at < $until_at)
) + (
	SELECT count(*) FROM executions WHERE run_id IN (FROM holders_between(first_of($since_at), last_of($until_at)))
) AS holds;
